//! Why a text is refused as a record, and what was put right in one that was read.

use super::limits;
use super::numbers::SizeError;
use crate::rules::SetupError;

/// Why a file is no record that this server can read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at byte {offset}: {kind}")]
pub struct SgfError {
    /// Where, in bytes of the text in UTF-8 without byte order mark: for a UTF-8 file its own bytes.
    pub offset: usize,
    /// What is wrong there.
    pub kind: SgfErrorKind,
}

/// What is wrong with a file. Texts taken from the file are cut to 40 characters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SgfErrorKind {
    /// The file is larger than [`MAX_BYTES`](super::MAX_BYTES).
    #[error("the file has more than {} bytes", limits::MAX_BYTES)]
    TooLarge,
    /// Variations within variations beyond [`MAX_DEPTH`](super::MAX_DEPTH).
    #[error("variations are nested more than {} deep", limits::MAX_DEPTH)]
    TooDeep,
    /// More nodes in the file than [`MAX_NODES`](super::MAX_NODES).
    #[error("the file has more than {} nodes", limits::MAX_NODES)]
    TooManyNodes,
    /// More games in the file than [`MAX_GAMES`](super::MAX_GAMES), when all are asked for.
    #[error("the file has more than {} games", limits::MAX_GAMES)]
    TooManyGames,
    /// More points in the lists of a game than [`MAX_POINTS`](super::MAX_POINTS).
    #[error("the lists of the game name more than {} points", limits::MAX_POINTS)]
    TooManyPoints,
    /// The file names a charset that is not known, and is not UTF-8 either.
    #[error("the charset {0:?} is not supported")]
    UnsupportedCharset(String),
    /// Nothing in the file starts a game.
    #[error("no game found")]
    NoGame,
    /// The record is of another game than Go; its name, or what stands in `GM` in quotes, with escapes for what no terminal
    /// should get.
    #[error("this is a record of another game than Go: {0}")]
    OtherGame(String),
    /// The size is not that of one of our boards.
    #[error("{0}")]
    Size(#[from] SizeError),
    /// Both `SZ` and `HEXSIZE` are given.
    #[error("the board is said to be both square and hexagonal")]
    TwoSizes,
    /// A value is no point of the board.
    #[error("{0:?} is not on the board")]
    OffBoard(String),
    /// A move is neither a pass nor on a point of the board.
    #[error("move {number}: {value:?} is not on the board")]
    MoveOffBoard {
        /// Which move, from 1.
        number: usize,
        /// What stands there.
        value: String,
    },
}

/// Something in a file that is not as it should be and was read all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Where it was first met; as in [`SgfError`].
    pub offset: usize,
    /// What it is.
    pub kind: WarningKind,
}

/// What was not as it should be. Each kind is reported once a game, where it was first met.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WarningKind {
    /// Bytes that the charset does not have; they became U+FFFD.
    #[error("some bytes are not of the file's charset")]
    BadBytes,
    /// The file names an unknown charset but is UTF-8.
    #[error("the charset is not known; the file was read as UTF-8")]
    UnknownCharset,
    /// Control characters in a text; they became spaces.
    #[error("control characters in a text became spaces")]
    ControlCharacters,
    /// The file ends within the game.
    #[error("the file is cut off")]
    CutOff,
    /// Text before or after the games was skipped.
    #[error("text around the game was skipped")]
    TextAround,
    /// Text between the properties of the game was skipped.
    #[error("stray text within the game was skipped")]
    StrayText,
    /// More games follow, which were not read.
    #[error("the file has {0} more games")]
    MoreGames(usize),
    /// Variations were left out.
    #[error("{0} variations were left out")]
    Variations(usize),
    /// Nodes that follow variations where none may were left out.
    #[error("nodes after a variation were left out")]
    NodesAfterVariation,
    /// The first node lacks its `;`.
    #[error("the first node has no semicolon")]
    MissingSemicolon,
    /// Property names with lower-case letters, as before `FF[4]`.
    #[error("a property name is written with lower-case letters")]
    OldPropertyName,
    /// A property with several values where one is allowed, or given twice; the first counts.
    #[error("{0} is given more than once; the first value counts")]
    SeveralValues(String),
    /// Spaces within the name of a point.
    #[error("there are spaces in the name of a point")]
    SpacesInPoint,
    /// A rectangle of points whose corners are not upper left and lower right.
    #[error("the corners of a rectangle of points are in the wrong order")]
    ReversedRectangle,
    /// A point is set up twice in one node, or emptied where no stone lies; what came last counts.
    #[error("a point is set up more than once, or emptied without need")]
    SetupConflict,
    /// Stones are set up in a node that also has a move; they were set up first.
    #[error("a node has both set-up stones and a move")]
    MoveWithSetup,
    /// Black and White both move in one node; they were taken in the file's order.
    #[error("a node has a move of both sides")]
    TwoMovesInNode,
    /// Stones are set up after moves. The record ends before that, as such a game is no game of moves.
    #[error("stones are set up after move {after}; the record was cut there")]
    SetupInMidGame {
        /// The number of moves that were kept.
        after: usize,
    },
    /// `HA` is from 2, but there are neither as many stones set up nor as many first moves of Black.
    #[error("the record speaks of {0} handicap stones and does not have them")]
    HandicapStones(u8),
    /// The stones set up before the first move cannot be a position, so nothing can be played on them.
    #[error("{0}")]
    NoPosition(#[from] SetupError),
    /// A value that is not in SGF's form but clear.
    #[error("the value of {0} is not in SGF's form")]
    Repaired(&'static str),
    /// A value of which nothing could be made; it is left out.
    #[error("the value of {0} cannot be read")]
    Unreadable(&'static str),
    /// The komi is out of range or no multiple of half a point; it is left out.
    #[error("the value of KM is no komi")]
    KomiRefused,
}

/// The warnings of one game, each kind once.
#[derive(Clone, Debug, Default)]
pub(super) struct Warnings(Vec<Warning>);

impl Warnings {
    pub(super) fn add(&mut self, offset: usize, kind: WarningKind) {
        let known = self.0.iter().any(|warning| warning.kind == kind);
        if !known && self.0.len() < limits::MAX_WARNINGS {
            self.0.push(Warning { offset, kind });
        }
    }

    /// Adds warnings that are not of one place.
    pub(super) fn extend(&mut self, kinds: impl IntoIterator<Item = WarningKind>) {
        for kind in kinds {
            self.add(0, kind);
        }
    }

    pub(super) fn into_vec(self) -> Vec<Warning> {
        self.0
    }
}

/// The start of a text from a file, short enough for a message.
pub(super) fn excerpt(text: &str) -> String {
    text.chars().take(40).collect()
}
