//! Clocks as SGF writes them (T12): `TM` and `OT` for the settings, `BL`, `WL`, `OB` and `OW` for the moves.

use super::control::TimeControl;
use super::left::TimeLeft;
use super::time::Millis;
use std::time::Duration;

impl TimeControl {
    /// The main time, for `TM`; zero where overtime begins at once, `None` without a clock.
    pub fn main_time(&self) -> Option<Duration> {
        let main = match *self {
            TimeControl::None => return None,
            TimeControl::PerMove { .. } | TimeControl::PerMovePeriods { .. } => Millis::ZERO,
            TimeControl::ByoYomi { main, .. } | TimeControl::Canadian { main, .. } => main,
            TimeControl::Fischer { initial, .. } => initial,
        };
        Some(main.to_duration())
    }

    /// The overtime in the words that most programs use, for `OT`: `5x30 byo-yomi`, `25/300 Canadian`, `10 Fischer`,
    /// times in seconds. A time for each move is a single period of byo-yomi. `None` where there is none.
    pub fn overtime(&self) -> Option<String> {
        match *self {
            TimeControl::None => None,
            TimeControl::PerMove { period } => Some(format!("1x{} byo-yomi", seconds(period))),
            TimeControl::PerMovePeriods { period, periods }
            | TimeControl::ByoYomi { period, periods, .. } => {
                Some(format!("{periods}x{} byo-yomi", seconds(period)))
            }
            TimeControl::Fischer { increment, max, .. } => {
                let increment = (increment > Millis::ZERO).then(|| format!("{} Fischer", seconds(increment)));
                let max = max.map(|max| format!(", at most {}", seconds(max)));
                increment.map(|text| text + &max.unwrap_or_default())
            }
            TimeControl::Canadian { period, stones, .. } => {
                Some(format!("{stones}/{} Canadian", seconds(period)))
            }
        }
    }

    /// What a player had left, for `BL` or `WL`: of his main time or, once that is over, of his period.
    pub fn time_left(&self, left: TimeLeft) -> Option<Duration> {
        let time = match (self, left.main > Millis::ZERO) {
            (TimeControl::None, _) => return None,
            (TimeControl::Fischer { .. }, _) | (_, true) => left.main,
            (_, false) => left.period,
        };
        Some(time.to_duration())
    }

    /// In overtime, the periods that a player has left, or the moves that he has to make within his period, for `OB` or
    /// `OW`.
    pub fn moves_left(&self, left: TimeLeft) -> Option<u16> {
        let number = match self {
            TimeControl::None | TimeControl::Fischer { .. } => return None,
            TimeControl::PerMove { .. }
            | TimeControl::PerMovePeriods { .. }
            | TimeControl::ByoYomi { .. } => left.periods,
            TimeControl::Canadian { .. } => left.stones,
        };
        (left.main == Millis::ZERO).then(|| u16::try_from(number).unwrap_or(u16::MAX))
    }
}

/// A length in seconds, as short as it can be written: `30`, `7.5`.
fn seconds(length: Millis) -> f64 {
    length.to_duration().as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn control(written: Value) -> TimeControl {
        serde_json::from_value(written).expect("settings")
    }

    #[track_caller]
    fn check(written: Value, main: Option<u64>, overtime: Option<&str>) {
        let control = control(written);
        assert_eq!(control.main_time(), main.map(Duration::from_secs));
        assert_eq!(control.overtime().as_deref(), overtime);
    }

    #[test]
    fn t12_the_settings_are_told_as_other_programs_write_them() {
        check(json!({"system": "none"}), None, None);
        check(
            json!({"system": "per_move", "period_ms": 30000}),
            Some(0),
            Some("1x30 byo-yomi"),
        );
        check(
            json!({"system": "per_move_periods", "period_ms": 30000, "periods": 5}),
            Some(0),
            Some("5x30 byo-yomi"),
        );
        check(
            json!({"system": "byoyomi", "main_ms": 600000, "period_ms": 30000, "periods": 3}),
            Some(600),
            Some("3x30 byo-yomi"),
        );
        check(
            json!({"system": "canadian", "main_ms": 1200000, "period_ms": 300000, "stones": 25}),
            Some(1200),
            Some("25/300 Canadian"),
        );
        let mut fischer = json!({"system": "fischer", "initial_ms": 300000, "increment_ms": 10000});
        check(fischer.clone(), Some(300), Some("10 Fischer"));
        fischer["max_ms"] = json!(600000);
        check(fischer.clone(), Some(300), Some("10 Fischer, at most 600"));
        fischer["increment_ms"] = json!(0);
        check(fischer, Some(300), None);
    }

    #[test]
    fn t12_main_time_is_told_until_it_is_over_then_the_period_and_what_is_left_in_it() {
        let byoyomi =
            control(json!({"system": "byoyomi", "main_ms": 600000, "period_ms": 30000, "periods": 3}));
        let mut left = TimeLeft {
            main: Millis::new(1500),
            period: Millis::from_secs(30),
            periods: 3,
            stones: 0,
        };
        assert_eq!(byoyomi.time_left(left), Some(Duration::from_millis(1500)));
        assert_eq!(byoyomi.moves_left(left), None);
        left.main = Millis::ZERO;
        assert_eq!(byoyomi.time_left(left), Some(Duration::from_secs(30)));
        assert_eq!(byoyomi.moves_left(left), Some(3));
        let none = control(json!({"system": "none"}));
        assert_eq!(none.time_left(left), None);
        assert_eq!(none.moves_left(left), None);
    }
}
