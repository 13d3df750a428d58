//! HMAC with SHA-256 for `jsonwebtoken`. The library's own provider links RSA and three elliptic curves as well,
//! 340 KB of a Worker that signs with one key of its own.

use hmac::{Hmac, KeyInit, Mac};
use jsonwebtoken::crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{ErrorKind, Result};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey};
use sha2::Sha256;
use signature::{Error, Signer, Verifier};
use std::sync::Once;

static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: |algorithm, key: &EncodingKey| {
        only_hs256(algorithm)?;
        Ok(Box::new(Hs256(keyed(key.as_bytes())?)))
    },
    verifier_factory: |algorithm, key: &DecodingKey| {
        only_hs256(algorithm)?;
        Ok(Box::new(Hs256(keyed(key.try_get_as_bytes()?)?)))
    },
    // Only JSON Web Keys need these, and nothing here reads one.
    key_utils: KeyUtils::new_unimplemented(),
};

/// A message authentication code with its key.
struct Hs256(Hmac<Sha256>);

/// Makes `jsonwebtoken` use this provider. May be called any number of times.
pub(super) fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        // An error means that another provider is there already, and nothing else here installs one.
        let _ = PROVIDER.install_default();
    });
}

fn only_hs256(algorithm: &Algorithm) -> Result<()> {
    match algorithm {
        Algorithm::HS256 => Ok(()),
        _ => Err(ErrorKind::InvalidAlgorithm.into()),
    }
}

fn keyed(secret: &[u8]) -> Result<Hmac<Sha256>> {
    Hmac::new_from_slice(secret).map_err(|_| ErrorKind::InvalidKeyFormat.into())
}

impl Signer<Vec<u8>> for Hs256 {
    fn try_sign(&self, message: &[u8]) -> std::result::Result<Vec<u8>, Error> {
        Ok(self
            .0
            .clone()
            .chain_update(message)
            .finalize()
            .into_bytes()
            .to_vec())
    }
}

impl JwtSigner for Hs256 {
    fn algorithm(&self) -> Algorithm {
        Algorithm::HS256
    }
}

impl Verifier<Vec<u8>> for Hs256 {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> std::result::Result<(), Error> {
        // Compares in constant time.
        self.0
            .clone()
            .chain_update(message)
            .verify_slice(signature)
            .map_err(|_| Error::new())
    }
}

impl JwtVerifier for Hs256 {
    fn algorithm(&self) -> Algorithm {
        Algorithm::HS256
    }
}
