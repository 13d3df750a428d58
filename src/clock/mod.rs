//! Time and clocks. It knows colors and nothing else of the game; time is always an argument.
//!
//! So far one system exists, [`TimeControl::None`]: no clock at all.

mod time;

pub use time::{Millis, Timestamp};

use crate::rules::{Color, PerColor};
use serde::{Deserialize, Serialize};

/// A clock's settings, as agreed when the table was made (C1). On the wire `{"system": "none"}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "system", rename_all = "snake_case")]
pub enum TimeControl {
    /// No clock: a player may think for as long as he likes.
    None,
}

impl TimeControl {
    /// The system's name on the wire.
    pub fn system(&self) -> &'static str {
        match self {
            TimeControl::None => "none",
        }
    }
}

/// Both clocks in full, as they stood at one moment (C10), so that a client can count on from there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockReading {
    /// The settings that the clocks follow.
    pub settings: TimeControl,
    /// The settings' system once more, where clients look for it.
    pub system: String,
    /// Whose clock runs.
    pub running: Option<Color>,
    /// The server's time at which the rest was true.
    pub as_of: Timestamp,
    /// Black's and White's time.
    #[serde(flatten)]
    pub sides: PerColor<SideClock>,
}

/// What one player has left. With no clock that is nothing to tell: `{}`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideClock {}

impl ClockReading {
    /// The clocks of a game under `settings`, with `running` to move.
    pub fn new(settings: TimeControl, running: Option<Color>, as_of: Timestamp) -> ClockReading {
        let system = settings.system().to_owned();
        ClockReading {
            settings,
            system,
            running,
            as_of,
            sides: PerColor::default(),
        }
    }
}
