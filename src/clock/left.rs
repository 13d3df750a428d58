//! What one player has left, and the arithmetic of spending it.

use super::control::TimeControl;
use super::time::Millis;

/// What one player has left. What his system lacks is zero. When all of his time is gone, so are his periods.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeLeft {
    /// Main time, Fischer's time included.
    pub main: Millis,
    /// What is left of the present period; the whole of it before overtime has begun.
    pub period: Millis,
    /// The periods left, the present one included.
    pub periods: u32,
    /// The moves still to be made within the present period.
    pub stones: u32,
}

/// The arithmetic that a time control follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arithmetic {
    /// Nothing is ever spent.
    Untimed,
    /// Main time, then periods that a move gives back in full. Without main time, and with one period or more, these
    /// are [`TimeControl::PerMove`] and [`TimeControl::PerMovePeriods`] as well.
    Periods {
        main: Millis,
        period: Millis,
        periods: u32,
    },
    /// One stock of time to which each move adds.
    Stock {
        initial: Millis,
        increment: Millis,
        max: Option<Millis>,
    },
    /// Main time, then a quota of moves within each period.
    Quota {
        main: Millis,
        period: Millis,
        stones: u32,
    },
}

impl Arithmetic {
    pub(super) fn of(settings: &TimeControl) -> Arithmetic {
        match *settings {
            TimeControl::None => Arithmetic::Untimed,
            TimeControl::PerMove { period } => Arithmetic::Periods {
                main: Millis::ZERO,
                period,
                periods: 1,
            },
            TimeControl::PerMovePeriods { period, periods } => Arithmetic::Periods {
                main: Millis::ZERO,
                period,
                periods,
            },
            TimeControl::ByoYomi {
                main,
                period,
                periods,
            } => Arithmetic::Periods {
                main,
                period,
                periods,
            },
            TimeControl::Fischer {
                initial,
                increment,
                max,
            } => Arithmetic::Stock {
                initial,
                increment,
                max,
            },
            TimeControl::Canadian { main, period, stones } => Arithmetic::Quota { main, period, stones },
        }
    }

    /// What a player has at the start.
    pub(super) fn full(self) -> TimeLeft {
        match self {
            Arithmetic::Untimed => TimeLeft::default(),
            Arithmetic::Periods {
                main,
                period,
                periods,
            } => TimeLeft {
                main,
                period,
                periods,
                stones: 0,
            },
            Arithmetic::Stock { initial, .. } => TimeLeft {
                main: initial,
                ..TimeLeft::default()
            },
            Arithmetic::Quota { main, period, stones } => TimeLeft {
                main,
                period,
                stones,
                periods: 0,
            },
        }
    }

    /// How long a player can think until he loses; `None` means for ever.
    pub(super) fn total(self, left: TimeLeft) -> Option<Millis> {
        match self {
            Arithmetic::Untimed => None,
            Arithmetic::Periods { period, .. } => {
                let further = period * left.periods.saturating_sub(1);
                Some(left.main + left.period + further)
            }
            Arithmetic::Stock { .. } => Some(left.main),
            Arithmetic::Quota { .. } => Some(left.main + left.period),
        }
    }

    /// What is left after `elapsed` more on the same move; nothing when that is all he had or more.
    pub(super) fn spend(self, left: TimeLeft, elapsed: Millis) -> TimeLeft {
        match self.total(left) {
            None => left,
            Some(total) if total <= elapsed => TimeLeft {
                stones: left.stones,
                ..TimeLeft::default()
            },
            Some(_) if elapsed < left.main => TimeLeft {
                main: left.main - elapsed,
                ..left
            },
            Some(_) => self.spend_overtime(left, elapsed - left.main),
        }
    }

    /// What is left after `elapsed` of overtime, which is less than what there is.
    fn spend_overtime(self, left: TimeLeft, elapsed: Millis) -> TimeLeft {
        let left = TimeLeft {
            main: Millis::ZERO,
            ..left
        };
        if elapsed < left.period {
            return TimeLeft {
                period: left.period - elapsed,
                ..left
            };
        }
        let Arithmetic::Periods { period, .. } = self else {
            return left;
        };
        // The present period is consumed, and of the further ones each that is spent in full (C3).
        let beyond = elapsed - left.period;
        let consumed = beyond.get().checked_div(period.get()).unwrap_or(0);
        let into = beyond.get().checked_rem(period.get()).unwrap_or(0);
        let further = u32::try_from(consumed).unwrap_or(u32::MAX);
        TimeLeft {
            period: period - Millis::new(into),
            periods: left.periods.saturating_sub(1).saturating_sub(further),
            ..left
        }
    }

    /// What a completed move makes of what was left when it arrived, which is not nothing.
    pub(super) fn complete(self, left: TimeLeft) -> TimeLeft {
        let in_overtime = left.main == Millis::ZERO;
        match self {
            Arithmetic::Untimed => left,
            Arithmetic::Periods { period, .. } => TimeLeft { period, ..left },
            Arithmetic::Stock { increment, max, .. } => {
                let grown = left.main + increment;
                TimeLeft {
                    main: max.map_or(grown, |max| grown.min(max)),
                    ..left
                }
            }
            Arithmetic::Quota { .. } if !in_overtime => left,
            Arithmetic::Quota { period, stones, .. } => match left.stones {
                0 | 1 => TimeLeft {
                    period,
                    stones,
                    ..left
                },
                more => TimeLeft {
                    stones: more - 1,
                    ..left
                },
            },
        }
    }
}
