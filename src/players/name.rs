//! The names of guests and accounts.

use super::language;
use super::shape::{composed, normalized, shapes, without_case};
use crate::game::{PlayerId, is_invisible};
use std::fmt;

/// The most characters of a name.
const MOST_CHARACTERS: usize = 20;

/// The fewest characters of an account's name.
const LEAST_OF_ACCOUNT: usize = 2;

/// Names that would speak for the server. Compared by their shape.
const RESERVED: [&str; 8] = [
    "admin",
    "administrator",
    "computer",
    "deleted",
    "hoshi",
    "moderator",
    "operator",
    "system",
];

/// What guests are called who gave no name, before a number. No account is called so, with a number or without.
const NUMBERED: &str = "Guest";

/// How many digits that number has.
const DIGITS: usize = 5;

/// How many code points a character has at most when it is written in parts, as Unicode's form NFD does: a longer text is no name.
const MOST_PARTS: usize = 4;

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
        if text.chars().count() > MOST_CHARACTERS * MOST_PARTS {
            return Err(NameError::TooLong);
        }
        let text = composed(text);
        match text.chars().count() {
            0 => return Err(NameError::Empty),
            1..=MOST_CHARACTERS => {}
            _ => return Err(NameError::TooLong),
        }
        if text.chars().any(is_unfit) {
            return Err(NameError::Invisible);
        }
        let shape = shapes(&text);
        if shapes(DELETED_NAME).iter().any(|deleted| shape.contains(deleted)) || speaks_for_the_server(&shape)
        {
            return Err(NameError::Reserved);
        }
        if !language::is_clean(&text) {
            return Err(NameError::Language);
        }
        Ok(GuestName(text))
    }

    /// A name for somebody who gave none; any number makes one.
    pub fn numbered(number: u32) -> GuestName {
        GuestName(format!("{NUMBERED} {:0DIGITS$}", number % 100_000))
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
        if text.chars().count() > MOST_CHARACTERS * MOST_PARTS {
            return Err(NameError::TooLong);
        }
        if text.chars().any(is_unfit) {
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
        let short = text.chars().count() <= MOST_CHARACTERS * MOST_PARTS;
        let normalized = short.then(|| normalized(text))?;
        let fits = normalized.chars().count() <= MOST_CHARACTERS;
        fits.then(|| without_case(&normalized))
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
        speaks_for_the_server(&own) || is_numbered(&own) || PlayerId::try_from(self.key.clone()).is_ok()
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

/// Whether a name of these shapes looks like one that would speak for the server.
fn speaks_for_the_server(own: &[String]) -> bool {
    let taken = |reserved: &str| shapes(reserved).iter().any(|shape| own.contains(shape));
    RESERVED.iter().any(|reserved| taken(reserved))
}

/// Whether a name of these shapes looks like those that guests are given, or like their beginning.
fn is_numbered(own: &[String]) -> bool {
    let begins = shapes(NUMBERED);
    let digits: Vec<char> = shapes("0123456789")
        .iter()
        .flat_map(|shape| shape.chars())
        .collect();
    own.iter().any(|shape| {
        let rest = begins.iter().find_map(|begin| shape.strip_prefix(begin.as_str()));
        let numbered =
            |rest: &str| rest.chars().count() == DIGITS && rest.chars().all(|digit| digits.contains(&digit));
        rest.is_some_and(|rest| rest.is_empty() || numbered(rest))
    })
}

/// What no name has: control characters, what is not seen, and what separates lines, turns the direction of the text or annotates it.
fn is_unfit(character: char) -> bool {
    let commands = matches!(character as u32, 0x2028..=0x202E | 0xFFF0..=0xFFFB);
    character.is_control() || is_invisible(character) || commands
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
    fn p2_a_character_that_is_written_in_parts_is_one() {
        use unicode_normalization::UnicodeNormalization;
        for whole in ["é".repeat(20), "ệ".repeat(20), "각".repeat(20), "ǖ".repeat(20)] {
            let parts: String = whole.nfd().collect();
            assert!(parts.chars().count() > 20);
            assert_eq!(account(&parts), Ok(whole.clone()), "{whole}");
            assert_eq!(guest(&parts), Ok(whole.clone()), "{whole}");
            assert_eq!(AccountName::key_of(&parts), AccountName::key_of(&whole));
            let longer = format!("{parts}é");
            assert_eq!(account(&longer), Err(NameError::TooLong));
            assert_eq!(guest(&longer), Err(NameError::TooLong));
        }
    }

    #[test]
    fn x5_no_name_has_what_leaves_nothing_to_be_seen() {
        // Whatever chat takes for nothing, names do not have; and no more than that may pass for a name.
        for character in (0..=0x10_FFFFu32)
            .filter_map(char::from_u32)
            .filter(|&each| is_invisible(each))
        {
            for text in [format!("a{character}b"), character.to_string()] {
                assert_eq!(guest(&text), Err(NameError::Invisible), "{text:?}");
                assert_eq!(account(&text), Err(NameError::Invisible), "{text:?}");
            }
        }
        assert!(is_invisible('\u{2800}'), "the empty Braille pattern");
    }

    #[test]
    fn p2_guests_do_not_speak_for_the_server() {
        for text in [
            "Operator",
            "0perat0r",
            "Computer",
            "HOSHI",
            "ｈｏｓｈｉ",
            "Admin",
            "System",
            "mod-erator",
        ] {
            assert_eq!(guest(text), Err(NameError::Reserved), "{text}");
        }
        for text in ["Guest", "Admiral", "The operator's cat"] {
            assert_eq!(guest(text).as_deref(), Ok(text));
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
            ("guest", NameError::Reserved),
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

        /// Whoever gives no name gets one, whatever accounts there are.
        #[test]
        fn prop_no_account_looks_like_a_guest_without_a_name(number: u32, separator in "[-_]?") {
            let numbered = GuestName::numbered(number);
            let text = numbered.to_string().replace(' ', &separator);
            prop_assert_eq!(account(&text), Err(NameError::Reserved));
            prop_assert_eq!(account(&text.to_uppercase().replace('0', "O").replace('1', "I")), Err(NameError::Reserved));
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
