//! D1: the only place with its SQL. One file a table or small family; the migrations are in `migrations/`.
//!
//! An error here means that the database is away or refused a statement. Callers answer `unavailable` and lose
//! nothing.

pub mod accounts;
pub mod appeals;
pub mod blocks;
pub mod challenges;
pub mod channel_errands;
pub mod conduct;
pub mod errands;
pub mod games;
pub mod idempotency;
pub mod limits;
pub mod lobbies;
pub mod operator_log;
pub mod people;
pub mod ratings;
pub mod reports;
pub mod sessions;

#[cfg(test)]
#[path = "../../tests/support/database.rs"]
mod schema;

use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;
use worker::{D1Database, D1PreparedStatement, D1Result, Delay, Env};

/// How long a query may take before the database counts as away.
const QUERY_LIMIT: Duration = Duration::from_secs(5);

/// The name of the binding in `wrangler.toml`.
const BINDING: &str = "DB";

/// How the database is, as far as tests make it so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Availability {
    /// It is there.
    There,
    /// It cannot be reached.
    Away,
    /// It writes what it is asked to, and nobody hears that it did.
    Mute,
    /// It takes its time: longer than a look-up on the way of a game waits.
    Slow,
}

/// How much time.
const SLOWNESS: Duration = Duration::from_secs(1);

/// What tests have made of the database.
static AVAILABILITY: AtomicU8 = AtomicU8::new(Availability::There as u8);

/// Makes the database be like this from now on, for everything in this isolate. For tests.
pub fn set_availability(availability: Availability) {
    AVAILABILITY.store(availability as u8, Ordering::Relaxed);
}

fn is(availability: Availability) -> bool {
    AVAILABILITY.load(Ordering::Relaxed) == availability as u8
}

/// The database.
///
/// # Errors
/// When the Worker is not bound to one.
pub fn database(env: &Env) -> worker::Result<D1Database> {
    match is(Availability::Away) {
        true => Err(worker::Error::from("the database is away on purpose")),
        false => env.d1(BINDING),
    }
}

/// The outcome of a query, or an error once it takes too long.
///
/// # Errors
/// The query's own, or that it was too slow.
pub async fn in_time<T>(query: impl Future<Output = worker::Result<T>>) -> worker::Result<T> {
    within(QUERY_LIMIT, query).await
}

/// Runs statements in one transaction: all of them, or none.
///
/// # Errors
/// One of theirs, or that they were too slow. Then they may have been run all the same, and nobody knows.
async fn batch(db: &D1Database, statements: Vec<D1PreparedStatement>) -> worker::Result<Vec<D1Result>> {
    let results = in_time(db.batch(statements)).await?;
    match is(Availability::Mute) {
        true => Err(worker::Error::from("the database is mute on purpose")),
        false => Ok(results),
    }
}

/// How many rows a statement of a batch has changed.
fn changes(result: Option<&D1Result>) -> worker::Result<usize> {
    let meta = result.map(D1Result::meta).transpose()?.flatten();
    Ok(meta.and_then(|meta| meta.changes).unwrap_or(0))
}

/// The outcome of a query, with a limit of one's own.
async fn within<T>(limit: Duration, query: impl Future<Output = worker::Result<T>>) -> worker::Result<T> {
    let query = async {
        if is(Availability::Slow) {
            Delay::from(SLOWNESS).await;
        }
        query.await
    };
    let (query, limit) = (std::pin::pin!(query), std::pin::pin!(Delay::from(limit)));
    match futures_util::future::select(query, limit).await {
        futures_util::future::Either::Left((outcome, _)) => outcome,
        futures_util::future::Either::Right(((), _)) => {
            Err(worker::Error::from("the database did not answer"))
        }
    }
}

/// Whether the database answers, and with which version of its schema: the name of the newest migration.
///
/// # Errors
/// When it does not answer.
pub async fn schema_version(db: &D1Database) -> worker::Result<String> {
    let newest = db.prepare("select name from d1_migrations order by id desc limit 1");
    let name = in_time(newest.first::<String>(Some("name"))).await?;
    name.ok_or_else(|| worker::Error::from("no migration has been applied"))
}
