//! A game as a record keeps it.

use super::date::CivilDate;
use super::result::RecordResult;
use crate::rules::{Board, Color, HalfPoints, PerColor, Point};
use std::time::Duration;

/// One game, written down: what [`write_sgf`](super::write_sgf) prints and [`read_sgf`](super::read_sgf) reads. It
/// promises nothing about the moves; [`replay`](super::replay) says whether they can be played.
///
/// All points must be points of `board`, as they are in whatever was read. One of a larger board is a mistake of the
/// caller, and printing or replaying it panics like any index out of range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The board.
    pub board: Board,
    /// The name of the rules (`RU`), in the record's own words.
    pub rules: Option<String>,
    /// The komi (`KM`); `None` where the record has none.
    pub komi: Option<HalfPoints>,
    /// The number of handicap stones (`HA`), whether set up or played as moves; 0 and 1 mean an even game and are not
    /// printed.
    pub handicap: u8,
    /// Who played.
    pub players: PerColor<RecordPlayer>,
    /// The day on which the game was played or began (`DT`), in UTC when this server wrote it.
    pub date: Option<CivilDate>,
    /// Where it was played (`PC`).
    pub place: Option<String>,
    /// The main time of each side (`TM`), to the millisecond.
    pub main_time: Option<Duration>,
    /// The overtime in words (`OT`), like `3x30 byo-yomi`.
    pub overtime: Option<String>,
    /// How it ended (`RE`); `None` where the record does not speak of it, as of a game that still runs.
    pub result: Option<RecordResult>,
    /// The stones on the board before the first move (`AB`, `AW`), by rising index.
    pub setup: PerColor<Vec<Point>>,
    /// Who is to play first: what `PL` says, or else what follows from the first move, the handicap and the stones set up.
    /// A record whose first move is the other's is kept as it is.
    pub first: Color,
    /// The moves, in order.
    pub moves: Vec<RecordMove>,
    /// What is said before the first move (`C`), lines parted by `\n`.
    pub comment: Option<String>,
    /// The points that are each side's at the end (`TB`, `TW`), by rising index: its territory, with the dead stones
    /// of the other side that lie in it.
    pub territory: PerColor<Vec<Point>>,
}

/// A player as a record names one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordPlayer {
    /// The name (`PB`, `PW`), on one line.
    pub name: Option<String>,
    /// The rank or rating (`BR`, `WR`), on one line.
    pub rank: Option<String>,
}

/// One move of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordMove {
    /// Who moved.
    pub color: Color,
    /// Where; `None` for a pass.
    pub point: Option<Point>,
    /// The time that the mover had left after the move (`BL`, `WL`), to the millisecond.
    pub time_left: Option<Duration>,
    /// The moves or periods that the mover had left in overtime after the move (`OB`, `OW`).
    pub moves_left: Option<u16>,
    /// What is said of the move (`C`), lines parted by `\n`.
    pub comment: Option<String>,
}

impl Record {
    /// The record of a game on this board of which nothing is known yet; Black plays first.
    pub fn new(board: Board) -> Record {
        Record {
            board,
            rules: None,
            komi: None,
            handicap: 0,
            players: PerColor::default(),
            date: None,
            place: None,
            main_time: None,
            overtime: None,
            result: None,
            setup: PerColor::default(),
            first: Color::Black,
            moves: Vec::new(),
            comment: None,
            territory: PerColor::default(),
        }
    }

    /// Who plays first if nothing is said about it: who makes the first move; else White if handicap stones are set
    /// up, else Black.
    pub(super) fn implied_first(&self) -> Color {
        match self.moves.first() {
            Some(first) => first.color,
            None if self.handicap > 1 && !self.setup.black.is_empty() => Color::White,
            None => Color::Black,
        }
    }
}

impl RecordMove {
    /// A move of which only the place is known.
    pub fn new(color: Color, point: Option<Point>) -> RecordMove {
        RecordMove {
            color,
            point,
            time_left: None,
            moves_left: None,
            comment: None,
        }
    }
}
