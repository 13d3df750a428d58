//! A player's one search, as his own object holds it: whatever lobby it is in, it has to ask here before it gives him a game.
//!
//! It asks twice. A claim keeps every other pairing away. Before the player is committed, his waiting tables are closed, each of which
//! decides by itself whether somebody has sat down before: so he is never given a game while another begins for him.

use super::notice::SearchEnd;
use super::search::Search;
use crate::clock::{Millis, Timestamp};
use crate::game::{Player, SearchId, TableId};
use serde::{Deserialize, Serialize};

/// How long a search goes on after its player's last device has gone, if one was there. Long enough for a tunnel.
pub(super) const ABSENCE: Millis = Millis::from_secs(15);

/// How long an opponent who was found is remembered, for clients that ask instead of listening.
const REMEMBERED: Millis = Millis::from_secs(5 * 60);

/// How long a claim may stand after the search itself would have ended, before it is given up. The lobby sees every claim through, and
/// opens no game after that.
pub(super) const CLAIM_LIMIT: Millis = Millis::from_secs(60);

/// A player's one search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Lease {
    pub(super) search: Search,
    pub(super) stage: LeaseStage,
    /// Whether he has been on his channel while he searched.
    pub(super) attended: bool,
    /// Since when he is not, if he was.
    pub(super) absent_since: Option<Timestamp>,
    /// The games that there will not be. A claim for one of them is late.
    #[serde(default)]
    pub(super) released: Vec<TableId>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum LeaseStage {
    /// It goes on.
    Searching,
    /// A pairing has him. Another game that begins for him breaks it.
    Claimed { table: TableId },
    /// Nothing else can begin for him: the game may be opened.
    Committed { table: TableId },
    /// It has led to a game.
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
    /// He has lost his connection and may come back, or is about to sit down at a table.
    Away,
    /// It cannot say: a table of his does not answer.
    Unknown,
}

/// What a player is asked to be in for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Promise {
    /// As whom the lobby knows him.
    pub search: SearchId,
    /// The table of the game.
    pub table: TableId,
    /// Whether the game wants its players at once.
    pub pace: Pace,
}

/// Whether a game wants its players at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pace {
    /// It has a clock, and a person on each side: no other game of theirs is to begin with it (T3).
    Pressing,
    /// It has not.
    Casual,
}

impl Lease {
    /// A search that begins, of somebody who is on his channel or is not.
    pub(super) fn new(search: Search, online: bool) -> Lease {
        Lease {
            search,
            stage: LeaseStage::Searching,
            attended: online,
            absent_since: None,
            released: Vec::new(),
        }
    }

    /// Whether it has not led to a game yet.
    pub(super) fn goes_on(&self) -> bool {
        match self.stage {
            LeaseStage::Searching | LeaseStage::Claimed { .. } | LeaseStage::Committed { .. } => true,
            LeaseStage::Matched { .. } => false,
        }
    }

    /// The game that he is promised to, or has been given.
    pub(super) fn promised(&self) -> Option<&TableId> {
        match &self.stage {
            LeaseStage::Searching => None,
            LeaseStage::Claimed { table }
            | LeaseStage::Committed { table }
            | LeaseStage::Matched { table, .. } => Some(table),
        }
    }

    /// Whether another game that begins for the player ends it (T3).
    pub(super) fn gives_way(&self) -> bool {
        matches!(self.stage, LeaseStage::Searching | LeaseStage::Claimed { .. })
    }

    /// When the search ends by itself, and why; without a reason when it has led to a game that needs not be remembered any more.
    pub(super) fn ends_at(&self) -> (Timestamp, Option<SearchEnd>) {
        let expires_at = self.search.expires_at();
        match &self.stage {
            LeaseStage::Searching => match self.absent_since.map(|since| since + ABSENCE) {
                Some(gone_at) if gone_at < expires_at => (gone_at, Some(SearchEnd::Disconnected)),
                _ => (expires_at, Some(SearchEnd::Expired)),
            },
            LeaseStage::Claimed { .. } | LeaseStage::Committed { .. } => {
                (expires_at + CLAIM_LIMIT, Some(SearchEnd::Expired))
            }
            LeaseStage::Matched { at, .. } => (*at + REMEMBERED, None),
        }
    }
}
