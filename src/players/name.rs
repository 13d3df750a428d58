//! The names of guests.

use std::fmt;

/// The most characters of a name.
const MOST_CHARACTERS: usize = 20;

/// A guest's name: 1 to 20 characters, none of them invisible. Not unique.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuestName(String);

/// A text that cannot be a guest's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// Nothing but spaces.
    #[error("a name has at least one character")]
    Empty,
    /// More than it may have.
    #[error("a name has at most {MOST_CHARACTERS} characters")]
    TooLong,
    /// A character that cannot be seen, or that turns the direction of the text around it.
    #[error("a name has no control or invisible characters")]
    Invisible,
}

impl GuestName {
    /// Reads a name; spaces around it are dropped.
    ///
    /// # Errors
    /// Why it cannot be one.
    pub fn new(text: &str) -> Result<GuestName, NameError> {
        let text = text.trim();
        match text.chars().count() {
            0 => Err(NameError::Empty),
            1..=MOST_CHARACTERS if text.chars().any(is_invisible) => Err(NameError::Invisible),
            1..=MOST_CHARACTERS => Ok(GuestName(text.to_owned())),
            _ => Err(NameError::TooLong),
        }
    }

    /// A name for somebody who gave none; any number makes one.
    pub fn numbered(number: u32) -> GuestName {
        GuestName(format!("Guest {:05}", number % 100_000))
    }
}

impl fmt::Display for GuestName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Control characters, and the format characters of Unicode that are not seen themselves: soft hyphen, zero-width
/// spaces and joiners, direction marks and overrides, word joiner and invisible operators, byte order mark, tags,
/// and the Hangul fillers.
fn is_invisible(character: char) -> bool {
    let code = character as u32;
    let format = matches!(code,
        0xAD | 0x34F | 0x61C | 0x115F..=0x1160 | 0x17B4..=0x17B5 | 0x180B..=0x180F | 0x200B..=0x200F
        | 0x2028..=0x202E | 0x2060..=0x206F | 0x3164 | 0xFE00..=0xFE0F | 0xFEFF | 0xFFA0 | 0xFFF0..=0xFFFB
        | 0xE0000..=0xE0FFF);
    character.is_control() || format
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_any_script_are_kept() {
        for text in ["Aki", "柯洁 九段", "신진서", "a[3k]\\", "<b>", "x"] {
            assert_eq!(
                GuestName::new(text).map(|name| name.to_string()).as_deref(),
                Ok(text)
            );
        }
        assert_eq!(
            GuestName::new("  Aki ").map(|name| name.to_string()).as_deref(),
            Ok("Aki")
        );
        assert_eq!(GuestName::numbered(123_456_789).to_string(), "Guest 56789");
    }

    #[test]
    fn empty_long_and_invisible_names_are_refused() {
        assert_eq!(GuestName::new("  "), Err(NameError::Empty));
        assert_eq!(GuestName::new(&"x".repeat(21)), Err(NameError::TooLong));
        for text in ["a\u{202e}b", "a\nb", "a\0", "\u{200b}", "a\u{feff}b", "\u{3164}"] {
            assert_eq!(GuestName::new(text), Err(NameError::Invisible), "{text:?}");
        }
    }
}
