//! Seeing pairings through, from the players' word to their game.

use super::matchmaking::GRACE;
use super::shell::LobbyShell;
use super::store::KeptPairing;
use crate::clock::{Millis, Timestamp};
use crate::game::{SearchId, TableId};
use crate::http::Problem;
use crate::lobby::{Claim, Heard, Paired, Pairing, PairingStage, Question};
use crate::objects::outbox::{open_game, told};
use crate::objects::player::{self, Claimed, PlayerOp};
use crate::objects::reach::within;
use futures_util::FutureExt;
use futures_util::future::join_all;
use std::rc::Rc;
use std::time::Duration;
use worker::{Error, Response, Result};

/// How long a pairing waits after a failure; it doubles with each further one.
const FIRST_RETRY: Millis = Millis::from_secs(1);

/// How long it waits at most.
const LONGEST_RETRY: Millis = Millis::from_secs(30);

/// How long a player's object may take to say whether he is in: his opponent waits. It has time to close his tables.
const ANSWERED_WITHIN: Duration = Duration::from_secs(4);

/// How long somebody is left in peace who has lost his connection, or is about to sit down at a table.
const WHILE_AWAY: Millis = Millis::from_secs(1);

/// How long somebody is left in peace whose object does not answer.
const WHILE_SILENT: Millis = Millis::from_secs(10);

/// How a pairing has gone on.
enum Carried {
    /// It is through.
    Through,
    /// Somebody can be paired again.
    Freed,
    /// Something has failed, and is done later.
    Postponed,
}

impl LobbyShell {
    /// The pairings that are due, without those that are being seen through already. Each is left alone for a moment in case that this is
    /// cut off.
    pub(super) fn take_due(&self, now: Timestamp) -> std::result::Result<Vec<KeptPairing>, Problem> {
        let store = self.store()?;
        let take = || -> Result<Vec<KeptPairing>> {
            let mut due = store.pairings()?;
            due.retain(|kept| kept.due <= now && !self.carried.borrow().contains(kept.pairing.table()));
            for kept in &mut due {
                kept.due = now + GRACE;
                store.keep_pairing(kept)?;
            }
            let tables = due.iter().map(|kept| kept.pairing.table().clone());
            self.carried.borrow_mut().extend(tables);
            Ok(due)
        };
        take().map_err(|error| self.storage_failed(&error))
    }

    /// Carries a pairing as far as it goes now. Whoever is free then may be paired again.
    pub(super) async fn see_through(self: &Rc<LobbyShell>, kept: KeptPairing) {
        let carried = {
            let _carrying = Carrying(Rc::clone(self), kept.pairing.table().clone());
            self.carry(kept).await
        };
        match carried {
            Ok(Carried::Through) => {}
            Ok(Carried::Postponed) => self.keep_alarm().await,
            Ok(Carried::Freed) => {
                let shell = Rc::clone(self);
                let matching = async move { shell.match_players().await };
                matching.boxed_local().await;
            }
            Err(error) => {
                self.storage_failed(&error);
                self.keep_alarm().await;
            }
        }
    }

    /// Carries one pairing from stage to stage. What fails is noted, and the alarm goes on with it.
    async fn carry(self: &Rc<LobbyShell>, mut kept: KeptPairing) -> Result<Carried> {
        let store = self.store().map_err(as_error)?;
        loop {
            let now = super::now();
            let question = kept.pairing.question(now);
            let outcome = match question {
                Question::Claim | Question::Commit => self.ask_all(&mut kept, question, now).await,
                Question::Open => self.begin_game(&kept.pairing).await,
                Question::Release => self.release(&mut kept.pairing).await,
                Question::Forget => Ok(()),
            };
            match (outcome, question) {
                (Ok(()), Question::Claim | Question::Commit) => {
                    kept.attempts = 0;
                    // Left alone for another moment: it goes on.
                    kept.due = now + GRACE;
                    store.keep_pairing(&kept)?;
                }
                (Ok(()), Question::Open) => {
                    for paired in &kept.pairing.searches {
                        store.drop_search(&paired.search)?;
                    }
                    store.drop_pairing(kept.pairing.table())?;
                    return Ok(Carried::Through);
                }
                (Ok(()), Question::Release | Question::Forget) => {
                    store.drop_pairing(kept.pairing.table())?;
                    return Ok(Carried::Freed);
                }
                (Err(error), _) => return self.postpone(kept, &error),
            }
        }
    }

