//! Who searches, and whom the pool pairs (L2).

use super::shell::LobbyShell;
use super::store::KeptPairing;
use crate::clock::{Millis, Timestamp};
use crate::game::{InviteCode, Opening, Player, SearchId, TableId, Terms};
use crate::http::Problem;
use crate::lobby::{Entry, Pairing, Search, next_look, pair_up, stand_ins};
use crate::random;
use crate::rules::{Color, PerColor};
use crate::store;
use futures_util::future::{Either, join_all, select};
use serde_json::json;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;
use worker::Delay;

/// How long somebody who comes is kept waiting for an opponent before he is told that he searches.
const AT_ONCE: Duration = Duration::from_millis(500);

/// When two are looked at again of whom the database could not say whether they have blocked one another.
const ASK_AGAIN: Millis = Millis::from_secs(1);

/// How many rounds are made at a time: each begins with those whom the one before has set free.
const MOST_ROUNDS: usize = 20;

impl LobbyShell {
    /// Somebody comes. He waits a moment, in case there is an opponent at once.
    pub(super) async fn enter(self: &Rc<LobbyShell>, search: Search, now: Timestamp) -> Result<(), Problem> {
        let entry = Entry {
            ready_at: now,
            search,
        };
        let kept = self.store()?.keep_search(&entry);
        kept.map_err(|error| self.storage_failed(&error))?;
        let shell = Rc::clone(self);
        let matching = Box::pin(async move { shell.match_players().await });
        if let Either::Right((_, unfinished)) = select(matching, Box::pin(Delay::from(AT_ONCE))).await {
            self.later(unfinished);
        }
        Ok(())
    }

    /// Pairs whoever can be paired, and sees the pairings through as far as they go now. One does it at a time; who comes meanwhile makes
    /// him look again.
    pub(super) async fn match_players(self: &Rc<LobbyShell>) {
        if self.matching.replace(true) {
            self.look_again.set(true);
            return;
        }
        let _matching = Matching(Rc::clone(self));
        for _ in 0..MOST_ROUNDS {
            self.look_again.set(false);
            if let Err(problem) = self.round(super::now()).await {
                crate::log::error("lobby.round_failed", &[("code", json!(problem.code().as_str()))]);
                break;
            }
            if !self.look_again.get() {
                break;
            }
        }
        let now = super::now();
        if let Err(problem) = self.set_alarm(now).await {
            crate::log::error("lobby.alarm_not_set", &[("code", json!(problem.code().as_str()))]);
        }
    }

    async fn round(self: &Rc<LobbyShell>, now: Timestamp) -> Result<(), Problem> {
        let pool = self.pool(now)?;
        let pairs = pair_up(&pool, &self.avoid.borrow(), now);
        let paired: BTreeSet<&SearchId> = pairs.iter().flat_map(|(one, other)| [one, other]).collect();
        let alone = stand_ins(&pool, now)
            .into_iter()
            .filter(|id| !paired.contains(id));
        let of = |id: &SearchId| pool.iter().find(|entry| entry.search.id == *id);
        let pairs = pairs
            .iter()
            .filter_map(|(one, other)| Some((of(one)?, of(other)?)));
        let allowed = join_all(pairs.map(|(one, other)| self.may_meet(one, other, now))).await;
        // Meanwhile somebody may have left.
        let still_here: BTreeSet<SearchId> =
            self.pool(now)?.into_iter().map(|entry| entry.search.id).collect();
        let pairs = allowed.into_iter().flatten();
        for (one, other) in
            pairs.filter(|(one, other)| still_here.contains(&one.id) && still_here.contains(&other.id))
        {
            let opening = opening(one.terms.clone(), one.player.clone(), other.player.clone())?;
            self.begin(Pairing::new(&[one, other], opening), now)?;
        }
        for search in alone.filter_map(|id| of(&id)).map(|entry| &entry.search) {
            if still_here.contains(&search.id) {
                let opening = opening(search.stand_in_terms(), search.player.clone(), Search::stand_in())?;
                self.begin(Pairing::new(&[search], opening), now)?;
            }
        }
        self.see_through(now).await
    }

