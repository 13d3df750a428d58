//! The settings of a clock.

use super::time::Millis;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A clock's settings, as agreed when the table was made (C1). On the wire
/// `{"system": "byoyomi", "main_ms": 600000, "period_ms": 30000, "periods": 5}`.
///
/// The type promises nothing about the numbers, so that old rows can always be read;
/// [`ClockRule::check`](super::ClockRule::check) does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "system", rename_all = "snake_case", try_from = "Written")]
pub enum TimeControl {
    /// No clock: a player may think for as long as he likes.
    None,
    /// Every move has the same time, and what is not used is gone (C2).
    PerMove {
        /// The time of a move.
        #[serde(rename = "period_ms")]
        period: Millis,
    },
    /// Byo-yomi from the first move on, without main time.
    PerMovePeriods {
        /// The time of a period.
        #[serde(rename = "period_ms")]
        period: Millis,
        /// The number of periods.
        periods: u32,
    },
    /// Main time, then periods (C3).
    #[serde(rename = "byoyomi")]
    ByoYomi {
        /// The main time.
        #[serde(rename = "main_ms")]
        main: Millis,
        /// The time of a period.
        #[serde(rename = "period_ms")]
        period: Millis,
        /// The number of periods.
        periods: u32,
    },
    /// Time that grows with each move (C4).
    Fischer {
        /// What a player has at the start.
        #[serde(rename = "initial_ms")]
        initial: Millis,
        /// What he gets for each move that he completes.
        #[serde(rename = "increment_ms")]
        increment: Millis,
        /// What he can have at most after a move, if there is such a limit.
        #[serde(rename = "max_ms", skip_serializing_if = "Option::is_none")]
        max: Option<Millis>,
    },
    /// Main time, then so many moves within each period (C5).
    Canadian {
        /// The main time.
        #[serde(rename = "main_ms")]
        main: Millis,
        /// The time of a period.
        #[serde(rename = "period_ms")]
        period: Millis,
        /// The number of moves to be made within each period.
        stones: u32,
    },
}

/// The name of a system (C1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum System {
    /// No clock.
    None,
    /// The same time for every move.
    PerMove,
    /// Byo-yomi from the first move on.
    PerMovePeriods,
    /// Main time, then periods.
    #[serde(rename = "byoyomi")]
    ByoYomi,
    /// Time that grows with each move.
    Fischer,
    /// Main time, then so many moves within each period.
    Canadian,
}

impl TimeControl {
    /// Which system it is.
    pub fn system(&self) -> System {
        match self {
            TimeControl::None => System::None,
            TimeControl::PerMove { .. } => System::PerMove,
            TimeControl::PerMovePeriods { .. } => System::PerMovePeriods,
            TimeControl::ByoYomi { .. } => System::ByoYomi,
            TimeControl::Fischer { .. } => System::Fischer,
            TimeControl::Canadian { .. } => System::Canadian,
        }
    }
}

/// The name on the wire.
impl fmt::Display for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            System::None => "none",
            System::PerMove => "per_move",
            System::PerMovePeriods => "per_move_periods",
            System::ByoYomi => "byoyomi",
            System::Fischer => "fischer",
            System::Canadian => "canadian",
        })
    }
}

/// Settings as somebody wrote them. Read without regard to the system first, so that [`wire`](crate::wire) can name
/// the field at fault: serde loses track of the fields of a tagged enum.
#[derive(Clone, Copy, Deserialize)]
struct Written {
    system: System,
    main_ms: Option<Millis>,
    initial_ms: Option<Millis>,
    increment_ms: Option<Millis>,
    max_ms: Option<Millis>,
    period_ms: Option<Millis>,
    periods: Option<u32>,
    stones: Option<u32>,
}

