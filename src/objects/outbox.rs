//! What a table owes others: delivered at least once, applied once.
//!
//! A debt is stored in the same transaction as the events that make it, and removed when it is paid. The index keeps the
//! newest summary by its event's number, as do the queue with appeals, the lobby and the players' objects with what they are told; a
//! table is opened only once, and the operators' log takes an entry once; so a doubled or late delivery changes nothing.

use super::call::{TableCall, TableClient, TableOp};
use super::lobby::{self, LobbyOp};
use super::player::{self, PlayerOp};
use super::table::{Debt, Owed, TableSockets, TableStore};
use crate::clock::{Millis, Timestamp};
use crate::game::{Offer, Opening};
use crate::http::Problem;
use crate::store;
use futures_util::future::join_all;
use worker::{Env, Error, Response, Result};

/// How long a delivery that has begun is left alone before the alarm makes another.
pub(super) const GRACE: Millis = Millis::from_secs(3);

/// Pays what is owed and due, if anything is. A failure is noted and postponed; the alarm tries again.
///
/// # Errors
/// When the table's own storage fails.
pub(super) async fn deliver(
    store: &TableStore,
    env: &Env,
    sockets: &TableSockets<'_>,
    now: Timestamp,
) -> Result<()> {
    // All at once: whoever waits for it does not wait for the sum of them.
    let paid = store.debts(now)?.into_iter().map(|debt| async move {
        match pay(env, &debt, (sockets, store), now).await {
            Ok(()) => store.settle(&debt),
            Err(error) => {
                crate::log::error("outbox.postponed", &[crate::log::cause(&error)]);
                store.postpone(&debt, now)
            }
        }
    });
    join_all(paid).await.into_iter().collect()
}

async fn pay(
    env: &Env,
    debt: &Debt,
    (sockets, known): (&TableSockets<'_>, &TableStore),
    now: Timestamp,
) -> Result<()> {
    match &debt.owed {
        Owed::Summary(summary) => {
            let db = store::database(env)?;
            store::games::put(&db, debt.seq, summary).await
        }
        Owed::NextGame(opening) => open_next_game(env, opening).await,
        Owed::Presence { session, table } => {
            let db = store::database(env)?;
            let player = sockets.tell_presence(&db, session, (table, now)).await?;
            // Whatever changes from now on is told; this is what has changed while nobody knew that he is here.
            let person = match &player {
                Some(player) => store::people::by_id(&db, player).await?,
                None => None,
            };
            match person {
                Some(person) => known.learn(&person.player.id, &person.conduct),
                None => Ok(()),
            }
        }
        Owed::Spoke { player, table } => {
            let db = store::database(env)?;
            store::conduct::spoke(&db, player, table, now).await
        }
        Owed::Appeals(appeals) => {
            let db = store::database(env)?;
            store::appeals::put(&db, debt.seq, appeals).await
        }
        Owed::Entry(entry) => {
            let db = store::database(env)?;
            store::operator_log::add(&db, entry).await
        }
        Owed::Offer(offer) => {
            let op = LobbyOp::Offer(offer.clone());
            told(lobby::ask(env, lobby_of(offer), op).await)
        }
        Owed::Notice { player, frame } => {
            let op = PlayerOp::Tell { frame: frame.clone() };
            told(player::ask(env, player, op).await)
        }
        Owed::Standing { player, standing } => {
            let op = PlayerOp::Hear {
                standing: standing.clone(),
            };
            told(player::ask(env, player, op).await)
        }
    }
}

/// The players with the ratings that their last game has left them, as far as the database knows.
async fn as_they_are_now(env: &Env, opening: &Opening) -> Result<Opening> {
    let db = store::database(env)?;
    let mut opening = opening.clone();
    for player in [&mut opening.seats.black, &mut opening.seats.white] {
        if let Some(person) = store::people::for_a_game(&db, &player.id).await? {
            *player = person.player;
        }
    }
    for player in [&opening.seats.black, &opening.seats.white] {
        if player.id == opening.creator.id {
            opening.creator = player.clone();
        }
    }
    Ok(opening)
}

/// Opens a table with a game that was agreed on before it starts, with its players as they are called now; twice is once.
///
/// # Errors
/// When it may not be there yet.
pub(super) async fn open_next_game(env: &Env, opening: &Opening) -> Result<()> {
    let opening = as_they_are_now(env, opening).await.unwrap_or_else(|error| {
        crate::log::error("database.away", &[crate::log::cause(&error)]);
        opening.clone()
    });
    open_game(env, &opening).await
}

/// The ruleset in whose lobby a table stands.
fn lobby_of(offer: &Offer) -> &str {
    offer.summary["ruleset"].as_str().unwrap_or_default()
}

/// Whether somebody has taken note.
pub(super) fn told(answer: std::result::Result<Response, Problem>) -> Result<()> {
    match answer {
        Ok(response) if response.status_code() < 300 => Ok(()),
        Ok(response) => Err(Error::from(format!("answered {}", response.status_code()))),
        Err(problem) => Err(Error::from(problem.code().as_str())),
    }
}

/// Opens a table with a game that starts at once; twice is once.
///
/// # Errors
/// When it may not be there yet.
pub(super) async fn open_game(env: &Env, opening: &Opening) -> Result<()> {
    let call = TableCall {
        player: Some(opening.creator.clone()),
        session: None,
        conduct: None,
        operator: false,
        invite: None,
        origin: String::new(),
        op: TableOp::Start {
            opening: Box::new(opening.clone()),
        },
        fault: None,
    };
    told(TableClient::new(env).call(opening.invite.table(), &call).await)
}
