//! The names of guests and accounts.

use super::language;
use super::shape::{normalized, shapes, without_case};
use crate::game::PlayerId;
use std::fmt;

/// The most characters of a name.
const MOST_CHARACTERS: usize = 20;

/// The fewest characters of an account's name.
const LEAST_OF_ACCOUNT: usize = 2;

/// Names that would speak for the server. Compared by their shape.
const RESERVED: [&str; 9] = [
    "admin",
    "administrator",
    "computer",
    "deleted",
    "guest",
    "hoshi",
    "moderator",
    "operator",
    "system",
];

/// What a deleted account is called in the games that stay (P4). No name that somebody chooses looks like it.
pub const DELETED_NAME: &str = "(deleted)";

/// A guest's name: 1 to 20 characters, none of them invisible. Not unique.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuestName(String);

/// An account's name: 2 to 20 letters, digits, `_` and `-` of any script (P2). Kept in Unicode's form NFKC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountName {
    text: String,
    key: String,
}

/// A text that cannot be a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// Nothing but spaces.
    #[error("a name has at least one character")]
    Empty,
    /// Fewer characters than an account's name has.
    #[error("an account's name has at least {LEAST_OF_ACCOUNT} characters")]
    TooShort,
    /// More than it may have.
    #[error("a name has at most {MOST_CHARACTERS} characters")]
    TooLong,
    /// A character that cannot be seen, or that turns the direction of the text around it.
    #[error("a name has no control or invisible characters")]
    Invisible,
    /// A character that only guests' names may have.
    #[error("an account's name has letters, digits, \"_\" and \"-\" only, and begins with a letter or digit")]
    NotALetter,
    /// A name that would speak for the server, or could be taken for an id.
    #[error("that name is reserved")]
    Reserved,
    /// The language filter objects.
    #[error("that name is not fit for all to read")]
    Language,
}

impl GuestName {
    /// Reads a name; spaces around it are dropped.
    ///
    /// # Errors
    /// Why it cannot be one.
    pub fn new(text: &str) -> Result<GuestName, NameError> {
        let text = text.trim();
        match text.chars().count() {
            0 => return Err(NameError::Empty),
            1..=MOST_CHARACTERS => {}
            _ => return Err(NameError::TooLong),
        }
        if text.chars().any(is_invisible) {
            return Err(NameError::Invisible);
        }
        let shape = shapes(text);
        if shapes(DELETED_NAME).iter().any(|deleted| shape.contains(deleted)) {
            return Err(NameError::Reserved);
        }
        if !language::is_clean(text) {
            return Err(NameError::Language);
        }
        Ok(GuestName(text.to_owned()))
    }

    /// A name for somebody who gave none; any number makes one.
    pub fn numbered(number: u32) -> GuestName {
        GuestName(format!("Guest {:05}", number % 100_000))
    }

    /// What it looks like: no account's name may share one of these.
    pub fn shapes(&self) -> Vec<String> {
        shapes(&self.0)
    }
}

impl fmt::Display for GuestName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AccountName {
    /// Reads a name.
    ///
    /// # Errors
    /// Why it cannot be one.
    pub fn new(text: &str) -> Result<AccountName, NameError> {
        // Before anything else is done with it: normalising can make a text eighteen times as long.
        if text.chars().count() > MOST_CHARACTERS {
            return Err(NameError::TooLong);
        }
        if text.chars().any(is_invisible) {
            return Err(NameError::Invisible);
        }
        let text = normalized(text);
        match text.chars().count() {
            0 => return Err(NameError::Empty),
            count if count < LEAST_OF_ACCOUNT => return Err(NameError::TooShort),
            count if count > MOST_CHARACTERS => return Err(NameError::TooLong),
            _ => {}
        }
        let begins = text.chars().next().is_some_and(char::is_alphanumeric);
        if !begins || !text.chars().all(is_of_names) {
            return Err(NameError::NotALetter);
        }
        let name = AccountName {
            key: without_case(&text),
            text,
        };
        if name.is_reserved() {
            return Err(NameError::Reserved);
        }
        if !language::is_clean(&name.text) {
            return Err(NameError::Language);
        }
        Ok(name)
    }

    /// The name as it stands in the index of names, for a text that may be none at all.
    pub fn key_of(text: &str) -> Option<String> {
        let short = text.chars().count() <= MOST_CHARACTERS;
        short.then(|| without_case(&normalized(text)))
    }

    /// The name without case, by which he signs in and is found.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// What it looks like: no two accounts share one of these.
    pub fn shapes(&self) -> Vec<String> {
        shapes(&self.text)
    }

