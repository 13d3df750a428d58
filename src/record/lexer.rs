//! The pieces of an SGF text.
//!
//! Own code, for the one well-kept parser there is (`sgf-parse`) refuses or loses what the importer must read: it has no
//! offsets in its errors, refuses cut-off files, stray text and byte order marks, and frees its tree by recursion, so
//! that a game of 100,000 moves in a row overflows the stack. To repair texts for it would take this lexer all the same.

/// One piece of a text, and where it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub offset: usize,
    pub kind: TokenKind<'a>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind<'a> {
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// `;`.
    Node,
    /// A run of ASCII letters.
    Name(&'a str),
    /// What stands between brackets, still escaped.
    Value(RawValue<'a>),
    /// A character that has no business here.
    Stray,
}

/// A property's value as it stands in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RawValue<'a> {
    /// The text between the brackets, escapes and all.
    pub text: &'a str,
    /// Where the text starts.
    pub offset: usize,
    /// Whether there is a closing bracket.
    pub closed: bool,
}

/// Reads pieces one after the other. All that separates them is ASCII, so bytes are looked at one by one.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Lexer<'a> {
        Lexer { text, at: 0 }
    }

    /// Where the next piece, or the white space before it, starts.
    pub(super) fn offset(&self) -> usize {
        self.at
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Skips white space and shows what follows it.
    fn peek(&mut self) -> Option<u8> {
        self.take_run(is_space);
        self.byte()
    }

    /// Where the next piece starts; `None` when there is none.
    pub(super) fn next_offset(&mut self) -> Option<usize> {
        self.peek().map(|_| self.at)
    }

    fn take_run(&mut self, wanted: impl Fn(u8) -> bool) -> &'a str {
        let from = self.at;
        while self.byte().is_some_and(&wanted) {
            self.at += 1;
        }
        self.text.get(from..self.at).unwrap_or_default()
    }

    /// Goes to the next `(`, past it, and says whether a node or at least a property follows; `None` at the end.
    pub(super) fn skip_to_game(&mut self) -> Option<GameStart> {
        loop {
            self.take_run(|byte| byte != b'(');
            let offset = self.at;
            self.byte()?;
            self.at += 1;
            let mut ahead = self.clone();
            let has_semicolon = ahead.peek() == Some(b';');
            let name = ahead.take_run(|byte| byte.is_ascii_alphabetic());
            let starts = has_semicolon || (!name.is_empty() && ahead.peek() == Some(b'['));
            if starts {
                return Some(GameStart {
                    offset,
                    has_semicolon,
                });
            }
        }
    }

    fn value(&mut self) -> RawValue<'a> {
        let offset = self.at;
        let mut escaped = false;
        let text = loop {
            match self.byte() {
                Some(b']') if !escaped => break self.text.get(offset..self.at),
                Some(byte) => escaped = byte == b'\\' && !escaped,
                None => break self.text.get(offset..self.at),
            }
            self.at += 1;
        };
        let closed = self.byte().is_some();
        self.at += usize::from(closed);
        RawValue {
            text: text.unwrap_or_default(),
            offset,
            closed,
        }
    }
}

/// Whether a byte is white space. NUL counts too: some writers pad their files with it.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r' | 0)
}

/// The `(` that starts a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GameStart {
    pub offset: usize,
    /// Whether its first node has a semicolon, as it should.
    pub has_semicolon: bool,
}

impl<'a> Iterator for Lexer<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let byte = self.peek()?;
        let offset = self.at;
        if byte.is_ascii_alphabetic() {
            let name = self.take_run(|byte| byte.is_ascii_alphabetic());
            return Some(Token {
                offset,
                kind: TokenKind::Name(name),
            });
        }
        self.at += 1;
        let kind = match byte {
            b'(' => TokenKind::Open,
            b')' => TokenKind::Close,
            b';' => TokenKind::Node,
            b'[' => TokenKind::Value(self.value()),
            _ => TokenKind::Stray,
        };
        Some(Token { offset, kind })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<TokenKind<'_>> {
        Lexer::new(text).map(|token| token.kind).collect()
    }

    #[test]
    fn brackets_end_values_unless_escaped() {
        let value = |text, offset, closed| TokenKind::Value(RawValue { text, offset, closed });
        assert_eq!(
            kinds("(;C[a\\]\\\\]b[é"),
            [
                TokenKind::Open,
                TokenKind::Node,
                TokenKind::Name("C"),
                value("a\\]\\\\", 4, true),
                TokenKind::Name("b"),
                value("é", 12, false),
            ]
        );
        assert_eq!(kinds("[x\\"), [value("x\\", 1, false)]);
        assert_eq!(kinds("é 1"), [TokenKind::Stray; 3]);
    }

    #[test]
    fn a_game_starts_at_a_parenthesis_with_a_node_or_a_property() {
        let start = |text| {
            Lexer::new(text)
                .skip_to_game()
                .map(|start| (start.offset, start.has_semicolon))
        };
        assert_eq!(start("hello (you) :-( \n ( ;"), Some((18, true)));
        assert_eq!(start("(see below) (FF [4]"), Some((12, false)));
        assert_eq!(start("((;"), Some((1, true)));
        assert_eq!(start("(not a game)"), None);
        assert_eq!(start(""), None);
    }
}
