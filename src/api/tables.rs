//! One table: making it, and everything that is asked of it. The table's object does the work.

use super::Answer;
use super::context::{Asked, database_away};
use super::identity::Identity;
use super::limits::{Limited, Subject};
use crate::game::{InviteCode, Parties, Player, Seq, TableId, TermsRequest};
use crate::http::{Code, Problem};
use crate::objects::{Block, TableCall, TableClient, TableOp};
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
    if !terms.takes(identity.player.kind) {
        return Err(Problem::needs_account());
    }
    let (id, fresh) = table_id(asked, &identity.player, &body).await?;
    if fresh == Fresh::Yes {
        limit_tables(asked, &identity.player).await?;
    }
    let op = TableOp::Open {
        id: id.clone(),
        terms: Box::new(terms),
        seed: random::invite_seed()?,
        draw: random::color()?,
    };
    call(asked, &id, Some(&identity), None, op).await
}

/// Whether a table is made by this call, or was made by one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fresh {
    Yes,
    No,
}

/// Counts a new table. While the database is away nobody counts: games go on, and they begin, too.
async fn limit_tables(asked: &Asked, player: &Player) -> Result<(), Problem> {
    match asked.limit(Limited::Tables, Subject::Player(&player.id)).await {
        Err(problem) if problem.code() == Code::RateLimited => Err(problem),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// The id for a new table: the one that the request's `Idempotency-Key` stands for, or a fresh one.
async fn table_id(asked: &Asked, player: &Player, body: &Value) -> Result<(TableId, Fresh), Problem> {
    let fresh = TableId::from_seed(random::id_seed()?);
    let Some(key) = asked.header("idempotency-key") else {
        return Ok((fresh, Fresh::Yes));
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
    let id = TableId::try_from(claimed.resource_id).map_err(|_| Problem::internal())?;
    let made = if id == fresh { Fresh::Yes } else { Fresh::No };
    Ok((id, made))
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
    let identity = asked.identity().await?;
    call(
        asked,
        &table(id)?,
        Some(&identity),
        invite(asked),
        TableOp::Preview,
    )
    .await
}

/// `DELETE /api/v1/tables/{id}`: its creator closes a waiting table.
pub(super) async fn close(asked: &Asked, id: &str) -> Answer {
    let identity = asked.identity().await?;
    call(asked, &table(id)?, Some(&identity), invite(asked), TableOp::Close).await
}

/// `POST /api/v1/tables/{id}/join`: takes the free seat and brings the snapshot.
pub(super) async fn join(asked: &mut Asked, id: &str) -> Answer {
    let identity = asked.identity().await?;
    let request: JoinRequest = asked.read().await?;
    let in_body = request.invite.map(InviteCode::try_from).transpose();
    let in_body = in_body.map_err(|_| Problem::bad_field("invite", "the code of an invite"))?;
    let invite = in_body.or_else(|| invite(asked));
    let table = table(id)?;
    let op = TableOp::Join {
        draw: random::color()?,
        block: block(asked, &identity.player, &table).await,
    };
    call(asked, &table, Some(&identity), invite, op).await
}

/// Whether a block is between a player and those of a table. While the database is away there is none: games begin.
async fn block(asked: &Asked, player: &Player, table: &TableId) -> Block {
    let found = match store::database(&asked.env) {
        Ok(db) => store::blocks::at_table(&db, &player.id, table).await,
        Err(error) => Err(error),
    };
    match found {
        Ok(true) => Block::Between,
        Ok(false) => Block::None,
        Err(error) => {
            database_away(&error);
            Block::None
        }
    }
}

/// `POST /api/v1/tables/{id}/commands`.
pub(super) async fn command(asked: &mut Asked, id: &str) -> Answer {
    let identity = asked.identity().await?;
    let body = asked.json().await?;
    let op = TableOp::Command { body };
    call(asked, &table(id)?, Some(&identity), invite(asked), op).await
}

/// `GET /api/v1/tables/{id}/socket`.
pub(super) async fn socket(asked: &Asked, id: &str) -> Answer {
    let upgrade = asked
        .header("upgrade")
        .is_some_and(|value| value.eq_ignore_ascii_case("websocket"));
    if !upgrade {
        return Err(Problem::new(Code::BadRequest, "this address is a WebSocket"));
    }
    let identity = asked.socket_identity().await?;
    let op = TableOp::Socket { since: since(asked)? };
    call(asked, &table(id)?, identity.as_ref(), invite(asked), op).await
}

/// Asks a table something that needs no identity.
async fn ask(asked: &Asked, id: &str, op: TableOp) -> Answer {
    let identity = asked.identity_if_any().await?;
    call(asked, &table(id)?, identity.as_ref(), invite(asked), op).await
}

pub(super) async fn call(
    asked: &Asked,
    table: &TableId,
    identity: Option<&Identity>,
    invite: Option<InviteCode>,
    op: TableOp,
) -> Answer {
    let call = TableCall {
        player: identity.map(|identity| identity.player.clone()),
        session: identity.map(|identity| identity.claims.session.clone()),
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
