//! What never changes: rulesets and boards.

use super::Answer;
use crate::http::{Problem, json};
use crate::rules::Board;
use crate::ruleset::RULESETS;
use serde_json::json;

/// `GET /api/v1/rulesets`.
pub(super) fn rulesets() -> Answer {
    let items: Vec<_> = RULESETS.iter().map(|ruleset| ruleset.describe()).collect();
    let body = json!({"items": items, "next_cursor": null});
    json(200, &body).map_err(|_| Problem::internal())
}

/// `GET /api/v1/boards/{board}`: every point of a board that some ruleset plays (B2).
pub(super) fn board(name: &str) -> Answer {
    let board = name
        .parse::<Board>()
        .ok()
        .filter(|&board| RULESETS.iter().any(|ruleset| ruleset.allows_board(board)));
    let geometry = board.ok_or_else(Problem::not_found)?.geometry();
    let points: Vec<_> = geometry
        .points()
        .map(|point| {
            let around = geometry.neighbours(point).iter().map(|&each| geometry.vertex(each));
            let place = geometry.place(point);
            json!({"name": geometry.vertex(point), "x": place.x, "y": place.y, "star": geometry.is_star(point),
                "neighbours": around.collect::<Vec<_>>()})
        })
        .collect();
    json(200, &json!({"board": geometry.board(), "points": points})).map_err(|_| Problem::internal())
}
