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
    let mut game = Game::baduk();
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

/// What a move's event tells of its player's clock, as SGF has it: milliseconds left, and periods or moves left in overtime.
fn told_left(event: &Event) -> Option<(Option<u64>, Option<u64>)> {
    let told = serde_json::to_value(event).expect("serialises");
    if !["played", "passed"].contains(&told["kind"].as_str()?) {
        return None;
    }
    let side = &told["clock"][told["color"].as_str()?];
    let main = side["main_ms"].as_u64().filter(|&main| main > 0);
    let overtime = side["period_ms"].as_u64();
    let quota = side["periods_left"].as_u64().or(side["stones_left"].as_u64());
    let in_overtime = main.is_none() && overtime.is_some();
    let per_move = told["clock"]["system"] == "per_move";
    let quota = if per_move { Some(1) } else { quota };
    Some((main.or(overtime), quota.filter(|_| in_overtime)))
}

/// The points of every second line, none of which touches another.
fn lone_points() -> Vec<String> {
    let columns = "ACEGJLNQS".chars();
    let cross = columns.flat_map(|column| (1..=19).step_by(2).map(move |row| format!("{column}{row}")));
    cross.collect()
}

fn any_clock() -> impl proptest::strategy::Strategy<Value = Value> {
    proptest::sample::select(vec![
        json!({"system": "none"}),
        json!({"system": "per_move", "period_ms": 30000}),
        json!({"system": "per_move_periods", "period_ms": 4000, "periods": 5}),
        json!({"system": "byoyomi", "main_ms": 9000, "period_ms": 4000, "periods": 5}),
        json!({"system": "fischer", "initial_ms": 20000, "increment_ms": 3000, "max_ms": 25000}),
        json!({"system": "canadian", "main_ms": 9000, "period_ms": 15000, "stones": 4}),
    ])
}

proptest::proptest! {
    #[test]
    fn prop_t12_the_times_on_the_record_are_those_that_the_players_were_told(
        clock in any_clock(),
        thoughts in proptest::collection::vec((0i64..5000, 0u8..6), 1..60),
    ) {
        let mut game = Game::started(json!({"ruleset": "baduk", "clock": clock}));
        let mut told = Vec::new();
        let mut points = lone_points().into_iter();
        for (thought, luck) in thoughts {
            game.wait(game.now + thought);
            if luck == 0 && told.pop().is_some() {
                let (asks, answers) = if game.to_move() == AKI { (BO, AKI) } else { (AKI, BO) };
                let turn = game.table.turn();
                let asked = json!({"type": "request", "kind": "takeback", "turn": turn});
                let agreed = json!({"type": "answer", "kind": "takeback", "accept": true});
                // Time may be up meanwhile; the move stands then.
                if game.command(asks, asked).is_err() || game.command(answers, agreed).is_err() {
                    break;
                }
                continue;
            }
            let command = game.next_move(&points.next().expect("enough points"));
            let Ok(events) = game.command(game.to_move(), command) else { break };
            told.extend(events.iter().filter_map(told_left));
        }
        let record = read_back(&game).record;
        let written = record.moves.iter().map(|made| {
            (made.time_left.map(|left| left.as_millis() as u64), made.moves_left.map(u64::from))
        });
        let written: Vec<_> = written.take(told.len()).collect();
        proptest::prop_assert_eq!(written, told);
    }
}
