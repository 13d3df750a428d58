//! How players come into being, and how they go: guests (P1), accounts (P2), passwords (P3), deletion (P4).

use super::Answer;
use super::context::{Asked, database_away};
use super::identity::Identity;
use super::limits::{Limited, Subject};
use super::sessions::{
    Named, check_password, claims, close_channel, hash, new_session, signed_in, signed_out,
};
use crate::game::{Player, PlayerId, PlayerKind};
use crate::http::{Code, Problem, no_content};
use crate::objects::player::{self, PlayerOp};
use crate::objects::{challenges, errands};
use crate::players::{AccountName, Claims, GuestName, Password};
use crate::random;
use crate::store;
use crate::store::accounts::Refused;
use crate::store::sessions::Ending;
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct GuestRequest {
    name: Option<String>,
}

#[derive(Deserialize)]
struct AccountRequest {
    name: String,
    password: String,
}

#[derive(Deserialize)]
struct PasswordRequest {
    old: String,
    new: String,
}

#[derive(Deserialize)]
struct DeletionRequest {
    password: Option<String>,
}

/// `POST /api/v1/guests`: an identity in one call (P1).
pub(super) async fn create_guest(asked: &mut Asked) -> Answer {
    let request: GuestRequest = asked.read().await?;
    let name = match request.name {
        Some(name) => GuestName::new(&name)?,
        None => GuestName::numbered(random::number()?),
    };
    asked.limit(Limited::Guests, Subject::Address).await?;
    let player = newcomer(name.to_string(), PlayerKind::Guest)?;
    let session = new_session(asked.now)?;
    let created = store::accounts::create_guest(&asked.database()?, &player, &name.shapes(), &session).await;
    created.map_err(refused)?;
    signed_in(asked, &player, &claims(&player, &session))
}

/// `POST /api/v1/accounts`: the guest who asks becomes an account; whoever is nobody yet gets a new one (P2).
pub(super) async fn create_account(asked: &mut Asked) -> Answer {
    let request: AccountRequest = asked.read().await?;
    let guest = asked.known_identity_if_any().await?;
    if guest
        .as_ref()
        .is_some_and(|known| known.player.kind != PlayerKind::Guest)
    {
        return Err(no_guest());
    }
    let name = AccountName::new(&request.name)?;
    let password = Password::new(request.password)?;
    asked.limit(Limited::Accounts, Subject::Address).await?;
    let password_hash = hash(&password)?;
    let kept = (&name, password_hash.as_str());
    match guest {
        Some(guest) => upgrade(asked, guest, kept).await,
        None => create(asked, kept).await,
    }
}

async fn create(asked: &Asked, (name, password_hash): (&AccountName, &str)) -> Answer {
    let player = newcomer(name.to_string(), PlayerKind::Account)?;
    let session = new_session(asked.now)?;
    let created =
        store::accounts::create(&asked.database()?, &player.id, (name, password_hash), &session).await;
    created.map_err(refused)?;
    signed_in(asked, &player, &claims(&player, &session))
}

/// He keeps his id and his session; the token is a new one, since it says his name and kind.
async fn upgrade(asked: &Asked, guest: Identity, (name, password_hash): (&AccountName, &str)) -> Answer {
    let id = guest.player.id.clone();
    let upgraded = store::accounts::upgrade(&asked.database()?, &id, (name, password_hash), asked.now).await;
    upgraded.map_err(refused)?;
    errands::run_for(&asked.env, &id, asked.now).await;
    let player = Player {
        name: name.to_string(),
        kind: PlayerKind::Account,
        ..guest.player
    };
    let claims = Claims {
        name: player.name.clone(),
        kind: player.kind,
        ..guest.claims
    };
    signed_in(asked, &player, &claims)
}

/// `PUT /api/v1/me/password`: another password; the other sessions end.
pub(super) async fn change_password(asked: &mut Asked) -> Answer {
    let identity = asked.known_identity().await?;
    let request: PasswordRequest = asked.read().await?;
    if identity.player.kind != PlayerKind::Account {
        return Err(Problem::needs_account());
    }
    let new = Password::new(request.new).map_err(|error| Problem::from(error).in_field("new"))?;
    let old = check_password(asked, Named::Own(&identity), request.old).await?;
    let kept = Ending::AllBut(&identity.claims.session);
    let new = hash(&new)?;
    let changed = store::accounts::change_password(&asked.database()?, &old, &new, (kept, asked.now)).await;
    if !changed.map_err(|error| database_away(&error))? {
        return Err(Problem::bad_credentials());
    }
    errands::run_for(&asked.env, &identity.player.id, asked.now).await;
    close_channel(asked, &identity.player.id).await;
    no_content()
}

/// `DELETE /api/v1/me`: the player is gone for good (P4).
pub(super) async fn delete(asked: &mut Asked) -> Answer {
    let identity = asked.known_identity().await?;
    let request: DeletionRequest = asked.read().await?;
    let checked = match (identity.player.kind, request.password) {
        (PlayerKind::Account, Some(password)) => {
            Some(check_password(asked, Named::Own(&identity), password).await?)
        }
        (PlayerKind::Account, None) => return Err(Problem::bad_field("password", "your password")),
        (PlayerKind::Guest | PlayerKind::Computer, _) => None,
    };
    let (db, id) = (asked.database()?, &identity.player.id);
    // Whoever waits for an answer to a challenge of his, or of whom he wanted one, hears that there will be none.
    let left = challenges::leave(&asked.env, &db, id, asked.now).await;
    left.map_err(|error| database_away(&error))?;
    let hash = checked.as_ref().map(|checked| checked.password_hash.as_str());
    let deleted = store::accounts::delete(&db, id, hash, asked.now).await;
    if !deleted.map_err(|error| database_away(&error))? {
        // He is an account meanwhile, has another password, or is gone.
        return Err(Problem::bad_credentials());
    }
    errands::run_for(&asked.env, id, asked.now).await;
    // If his object is away now, it hears of it with the end of his sessions.
    let _ = player::ask(&asked.env, id, PlayerOp::Leave).await;
    close_channel(asked, id).await;
    signed_out()
}

fn newcomer(name: String, kind: PlayerKind) -> Result<Player, Problem> {
    Ok(Player {
        id: PlayerId::from_seed(random::id_seed()?),
        name,
        kind,
        ratings: BTreeMap::new(),
    })
}

fn refused(refused: Refused) -> Problem {
    match refused {
        Refused::NameTaken => Problem::name_taken(),
        Refused::NoGuest => no_guest(),
        Refused::Away(error) => database_away(&error),
    }
}

fn no_guest() -> Problem {
    Problem::new(
        Code::Forbidden,
        "you have an account already; sign out to make another",
    )
}