    fn begin(&self, pairing: Pairing, now: Timestamp) -> Result<(), Problem> {
        let kept = KeptPairing {
            pairing,
            attempts: 0,
            due: now,
        };
        let kept = self.store()?.keep_pairing(&kept);
        kept.map_err(|error| self.storage_failed(&error))
    }

    /// Those who search and are not being paired, without those whose time is over.
    fn pool(&self, now: Timestamp) -> Result<Vec<Entry>, Problem> {
        let store = self.store()?;
        let read = || -> worker::Result<Vec<Entry>> {
            let pairings = store.pairings()?;
            let held: BTreeSet<&SearchId> = pairings
                .iter()
                .flat_map(|kept| &kept.pairing.searches)
                .map(|paired| &paired.search)
                .collect();
            let mut pool = Vec::new();
            for entry in store.searches()? {
                match held.contains(&entry.search.id) {
                    true => {}
                    // His own object ends the search at the same moment.
                    false if entry.search.expires_at() <= now => store.drop_search(&entry.search.id)?,
                    false => pool.push(entry),
                }
            }
            Ok(pool)
        };
        let pool = read().map_err(|error| self.storage_failed(&error))?;
        if pool.is_empty() {
            self.avoid.replace(crate::lobby::Avoid::default());
        }
        Ok(pool)
    }

    /// Two who may meet; nothing for two of whom one has blocked the other. While the database cannot say, nobody is paired: better late
    /// than with somebody whom he does not want to meet.
    async fn may_meet<'a>(
        &self,
        one: &'a Entry,
        other: &'a Entry,
        now: Timestamp,
    ) -> Option<(&'a Search, &'a Search)> {
        let (first, second) = (&one.search.player.id, &other.search.player.id);
        let blocked = match store::database(&self.env) {
            Ok(db) => store::blocks::between(&db, first, second).await,
            Err(error) => Err(error),
        };
        match blocked {
            Ok(false) => return Some((&one.search, &other.search)),
            Ok(true) => {
                self.avoid.borrow_mut().insert(first, second);
                self.look_again.set(true);
            }
            Err(error) => {
                crate::log::error("database.away", &[crate::log::cause(&error)]);
                for entry in [one, other] {
                    self.put_off(entry, now + ASK_AGAIN);
                }
            }
        }
        None
    }

    /// Leaves somebody in peace until a moment.
    pub(super) fn put_off(&self, entry: &Entry, ready_at: Timestamp) {
        let entry = Entry {
            ready_at,
            ..entry.clone()
        };
        let kept = self.store().and_then(|store| {
            let kept = store.keep_search(&entry);
            kept.map_err(|error| self.storage_failed(&error))
        });
        if let Err(problem) = kept {
            crate::log::error("lobby.not_put_off", &[("code", json!(problem.code().as_str()))]);
        }
    }

    /// Sets the alarm for when the pool is to be looked at again, or a pairing.
    async fn set_alarm(&self, now: Timestamp) -> Result<(), Problem> {
        let look = next_look(&self.pool(now)?, &self.avoid.borrow());
        let pairings = self.store()?.pairings();
        let pairings = pairings.map_err(|error| self.storage_failed(&error))?;
        let due = pairings.into_iter().map(|kept| kept.due.max(now));
        let next = look.map(|look| look.max(now)).into_iter().chain(due).min();
        let set = self.alarm.ring_at(self.state(), next, now).await;
        set.map_err(|error| self.storage_failed(&error))
    }
}

/// A game between two, with colors drawn.
fn opening(terms: Terms, one: Player, other: Player) -> Result<Opening, Problem> {
    let invite = InviteCode::new(TableId::from_seed(random::id_seed()?), random::invite_seed()?);
    let (creator, other) = (one.clone(), other);
    let seats = match random::color()? {
        Color::Black => PerColor {
            black: one,
            white: other,
        },
        Color::White => PerColor {
            black: other,
            white: one,
        },
    };
    Ok(Opening {
        terms,
        creator,
        invite,
        seats,
    })
}

/// Somebody is pairing; whatever becomes of his work, the next one may.
struct Matching(Rc<LobbyShell>);

impl Drop for Matching {
    fn drop(&mut self) {
        self.0.matching.set(false);
    }
}
