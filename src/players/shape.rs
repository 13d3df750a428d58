//! What a name looks like: names that a reader could take for one another share a shape.
//!
//! Two forms of a name are reduced to the skeleton of Unicode Technical Standard 39 ("confusable detection"): the one in
//! capitals and the one in small letters, since look-alikes come in both (`I` and `l`, but `а` and `a`). Two names look alike
//! if they share either.

use unicode_normalization::UnicodeNormalization;
use unicode_security::skeleton;

/// A text in one form: characters that are only variants of others replaced by these (NFKC).
pub(super) fn normalized(text: &str) -> String {
    text.nfkc().collect()
}

/// A text whose characters are not written in parts where there is one for the whole (NFC).
pub(super) fn composed(text: &str) -> String {
    text.nfc().collect()
}

/// The text without case. Capitals first, so that `ß` and `SS`, `ς` and `Σ` meet.
pub(super) fn without_case(text: &str) -> String {
    normalized(&text.to_uppercase().to_lowercase())
}

/// The shapes of a name: two, or one if they are the same.
pub fn shapes(name: &str) -> Vec<String> {
    let folded = without_case(&normalized(name));
    let of_capitals = reduced(&folded.to_uppercase());
    let of_small = reduced(&folded);
    if of_capitals == of_small {
        vec![of_small]
    } else {
        vec![of_capitals, of_small]
    }
}

/// The skeleton, without case and without what only joins or separates.
fn reduced(text: &str) -> String {
    let skeleton: String = skeleton(text).collect();
    let letters = skeleton
        .chars()
        .filter(|character| !matches!(character, '-' | '_' | ' ' | '.'));
    without_case(&letters.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn alike(one: &str, other: &str) -> bool {
        let others = shapes(other);
        shapes(one).iter().any(|shape| others.contains(shape))
    }

    #[test]
    fn p2_names_that_look_alike_share_a_shape() {
        for (one, other) in [
            ("Paul", "paul"),
            ("Paul", "PauI"),
            ("Paul", "Pau1"),
            ("Paul", "Раul"), // Cyrillic Er and a
            ("Otto", "0tt0"),
            ("Groß", "GROSS"),
            ("Aki", "Ａｋｉ"), // full width
            ("café", "cafe\u{301}"),
            ("ΣΊΣΥΦΟΣ", "σίσυφος"),
            ("go-player", "go_player"),
            ("go-player", "goplayer"),
            ("柯洁", "柯洁"),
        ] {
            assert!(
                alike(one, other),
                "{one} {other}: {:?} {:?}",
                shapes(one),
                shapes(other)
            );
        }
    }

    #[test]
    fn p2_names_that_differ_have_different_shapes() {
        for (one, other) in [
            ("Paul", "Paula"),
            ("Aki", "Ako"),
            ("신진서", "신민준"),
            ("柯洁", "柯结"),
            ("a", "b"),
        ] {
            assert!(!alike(one, other), "{one} {other}");
        }
    }
}
