//! What is fit for all to read: the words of names, of chat and of reasons that others read. The judge is a library; this is the one place that
//! says how strict it is.

use rustrict::{Censor, Type};

/// Whether the filter has nothing against a text. Mild words pass, and so does what is only said often or loudly. Of sexual words only
/// the worst count: the others are parts of too many surnames.
pub fn is_clean(text: &str) -> bool {
    Censor::from_str(text).analyze().isnt(unfit())
}

/// What the filter has something against.
fn unfit() -> Type {
    let insult = (Type::PROFANE | Type::OFFENSIVE) & Type::MODERATE_OR_HIGHER;
    insult | (Type::SEXUAL & Type::SEVERE)
}

/// A text with stars in the place of what the filter has something against: of each word all but its first letter, or all of it if it
/// is the worst. A text against which it has nothing stays as it is, to the last character; another loses its accents, too.
pub fn masked(text: &str) -> String {
    if is_clean(text) {
        return text.to_owned();
    }
    let mut censor = Censor::from_str(text);
    censor.with_censor_threshold(unfit());
    censor.censor()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `docs/api.md` says of the filter.
    #[test]
    fn s1_what_the_filter_sees_through_and_what_it_misses() {
        for (text, shown) in [
            ("you fuck", "you f***"),
            ("FuCk", "F***"),
            // Letters drawn out, apart, of another script or style, or with a sign or a digit in their place.
            ("fuuuuck", "f******"),
            ("nice f_u_c_k game", "nice f****** game"),
            ("f\u{fc}ck", "f***"),
            ("f\u{57d}ck", "f***"),
            ("\u{ff46}\u{ff55}\u{ff43}\u{ff4b}", "\u{ff46}***"),
            ("f*ck", "f***"),
            ("b!tch", "b****"),
            ("sh1t", "s***"),
            ("fu\u{200b}ck", "f****"),
            // The worst words go as a whole.
            ("n1gger", "******"),
        ] {
            assert_eq!(masked(text), shown, "{text:?}");
        }
        // Words written backwards, mild ones, and most of other languages than English.
        for missed in ["kcuf", "idiot", "scheisse", "씨발", "死ね"] {
            assert_eq!(masked(missed), missed);
        }
    }

    #[test]
    fn s1_what_is_clean_stays_as_it_is_to_the_last_character() {
        for text in [
            "Scunthorpe",
            "atari, assassin!",
            "thành phố",
            "हिन्दी",
            "👨‍👩‍👧",
            "한국어",
            "ﬁne e\u{301}",
        ] {
            assert_eq!(masked(text), text);
        }
        // Beside what is masked, too, but for accents.
        for kept in ["ナイス 碁", "한국어", "👨‍👩‍👧"] {
            assert_eq!(masked(&format!("{kept} fuck")), format!("{kept} f***"));
        }
    }

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
