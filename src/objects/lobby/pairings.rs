//! Seeing pairings through, from the players' word to their game.

use super::shell::LobbyShell;
use super::store::KeptPairing;
use crate::clock::{Millis, Timestamp};
use crate::game::SearchId;
use crate::http::Problem;
use crate::lobby::{Claim, Decision, Paired, Pairing, PairingStage};
use crate::objects::outbox::{open_game, told};
use crate::objects::player::{self, Claimed, PlayerOp};
use futures_util::future::join_all;
use std::rc::Rc;
use worker::{Error, Result};

/// How long a pairing waits after a failure; it doubles with each further one.
const FIRST_RETRY: Millis = Millis::from_secs(1);

/// How long it waits at most.
const LONGEST_RETRY: Millis = Millis::from_secs(30);

/// How often a player's object is asked in vain before the pairing is dropped.
const MOST_CLAIMS: u32 = 3;

/// How long somebody who has lost his connection is left in peace.
const WHILE_AWAY: Millis = Millis::from_secs(1);

impl LobbyShell {
    /// Carries every pairing that is due as far as it goes now.
    pub(super) async fn see_through(
        self: &Rc<LobbyShell>,
        now: Timestamp,
    ) -> std::result::Result<(), Problem> {
        let pairings = self.store()?.pairings();
        let pairings = pairings.map_err(|error| self.storage_failed(&error))?;
        let due = pairings.into_iter().filter(|kept| kept.due <= now);
        let carried = join_all(due.map(|kept| self.carry(kept, now))).await;
        for outcome in carried {
            outcome.map_err(|error| self.storage_failed(&error))?;
        }
        Ok(())
    }

    /// Carries one pairing from stage to stage. What fails is noted, and the alarm goes on with it.
    async fn carry(&self, mut kept: KeptPairing, now: Timestamp) -> Result<()> {
        let store = self
            .store()
            .map_err(|problem| Error::from(problem.code().as_str()))?;
        loop {
            let outcome = match kept.pairing.stage {
                PairingStage::Claiming => self.claim(&mut kept, now).await,
                PairingStage::Agreed => self.begin_game(&kept.pairing).await.map(|()| Progress::Through),
                PairingStage::Dropped => self.release(&kept.pairing).await.map(|()| Progress::Through),
            };
            match outcome {
                Ok(Progress::Further) => store.keep_pairing(&kept)?,
                Ok(Progress::Through) => {
                    if kept.pairing.stage == PairingStage::Agreed {
                        for paired in &kept.pairing.searches {
                            store.drop_search(&paired.search)?;
                        }
                    }
                    // Whoever was released can be paired again.
                    self.look_again.set(true);
                    return store.drop_pairing(kept.pairing.table());
                }
                Err(error) => {
                    crate::log::error("lobby.pairing_postponed", &[crate::log::cause(&error)]);
                    let wait = (FIRST_RETRY.get() << kept.attempts.min(16)).min(LONGEST_RETRY.get());
                    kept.attempts += 1;
                    kept.due = now + Millis::new(wait);
                    return store.keep_pairing(&kept);
                }
            }
        }
    }

    /// Asks both whether they are still in.
    async fn claim(&self, kept: &mut KeptPairing, now: Timestamp) -> Result<Progress> {
        let pairing = &kept.pairing;
        let answers = join_all(pairing.searches.iter().map(|paired| self.ask(pairing, paired))).await;
        kept.pairing.stage = match kept.pairing.decide(&answers) {
            Decision::Agreed => PairingStage::Agreed,
            Decision::Unknown if kept.attempts < MOST_CLAIMS => {
                return Err(Error::from("a player did not answer"));
            }
            Decision::Unknown => PairingStage::Dropped,
            Decision::Dropped { left, away } => {
                self.let_go(&left, &away, now)?;
                PairingStage::Dropped
            }
        };
        Ok(Progress::Further)
    }

    async fn ask(&self, pairing: &Pairing, paired: &Paired) -> Option<Claim> {
        let op = PlayerOp::Claim {
            search: paired.search.clone(),
            table: pairing.table().clone(),
        };
        let mut response = player::ask(&self.env, &paired.player, op).await.ok()?;
        response.json::<Claimed>().await.ok().map(|claimed| claimed.claim)
    }

    /// Those who search no more leave the pool; those who are away are not asked for a moment.
    fn let_go(&self, left: &[SearchId], away: &[SearchId], now: Timestamp) -> Result<()> {
        let store = self
            .store()
            .map_err(|problem| Error::from(problem.code().as_str()))?;
        for search in left {
            store.drop_search(search)?;
        }
        for entry in store
            .searches()?
            .iter()
            .filter(|entry| away.contains(&entry.search.id))
        {
            self.put_off(entry, now + WHILE_AWAY);
        }
        Ok(())
    }

    /// Opens the table, and tells both.
    async fn begin_game(&self, pairing: &Pairing) -> Result<()> {
        open_game(&self.env, &pairing.opening).await?;
        let both = pairing.searches.iter().map(|paired| async move {
            let op = PlayerOp::Matched {
                search: paired.search.clone(),
                table: pairing.table().clone(),
                opponent: Box::new(pairing.opponent_of(&paired.player).clone()),
            };
            told(player::ask(&self.env, &paired.player, op).await)
        });
        join_all(both).await.into_iter().collect()
    }

    /// Takes back what was promised.
    async fn release(&self, pairing: &Pairing) -> Result<()> {
        let all = pairing.searches.iter().map(|paired| async move {
            let op = PlayerOp::Release {
                search: paired.search.clone(),
                table: pairing.table().clone(),
            };
            told(player::ask(&self.env, &paired.player, op).await)
        });
        join_all(all).await.into_iter().collect()
    }
}

/// Whether there is more to do.
enum Progress {
    /// It is a stage further.
    Further,
    /// It is through.
    Through,
}
