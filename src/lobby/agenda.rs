//! What one player is up to: his one search, his tables, and what of it his channel tells him (L2, L4, T3).
//!
//! The player's object keeps this and nothing else. Tables tell it how they stand, in full and with the number of their event, so
//! what has happened is read from the difference, once, however often it is told.

use super::search::Search;
use crate::clock::{Millis, Timestamp};
use crate::game::{
    InviteCode, Player, RematchStanding, SearchId, ShortResult, Stage, Standing, TableId, Visibility,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// How long a search goes on after its player's last device has gone, if one was there. Long enough for a tunnel.
pub(super) const ABSENCE: Millis = Millis::from_secs(15);

/// How long an opponent who was found is remembered, for clients that ask instead of listening.
const REMEMBERED: Millis = Millis::from_secs(5 * 60);

/// How long a claim may stand after the search itself would have ended, before it is given up. The lobby sees every claim through;
/// this is for one that was lost.
const CLAIM_LIMIT: Millis = Millis::from_secs(60);

/// How long a table that is over is kept: longer than a rematch can be agreed on, and than any message about it can be late.
const KEPT: Millis = Millis::from_secs(15 * 60);

/// What one player is up to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Agenda {
    search: Option<Lease>,
    /// The last search that is over. It does not begin again.
    last_search: Option<SearchId>,
    tables: BTreeMap<TableId, Standing>,
    attendance: Attendance,
}

/// Whether a player is there: has a device on his channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attendance {
    /// Whether he is.
    pub online: bool,
    /// How often that has changed: of two that are told, the greater holds.
    pub rank: u32,
}

/// A player's one search. Whatever lobby it is in, it has to ask here before it gives him a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Lease {
    search: Search,
    stage: LeaseStage,
    /// Whether he has been on his channel while he searched.
    attended: bool,
    /// Since when he is not, if he was.
    absent_since: Option<Timestamp>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum LeaseStage {
    Searching,
    Claimed {
        table: TableId,
    },
    Matched {
        table: TableId,
        opponent: Box<Player>,
        at: Timestamp,
    },
}

/// What a player's object says when a lobby wants him for a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Claim {
    /// He is in.
    Yes,
    /// He does not search any more.
    No,
    /// He has lost his connection, and may come back.
    Away,
}

/// Why a search is over without a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchEnd {
    /// He has cancelled it.
    Cancelled,
    /// Five minutes have passed.
    Expired,
    /// Another game has started for him.
    Started,
    /// His last device has gone.
    Disconnected,
}

/// A message of a player's channel. On the wire its name is in `type`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "type")]
pub enum Notice {
    /// An opponent was found; one who is no person is marked by his kind.
    MatchFound {
        /// Where they play.
        table_id: TableId,
        /// Against whom.
        opponent: Box<Player>,
    },
    /// His search is over.
    SearchEnded {
        /// Which.
        id: SearchId,
        /// Why.
        why: SearchEnd,
    },
    /// A game of his has begun.
    Started {
        /// How it stands.
        table: Box<Standing>,
    },
    /// It is his turn at a table that he has not open.
    YourTurn {
        /// Where.
        table_id: TableId,
        /// The number of moves made.
        turn: u32,
    },
    /// A game of his is over.
    Finished {
        /// Where.
        table_id: TableId,
        /// How.
        result: Option<ShortResult>,
    },
    /// A table that he had opened is closed.
    Closed {
        /// Which.
        table_id: TableId,
    },
    /// His opponent proposes to play again, or they have agreed to.
    Rematch {
        /// After the game at which table.
        table_id: TableId,
        /// Where they play again, once they have agreed.
        next: Option<TableId>,
        /// What opens that table.
        invite: Option<InviteCode>,
    },
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
    /// Begins a search; the same one again changes nothing.
    ///
    /// # Errors
    /// When he searches already, or the search is an old one.
    pub fn seek(&mut self, search: Search, now: Timestamp) -> Result<Effects, SearchError> {
        let mut effects = self.tick(now);
        if self.last_search.as_ref() == Some(&search.id) {
            return Err(SearchError::Over);
        }
        match &self.search {
            Some(lease) if lease.search.id == search.id => return Ok(effects),
            Some(lease) if !matches!(lease.stage, LeaseStage::Matched { .. }) => {
                return Err(SearchError::Open);
            }
            Some(_) => self.forget_search(&mut effects),
            None => {}
        }
        self.search = Some(Lease {
            search,
            stage: LeaseStage::Searching,
            attended: self.attendance.online,
            absent_since: None,
        });
        Ok(effects)
    }

