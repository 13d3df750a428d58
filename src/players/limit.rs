//! Rate limits (S5) as arithmetic on one number: when everything that was done is paid off.
//!
//! Each use costs a share of the period, and uses may be owed for one period at most. So `5/1m` allows five at once, and
//! then one every twelve seconds (the "generic cell rate algorithm"). What has to be kept is a single time, which one statement
//! of a database can test and move at once.

use crate::clock::{Millis, Timestamp};
use std::str::FromStr;

/// How much may be done: so many uses in a period, written `5/1m`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    uses: u32,
    period: Millis,
}

/// A text that is no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a limit is written as uses and period, such as 5/30s, 20/1m, 100/1h or 500/1d")]
pub struct LimitError;

impl Limit {
    /// So many uses in a period; both at least one.
    pub const fn new(uses: u32, period: Millis) -> Limit {
        Limit { uses, period }
    }

    /// What one use costs.
    pub fn cost(&self) -> Millis {
        Millis::new((self.period.get() / i64::from(self.uses)).max(1))
    }

    /// How much may be owed after a use.
    pub fn depth(&self) -> Millis {
        Millis::new(self.cost().get() * i64::from(self.uses))
    }

    /// One use more at `now`, if all before is paid off at `paid_at`: when it is paid off then.
    ///
    /// # Errors
    /// How long to wait before there is room for it.
    pub fn take(&self, paid_at: Option<Timestamp>, now: Timestamp) -> Result<Timestamp, Millis> {
        let after = paid_at.unwrap_or(now).max(now) + self.cost();
        let latest = now + self.depth();
        if after <= latest {
            Ok(after)
        } else {
            Err(self.wait(paid_at.unwrap_or(now), now))
        }
    }

    /// The same, from the times of what was done, oldest first.
    ///
    /// # Errors
    /// How long to wait before there is room for it.
    pub fn take_after(
        &self,
        times: impl Iterator<Item = Timestamp>,
        now: Timestamp,
    ) -> Result<Timestamp, Millis> {
        let pay =
            |paid: Option<Timestamp>, at: Timestamp| Some(paid.map_or(at, |paid| paid.max(at)) + self.cost());
        self.take(times.fold(None, pay), now)
    }

    /// How long to wait at `now` before there is room for one use more.
    pub fn wait(&self, paid_at: Timestamp, now: Timestamp) -> Millis {
        let after = paid_at.max(now) + self.cost();
        let over = after.as_millis() - (now + self.depth()).as_millis();
        Millis::new(over.max(0))
    }
}

impl FromStr for Limit {
    type Err = LimitError;

    fn from_str(text: &str) -> Result<Limit, LimitError> {
        let (uses, period) = text.trim().split_once('/').ok_or(LimitError)?;
        let unit_at = period
            .find(|character: char| !character.is_ascii_digit())
            .ok_or(LimitError)?;
        let (number, unit) = period.split_at(unit_at);
        let seconds = match unit {
            "s" => 1,
            "m" => 60,
            "h" => 3600,
            "d" => 86_400,
            _ => return Err(LimitError),
        };
        let number: i64 = number.parse().map_err(|_| LimitError)?;
        let uses: u32 = uses.parse().map_err(|_| LimitError)?;
        // A year is long enough, and keeps the arithmetic far from its bounds.
        let period = number
            .checked_mul(seconds)
            .filter(|seconds| (1..=366 * 86_400).contains(seconds));
        match (uses, period) {
            (1..=1_000_000, Some(seconds)) => Ok(Limit::new(uses, Millis::from_secs(seconds))),
            _ => Err(LimitError),
        }
    }
}

/// Seconds to wait, rounded up, as `Retry-After` has them; at least one.
pub fn retry_after(wait: Millis) -> i64 {
    (wait.get().saturating_add(999) / 1000).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(millis)
    }

    fn limit(text: &str) -> Limit {
        text.parse().expect("a limit")
    }

    #[test]
    fn s5_limits_are_read_from_the_configuration() {
        assert_eq!(limit("5/30s"), Limit::new(5, Millis::from_secs(30)));
        assert_eq!(limit(" 1/1d "), Limit::new(1, Millis::from_secs(86_400)));
        for text in [
            "",
            "5",
            "5/",
            "5/s",
            "0/1m",
            "5/0m",
            "-1/1m",
            "5/1w",
            "5/1m2",
            "5/99999999999999999999s",
            "9999999/1s",
        ] {
            assert_eq!(text.parse::<Limit>(), Err(LimitError), "{text:?}");
        }
    }

    #[test]
    fn s5_a_burst_and_then_one_by_one() {
        let limit = limit("3/30s");
        let mut paid = None;
        for _ in 0..3 {
            paid = Some(limit.take(paid, at(0)).expect("room"));
        }
        assert_eq!(limit.take(paid, at(0)), Err(Millis::new(10_000)));
        assert_eq!(limit.take(paid, at(9_999)), Err(Millis::new(1)));
        let paid = limit.take(paid, at(10_000)).expect("room for one");
        assert_eq!(limit.take(Some(paid), at(10_000)), Err(Millis::new(10_000)));
        assert!(limit.take(Some(paid), at(1_000_000)).is_ok());
    }

    #[test]
    fn s1_what_was_said_before_is_what_a_limit_counts() {
        let limit = limit("3/30s");
        let said = |times: &[i64], now: i64| limit.take_after(times.iter().map(|&time| at(time)), at(now));
        assert!(said(&[], 0).is_ok());
        assert!(said(&[0, 0], 0).is_ok());
        assert_eq!(said(&[0, 0, 0], 0), Err(Millis::new(10_000)));
        assert!(said(&[0, 0, 0], 10_000).is_ok());
        assert!(said(&[0, 0, 0], 1_000_000).is_ok());
        assert_eq!(
            said(&[0, 60_000, 60_000, 60_000], 60_001),
            Err(Millis::new(9_999))
        );
    }

    #[test]
    fn s5_waits_are_told_in_whole_seconds() {
        assert_eq!(retry_after(Millis::new(1)), 1);
        assert_eq!(retry_after(Millis::new(1000)), 1);
        assert_eq!(retry_after(Millis::new(1001)), 2);
    }

    proptest! {
        /// Whatever the pattern of tries, no window of a period sees more than twice the uses, and who waits as long as he is told
        /// gets through.
        #[test]
        fn prop_a_limit_holds_and_what_it_says_is_true(uses in 1u32..20, seconds in 1i64..100, gaps in proptest::collection::vec(0i64..5000, 1..200)) {
            let limit = Limit::new(uses, Millis::from_secs(seconds));
            let (mut now, mut paid, mut taken) = (0, None, Vec::new());
            for gap in gaps {
                now += gap;
                match limit.take(paid, at(now)) {
                    Ok(after) => {
                        paid = Some(after);
                        taken.push(now);
                    }
                    Err(wait) => {
                        prop_assert!(wait.get() > 0);
                        prop_assert!(limit.take(paid, at(now + wait.get() - 1)).is_err());
                        prop_assert!(limit.take(paid, at(now + wait.get())).is_ok());
                    }
                }
            }
            for (index, start) in taken.iter().enumerate() {
                let within = taken[index..].iter().take_while(|time| **time < start + seconds * 1000).count();
                prop_assert!(within <= 2 * uses as usize);
            }
        }
    }
}
