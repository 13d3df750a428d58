//! What is done from time to time, when the scheduled trigger asks for it: telling tables what they have not been told yet, and
//! removing what is of no use any more.

use crate::clock::Timestamp;
use crate::objects::errands;
use crate::store;
use worker::{Env, Result};

/// How many rows of a kind are removed at a time.
const SWEPT: u32 = 200;

/// Does it. What fails is noted, and done the next time.
pub async fn run(env: &Env, now: Timestamp) {
    errands::run_due(env, now).await;
    if let Err(error) = sweep(env, now).await {
        crate::log::error("upkeep.postponed", &[crate::log::cause(&error)]);
    }
}

async fn sweep(env: &Env, now: Timestamp) -> Result<()> {
    let db = store::database(env)?;
    store::sessions::sweep(&db, now, SWEPT).await?;
    store::limits::sweep(&db, now, SWEPT).await
}
