//! Calendar days, as SGF's `DT` has them.

use std::{fmt, str::FromStr};

const MS_PER_DAY: i64 = 86_400_000;

/// Days in 400 years of the Gregorian calendar, after which it repeats.
const DAYS_PER_CYCLE: i64 = 146_097;

/// Days from 0000-03-01 to 1970-01-01.
const EPOCH_FROM_MARCH_0000: i64 = 719_468;

/// A day of the Gregorian calendar in the years 0 to 9999; written `2024-02-29`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CivilDate {
    year: u16,
    month: u8,
    day: u8,
}

/// A text that is no day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a date is a day like \"2024-02-29\"")]
pub struct DateError;

impl CivilDate {
    /// The day of a year, a month from 1 and a day of the month from 1, if there is one.
    pub fn new(year: u16, month: u8, day: u8) -> Option<CivilDate> {
        let exists = year <= 9999 && (1..=days_of_month(year, month)).contains(&day);
        exists.then_some(CivilDate { year, month, day })
    }

    /// The first day of a `DT` value, which may be a list, and the number of bytes that follow it.
    pub(super) fn read_first(text: &str) -> Option<(CivilDate, usize)> {
        let (day, rest) = text.trim().split_at_checked(10)?;
        Some((day.parse().ok()?, rest.len()))
    }

    /// The day in UTC of a time in milliseconds since 1970-01-01T00:00Z; `None` outside the years 0 to 9999.
    ///
    /// Years are counted from March, so that a leap day is the last of its year (E. Richards, "Calendars", in the
    /// Explanatory Supplement to the Astronomical Almanac, 2013).
    pub fn from_unix_ms(ms: i64) -> Option<CivilDate> {
        let days = ms.div_euclid(MS_PER_DAY) + EPOCH_FROM_MARCH_0000;
        let cycle = days.div_euclid(DAYS_PER_CYCLE);
        let day_of_cycle = days.rem_euclid(DAYS_PER_CYCLE);
        // Leap days before this one: one in 4 years, none in 100, and the cycle's last day is the one in 400.
        let leap_days = day_of_cycle / 1_460 - day_of_cycle / 36_524 + day_of_cycle / (DAYS_PER_CYCLE - 1);
        let year_of_cycle = (day_of_cycle - leap_days) / 365;
        let day_of_year = day_of_cycle - (365 * year_of_cycle + year_of_cycle / 4 - year_of_cycle / 100);
        // March to July and August to December have 153 days each.
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let (month, next_year) = match month_from_march {
            0..10 => (month_from_march + 3, 0),
            _ => (month_from_march - 9, 1),
        };
        let year = 400 * cycle + year_of_cycle + next_year;
        CivilDate::new(
            u16::try_from(year).ok()?,
            u8::try_from(month).ok()?,
            u8::try_from(day).ok()?,
        )
    }
}

fn days_of_month(year: u16, month: u8) -> u8 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 0,
    }
}

impl fmt::Display for CivilDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl FromStr for CivilDate {
    type Err = DateError;

    fn from_str(text: &str) -> Result<CivilDate, DateError> {
        let mut parts = text
            .split('-')
            .filter(|part| part.bytes().all(|each| each.is_ascii_digit()));
        let (year, month, day) = (parts.next(), parts.next(), parts.next());
        let date = year.zip(month).zip(day).and_then(|((year, month), day)| {
            CivilDate::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)
        });
        date.filter(|date| date.to_string() == text).ok_or(DateError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_found_across_leap_years_and_the_epoch() {
        for (ms, day) in [
            (0, "1970-01-01"),
            (-1, "1969-12-31"),
            (86_399_999, "1970-01-01"),
            (951_782_400_000, "2000-02-29"),
            (1_709_164_800_000, "2024-02-29"),
            (1_709_251_200_000, "2024-03-01"),
            (4_107_542_399_999, "2100-02-28"),
            (4_107_542_400_000, "2100-03-01"),
            (1_735_689_599_999, "2024-12-31"),
            (253_402_300_799_999, "9999-12-31"),
        ] {
            assert_eq!(
                CivilDate::from_unix_ms(ms)
                    .map(|date| date.to_string())
                    .as_deref(),
                Some(day)
            );
        }
        for ms in [253_402_300_800_000, i64::MAX, i64::MIN] {
            assert_eq!(CivilDate::from_unix_ms(ms), None);
        }
    }

    #[test]
    fn days_follow_one_another_for_a_whole_cycle() {
        let mut expected = CivilDate::new(1970, 1, 1).expect("a day");
        for day in 0..=DAYS_PER_CYCLE {
            assert_eq!(CivilDate::from_unix_ms(day * MS_PER_DAY), Some(expected));
            let CivilDate { year, month, day } = expected;
            let later = [(year, month, day + 1), (year, month + 1, 1), (year + 1, 1, 1)];
            let next = later
                .into_iter()
                .find_map(|(year, month, day)| CivilDate::new(year, month, day));
            expected = next.expect("a day follows");
        }
    }

    #[test]
    fn the_first_day_of_a_list_is_read_and_nonsense_refused() {
        let first =
            CivilDate::read_first("2024-02-28,29,2024-03-01").map(|(date, rest)| (date.to_string(), rest));
        assert_eq!(first, Some(("2024-02-28".to_owned(), 14)));
        assert_eq!("2024-02-28".parse(), CivilDate::new(2024, 2, 28).ok_or(DateError));
        for text in [
            "",
            "2024",
            "2023-02-29",
            "2024-13-01",
            "2024-00-10",
            "+024-01-01",
            "20240101ab",
            "2024-2-3",
            "2024-02-03-",
            "2024-01-01,02",
            "é024-1-01",
        ] {
            assert_eq!(text.parse::<CivilDate>(), Err(DateError), "{text:?}");
        }
    }
}
