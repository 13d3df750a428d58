//! Guests, and what a player asks about himself.

use super::Answer;
use super::context::{Asked, database_away};
use super::identity::COOKIE;
use crate::game::{Player, PlayerId, PlayerKind};
use crate::http::{Problem, json};
use crate::players::{Claims, GuestName, Purpose, SESSION_LIFE, SessionId, TICKET_LIFE, TokenError};
use crate::random;
use crate::store;
use crate::store::players::NewSession;
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct GuestRequest {
    name: Option<String>,
}

/// `POST /api/v1/guests`: an identity in one call (P1).
pub(super) async fn create_guest(asked: &mut Asked) -> Answer {
    let request: GuestRequest = asked.read().await?;
    let name = match request.name {
        Some(name) => GuestName::new(&name)?,
        None => GuestName::numbered(random::number()?),
    };
    let player = Player {
        id: PlayerId::from_seed(random::id_seed()?),
        name: name.to_string(),
        kind: PlayerKind::Guest,
        ratings: BTreeMap::new(),
    };
    let expires_at = asked.now + SESSION_LIFE;
    let session = NewSession {
        id: SessionId::from_seed(random::id_seed()?),
        created_at: asked.now,
        expires_at,
    };
    let claims = claims(&player, &session);
    let token = asked.token_keys()?.sign(&claims).map_err(cannot_sign)?;
    let created = store::players::create_guest(&asked.database()?, &player, &session).await;
    created.map_err(|error| database_away(&error))?;
    let body = serde_json::json!({"player": player, "token": token, "expires_at": expires_at});
    let response = json(201, &body).and_then(|mut response| {
        response.headers_mut().set("set-cookie", &cookie(&token))?;
        Ok(response)
    });
    response.map_err(|_| Problem::internal())
}

/// `GET /api/v1/me`.
pub(super) async fn me(asked: &Asked) -> Answer {
    let identity = asked.identity().await?;
    json(200, &identity.player).map_err(|_| Problem::internal())
}

/// `POST /api/v1/socket-tickets`: a token for opening sockets within a minute, from a page on another origin.
pub(super) async fn create_socket_ticket(asked: &Asked) -> Answer {
    let identity = asked.identity().await?;
    let expires_at = asked.now + TICKET_LIFE;
    let claims = Claims {
        purpose: Purpose::SocketTicket,
        iat: asked.now.as_millis() / 1000,
        // Rounded up to the token's whole seconds.
        exp: expires_at.as_millis() / 1000 + 1,
        name: identity.player.name,
        ..identity.claims
    };
    let ticket = asked.token_keys()?.sign(&claims).map_err(cannot_sign)?;
    let body = serde_json::json!({"ticket": ticket, "expires_at": expires_at});
    json(201, &body).map_err(|_| Problem::internal())
}

fn claims(player: &Player, session: &NewSession) -> Claims {
    Claims {
        player: player.id.clone(),
        session: session.id.clone(),
        purpose: Purpose::Session,
        name: player.name.clone(),
        kind: player.kind,
        iat: session.created_at.as_millis() / 1000,
        exp: session.expires_at.as_millis() / 1000,
    }
}

/// The cookie that holds a session's token (X4).
fn cookie(token: &str) -> String {
    let seconds = SESSION_LIFE.get() / 1000;
    format!("{COOKIE}={token}; Path=/; Max-Age={seconds}; Secure; HttpOnly; SameSite=Lax")
}

fn cannot_sign(error: TokenError) -> Problem {
    crate::log::error("token.not_signed", &[crate::log::cause(&error)]);
    Problem::internal()
}
