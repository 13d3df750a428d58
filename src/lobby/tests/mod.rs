//! Stories and properties of finding a game.

mod agenda;
mod challenges;
mod meetings;
mod pairings;
mod pool;
mod promises;

use super::*;
use crate::clock::{Millis, Timestamp};
use crate::game::{IdSeed, Player, PlayerId, PlayerKind, Rating, SearchId};
use crate::wire;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A moment, in ms from some start.
fn at(millis: i64) -> Timestamp {
    Timestamp::from_millis(1_800_000_000_000 + millis)
}

fn seed(number: u32) -> IdSeed {
    let mut seed = [0; 16];
    for (letter, place) in seed.iter_mut().zip(0..) {
        *letter = ((number >> (5 * place).min(31)) % 32) as u8;
    }
    seed
}

/// A player of this rating; nothing for one who has none.
fn player(number: u32, rating: Option<i32>) -> Player {
    let rated = |rating: i32| Rating {
        rating: f64::from(rating),
        games: 20,
        provisional: false,
    };
    let ratings: BTreeMap<String, Rating> = rating
        .map(|rating| ("baduk".to_owned(), rated(rating)))
        .into_iter()
        .collect();
    Player {
        id: PlayerId::from_seed(seed(number)),
        name: format!("Player {number}"),
        kind: PlayerKind::Guest,
        ratings,
    }
}

/// The search of the player with that number, for these terms.
fn search_for(number: u32, rating: i32, since: i64, request: Value) -> Search {
    let request: SearchRequest = wire::decode(request).expect("a request");
    let id = SearchId::from_seed(seed(number));
    let player = player(number, Some(rating));
    request.grant(id, player, at(since)).expect("granted")
}

fn search(number: u32, rating: i32, since: i64) -> Search {
    search_for(number, rating, since, json!({"ruleset": "baduk", "board": "9x9"}))
}

fn entry(search: Search) -> Entry {
    let ready_at = search.since;
    Entry { search, ready_at }
}

/// Seconds.
fn secs(secs: i64) -> Millis {
    Millis::from_secs(secs)
}
