//! Numbers in records: komi, board sizes, handicaps and seconds, and how surely they were read.

use crate::rules::{Board, HalfPoints};
use std::time::Duration;

/// The largest komi, either way, that a record is believed to mean; no ruleset of this server allows more.
const MAX_KOMI: f64 = 99.5;

/// The longest time, in seconds, that a record is believed to mean: a year.
const MAX_SECONDS: f64 = 366.0 * 86_400.0;

/// A value read from a text, and the form that the text had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading<T> {
    /// The value.
    pub value: T,
    /// Whether the text was as it should be.
    pub form: Form,
}

/// The form of a text from which a value was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As SGF prescribes.
    Standard,
    /// Not as SGF prescribes, but what is meant is certain.
    Repaired,
}

/// Why a text is no komi.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KomiError {
    /// Empty, or not a number.
    #[error("the komi is not a number")]
    Unreadable,
    /// Beyond 99.5 points.
    #[error("the komi is beyond 99.5 points")]
    OutOfRange,
    /// No multiple of half a point.
    #[error("the komi is not a multiple of half a point")]
    NotHalves,
}

/// Why a text is not the size of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SizeError {
    /// Not a whole number above zero.
    #[error("the board size is not a whole number above zero")]
    Unreadable,
    /// More columns than rows or the other way round.
    #[error("the board is not square but {columns}x{rows}")]
    Rectangular {
        /// The number of columns.
        columns: u32,
        /// The number of rows.
        rows: u32,
    },
    /// A size that the engine has no board for.
    #[error("there is no board of size {0}")]
    Unsupported(u32),
}

/// Reads `KM`. A decimal comma, and the two numbers by which one big server means 6.5 and 7.5 points (`325` and
/// `375`, hundredths of half the komi), are understood and marked as repaired.
///
/// # Errors
/// [`KomiError`], by the text.
pub fn read_komi(text: &str) -> Result<Reading<HalfPoints>, KomiError> {
    let trimmed = text.trim();
    let (number, form) = match trimmed {
        "325" => ("6.5", Form::Repaired),
        "375" => ("7.5", Form::Repaired),
        other => (other, Form::Standard),
    };
    let pointed = number.replace(',', ".");
    let form = if pointed == number { form } else { Form::Repaired };
    let points: f64 = pointed.parse().map_err(|_| KomiError::Unreadable)?;
    let halves = points * 2.0;
    match () {
        () if points.is_nan() => Err(KomiError::Unreadable),
        () if points.abs() > MAX_KOMI => Err(KomiError::OutOfRange),
        () if halves.fract() != 0.0 => Err(KomiError::NotHalves),
        // Exact: a whole number of at most 199.
        () => Ok(Reading {
            value: HalfPoints::from_halves(halves as i32),
            form,
        }),
    }
}

/// Reads `SZ`: `19`, or `19:19`.
///
/// # Errors
/// [`SizeError`], by the text.
pub fn read_size(text: &str) -> Result<Board, SizeError> {
    let (columns, rows) = match text.split_once(':') {
        Some((columns, rows)) => (read_whole(columns), read_whole(rows)),
        None => (read_whole(text), read_whole(text)),
    };
    let (columns, rows) = columns.zip(rows).ok_or(SizeError::Unreadable)?;
    match (columns, rows) {
        (0, _) | (_, 0) => Err(SizeError::Unreadable),
        _ if columns != rows => Err(SizeError::Rectangular { columns, rows }),
        _ => u8::try_from(columns)
            .ok()
            .and_then(Board::square)
            .ok_or(SizeError::Unsupported(columns)),
    }
}

/// Reads our own `HEXSIZE`: the cells along one side of a hexagonal board.
///
/// # Errors
/// [`SizeError`], by the text.
pub(super) fn read_hexagon_size(text: &str) -> Result<Board, SizeError> {
    let side = read_whole(text).ok_or(SizeError::Unreadable)?;
    u8::try_from(side)
        .ok()
        .and_then(Board::hexagonal)
        .ok_or(SizeError::Unsupported(side))
}

/// A whole number of plain digits, spaces around it allowed.
pub(super) fn read_whole<T: std::str::FromStr>(text: &str) -> Option<T> {
    let digits = text.trim();
    let plain = digits.bytes().all(|each| each.is_ascii_digit());
    plain.then(|| digits.parse().ok()).flatten()
}

/// A time in seconds, up to a year, kept to the millisecond.
pub(super) fn read_seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.trim().parse().ok()?;
    // The range excludes NaN, so the product is a whole number that fits.
    let in_range = (0.0..=MAX_SECONDS).contains(&seconds);
    in_range.then(|| Duration::from_millis((seconds * 1000.0).round() as u64))
}

/// A time in seconds with up to three decimals: `299.5`.
pub(super) fn write_seconds(time: Duration) -> String {
    let text = format!("{}.{:03}", time.as_secs(), time.subsec_millis());
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn komi(text: &str) -> Result<(String, Form), KomiError> {
        read_komi(text).map(|reading| (reading.value.to_string(), reading.form))
    }

    #[test]
    fn komi_is_read_with_its_sign_and_halves() {
        for (text, points) in [
            ("6.5", "6.5"),
            (" 6.50 ", "6.5"),
            ("0", "0"),
            ("-3.5", "-3.5"),
            ("+7.5", "7.5"),
        ] {
            assert_eq!(komi(text), Ok((points.to_owned(), Form::Standard)));
        }
        for (text, points) in [("7,5", "7.5"), ("375", "7.5"), ("325", "6.5")] {
            assert_eq!(komi(text), Ok((points.to_owned(), Form::Repaired)));
        }
    }

    #[test]
    fn what_is_no_komi_is_refused() {
        for text in ["", "none", "NaN", "1,000.5", "６"] {
            assert_eq!(komi(text), Err(KomiError::Unreadable), "{text:?}");
        }
        for text in ["100", "-100", "1e300", "Infinity", "-inf", "650"] {
            assert_eq!(komi(text), Err(KomiError::OutOfRange), "{text:?}");
        }
        assert_eq!(komi("0.25"), Err(KomiError::NotHalves));
    }

    #[test]
    fn sizes_are_those_of_the_engines_boards() {
        assert_eq!(read_size("9:9"), read_size("9"));
        assert_eq!(
            read_size("9:13"),
            Err(SizeError::Rectangular { columns: 9, rows: 13 })
        );
        for text in ["0", "-9", "nine", "", "19.0", "9:", "+9", "99999999999"] {
            assert_eq!(read_size(text), Err(SizeError::Unreadable), "{text:?}");
        }
        assert_eq!(
            read_size("1000000000"),
            Err(SizeError::Unsupported(1_000_000_000))
        );
        assert_eq!(read_size("26"), Err(SizeError::Unsupported(26)));
        assert_eq!(read_hexagon_size("6"), Ok("hex6".parse().expect("a board")));
        assert_eq!(read_hexagon_size("13"), Err(SizeError::Unsupported(13)));
    }

    #[test]
    fn seconds_keep_milliseconds() {
        for text in ["0", "299.5", "300", "0.001", "59.75"] {
            assert_eq!(read_seconds(text).map(write_seconds).as_deref(), Some(text));
        }
        for text in ["", "-1", "NaN", "inf", "1e300", "soon"] {
            assert_eq!(read_seconds(text), None, "{text:?}");
        }
    }
}
