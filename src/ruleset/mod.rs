//! Rulesets: the options of a way to play, as data. The code asks for an option, never for a ruleset's name.
//!
//! The values themselves are [`RULESETS`], their clocks in [`clocks`]. `GET /api/v1/rulesets` prints them with
//! [`Ruleset::describe`], so a client can build its form for a new table from that alone.

pub mod clocks;
mod describe;
mod handicap;
mod komi;
mod values;

pub use describe::Description;
pub use handicap::{HandicapFor, HandicapRule};
pub use komi::{HandicapKomi, KomiChoice, KomiRule};
pub use values::RULESETS;

use crate::clock::{ClockRule, Millis};
use crate::rules::{Board, Color};
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
    /// Who that is.
    pub handicap_for: HandicapFor,
    /// What ends the play.
    pub ending: Ending,
    /// The move, stones and passes counted, at which play ends as if both had passed.
    pub move_limit: u32,
    /// Who says which chains are dead.
    pub dead_chains: DeadChains,
    /// Whether the players may see what the score would be if the game ended now.
    pub preview: Preview,
    /// What a player may ask of his opponent during the game.
    pub requests: &'static [RequestKind],
    /// Which clocks may be chosen.
    pub clocks: ClockRule,
    /// Which colors the creator of a table may ask for; the first is the default.
    pub colors: &'static [ColorChoice],
    /// What a rated game keeps to besides; `None` where none is rated. It is always even (H6) and between accounts.
    pub ranked: Option<RankedRule>,
}

/// What a rated game keeps to, besides the rest of its ruleset.
#[derive(Clone, Copy, Debug)]
pub struct RankedRule {
    /// The names of its boards; `None` for every board of the ruleset.
    pub boards: Option<&'static [&'static str]>,
    /// Its komi.
    pub komi: KomiChoice,
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
    /// Territory and prisoners, where a pass costs a prisoner (G2; AGA rules). If White passes last this comes to the
    /// same as area, but for the handicap stones.
    TerritoryWithPassStones,
}

/// What ends the play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// Two passes in a row.
    TwoPasses,
    /// Two passes in a row, of which White's is the last (G2).
    TwoPassesWhiteLast,
}

/// Who says which chains are dead when the play has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum DeadChains {
    /// An assessor, at once and without the players (G3).
    Assessor {
        /// Which one.
        assessor: Assessor,
        /// How dead a chain must be.
        removes: Removes,
    },
    /// The players, by agreement (G8).
    Players {
        /// How often play may be resumed. At the next ending every stone is alive.
        resumptions: u32,
        /// How long after the ending pass play resumes by itself if they have not agreed.
        #[serde(rename = "resumes_after_ms")]
        resumes_after: Millis,
    },
}

/// Who assesses the chains of a final position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Assessor {
    /// The strongest that is configured (A3); the embedded one where there is no other.
    Strongest,
    /// The one that is part of the server.
    Embedded,
}

/// Which chains an assessor takes off the board. What is doubtful stays in any case (G3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Removes {
    /// Those that most probably die.
    Dead,
    /// Those that hardly anything could save.
    ClearlyDead,
}

/// Whether the players of a running game are told the score as it stands (G7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Preview {
    /// No: it would be advice (T13).
    No,
    /// When they ask, and after the opponent's pass.
    ForPlayers,
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

    /// Whether a rated game may be played on a board.
    pub fn ranks_board(&self, board: Board) -> bool {
        let Some(rule) = self.ranked else { return false };
        let listed = |names: &[&str]| names.iter().any(|name| name.parse() == Ok(board));
        self.allows_board(board) && rule.boards.is_none_or(listed)
    }

    /// Which chains an assessor takes off; where the players say what is dead, those that he would propose.
    pub fn removes(&self) -> Removes {
        match self.dead_chains {
            DeadChains::Assessor { removes, .. } => removes,
            DeadChains::Players { .. } => Removes::Dead,
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
