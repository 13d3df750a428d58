//! What a player wants of others and of the server (P5).

use crate::wire;
use serde::{Deserialize, Serialize};

/// A player's preferences.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preferences {
    /// Who may challenge him.
    pub challenges_from: ChallengesFrom,
    /// Whether the chat of those who watch is hidden from him.
    pub hide_spectator_chat: bool,
    /// The language that he reads; `None` if he has not said.
    pub language: Option<Language>,
}

/// Who may challenge a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChallengesFrom {
    /// Everybody.
    #[default]
    Anyone,
    /// Accounts only.
    Accounts,
    /// Nobody.
    Nobody,
}

/// The name of a language in the form of BCP 47: `en`, `pt-BR`, `zh-Hant-TW`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct Language(String);

/// A text that is no language's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a language is named as in BCP 47, such as en, pt-BR or zh-Hant-TW")]
pub struct LanguageError;

/// What is to be different: a field that is left out stays.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct PreferencesChange {
    challenges_from: Option<ChallengesFrom>,
    hide_spectator_chat: Option<bool>,
    /// Twice optional: left out, and `null`, which forgets the language.
    #[serde(default, deserialize_with = "wire::given")]
    language: Option<Option<Language>>,
}

impl PreferencesChange {
    /// Who may challenge him from now on, if that is to be different.
    pub fn challenges_from(&self) -> Option<ChallengesFrom> {
        self.challenges_from
    }

    /// Whether the chat of those who watch is hidden from now on, if that is to be different.
    pub fn hide_spectator_chat(&self) -> Option<bool> {
        self.hide_spectator_chat
    }

    /// Which language he reads from now on, or none, if that is to be different.
    pub fn language(&self) -> Option<Option<&Language>> {
        self.language.as_ref().map(Option::as_ref)
    }
}

impl Preferences {
    /// The preferences after a change.
    pub fn changed(self, change: PreferencesChange) -> Preferences {
        Preferences {
            challenges_from: change.challenges_from.unwrap_or(self.challenges_from),
            hide_spectator_chat: change.hide_spectator_chat.unwrap_or(self.hide_spectator_chat),
            language: change.language.unwrap_or(self.language),
        }
    }
}

impl Language {
    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl ChallengesFrom {
    /// The name on the wire and in rows.
    pub fn as_str(self) -> &'static str {
        match self {
            ChallengesFrom::Anyone => "anyone",
            ChallengesFrom::Accounts => "accounts",
            ChallengesFrom::Nobody => "nobody",
        }
    }
}

impl TryFrom<String> for Language {
    type Error = LanguageError;

    fn try_from(text: String) -> Result<Language, LanguageError> {
        let mut parts = text.split('-');
        let first = parts.next().is_some_and(|part| {
            (2..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphabetic())
        });
        let rest = parts.all(|part| {
            (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
        });
        match first && rest && text.len() <= 35 {
            true => Ok(Language(text)),
            false => Err(LanguageError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::decode;
    use serde_json::json;

    #[test]
    fn p5_a_change_leaves_what_it_does_not_name() {
        let change = |value| decode::<PreferencesChange>(value).expect("a change");
        let begun = Preferences::default().changed(change(
            json!({"language": "pt-BR", "challenges_from": "accounts"}),
        ));
        let kept = begun.clone().changed(change(json!({})));
        assert_eq!(kept, begun);
        let hidden = begun.changed(change(json!({"hide_spectator_chat": true, "language": null})));
        assert_eq!(
            serde_json::to_value(hidden).expect("serialises"),
            json!({"challenges_from": "accounts", "hide_spectator_chat": true, "language": null})
        );
    }

    #[test]
    fn p5_what_is_no_preference_is_refused_by_field() {
        for (value, field) in [
            (json!({"language": "a"}), "language"),
            (json!({"language": "en_US"}), "language"),
            (json!({"language": "<script>"}), "language"),
            (json!({"language": 7}), "language"),
            (json!({"challenges_from": "friends"}), "challenges_from"),
            (json!({"hide_spectator_chat": "yes"}), "hide_spectator_chat"),
            (json!({"theme": "dark"}), "theme"),
        ] {
            let error = decode::<PreferencesChange>(value.clone()).expect_err("refused");
            assert_eq!(error.field, field, "{value}");
        }
    }
}
