//! Before a player sits down anywhere, or opens a table, his own object hears of it: so no lobby gives him a game in the same moment (T3).

use super::Answer;
use super::context::Asked;
use crate::game::{PlayerId, TableId};
use crate::http::{Code, Problem};
use crate::objects::player::{self, PlayerOp};
use futures_util::future::join_all;

/// Lets a player sit down at a table, or open it, and brings what `begun` brings.
///
/// # Errors
/// `wrong_state` when a game that his search has found is being opened right now; `unavailable`; and those of `begun`.
pub(super) async fn sitting(
    asked: &Asked,
    player: &PlayerId,
    table: &TableId,
    begun: impl Future<Output = Answer>,
) -> Answer {
    let players = [player];
    sit_down(asked, &players, table).await?;
    let answer = begun.await;
    // Where nobody knows what has become of it, his object asks the table before it gives him a game.
    if answer.as_ref().is_ok_and(|answer| answer.status_code() >= 400) {
        stand_up(asked, &players, table).await;
    }
    answer
}

/// Tells players' objects that they are about to sit down at a table.
///
/// # Errors
/// `wrong_state` when a game that a search of one of them has found is being opened right now; `unavailable`.
pub(super) async fn sit_down(asked: &Asked, players: &[&PlayerId], table: &TableId) -> Result<(), Problem> {
    let told = players.iter().map(|player| {
        let table = table.clone();
        player::ask(&asked.env, player, PlayerOp::SitDown { table })
    });
    let mut refused = None;
    for answer in join_all(told).await {
        match answer {
            Ok(answer) if answer.status_code() < 300 => {}
            Ok(answer) if answer.status_code() == 409 => {
                let detail = "an opponent was found for a search: that game is about to begin";
                refused = Some(Problem::new(Code::WrongState, detail));
            }
            Ok(_) => refused = Some(Problem::unavailable()),
            Err(problem) => refused = Some(problem),
        }
    }
    match refused {
        None => Ok(()),
        Some(problem) => {
            stand_up(asked, players, table).await;
            Err(problem)
        }
    }
}

/// Tells them that they have not. If that is lost, their objects find it out.
pub(super) async fn stand_up(asked: &Asked, players: &[&PlayerId], table: &TableId) {
    let told = players.iter().map(|player| {
        let table = table.clone();
        player::ask(&asked.env, player, PlayerOp::StandUp { table })
    });
    // A failure has been noted where the object was called.
    let _ = join_all(told).await;
}
