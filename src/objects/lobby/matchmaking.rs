//! Who searches, and whom the pool pairs (L2).

use super::shell::LobbyShell;
use super::store::KeptPairing;
use crate::clock::{Millis, Timestamp};
use crate::game::{InviteCode, Opening, Player, PlayerId, SearchId, TableId, Terms};
use crate::http::Problem;
use crate::lobby::{Avoid, Entry, Meeting, Pairing, Search, meeting, next_look, pair_up, stand_ins};
use crate::objects::player::{self, PlayerOp};
use crate::random;
use crate::rules::{Color, PerColor};
use crate::store;
use crate::store::people::Person;
use futures_util::future::{Either, join, join_all, select};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;
use worker::Delay;

/// How long somebody who comes is kept waiting for an opponent before he is told that he searches.
const AT_ONCE: Duration = Duration::from_millis(500);

/// When two are looked at again of whom the database could not say whether they have blocked one another.
const ASK_AGAIN: Millis = Millis::from_secs(1);

/// When somebody is looked at again whose own object is told that he may not play.
const WHILE_BARRED: Millis = Millis::from_secs(5);

/// How long two who have blocked one another are kept apart before the database is asked again: blocks are taken back, too.
const APART_FOR: Millis = Millis::from_secs(60);

/// How many rounds are made at a time: each begins with those whom the one before has set free.
const MOST_ROUNDS: usize = 20;

/// How often an alarm that cannot be set is tried again, a second apart. Then the next who comes sets it.
const ALARM_TRIES: usize = 10;

/// How long work that has begun is left alone before the alarm looks after it.
pub(super) const GRACE: Millis = Millis::from_secs(3);

/// What the database says of one who searches.
enum Known {
    /// All that is kept of him.
    Here(Box<Person>),
    /// He has deleted himself.
    Gone,
    /// Nothing: it is away.
    Unknown,
}

/// What is to be begun.
type Begun<'a> = (Vec<&'a Search>, Opening);

impl LobbyShell {
    /// Somebody comes. He waits a moment, in case there is an opponent at once.
    pub(super) async fn enter(self: &Rc<LobbyShell>, search: Search, now: Timestamp) -> Result<(), Problem> {
        let entry = Entry {
            ready_at: now,
            search,
        };
        let kept = self.store()?.keep_search(&entry);
        kept.map_err(|error| self.storage_failed(&error))?;
        // In the same turn: whatever cuts off what follows, somebody will look at the pool.
        let set = self.alarm.ring_at(self.state(), Some(now + GRACE), now).await;
        set.map_err(|error| self.storage_failed(&error))?;
        let shell = Rc::clone(self);
        let matching = Box::pin(async move { shell.match_players().await });
        if let Either::Right((_, unfinished)) = select(matching, Box::pin(Delay::from(AT_ONCE))).await {
            self.later(unfinished);
        }
        Ok(())
    }

    /// Pairs whoever can be paired, and sees the pairings through as far as they go now, each by itself: an object that does not answer
    /// keeps nobody waiting but those who were paired with it.
    pub(super) async fn match_players(self: &Rc<LobbyShell>) {
        let due = self.pair().await;
        join_all(due.into_iter().map(|kept| self.see_through(kept))).await;
    }

    /// The same, when the alarm has rung: another one can only ring when this is done.
    pub(super) async fn match_from_alarm(self: &Rc<LobbyShell>) {
        let due = self.pair().await;
        let shell = Rc::clone(self);
        self.later(async move {
            join_all(due.into_iter().map(|kept| shell.see_through(kept))).await;
        });
    }

    /// Pairs whoever can be paired, and brings the pairings that are to be seen through now. One does it at a time; who comes meanwhile
    /// makes him look again.
    async fn pair(self: &Rc<LobbyShell>) -> Vec<KeptPairing> {
        let mut due = Vec::new();
        if self.matching.replace(true) {
            self.look_again.set(true);
            return due;
        }
        let _matching = Matching(Rc::clone(self));
        for _ in 0..MOST_ROUNDS {
            self.look_again.set(false);
            let round = self.round(super::now()).await;
            let failed = round.is_err();
            match round {
                Ok(taken) => due.extend(taken),
                Err(problem) => self.note("lobby.round_failed", Err(problem)),
            }
            // In the same turn as what was stored: if what follows is cut off, the alarm goes on with it.
            self.keep_alarm().await;
            if failed || !self.look_again.get() {
                break;
            }
        }
        due
    }

