//! Who is paired with whom: a pure function of those who search and the time (L2).
//!
//! Whoever has waited longest chooses first, and takes the one nearest in rating. Nobody is farther away than the window of
//! whoever of the two has waited longer, and the window widens with waiting: so those who have just come meet their equals, and
//! nobody waits in vain while there is anybody.

use super::search::{Search, wait_for};
use crate::clock::Timestamp;
use crate::game::{PlayerId, SearchId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A search in the pool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The search.
    pub search: Search,
    /// From when on it can be paired: later than now for one whose player has just lost his connection.
    pub ready_at: Timestamp,
}

/// Pairs of players who do not meet, whatever their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Avoid(BTreeSet<(PlayerId, PlayerId)>);

impl Avoid {
    /// Keeps two apart.
    pub fn insert(&mut self, one: &PlayerId, other: &PlayerId) {
        self.0.insert(Avoid::pair(one, other));
    }

    /// Whether two are kept apart.
    pub fn contains(&self, one: &PlayerId, other: &PlayerId) -> bool {
        !self.0.is_empty() && self.0.contains(&Avoid::pair(one, other))
    }

    fn pair(one: &PlayerId, other: &PlayerId) -> (PlayerId, PlayerId) {
        let (one, other) = (one.clone(), other.clone());
        if one <= other { (one, other) } else { (other, one) }
    }
}

impl Entry {
    fn is_ready(&self, now: Timestamp) -> bool {
        self.ready_at <= now && now < self.search.expires_at()
    }

    /// When two may be paired, if ever: when the longer waiting one's window reaches the other, and both are ready.
    fn meets_at(&self, other: &Entry, avoid: &Avoid) -> Option<Timestamp> {
        let (one, two) = (&self.search, &other.search);
        let fits = one.player.id != two.player.id && one.fits(two);
        if !fits || avoid.contains(&one.player.id, &two.player.id) {
            return None;
        }
        let reached = one.since.min(two.since) + wait_for(one.distance(two));
        let meets_at = reached.max(self.ready_at).max(other.ready_at);
        (meets_at < one.expires_at().min(two.expires_at())).then_some(meets_at)
    }
}

/// Pairs those who can be paired at `now`. Nobody is in two pairs, and no two are left who could be paired.
pub fn pair_up(pool: &[Entry], avoid: &Avoid, now: Timestamp) -> Vec<(SearchId, SearchId)> {
    let mut free: Vec<&Entry> = pool.iter().filter(|entry| entry.is_ready(now)).collect();
    free.sort_by(|one, other| order(one).cmp(&order(other)));
    let mut pairs = Vec::new();
    let mut taken = vec![false; free.len()];
    for (index, first) in free.iter().enumerate() {
        if taken.get(index).copied().unwrap_or(true) {
            continue;
        }
        let others = free.iter().enumerate().skip(index + 1);
        let fitting = others.filter(|(other, entry)| {
            let free = !taken.get(*other).copied().unwrap_or(true);
            free && first.meets_at(entry, avoid).is_some_and(|at| at <= now)
        });
        // Of several who are equally near, the first is the one who has waited longest.
        let nearest = fitting.min_by_key(|(_, entry)| first.search.distance(&entry.search));
        if let Some((second, entry)) = nearest {
            for each in [index, second] {
                if let Some(taken) = taken.get_mut(each) {
                    *taken = true;
                }
            }
            pairs.push((first.search.id.clone(), entry.search.id.clone()));
        }
    }
    pairs
}

/// Those for whom the computer stands in at `now`. To be asked after everybody has been paired who can be.
pub fn stand_ins(pool: &[Entry], now: Timestamp) -> Vec<SearchId> {
    let due = pool
        .iter()
        .filter(|entry| entry.is_ready(now) && entry.search.computer_at.is_some_and(|at| at <= now));
    due.map(|entry| entry.search.id.clone()).collect()
}

/// When the pool is to be looked at again, if nobody comes or goes until then: two can be paired, the computer stands in, or a
/// search is over.
pub fn next_look(pool: &[Entry], avoid: &Avoid) -> Option<Timestamp> {
    let alone = pool.iter().flat_map(|entry| {
        let computer = entry.search.computer_at.map(|at| at.max(entry.ready_at));
        computer.into_iter().chain([entry.search.expires_at()])
    });
    let pairs = pool.iter().enumerate().flat_map(|(index, one)| {
        let others = pool.iter().skip(index + 1);
        others.filter_map(|other| one.meets_at(other, avoid))
    });
    alone.chain(pairs).min()
}

/// The order in which they choose: longest waiting first, and a fixed one among those who came at the same moment.
fn order(entry: &Entry) -> (Timestamp, &SearchId) {
    (entry.search.since, &entry.search.id)
}
