//! Passwords: Argon2id in PHC strings. The salt is an argument.

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};

/// The fewest characters of a password (P3).
const LEAST: usize = 10;

/// The most characters of a password (P3).
const MOST: usize = 128;

/// Random bytes that make equal passwords differ.
pub type Salt = [u8; 16];

/// A password as somebody typed it. Never shown, never kept.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

/// A password that cannot be one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a password has {LEAST} to {MOST} characters")]
pub struct PasswordError;

/// What a check of a password has shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checked {
    /// It is not the one.
    Wrong,
    /// It is the one.
    Right,
    /// It is the one, but hashed with less work than today: to be hashed again.
    RightButWeak,
}

/// How much work a hash is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    /// Memory, in KiB.
    pub memory: u32,
    /// Passes over it.
    pub passes: u32,
}

impl Work {
    /// OWASP's second choice for Argon2id (Password Storage Cheat Sheet, 2024): the least memory that still costs an
    /// attacker as much, which matters where a Worker has 128 MB.
    pub const TODAY: Work = Work {
        memory: 19_456,
        passes: 2,
    };

    fn hasher(self) -> Option<Argon2<'static>> {
        let params = Params::new(self.memory, self.passes, 1, None).ok()?;
        Some(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
    }
}

impl Password {
    /// Reads a password.
    ///
    /// # Errors
    /// When it is too short or too long.
    pub fn new(text: String) -> Result<Password, PasswordError> {
        match text.chars().count() {
            LEAST..=MOST => Ok(Password(text)),
            _ => Err(PasswordError),
        }
    }

    /// The hash that is kept: a PHC string. `None` if the library cannot make it, which is a fault of ours.
    pub fn hash(&self, work: Work, salt: &Salt) -> Option<String> {
        let hash = work.hasher()?.hash_password_with_salt(self.0.as_bytes(), salt);
        hash.ok().map(|hash| hash.to_string())
    }

    /// Whether it is the password that `stored` was made of. Without a stored hash it is wrong, after the same work: the time
    /// does not tell whether there is an account.
    pub fn check(&self, stored: Option<&str>, work: Work) -> Checked {
        let Some(stored) = stored.and_then(|stored| PasswordHash::new(stored).ok()) else {
            let _ = std::hint::black_box(self.hash(work, &[0; 16]));
            return Checked::Wrong;
        };
        // The library takes algorithm, work and salt from the stored hash, and compares in constant time.
        if Argon2::default()
            .verify_password(self.0.as_bytes(), &stored)
            .is_err()
        {
            return Checked::Wrong;
        }
        let params = Params::try_from(&stored);
        let enough =
            params.is_ok_and(|params| params.m_cost() >= work.memory && params.t_cost() >= work.passes);
        match enough {
            true => Checked::Right,
            false => Checked::RightButWeak,
        }
    }
}

/// Without the password, so that no log line can give it away.
impl std::fmt::Debug for Password {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Password(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Little enough that tests do not wait for it.
    const LITTLE: Work = Work {
        memory: 16,
        passes: 1,
    };
    const MORE: Work = Work {
        memory: 32,
        passes: 1,
    };

    fn password(text: &str) -> Password {
        Password::new(text.to_owned()).expect("long enough")
    }

    #[test]
    fn p3_a_password_has_10_to_128_characters() {
        assert_eq!(Password::new("x".repeat(9)), Err(PasswordError));
        assert_eq!(Password::new("x".repeat(129)), Err(PasswordError));
        assert!(Password::new("é".repeat(128)).is_ok());
        assert!(Password::new("x".repeat(10)).is_ok());
    }

    #[test]
    fn p3_only_the_password_itself_is_right() {
        let stored = password("correct horse").hash(LITTLE, &[7; 16]).expect("hashed");
        assert!(stored.starts_with("$argon2id$v=19$m=16,t=1,p=1$"), "{stored}");
        assert!(!stored.contains("horse"));
        assert_eq!(
            password("correct horse").check(Some(&stored), LITTLE),
            Checked::Right
        );
        for wrong in ["correct horse ", "Correct horse", "correct hors"] {
            assert_eq!(
                password(wrong).check(Some(&stored), LITTLE),
                Checked::Wrong,
                "{wrong}"
            );
        }
        assert_ne!(password("correct horse").hash(LITTLE, &[8; 16]), Some(stored));
    }

    #[test]
    fn p3_a_hash_of_less_work_is_to_be_made_again() {
        let stored = password("correct horse").hash(LITTLE, &[7; 16]).expect("hashed");
        assert_eq!(
            password("correct horse").check(Some(&stored), MORE),
            Checked::RightButWeak
        );
        assert_eq!(
            password("another horse").check(Some(&stored), MORE),
            Checked::Wrong
        );
        let again = password("correct horse").hash(MORE, &[7; 16]).expect("hashed");
        assert_eq!(
            password("correct horse").check(Some(&again), LITTLE),
            Checked::Right
        );
    }

    #[test]
    fn p3_without_an_account_or_with_a_damaged_hash_it_is_wrong() {
        for stored in [None, Some(""), Some("$argon2id$nonsense"), Some("plain text")] {
            assert_eq!(password("correct horse").check(stored, LITTLE), Checked::Wrong);
        }
    }

    #[test]
    fn a_password_is_never_printed() {
        assert_eq!(format!("{:?}", password("correct horse")), "Password(…)");
    }
}