    /// How the search stands.
    pub fn news(&self) -> News<'_> {
        match &self.search {
            None => News::None,
            Some(lease) => match &lease.stage {
                LeaseStage::Searching | LeaseStage::Claimed { .. } => News::Searching(&lease.search.id),
                LeaseStage::Matched { table, .. } => News::Matched(table),
            },
        }
    }

    /// The search that goes on.
    pub fn search(&self) -> Option<&Search> {
        let going_on = |lease: &&Lease| !matches!(lease.stage, LeaseStage::Matched { .. });
        self.search.as_ref().filter(going_on).map(|lease| &lease.search)
    }

    /// Ends the search.
    ///
    /// # Errors
    /// When there is none, or an opponent was found.
    pub fn cancel(&mut self, now: Timestamp) -> Result<Effects, SearchError> {
        let mut effects = self.tick(now);
        match self.search.as_ref().map(|lease| &lease.stage) {
            None => return Err(SearchError::None),
            Some(LeaseStage::Claimed { .. } | LeaseStage::Matched { .. }) => return Err(SearchError::Found),
            Some(LeaseStage::Searching) => {}
        }
        self.end_search(SearchEnd::Cancelled, &mut effects);
        Ok(effects)
    }

    /// Ends the search, however it stands: the player deletes himself (P4).
    pub fn leave(&mut self) -> Effects {
        let mut effects = Effects::default();
        self.forget_search(&mut effects);
        effects
    }

    /// Ends the search because the lobby could not be told of it.
    pub fn give_up(&mut self, search: &SearchId) -> Effects {
        let mut effects = Effects::default();
        if self.search().is_some_and(|current| current.id == *search) {
            self.forget_search(&mut effects);
        }
        effects
    }

    /// Promises the player to a game. A promise stands until it is released, so that no other game gets him.
    pub fn claim(&mut self, search: &SearchId, table: &TableId, now: Timestamp) -> (Claim, Effects) {
        let effects = self.tick(now);
        let online = self.attendance.online;
        let Some(lease) = self.search.as_mut().filter(|lease| lease.search.id == *search) else {
            return (Claim::No, effects);
        };
        let claim = match &lease.stage {
            LeaseStage::Searching if lease.attended && !online => Claim::Away,
            LeaseStage::Searching => {
                lease.stage = LeaseStage::Claimed { table: table.clone() };
                Claim::Yes
            }
            LeaseStage::Claimed { table: promised } | LeaseStage::Matched { table: promised, .. } => {
                if promised == table {
                    Claim::Yes
                } else {
                    Claim::No
                }
            }
        };
        (claim, effects)
    }

    /// Takes the promise back: there will be no such game, and the search goes on.
    pub fn release(&mut self, search: &SearchId, table: &TableId, now: Timestamp) -> Effects {
        let promised = LeaseStage::Claimed { table: table.clone() };
        if let Some(lease) = &mut self.search
            && lease.search.id == *search
            && lease.stage == promised
        {
            lease.stage = LeaseStage::Searching;
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
        let claimed = LeaseStage::Claimed { table: table.clone() };
        if let Some(lease) = &mut self.search
            && lease.search.id == *search
            && (lease.stage == claimed || lease.stage == LeaseStage::Searching)
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
            LeaseStage::Claimed { table } if *table == game.table_id => Some(lease.search.id.clone()),
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
            lease.stage == LeaseStage::Searching
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
        match self.search_ends_at().filter(|(due, _)| *due <= now) {
            Some((_, Some(end))) => self.end_search(end, &mut effects),
            Some((_, None)) => self.forget_search(&mut effects),
            None => {}
        }
        effects
    }

    /// When the agenda is to be looked at again.
    pub fn next_deadline(&self) -> Option<Timestamp> {
        self.search_ends_at().map(|(due, _)| due)
    }

    /// When the search ends by itself, and why; without a reason when it has led to a game that needs not be remembered any more.
    fn search_ends_at(&self) -> Option<(Timestamp, Option<SearchEnd>)> {
        let lease = self.search.as_ref()?;
        let expires_at = lease.search.expires_at();
        Some(match &lease.stage {
            LeaseStage::Searching => match lease.absent_since.map(|since| since + ABSENCE) {
                Some(gone_at) if gone_at < expires_at => (gone_at, Some(SearchEnd::Disconnected)),
                _ => (expires_at, Some(SearchEnd::Expired)),
            },
            LeaseStage::Claimed { .. } => (expires_at + CLAIM_LIMIT, Some(SearchEnd::Expired)),
            LeaseStage::Matched { at, .. } => (*at + REMEMBERED, None),
        })
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
        if !matches!(lease.stage, LeaseStage::Matched { .. }) {
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

    /// Whether the player is there.
    pub fn attendance(&self) -> Attendance {
        self.attendance
    }

    /// Whom a search that led to a game has found.
    pub fn opponent_found(&self) -> Option<(&TableId, &Player)> {
        match &self.search.as_ref()?.stage {
            LeaseStage::Matched { table, opponent, .. } => Some((table, opponent)),
            LeaseStage::Searching | LeaseStage::Claimed { .. } => None,
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

/// What the player is told when a table stands otherwise than before.
fn differences(before: Option<&Standing>, now: &Standing) -> Vec<Notice> {
    let table_id = || now.table_id.clone();
    let mut notices = Vec::new();
    let was_over = before.is_some_and(|before| before.state.is_over());
    let had_started = before.is_some_and(|before| before.started_at.is_some());
    if now.started_at.is_some() && !had_started && !now.state.is_over() {
        notices.push(Notice::Started {
            table: Box::new(now.clone()),
        });
    }
    let same_turn = before.is_some_and(|before| before.your_turn && before.turn == now.turn);
    if now.your_turn && !now.open && !same_turn {
        notices.push(Notice::YourTurn {
            table_id: table_id(),
            turn: now.turn,
        });
    }
    if !was_over && now.state == Stage::Finished {
        notices.push(Notice::Finished {
            table_id: table_id(),
            result: now.result.clone(),
        });
    }
    if !was_over && now.state == Stage::Closed {
        notices.push(Notice::Closed { table_id: table_id() });
    }
    if before.and_then(|before| before.rematch.as_ref()) != now.rematch.as_ref() {
        notices.extend(rematch_notice(now));
    }
    notices
}

fn rematch_notice(now: &Standing) -> Option<Notice> {
    let (next, invite) = match now.rematch.as_ref()? {
        RematchStanding::Offered { by } if Some(*by) == now.color => return None,
        RematchStanding::Offered { .. } => (None, None),
        RematchStanding::Agreed { next, invite } => (Some(next.clone()), Some(invite.clone())),
    };
    Some(Notice::Rematch {
        table_id: now.table_id.clone(),
        next,
        invite,
    })
}

impl Effects {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.notices.is_empty() && self.duties.is_empty()
    }
}
