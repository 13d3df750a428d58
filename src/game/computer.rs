//! The computer's seat (A1, A2): a player like any other, whose commands come from a search outside of the table.
//!
//! A table only says what it waits for ([`Table::computer_task`]); the answer is a command that names the newest event it
//! was meant for, so one that has been overtaken is refused as stale, like anybody's.

use super::event::Seq;
use super::ids::PlayerId;
use super::opponent::Opponent;
use super::player::{Player, PlayerKind};
use super::table::{Phase, Table};
use crate::rules::Color;
use crate::ruleset::RequestKind;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How strong the computer plays (A1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// For beginners.
    Easy,
    /// For those who know the game.
    Normal,
    /// As strong as it gets here.
    Hard,
}

/// What a table waits for from its computer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComputerTask {
    /// What.
    pub kind: TaskKind,
    /// Which color the computer plays.
    pub color: Color,
    /// How strong.
    pub level: Level,
    /// The newest event. An answer after a newer one may be stale.
    pub seen: Seq,
    /// The number of moves made.
    pub turn: u32,
}

/// A kind of answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskKind {
    /// A move: a stone, a pass, or that it resigns.
    Move,
    /// Whether it agrees to count the board as it is: when it would pass (T8).
    AnswerScore,
}

impl Level {
    /// Every level, weakest first.
    pub const EVERY: [Level; 3] = [Level::Easy, Level::Normal, Level::Hard];

    /// The level's name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Level::Easy => "easy",
            Level::Normal => "normal",
            Level::Hard => "hard",
        }
    }
}

impl Player {
    /// The computer at a level: the same player at every table, and nobody can sign in as it.
    pub fn computer(level: Level) -> Player {
        let seed = match level {
            Level::Easy => 1,
            Level::Normal => 2,
            Level::Hard => 3,
        };
        Player {
            // An id that no random seed makes but by a chance of one in 2^80.
            id: PlayerId::from_seed([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, seed]),
            name: format!("Hoshi ({})", level.name()),
            kind: PlayerKind::Computer,
            ratings: BTreeMap::new(),
        }
    }
}

impl Table {
    /// The color that the computer plays and how strong, in a game against it.
    pub fn computer(&self) -> Option<(Color, Level)> {
        let Opponent::Computer { level } = self.terms.opponent else {
            return None;
        };
        Some((self.seat_of(&Player::computer(level).id)?, level))
    }

    /// What the table waits for from its computer, if anything.
    pub fn computer_task(&self) -> Option<ComputerTask> {
        let (color, level) = self.computer()?;
        if self.phase != Phase::Playing {
            return None;
        }
        let asked = self
            .requests
            .open
            .get(color.opponent())
            .is_some_and(|request| request.kind == RequestKind::Score);
        let kind = match asked {
            true => TaskKind::AnswerScore,
            false if self.to_move == color => TaskKind::Move,
            false => return None,
        };
        Some(ComputerTask {
            kind,
            color,
            level,
            seen: self.seq,
            turn: self.turn(),
        })
    }
}
