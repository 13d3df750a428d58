//! The clocks of the rulesets that do not offer every one ([`ClockRule::EVERY`]).

use crate::clock::{ClockRule, Limits, Millis, OneOf, SystemRule, TimeControl};

/// Main time and Canadian overtime of 25 moves: 20 minutes and 5 minutes if nothing else is asked for.
pub const CANADIAN_OVERTIME: ClockRule = {
    const CANADIAN: SystemRule = SystemRule::Canadian {
        main: minutes(1, 60, 20),
        period: minutes(1, 20, 5),
        stones: Limits {
            least: 25,
            most: 25,
            step: 1,
            default: 25,
        },
    };
    ClockRule {
        allowed: &[CANADIAN],
        default: TimeControl::Canadian {
            main: Millis::from_secs(20 * 60),
            period: Millis::from_secs(5 * 60),
            stones: 25,
        },
    }
};

/// Half a minute for each move.
pub const HALF_A_MINUTE: ClockRule = {
    const PERIOD: Millis = Millis::from_secs(30);
    ClockRule {
        allowed: &[SystemRule::PerMove {
            period: OneOf {
                one_of: &[PERIOD],
                default: PERIOD,
            },
        }],
        default: TimeControl::PerMove { period: PERIOD },
    }
};

/// Whole seconds between two bounds that are given in minutes.
const fn minutes(least: i64, most: i64, default: i64) -> Limits<Millis> {
    Limits {
        least: Millis::from_secs(60 * least),
        most: Millis::from_secs(60 * most),
        step: Millis::from_secs(1),
        default: Millis::from_secs(60 * default),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn check(rule: &ClockRule, written: Value) -> Result<(), &'static str> {
        let control = serde_json::from_value(written).expect("settings");
        rule.check(&control).map_err(|error| error.field)
    }

    fn canadian(main: i64, period: i64, stones: u32) -> Value {
        json!({"system": "canadian", "main_ms": 1000 * main, "period_ms": 1000 * period, "stones": stones})
    }

    #[test]
    fn every_default_is_allowed_and_no_ruleset_goes_beyond_the_bounds_of_every_clock() {
        for rule in [ClockRule::EVERY, CANADIAN_OVERTIME, HALF_A_MINUTE] {
            assert_eq!(rule.check(&rule.default), Ok(()));
            assert_eq!(rule.allowed.first().map(SystemRule::default), Some(rule.default));
            assert_eq!(ClockRule::EVERY.check(&rule.default), Ok(()));
        }
    }

    #[test]
    fn c1_canadian_overtime_is_25_moves_in_1_to_20_minutes_after_1_to_60() {
        let rule = &CANADIAN_OVERTIME;
        assert_eq!(check(rule, canadian(60, 60, 25)), Ok(()));
        assert_eq!(check(rule, canadian(3600, 1200, 25)), Ok(()));
        assert_eq!(check(rule, canadian(59, 60, 25)), Err("main_ms"));
        assert_eq!(check(rule, canadian(3601, 60, 25)), Err("main_ms"));
        assert_eq!(check(rule, canadian(60, 59, 25)), Err("period_ms"));
        assert_eq!(check(rule, canadian(60, 1201, 25)), Err("period_ms"));
        assert_eq!(check(rule, canadian(60, 60, 24)), Err("stones"));
        assert_eq!(check(rule, json!({"system": "none"})), Err("system"));
    }

    #[test]
    fn c1_half_a_minute_is_fixed() {
        let rule = &HALF_A_MINUTE;
        assert_eq!(
            check(rule, json!({"system": "per_move", "period_ms": 30000})),
            Ok(())
        );
        assert_eq!(
            check(rule, json!({"system": "per_move", "period_ms": 60000})),
            Err("period_ms")
        );
    }
}
