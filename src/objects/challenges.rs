//! Carrying challenges out: their ends are decided in one place, their games begun, and the two of them told.

use super::call::TableClient;
use super::outbox::open_game;
use super::player::{self, PlayerOp};
use crate::clock::Timestamp;
use crate::game::PlayerId;
use crate::lobby::{Challenge, ChallengeEnd, ChallengeError, ChallengeStep, Facts};
use crate::store;
use futures_util::future::join_all;
use serde_json::{Value, json};
use worker::{D1Database, Env, Result};

/// Who does what with a challenge.
pub struct Move<'a> {
    /// What.
    pub step: ChallengeStep,
    /// Who; nobody for what the time brings.
    pub by: Option<&'a PlayerId>,
    /// What is true of the two at the moment.
    pub facts: Facts,
}

/// How a challenge has ended by a move.
pub type Ended = std::result::Result<Option<ChallengeEnd>, ChallengeError>;

/// Tells the two of them that there is a challenge. Whoever is not on his channel finds it when he comes.
pub async fn tell_made(env: &Env, challenge: &Challenge) {
    let frame = json!({"type": "challenged", "challenge": store::challenges::shown(challenge)});
    tell_both(env, challenge, frame).await;
}

/// Makes a move, in case it is the first that ends the challenge; begins the game of one that is accepted, and tells the two of them.
///
/// # Errors
/// When the database is away, or the game of an accepted challenge could not be begun yet: it will be, and accepting again is
/// harmless.
pub async fn make_move(
    env: &Env,
    db: &D1Database,
    challenge: Challenge,
    made: Move<'_>,
    now: Timestamp,
) -> Result<Ended> {
    let end = match challenge.step(made.step, made.by, made.facts, now) {
        Ok(Some(end)) => end,
        other => return Ok(other),
    };
    let repeated = challenge.ended.is_some();
    if !repeated && !store::challenges::end(db, &challenge, end, now).await? {
        // Somebody was faster, or a block came in between: what stands now decides.
        return outrun(db, challenge, made, end, now).await;
    }
    match (end, repeated) {
        (ChallengeEnd::Accepted, false) => begin(env, db, &challenge).await?,
        // If the first time broke off, the sweep notes it and tells the other; whoever asks again has his game now.
        (ChallengeEnd::Accepted, true) => open_game(env, &challenge.opening()).await?,
        (_, false) => tell_ended(env, &challenge, end).await,
        (_, true) => {}
    }
    Ok(Ok(Some(end)))
}

/// What becomes of a move that came too late.
async fn outrun(
    db: &D1Database,
    challenge: Challenge,
    made: Move<'_>,
    wanted: ChallengeEnd,
    now: Timestamp,
) -> Result<Ended> {
    let standing = store::challenges::get(db, &challenge.id).await?;
    let standing = standing.unwrap_or(challenge);
    if standing.ended.is_none() && wanted == ChallengeEnd::Accepted {
        let facts = Facts {
            blocked: true,
            ..made.facts
        };
        return Ok(standing.step(ChallengeStep::Accept, made.by, facts, now));
    }
    Ok(standing.step(made.step, made.by, made.facts, now))
}

/// Begins the game of an accepted challenge, and tells the two of them; twice is once.
///
/// # Errors
/// When the game may not be there yet.
pub async fn begin(env: &Env, db: &D1Database, challenge: &Challenge) -> Result<()> {
    open_game(env, &challenge.opening()).await?;
    store::challenges::begun(db, &challenge.id).await?;
    tell_ended(env, challenge, ChallengeEnd::Accepted).await;
    Ok(())
}

/// Ends what is open between two of whom one has blocked the other (T6).
///
/// # Errors
/// When the database is away.
pub async fn block(env: &Env, db: &D1Database, two: (&PlayerId, &PlayerId), now: Timestamp) -> Result<()> {
    for challenge in store::challenges::open_between(db, two.0, two.1).await? {
        let made = Move {
            step: ChallengeStep::Block,
            by: None,
            facts: Facts {
                blocked: true,
                welcome: true,
            },
        };
        // One that has ended otherwise is as good.
        let _ = make_move(env, db, challenge, made, now).await?;
    }
    Ok(())
}

/// Ends what is open to and from somebody who is about to delete himself (P4): he withdraws, or declines.
///
/// # Errors
/// When the database is away.
pub async fn leave(env: &Env, db: &D1Database, player: &PlayerId, now: Timestamp) -> Result<()> {
    for challenge in store::challenges::unended_of(db, player).await? {
        let made = Move {
            step: match challenge.from.id == *player {
                true => ChallengeStep::Withdraw,
                false => ChallengeStep::Decline,
            },
            by: Some(player),
            facts: Facts {
                blocked: false,
                welcome: true,
            },
        };
        // One that has ended otherwise is as good.
        let _ = make_move(env, db, challenge, made, now).await?;
    }
    Ok(())
}

/// Ends what nobody has answered in time, and begins what was accepted and is not there yet. One that fails is noted, and holds up none
/// of the others.
///
/// # Errors
/// When the database is away.
pub async fn sweep(env: &Env, db: &D1Database, now: Timestamp) -> Result<()> {
    for challenge in store::challenges::overdue(db, now).await? {
        let made = Move {
            step: ChallengeStep::Wait,
            by: None,
            facts: Facts {
                blocked: false,
                welcome: true,
            },
        };
        note(make_move(env, db, challenge, made, now).await);
    }
    for challenge in store::challenges::unbegun(db).await? {
        note(begin(env, db, &challenge).await);
    }
    Ok(())
}

/// What fails now is swept the next time.
fn note<T>(swept: Result<T>) {
    if let Err(error) = swept {
        crate::log::error("challenges.postponed", &[crate::log::cause(&error)]);
    }
}

async fn tell_ended(env: &Env, challenge: &Challenge, how: ChallengeEnd) {
    let mut frame = json!({"type": "challenge_ended", "id": challenge.id, "how": how});
    if how == ChallengeEnd::Accepted {
        frame["table_id"] = json!(challenge.table());
    }
    tell_both(env, challenge, frame).await;
}

/// Tells both what their channels show. It is kept in the database, so whoever misses it finds it when he comes.
async fn tell_both(env: &Env, challenge: &Challenge, frame: Value) {
    let both = [&challenge.from.id, &challenge.to.id];
    let told = both.map(|player| player::ask(env, player, PlayerOp::Tell { frame: frame.clone() }));
    // A failure has been noted where the object was called.
    let _ = join_all(told).await;
}

/// Closes the tables that have waited for too long at a moment (T3). Each decides by itself.
///
/// # Errors
/// When the database is away.
pub async fn expire_tables(env: &Env, db: &D1Database, as_of: Timestamp, limit: u32) -> Result<()> {
    let before = as_of + crate::clock::Millis::new(-crate::game::LONGEST_WAIT.get());
    let waiting = store::lobbies::waiting_since(db, before, limit).await?;
    let client = TableClient::new(env);
    let told = waiting
        .iter()
        .map(|table| client.tell(table, super::TableOp::Expire { as_of }));
    let _ = join_all(told).await;
    Ok(())
}