/// Why settings are none of their system. In serde's own words, as [`wire`](crate::wire) expects them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum WrittenError {
    #[error("missing field `{0}`")]
    Missing(&'static str),
    #[error("unknown field `{field}` in a clock of the system {system}")]
    Unknown { field: &'static str, system: System },
}

impl TryFrom<Written> for TimeControl {
    type Error = WrittenError;

    fn try_from(mut written: Written) -> Result<TimeControl, WrittenError> {
        // Each field is taken out; what is left afterwards is none of this system's.
        let rest = &mut written;
        let control = match rest.system {
            System::None => TimeControl::None,
            System::PerMove => TimeControl::PerMove {
                period: take("period_ms", &mut rest.period_ms)?,
            },
            System::PerMovePeriods => TimeControl::PerMovePeriods {
                period: take("period_ms", &mut rest.period_ms)?,
                periods: take("periods", &mut rest.periods)?,
            },
            System::ByoYomi => TimeControl::ByoYomi {
                main: take("main_ms", &mut rest.main_ms)?,
                period: take("period_ms", &mut rest.period_ms)?,
                periods: take("periods", &mut rest.periods)?,
            },
            System::Fischer => TimeControl::Fischer {
                initial: take("initial_ms", &mut rest.initial_ms)?,
                increment: take("increment_ms", &mut rest.increment_ms)?,
                max: rest.max_ms.take(),
            },
            System::Canadian => TimeControl::Canadian {
                main: take("main_ms", &mut rest.main_ms)?,
                period: take("period_ms", &mut rest.period_ms)?,
                stones: take("stones", &mut rest.stones)?,
            },
        };
        match written.first_left() {
            None => Ok(control),
            Some(field) => Err(WrittenError::Unknown {
                field,
                system: control.system(),
            }),
        }
    }
}

fn take<T>(field: &'static str, value: &mut Option<T>) -> Result<T, WrittenError> {
    value.take().ok_or(WrittenError::Missing(field))
}

impl Written {
    /// The first field that still holds something.
    fn first_left(&self) -> Option<&'static str> {
        let fields = [
            ("main_ms", self.main_ms.is_some()),
            ("initial_ms", self.initial_ms.is_some()),
            ("increment_ms", self.increment_ms.is_some()),
            ("max_ms", self.max_ms.is_some()),
            ("period_ms", self.period_ms.is_some()),
            ("periods", self.periods.is_some()),
            ("stones", self.stones.is_some()),
        ];
        let left = fields.into_iter().find(|&(_, is_left)| is_left);
        left.map(|(name, _)| name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire;
    use serde_json::{Value, json};

    const SECOND: Millis = Millis::from_secs(1);

    #[test]
    fn c1_every_system_is_read_and_written_as_the_api_has_it() {
        let written = [
            (json!({"system": "none"}), TimeControl::None),
            (
                json!({"system": "per_move", "period_ms": 1000}),
                TimeControl::PerMove { period: SECOND },
            ),
            (
                json!({"system": "per_move_periods", "period_ms": 1000, "periods": 3}),
                TimeControl::PerMovePeriods {
                    period: SECOND,
                    periods: 3,
                },
            ),
            (
                json!({"system": "byoyomi", "main_ms": 2000, "period_ms": 1000, "periods": 3}),
                TimeControl::ByoYomi {
                    main: SECOND * 2,
                    period: SECOND,
                    periods: 3,
                },
            ),
            (
                json!({"system": "fischer", "initial_ms": 2000, "increment_ms": 1000}),
                TimeControl::Fischer {
                    initial: SECOND * 2,
                    increment: SECOND,
                    max: None,
                },
            ),
            (
                json!({"system": "fischer", "initial_ms": 2000, "increment_ms": 1000, "max_ms": 3000}),
                TimeControl::Fischer {
                    initial: SECOND * 2,
                    increment: SECOND,
                    max: Some(SECOND * 3),
                },
            ),
            (
                json!({"system": "canadian", "main_ms": 2000, "period_ms": 1000, "stones": 25}),
                TimeControl::Canadian {
                    main: SECOND * 2,
                    period: SECOND,
                    stones: 25,
                },
            ),
        ];
        for (json, control) in written {
            assert_eq!(wire::decode::<TimeControl>(json.clone()), Ok(control));
            assert_eq!(serde_json::to_value(control).expect("serialises"), json);
            assert_eq!(json["system"], control.system().to_string());
        }
    }

    #[derive(Debug, Deserialize)]
    struct Request {
        #[expect(dead_code, reason = "only its errors matter")]
        clock: Option<TimeControl>,
    }

    #[track_caller]
    fn check_field_at_fault(clock: Value, field: &str) {
        let error = wire::decode::<Request>(json!({ "clock": clock })).expect_err("refused");
        assert_eq!(error.field, field, "{error:?}");
    }

    #[test]
    fn x5_a_wrong_setting_is_named() {
        check_field_at_fault(json!({"system": "hourglass"}), "clock.system");
        check_field_at_fault(json!({"period_ms": 30000}), "clock.system");
        check_field_at_fault(json!({"system": "per_move"}), "clock.period_ms");
        check_field_at_fault(
            json!({"system": "per_move", "period_ms": "30"}),
            "clock.period_ms",
        );
        check_field_at_fault(
            json!({"system": "per_move", "period_ms": 30.5}),
            "clock.period_ms",
        );
        check_field_at_fault(
            json!({"system": "per_move", "period_ms": 30000, "periods": 3}),
            "clock.periods",
        );
        check_field_at_fault(
            json!({"system": "per_move", "period_ms": 30000, "perods": 3}),
            "clock.perods",
        );
        check_field_at_fault(json!({"system": "none", "main_ms": 0}), "clock.main_ms");
        check_field_at_fault(
            json!({"system": "byoyomi", "main_ms": 0, "period_ms": 1000, "periods": -1}),
            "clock.periods",
        );
        check_field_at_fault(
            json!({"system": "fischer", "initial_ms": 1e300, "increment_ms": 0}),
            "clock.initial_ms",
        );
        check_field_at_fault(json!("none"), "clock");
    }
}