    fn is_reserved(&self) -> bool {
        let own = self.shapes();
        let taken = |reserved: &str| shapes(reserved).iter().any(|shape| own.contains(shape));
        RESERVED.iter().any(|reserved| taken(reserved)) || PlayerId::try_from(self.key.clone()).is_ok()
    }
}

impl fmt::Display for AccountName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Letters and digits of any script, the marks that some scripts write them with, `_` and `-`.
fn is_of_names(character: char) -> bool {
    let mark = unicode_normalization::char::is_combining_mark(character);
    character.is_alphanumeric() || mark || matches!(character, '_' | '-')
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
    use proptest::prelude::*;

    fn guest(text: &str) -> Result<String, NameError> {
        GuestName::new(text).map(|name| name.to_string())
    }

    fn account(text: &str) -> Result<String, NameError> {
        AccountName::new(text).map(|name| name.to_string())
    }

    #[test]
    fn names_of_any_script_are_kept() {
        for text in ["Aki", "柯洁 九段", "신진서", "a[3k]\\", "<b>", "x"] {
            assert_eq!(guest(text).as_deref(), Ok(text));
        }
        assert_eq!(guest("  Aki ").as_deref(), Ok("Aki"));
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

    #[test]
    fn p2_accounts_have_letters_digits_and_two_signs_of_any_script() {
        for text in [
            "Aki",
            "go_player-9",
            "柯洁九段",
            "신진서",
            "Лев",
            "खेल",
            "かな",
            "ab",
            &"x".repeat(20),
        ] {
            assert_eq!(account(text).as_deref(), Ok(text));
        }
        for (text, why) in [
            ("", NameError::Empty),
            ("a", NameError::TooShort),
            (&*"x".repeat(21), NameError::TooLong),
            ("a b", NameError::NotALetter),
            ("a'; drop table players; --", NameError::TooLong),
            ("a';drop--", NameError::NotALetter),
            ("<script>", NameError::NotALetter),
            ("-aki", NameError::NotALetter),
            ("__", NameError::NotALetter),
            ("a🎉", NameError::NotALetter),
            ("a\u{200d}b", NameError::Invisible),
            ("a\u{202e}b", NameError::Invisible),
            ("Operator", NameError::Reserved),
            ("0perat0r", NameError::Reserved),
            ("ｈｏｓｈｉ", NameError::Reserved),
            ("0123456789abcdef", NameError::Reserved),
        ] {
            assert_eq!(account(text), Err(why), "{text:?}");
        }
    }

    #[test]
    fn p2_a_name_is_one_whatever_its_case_or_form() {
        assert_eq!(account("Ａｋｉ").as_deref(), Ok("Aki"));
        let key = |text: &str| AccountName::new(text).map(|name| name.key().to_owned());
        assert_eq!(key("AKI"), key("aki"));
        assert_eq!(key("Groß"), key("GROSS"));
        assert_ne!(key("PauI"), key("Paul"), "looking alike is not being the same");
        assert_eq!(AccountName::key_of("AKI"), key("aki").ok());
        assert_eq!(AccountName::key_of(&"x".repeat(1000)), None);
    }

    #[test]
    fn p2_the_language_filter_applies_to_names() {
        for text in ["fuck_you", "FuCk", "sh1thead"] {
            assert_eq!(account(text), Err(NameError::Language), "{text}");
            assert_eq!(guest(text), Err(NameError::Language), "{text}");
        }
        for text in ["Scunthorpe", "Essex", "Takemiya", "Cho_Chikun", "Dickens"] {
            assert_eq!(account(text).as_deref(), Ok(text));
        }
    }

    #[test]
    fn p4_nobody_is_called_as_deleted_players_are() {
        assert_eq!(guest(DELETED_NAME), Err(NameError::Reserved));
        assert_eq!(account("deleted"), Err(NameError::Reserved));
    }

    proptest! {
        #[test]
        fn prop_any_text_is_a_name_or_is_refused(text in "\\PC{0,30}") {
            if let Ok(name) = AccountName::new(&text) {
                prop_assert_eq!(AccountName::key_of(&text), Some(name.key().to_owned()));
                prop_assert_eq!(AccountName::new(&name.to_string()), Ok(name.clone()));
                prop_assert!(!name.shapes().is_empty());
            }
            let _ = GuestName::new(&text);
        }

        #[test]
        fn prop_a_name_in_another_case_is_the_same_name(text in "[a-zA-Z0-9äöüßéñçа-яΑ-Ω]{2,20}") {
            let other = text.to_lowercase();
            prop_assume!(other.chars().count() <= 20);
            if let (Ok(one), Ok(other)) = (AccountName::new(&text), AccountName::new(&other)) {
                prop_assert_eq!(one.key(), other.key());
                prop_assert_eq!(one.shapes(), other.shapes());
            }
        }
    }
}
