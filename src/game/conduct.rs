//! What a table knows of how people get on: whom somebody does not want to hear, and who is suspended from what.
//!
//! It comes from outside, with every call of the player and whenever it changes, and carries a version: an older one that arrives
//! late changes nothing.

use super::ids::PlayerId;
use crate::clock::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What holds for one player.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conduct {
    /// Grows with each change.
    pub version: u64,
    /// Those whom he has blocked, and those who have blocked him (S2).
    #[serde(default)]
    pub hidden: BTreeSet<PlayerId>,
    /// Whether the chat of those who watch is hidden from him (P5).
    #[serde(default)]
    pub hide_spectators: bool,
    /// Until when he may say nothing (S4).
    #[serde(default)]
    pub chat_until: Option<Timestamp>,
    /// Until when he may begin no game (S4).
    #[serde(default)]
    pub play_until: Option<Timestamp>,
}

/// What holds for each player of whom the table has heard something.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conducts {
    /// What is kept.
    kept: BTreeMap<PlayerId, Conduct>,
    /// The versions of those who have nothing to be kept: only as long as the table is in memory, where words can overtake
    /// one another.
    plain: BTreeMap<PlayerId, u64>,
}

/// What a viewer does not hear.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ears {
    /// What these people say.
    pub hidden: BTreeSet<PlayerId>,
    /// What those say who watch.
    pub hide_spectators: bool,
}

impl Conduct {
    /// Until when he may say nothing, if that is so at `now`.
    pub fn silent_at(&self, now: Timestamp) -> Option<Timestamp> {
        self.chat_until.filter(|&until| now < until)
    }

    /// Until when he may begin no game, if that is so at `now`.
    pub fn barred_at(&self, now: Timestamp) -> Option<Timestamp> {
        self.play_until.filter(|&until| now < until)
    }

    /// Whether it says no more than nothing would.
    pub fn is_plain(&self) -> bool {
        let Conduct {
            version: _,
            hidden,
            hide_spectators,
            chat_until,
            play_until,
        } = self;
        hidden.is_empty() && !hide_spectators && chat_until.is_none() && play_until.is_none()
    }
}

impl Conducts {
    /// Those that are kept.
    pub fn new(kept: impl IntoIterator<Item = (PlayerId, Conduct)>) -> Conducts {
        Conducts {
            kept: kept.into_iter().collect(),
            plain: BTreeMap::new(),
        }
    }

    /// What holds for a player.
    pub fn of(&self, player: &PlayerId) -> Option<&Conduct> {
        self.kept.get(player)
    }

    /// Takes note of what holds for a player. Says whether that is news that has to be kept: an older version is not, nor is that
    /// there is nothing to say of somebody of whom nothing was said; but the version of that counts, too.
    pub fn learn(&mut self, player: &PlayerId, conduct: &Conduct) -> bool {
        let news = self.is_news(player, conduct);
        if news {
            self.kept.insert(player.clone(), conduct.clone());
        } else if conduct.is_plain() {
            let version = self.plain.entry(player.clone()).or_default();
            *version = conduct.version.max(*version);
        }
        news
    }

    /// Whether [`learn`](Conducts::learn) would say so.
    pub fn is_news(&self, player: &PlayerId, conduct: &Conduct) -> bool {
        let overtaken = self
            .plain
            .get(player)
            .is_some_and(|&plain| conduct.version < plain);
        match self.kept.get(player) {
            Some(known) => known.version <= conduct.version && known != conduct,
            None => !conduct.is_plain() && !overtaken,
        }
    }

    /// Whether one of two has blocked the other, whichever of them has told of it.
    pub fn are_apart(&self, one: &PlayerId, other: &PlayerId) -> bool {
        let hides = |by: &PlayerId, whom| self.of(by).is_some_and(|conduct| conduct.hidden.contains(whom));
        hides(one, other) || hides(other, one)
    }

