//! What goes from one object to another: told at least once, so whoever hears it has to take it once.
//!
//! What a table owes others is stored in the same transaction as the events that make it, and removed when it is paid. The index keeps the
//! newest summary by its event's number, as do the queue with appeals, the lobby and the players' objects with what they are told; a
//! table is opened only once, and the operators' log takes an entry once; so a doubled or late delivery changes nothing.

use super::call::{TableClient, TableOp};
use crate::clock::Millis;
use crate::game::Opening;
use crate::http::Problem;
use crate::store;
use worker::{Env, Error, Response, Result};

/// How long a delivery that has begun is left alone before the alarm makes another.
pub(super) const GRACE: Millis = Millis::from_secs(3);

/// Whether somebody has taken note.
pub(super) fn told(answer: std::result::Result<Response, Problem>) -> Result<()> {
    match answer {
        Ok(response) if response.status_code() < 300 => Ok(()),
        Ok(response) => Err(Error::from(format!("answered {}", response.status_code()))),
        Err(problem) => Err(Error::from(problem.code().as_str())),
    }
}

/// Opens a table with a game that starts at once; twice is once. The players come to it as they are now, not as they were when they
/// searched, were challenged or finished their last game (P2, T12).
///
/// # Errors
/// When it may not be there yet.
pub(super) async fn open_game(env: &Env, opening: &Opening) -> Result<()> {
    let opening = as_they_are_now(env, opening).await.unwrap_or_else(|error| {
        crate::log::error("database.away", &[crate::log::cause(&error)]);
        opening.clone()
    });
    let (table, opening) = (opening.invite.table().clone(), Box::new(opening));
    told(
        TableClient::new(env)
            .tell(&table, TableOp::Start { opening })
            .await,
    )
}

/// The players under their present names and with the ratings that their last game has left them, as far as the database knows.
async fn as_they_are_now(env: &Env, opening: &Opening) -> Result<Opening> {
    let db = store::database(env)?;
    let mut opening = opening.clone();
    let (black, white) = futures_util::future::try_join(
        store::people::for_a_game(&db, &opening.seats.black.id),
        store::people::for_a_game(&db, &opening.seats.white.id),
    )
    .await?;
    for person in [black, white].into_iter().flatten() {
        opening.meet(&person.player);
    }
    Ok(opening)
}
