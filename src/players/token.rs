//! Tokens: JSON Web Tokens (RFC 7519), signed with HS256, that name a player and his session.

use super::hs256;
use crate::clock::Timestamp;
use crate::game::{IdSeed, PlayerId, PlayerKind};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use serde::{Deserialize, Serialize};

/// A signing key shorter than this is no secret: HS256 wants as many bytes as its hash (RFC 7518, 3.2).
const LEAST_KEY_BYTES: usize = 32;

/// The longest token that is looked at. Ours are under 500 bytes.
const MAX_TOKEN_BYTES: usize = 2048;

/// What signs and checks tokens.
pub struct TokenKeys {
    encoding: EncodingKey,
    decoding: DecodingKey,
}

/// The signing key cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the signing secret needs at least {LEAST_KEY_BYTES} bytes")]
pub struct KeyError;

/// What a token is for. One made for a purpose is worth nothing for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// Every call, until the session ends.
    Session,
    /// Opening a socket, within a minute, from a page on another origin.
    SocketTicket,
}

impl Purpose {
    fn audience(self) -> &'static str {
        match self {
            Purpose::Session => "session",
            Purpose::SocketTicket => "socket_ticket",
        }
    }
}

/// Which session: one sign-in on one device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SessionId(pub String);

impl SessionId {
    /// The id that these random bytes spell.
    pub fn from_seed(seed: IdSeed) -> SessionId {
        SessionId(PlayerId::from_seed(seed).to_string())
    }
}

/// What a token says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Claims {
    /// Who.
    #[serde(rename = "sub")]
    pub player: PlayerId,
    /// In which session.
    #[serde(rename = "sid")]
    pub session: SessionId,
    /// What for.
    #[serde(rename = "aud")]
    pub purpose: Purpose,
    /// The name when the token was made. It serves while the accounts' database is away.
    pub name: String,
    /// What the player was then.
    pub kind: PlayerKind,
    /// When it was made, in seconds.
    pub iat: i64,
    /// From when on it is worth nothing, in seconds.
    pub exp: i64,
}

/// A token that is worth nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// Not signed with the key, not readable, or for another purpose.
    #[error("the token is not valid here")]
    Invalid,
    /// Its time is over.
    #[error("the token has expired")]
    Expired,
}

impl TokenKeys {
    /// The keys for a secret.
    ///
    /// # Errors
    /// When the secret is too short.
    pub fn new(secret: &[u8]) -> Result<TokenKeys, KeyError> {
        hs256::install();
        if secret.len() < LEAST_KEY_BYTES {
            return Err(KeyError);
        }
        let encoding = EncodingKey::from_secret(secret).map_err(|_| KeyError)?;
        let decoding = DecodingKey::from_secret(secret).map_err(|_| KeyError)?;
        Ok(TokenKeys { encoding, decoding })
    }

    /// The token for these claims.
    ///
    /// # Errors
    /// When the library cannot sign: a fault of ours, not of the claims.
    pub fn sign(&self, claims: &Claims) -> Result<String, TokenError> {
        let header = Header::new(Algorithm::HS256);
        jsonwebtoken::encode(&header, claims, &self.encoding).map_err(|_| TokenError::Invalid)
    }