    async fn round(self: &Rc<LobbyShell>, now: Timestamp) -> Result<Vec<KeptPairing>, Problem> {
        let pool = self.pool(now)?;
        if self.avoid_since.get() + APART_FOR <= now {
            self.avoid.replace(Avoid::default());
            self.avoid_since.set(now);
        }
        let pairs = pair_up(&pool, &self.avoid.borrow(), now);
        let of = |id: &SearchId| pool.iter().find(|entry| entry.search.id == *id);
        let pairs = pairs
            .iter()
            .filter_map(|(one, other)| Some((of(one)?, of(other)?)));
        let alone: Vec<&Entry> = stand_ins(&pool, now).iter().filter_map(of).collect();
        let pairs = join_all(pairs.map(|(one, other)| async move {
            let known = join(self.know(&one.search), self.know(&other.search)).await;
            (one, other, known)
        }));
        let alone = join_all(
            alone
                .into_iter()
                .map(|entry| async move { (entry, self.know(&entry.search).await) }),
        );
        let (pairs, alone) = join(pairs, alone).await;
        // Nothing is awaited from here on. Meanwhile somebody may have left.
        let mut free: BTreeSet<SearchId> = self.pool(now)?.into_iter().map(|entry| entry.search.id).collect();
        let mut begun = Vec::new();
        for (one, other, known) in pairs {
            begun.extend(self.meet((one, other), known, &mut free, now)?);
        }
        for (entry, known) in alone {
            begun.extend(self.stand_in(entry, known, &mut free, now)?);
        }
        for (searches, opening) in begun {
            self.begin(Pairing::new(&searches, opening), now)?;
        }
        self.take_due(now)
    }

    /// What the database says of one who searches. It is not waited for long.
    async fn know(&self, search: &Search) -> Known {
        let found = match store::database(&self.env) {
            Ok(db) => store::people::for_a_game(&db, &search.player.id).await,
            Err(error) => Err(error),
        };
        match found {
            Ok(Some(person)) => Known::Here(Box::new(person)),
            Ok(None) => Known::Gone,
            Err(error) => {
                crate::log::error("database.away", &[crate::log::cause(&error)]);
                Known::Unknown
            }
        }
    }

