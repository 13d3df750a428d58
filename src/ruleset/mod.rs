//! Rulesets: the options of a way to play, as data. The code asks for an option, never for a ruleset's name.
//!
//! The values themselves are [`RULESETS`], their clocks in [`clocks`]. `GET /api/v1/rulesets` prints them with
//! [`Ruleset::describe`], so a client can build its form for a new table from that alone.

pub mod clocks;
mod describe;
mod values;

pub use describe::{Description, KomiRange};
pub use values::RULESETS;

use crate::clock::ClockRule;
use crate::rules::{Board, Color, HalfPoints, Point, fixed_handicap};
use serde::{Deserialize, Serialize};

/// One way to play: independent options.
#[derive(Clone, Copy, Debug)]
pub struct Ruleset {
    /// The name on the wire.
    pub id: &'static str,
    /// The name for people.
    pub name: &'static str,
    /// The name in a record's `RU`.
    pub record_name: &'static str,
    /// Whether a board is played.
    pub boards: BoardRule,
    /// How the points are counted.
    pub counting: Counting,
    /// What White gets for moving second.
    pub komi: KomiRule,
    /// What a weaker player may get.
    pub handicap: HandicapRule,
    /// What ends the play.
    pub ending: Ending,
    /// The move, stones and passes counted, at which play ends as if both had passed.
    pub move_limit: u32,
    /// Who says which chains are dead.
    pub dead_chains: DeadChains,
    /// What a player may ask of his opponent during the game.
    pub requests: &'static [RequestKind],
    /// Which clocks may be chosen.
    pub clocks: ClockRule,
    /// Which colors the creator of a table may ask for; the first is the default.
    pub colors: &'static [ColorChoice],
    /// Whether games can be rated.
    pub ranked: bool,
}

/// The boards of a ruleset.
#[derive(Clone, Copy, Debug)]
pub struct BoardRule {
    /// Every board, smallest first.
    pub allowed: fn() -> Vec<Board>,
    /// The name of the board that is taken when none is asked for.
    pub default: &'static str,
}

/// How points are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Counting {
    /// Living stones and territory (G1).
    Area,
}

/// The komi that a table may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KomiRule {
    /// The smallest komi of an even game.
    pub least: HalfPoints,
    /// The largest komi of an even game.
    pub most: HalfPoints,
    /// What an even game has when nothing is asked for.
    pub default: HalfPoints,
    /// What a handicap game has when nothing is asked for.
    pub default_with_handicap: HalfPoints,
}

/// The handicap that a table may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HandicapRule {
    /// Even games only.
    None,
    /// Black stones set up on fixed points before White's first move (H1).
    SetUp,
}

/// What ends the play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// Two passes in a row.
    TwoPasses,
}

/// Who says which chains are dead when the play has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DeadChains {
    /// An assessor, at once and without the players (G3).
    Assessed,
}

/// What a player may ask of his opponent (T8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestKind {
    /// That the last move be undone (T9).
    Takeback,
    /// That the game be a draw (T10).
    Draw,
    /// That the board be counted as it is.
    Score,
}

/// The color that the creator of a table asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ColorChoice {
    /// Black for the creator.
    Black,
    /// White for the creator.
    White,
    /// Drawn when the game starts.
    Random,
}

impl ColorChoice {
    /// Every choice, the usual one first.
    pub const EVERY: [ColorChoice; 3] = [ColorChoice::Random, ColorChoice::Black, ColorChoice::White];

    /// The chosen color; `None` while it is for the draw.
    pub fn chosen(self) -> Option<Color> {
        match self {
            ColorChoice::Black => Some(Color::Black),
            ColorChoice::White => Some(Color::White),
            ColorChoice::Random => None,
        }
    }
}

impl Ruleset {
    /// The ruleset with this name on the wire.
    pub fn by_id(id: &str) -> Option<&'static Ruleset> {
        RULESETS.iter().find(|ruleset| ruleset.id == id)
    }

    /// Whether a board is played under this ruleset.
    pub fn allows_board(&self, board: Board) -> bool {
        (self.boards.allowed)().contains(&board)
    }

    /// The board that is taken when none is asked for.
    pub fn default_board(&self) -> Option<Board> {
        self.boards.default.parse().ok()
    }

    /// The handicaps that may be asked for on a board, 0 (even) first.
    pub fn handicaps(&self, board: Board) -> Vec<u8> {
        let offered = |&stones: &u8| match self.handicap {
            HandicapRule::None => false,
            HandicapRule::SetUp => fixed_handicap(board, stones).is_some(),
        };
        std::iter::once(0).chain((1..=9).filter(offered)).collect()
    }

    /// The black stones that lie on the board before the first move.
    pub fn setup(&self, board: Board, handicap: u8) -> Vec<Point> {
        match self.handicap {
            HandicapRule::None => Vec::new(),
            HandicapRule::SetUp => fixed_handicap(board, handicap).unwrap_or_default(),
        }
    }

    /// Who moves first.
    pub fn first_to_move(&self, handicap: u8) -> Color {
        match self.handicap {
            HandicapRule::SetUp if handicap > 0 => Color::White,
            HandicapRule::SetUp | HandicapRule::None => Color::Black,
        }
    }
}

impl PartialEq for Ruleset {
    fn eq(&self, other: &Ruleset) -> bool {
        self.id == other.id
    }
}

/// A ruleset is stored and sent as its name.
impl Serialize for Ruleset {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id)
    }
}

impl<'de> Deserialize<'de> for &'static Ruleset {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<&'static Ruleset, D::Error> {
        let id = String::deserialize(deserializer)?;
        Ruleset::by_id(&id).ok_or_else(|| {
            let known: Vec<&str> = RULESETS.iter().map(|ruleset| ruleset.id).collect();
            serde::de::Error::custom(format!(
                "there is no ruleset of that name; there are {}",
                known.join(", ")
            ))
        })
    }
}
