//! What people write: one line of chat, and reasons.

use serde::{Deserialize, Serialize};

/// The most characters of a line of chat (S1).
pub const LONGEST_CHAT: usize = 300;

/// The most characters of a reason: enough to name a group and say what is wrong with it.
pub const LONGEST_REASON: usize = 1000;

/// What stands for words of which a filter leaves nothing.
const MASKED: &str = "***";

/// A line of chat: 1 to [`LONGEST_CHAT`] characters on one line, at least one of them to be seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct ChatText(String);

/// A reason, or a note: 1 to [`LONGEST_REASON`] characters, in lines if need be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct Reason(String);

/// Why a text is none of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WordsError {
    /// There is nothing to be seen.
    #[error("there is nothing in it")]
    Empty,
    /// It is too long.
    #[error("it has more than {0} characters")]
    TooLong(usize),
    /// A character that commands instead of saying something.
    #[error("it has a control character")]
    Control,
}

impl ChatText {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The same line with other words, as a filter leaves it: cut if it has become too long, and `***` if nothing of
    /// it is left. The words that were to go never stay.
    pub fn rewritten(self, text: String) -> ChatText {
        match text == self.0 {
            true => self,
            false => {
                ChatText::try_from(cut(&text, LONGEST_CHAT)).unwrap_or_else(|_| ChatText(MASKED.to_owned()))
            }
        }
    }
}

impl Reason {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The same with other words, as a filter leaves it; as [`ChatText::rewritten`].
    pub fn rewritten(self, text: String) -> Reason {
        match text == self.0 {
            true => self,
            false => {
                Reason::try_from(cut(&text, LONGEST_REASON)).unwrap_or_else(|_| Reason(MASKED.to_owned()))
            }
        }
    }
}

impl TryFrom<String> for ChatText {
    type Error = WordsError;

    fn try_from(text: String) -> Result<ChatText, WordsError> {
        check(&text, LONGEST_CHAT, char::is_control).map(|text| ChatText(text.to_owned()))
    }
}

impl TryFrom<String> for Reason {
    type Error = WordsError;

    fn try_from(text: String) -> Result<Reason, WordsError> {
        let forbidden = |character: char| character.is_control() && character != '\n';
        check(&text, LONGEST_REASON, forbidden).map(|text| Reason(text.to_owned()))
    }
}

/// As much of a text as has room.
fn cut(text: &str, most: usize) -> String {
    text.trim().chars().take(most).collect()
}

fn check(text: &str, most: usize, forbidden: impl Fn(char) -> bool) -> Result<&str, WordsError> {
    let text = text.trim();
    if text.chars().count() > most {
        return Err(WordsError::TooLong(most));
    }
    if text
        .chars()
        .any(|character| forbidden(character) || turns_around(character))
    {
        return Err(WordsError::Control);
    }
    match text
        .chars()
        .all(|character| character.is_whitespace() || is_invisible(character))
    {
        true => Err(WordsError::Empty),
        false => Ok(text),
    }
}

/// Whether a character changes the direction of what comes after it, beyond its own text (UAX #9).
fn turns_around(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Whether a character leaves nothing to be seen: soft hyphen, zero-width spaces and joiners, direction marks, invisible operators, byte
/// order mark, tags, Hangul fillers, the empty Braille pattern. Inside of a text it may join others, as in many emoji.
pub fn is_invisible(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chat(text: &str) -> Result<String, WordsError> {
        ChatText::try_from(text.to_owned()).map(|text| text.0)
    }

    #[test]
    fn s1_a_line_has_up_to_three_hundred_characters_of_any_script() {
        for text in [
            "a",
            "よろしくお願いします",
            "안녕하세요",
            "👨‍👩‍👧 hi",
            "שלום",
            &"碁".repeat(300),
        ] {
            assert_eq!(chat(text).as_deref(), Ok(text));
        }
        assert_eq!(chat("  well played \n"), Ok("well played".to_owned()));
        assert_eq!(chat(&"碁".repeat(301)), Err(WordsError::TooLong(300)));
    }

    #[test]
    fn x5_nothing_to_see_and_control_characters_are_refused() {
        for text in ["", "   ", "\u{200b}\u{feff}", "\u{3164}", "\n\n"] {
            assert_eq!(chat(text), Err(WordsError::Empty), "{text:?}");
        }
        for text in ["a\u{0}b", "a\nb", "\u{1b}[2J", "abc\u{202e}def", "\u{7f}x"] {
            assert_eq!(chat(text), Err(WordsError::Control), "{text:?}");
        }
        let reason = |text: &str| Reason::try_from(text.to_owned()).map(|reason| reason.0);
        assert_eq!(
            reason("D4 is alive.\nIt has two eyes."),
            Ok("D4 is alive.\nIt has two eyes.".to_owned())
        );
        assert_eq!(reason("a\tb"), Err(WordsError::Control));
        assert_eq!(reason(&"x".repeat(1001)), Err(WordsError::TooLong(1000)));
    }

    #[test]
    fn s1_what_a_filter_leaves_takes_the_place_of_what_it_was_given_whatever_it_looks_like() {
        let line = |text: &str| ChatText::try_from(text.to_owned()).expect("a line");
        let reason = |text: &str| Reason::try_from(text.to_owned()).expect("a reason");
        for (left, shown) in [
            ("you f***", "you f***".to_owned()),
            ("as it was", "as it was".to_owned()),
            (&"a".repeat(5000), "a".repeat(LONGEST_CHAT)),
            ("", MASKED.to_owned()),
            (" \u{200b} ", MASKED.to_owned()),
            ("a\u{0}", MASKED.to_owned()),
            (
                &format!("  {} end", "a ".repeat(400)),
                "a ".repeat(150).trim().to_owned(),
            ),
        ] {
            assert_eq!(
                line("as it was").rewritten(left.to_owned()).as_str(),
                shown,
                "{left:?}"
            );
            let of_reason = reason("as it was").rewritten(left.to_owned());
            assert!(of_reason.as_str().starts_with(&shown), "{left:?}");
            assert!(of_reason.as_str().chars().count() <= LONGEST_REASON);
        }
    }

    #[test]
    fn s1_a_text_that_grows_under_the_filter_is_masked_all_the_same() {
        // Each of these is three characters once the filter has taken it apart.
        let notes = "\u{1d160}";
        for (count, words) in [
            (1, "fuck you"),
            (98, "fuck you"),
            (290, "fuck you"),
            (295, "fuck"),
        ] {
            let text = format!("{} {words}", notes.repeat(count));
            let line = ChatText::try_from(text.clone()).expect("a line");
            let shown = line.rewritten(crate::players::masked(&text));
            assert!(!shown.as_str().contains("fuck"), "{count}: {}", shown.as_str());
            assert!(shown.as_str().chars().count() <= LONGEST_CHAT);
            let reason = Reason::try_from(text.repeat(3)).expect("a reason");
            let shown = reason.rewritten(crate::players::masked(&text.repeat(3)));
            assert!(!shown.as_str().contains("fuck"), "{count}");
        }
    }
}
