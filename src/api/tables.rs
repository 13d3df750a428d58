//! One table: making it, and everything that is asked of it. The table's object does the work.

use super::Answer;
use super::claims::claim_within;
use super::context::{Asked, database_away};
use super::identity::Identity;
use super::limits::Limited;
use super::seats::sitting;
use crate::clock::TimeControl;
use crate::game::{InviteCode, Parties, Player, Seq, TableId, TermsRequest};
use crate::http::Problem;
use crate::objects::{Block, TableCall, TableClient, TableOp};
use crate::random;
use crate::store;
use crate::wire;
use serde::Deserialize;

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
    identity.check_may_play(asked.now)?;
    let pressing = terms.clock != TimeControl::None && !terms.opponent.is_computer();
    let fresh = TableId::from_seed(random::id_seed()?);
    let id = claim_within(asked, (&identity.player, Limited::Tables), &body, fresh).await?;
    let op = TableOp::Open {
        id: id.clone(),
        terms: Box::new(terms),
        seed: random::invite_seed()?,
        draw: random::color()?,
    };
    let opened = call(asked, &id, Some(&identity), None, op);
    match pressing {
        true => sitting(asked, &identity.player.id, &id, opened).await,
        false => opened.await,
    }
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
    identity.check_may_play(asked.now)?;
    let invite = in_body.or_else(|| invite(asked));
    let table = table(id)?;
    let op = TableOp::Join {
        draw: random::color()?,
        block: block(asked, &identity.player, &table).await,
    };
    let joined = call(asked, &table, Some(&identity), invite, op);
    sitting(asked, &identity.player.id, &table, joined).await
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
    asked.check_upgrade()?;
    let identity = asked.socket_identity().await?;
    let (table, invite) = (table(id)?, invite(asked));
    let op = TableOp::Socket { since: since(asked)? };
    // A socket's call travels in a header. What is too long for one is told before.
    let hidden = identity.as_ref().and_then(Identity::conduct);
    let long = hidden.is_some_and(|conduct| conduct.hidden.len() > MOST_IN_A_HEADER);
    if !long {
        return call(asked, &table, identity.as_ref(), invite, op).await;
    }
    call(asked, &table, identity.as_ref(), invite.clone(), TableOp::Live).await?;
    let known = TableCall {
        conduct: None,
        ..table_call(asked, identity.as_ref(), invite, op)
    };
    TableClient::new(&asked.env).call(&table, &known).await
}

/// How many of the people whom somebody does not hear go into a header.
const MOST_IN_A_HEADER: usize = 100;

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
    let call = table_call(asked, identity, invite, op);
    TableClient::new(&asked.env).call(table, &call).await
}

pub(super) fn table_call(
    asked: &Asked,
    identity: Option<&Identity>,
    invite: Option<InviteCode>,
    op: TableOp,
) -> TableCall {
    TableCall {
        player: identity.map(|identity| identity.player.clone()),
        session: identity.map(|identity| identity.claims.session.clone()),
        conduct: identity.and_then(Identity::conduct).cloned(),
        operator: identity.is_some_and(Identity::is_operator),
        invite,
        origin: asked.own_origin(),
        op,
        fault: asked.fault(),
    }
}

/// The table that an address names. What cannot be an id is no table's.
pub(super) fn table(id: &str) -> Result<TableId, Problem> {
    TableId::try_from(id.to_owned()).map_err(|_| Problem::not_found())
}

/// The invite in the query. What cannot be one opens nothing, like a wrong one.
pub(super) fn invite(asked: &Asked) -> Option<InviteCode> {
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
