//! Replays the golden games of this repository.

#[path = "support/records.rs"]
mod records;
#[path = "support/replay.rs"]
mod replay;

use hoshi::rules::{Board, History, MoveError};
use records::{GameRecord, golden_games};

#[test]
fn every_golden_game_ends_as_it_is_written() {
    golden_games().iter().for_each(replay::check);
}

#[test]
fn the_golden_games_cover_what_they_are_there_for() {
    check_some("a 9x9 game with captures", |game| is_long(game, "9x9", 80, 20));
    check_some("a 9x9 game with a ko fight", |game| {
        is_long(game, "9x9", 30, 5) && kos(game) >= 5
    });
    check_some("a 13x13 game", |game| is_long(game, "13x13", 100, 20));
    check_some("a 19x19 game", |game| is_long(game, "19x19", 200, 20));
    check_some("a hex6 game", |game| is_long(game, "hex6", 60, 10));
    check_some("a hex8 game", |game| is_long(game, "hex8", 100, 10));
    check_some("a handicap game", |game| {
        game.setup_black.len() >= 2 && is_long(game, "19x19", 200, 20)
    });
    for why in [MoveError::Superko, MoveError::Suicide, MoveError::Occupied] {
        check_some("a refused play", |game| {
            game.refused.iter().any(|refused| refused.2 == why)
        });
    }
}

#[track_caller]
fn check_some(what: &str, fact: impl Fn(&GameRecord) -> bool) {
    assert!(golden_games().iter().any(fact), "{what}");
}

fn is_long(game: &GameRecord, board: &str, moves: usize, captures: u32) -> bool {
    let captured = game.captures.black + game.captures.white;
    Ok(game.board) == board.parse::<Board>() && game.moves.len() >= moves && captured >= captures
}

/// How many moves leave the opponent a point that superko forbids.
fn kos(game: &GameRecord) -> usize {
    let mut position = game.start();
    let mut history = History::new(&position);
    let leaves_ko = game.moves.iter().filter(|&&(color, vertex)| {
        let Some(vertex) = vertex else { return false };
        let played = history.play(&mut position, game.point(vertex), color);
        let forbidden = history.forbidden(&position, color.opponent());
        played.is_ok() && forbidden.iter().any(|&(_, why)| why == MoveError::Superko)
    });
    leaves_ko.count()
}