    /// Something has failed: it is done again, after a longer time each time.
    fn postpone(&self, mut kept: KeptPairing, error: &Error) -> Result<Carried> {
        crate::log::error("lobby.pairing_postponed", &[crate::log::cause(error)]);
        let wait = (FIRST_RETRY.get() << kept.attempts.min(16)).min(LONGEST_RETRY.get());
        kept.attempts += 1;
        kept.due = super::now() + Millis::new(wait);
        self.store().map_err(as_error)?.keep_pairing(&kept)?;
        // Of one that is dropped, some may be free by now.
        Ok(match kept.pairing.stage {
            PairingStage::Dropped => Carried::Freed,
            _ => Carried::Postponed,
        })
    }

    /// Asks all of them, and notes what their answers come to.
    async fn ask_all(&self, kept: &mut KeptPairing, question: Question, now: Timestamp) -> Result<()> {
        let pairing = &kept.pairing;
        let asked = pairing
            .searches
            .iter()
            .map(|paired| self.ask(pairing, paired, question));
        let answers = join_all(asked).await;
        match kept.pairing.hear(&answers, kept.attempts) {
            Heard::Further => Ok(()),
            Heard::Again => Err(Error::from("a player did not answer")),
            Heard::Dropped { left, away, silent } => {
                let store = self.store().map_err(as_error)?;
                for search in &left {
                    store.drop_search(search)?;
                }
                self.leave_in_peace(&away, now + WHILE_AWAY)?;
                self.leave_in_peace(&silent, now + WHILE_SILENT)
            }
        }
    }

    async fn ask(&self, pairing: &Pairing, paired: &Paired, question: Question) -> Option<Claim> {
        let op = match question {
            Question::Commit => PlayerOp::Commit {
                promise: pairing.promise(paired),
            },
            _ => PlayerOp::Claim {
                search: paired.search.clone(),
                table: pairing.table().clone(),
            },
        };
        let asked = within(ANSWERED_WITHIN, player::ask(&self.env, &paired.player, op));
        let mut response: Response = asked.await.ok()?;
        response.json::<Claimed>().await.ok().map(|claimed| claimed.claim)
    }

    fn leave_in_peace(&self, searches: &[SearchId], until: Timestamp) -> Result<()> {
        let mut put_off = searches.iter().map(|search| self.put_off(search, until));
        put_off.try_for_each(|outcome| outcome.map_err(as_error))
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

    /// Takes back what was promised. Whoever has heard it is free, whatever becomes of the others.
    async fn release(&self, pairing: &mut Pairing) -> Result<()> {
        let searches = pairing.searches.clone();
        let table = &pairing.table().clone();
        let told = join_all(searches.iter().map(|paired| async move {
            let op = PlayerOp::Release {
                search: paired.search.clone(),
                table: table.clone(),
            };
            let asked = within(ANSWERED_WITHIN, player::ask(&self.env, &paired.player, op));
            (paired, told(asked.await))
        }));
        for (paired, outcome) in told.await {
            if outcome.is_ok() && pairing.released(paired) {
                return Ok(());
            }
        }
        Err(Error::from("a player was not released"))
    }
}

fn as_error(problem: Problem) -> Error {
    Error::from(problem.code().as_str())
}

/// Somebody sees a pairing through; whatever becomes of his work, the next one may.
struct Carrying(Rc<LobbyShell>, TableId);

impl Drop for Carrying {
    fn drop(&mut self) {
        self.0.carried.borrow_mut().remove(&self.1);
    }
}
