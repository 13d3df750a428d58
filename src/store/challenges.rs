//! Challenges as rows (L3). A challenge ends once: of several who end it at the same moment, the statement lets one.

use super::in_time;
use crate::clock::{Millis, Timestamp};
use crate::game::{ChallengeId, PlayerId};
use crate::lobby::{Challenge, ChallengeEnd};
use serde::Deserialize;
use serde_json::{Value, json};
use worker::{D1Database, query};

/// How long a challenge that has ended is kept, for whoever sends his answer again.
const KEPT: Millis = Millis::from_secs(24 * 3600);

/// The most challenges that are brought at a time.
const MOST: u32 = 100;

#[derive(Deserialize)]
struct Row {
    body: String,
    ended: Option<ChallengeEnd>,
}

impl Row {
    fn read(self) -> worker::Result<Challenge> {
        let challenge: Challenge = serde_json::from_str(&self.body)?;
        Ok(Challenge {
            ended: self.ended,
            ..challenge
        })
    }
}

#[derive(Deserialize)]
struct Id {
    #[allow(dead_code, reason = "only that there is a row matters")]
    id: String,
}

/// The end as it stands in a row.
fn written(end: ChallengeEnd) -> &'static str {
    match end {
        ChallengeEnd::Accepted => "accepted",
        ChallengeEnd::Declined => "declined",
        ChallengeEnd::Withdrawn => "withdrawn",
        ChallengeEnd::Expired => "expired",
        ChallengeEnd::Blocked => "blocked",
    }
}

/// Keeps a challenge, unless one from the same to the same is open, or one of the two is gone. Says whether it is kept by this; what is
/// kept already stays as it is.
///
/// # Errors
/// When the database is away.
pub async fn insert(db: &D1Database, challenge: &Challenge) -> worker::Result<bool> {
    let insert = query!(
        db,
        "insert into challenges (id, from_id, to_id, created_at, expires_at, body)
         select ?1, ?2, ?3, ?4, ?5, ?6 where not exists
           (select 1 from challenges where from_id = ?2 and to_id = ?3 and ended is null and expires_at > ?4)
           and not exists (select 1 from players where id in (?2, ?3) and deleted_at is not null)
         on conflict (id) do nothing
         returning id",
        challenge.id.as_str(),
        challenge.from.id.as_str(),
        challenge.to.id.as_str(),
        challenge.created_at.as_millis(),
        challenge.expires_at().as_millis(),
        serde_json::to_string(challenge)?
    )?;
    let rows = in_time(insert.all()).await?.results::<Id>()?;
    Ok(!rows.is_empty())
}

/// A challenge, open or not.
///
/// # Errors
/// When the database is away.
pub async fn get(db: &D1Database, id: &ChallengeId) -> worker::Result<Option<Challenge>> {
    let select = query!(
        db,
        "select body, ended from challenges where id = ?1",
        id.as_str()
    )?;
    let row = in_time(select.first::<Row>(None)).await?;
    row.map(Row::read).transpose()
}

/// Ends an open challenge. Says whether it was this that ended it. One is accepted only in time, and while neither has blocked the other,
/// whatever was true a moment ago.
///
/// # Errors
/// When the database is away.
pub async fn end(
    db: &D1Database,
    challenge: &Challenge,
    end: ChallengeEnd,
    now: Timestamp,
) -> worker::Result<bool> {
    let update = query!(
        db,
        "update challenges set ended = ?2 where id = ?1 and ended is null
           and (?2 != 'accepted' or (expires_at > ?3 and not exists
             (select 1 from blocks where (player_id = from_id and blocked_id = to_id)
                or (player_id = to_id and blocked_id = from_id))))
         returning id",
        challenge.id.as_str(),
        written(end),
        now.as_millis()
    )?;
    let rows = in_time(update.all()).await?.results::<Id>()?;
    Ok(!rows.is_empty())
}

/// Notes that the table of an accepted challenge is there.
///
/// # Errors
/// When the database is away.
pub async fn begun(db: &D1Database, id: &ChallengeId) -> worker::Result<()> {
    let update = query!(db, "update challenges set begun = 1 where id = ?1", id.as_str())?;
    in_time(update.run()).await?;
    Ok(())
}

