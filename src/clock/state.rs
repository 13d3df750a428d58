//! Both clocks of a game.

use super::control::TimeControl;
use super::left::{Arithmetic, TimeLeft};
use super::reading::ClockReading;
use super::time::{Millis, Timestamp};
use crate::rules::{Color, PerColor};
use serde::{Deserialize, Serialize};

/// Both clocks, as they stood at one moment, and which of them has run since. On the wire a [`ClockReading`].
///
/// Equal clocks say the same of every later moment. No time is lost but what passes: a moment before that of the
/// clock counts as that of the clock, so a server's time that steps back costs and gives nobody anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "ClockReading", try_from = "ClockReading")]
pub struct Clock {
    pub(super) settings: TimeControl,
    pub(super) running: Option<Color>,
    pub(super) as_of: Timestamp,
    pub(super) left: PerColor<TimeLeft>,
}

/// A player's time is up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{color}'s time was up at {}", at.as_millis())]
pub struct FlagFall {
    /// Who loses.
    pub color: Color,
    /// When: the deadline, not when it was noticed (C6).
    pub at: Timestamp,
}

impl Clock {
    /// The clocks of a game that has not begun: full, and stopped.
    pub fn new(settings: TimeControl, now: Timestamp) -> Clock {
        let full = Arithmetic::of(&settings).full();
        Clock {
            settings,
            running: None,
            as_of: now,
            left: PerColor {
                black: full,
                white: full,
            },
        }
    }

    /// What was agreed.
    pub fn settings(&self) -> TimeControl {
        self.settings
    }

    /// Whose clock runs.
    pub fn running(&self) -> Option<Color> {
        self.running
    }

    /// The moment at which the rest was true.
    pub fn as_of(&self) -> Timestamp {
        self.as_of
    }

    /// What a player had left at that moment.
    pub fn left(&self, color: Color) -> TimeLeft {
        *self.left.get(color)
    }

    /// The moment at which the running side loses, if nothing happens before; `None` if nothing runs or can run out.
    pub fn deadline(&self) -> Option<Timestamp> {
        let color = self.running?;
        let total = Arithmetic::of(&self.settings).total(self.left(color))?;
        Some(self.as_of + total)
    }

    /// Who has lost on time by `now`. Time left of exactly zero is lost (C6).
    pub fn flag(&self, now: Timestamp) -> Option<FlagFall> {
        let color = self.running?;
        let at = self.deadline().filter(|&deadline| deadline <= now)?;
        Some(FlagFall { color, at })
    }

    /// The clocks as they stand at `now`, still running. For the moment when a move arrives this is also what a
    /// takeback of that move returns to: its time is spent, but it has brought no increment, no new period and no
    /// quota (C8).
    pub fn at(&self, now: Timestamp) -> Clock {
        let mut clock = Clock {
            as_of: self.as_of.max(now),
            ..*self
        };
        if let Some(color) = self.running {
            let elapsed = clock.as_of - self.as_of;
            let left = Arithmetic::of(&self.settings).spend(self.left(color), elapsed);
            *clock.left.get_mut(color) = left;
        }
        clock
    }

    /// Starts the clock of whoever is to move, with the times as they stand: at the start of the game, and when play
    /// resumes after a marking (G8).
    pub fn start(&self, to_move: Color, now: Timestamp) -> Clock {
        Clock {
            running: Some(to_move),
            ..self.at(now)
        }
    }

    /// Stops both clocks.
    pub fn stop(&self, now: Timestamp) -> Clock {
        Clock {
            running: None,
            ..self.at(now)
        }
    }

    /// Completes the running side's move, received at `now`, and starts the clock of whoever moves next: the opponent,
    /// except that the stones of a handicap may be one player's moves in a row (H4).
    ///
    /// # Errors
    /// When the move comes too late, at or after the deadline.
    pub fn moved(&self, next: Color, now: Timestamp) -> Result<Clock, FlagFall> {
        if let Some(fall) = self.flag(now) {
            return Err(fall);
        }
        let mut clock = self.start(next, now);
        if let Some(mover) = self.running {
            let left = Arithmetic::of(&self.settings).complete(clock.left(mover));
            *clock.left.get_mut(mover) = left;
        }
        Ok(clock)
    }

    /// The same times and the same side running, but from `now`: what has passed since costs nobody anything. So the
    /// clocks go on after a takeback from how they stood when the move arrived (C8), and after an outage from how they
    /// were stored last (C9).
    pub fn rebased(&self, now: Timestamp) -> Clock {
        Clock {
            as_of: self.as_of.max(now),
            ..*self
        }
    }
}

/// An input that comes later than this after a deadline shows that the server was away (C9).
const MOST_LATE: Millis = Millis::from_secs(10);

/// Whether the first input after a deadline comes so late that the server itself must have been away, so that the
/// deadline is nobody's loss (C9). Up to ten seconds late, it holds.
pub fn shows_outage(deadline: Timestamp, now: Timestamp) -> bool {
    now - deadline > MOST_LATE
}
