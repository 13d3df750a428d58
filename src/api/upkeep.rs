//! What is done from time to time, when the scheduled trigger asks for it: telling tables what they have not been told yet, and
//! removing what is of no use any more.

use crate::clock::Timestamp;
use crate::objects::{challenges, channels, errands};
use crate::store;
use worker::{D1Database, Env, Result};

/// How many rows of a kind are removed at a time.
const SWEPT: u32 = 200;

/// Does it. What fails is noted, and done the next time.
pub async fn run(env: &Env, now: Timestamp) {
    errands::run_due(env, now).await;
    channels::run_due(env, now).await;
    match store::database(env) {
        Ok(db) => all(env, &db, now).await,
        Err(error) => note(Err(error)),
    }
}

/// Each by itself: what fails holds up nothing else.
async fn all(env: &Env, db: &D1Database, now: Timestamp) {
    // Tables that have waited for an hour (T3), and challenges that nobody has answered for a minute (L3). What somebody is about to do
    // with one of them decides before this, or after it, but not both.
    note(challenges::expire_tables(env, db, now, SWEPT).await);
    note(challenges::sweep(env, db, now).await);
    note(store::sessions::sweep(db, now, SWEPT).await);
    note(store::challenges::sweep(db, now, SWEPT).await);
    note(store::limits::sweep(db, now, SWEPT).await);
}

fn note(outcome: Result<()>) {
    if let Err(error) = outcome {
        crate::log::error("upkeep.postponed", &[crate::log::cause(&error)]);
    }
}