/// The challenges to and from a player that are open, newest first.
///
/// # Errors
/// When the database is away.
pub async fn open_of(db: &D1Database, player: &PlayerId, now: Timestamp) -> worker::Result<Vec<Challenge>> {
    // Two halves, so that each is found by its index.
    let select = query!(
        db,
        "select body, ended, created_at from challenges where to_id = ?1 and ended is null and expires_at > ?2
         union select body, ended, created_at from challenges where from_id = ?1 and ended is null and expires_at > ?2
         order by created_at desc limit ?3",
        player.as_str(),
        now.as_millis(),
        MOST
    )?;
    read(in_time(select.all()).await?.results()?)
}

/// Everything that is kept of challenges to and from a player, newest first: as they stand, with how they ended.
///
/// # Errors
/// When the database is away.
pub async fn all_of(db: &D1Database, player: &PlayerId) -> worker::Result<Vec<Value>> {
    let select = query!(
        db,
        "select body, ended, created_at from challenges where to_id = ?1
         union select body, ended, created_at from challenges where from_id = ?1 order by created_at desc",
        player.as_str()
    )?;
    let challenges = read(in_time(select.all()).await?.results()?)?;
    let whole = challenges.iter().map(|challenge| {
        let mut whole = shown(challenge);
        whole["how"] = json!(challenge.ended);
        whole
    });
    Ok(whole.collect())
}

/// The challenges between two players that nobody has ended.
///
/// # Errors
/// When the database is away.
pub async fn open_between(
    db: &D1Database,
    one: &PlayerId,
    other: &PlayerId,
) -> worker::Result<Vec<Challenge>> {
    let select = query!(
        db,
        "select body, ended from challenges where ended is null and to_id = ?1 and from_id = ?2
         union all select body, ended from challenges where ended is null and to_id = ?2 and from_id = ?1",
        one.as_str(),
        other.as_str()
    )?;
    read(in_time(select.all()).await?.results()?)
}

/// The challenges to and from a player that nobody has ended, whatever the time.
///
/// # Errors
/// When the database is away.
pub async fn unended_of(db: &D1Database, player: &PlayerId) -> worker::Result<Vec<Challenge>> {
    let select = query!(
        db,
        "select body, ended from challenges where ended is null and to_id = ?1
         union all select body, ended from challenges where ended is null and from_id = ?1",
        player.as_str()
    )?;
    read(in_time(select.all()).await?.results()?)
}

/// Challenges whose time is over and that nobody has ended.
///
/// # Errors
/// When the database is away.
pub async fn overdue(db: &D1Database, now: Timestamp) -> worker::Result<Vec<Challenge>> {
    let select = query!(
        db,
        "select body, ended from challenges where ended is null and expires_at <= ?1 order by expires_at limit ?2",
        now.as_millis(),
        MOST
    )?;
    read(in_time(select.all()).await?.results()?)
}

/// Accepted challenges whose table may not be there.
///
/// # Errors
/// When the database is away.
pub async fn unbegun(db: &D1Database) -> worker::Result<Vec<Challenge>> {
    let select = query!(
        db,
        "select body, ended from challenges where ended = 'accepted' and begun = 0 order by created_at limit ?1",
        MOST
    )?;
    read(in_time(select.all()).await?.results()?)
}

/// Removes up to `limit` challenges that ended long ago.
///
/// # Errors
/// When the database is away.
pub async fn sweep(db: &D1Database, now: Timestamp, limit: u32) -> worker::Result<()> {
    let delete = query!(
        db,
        "delete from challenges where id in
           (select id from challenges where created_at < ?1 and ended is not null and (ended != 'accepted' or begun = 1) limit ?2)",
        now.as_millis() - KEPT.get(),
        limit
    )?;
    in_time(delete.run()).await?;
    Ok(())
}

fn read(rows: Vec<Row>) -> worker::Result<Vec<Challenge>> {
    rows.into_iter().map(Row::read).collect()
}

/// A challenge as the two of them see it.
pub fn shown(challenge: &Challenge) -> Value {
    json!({
        "id": challenge.id,
        "from": challenge.from,
        "to": challenge.to,
        "terms": challenge.terms,
        "created_at": challenge.created_at,
        "expires_at": challenge.expires_at(),
    })
}
