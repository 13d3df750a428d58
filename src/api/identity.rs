//! Who is asking.

use super::context::{Asked, database_away};
use super::origin::Origin;
use crate::game::Player;
use crate::http::Problem;
use crate::players::{Claims, Purpose, TokenKeys};
use crate::store;
use std::collections::BTreeMap;

/// The name of the cookie that holds a session's token.
pub(super) const COOKIE: &str = "hoshi_session";

/// Somebody who is signed in.
#[derive(Clone, Debug)]
pub(super) struct Identity {
    pub(super) player: Player,
    pub(super) claims: Claims,
}

/// A token as it came along.
enum Carried {
    /// In the header, on purpose: a bad one is an error.
    Bearer(String),
    /// In the cookie, which a browser sends by itself: a stale one counts as none.
    Cookie(String),
}

impl Asked {
    /// The keys that sign tokens.
    ///
    /// # Errors
    /// `internal` when the secret is missing or too short: the operator's to mend.
    pub(super) fn token_keys(&self) -> Result<TokenKeys, Problem> {
        let secret = self
            .env
            .secret("SIGNING_SECRET")
            .map(|secret| secret.to_string())
            .unwrap_or_default();
        TokenKeys::new(secret.as_bytes()).map_err(|error| {
            crate::log::error("configuration.signing_secret", &[crate::log::cause(&error)]);
            Problem::internal()
        })
    }

    /// Who asks, for calls that need to know.
    ///
    /// # Errors
    /// `unauthenticated` when nobody says so, or says so by a token that is worth nothing.
    pub(super) async fn identity(&self) -> Result<Identity, Problem> {
        self.identity_if_any().await?.ok_or_else(Problem::unauthenticated)
    }

    /// Who asks, if that is said.
    ///
    /// # Errors
    /// `unauthenticated` for a bearer token that is worth nothing.
    pub(super) async fn identity_if_any(&self) -> Result<Option<Identity>, Problem> {
        let carried = match (self.bearer(), self.cookie()) {
            (Some(token), _) => Carried::Bearer(token),
            // A page of another origin cannot be told from its user by a cookie.
            (None, Some(token)) if self.origin == Origin::Own => Carried::Cookie(token),
            (None, _) => return Ok(None),
        };
        let (token, must_hold) = match carried {
            Carried::Bearer(token) => (token, true),
            Carried::Cookie(token) => (token, false),
        };
        let identity = match self.token_keys()?.verify(&token, Purpose::Session, self.now) {
            Ok(claims) => self.player_of(claims).await,
            Err(_) => None,
        };
        if identity.is_none() && must_hold {
            Err(Problem::unauthenticated())
        } else {
            Ok(identity)
        }
    }

    /// Who opens a socket: as [`identity_if_any`](Asked::identity_if_any), or by a ticket.
    ///
    /// # Errors
    /// `unauthenticated` for a ticket or a bearer token that is worth nothing.
    pub(super) async fn socket_identity(&self) -> Result<Option<Identity>, Problem> {
        let Some(ticket) = self.query("ticket") else {
            return self.identity_if_any().await;
        };
        let claims = self
            .token_keys()?
            .verify(&ticket, Purpose::SocketTicket, self.now);
        let claims = claims.map_err(|_| Problem::unauthenticated())?;
        self.player_of(claims)
            .await
            .map(Some)
            .ok_or_else(Problem::unauthenticated)
    }

    /// The player of a session, unless it has ended. While the database is away the token's own word suffices: games
    /// go on.
    async fn player_of(&self, claims: Claims) -> Option<Identity> {
        let found = match self.database() {
            Ok(db) => store::players::player_of_session(&db, &claims.session, self.now).await,
            Err(_) => Ok(None),
        };
        let player = match found {
            Ok(player) => player?,
            Err(error) => {
                database_away(&error);
                let (id, name, kind) = (claims.player.clone(), claims.name.clone(), claims.kind);
                Player {
                    id,
                    name,
                    kind,
                    ratings: BTreeMap::new(),
                }
            }
        };
        Some(Identity { player, claims })
    }

    fn bearer(&self) -> Option<String> {
        let header = self.header("authorization")?;
        let (scheme, token) = header.split_once(' ').unwrap_or((&header, ""));
        // Another scheme is a bad token too, not no token.
        Some(if scheme.eq_ignore_ascii_case("bearer") {
            token.trim().to_owned()
        } else {
            String::new()
        })
    }

    fn cookie(&self) -> Option<String> {
        let header = self.header("cookie")?;
        let mut pairs = header.split(';').filter_map(|pair| pair.trim().split_once('='));
        pairs
            .find(|(name, _)| *name == COOKIE)
            .map(|(_, value)| value.to_owned())
    }
}
