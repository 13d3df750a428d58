//! The bounds of every clock (C1), as the widest [`ClockRule`].

use super::control::TimeControl;
use super::rule::{ClockRule, Limits, OneOf, SystemRule};
use super::time::Millis;

impl ClockRule {
    /// Main time.
    pub const MAIN: Limits<Millis> = seconds(0, 6 * HOUR, 10 * MINUTE);

    /// A period of overtime.
    pub const PERIOD: Limits<Millis> = seconds(1, HOUR, 30);

    /// The number of periods.
    pub const PERIODS: Limits<u32> = count(1, 50, 5);

    /// The number of moves within a period of Canadian overtime.
    pub const STONES: Limits<u32> = count(1, 50, 25);

    /// The time of each move, where there is nothing else.
    pub const PER_MOVE: OneOf<Millis> = OneOf {
        one_of: &[
            Millis::from_secs(15),
            Millis::from_secs(30),
            Millis::from_secs(60),
        ],
        default: Millis::from_secs(30),
    };

    /// Fischer's limit. C1 sets no upper bound; a day is more than any game can use and still an exact number to
    /// every client.
    const MAX: Limits<Millis, Option<Millis>> = Limits {
        least: Millis::from_secs(10),
        most: Millis::from_secs(24 * HOUR),
        step: Millis::from_secs(1),
        default: None,
    };

    /// Every system within the widest bounds (C1).
    pub const EVERY: ClockRule = ClockRule {
        allowed: &[
            SystemRule::PerMove {
                period: ClockRule::PER_MOVE,
            },
            SystemRule::PerMovePeriods {
                period: ClockRule::PERIOD,
                periods: ClockRule::PERIODS,
            },
            SystemRule::ByoYomi {
                main: ClockRule::MAIN,
                period: ClockRule::PERIOD,
                periods: ClockRule::PERIODS,
            },
            SystemRule::Fischer {
                initial: seconds(10, 6 * HOUR, 5 * MINUTE),
                increment: seconds(0, 5 * MINUTE, 10),
                max: ClockRule::MAX,
            },
            SystemRule::Canadian {
                main: ClockRule::MAIN,
                period: Limits {
                    default: Millis::from_secs(5 * MINUTE),
                    ..ClockRule::PERIOD
                },
                stones: ClockRule::STONES,
            },
            SystemRule::None,
        ],
        default: TimeControl::PerMove {
            period: ClockRule::PER_MOVE.default,
        },
    };

    /// No clock.
    pub const UNTIMED: ClockRule = ClockRule {
        allowed: &[SystemRule::None],
        default: TimeControl::None,
    };
}

/// Seconds in a minute.
const MINUTE: i64 = 60;

/// Seconds in an hour.
const HOUR: i64 = 60 * MINUTE;

/// Whole seconds between two bounds.
const fn seconds(least: i64, most: i64, default: i64) -> Limits<Millis> {
    Limits {
        least: Millis::from_secs(least),
        most: Millis::from_secs(most),
        step: Millis::from_secs(1),
        default: Millis::from_secs(default),
    }
}