    /// What a viewer does not hear: a block that either of the two has told of counts.
    pub fn ears(&self, viewer: Option<&PlayerId>) -> Ears {
        let Some(viewer) = viewer else {
            return Ears::default();
        };
        let own = self.of(viewer);
        let others = self
            .kept
            .iter()
            .filter(|(_, conduct)| conduct.hidden.contains(viewer));
        let mut hidden: BTreeSet<PlayerId> = others.map(|(player, _)| player.clone()).collect();
        hidden.extend(own.iter().flat_map(|own| own.hidden.iter().cloned()));
        Ears {
            hidden,
            hide_spectators: own.is_some_and(|own| own.hide_spectators),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u8) -> PlayerId {
        PlayerId::from_seed([number; 16])
    }

    fn hiding(version: u64, others: &[u8]) -> Conduct {
        Conduct {
            version,
            hidden: others.iter().map(|&other| id(other)).collect(),
            ..Conduct::default()
        }
    }

    #[test]
    fn s2_a_block_counts_both_ways_whoever_told_of_it() {
        let mut conducts = Conducts::default();
        assert!(conducts.learn(&id(1), &hiding(1, &[2])));
        assert_eq!(conducts.ears(Some(&id(1))).hidden, [id(2)].into());
        assert_eq!(conducts.ears(Some(&id(2))).hidden, [id(1)].into());
        assert_eq!(conducts.ears(Some(&id(3))), Ears::default());
        assert_eq!(conducts.ears(None), Ears::default());
    }

    #[test]
    fn t6_a_block_stands_between_two_whoever_told_of_it() {
        let mut conducts = Conducts::default();
        conducts.learn(&id(1), &hiding(1, &[2]));
        for (one, other, apart) in [(1, 2, true), (2, 1, true), (1, 3, false), (3, 2, false)] {
            assert_eq!(conducts.are_apart(&id(one), &id(other)), apart, "{one} {other}");
        }
    }

    #[test]
    fn s2_an_older_word_that_arrives_late_changes_nothing() {
        let mut conducts = Conducts::default();
        assert!(!conducts.learn(&id(1), &hiding(7, &[])), "nothing to keep");
        assert!(conducts.learn(&id(1), &hiding(8, &[2])));
        assert!(conducts.learn(&id(1), &hiding(9, &[])), "taken back");
        assert!(!conducts.learn(&id(1), &hiding(8, &[2])));
        assert!(!conducts.learn(&id(1), &hiding(9, &[])));
        assert_eq!(conducts.ears(Some(&id(1))), Ears::default());
    }

    #[test]
    fn s2_an_older_word_is_none_after_a_newer_one_that_had_nothing_to_keep() {
        let mut conducts = Conducts::default();
        // The block of version 8 was lifted by version 9, which arrives first.
        assert!(!conducts.learn(&id(1), &hiding(9, &[])));
        assert!(!conducts.is_news(&id(1), &hiding(8, &[2])));
        assert!(!conducts.learn(&id(1), &hiding(8, &[2])));
        assert_eq!(conducts.ears(Some(&id(2))), Ears::default());
        // An older plain word does not bring the version down, and a newer block counts.
        assert!(!conducts.learn(&id(1), &hiding(7, &[])));
        assert!(!conducts.learn(&id(1), &hiding(8, &[2])));
        assert!(conducts.learn(&id(1), &hiding(10, &[2])));
        assert_eq!(conducts.ears(Some(&id(2))).hidden, [id(1)].into());
    }

    #[test]
    fn s4_a_suspension_ends_at_its_moment() {
        let until = Timestamp::from_millis(1000);
        let conduct = Conduct {
            chat_until: Some(until),
            ..Conduct::default()
        };
        assert_eq!(conduct.silent_at(Timestamp::from_millis(999)), Some(until));
        assert_eq!(conduct.silent_at(until), None);
        assert_eq!(conduct.barred_at(Timestamp::from_millis(0)), None);
    }
}
