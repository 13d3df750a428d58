//! What is fit for all to read: the words of names, later of chat. The judge is a library; this is the one place that
//! says how strict it is.

use rustrict::{Censor, Type};

/// Whether the filter has nothing against a text. Mild words pass, and so does what is only said often or loudly. Of sexual words only
/// the worst count: the others are parts of too many surnames.
pub fn is_clean(text: &str) -> bool {
    let found = Censor::from_str(text).analyze();
    let insult = (Type::PROFANE | Type::OFFENSIVE) & Type::MODERATE_OR_HIGHER;
    found.isnt(insult) && found.isnt(Type::SEXUAL & Type::SEVERE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s1_insults_are_found_and_games_talk_is_not() {
        for text in ["you f u c k", "bitch", "n1gger"] {
            assert!(!is_clean(text), "{text}");
        }
        for text in [
            "nice game, thank you",
            "dead in gote",
            "hane at the head of two stones",
            "よろしくお願いします",
            "공배",
        ] {
            assert!(is_clean(text), "{text}");
        }
    }
}
