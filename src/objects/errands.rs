//! Telling tables what has become of players: they are told at least once, whatever fails in between.
//!
//! Whoever writes errands runs those of the player at once, so that what they are about happens while he looks; what is left over
//! is run by the scheduled trigger.

use super::call::{TableClient, TableOp};
use crate::clock::Timestamp;
use crate::game::PlayerId;
use crate::store;
use crate::store::errands::{Errand, ErrandKind};
use crate::store::people::Person;
use futures_util::future::join_all;
use std::collections::{BTreeMap, BTreeSet};
use worker::{D1Database, Env, Error, Result};

/// How many errands are run at a time.
const AT_A_TIME: u32 = 40;

/// How often more are looked for: whoever has played at more tables than this makes leaves the rest to the trigger.
const ROUNDS: u32 = 5;

/// Runs the errands about one player. What fails is noted and run again later.
pub async fn run_for(env: &Env, player: &PlayerId, now: Timestamp) {
    let ran = async {
        let db = store::database(env)?;
        for _ in 0..ROUNDS {
            let due = store::errands::due_of(&db, player, now, AT_A_TIME).await?;
            if run(env, &db, due, now).await? == Ran::All {
                break;
            }
        }
        Ok(())
    };
    note(ran.await);
}

/// Runs the errands that have become due. What fails is noted and run again later.
pub async fn run_due(env: &Env, now: Timestamp) {
    let ran = async {
        let db = store::database(env)?;
        for _ in 0..ROUNDS {
            let due = store::errands::due(&db, now, AT_A_TIME).await?;
            if run(env, &db, due, now).await? == Ran::All {
                break;
            }
        }
        Ok(())
    };
    note(ran.await);
}

/// Whether there may be more errands than have been run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ran {
    All,
    Some,
}

fn note(ran: Result<()>) {
    if let Err(error) = ran {
        crate::log::error("errands.postponed", &[crate::log::cause(&error)]);
    }
}

async fn run(env: &Env, db: &D1Database, errands: Vec<Errand>, now: Timestamp) -> Result<Ran> {
    let all = errands.len() < AT_A_TIME as usize;
    let about = people_of(db, &errands).await?;
    let ran = join_all(
        errands
            .into_iter()
            .map(|errand| run_one((env, &about), db, errand, now)),
    )
    .await;
    ran.into_iter().collect::<Result<()>>()?;
    Ok(if all { Ran::All } else { Ran::Some })
}

/// Those whom errands are about, each looked up once however many tables are to be told of him.
async fn people_of(db: &D1Database, errands: &[Errand]) -> Result<BTreeMap<PlayerId, Person>> {
    let about: BTreeSet<&PlayerId> = errands
        .iter()
        .filter(|errand| errand.kind() != Some(ErrandKind::SignedOut))
        .map(|errand| &errand.player_id)
        .collect();
    let mut people = BTreeMap::new();
    for player in about {
        if let Some(person) = store::people::whoever(db, player).await? {
            people.insert(player.clone(), person);
        }
    }
    Ok(people)
}

async fn run_one(
    (env, about): (&Env, &BTreeMap<PlayerId, Person>),
    db: &D1Database,
    errand: Errand,
    now: Timestamp,
) -> Result<()> {
    match tell(env, about.get(&errand.player_id), &errand).await {
        Ok(()) => store::errands::done(db, &errand).await,
        Err(error) => {
            note(Err(error));
            store::errands::postpone(db, &errand, now).await
        }
    }
}

async fn tell(env: &Env, person: Option<&Person>, errand: &Errand) -> Result<()> {
    let Some(kind) = errand.kind() else {
        return Err(Error::from("an errand of a kind that is not known"));
    };
    let Some(op) = operation(kind, person.cloned(), errand) else {
        return Ok(());
    };
    match TableClient::new(env).tell(&errand.table_id, op).await {
        // A table that was never stored has nothing to forget.
        Ok(response) if matches!(response.status_code(), 204 | 404) => Ok(()),
        Ok(response) => Err(Error::from(format!(
            "the table answered {}",
            response.status_code()
        ))),
        Err(problem) => Err(Error::from(problem.code().as_str())),
    }
}

/// What the table is told; nothing if there is no such player.
fn operation(kind: ErrandKind, person: Option<Person>, errand: &Errand) -> Option<TableOp> {
    if kind == ErrandKind::SignedOut {
        let session = crate::players::SessionId(errand.subject.clone());
        return Some(TableOp::SignedOut { session });
    }
    person.map(|person| match kind {
        ErrandKind::Left => TableOp::Leave {
            player: person.player,
        },
        ErrandKind::Conduct => TableOp::Conduct {
            player: person.player.id,
            conduct: person.conduct,
        },
        ErrandKind::Renamed | ErrandKind::SignedOut => TableOp::Rename {
            player: person.player,
        },
    })
}
