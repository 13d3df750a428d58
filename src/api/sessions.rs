//! Signing in and out (P1, P3), and tickets for sockets.

use super::Answer;
use super::context::{Asked, database_away};
use super::identity::{COOKIE, Identity};
use super::limits::{Limited, Subject};
use crate::clock::Timestamp;
use crate::game::{Player, PlayerId};
use crate::http::{Problem, json};
use crate::objects::{channels, errands};
use crate::players::{
    AccountName, Checked, Claims, Password, Purpose, SESSION_LIFE, SessionId, TICKET_LIFE, TokenError, Work,
};
use crate::random;
use crate::store;
use crate::store::accounts::Credentials;
use crate::store::sessions::{Ending, NewSession};
use serde::Deserialize;
use worker::Response;

#[derive(Deserialize)]
struct SignInRequest {
    name: String,
    password: String,
}

/// `POST /api/v1/sessions`: signs in.
pub(super) async fn sign_in(asked: &mut Asked) -> Answer {
    let request: SignInRequest = asked.read().await?;
    let key = AccountName::key_of(&request.name).unwrap_or_default();
    let credentials = check_password(asked, Named::Key(&key), request.password).await?;
    let id = &credentials.player_id;
    let db = asked.database()?;
    let person = store::people::by_id(&db, id)
        .await
        .map_err(|error| database_away(&error))?;
    let player = person.ok_or_else(Problem::bad_credentials)?.player;
    let session = new_session(asked.now)?;
    // The password may have been changed, or the account deleted, since it was checked.
    let begun = store::sessions::begin(&db, &credentials, &session).await;
    if !begun.map_err(|error| database_away(&error))? {
        return Err(Problem::bad_credentials());
    }
    signed_in(asked, &player, &claims(&player, &session))
}

/// `DELETE /api/v1/sessions/current`: signs out.
pub(super) async fn sign_out(asked: &Asked) -> Answer {
    let identity = asked.known_identity().await?;
    end_sessions(asked, &identity, Ending::One(&identity.claims.session)).await
}

/// `DELETE /api/v1/sessions`: signs out everywhere.
pub(super) async fn sign_out_everywhere(asked: &Asked) -> Answer {
    let identity = asked.known_identity().await?;
    end_sessions(asked, &identity, Ending::All).await
}

async fn end_sessions(asked: &Asked, identity: &Identity, ending: Ending<'_>) -> Answer {
    let ended = store::sessions::end(&asked.database()?, &identity.player.id, ending, asked.now).await;
    ended.map_err(|error| database_away(&error))?;
    errands::run_for(&asked.env, &identity.player.id, asked.now).await;
    close_channel(asked, &identity.player.id).await;
    signed_out()
}

/// Closes the sockets of a player's own channel whose sessions have ended. If his object is away just now, it hears of it later.
pub(super) async fn close_channel(asked: &Asked, player: &PlayerId) {
    channels::run_for(&asked.env, player, asked.now).await;
}

/// `POST /api/v1/socket-tickets`: a token for opening sockets within a minute, from a page on another origin.
pub(super) async fn create_socket_ticket(asked: &Asked) -> Answer {
    // As with the sockets themselves, the token's word suffices while the database is away.
    let identity = asked.identity().await?;
    // Tokens end at whole seconds, and this one no later than it says.
    let exp = (asked.now + TICKET_LIFE).as_millis() / 1000;
    let expires_at = Timestamp::from_millis(exp * 1000);
    let claims = Claims {
        purpose: Purpose::SocketTicket,
        iat: asked.now.as_millis() / 1000,
        exp,
        name: identity.player.name,
        ..identity.claims
    };
    let ticket = asked.token_keys()?.sign(&claims).map_err(cannot_sign)?;
    let body = serde_json::json!({"ticket": ticket, "expires_at": expires_at});
    json(201, &body).map_err(|_| Problem::internal())
}

