//! What a table owes others: delivered at least once, applied once.
//!
//! A debt is stored in the same transaction as the events that make it, and removed when it is paid. The index keeps the
//! newest summary by its event's number, and a table is opened only once, so a doubled or late delivery changes nothing.

use super::call::{TableCall, TableClient, TableOp};
use super::table::{Debt, Owed, TableStore};
use crate::clock::{Millis, Timestamp};
use crate::game::Opening;
use crate::store;
use worker::{Env, Error, Result};

/// How long a delivery that has begun is left alone before the alarm makes another.
pub(super) const GRACE: Millis = Millis::from_secs(3);

/// Pays what is owed and due, if anything is. A failure is noted and postponed; the alarm tries again.
///
/// # Errors
/// When the table's own storage fails.
pub(super) async fn deliver(store: &TableStore, env: &Env, now: Timestamp) -> Result<()> {
    for debt in store.debts(now)? {
        match pay(env, &debt).await {
            Ok(()) => store.settle(&debt)?,
            Err(error) => {
                crate::log::error("outbox.postponed", &[crate::log::cause(&error)]);
                store.postpone(&debt, now)?;
            }
        }
    }
    Ok(())
}

async fn pay(env: &Env, debt: &Debt) -> Result<()> {
    match &debt.owed {
        Owed::Summary(summary) => {
            let db = store::database(env)?;
            store::games::put(&db, debt.seq, summary).await
        }
        Owed::NextGame(opening) => open_next_game(env, opening).await,
    }
}

async fn open_next_game(env: &Env, opening: &Opening) -> Result<()> {
    let call = TableCall {
        player: Some(opening.creator.clone()),
        invite: None,
        origin: String::new(),
        op: TableOp::Start {
            opening: Box::new(opening.clone()),
        },
        fault: None,
    };
    let answer = TableClient::new(env).call(opening.invite.table(), &call).await;
    match answer {
        Ok(response) if response.status_code() == 201 => Ok(()),
        Ok(response) => Err(Error::from(format!(
            "the next game answered {}",
            response.status_code()
        ))),
        Err(problem) => Err(Error::from(problem.code().as_str())),
    }
}
