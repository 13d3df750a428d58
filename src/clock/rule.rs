//! Which time controls may be chosen, as data. The bounds of every clock are in `bounds.rs`.

use super::control::{System, TimeControl};
use super::time::Millis;
use serde::Serialize;

/// The time controls that may be chosen. A ruleset holds one as a constant; written as JSON it is enough to build a
/// form from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ClockRule {
    /// The systems, each with the values that its settings may have.
    pub allowed: &'static [SystemRule],
    /// What is taken when nothing is asked for.
    pub default: TimeControl,
}

/// A system, with the values that each of its settings may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "system", rename_all = "snake_case")]
pub enum SystemRule {
    /// No clock.
    None,
    /// The same time for every move.
    PerMove {
        /// The time of a move.
        #[serde(rename = "period_ms")]
        period: OneOf<Millis>,
    },
    /// Byo-yomi from the first move on.
    PerMovePeriods {
        /// The time of a period.
        #[serde(rename = "period_ms")]
        period: Limits<Millis>,
        /// The number of periods.
        periods: Limits<u32>,
    },
    /// Main time, then periods.
    #[serde(rename = "byoyomi")]
    ByoYomi {
        /// The main time.
        #[serde(rename = "main_ms")]
        main: Limits<Millis>,
        /// The time of a period.
        #[serde(rename = "period_ms")]
        period: Limits<Millis>,
        /// The number of periods.
        periods: Limits<u32>,
    },
    /// Time that grows with each move.
    Fischer {
        /// The time at the start.
        #[serde(rename = "initial_ms")]
        initial: Limits<Millis>,
        /// The time for each completed move.
        #[serde(rename = "increment_ms")]
        increment: Limits<Millis>,
        /// The limit, which may be left out; it is never below the time at the start.
        #[serde(rename = "max_ms")]
        max: Limits<Millis, Option<Millis>>,
    },
    /// Main time, then so many moves within each period.
    Canadian {
        /// The main time.
        #[serde(rename = "main_ms")]
        main: Limits<Millis>,
        /// The time of a period.
        #[serde(rename = "period_ms")]
        period: Limits<Millis>,
        /// The number of moves within a period.
        stones: Limits<u32>,
    },
}

/// Every value from `least` to `most` in steps of `step`. A setting that may be left out has the default `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Limits<T, D = T> {
    /// The smallest.
    pub least: T,
    /// The largest.
    pub most: T,
    /// From one to the next.
    pub step: T,
    /// What a form shows first.
    pub default: D,
}

/// One of a few values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct OneOf<T: 'static> {
    /// The values.
    pub one_of: &'static [T],
    /// What a form shows first.
    pub default: T,
}

/// A setting that may not be chosen so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{detail}")]
pub struct SettingError {
    /// The setting, by its name on the wire: `system`, `period_ms`.
    pub field: &'static str,
    /// What may be chosen, for people.
    pub detail: String,
}

impl<T: Copy + Into<i64>, D> Limits<T, D> {
    fn check(&self, field: &'static str, value: T) -> Result<(), SettingError> {
        let (least, most, step) = (self.least.into(), self.most.into(), self.step.into());
        let value: i64 = value.into();
        // A step of no size leaves only the whole range to keep to.
        let on_step = |value: i64| (value - least).checked_rem(step).unwrap_or(0) == 0;
        if (least..=most).contains(&value) && on_step(value) {
            return Ok(());
        }
        let detail = match (least == most, step) {
            (true, _) => format!("{field} is always {least} here"),
            (false, 1) => format!("{field} is from {least} to {most}"),
            (false, _) => format!("{field} is from {least} to {most} in steps of {step}"),
        };
        Err(SettingError { field, detail })
    }
}

impl<T: Copy + PartialEq + Into<i64>> OneOf<T> {
    fn check(&self, field: &'static str, value: T) -> Result<(), SettingError> {
        if self.one_of.contains(&value) {
            return Ok(());
        }
        let values: Vec<String> = self
            .one_of
            .iter()
            .map(|&value| value.into().to_string())
            .collect();
        Err(SettingError {
            field,
            detail: format!("{field} is one of {}", values.join(", ")),
        })
    }
}

