//! Results as SGF's `RE` writes them: `B+3.5`, `W+R`, `B+T`, `0`, `Void`, `?` (SGF FF[4], "Game info properties").

use super::numbers::{Form, Reading};
use crate::rules::{Color, HalfPoints};
use std::{fmt, str::FromStr};

/// How a game ended, as far as a record can say (G9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordResult {
    /// One side won.
    Win {
        /// Who.
        winner: Color,
        /// How.
        by: WinBy,
    },
    /// Jigo, or a draw the players agreed on: `0`.
    Draw,
    /// No result: the game was closed or suspended before it was decided: `Void`.
    Void,
    /// Not known: `?`.
    Unknown,
}

/// What a game was won by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WinBy {
    /// By score, with this margin above zero: `B+3.5`.
    Points(HalfPoints),
    /// By score, with a margin that is no multiple of half a point, in hundredths of a point; some Chinese records
    /// count in quarters: `W+3.75`.
    FinePoints {
        /// The margin in hundredths of a point.
        hundredths: u32,
    },
    /// The opponent resigned: `W+R`.
    Resignation,
    /// The opponent's time ran out: `B+T`.
    Time,
    /// The opponent forfeited the game: `B+F`.
    Forfeit,
    /// The record does not say: `B+`.
    Unstated,
}

/// A text that is no result in the form that SGF prescribes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a result is \"B+\" or \"W+\" with a margin, \"R\", \"T\" or \"F\", or else \"0\", \"Void\" or \"?\""
)]
pub struct ResultError;

impl RecordResult {
    /// Reads also what programs in the wild write: other letter case, spaces, decimal commas, `Jigo`, words for the
    /// letters, remarks in braces. The reading says whether the text had SGF's own form.
    ///
    /// # Errors
    /// When the text still says nothing certain; guessing a result would be worse than having none.
    pub fn read_leniently(text: &str) -> Result<Reading<RecordResult>, ResultError> {
        if let Ok(value) = text.parse() {
            return Ok(Reading {
                value,
                form: Form::Standard,
            });
        }
        let remark = text.find('{').unwrap_or(text.len());
        let plain = text.get(..remark).unwrap_or(text);
        let squeezed: String = plain.chars().filter(|each| !each.is_whitespace()).collect();
        let value = match squeezed.to_ascii_lowercase().replace(',', ".").as_str() {
            "draw" | "jigo" | "0" => RecordResult::Draw,
            "void" => RecordResult::Void,
            "?" => RecordResult::Unknown,
            win => read_win_leniently(win)?,
        };
        Ok(Reading {
            value,
            form: Form::Repaired,
        })
    }
}

fn read_win_leniently(text: &str) -> Result<RecordResult, ResultError> {
    let (side, how) = text.split_once('+').ok_or(ResultError)?;
    let winner = match side {
        "b" | "black" => Color::Black,
        "w" | "white" => Color::White,
        _ => return Err(ResultError),
    };
    let by = match how {
        "" => WinBy::Unstated,
        "r" | "res" | "res." | "resign" | "resignation" => WinBy::Resignation,
        "t" | "time" | "timeout" => WinBy::Time,
        "f" | "forfeit" => WinBy::Forfeit,
        margin => match read_hundredths(margin).ok_or(ResultError)? {
            0 => return Ok(RecordResult::Draw),
            hundredths => margin_of(hundredths),
        },
    };
    Ok(RecordResult::Win { winner, by })
}

/// A plain decimal number with at most two decimals and seven digits before them, in hundredths.
fn read_hundredths(text: &str) -> Option<u32> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let all_digits = |part: &str, most: usize| {
        (1..=most).contains(&part.len()) && part.bytes().all(|each| each.is_ascii_digit())
    };
    if !all_digits(whole, 7) || !all_digits(fraction, 2) {
        return None;
    }
    let scale = if fraction.len() == 1 { 10 } else { 1 };
    Some(whole.parse::<u32>().ok()? * 100 + fraction.parse::<u32>().ok()? * scale)
}

/// `hundredths` come from [`read_hundredths`], so the halves fit.
fn margin_of(hundredths: u32) -> WinBy {
    match i32::try_from(hundredths / 50) {
        Ok(halves) if hundredths.is_multiple_of(50) => WinBy::Points(HalfPoints::from_halves(halves)),
        _ => WinBy::FinePoints { hundredths },
    }
}

