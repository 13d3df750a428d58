//! Names of tables, players, searches and challenges, and the secret in an invite link. Made from random bytes that the caller brings.

use serde::{Deserialize, Serialize};
use std::fmt;
use subtle::ConstantTimeEq;

/// Digits and lower-case letters without the ones that look alike (Crockford's base 32): five bits a letter.
const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// The letters in an id: 80 bits, so that ids never meet by chance.
const ID_LETTERS: usize = 16;

/// The letters in an invite's secret: 130 bits, so that it cannot be guessed (T2).
const SECRET_LETTERS: usize = 26;

/// Random bytes for one id.
pub type IdSeed = [u8; ID_LETTERS];

/// Random bytes for one invite.
pub type InviteSeed = [u8; SECRET_LETTERS];

/// A text that is not of the form asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not the form of an id")]
pub struct IdError;

fn letters(seed: &[u8]) -> String {
    seed.iter()
        .map(|byte| LETTERS[(byte % 32) as usize] as char)
        .collect()
}

fn is_letters(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|byte| LETTERS.contains(&byte))
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String")]
        pub struct $name(String);

        impl $name {
            /// The id that these random bytes spell.
            pub fn from_seed(seed: IdSeed) -> $name {
                $name(letters(&seed))
            }

            /// The id as it stands in addresses.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = IdError;

            fn try_from(text: String) -> Result<$name, IdError> {
                if is_letters(&text, ID_LETTERS) { Ok($name(text)) } else { Err(IdError) }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

id! {
    /// Which table.
    TableId
}

id! {
    /// Which player, guest or account, for good: a guest keeps it when he becomes an account.
    PlayerId
}

id! {
    /// Which search for an opponent.
    SearchId
}

id! {
    /// Which challenge.
    ChallengeId
}

id! {
    /// Which appeal.
    AppealId
}

id! {
    /// Which report.
    ReportId
}

id! {
    /// Which entry of the operators' log.
    EntryId
}

/// What an invite link carries: the table and a secret that opens it (T2). On the wire `TABLE-SECRET`.
///
/// Two codes are compared in constant time, so that a wrong one does not tell how nearly right it was.
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct InviteCode {
    table: TableId,
    secret: String,
}

impl InviteCode {
    /// The code for a table with the secret that these random bytes spell.
    pub fn new(table: TableId, seed: InviteSeed) -> InviteCode {
        InviteCode {
            table,
            secret: letters(&seed),
        }
    }

    /// The table that the code opens.
    pub fn table(&self) -> &TableId {
        &self.table
    }
}

impl PartialEq for InviteCode {
    fn eq(&self, other: &InviteCode) -> bool {
        self.table == other.table && bool::from(self.secret.as_bytes().ct_eq(other.secret.as_bytes()))
    }
}

impl Eq for InviteCode {}

impl TryFrom<String> for InviteCode {
    type Error = IdError;

    fn try_from(text: String) -> Result<InviteCode, IdError> {
        let (table, secret) = text.split_once('-').ok_or(IdError)?;
        if !is_letters(secret, SECRET_LETTERS) {
            return Err(IdError);
        }
        Ok(InviteCode {
            table: table.to_owned().try_into()?,
            secret: secret.to_owned(),
        })
    }
}

impl From<InviteCode> for String {
    fn from(code: InviteCode) -> String {
        code.to_string()
    }
}

impl fmt::Display for InviteCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.table, self.secret)
    }
}

/// Without the secret, so that no log line can give it away.
impl fmt::Debug for InviteCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "InviteCode({}-…)", self.table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t2_an_invite_reads_back_and_only_the_same_one_is_equal() {
        let table = TableId::from_seed([7; 16]);
        let code = InviteCode::new(table.clone(), [200; 26]);
        assert_eq!(InviteCode::try_from(code.to_string()), Ok(code.clone()));
        assert_ne!(code, InviteCode::new(table, [201; 26]));
        assert!(!format!("{code:?}").contains(&code.secret));
    }

    #[test]
    fn ids_of_another_form_are_refused() {
        for text in [
            "",
            "short",
            "0123456789abcdei",
            "0123456789ABCDEF",
            "0123456789abcdef0",
            "../../etc/passwd",
        ] {
            assert_eq!(TableId::try_from(text.to_owned()), Err(IdError), "{text:?}");
        }
        for text in [
            "",
            "-",
            "0123456789abcdef",
            "0123456789abcdef-",
            "0123456789abcdef-0",
        ] {
            assert!(InviteCode::try_from(text.to_owned()).is_err(), "{text:?}");
        }
    }
}
