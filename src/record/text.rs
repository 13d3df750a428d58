//! SGF's text values: escaping on the way out, unescaping on the way in (SGF FF[4], "Text" and "SimpleText").

/// What a line break in a text value means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lines {
    /// `Text`: a line break is kept, as `\n`.
    Kept,
    /// `SimpleText`: a line break is a space.
    Joined,
}

/// Writes a value: `]` and `\` escaped; control characters are spaces, so that none reaches a terminal or a database.
pub(super) fn escape(text: &str, lines: Lines) -> String {
    let mut escaped = String::with_capacity(text.len());
    for each in text.chars() {
        match each {
            ']' | '\\' => escaped.extend(['\\', each]),
            '\n' if lines == Lines::Kept => escaped.push('\n'),
            _ if each.is_control() => escaped.push(' '),
            _ => escaped.push(each),
        }
    }
    escaped
}

/// A value as it was meant, and whether control characters had to be replaced by spaces.
///
/// A backslash before a line break takes the break away, and before anything else stands for that thing. CRLF, LFCR,
/// CR and LF are one line break each. Tabs and the like are spaces.
pub(super) fn unescape(raw: &str, lines: Lines) -> (String, bool) {
    let mut text = String::with_capacity(raw.len());
    let mut replaced = false;
    let mut rest = raw.chars().peekable();
    while let Some(each) = rest.next() {
        let escaped = each == '\\';
        let each = match escaped {
            true => match rest.next() {
                Some(next) => next,
                None => break,
            },
            false => each,
        };
        match each {
            '\n' | '\r' => {
                let twin = if each == '\n' { '\r' } else { '\n' };
                rest.next_if_eq(&twin);
                match lines {
                    _ if escaped => {}
                    Lines::Kept => text.push('\n'),
                    Lines::Joined => text.push(' '),
                }
            }
            '\t' | '\u{b}' | '\u{c}' => text.push(' '),
            _ if each.is_control() => {
                replaced = true;
                text.push(' ');
            }
            _ => text.push(each),
        }
    }
    (text, replaced)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn brackets_and_backslashes_are_escaped() {
        assert_eq!(escape(r"a[3k]\", Lines::Joined), r"a[3k\]\\");
        assert_eq!(escape("a\nb\x07\x1b[31m", Lines::Joined), "a b  [31m");
        assert_eq!(escape("a\nb\0", Lines::Kept), "a\nb ");
    }

    #[test]
    fn every_line_break_is_one_and_an_escaped_one_none() {
        let (text, _) = unescape("one\r\ntwo\rthree\n\rfour\nfive\\\r\n, still\\\n", Lines::Kept);
        assert_eq!(text, "one\ntwo\nthree\nfour\nfive, still");
        assert_eq!(unescape("a\r\nb\tc", Lines::Joined), ("a b c".to_owned(), false));
        assert_eq!(unescape("x\0y", Lines::Kept), ("x y".to_owned(), true));
        assert_eq!(unescape("end\\", Lines::Kept), ("end".to_owned(), false));
    }

    proptest! {
        #[test]
        fn prop_unescaping_what_was_escaped_is_identity(text in "(\\PC|\n|\\]|\\\\)*") {
            prop_assert_eq!(unescape(&escape(&text, Lines::Kept), Lines::Kept), (text, false));
        }
    }
}
