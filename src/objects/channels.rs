//! Telling players' own channels that sessions have ended: at least once, whatever fails in between. Whoever ends sessions does it at
//! once; what is left over is done by the scheduled trigger.

use super::outbox::told;
use super::player::{self, PlayerOp};
use crate::clock::Timestamp;
use crate::game::PlayerId;
use crate::players::SessionId;
use crate::store;
use crate::store::channel_errands::ChannelErrand;
use futures_util::future::join_all;
use std::collections::BTreeMap;
use worker::{D1Database, Env, Result};

/// How many errands are run at a time.
const AT_A_TIME: u32 = 100;

/// Tells one player's channel. What fails is noted, and done later.
pub async fn run_for(env: &Env, player: &PlayerId, now: Timestamp) {
    let ran = async {
        let db = store::database(env)?;
        let due = store::channel_errands::due_of(&db, player, now, AT_A_TIME).await?;
        run(env, &db, due, now).await
    };
    note(ran.await);
}

/// Tells the channels that have not been told yet. What fails is noted, and done later.
pub async fn run_due(env: &Env, now: Timestamp) {
    let ran = async {
        let db = store::database(env)?;
        let due = store::channel_errands::due(&db, now, AT_A_TIME).await?;
        run(env, &db, due, now).await
    };
    note(ran.await);
}

fn note(ran: Result<()>) {
    if let Err(error) = ran {
        crate::log::error("channel_errands.postponed", &[crate::log::cause(&error)]);
    }
}

async fn run(env: &Env, db: &D1Database, errands: Vec<ChannelErrand>, now: Timestamp) -> Result<()> {
    let mut by_player: BTreeMap<PlayerId, Vec<SessionId>> = BTreeMap::new();
    for errand in errands {
        by_player
            .entry(errand.player_id)
            .or_default()
            .push(errand.session_id);
    }
    let ran = by_player.into_iter().map(|(player, sessions)| async move {
        match tell(env, db, &player, &sessions).await {
            Ok(()) => store::channel_errands::done(db, &sessions).await,
            Err(error) => {
                note(Err(error));
                store::channel_errands::postpone(db, &sessions, now).await
            }
        }
    });
    // One that fails keeps none of the others from being done.
    join_all(ran).await.into_iter().collect()
}

async fn tell(env: &Env, db: &D1Database, player: &PlayerId, sessions: &[SessionId]) -> Result<()> {
    let sessions = sessions.to_vec();
    told(player::ask(env, player, PlayerOp::SignedOut { sessions }).await)?;
    match store::people::by_id(db, player).await? {
        Some(_) => Ok(()),
        // His sessions ended because he has deleted himself: nothing of his searches and tables is to stay there (P4).
        None => told(player::ask(env, player, PlayerOp::Leave).await),
    }
}