impl SystemRule {
    /// Which system it is about.
    pub fn system(&self) -> System {
        self.default().system()
    }

    /// The time control of this system that a form shows first.
    pub fn default(&self) -> TimeControl {
        match *self {
            SystemRule::None => TimeControl::None,
            SystemRule::PerMove { period } => TimeControl::PerMove {
                period: period.default,
            },
            SystemRule::PerMovePeriods { period, periods } => TimeControl::PerMovePeriods {
                period: period.default,
                periods: periods.default,
            },
            SystemRule::ByoYomi {
                main,
                period,
                periods,
            } => TimeControl::ByoYomi {
                main: main.default,
                period: period.default,
                periods: periods.default,
            },
            SystemRule::Fischer {
                initial,
                increment,
                max,
            } => TimeControl::Fischer {
                initial: initial.default,
                increment: increment.default,
                max: max.default,
            },
            SystemRule::Canadian { main, period, stones } => TimeControl::Canadian {
                main: main.default,
                period: period.default,
                stones: stones.default,
            },
        }
    }

    /// Whether a time control keeps to the rule; `None` when it is of another system.
    fn check(&self, control: &TimeControl) -> Option<Result<(), SettingError>> {
        Some(match (self, *control) {
            (SystemRule::None, TimeControl::None) => Ok(()),
            (SystemRule::PerMove { period: rule }, TimeControl::PerMove { period }) => {
                rule.check("period_ms", period)
            }
            (
                SystemRule::PerMovePeriods {
                    period: period_rule,
                    periods: periods_rule,
                },
                TimeControl::PerMovePeriods { period, periods },
            ) => period_rule
                .check("period_ms", period)
                .and_then(|()| periods_rule.check("periods", periods)),
            (
                SystemRule::ByoYomi {
                    main: main_rule,
                    period: period_rule,
                    periods: periods_rule,
                },
                TimeControl::ByoYomi {
                    main,
                    period,
                    periods,
                },
            ) => main_rule
                .check("main_ms", main)
                .and_then(|()| period_rule.check("period_ms", period))
                .and_then(|()| periods_rule.check("periods", periods)),
            (
                SystemRule::Fischer {
                    initial: initial_rule,
                    increment: increment_rule,
                    max: max_rule,
                },
                TimeControl::Fischer {
                    initial,
                    increment,
                    max,
                },
            ) => initial_rule
                .check("initial_ms", initial)
                .and_then(|()| increment_rule.check("increment_ms", increment))
                .and_then(|()| check_max(max_rule, initial, max)),
            (
                SystemRule::Canadian {
                    main: main_rule,
                    period: period_rule,
                    stones: stones_rule,
                },
                TimeControl::Canadian { main, period, stones },
            ) => main_rule
                .check("main_ms", main)
                .and_then(|()| period_rule.check("period_ms", period))
                .and_then(|()| stones_rule.check("stones", stones)),
            _ => return None,
        })
    }
}

fn check_max(
    rule: &Limits<Millis, Option<Millis>>,
    initial: Millis,
    max: Option<Millis>,
) -> Result<(), SettingError> {
    let Some(max) = max else {
        return Ok(());
    };
    rule.check("max_ms", max)?;
    match initial <= max {
        true => Ok(()),
        false => Err(SettingError {
            field: "max_ms",
            detail: format!("max_ms is never below initial_ms, which is {}", initial.get()),
        }),
    }
}

impl ClockRule {
    /// Whether a time control may be chosen.
    ///
    /// # Errors
    /// The first setting that may not, and what it may be.
    pub fn check(&self, control: &TimeControl) -> Result<(), SettingError> {
        let checked = self.allowed.iter().find_map(|rule| rule.check(control));
        checked.unwrap_or_else(|| {
            let systems: Vec<String> = self
                .allowed
                .iter()
                .map(|rule| rule.system().to_string())
                .collect();
            Err(SettingError {
                field: "system",
                detail: format!("the clock's system is one of {}", systems.join(", ")),
            })
        })
    }
}
