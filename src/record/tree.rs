//! From pieces to nodes: the main line of each game, its first variation at every fork.
//!
//! The main line is all that stands before a game's first `)`. So no tree is built and nothing recurses, however deep
//! the variations are nested; a number counts the depth.

use super::error::{SgfError, SgfErrorKind, WarningKind, Warnings};
use super::lexer::{Lexer, RawValue, TokenKind};
use super::limits::{MAX_DEPTH, MAX_NODES};

/// The main line of a game, still in raw values.
#[derive(Clone, Debug)]
pub(super) struct RawGame<'a> {
    pub nodes: Vec<RawNode<'a>>,
    pub warnings: Warnings,
}

/// One node: its properties in the file's order.
#[derive(Clone, Debug, Default)]
pub(super) struct RawNode<'a> {
    pub offset: usize,
    pub properties: Vec<Property<'a>>,
}

/// A property with its values; at least one.
#[derive(Clone, Debug)]
pub(super) struct Property<'a> {
    /// Its name without lower-case letters, which before FF[4] were only decoration; in capitals if there are no others.
    pub name: String,
    pub offset: usize,
    pub values: Vec<RawValue<'a>>,
}

/// Reads the games of a text one after the other.
#[derive(Debug)]
pub(super) struct Games<'a> {
    lexer: Lexer<'a>,
    /// Nodes of all games so far.
    nodes: usize,
}

impl<'a> Games<'a> {
    pub(super) fn new(text: &'a str) -> Games<'a> {
        Games {
            lexer: Lexer::new(text),
            nodes: 0,
        }
    }

    /// The next game; `None` when there is none left.
    pub(super) fn next_game(&mut self) -> Result<Option<RawGame<'a>>, SgfError> {
        let next = self.lexer.next_offset();
        let Some(start) = self.lexer.skip_to_game() else {
            return Ok(None);
        };
        let mut reader = Reader::new();
        if let Some(text) = next.filter(|&offset| offset < start.offset) {
            reader.warn(text, WarningKind::TextAround);
        }
        if !start.has_semicolon {
            reader.warn(start.offset, WarningKind::MissingSemicolon);
            reader.game.nodes.push(RawNode {
                offset: start.offset,
                ..RawNode::default()
            });
        }
        self.read(&mut reader)?;
        Ok(Some(reader.game))
    }

    /// Where the text after the last game that was read starts, if there is any.
    pub(super) fn rest(&mut self) -> Option<usize> {
        self.lexer.next_offset()
    }

    /// Reads to the parenthesis that ends the game.
    fn read(&mut self, reader: &mut Reader<'a>) -> Result<(), SgfError> {
        while reader.depth > 0 {
            let Some(token) = self.lexer.next() else {
                reader.warn(self.lexer.offset(), WarningKind::CutOff);
                break;
            };
            let refused = |kind| SgfError {
                offset: token.offset,
                kind,
            };
            match token.kind {
                TokenKind::Open if reader.depth == MAX_DEPTH => return Err(refused(SgfErrorKind::TooDeep)),
                TokenKind::Open => reader.open(token.offset),
                TokenKind::Close => reader.close(),
                TokenKind::Node if self.nodes == MAX_NODES => {
                    return Err(refused(SgfErrorKind::TooManyNodes));
                }
                TokenKind::Node => {
                    self.nodes += 1;
                    reader.node(token.offset);
                }
                TokenKind::Name(name) => self.property(name, token.offset, reader),
                TokenKind::Value(_) | TokenKind::Stray => reader.warn(token.offset, WarningKind::StrayText),
            }
        }
        if reader.variations > 0 {
            reader.warn(reader.first_variation, WarningKind::Variations(reader.variations));
        }
        Ok(())
    }

    /// Reads the values behind a name.
    fn property(&mut self, name: &str, offset: usize, reader: &mut Reader<'a>) {
        let mut values = Vec::new();
        loop {
            let mut ahead = self.lexer.clone();
            let Some(TokenKind::Value(value)) = ahead.next().map(|token| token.kind) else {
                break;
            };
            self.lexer = ahead;
            values.push(value);
        }
        reader.property(name, offset, values);
    }
}

struct Reader<'a> {
    game: RawGame<'a>,
    state: State,
    /// The parentheses that are open.
    depth: usize,
    /// The variations that were left out.
    variations: usize,
    /// Where the first of them starts.
    first_variation: usize,
}

/// Where in the tree the reader is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// On the main line: no variation has ended yet.
    Main,
    /// In a variation that is left out.
    Variation,
    /// After a variation, where only another may start.
    BetweenVariations,
}

impl<'a> Reader<'a> {
    /// Stands behind the parenthesis that starts a game.
    fn new() -> Reader<'a> {
        Reader {
            game: RawGame {
                nodes: Vec::new(),
                warnings: Warnings::default(),
            },
            state: State::Main,
            depth: 1,
            variations: 0,
            first_variation: 0,
        }
    }

    fn open(&mut self, offset: usize) {
        self.depth += 1;
        if self.state == State::Main {
            return;
        }
        self.state = State::Variation;
        if self.variations == 0 {
            self.first_variation = offset;
        }
        self.variations += 1;
    }

    fn close(&mut self) {
        self.depth -= 1;
        self.state = State::BetweenVariations;
    }

    fn warn(&mut self, offset: usize, kind: WarningKind) {
        self.game.warnings.add(offset, kind);
    }

    fn node(&mut self, offset: usize) {
        match self.state {
            State::Main => self.game.nodes.push(RawNode {
                offset,
                properties: Vec::new(),
            }),
            State::Variation => {}
            State::BetweenVariations => self.warn(offset, WarningKind::NodesAfterVariation),
        }
    }

    fn property(&mut self, name: &str, offset: usize, mut values: Vec<RawValue<'a>>) {
        match self.state {
            State::Main => {}
            State::Variation => return,
            State::BetweenVariations => return self.warn(offset, WarningKind::StrayText),
        }
        let mut capitals: String = name.chars().filter(char::is_ascii_uppercase).collect();
        if capitals.is_empty() {
            capitals = name.to_ascii_uppercase();
        }
        if capitals != name {
            self.warn(offset, WarningKind::OldPropertyName);
        }
        // Of a value that the end of the file cuts off only a comment is of use.
        let comment = capitals == "C";
        values.retain(|value| value.closed || comment);
        match self.game.nodes.last_mut() {
            Some(node) if !values.is_empty() => node.properties.push(Property {
                name: capitals,
                offset,
                values,
            }),
            _ => self.warn(offset, WarningKind::StrayText),
        }
    }
}