/// Whole numbers between two bounds.
const fn count(least: u32, most: u32, default: u32) -> Limits<u32> {
    Limits {
        least,
        most,
        step: 1,
        default,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn check(written: Value) -> Result<(), &'static str> {
        let control = serde_json::from_value(written).expect("settings");
        ClockRule::EVERY.check(&control).map_err(|error| error.field)
    }

    /// The same settings with another value of one.
    fn with(settings: &Value, field: &str, value: i64) -> Value {
        let mut settings = settings.clone();
        settings[field] = json!(value);
        settings
    }

    #[track_caller]
    fn check_bounds(settings: &Value, field: &'static str, least: i64, most: i64, step: i64) {
        for value in [least, least + step, most - step, most] {
            assert_eq!(check(with(settings, field, value)), Ok(()), "{field} {value}");
        }
        let mut refused = vec![least - step, most + step, 1_000_000_000 * step];
        if step > 1 {
            refused.extend([least + 1, most - 1]);
        }
        for value in refused
            .into_iter()
            .filter(|&value| field.ends_with("_ms") || value >= 0)
        {
            assert_eq!(check(with(settings, field, value)), Err(field), "{field} {value}");
        }
    }

    #[test]
    fn c1_the_bounds_of_every_setting() {
        let hour = 3_600_000;
        let byoyomi = json!({"system": "byoyomi", "main_ms": 600000, "period_ms": 30000, "periods": 5});
        check_bounds(&byoyomi, "main_ms", 0, 6 * hour, 1000);
        check_bounds(&byoyomi, "period_ms", 1000, hour, 1000);
        check_bounds(&byoyomi, "periods", 1, 50, 1);
        let periods = json!({"system": "per_move_periods", "period_ms": 30000, "periods": 5});
        check_bounds(&periods, "period_ms", 1000, hour, 1000);
        check_bounds(&periods, "periods", 1, 50, 1);
        let fischer = json!({"system": "fischer", "initial_ms": 60000, "increment_ms": 10000});
        check_bounds(&fischer, "initial_ms", 10_000, 6 * hour, 1000);
        check_bounds(&fischer, "increment_ms", 0, 300_000, 1000);
        check_bounds(&fischer, "max_ms", 60_000, 24 * hour, 1000);
        let canadian = json!({"system": "canadian", "main_ms": 600000, "period_ms": 300000, "stones": 25});
        check_bounds(&canadian, "main_ms", 0, 6 * hour, 1000);
        check_bounds(&canadian, "period_ms", 1000, hour, 1000);
        check_bounds(&canadian, "stones", 1, 50, 1);
    }

    #[test]
    fn c1_a_move_has_exactly_15_30_or_60_seconds() {
        for seconds in [0, 14, 15, 16, 30, 45, 60, 61] {
            let checked = check(json!({"system": "per_move", "period_ms": 1000 * seconds}));
            let expected = match seconds {
                15 | 30 | 60 => Ok(()),
                _ => Err("period_ms"),
            };
            assert_eq!(checked, expected, "{seconds} s");
        }
        assert_eq!(check(json!({"system": "none"})), Ok(()));
    }

    #[test]
    fn an_error_says_what_may_be_chosen() {
        let detail = |rule: ClockRule, written: Value| {
            let control = serde_json::from_value(written).expect("settings");
            rule.check(&control).expect_err("refused").to_string()
        };
        assert_eq!(
            detail(ClockRule::EVERY, json!({"system": "per_move", "period_ms": 1})),
            "period_ms is one of 15000, 30000, 60000"
        );
        assert_eq!(
            detail(
                ClockRule::UNTIMED,
                json!({"system": "per_move", "period_ms": 30000})
            ),
            "the clock's system is one of none"
        );
        let periods = json!({"system": "per_move_periods", "period_ms": 1500, "periods": 51});
        assert_eq!(
            detail(ClockRule::EVERY, periods.clone()),
            "period_ms is from 1000 to 3600000 in steps of 1000"
        );
        assert_eq!(
            detail(ClockRule::EVERY, with(&periods, "period_ms", 1000)),
            "periods is from 1 to 50"
        );
    }

    #[test]
    fn a_rule_is_told_as_a_form_needs_it() {
        let told = serde_json::to_value(ClockRule::EVERY).expect("serialises");
        assert_eq!(told["default"], json!({"system": "per_move", "period_ms": 30000}));
        assert_eq!(
            told["allowed"][0],
            json!({"system": "per_move", "period_ms": {"one_of": [15000, 30000, 60000], "default": 30000}})
        );
        assert_eq!(
            told["allowed"][2]["main_ms"],
            json!({"least": 0, "most": 21600000, "step": 1000, "default": 600000})
        );
        assert_eq!(told["allowed"][3]["max_ms"]["default"], Value::Null);
        assert_eq!(told["allowed"][5], json!({"system": "none"}));
    }

    #[test]
    fn what_a_form_shows_first_is_allowed() {
        for rule in ClockRule::EVERY.allowed {
            assert_eq!(ClockRule::EVERY.check(&rule.default()), Ok(()));
        }
    }
}
