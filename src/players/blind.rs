//! Keys that say nothing: what a rate limit counts is told apart without being kept.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The same text for the same subject, from which nobody without the secret gets back to it.
pub fn blinded(secret: &[u8], subject: &str) -> String {
    // HMAC takes keys of any length.
    let mac =
        Hmac::<Sha256>::new_from_slice(secret).map(|mac| mac.chain_update(subject).finalize().into_bytes());
    let bytes = mac.map(|bytes| bytes.to_vec()).unwrap_or_default();
    bytes.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_is_told_apart_and_not_shown() {
        let one = blinded(b"secret", "tables 192.0.2.1");
        assert_eq!(one.len(), 32);
        assert_eq!(one, blinded(b"secret", "tables 192.0.2.1"));
        assert_ne!(one, blinded(b"secret", "tables 192.0.2.2"));
        assert_ne!(one, blinded(b"another", "tables 192.0.2.1"));
    }
}