    /// What a token says, if it was signed with this key, for this purpose, and `now` is before its end.
    ///
    /// # Errors
    /// Why it is worth nothing.
    pub fn verify(&self, token: &str, purpose: Purpose, now: Timestamp) -> Result<Claims, TokenError> {
        if token.len() > MAX_TOKEN_BYTES {
            return Err(TokenError::Invalid);
        }
        let mut validation = Validation::new(Algorithm::HS256);
        validation.set_audience(&[purpose.audience()]);
        // The library would read the clock; the time is an argument here.
        validation.validate_exp = false;
        let decoded = jsonwebtoken::decode::<Claims>(token, &self.decoding, &validation);
        let claims = decoded.map_err(|_| TokenError::Invalid)?.claims;
        let expired = now.as_millis() >= claims.exp.saturating_mul(1000);
        if expired {
            Err(TokenError::Expired)
        } else {
            Ok(claims)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const SECRET: &[u8] = b"0123456789abcdef0123456789abcdef";

    fn claims(purpose: Purpose) -> Claims {
        Claims {
            player: PlayerId::from_seed([1; 16]),
            session: SessionId("s1".to_owned()),
            purpose,
            name: "Aki".to_owned(),
            kind: PlayerKind::Guest,
            iat: 100,
            exp: 200,
        }
    }

    fn keys(secret: &[u8]) -> TokenKeys {
        TokenKeys::new(secret).expect("long enough")
    }

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(millis)
    }

    #[test]
    fn p1_a_token_says_who_until_its_last_millisecond() {
        let keys = keys(SECRET);
        let token = keys.sign(&claims(Purpose::Session)).expect("signed");
        assert_eq!(
            keys.verify(&token, Purpose::Session, at(199_999)),
            Ok(claims(Purpose::Session))
        );
        assert_eq!(
            keys.verify(&token, Purpose::Session, at(200_000)),
            Err(TokenError::Expired)
        );
    }

    #[test]
    fn a_token_of_another_key_or_purpose_is_invalid() {
        let keys = keys(SECRET);
        let foreign = TokenKeys::new(&[7; 32]).expect("long enough");
        let ticket = keys.sign(&claims(Purpose::SocketTicket)).expect("signed");
        assert_eq!(
            keys.verify(&ticket, Purpose::Session, at(0)),
            Err(TokenError::Invalid)
        );
        assert!(keys.verify(&ticket, Purpose::SocketTicket, at(0)).is_ok());
        let forged = foreign.sign(&claims(Purpose::Session)).expect("signed");
        assert_eq!(
            keys.verify(&forged, Purpose::Session, at(0)),
            Err(TokenError::Invalid)
        );
    }

    #[test]
    fn tampered_unsigned_and_odd_tokens_are_invalid() {
        use std::iter::once;
        let keys = keys(SECRET);
        let token = keys.sign(&claims(Purpose::Session)).expect("signed");
        let parts: Vec<&str> = token.split('.').collect();
        let encode = |value: serde_json::Value| base64_url(value.to_string().as_bytes());
        let none = encode(json!({"alg": "none", "typ": "JWT"}));
        let other = encode(
            json!({"sub": "2222222222222222", "sid": "s1", "aud": "session", "name": "x",
            "kind": "guest", "iat": 0, "exp": 9_999_999_999i64}),
        );
        let texts = [
            format!("{none}.{}.", parts[1]),
            format!("{none}.{}.{}", parts[1], parts[2]),
            format!("{}.{other}.{}", parts[0], parts[2]),
            format!("{}.{}", parts[0], parts[1]),
            format!("{token}x"),
            String::new(),
            "..".to_owned(),
            "🎉".to_owned(),
            once("a").cycle().take(5000).collect(),
        ];
        for text in texts {
            assert_eq!(
                keys.verify(&text, Purpose::Session, at(0)),
                Err(TokenError::Invalid),
                "{text}"
            );
        }
    }

    #[test]
    fn a_short_secret_is_refused() {
        assert_eq!(TokenKeys::new(&[1; 31]).err(), Some(KeyError));
    }

    /// Base 64 for addresses, without padding (RFC 4648, 5).
    fn base64_url(bytes: &[u8]) -> String {
        const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        let digits = |chunk: &[u8]| {
            let word = (0..3).fold(0u32, |word, i| word << 8 | u32::from(*chunk.get(i).unwrap_or(&0)));
            let text: String = (0..=chunk.len())
                .map(|i| DIGITS[(word >> (18 - 6 * i) & 63) as usize] as char)
                .collect();
            text
        };
        bytes.chunks(3).map(digits).collect()
    }
}