    /// The game of two, as they are now, if they may meet. Whoever is not in `free` any more gets no stand-in either.
    fn meet<'a>(
        self: &Rc<LobbyShell>,
        (one, other): (&'a Entry, &'a Entry),
        known: (Known, Known),
        free: &mut BTreeSet<SearchId>,
        now: Timestamp,
    ) -> Result<Option<Begun<'a>>, Problem> {
        let (one, other) = (&one.search, &other.search);
        let Some((first, second)) = self.both((one, other), known, free, now)? else {
            return Ok(None);
        };
        let (this, that) = (&first.player.id, &second.player.id);
        let met = meeting((this, &first.conduct), (that, &second.conduct), now);
        let both_free = [one, other].map(|search| free.remove(&search.id)) == [true, true];
        if met == Meeting::Fine && both_free {
            let opening = opening(one.terms.clone(), first.player, second.player)?;
            return Ok(Some((vec![one, other], opening)));
        }
        self.look_again.set(true);
        match met {
            // One of them has left meanwhile.
            Meeting::Fine => {}
            Meeting::Apart => self.avoid.borrow_mut().insert(this, that),
            Meeting::Barred(barred) => {
                let barred = [one, other]
                    .into_iter()
                    .filter(|search| barred.contains(&search.player.id));
                for search in barred {
                    self.bar(search, now)?;
                }
            }
        }
        Ok(None)
    }

    /// Two with all that is known of them. While the database cannot say, nobody is paired: better late than with somebody whom he does not
    /// want to meet.
    fn both(
        &self,
        (one, other): (&Search, &Search),
        known: (Known, Known),
        free: &mut BTreeSet<SearchId>,
        now: Timestamp,
    ) -> Result<Option<(Person, Person)>, Problem> {
        match known {
            (Known::Here(first), Known::Here(second)) => return Ok(Some((*first, *second))),
            (Known::Gone, _) => self.forget(one, free)?,
            (_, Known::Gone) => self.forget(other, free)?,
            (Known::Unknown, _) | (_, Known::Unknown) => {
                for search in [one, other] {
                    self.put_off(&search.id, now + ASK_AGAIN)?;
                }
            }
        }
        Ok(None)
    }

    /// The game against the computer of one who has waited for long enough, unless he has been paired. While the database is away, he
    /// plays as he was when he came.
    fn stand_in<'a>(
        self: &Rc<LobbyShell>,
        entry: &'a Entry,
        known: Known,
        free: &mut BTreeSet<SearchId>,
        now: Timestamp,
    ) -> Result<Option<Begun<'a>>, Problem> {
        let search = &entry.search;
        if !free.remove(&search.id) {
            return Ok(None);
        }
        let player = match known {
            Known::Gone => return self.forget(search, free).map(|()| None),
            Known::Here(person) if person.conduct.barred_at(now).is_some() => {
                return self.bar(search, now).map(|()| None);
            }
            Known::Here(person) => person.player,
            Known::Unknown => search.player.clone(),
        };
        let opening = opening(search.stand_in_terms(), player, Search::stand_in())?;
        Ok(Some((vec![search], opening)))
    }

    /// One who has deleted himself searches no more.
    fn forget(&self, search: &Search, free: &mut BTreeSet<SearchId>) -> Result<(), Problem> {
        free.remove(&search.id);
        self.look_again.set(true);
        let dropped = self.store()?.drop_search(&search.id);
        dropped.map_err(|error| self.storage_failed(&error))
    }

    /// One who was suspended from play after he had come: his own object ends the search (S4).
    fn bar(self: &Rc<LobbyShell>, search: &Search, now: Timestamp) -> Result<(), Problem> {
        self.put_off(&search.id, now + WHILE_BARRED)?;
        let (shell, player): (_, PlayerId) = (Rc::clone(self), search.player.id.clone());
        self.later(async move {
            // A failure has been noted where the object was called. He is looked at again.
            let _ = player::ask(&shell.env, &player, PlayerOp::Suspended { frame: None }).await;
        });
        Ok(())
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
        read().map_err(|error| self.storage_failed(&error))
    }

    /// Leaves somebody in peace until a moment, if he has not left.
    pub(super) fn put_off(&self, search: &SearchId, ready_at: Timestamp) -> Result<(), Problem> {
        let put_off = self.store()?.put_off(search, ready_at);
        put_off.map_err(|error| self.storage_failed(&error))
    }

    /// Sets the alarm for when the pool is to be looked at again, or a pairing. If that fails, it is tried again.
    pub(super) async fn keep_alarm(&self) {
        for _ in 0..ALARM_TRIES {
            match self.set_alarm(super::now()).await {
                Ok(()) => return,
                Err(problem) => self.note("lobby.alarm_not_set", Err(problem)),
            }
            Delay::from(Duration::from_secs(1)).await;
        }
    }

    async fn set_alarm(&self, now: Timestamp) -> Result<(), Problem> {
        let look = next_look(&self.pool(now)?, &self.avoid.borrow());
        let pairings = self.store()?.pairings();
        let pairings = pairings.map_err(|error| self.storage_failed(&error))?;
        // One that is being seen through has its alarm in case that is cut off.
        let due =
            pairings.into_iter().map(
                |kept| match self.carried.borrow().contains(kept.pairing.table()) {
                    true => kept.due.max(now + GRACE),
                    false => kept.due.max(now),
                },
            );
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
