//! Replays every game of the shared corpora, where these are at hand.

#[path = "support/records.rs"]
mod records;
#[path = "support/replay.rs"]
mod replay;

use records::GameRecord;

#[track_caller]
fn check(name: &str, games: Option<Vec<GameRecord>>) {
    let Some(games) = games else {
        println!("skipped: the shared corpora with {name} are not beside this repository");
        return;
    };
    assert!(!games.is_empty());
    games.iter().for_each(replay::check);
}

#[test]
fn every_game_between_people_ends_as_it_is_written() {
    check("human.jsonl", records::human_games());
}

#[test]
fn every_selfplay_game_ends_as_it_is_written() {
    check("dev/selfplay.jsonl", records::selfplay_games());
}
