//! Clocks that tick: slow, plain, and made apart from the arithmetic that they check.

use super::control::TimeControl;
use super::left::TimeLeft;
use super::time::Millis;
use crate::rules::{Color, PerColor};

/// Both clocks of a game, which go on by one millisecond at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ticker {
    settings: TimeControl,
    pub(super) left: PerColor<TimeLeft>,
    pub(super) running: Option<Color>,
    /// Whose flag has fallen.
    pub(super) lost: Option<Color>,
}

const TICK: Millis = Millis::new(1);

impl Ticker {
    pub(super) fn new(settings: TimeControl) -> Ticker {
        let mut full = TimeLeft::default();
        match settings {
            TimeControl::None => {}
            TimeControl::PerMove { period } => {
                full.period = period;
                full.periods = 1;
            }
            TimeControl::PerMovePeriods { period, periods } => {
                full.period = period;
                full.periods = periods;
            }
            TimeControl::ByoYomi {
                main,
                period,
                periods,
            } => {
                full.main = main;
                full.period = period;
                full.periods = periods;
            }
            TimeControl::Fischer { initial, .. } => full.main = initial,
            TimeControl::Canadian { main, period, stones } => {
                full.main = main;
                full.period = period;
                full.stones = stones;
            }
        }
        Ticker {
            settings,
            left: PerColor {
                black: full,
                white: full,
            },
            running: None,
            lost: None,
        }
    }

    /// Lets a millisecond pass.
    pub(super) fn tick(&mut self) {
        let Some(color) = self.running else { return };
        if self.lost.is_some() {
            return;
        }
        let left = self.left.get_mut(color);
        let is_lost = match self.settings {
            TimeControl::None => false,
            TimeControl::Fischer { .. } => {
                left.main = left.main - TICK;
                left.main == Millis::ZERO
            }
            _ if left.main > Millis::ZERO => {
                left.main = left.main - TICK;
                false
            }
            TimeControl::Canadian { .. } => {
                left.period = left.period - TICK;
                left.period == Millis::ZERO
            }
            TimeControl::PerMove { period }
            | TimeControl::PerMovePeriods { period, .. }
            | TimeControl::ByoYomi { period, .. } => {
                left.period = left.period - TICK;
                if left.period == Millis::ZERO {
                    left.periods -= 1;
                    if left.periods > 0 {
                        left.period = period;
                    }
                }
                left.periods == 0
            }
        };
        if is_lost {
            self.lost = Some(color);
        }
    }

    /// Completes the running side's move.
    pub(super) fn complete(&mut self, next: Color) {
        let Some(color) = self.running else { return };
        let left = self.left.get_mut(color);
        match self.settings {
            TimeControl::None => {}
            TimeControl::PerMove { period }
            | TimeControl::PerMovePeriods { period, .. }
            | TimeControl::ByoYomi { period, .. } => left.period = period,
            TimeControl::Fischer { increment, max, .. } => {
                for _ in 0..increment.get() {
                    if Some(left.main) != max {
                        left.main = left.main + TICK;
                    }
                }
            }
            TimeControl::Canadian { period, stones, .. } => {
                if left.main == Millis::ZERO {
                    left.stones -= 1;
                    if left.stones == 0 {
                        left.stones = stones;
                        left.period = period;
                    }
                }
            }
        }
        self.running = Some(next);
    }
}
