//! The record of a game (T12), read back by our own importer.

use super::*;
use crate::record::{RecordResult, read_sgf};

fn read_back(game: &Game) -> crate::record::Imported {
    let imported = read_sgf(game.table.sgf().as_bytes()).expect("readable");
    assert_eq!(imported.warnings, []);
    assert_eq!(imported.record, game.table.record());
    imported
}

#[test]
fn t12_a_finished_game_is_told_in_full() {
    let mut game = Game::started(json!({"ruleset": "baduk", "board": "9x9", "handicap": 3}));
    game.play("pass E5 pass pass");
    game.assess(&[]);
    let sgf = game.table.sgf();
    for property in [
        "FF[4]",
        "GM[1]",
        "CA[UTF-8]",
        "RU[Chinese]",
        "SZ[9]",
        "KM[0.5]",
        "HA[3]",
        "PC[Hoshi]",
        "RE[B+",
    ] {
        assert!(sgf.contains(property), "{property} in {sgf}");
    }
    assert!(sgf.contains("AB[") && sgf.contains("TB["), "{sgf}");
    assert!(sgf.contains(";B[ee]") && sgf.contains(";W[]"), "{sgf}");
    read_back(&game);
}

#[test]
fn traps_23_even_games_have_neither_handicap_nor_stones() {
    let mut game = Game::nine();
    game.play("E5");
    let sgf = game.table.sgf();
    assert!(
        !sgf.contains("HA[") && !sgf.contains("AB[") && !sgf.contains("RE["),
        "{sgf}"
    );
    read_back(&game);
    game.command(BO, json!({"type": "resign"})).expect("resigns");
    assert!(game.table.sgf().contains("RE[B+R]"));
    read_back(&game);
}

#[test]
fn traps_23_odd_names_survive() {
    let mut game = Game::waiting(json!({"ruleset": "baduk", "board": "9x9", "color": "black"}));
    let odd = Player {
        name: "a[3k]\\".to_owned(),
        ..player(BO)
    };
    game.take(Input::Join {
        player: odd,
        draw: Color::White,
    })
    .expect("joins");
    let record = read_back(&game).record;
    assert_eq!(record.players.white.name.as_deref(), Some("a[3k]\\"));
}

#[test]
fn traps_24_a_hexagonal_game_does_not_claim_to_be_square() {
    let mut game = Game::started(json!({"ruleset": "hex", "board": "hex8"}));
    game.play("H8 A15 O1 pass pass");
    game.assess(&[]);
    let sgf = game.table.sgf();
    assert!(!sgf.contains("SZ[") && sgf.contains("HEXSIZE[8]"), "{sgf}");
    read_back(&game);
}

#[test]
fn traps_7_a_jigo_is_written_as_zero() {
    let mut game = Game::started(json!({"ruleset": "baduk", "board": "9x9", "komi": 0}));
    game.play("pass pass");
    game.assess(&[]);
    assert!(game.table.sgf().contains("RE[0]"));
    assert_eq!(read_back(&game).record.result, Some(RecordResult::Draw));
}

#[test]
fn a_table_that_waits_has_a_record_without_players() {
    let game = Game::waiting(json!({"ruleset": "hex"}));
    assert_eq!(read_back(&game).record.players.black.name, None);
}

#[test]
fn t12_a_record_tells_the_settings_and_what_each_player_had_left() {
    let mut game =
        Game::timed(json!({"system": "byoyomi", "main_ms": 2000, "period_ms": 5000, "periods": 3}));
    game.play("E5 pass E6");
    let sgf = game.table.sgf();
    for part in ["TM[2]", "OT[3x5 byo-yomi]", "BL[1]", "WL[1]", "BL[5]OB[3]"] {
        assert!(sgf.contains(part), "{part} in {sgf}");
    }
}
