//! What a table owes the index: delivered at least once, applied once.
//!
//! A debt is stored in the same transaction as the events that make it, and removed when the index has taken it. The
//! index keeps the newest by the event's number, so a doubled or late delivery changes nothing.

use super::table::{Debt, TableStore};
use crate::clock::{Millis, Timestamp};
use crate::store;
use worker::Env;

/// How long a delivery that has begun is left alone before the alarm makes another.
pub(super) const GRACE: Millis = Millis::from_secs(3);

/// Pays what is owed, if anything is. A failure is noted and postponed; the alarm tries again.
///
/// # Errors
/// When the table's own storage fails.
pub(super) async fn deliver(store: &TableStore, env: &Env, now: Timestamp) -> worker::Result<()> {
    let Some(debt) = store.debt()? else { return Ok(()) };
    match pay(env, &debt).await {
        Ok(()) => store.settle(&debt),
        Err(error) => {
            crate::log::error("outbox.postponed", &[crate::log::cause(&error)]);
            store.postpone(&debt, now)
        }
    }
}

async fn pay(env: &Env, debt: &Debt) -> worker::Result<()> {
    let db = store::database(env)?;
    store::games::put(&db, debt.seq, &debt.summary).await
}
