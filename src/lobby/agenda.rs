//! What one player is up to: his one search, his tables, and what of it his channel tells him (L2, L4, T3).
//!
//! The player's object keeps this and nothing else. Tables tell it how they stand, in full and with the number of their event, so
//! what has happened is read from the difference, once, however often it is told.

use super::lease::{Claim, Lease, LeaseStage, Pace, Promise};
use super::notice::{Notice, SearchEnd, differences};
use super::search::Search;
use crate::clock::{Millis, Timestamp};
use crate::game::{Player, SearchId, Stage, Standing, TableId, Visibility};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// How long the player is taken to be about to sit down at a table: longer than a table may take to answer. If nobody has said by then
/// what has become of it, the table is asked.
pub(super) const SITTING: Millis = Millis::from_secs(15);

/// How long a table that is over is kept: longer than a rematch can be agreed on, and than any message about it can be late.
const KEPT: Millis = Millis::from_secs(15 * 60);

/// What one player is up to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Agenda {
    search: Option<Lease>,
    /// The last search that is over. It does not begin again.
    last_search: Option<SearchId>,
    /// Stored table by table, not with the rest: there may be many.
    #[serde(default, skip_serializing)]
    tables: BTreeMap<TableId, Standing>,
    /// Where he is about to sit down, or to open a table; until when he counts as doing so.
    #[serde(default)]
    seats: BTreeMap<TableId, Timestamp>,
    attendance: Attendance,
    /// Whether he has deleted himself.
    #[serde(default)]
    left: bool,
}

/// Whether a player is there: has a device on his channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attendance {
    /// Whether he is.
    pub online: bool,
    /// How often that has changed: of two that are told, the greater holds.
    pub rank: u32,
}

/// What an agenda wants done elsewhere. Doing it twice is doing it once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Duty {
    /// The lobby forgets the search.
    LeaveLobby {
        /// Of which ruleset.
        ruleset: String,
        /// Which search.
        search: SearchId,
    },
    /// A waiting table of the player's closes.
    CloseTable {
        /// Which.
        table: TableId,
    },
    /// The lobby learns whether the player is there.
    Attend {
        /// Of which ruleset.
        ruleset: String,
    },
}

/// What an input leads to besides the change itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Effects {
    /// What the player's devices are told.
    pub notices: Vec<Notice>,
    /// What is to be done elsewhere.
    pub duties: BTreeSet<Duty>,
}

/// How the search stands, for whoever asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News<'a> {
    /// There is none.
    None,
    /// It goes on.
    Searching(&'a SearchId),
    /// It has led to a game.
    Matched(&'a TableId),
}

/// Why a search does not begin or is not cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// He searches already.
    #[error("you are searching already")]
    Open,
    /// That very search is over.
    #[error("that search is over")]
    Over,
    /// He does not search.
    #[error("you are not searching")]
    None,
    /// A game is being made right now, or was.
    #[error("an opponent was found")]
    Found,
}

impl Agenda {
    /// Begins a search; the same one again changes nothing. What the time has brought happens in any case.
    ///
    /// # Errors
    /// When he searches already, or the search is an old one.
    pub fn seek(&mut self, search: Search, now: Timestamp) -> (Effects, Result<(), SearchError>) {
        let mut effects = self.tick(now);
        if self.left || self.last_search.as_ref() == Some(&search.id) {
            return (effects, Err(SearchError::Over));
        }
        match &self.search {
            Some(lease) if lease.search.id == search.id => return (effects, Ok(())),
            Some(lease) if lease.goes_on() => return (effects, Err(SearchError::Open)),
            Some(_) => self.forget_search(&mut effects),
            None => {}
        }
        self.search = Some(Lease::new(search, self.attendance.online));
        (effects, Ok(()))
    }

