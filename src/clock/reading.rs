//! Both clocks as clients and stored events have them.

use super::control::{System, TimeControl};
use super::left::TimeLeft;
use super::state::Clock;
use super::time::{Millis, Timestamp};
use crate::rules::{Color, PerColor};
use serde::{Deserialize, Serialize};

/// Both clocks in full, as they stood at one moment (C10), so that a client can count on from there without asking.
/// It is a [`Clock`]'s stored form as well, so it holds all that there is to know of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockReading {
    /// The settings that the clocks follow.
    pub settings: TimeControl,
    /// The settings' system once more, where clients look for it.
    pub system: System,
    /// Whose clock runs.
    pub running: Option<Color>,
    /// The server's time at which the rest was true.
    pub as_of: Timestamp,
    /// Black's time.
    pub black: SideReading,
    /// White's time.
    pub white: SideReading,
}

/// What one player has left, by system: `per_move` `period_ms`; `byoyomi` and `per_move_periods` `main_ms`, `period_ms`,
/// `periods_left`; `fischer` `main_ms`; `canadian` `main_ms`, `period_ms`, `stones_left`; `none` nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideReading {
    /// Main time left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub main_ms: Option<Millis>,
    /// What is left of the present period; the whole of it while main time runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub period_ms: Option<Millis>,
    /// Periods left, the present one included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub periods_left: Option<u32>,
    /// Moves to be made within the present period.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stones_left: Option<u32>,
}

/// A stored reading that is no clock's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadingError {
    /// A player lacks a number that the system has.
    #[error("missing field `{0}`")]
    Missing(&'static str),
    /// A player has less than nothing.
    #[error("{0} is below zero")]
    Negative(&'static str),
}

impl From<Clock> for ClockReading {
    fn from(clock: Clock) -> ClockReading {
        let system = clock.settings.system();
        ClockReading {
            settings: clock.settings,
            system,
            running: clock.running,
            as_of: clock.as_of,
            black: SideReading::new(system, clock.left.black),
            white: SideReading::new(system, clock.left.white),
        }
    }
}

impl TryFrom<ClockReading> for Clock {
    type Error = ReadingError;

    fn try_from(reading: ClockReading) -> Result<Clock, ReadingError> {
        let system = reading.settings.system();
        Ok(Clock {
            settings: reading.settings,
            running: reading.running,
            as_of: reading.as_of,
            left: PerColor {
                black: reading.black.time_left(system)?,
                white: reading.white.time_left(system)?,
            },
        })
    }
}

impl SideReading {
    fn new(system: System, left: TimeLeft) -> SideReading {
        let (main_ms, period_ms) = (Some(left.main), Some(left.period));
        let nothing = SideReading::default();
        match system {
            System::None => nothing,
            System::PerMove => SideReading { period_ms, ..nothing },
            System::PerMovePeriods | System::ByoYomi => SideReading {
                main_ms,
                period_ms,
                periods_left: Some(left.periods),
                ..nothing
            },
            System::Fischer => SideReading { main_ms, ..nothing },
            System::Canadian => SideReading {
                main_ms,
                period_ms,
                stones_left: Some(left.stones),
                ..nothing
            },
        }
    }

    fn time_left(self, system: System) -> Result<TimeLeft, ReadingError> {
        let main = || not_negative("main_ms", self.main_ms);
        let period = || not_negative("period_ms", self.period_ms);
        let nothing = TimeLeft::default();
        Ok(match system {
            System::None => nothing,
            System::PerMove => {
                let period = period()?;
                TimeLeft {
                    period,
                    periods: u32::from(period > Millis::ZERO),
                    ..nothing
                }
            }
            System::PerMovePeriods | System::ByoYomi => TimeLeft {
                main: main()?,
                period: period()?,
                periods: self.periods_left.ok_or(ReadingError::Missing("periods_left"))?,
                ..nothing
            },
            System::Fischer => TimeLeft {
                main: main()?,
                ..nothing
            },
            System::Canadian => TimeLeft {
                main: main()?,
                period: period()?,
                stones: self.stones_left.ok_or(ReadingError::Missing("stones_left"))?,
                ..nothing
            },
        })
    }
}

fn not_negative(field: &'static str, value: Option<Millis>) -> Result<Millis, ReadingError> {
    let value = value.ok_or(ReadingError::Missing(field))?;
    match value < Millis::ZERO {
        true => Err(ReadingError::Negative(field)),
        false => Ok(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// A clock with these settings, of which Black's has run for `elapsed` seconds.
    fn reading(settings: Value, elapsed: i64) -> Value {
        let settings = serde_json::from_value(settings).expect("settings");
        let start = Timestamp::from_millis(5000);
        let clock = Clock::new(settings, start).start(Color::Black, start);
        let clock = clock.at(start + Millis::from_secs(elapsed));
        serde_json::to_value(clock).expect("serialises")
    }

    #[track_caller]
    fn check(settings: Value, black: Value, white: Value) {
        let told = reading(settings.clone(), 12);
        let system = &settings["system"];
        let expected = json!({"settings": settings, "system": system, "running": "black", "as_of": 17000,
            "black": black, "white": white});
        assert_eq!(told, expected);
        let clock: Clock = serde_json::from_value(told.clone()).expect("reads back");
        assert_eq!(serde_json::to_value(clock).expect("serialises"), told);
    }

    #[test]
    fn c10_both_clocks_are_told_in_full_for_every_system() {
        check(json!({"system": "none"}), json!({}), json!({}));
        check(
            json!({"system": "per_move", "period_ms": 30000}),
            json!({"period_ms": 18000}),
            json!({"period_ms": 30000}),
        );
        check(
            json!({"system": "per_move_periods", "period_ms": 5000, "periods": 3}),
            json!({"main_ms": 0, "period_ms": 3000, "periods_left": 1}),
            json!({"main_ms": 0, "period_ms": 5000, "periods_left": 3}),
        );
        check(
            json!({"system": "byoyomi", "main_ms": 10000, "period_ms": 5000, "periods": 3}),
            json!({"main_ms": 0, "period_ms": 3000, "periods_left": 3}),
            json!({"main_ms": 10000, "period_ms": 5000, "periods_left": 3}),
        );
        check(
            json!({"system": "fischer", "initial_ms": 60000, "increment_ms": 10000, "max_ms": 60000}),
            json!({"main_ms": 48000}),
            json!({"main_ms": 60000}),
        );
        check(
            json!({"system": "canadian", "main_ms": 10000, "period_ms": 60000, "stones": 25}),
            json!({"main_ms": 0, "period_ms": 58000, "stones_left": 25}),
            json!({"main_ms": 10000, "period_ms": 60000, "stones_left": 25}),
        );
    }

    #[test]
    fn a_stored_reading_that_lacks_a_number_is_refused() {
        let mut told = reading(json!({"system": "per_move", "period_ms": 30000}), 1);
        told["white"] = json!({});
        assert!(serde_json::from_value::<Clock>(told.clone()).is_err());
        told["white"] = json!({"period_ms": -1});
        assert!(serde_json::from_value::<Clock>(told).is_err());
    }
}
