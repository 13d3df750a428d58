//! Reports (S3): of a player, of a game, or of a line of chat, kept with what there was to be seen.

use super::Answer;
use super::claims::{Fresh, claim};
use super::context::{Asked, database_away};
use super::identity::Identity;
use super::limits::{Limited, Subject};
use super::tables::call;
use crate::game::{PlayerId, Reason, ReportId, Seq, TableId};
use crate::http::{Code, Problem, json};
use crate::objects::TableOp;
use crate::random;
use crate::store;
use crate::store::reports::{NewReport, Receipt, Scenery};
use crate::wire;
use serde::Deserialize;
use worker::D1Database;

/// The most characters of a report's `reason`, which says in short what kind it is.
const LONGEST_KIND: usize = 100;

#[derive(Deserialize)]
struct ReportRequest {
    player_id: Option<PlayerId>,
    table_id: Option<TableId>,
    seq: Option<Seq>,
    reason: Reason,
    text: Option<Reason>,
    /// Opens a private table, so that what is reported can be seen.
    invite: Option<String>,
}

/// `POST /api/v1/reports`: 201 with the report.
pub(super) async fn report(asked: &mut Asked) -> Answer {
    let identity = asked.known_identity().await?;
    let body = asked.json().await?;
    let request: ReportRequest = wire::decode(body.clone())?;
    check(&request, &identity)?;
    let fresh = ReportId::from_seed(random::id_seed()?);
    let (id, made) = claim(asked, &identity.player, &body, fresh).await?;
    let db = asked.database()?;
    if made == Fresh::No
        && let Some(known) = get(&db, &id).await?
    {
        return json(201, &known).map_err(|_| Problem::internal());
    }
    let subject = Subject::Player(&identity.player.id);
    asked.limit(Limited::Reports, subject).await?;
    let scenery = match &request.table_id {
        Some(table) => Some(scenery(asked, &identity, table, &request).await?),
        None => None,
    };
    let player = match (&request.player_id, request.seq, &scenery) {
        (None, Some(line), Some(scenery)) => author(scenery, line),
        (player, ..) => player.clone(),
    };
    if let Some(player) = &player {
        let known = store::people::whoever(&db, player).await;
        let known = known.map_err(|error| database_away(&error))?;
        known.ok_or_else(|| Problem::bad_field("player_id", "there is no such player"))?;
    }
    let report = NewReport {
        id,
        reporter: identity.player.id,
        player,
        table: request.table_id,
        line: request.seq,
        reason: request.reason.as_str().to_owned(),
        text: request.text.map(|text| text.as_str().to_owned()),
        scenery,
        created_at: asked.now,
    };
    let kept = store::reports::add(&db, &report).await;
    kept.map_err(|error| database_away(&error))?;
    // As it is kept: of two calls at once, the first has written it.
    let kept = get(&db, &report.id).await?.ok_or_else(Problem::internal)?;
    json(201, &kept).map_err(|_| Problem::internal())
}

async fn get(db: &D1Database, id: &ReportId) -> Result<Option<Receipt>, Problem> {
    let found = store::reports::receipt(db, id).await;
    found.map_err(|error| database_away(&error))
}

fn check(request: &ReportRequest, identity: &Identity) -> Result<(), Problem> {
    if request.reason.as_str().chars().count() > LONGEST_KIND {
        let detail = format!("at most {LONGEST_KIND} characters; the rest goes into text");
        return Err(Problem::bad_field("reason", detail));
    }
    if request.player_id.is_none() && request.table_id.is_none() {
        let detail = "a report is about a player_id, a table_id, or both";
        return Err(Problem::bad_field("player_id", detail));
    }
    if request.seq.is_some() && request.table_id.is_none() {
        return Err(Problem::bad_field("table_id", "the table of that line of chat"));
    }
    if request.player_id.as_ref() == Some(&identity.player.id) {
        return Err(Problem::new(Code::SamePlayer, "nobody can report himself"));
    }
    Ok(())
}

/// What there is to be seen at a table that the reporter may see.
async fn scenery(
    asked: &Asked,
    identity: &Identity,
    table: &TableId,
    request: &ReportRequest,
) -> Result<Scenery, Problem> {
    let code = request.invite.clone().and_then(|code| code.try_into().ok());
    let op = TableOp::Scenery { line: request.seq };
    let mut response = call(asked, table, Some(identity), code, op).await?;
    match response.status_code() {
        200 => response.json().await.map_err(|_| Problem::internal()),
        404 => Err(Problem::bad_field(
            "table_id",
            "there is no table that you may see",
        )),
        400 => Err(Problem::bad_field(
            "seq",
            "there is no line of chat with that number",
        )),
        _ => Err(Problem::unavailable()),
    }
}

/// Who has said the line that is reported.
fn author(scenery: &Scenery, line: Seq) -> Option<PlayerId> {
    let found = scenery.chat.iter().find(|each| each.seq == line);
    found.map(|line| line.author_id.clone())
}