/// Whose password is to be checked.
pub(super) enum Named<'a> {
    /// The account with this name, as `AccountName::key_of` has it.
    Key(&'a str),
    /// The account of somebody who is signed in.
    Own(&'a Identity),
}

/// Checks a password, slowed down by address and by account. Brings what the account signs in with.
///
/// # Errors
/// `bad_credentials`, after the same work whether there is such an account or not; `rate_limited`; `unavailable`.
pub(super) async fn check_password(
    asked: &Asked,
    named: Named<'_>,
    password: String,
) -> Result<Credentials, Problem> {
    let subject = match &named {
        Named::Key(key) => Subject::Name(key),
        Named::Own(identity) => Subject::Player(&identity.player.id),
    };
    asked.limit(Limited::SignInsFrom, Subject::Address).await?;
    asked.limit(Limited::SignInsTo, subject).await?;
    let db = asked.database()?;
    let credentials = match named {
        Named::Key(key) => store::accounts::credentials(&db, key).await,
        Named::Own(identity) => store::accounts::credentials_of(&db, &identity.player.id).await,
    };
    let credentials = credentials.map_err(|error| database_away(&error))?;
    // One that is too short or too long is nobody's.
    let password = Password::new(password).map_err(|_| Problem::bad_credentials())?;
    let stored = credentials.as_ref().map(|known| known.password_hash.as_str());
    match (password.check(stored, Work::TODAY), credentials) {
        (Checked::Right, Some(known)) => Ok(known),
        (Checked::RightButWeak, Some(known)) => rehash(asked, known, &password).await,
        (Checked::Wrong, _) | (_, None) => Err(Problem::bad_credentials()),
    }
}

/// Hashes a password anew with today's work.
async fn rehash(asked: &Asked, known: Credentials, password: &Password) -> Result<Credentials, Problem> {
    let password_hash = hash(password)?;
    let db = asked.database()?;
    let rehashed = store::accounts::rehash(&db, &known, &password_hash).await;
    if rehashed.map_err(|error| database_away(&error))? {
        return Ok(Credentials {
            password_hash,
            ..known
        });
    }
    // Another call has hashed it anew, or has changed it.
    let credentials = store::accounts::credentials_of(&db, &known.player_id).await;
    let credentials = credentials.map_err(|error| database_away(&error))?;
    let right =
        |known: &Credentials| password.check(Some(&known.password_hash), Work::TODAY) == Checked::Right;
    credentials.filter(right).ok_or_else(Problem::bad_credentials)
}

/// The hash of a password that is to be kept.
pub(super) fn hash(password: &Password) -> Result<String, Problem> {
    password.hash(Work::TODAY, &random::salt()?).ok_or_else(|| {
        crate::log::error("password.not_hashed", &[]);
        Problem::internal()
    })
}

/// A session that begins now.
pub(super) fn new_session(now: Timestamp) -> Result<NewSession, Problem> {
    Ok(NewSession {
        id: SessionId::from_seed(random::id_seed()?),
        created_at: now,
        expires_at: now + SESSION_LIFE,
    })
}

/// What the token of a session says.
pub(super) fn claims(player: &Player, session: &NewSession) -> Claims {
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

/// The answer to whoever has an identity now: the player, the token and when it ends, with the cookie (X4).
pub(super) fn signed_in(asked: &Asked, player: &Player, claims: &Claims) -> Answer {
    let token = asked.token_keys()?.sign(claims).map_err(cannot_sign)?;
    let expires_at = Timestamp::from_millis(claims.exp * 1000);
    let seconds = claims.exp - asked.now.as_millis() / 1000;
    let body = serde_json::json!({"player": player, "token": token, "expires_at": expires_at});
    let response = json(201, &body).and_then(|response| with_cookie(response, &token, seconds));
    response.map_err(|_| Problem::internal())
}

/// The answer to whoever has no identity any more.
pub(super) fn signed_out() -> Answer {
    let response = Response::empty().and_then(|response| with_cookie(response.with_status(204), "", 0));
    response.map_err(|_| Problem::internal())
}

fn with_cookie(mut response: Response, token: &str, seconds: i64) -> worker::Result<Response> {
    let cookie = format!("{COOKIE}={token}; Path=/; Max-Age={seconds}; Secure; HttpOnly; SameSite=Lax");
    response.headers_mut().set("set-cookie", &cookie)?;
    Ok(response)
}

fn cannot_sign(error: TokenError) -> Problem {
    crate::log::error("token.not_signed", &[crate::log::cause(&error)]);
    Problem::internal()
}
