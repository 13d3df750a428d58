//! Who is asking.

use super::context::{Asked, database_away};
use super::origin::Origin;
use crate::clock::Timestamp;
use crate::game::{Conduct, Player};
use crate::http::Problem;
use crate::players::{Claims, Purpose, TokenKeys};
use crate::store;
use crate::store::people::Person;
use std::collections::BTreeMap;

/// The name of the cookie that holds a session's token.
pub(super) const COOKIE: &str = "hoshi_session";

/// Somebody who is signed in.
#[derive(Clone, Debug)]
pub(super) struct Identity {
    pub(super) player: Player,
    pub(super) claims: Claims,
    /// All that is kept of him; nothing while the database is away.
    person: Option<Person>,
}

impl Identity {
    /// What tables must know of him, as far as that is known.
    pub(super) fn conduct(&self) -> Option<&Conduct> {
        self.person.as_ref().map(|person| &person.conduct)
    }

    /// Whether he is known to be an operator.
    pub(super) fn is_operator(&self) -> bool {
        self.person.as_ref().is_some_and(|person| person.operator)
    }

    /// Refuses whoever may not begin a game, by any road: a table, a seat, a challenge, a search (S4). While the database is away
    /// nobody knows, and games begin.
    ///
    /// # Errors
    /// `suspended`.
    pub(super) fn check_may_play(&self, now: Timestamp) -> Result<(), Problem> {
        match self.conduct().and_then(|conduct| conduct.barred_at(now)) {
            Some(until) => Err(Problem::suspended("play", until)),
            None => Ok(()),
        }
    }

    /// All that is kept of the player.
    ///
    /// # Errors
    /// `unavailable` while the database is away.
    pub(super) fn person(self) -> Result<Person, Problem> {
        self.person.ok_or_else(Problem::unavailable)
    }
}

/// A token as it came along.
enum Carried {
    /// In the header, on purpose: a bad one is an error.
    Bearer(String),
    /// In the cookie, which a browser sends by itself: a stale one counts as none.
    Cookie(String),
}

/// How a session is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LookUp {
    /// For a moment; then its token's word stands in.
    ForAGame,
    /// For as long as any query may take; nothing stands in.
    UntilKnown,
}

impl Asked {
    /// The keys that sign tokens.
    ///
    /// # Errors
    /// `internal` when the secret is missing or too short: the operator's to mend.
    pub(super) fn token_keys(&self) -> Result<TokenKeys, Problem> {
        TokenKeys::new(self.signing_secret().as_bytes()).map_err(|error| {
            crate::log::error("configuration.signing_secret", &[crate::log::cause(&error)]);
            Problem::internal()
        })
    }

    /// Who asks, for what belongs to a game, which waits for nobody: while the database is away or slow, the token's word suffices.
    ///
    /// # Errors
    /// `unauthenticated` when nobody says so, or says so by a token that is worth nothing.
    pub(super) async fn identity(&self) -> Result<Identity, Problem> {
        self.identity_if_any().await?.ok_or_else(Problem::unauthenticated)
    }

    /// Who asks, for everything else: his session lives, and all that is kept of him is known.
    ///
    /// # Errors
    /// As [`identity`](Asked::identity), and `unavailable` while the database is away.
    pub(super) async fn known_identity(&self) -> Result<Identity, Problem> {
        self.known_identity_if_any()
            .await?
            .ok_or_else(Problem::unauthenticated)
    }

    /// Who asks, if that is said, for what belongs to a game.
    ///
    /// # Errors
    /// `unauthenticated` for a bearer token that is worth nothing.
    pub(super) async fn identity_if_any(&self) -> Result<Option<Identity>, Problem> {
        self.whoever_asks(LookUp::ForAGame).await
    }

    /// Who asks, if that is said, for everything else.
    ///
    /// # Errors
    /// As [`identity_if_any`](Asked::identity_if_any), and `unavailable` while the database is away.
    pub(super) async fn known_identity_if_any(&self) -> Result<Option<Identity>, Problem> {
        self.whoever_asks(LookUp::UntilKnown).await
    }

    async fn whoever_asks(&self, look_up: LookUp) -> Result<Option<Identity>, Problem> {
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
            Ok(claims) => self.player_of(claims, look_up).await?,
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
        self.player_of(claims, LookUp::ForAGame)
            .await?
            .map(Some)
            .ok_or_else(Problem::unauthenticated)
    }

    /// The player of a session, unless it has ended.
    async fn player_of(&self, claims: Claims, look_up: LookUp) -> Result<Option<Identity>, Problem> {
        let found = match (store::database(&self.env), look_up) {
            (Ok(db), LookUp::ForAGame) => {
                store::sessions::holder_for_a_game(&db, &claims.session, self.now).await
            }
            (Ok(db), LookUp::UntilKnown) => store::sessions::holder(&db, &claims.session, self.now).await,
            (Err(error), _) => Err(error),
        };
        let person = match (found, look_up) {
            (Ok(None), _) => return Ok(None),
            (Ok(person), _) => person,
            (Err(error), LookUp::UntilKnown) => return Err(database_away(&error)),
            // Games go on: the token's own word suffices.
            (Err(error), LookUp::ForAGame) => {
                database_away(&error);
                None
            }
        };
        let player = match &person {
            Some(person) => person.player.clone(),
            None => Player {
                id: claims.player.clone(),
                name: claims.name.clone(),
                kind: claims.kind,
                ratings: BTreeMap::new(),
            },
        };
        Ok(Some(Identity {
            player,
            claims,
            person,
        }))
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