impl FromStr for RecordResult {
    type Err = ResultError;

    /// Reads the forms that SGF prescribes and no other.
    fn from_str(text: &str) -> Result<RecordResult, ResultError> {
        let (winner, how) = match (text, text.split_at_checked(2)) {
            ("0" | "Draw", _) => return Ok(RecordResult::Draw),
            ("Void", _) => return Ok(RecordResult::Void),
            ("?", _) => return Ok(RecordResult::Unknown),
            (_, Some(("B+", how))) => (Color::Black, how),
            (_, Some(("W+", how))) => (Color::White, how),
            _ => return Err(ResultError),
        };
        let by = match how {
            "" => WinBy::Unstated,
            "R" | "Resign" => WinBy::Resignation,
            "T" | "Time" => WinBy::Time,
            "F" | "Forfeit" => WinBy::Forfeit,
            margin => match read_hundredths(margin) {
                Some(hundredths @ 1..) => margin_of(hundredths),
                _ => return Err(ResultError),
            },
        };
        Ok(RecordResult::Win { winner, by })
    }
}

impl fmt::Display for RecordResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordResult::Win { winner, by } => write!(f, "{}+{by}", winner.letter()),
            RecordResult::Draw => f.write_str("0"),
            RecordResult::Void => f.write_str("Void"),
            RecordResult::Unknown => f.write_str("?"),
        }
    }
}

/// What stands behind the `+`.
impl fmt::Display for WinBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WinBy::Points(margin) => margin.fmt(f),
            WinBy::FinePoints { hundredths } => {
                let fraction = format!("{:02}", hundredths % 100);
                write!(f, "{}.{}", hundredths / 100, fraction.trim_end_matches('0'))
            }
            WinBy::Resignation => f.write_str("R"),
            WinBy::Time => f.write_str("T"),
            WinBy::Forfeit => f.write_str("F"),
            WinBy::Unstated => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lenient(text: &str) -> Option<String> {
        RecordResult::read_leniently(text)
            .ok()
            .map(|reading| reading.value.to_string())
    }

    #[test]
    fn g9_standard_results_read_and_print_alike() {
        for text in [
            "B+3.5", "W+R", "B+T", "W+F", "B+64", "W+3.75", "B+0.25", "B+", "0", "Void", "?",
        ] {
            assert_eq!(
                text.parse::<RecordResult>()
                    .map(|result| result.to_string())
                    .as_deref(),
                Ok(text)
            );
        }
        for (long, short) in [
            ("B+Resign", "B+R"),
            ("W+Time", "W+T"),
            ("B+Forfeit", "B+F"),
            ("Draw", "0"),
        ] {
            assert_eq!(long.parse::<RecordResult>(), short.parse());
        }
    }

    #[test]
    fn other_forms_are_no_standard_results() {
        for text in [
            "",
            "b+r",
            "B + 3.5",
            "B+3,5",
            "B+0",
            "B+-3",
            "B+1e3",
            "X+5",
            "B+3.125",
            "B+99999999",
            "é+R",
        ] {
            assert_eq!(text.parse::<RecordResult>(), Err(ResultError), "{text:?}");
        }
    }

    #[test]
    fn forms_from_the_wild_are_read_where_they_are_certain() {
        for (text, result) in [
            ("b+r", "B+R"),
            ("B + 3.5", "B+3.5"),
            ("B+3,5", "B+3.5"),
            ("W+Res.", "W+R"),
            ("Jigo", "0"),
            ("draw", "0"),
            ("W+0", "0"),
            ("B+R ", "B+R"),
            ("White+Time", "W+T"),
            ("B+3.5 {moves after 150 unknown}", "B+3.5"),
        ] {
            assert_eq!(lenient(text).as_deref(), Some(result), "{text:?}");
        }
        for text in [
            "",
            "X+5",
            "B+-3",
            "B+1/2",
            "Black wins by resignation",
            "黑中盘胜",
            "{}",
            "+",
            "B+NaN",
        ] {
            assert_eq!(lenient(text), None, "{text:?}");
        }
    }
}
