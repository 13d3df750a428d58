//! Appeals against an automatic count (G10): bringing one, and what became of them. The table's object decides.

use super::Answer;
use super::claims::claim;
use super::context::Asked;
use super::tables::{call, invite, table};
use crate::game::{AppealId, MOST_POINTS, NewAppeal, Reason};
use crate::http::Problem;
use crate::objects::TableOp;
use crate::players::masked;
use crate::random;
use crate::rules::Vertex;
use crate::wire;
use serde::Deserialize;

#[derive(Deserialize)]
struct AppealRequest {
    points: Vec<Vertex>,
    reason: Reason,
}

/// `GET /api/v1/tables/{id}/appeals`: for everybody who may see the table.
pub(super) async fn list(asked: &Asked, id: &str) -> Answer {
    let identity = asked.identity_if_any().await?;
    call(
        asked,
        &table(id)?,
        identity.as_ref(),
        invite(asked),
        TableOp::Appeals,
    )
    .await
}

/// `POST /api/v1/tables/{id}/appeals`: 201 with the appeal.
pub(super) async fn appeal(asked: &mut Asked, id: &str) -> Answer {
    let identity = asked.known_identity().await?;
    let table = table(id)?;
    let body = asked.json().await?;
    let request: AppealRequest = wire::decode_with_lists(body.clone(), &["points"])?;
    if request.points.is_empty() || request.points.len() > MOST_POINTS {
        let detail = format!("an appeal is about 1 to {MOST_POINTS} points");
        return Err(Problem::bad_field("points", detail));
    }
    let fresh = AppealId::from_seed(random::id_seed()?);
    let (id, _) = claim(asked, &identity.player, &body, fresh).await?;
    // The opponent and whoever watches read it.
    let reason = masked(request.reason.as_str());
    let appeal = NewAppeal {
        id,
        points: request.points,
        reason: request.reason.rewritten(reason),
    };
    let op = TableOp::Appeal { appeal };
    call(asked, &table, Some(&identity), invite(asked), op).await
}
