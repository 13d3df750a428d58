//! The computer's seat (A1, A2): a player like any other, whose commands come from a search outside of the table.
//!
//! A table only says what it waits for ([`Table::computer_task`]); the answer is a command that names the newest event it
//! was meant for, so one that has been overtaken is refused as stale, like anybody's.

use super::command::Command;
use super::event::{EventKind, Seq};
use super::ids::PlayerId;
use super::opponent::Opponent;
use super::player::{Player, PlayerKind};
use super::result::{GameResult, Verdict};
use super::table::{Phase, Table};
use crate::clock::{Millis, Timestamp};
use crate::rules::{Color, Point};
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

/// How long the computer may take to answer, before it is asked again. Its searches are measured in work and take a few
/// seconds; this is for a search that has died without a word.
const ANSWER_LIMIT: Millis = Millis::from_secs(30);

/// How long the table waits before it asks again, after the first failure and after the second. After a third the computer
/// gives the game up: its opponent shall not wait for ever.
const BACK_OFF: [Millis; 2] = [Millis::from_secs(1), Millis::from_secs(4)];

/// After how many failures the computer gives up.
const GIVES_UP_AFTER: u32 = BACK_OFF.len() as u32 + 1;

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
    /// How often it has failed to answer.
    pub failed: u32,
    /// From when on it is asked.
    pub since: Timestamp,
}

/// Since when the table waits for its computer, and how often it has waited in vain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Asking {
    pub(super) failed: u32,
    pub(super) since: Timestamp,
}

impl Asking {
    /// For the first time.
    pub(super) fn from(since: Timestamp) -> Asking {
        Asking { failed: 0, since }
    }
}

/// Why the computer has not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ComputerFailure {
    /// It was silent for too long.
    TimedOut,
    /// Its search broke off.
    BrokeOff,
}

/// A kind of answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskKind {
    /// A move: a stone, a pass, or that it resigns.
    Move,
    /// Whether it agrees to count the board as it is: when it would pass (T8).
    AnswerScore,
    /// What it takes for dead, and whether it agrees to this version of the marking (G8).
    Mark {
        /// The version of the marking.
        version: u32,
    },
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
        let kind = match &self.phase {
            Phase::Playing if self.asks_to_score(color.opponent()) => TaskKind::AnswerScore,
            Phase::Playing if self.to_move == color => TaskKind::Move,
            Phase::Marking(marking)
                if !*marking.accepted.get(color) && self.asking.failed < GIVES_UP_AFTER =>
            {
                TaskKind::Mark {
                    version: marking.version,
                }
            }
            Phase::Waiting
            | Phase::Playing
            | Phase::Counting(_)
            | Phase::Marking(_)
            | Phase::Finished(_)
            | Phase::Closed => return None,
        };
        Some(ComputerTask {
            kind,
            color,
            level,
            seen: self.seq,
            turn: self.turn(),
            failed: self.asking.failed,
            since: self.asking.since,
        })
    }

    fn asks_to_score(&self, color: Color) -> bool {
        let open = self.requests.open.get(color);
        open.is_some_and(|request| request.kind == RequestKind::Score)
    }

    /// When the table stops waiting for its computer's answer.
    pub(super) fn computer_is_late_at(&self) -> Option<Timestamp> {
        match self.computer_task()? {
            // A marking comes to its end by itself.
            ComputerTask {
                kind: TaskKind::Mark { .. },
                ..
            } => None,
            task => Some(task.since + ANSWER_LIMIT),
        }
    }

    /// What the computer does about the marking, when it takes these stones for dead: it marks them, and then agrees. Once
    /// it has agreed it marks nothing any more, and agrees to nothing else (G8).
    pub fn computer_marks(&self, verdict: &Verdict) -> Option<Command> {
        let (Phase::Marking(marking), Some((color, _))) = (&self.phase, self.computer()) else {
            return None;
        };
        let geometry = self.position.geometry();
        let dead = |point: Point| {
            self.position
                .chain(point)
                .any(|stone| verdict.dead.contains(&stone))
        };
        let marked = |point: Point| {
            let vertex = geometry.vertex(point);
            Color::BOTH
                .into_iter()
                .any(|color| marking.dead.get(color).contains(&vertex))
        };
        let stones = self
            .position
            .points()
            .filter(|&point| self.position.stone(point).is_some());
        let differs = stones.into_iter().find(|&point| dead(point) != marked(point));
        match differs {
            Some(_) if self.computer_has_accepted || marking.is_final() => None,
            Some(point) => Some(Command::Mark {
                point: geometry.vertex(point),
                dead: dead(point),
            }),
            None if *marking.accepted.get(color) => None,
            None => Some(Command::AcceptScore {
                marking: marking.version,
            }),
        }
    }
}

/// What it brings that the computer has not answered: it is asked again, or gives the game up. Nothing for a failure that
/// is not about what the table waits for now.
pub(super) fn failed(
    table: &Table,
    of: &ComputerTask,
    why: ComputerFailure,
    now: Timestamp,
) -> Vec<EventKind> {
    let Some(task) = table.computer_task().filter(|task| task.is_same_try(of)) else {
        return Vec::new();
    };
    let retry_at = BACK_OFF.get(task.failed as usize).map(|&wait| now + wait);
    let failed = EventKind::ComputerFailed {
        attempt: task.failed + 1,
        why,
        retry_at,
    };
    // A marking that it takes no part in comes to its end by itself.
    let marks = matches!(task.kind, TaskKind::Mark { .. });
    let gives_up = (retry_at.is_none() && !marks).then(|| EventKind::Finished {
        result: GameResult::resignation(task.color),
        clock: table.clock.stop(now),
    });
    std::iter::once(failed).chain(gives_up).collect()
}

impl ComputerTask {
    /// Whether it is the same thing that is waited for, and the same try at it.
    pub fn is_same_try(&self, other: &ComputerTask) -> bool {
        (self.kind, self.turn, self.failed, self.since) == (other.kind, other.turn, other.failed, other.since)
    }
}
