//! How much of each rate limit is used (S5). The arithmetic is [`Limit`]'s; here it stands in one statement, so that calls at
//! the same moment cannot both take the last use.

use super::{batch, in_time};
use crate::clock::{Millis, Timestamp};
use crate::players::Limit;
use serde::Deserialize;
use worker::{D1Database, query};

/// Takes one use, if there is room: key, now, cost, depth.
const TAKE: &str = "insert into rate_limits (key, paid_at) values (?1, ?2 + ?3)
     on conflict (key) do update set paid_at = max(paid_at, ?2) + ?3 where max(paid_at, ?2) + ?3 <= ?2 + ?4
     returning paid_at";

/// When everything is paid off.
const PAID: &str = "select paid_at from rate_limits where key = ?1";

#[derive(Deserialize)]
struct Row {
    paid_at: i64,
}

/// Takes one use. `Some` is how long to wait before there is room for it.
///
/// # Errors
/// When the database is away.
pub async fn take(
    db: &D1Database,
    key: &str,
    limit: Limit,
    now: Timestamp,
) -> worker::Result<Option<Millis>> {
    let take = query!(
        db,
        TAKE,
        key,
        now.as_millis(),
        limit.cost().get(),
        limit.depth().get()
    )?;
    let results = batch(db, vec![take, query!(db, PAID, key)?]).await?;
    let rows: Vec<Vec<Row>> = results
        .iter()
        .map(|result| result.results())
        .collect::<worker::Result<_>>()?;
    let taken = rows.first().is_some_and(|rows| !rows.is_empty());
    let paid_at = rows
        .last()
        .and_then(|rows| rows.first())
        .map_or(now.as_millis(), |row| row.paid_at);
    Ok((!taken).then(|| limit.wait(Timestamp::from_millis(paid_at), now)))
}

/// Removes up to `limit` rows of which nothing is owed any more.
///
/// # Errors
/// When the database is away.
pub async fn sweep(db: &D1Database, now: Timestamp, limit: u32) -> worker::Result<()> {
    let delete = query!(
        db,
        "delete from rate_limits where key in (select key from rate_limits where paid_at < ?1 order by paid_at limit ?2)",
        now.as_millis(),
        limit
    )?;
    in_time(delete.run()).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rusqlite::{Connection, OptionalExtension, params};

    /// Takes one use by the statement; numbers are bound as the runtime binds them.
    fn take_by_sql(db: &Connection, limit: Limit, now: i64) -> Option<i64> {
        let values = params![
            "k",
            now as f64,
            limit.cost().get() as f64,
            limit.depth().get() as f64
        ];
        db.query_row(TAKE, values, |row| row.get(0))
            .optional()
            .expect("runs")
    }

    proptest! {
        #[test]
        fn prop_the_statement_computes_what_the_limit_does(uses in 1u32..10, seconds in 1i64..60, gaps in proptest::collection::vec(0i64..20_000, 1..60)) {
            let db = Connection::open_in_memory().expect("a database");
            db.execute_batch(include_str!("../../migrations/0006_limits.sql")).expect("migrated");
            let limit = Limit::new(uses, Millis::from_secs(seconds));
            let (mut now, mut paid) = (1_800_000_000_000, None);
            for gap in gaps {
                now += gap;
                let expected = limit.take(paid, Timestamp::from_millis(now)).ok();
                prop_assert_eq!(take_by_sql(&db, limit, now), expected.map(Timestamp::as_millis));
                paid = expected.or(paid);
            }
        }
    }
}
