//! One table: making it, and everything that is asked of it. The table's object does the work.

use super::Answer;
use super::context::{Asked, database_away};
use crate::game::{InviteCode, Parties, Player, PlayerKind, Seq, TableId, Terms, TermsRequest};
use crate::http::{Code, Problem};
use crate::objects::{TableCall, TableClient, TableOp};
use crate::random;
use crate::store;
use crate::store::idempotency::Claim;
use crate::wire;
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// The longest `Idempotency-Key`.
const MAX_KEY_BYTES: usize = 128;

#[derive(Deserialize)]
struct JoinRequest {
    invite: Option<String>,
}

/// `POST /api/v1/tables`: 201 with the snapshot.
pub(super) async fn create(asked: &mut Asked) -> Answer {
    let identity = asked.identity().await?;
    let body = asked.json().await?;
    let parties = Parties {
        creator: &identity.player.id,
        challenged: None,
    };
    let terms = wire::decode::<TermsRequest>(body.clone())?.grant(parties)?;
    check_player(&identity.player, &terms)?;
    let id = table_id(asked, &identity.player, &body).await?;
    let op = TableOp::Open {
        id: id.clone(),
        terms: Box::new(terms),
        seed: random::invite_seed()?,
        draw: random::color()?,
    };
    call(asked, &id, Some(identity.player), None, op).await
}

/// Whether such a game is for such a player: one that is rated is for accounts only.
fn check_player(player: &Player, terms: &Terms) -> Result<(), Problem> {
    match player.kind {
        PlayerKind::Guest if terms.ranked => Err(Problem::new(
            Code::NeedsAccount,
            "rated games are between accounts",
        )),
        PlayerKind::Guest | PlayerKind::Computer => Ok(()),
    }
}

/// The id for a new table: the one that the request's `Idempotency-Key` stands for, or a fresh one.
async fn table_id(asked: &Asked, player: &Player, body: &Value) -> Result<TableId, Problem> {
    let fresh = TableId::from_seed(random::id_seed()?);
    let Some(key) = asked.header("idempotency-key") else {
        return Ok(fresh);
    };
    if key.is_empty() || key.len() > MAX_KEY_BYTES {
        return Err(Problem::bad_field(
            "Idempotency-Key",
            format!("a key has 1 to {MAX_KEY_BYTES} characters"),
        ));
    }
    let hash = Sha256::digest(body.to_string().as_bytes());
    let request_hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    let claim = Claim {
        player: &player.id,
        key: &key,
        request_hash: &request_hash,
        resource_id: fresh.as_str(),
    };
    let claimed = store::idempotency::claim(&asked.database()?, &claim, asked.now).await;
    let claimed = claimed.map_err(|error| database_away(&error))?;
    if claimed.request_hash != request_hash {
        return Err(Problem::new(
            Code::KeyReused,
            "this Idempotency-Key was used for another request",
        ));
    }
    TableId::try_from(claimed.resource_id).map_err(|_| Problem::internal())
}

/// `GET /api/v1/tables/{id}`: the snapshot.
pub(super) async fn snapshot(asked: &Asked, id: &str) -> Answer {
    ask(asked, id, TableOp::Snapshot).await
}

/// `GET /api/v1/tables/{id}/events?since=`.
pub(super) async fn events(asked: &Asked, id: &str) -> Answer {
    let since = since(asked)?.unwrap_or_default();
    ask(asked, id, TableOp::Events { since }).await
}

/// `GET /api/v1/tables/{id}/sgf`.
pub(super) async fn sgf(asked: &Asked, id: &str) -> Answer {
    ask(asked, id, TableOp::Sgf).await
}

/// `GET /api/v1/tables/{id}/preview`: for the players, what the score would be if the game ended now.
pub(super) async fn preview(asked: &Asked, id: &str) -> Answer {
    let player = asked.identity().await?.player;
    call(asked, &table(id)?, Some(player), invite(asked), TableOp::Preview).await
}

/// `DELETE /api/v1/tables/{id}`: its creator closes a waiting table.
pub(super) async fn close(asked: &Asked, id: &str) -> Answer {
    let player = asked.identity().await?.player;
    call(asked, &table(id)?, Some(player), invite(asked), TableOp::Close).await
}

/// `POST /api/v1/tables/{id}/join`: takes the free seat and brings the snapshot.
pub(super) async fn join(asked: &mut Asked, id: &str) -> Answer {
    let player = asked.identity().await?.player;
    let request: JoinRequest = asked.read().await?;
    let in_body = request.invite.map(InviteCode::try_from).transpose();
    let in_body = in_body.map_err(|_| Problem::bad_field("invite", "the code of an invite"))?;
    let invite = in_body.or_else(|| invite(asked));
    call(
        asked,
        &table(id)?,
        Some(player),
        invite,
        TableOp::Join {
            draw: random::color()?,
        },
    )
    .await
}

/// `POST /api/v1/tables/{id}/commands`.
pub(super) async fn command(asked: &mut Asked, id: &str) -> Answer {
    let player = asked.identity().await?.player;
    let body = asked.json().await?;
    call(
        asked,
        &table(id)?,
        Some(player),
        invite(asked),
        TableOp::Command { body },
    )
    .await
}

/// `GET /api/v1/tables/{id}/socket`.
pub(super) async fn socket(asked: &Asked, id: &str) -> Answer {
    let upgrade = asked
        .header("upgrade")
        .is_some_and(|value| value.eq_ignore_ascii_case("websocket"));
    if !upgrade {
        return Err(Problem::new(Code::BadRequest, "this address is a WebSocket"));
    }
    let player = asked.socket_identity().await?.map(|identity| identity.player);
    let since = since(asked)?;
    call(
        asked,
        &table(id)?,
        player,
        invite(asked),
        TableOp::Socket { since },
    )
    .await
}

/// Asks a table something that needs no identity.
async fn ask(asked: &Asked, id: &str, op: TableOp) -> Answer {
    let player = asked.identity_if_any().await?.map(|identity| identity.player);
    call(asked, &table(id)?, player, invite(asked), op).await
}

pub(super) async fn call(
    asked: &Asked,
    table: &TableId,
    player: Option<Player>,
    invite: Option<InviteCode>,
    op: TableOp,
) -> Answer {
    let call = TableCall {
        player,
        invite,
        origin: asked.own_origin(),
        op,
        fault: asked.fault(),
    };
    TableClient::new(&asked.env).call(table, &call).await
}

/// The table that an address names. What cannot be an id is no table's.
fn table(id: &str) -> Result<TableId, Problem> {
    TableId::try_from(id.to_owned()).map_err(|_| Problem::not_found())
}

/// The invite in the query. What cannot be one opens nothing, like a wrong one.
fn invite(asked: &Asked) -> Option<InviteCode> {
    asked
        .query("invite")
        .and_then(|code| InviteCode::try_from(code).ok())
}

fn since(asked: &Asked) -> Result<Option<Seq>, Problem> {
    let Some(text) = asked.query("since") else {
        return Ok(None);
    };
    match text.parse() {
        Ok(number) => Ok(Some(Seq(number))),
        Err(_) => Err(Problem::bad_field("since", "the number of an event")),
    }
}