    /// How the search stands.
    pub fn news(&self) -> News<'_> {
        match &self.search {
            None => News::None,
            Some(lease) => match &lease.stage {
                LeaseStage::Matched { table, .. } => News::Matched(table),
                _ => News::Searching(&lease.search.id),
            },
        }
    }

    /// The search that goes on.
    pub fn search(&self) -> Option<&Search> {
        let lease = self.search.as_ref().filter(|lease| lease.goes_on());
        lease.map(|lease| &lease.search)
    }

    /// The search with which the player belongs into the pool: one that goes on and has been promised to no game.
    pub fn pooled(&self) -> Option<&Search> {
        let lease = self.search.as_ref().filter(|lease| lease.promised().is_none());
        lease.map(|lease| &lease.search)
    }

    /// Ends the search. What the time has brought happens in any case.
    ///
    /// # Errors
    /// When there is none, or an opponent was found.
    pub fn cancel(&mut self, now: Timestamp) -> (Effects, Result<(), SearchError>) {
        let mut effects = self.tick(now);
        let outcome = match &self.search {
            None => Err(SearchError::None),
            Some(lease) if lease.promised().is_some() => Err(SearchError::Found),
            Some(_) => {
                self.end_search(SearchEnd::Cancelled, &mut effects);
                Ok(())
            }
        };
        (effects, outcome)
    }

    /// Forgets everything: the player deletes himself (P4). What tables tell from now on changes nothing.
    pub fn leave(&mut self) -> Effects {
        let mut effects = Effects::default();
        self.forget_search(&mut effects);
        *self = Agenda {
            attendance: self.attendance,
            left: true,
            ..Agenda::default()
        };
        effects
    }

    /// Ends the search, unless its game is being opened: an operator has suspended the player from play (S4).
    pub fn suspend(&mut self) -> Effects {
        let mut effects = Effects::default();
        if self.search.as_ref().is_some_and(Lease::gives_way) {
            self.end_search(SearchEnd::Suspended, &mut effects);
        }
        effects
    }

    /// Forgets the search because the lobby could not be told of it, and says whether it was forgotten: one that a lobby has asked for
    /// has reached it all the same. It may be begun again.
    pub fn give_up(&mut self, search: &SearchId) -> (Effects, bool) {
        let mut effects = Effects::default();
        let given_up = self.pooled().is_some_and(|current| current.id == *search);
        if given_up {
            let before = self.last_search.take();
            self.forget_search(&mut effects);
            self.last_search = before;
        }
        (effects, given_up)
    }

    /// Keeps the player for a game, away from every other pairing, until it is released.
    pub fn claim(&mut self, search: &SearchId, table: &TableId, now: Timestamp) -> (Claim, Effects) {
        let effects = self.tick(now);
        let away = self.is_elsewhere(now);
        let Some(lease) = self.search.as_mut().filter(|lease| lease.search.id == *search) else {
            return (Claim::No, effects);
        };
        let claim = match lease.promised() {
            Some(promised) if promised == table => Claim::Yes,
            Some(_) => Claim::No,
            // This claim was overtaken by its release.
            None if lease.released.contains(table) => Claim::No,
            None if away => Claim::Away,
            None => {
                lease.stage = LeaseStage::Claimed { table: table.clone() };
                Claim::Yes
            }
        };
        (claim, effects)
    }

    /// The tables that are to be closed, or asked how they stand, before the player can be committed: where he waits for somebody, and
    /// where he has tried to sit down and nobody knows what has become of it.
    pub fn doubts(&self, promise: &Promise) -> BTreeSet<TableId> {
        let claimed = |lease: &Lease| {
            lease.search.id == promise.search
                && lease.stage
                    == LeaseStage::Claimed {
                        table: promise.table.clone(),
                    }
        };
        if promise.pace == Pace::Casual || !self.search.as_ref().is_some_and(claimed) {
            return BTreeSet::new();
        }
        let waiting = self.waiting_besides(&promise.table);
        waiting.chain(self.seats.keys()).cloned().collect()
    }

    /// The tables at which the player waits for a game with a clock.
    fn waiting_besides(&self, table: &TableId) -> impl Iterator<Item = &TableId> {
        let waiting = |other: &&Standing| other.state == Stage::Waiting && other.own && other.timed;
        let waiting = self.tables.values().filter(waiting);
        waiting
            .map(|other| &other.table_id)
            .filter(move |other| *other != table)
    }

    /// Commits a player who was claimed: no other game begins for him with this one. `settled` are the tables in doubt that have
    /// been closed, or have said how they stand; what they have said was [heard](Agenda::hear) before.
    pub fn commit(
        &mut self,
        promise: &Promise,
        settled: &BTreeSet<TableId>,
        now: Timestamp,
    ) -> (Claim, Effects) {
        let effects = self.tick(now);
        let away = self.is_elsewhere(now);
        self.seats
            .retain(|table, until| now < *until || !settled.contains(table));
        // A table at which he waits is in doubt until it has said that it does not: it may have been opened after it was asked.
        let waits = self.waiting_besides(&promise.table).next().is_some();
        let doubtful = promise.pace == Pace::Pressing && (waits || !self.seats.is_empty());
        let lease = self.search.as_mut();
        let Some(lease) = lease.filter(|lease| lease.search.id == promise.search) else {
            return (Claim::No, effects);
        };
        let promised = lease.promised() == Some(&promise.table);
        let claim = match &lease.stage {
            _ if !promised => Claim::No,
            LeaseStage::Claimed { .. } if away => Claim::Away,
            LeaseStage::Claimed { .. } if doubtful => Claim::Unknown,
            LeaseStage::Claimed { table } => {
                lease.stage = LeaseStage::Committed { table: table.clone() };
                Claim::Yes
            }
            _ => Claim::Yes,
        };
        (claim, effects)
    }

    /// Whether the player has lost his connection, or is about to sit down at a table.
    fn is_elsewhere(&self, now: Timestamp) -> bool {
        let attended = self.search.as_ref().is_some_and(|lease| lease.attended);
        let gone = attended && !self.attendance.online;
        gone || self.seats.values().any(|until| now < *until)
    }

    /// The player is about to sit down at a table, or to open one. Until it is known what has become of that, he is given no game.
    ///
    /// # Errors
    /// When a game of his is being opened right now.
    pub fn sit_down(&mut self, table: &TableId, now: Timestamp) -> (Effects, Result<(), SearchError>) {
        let effects = self.tick(now);
        if self.left {
            return (effects, Ok(()));
        }
        if let Some(lease) = &self.search
            && let LeaseStage::Committed { table: promised } = &lease.stage
            && promised != table
        {
            return (effects, Err(SearchError::Found));
        }
        self.seats.retain(|_, until| now < *until + KEPT);
        self.seats.insert(table.clone(), now + SITTING);
        (effects, Ok(()))
    }

    /// He has not sat down there, or not by that call: he may have sent two. So the table is asked before he is committed.
    pub fn stand_up(&mut self, table: &TableId, now: Timestamp) -> Effects {
        if let Some(until) = self.seats.get_mut(table) {
            *until = now;
        }
        self.tick(now)
    }

    /// Takes the promise back: there will be no such game, and the search goes on. A claim for it that comes later is late.
    pub fn release(&mut self, search: &SearchId, table: &TableId, now: Timestamp) -> Effects {
        if let Some(lease) = &mut self.search
            && lease.search.id == *search
            && lease.goes_on()
        {
            if lease.promised() == Some(table) {
                lease.stage = LeaseStage::Searching;
            }
            if !lease.released.contains(table) {
                lease.released.push(table.clone());
            }
        }
        self.tick(now)
    }

    /// The game that the player was promised to is there.
    pub fn matched(
        &mut self,
        search: &SearchId,
        table: &TableId,
        opponent: &Player,
        now: Timestamp,
    ) -> Effects {
        let mut effects = Effects::default();
        if let Some(lease) = &mut self.search
            && lease.search.id == *search
            && lease.goes_on()
            && lease.promised().is_none_or(|promised| promised == table)
        {
            let (table, opponent) = (table.clone(), Box::new(opponent.clone()));
            effects.notices.push(Notice::MatchFound {
                table_id: table.clone(),
                opponent: opponent.clone(),
            });
            lease.stage = LeaseStage::Matched {
                table,
                opponent,
                at: now,
            };
        }
        effects
    }

    /// A table tells how it stands.
    pub fn hear(&mut self, told: Standing, now: Timestamp) -> Effects {
        let mut effects = self.tick(now);
        if self.left {
            return effects;
        }
        self.seats.remove(&told.table_id);
        let before = self.tables.get(&told.table_id);
        // A player of a game of long ago has another name now.
        if before.is_none() && told.ended_at.is_some_and(|ended_at| ended_at + KEPT <= now) {
            return effects;
        }
        if before.is_some_and(|before| before.seq >= told.seq) {
            return effects;
        }
        let before = before.cloned();
        effects.notices.extend(differences(before.as_ref(), &told));
        let had_started = before.as_ref().is_some_and(|before| before.started_at.is_some());
        self.tables.insert(told.table_id.clone(), told.clone());
        if !had_started && told.started_at.is_some() {
            self.begin_game(&told, now, &mut effects);
        }
        if told.state == Stage::Waiting && before.is_none() {
            self.watch_waiting(&told, &mut effects);
        }
        self.tables
            .retain(|_, table| table.ended_at.is_none_or(|ended_at| now < ended_at + KEPT));
        effects
    }

    /// A game has begun: what it is not compatible with ends (T3).
    fn begin_game(&mut self, game: &Standing, now: Timestamp, effects: &mut Effects) {
        let promised = self.search.as_ref().and_then(|lease| match &lease.stage {
            LeaseStage::Claimed { table } | LeaseStage::Committed { table } if *table == game.table_id => {
                Some(lease.search.id.clone())
            }
            _ => None,
        });
        if let (Some(search), Some(opponent)) = (promised, &game.opponent) {
            // The lobby's own word is on its way. He hears of the match first, then of the game.
            let found = self.matched(&search, &game.table_id, opponent, now);
            effects.notices.splice(0..0, found.notices);
        }
        if !game.is_pressing() {
            return;
        }
        let searching = self.search.as_ref().is_some_and(|lease| {
            lease.gives_way()
                && game
                    .started_at
                    .is_some_and(|started_at| lease.search.since <= started_at)
        });
        if searching {
            self.end_search(SearchEnd::Started, effects);
        }
        let waiting = self.tables.values().filter(|table| closes_for(table, game));
        let close = waiting.map(|table| Duty::CloseTable {
            table: table.table_id.clone(),
        });
        effects.duties.extend(close);
    }

    /// A table of his waits: unless a game has begun since it was made, of which we have heard first.
    fn watch_waiting(&self, table: &Standing, effects: &mut Effects) {
        let games = self.tables.values();
        if games
            .into_iter()
            .any(|game| game.is_pressing() && closes_for(table, game))
        {
            effects.duties.insert(Duty::CloseTable {
                table: table.table_id.clone(),
            });
        }
        if table.visibility == Visibility::Public && self.attendance.online {
            effects.duties.insert(Duty::Attend {
                ruleset: table.ruleset.id.to_owned(),
            });
        }
    }

    /// Takes note of whether a device of the player is on his channel.
    pub fn attend(&mut self, online: bool, now: Timestamp) -> Effects {
        let mut effects = Effects::default();
        if self.attendance.online != online {
            self.attendance = Attendance {
                online,
                rank: self.attendance.rank.wrapping_add(1),
            };
            let open = self.tables.values().filter(|table| {
                table.state == Stage::Waiting && table.own && table.visibility == Visibility::Public
            });
            effects.duties.extend(open.map(|table| Duty::Attend {
                ruleset: table.ruleset.id.to_owned(),
            }));
            if let Some(lease) = &mut self.search {
                lease.attended |= online;
                lease.absent_since = (!online && lease.attended).then_some(now);
            }
        }
        let ticked = self.tick(now);
        effects.notices.extend(ticked.notices);
        effects.duties.extend(ticked.duties);
        effects
    }

    /// Carries out what the time alone brings.
    pub fn tick(&mut self, now: Timestamp) -> Effects {
        let mut effects = Effects::default();
        let ends_at = self.search.as_ref().map(Lease::ends_at);
        match ends_at.filter(|(due, _)| *due <= now) {
            Some((_, Some(end))) => self.end_search(end, &mut effects),
            Some((_, None)) => self.forget_search(&mut effects),
            None => {}
        }
        effects
    }

    /// When the agenda is to be looked at again.
    pub fn next_deadline(&self) -> Option<Timestamp> {
        self.search.as_ref().map(|lease| lease.ends_at().0)
    }

    fn end_search(&mut self, why: SearchEnd, effects: &mut Effects) {
        if let Some(lease) = &self.search {
            let id = lease.search.id.clone();
            effects.notices.push(Notice::SearchEnded { id, why });
        }
        self.forget_search(effects);
    }

    fn forget_search(&mut self, effects: &mut Effects) {
        let Some(lease) = self.search.take() else {
            return;
        };
        self.last_search = Some(lease.search.id.clone());
        if lease.goes_on() {
            effects.duties.insert(Duty::LeaveLobby {
                ruleset: lease.search.terms.ruleset.id.to_owned(),
                search: lease.search.id,
            });
        }
    }

    /// His tables that are not over, oldest first.
    pub fn open_tables(&self) -> Vec<&Standing> {
        let mut open: Vec<&Standing> = self
            .tables
            .values()
            .filter(|table| !table.state.is_over())
            .collect();
        open.sort_by_key(|table| table.created_at);
        open
    }

    /// His tables that are not over, oldest first: if there are more than `most`, those that want him most. First come games with a
    /// clock, then those where it is his turn, then the newest.
    pub fn greeting(&self, most: usize) -> Vec<&Standing> {
        let mut open = self.open_tables();
        open.sort_by_key(|table| {
            let urgent = (table.timed && table.started_at.is_some(), table.your_turn);
            std::cmp::Reverse((urgent, table.created_at))
        });
        open.truncate(most);
        open.sort_by_key(|table| table.created_at);
        open
    }

    /// All of his tables that are kept.
    pub fn tables(&self) -> &BTreeMap<TableId, Standing> {
        &self.tables
    }

    /// The same agenda with tables that were stored by themselves.
    pub fn with_tables(mut self, tables: impl IntoIterator<Item = Standing>) -> Agenda {
        let by_id = tables.into_iter().map(|table| (table.table_id.clone(), table));
        self.tables.extend(by_id);
        self
    }

    /// Whether the player is there.
    pub fn attendance(&self) -> Attendance {
        self.attendance
    }

    /// Whom a search that led to a game has found.
    pub fn opponent_found(&self) -> Option<(&TableId, &Player)> {
        match &self.search.as_ref()?.stage {
            LeaseStage::Matched { table, opponent, .. } => Some((table, opponent)),
            LeaseStage::Searching | LeaseStage::Claimed { .. } | LeaseStage::Committed { .. } => None,
        }
    }
}

/// Whether a waiting table closes because a game of its creator has begun: one that it was there before.
fn closes_for(table: &Standing, game: &Standing) -> bool {
    let began_later = game
        .started_at
        .is_some_and(|started_at| table.created_at <= started_at);
    table.state == Stage::Waiting && table.own && table.table_id != game.table_id && began_later
}

impl Effects {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.notices.is_empty() && self.duties.is_empty()
    }
}
