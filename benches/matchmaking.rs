//! Ten thousand who search for a game within an hour: how long they wait, and how far apart in rating those are who meet.
//!
//! `cargo bench --bench matchmaking`. A simulation of the pool alone, as the lobby uses it: it is looked at when somebody comes and
//! when it says so itself. Arrivals are spread evenly at random, ratings normally (1400 ± 350), and what they want to play by
//! rough popularity. The same seed gives the same hour.

use hoshi::clock::{Millis, Timestamp};
use hoshi::game::{Player, PlayerId, PlayerKind, Rating, SearchId};
use hoshi::lobby::{Avoid, Entry, SEARCH_LIFE, Search, SearchRequest, next_look, pair_up};
use serde_json::json;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

const SEARCHERS: u32 = 10_000;
const HOUR: i64 = 3_600_000;

/// One in so many pairs has blocked one another.
const BLOCKED_ONE_IN: u64 = 50;

/// What they want, and how many of a hundred want it.
const WANTED: [(&str, u64); 5] = [
    ("19x19", 40),
    ("9x9", 30),
    ("13x13", 15),
    ("7x7", 10),
    ("25x25", 5),
];

/// Splitmix64: a small generator that is the same everywhere.
struct Draws(u64);

impl Draws {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// Nearly normal, by twelve even ones.
    fn rating(&mut self) -> i32 {
        let sum: f64 = (0..12).map(|_| self.below(1_000_000) as f64 / 1e6).sum();
        (1400.0 + 350.0 * (sum - 6.0)) as i32
    }

    fn board(&mut self) -> &'static str {
        let mut drawn = self.below(100);
        for (board, share) in WANTED {
            if drawn < share {
                return board;
            }
            drawn -= share;
        }
        WANTED[0].0
    }
}

fn seed(number: u32) -> [u8; 16] {
    let mut seed = [0; 16];
    for (place, letter) in seed.iter_mut().enumerate().take(6) {
        *letter = ((number >> (5 * place)) % 32) as u8;
    }
    seed
}

fn at(millis: i64) -> Timestamp {
    Timestamp::from_millis(millis)
}

fn searcher(number: u32, since: i64, draws: &mut Draws) -> Search {
    let rating = Rating {
        rating: f64::from(draws.rating()),
        games: 20,
        provisional: false,
    };
    let player = Player {
        id: PlayerId::from_seed(seed(number)),
        name: format!("Player {number}"),
        kind: PlayerKind::Guest,
        ratings: BTreeMap::from([("baduk".to_owned(), rating)]),
    };
    let wanted = json!({"ruleset": "baduk", "board": draws.board()});
    let request: SearchRequest = hoshi::wire::decode(wanted).expect("a request");
    let id = SearchId::from_seed(seed(number));
    request.grant(id, player, at(since)).expect("granted")
}

/// What an hour brought.
#[derive(Default)]
struct Outcome {
    waits: Vec<i64>,
    distances: Vec<i64>,
    expired: usize,
    most: usize,
    looks: usize,
    slowest: Duration,
}

/// The pool as the lobby has it.
#[derive(Default)]
struct Lobby {
    pool: Vec<Entry>,
    apart: Avoid,
    outcome: Outcome,
}

impl Lobby {
    fn look(&mut self, now: Timestamp) {
        let started = Instant::now();
        let before = self.pool.len();
        self.pool.retain(|entry| now < entry.search.expires_at());
        self.outcome.expired += before - self.pool.len();
        for (one, other) in pair_up(&self.pool, &self.apart, now) {
            let found = [one, other].map(|id| {
                let index = self
                    .pool
                    .iter()
                    .position(|entry| entry.search.id == id)
                    .expect("in the pool");
                self.pool.swap_remove(index).search
            });
            self.outcome
                .distances
                .push(i64::from(found[0].distance(&found[1])));
            let waits = found
                .iter()
                .map(|search| now.as_millis() - search.since.as_millis());
            self.outcome.waits.extend(waits);
        }
        self.outcome.most = self.outcome.most.max(self.pool.len());
        self.outcome.looks += 1;
        self.outcome.slowest = self.outcome.slowest.max(started.elapsed());
    }

    /// Lives on until that moment.
    fn until(&mut self, moment: i64) {
        while let Some(next) = next_look(&self.pool, &self.apart).filter(|next| next.as_millis() < moment) {
            self.look(next);
        }
    }

    fn come(&mut self, search: Search, draws: &mut Draws) {
        for entry in &self.pool {
            if draws.below(BLOCKED_ONE_IN) == 0 {
                self.apart.insert(&entry.search.player.id, &search.player.id);
            }
        }
        let ready_at = search.since;
        self.pool.push(Entry { search, ready_at });
        self.look(ready_at);
    }
}

fn quantile(values: &[i64], of_thousand: usize) -> i64 {
    values
        .get(values.len().saturating_sub(1) * of_thousand / 1000)
        .copied()
        .unwrap_or(0)
}

fn main() {
    let mut draws = Draws(7);
    let mut arrivals: Vec<i64> = (0..SEARCHERS).map(|_| draws.below(HOUR as u64) as i64).collect();
    arrivals.sort_unstable();
    let mut lobby = Lobby::default();
    for (number, since) in (0..).zip(arrivals) {
        lobby.until(since);
        let search = searcher(number, since, &mut draws);
        lobby.come(search, &mut draws);
    }
    lobby.until(HOUR + SEARCH_LIFE.get() + Millis::from_secs(1).get());
    let outcome = &mut lobby.outcome;
    outcome.waits.sort_unstable();
    outcome.distances.sort_unstable();
    let (waits, distances) = (&outcome.waits, &outcome.distances);
    println!(
        "{SEARCHERS} who search within an hour, {} boards, one pair in {BLOCKED_ONE_IN} blocked",
        WANTED.len()
    );
    println!(
        "  matched {}, expired {}, left {}",
        waits.len(),
        outcome.expired,
        lobby.pool.len()
    );
    println!(
        "  time to match, seconds: p50 {:.1}, p90 {:.1}, p99 {:.1}, longest {:.1}",
        quantile(waits, 500) as f64 / 1e3,
        quantile(waits, 900) as f64 / 1e3,
        quantile(waits, 990) as f64 / 1e3,
        quantile(waits, 1000) as f64 / 1e3
    );
    println!(
        "  rating distance: p50 {}, p90 {}, p99 {}, greatest {}",
        quantile(distances, 500),
        quantile(distances, 900),
        quantile(distances, 990),
        quantile(distances, 1000)
    );
    println!(
        "  {} looks at the pool, at most {} in it, the slowest look {:.2} ms",
        outcome.looks,
        outcome.most,
        outcome.slowest.as_secs_f64() * 1e3
    );
    assert_eq!(
        waits.len() + outcome.expired,
        SEARCHERS as usize,
        "somebody was lost"
    );
}
