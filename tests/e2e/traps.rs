//! What broke on other servers: TRAPS.md, moves and repetition.

use crate::harness::{Game, play_all, points, server};
use serde_json::{Value, json};

/// Where the player to move may not play, with why: `A6 superko`.
fn forbidden(snapshot: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let list = snapshot["forbidden"].as_array().into_iter().flatten();
    let mut all: Vec<String> = list
        .map(|each| format!("{} {}", text(&each["point"]), text(&each["why"])))
        .collect();
    all.sort();
    all
}

/// The play is refused with this code, everybody was told so beforehand, and nothing has changed.
#[track_caller]
fn refused(game: &Game, turn: u32, point: &str, code: &str) {
    let before = game.snapshot();
    assert!(
        forbidden(&before).contains(&format!("{point} {code}")),
        "{}",
        before["forbidden"]
    );
    let problem = game.make_move(turn, point).problem(409, code);
    assert_eq!(
        (&problem["seq"], &problem["turn"]),
        (&before["seq"], &before["turn"])
    );
    assert_eq!(game.snapshot(), before);
}

#[test]
fn traps_1_superko_sees_more_than_a_simple_ko() {
    let game = play_all(server(), "A8 B6 B7 B5 A6 A4 J1 B4 A5 A7");
    let snapshot = game.snapshot();
    assert_eq!(snapshot["captures"], json!({"black": 0, "white": 2}));
    refused(&game, 10, "A6", "superko");
}

#[test]
fn traps_2_a_snapback_is_no_ko() {
    let game = play_all(server(), "A3 A2 B3 B2 C3 C2 D2 C1 D1 J9 B1 A1");
    let snapshot = game.snapshot();
    assert_eq!(snapshot["captures"], json!({"black": 0, "white": 1}));
    assert!(
        !forbidden(&snapshot).iter().any(|each| each.starts_with("B1")),
        "{}",
        snapshot["forbidden"]
    );
    let answer = game.make_move(12, "B1").ok(200);
    assert_eq!(
        points(&answer["events"][0]["captured"]),
        ["A1", "A2", "B2", "C1", "C2"]
    );
}

#[test]
fn traps_3_suicide_is_told_apart_from_superko() {
    let game = play_all(server(), "A2 A1 B1");
    assert_eq!(game.snapshot()["captures"], json!({"black": 1, "white": 0}));
    refused(&game, 3, "A1", "suicide");
}

#[test]
fn traps_4_a_ko_is_taken_back_after_a_threat_and_its_answer() {
    let game = play_all(server(), "D6 E6 C5 F5 D4 E4 E5 D5");
    refused(&game, 8, "E5", "superko");
    game.play(8, "A9 A1");
    assert!(forbidden(&game.snapshot()).is_empty());
    let answer = game.make_move(10, "E5").ok(200);
    assert_eq!(points(&answer["events"][0]["captured"]), ["D5"]);
}

#[test]
fn traps_5_an_empty_board_is_nobodys() {
    let game = play_all(server(), "pass pass");
    let result = game.result();
    let score = &result["score"];
    assert_eq!(
        (&score["black"], &score["white"], &score["komi"]),
        (&json!(0), &json!(0), &json!(7))
    );
    assert_eq!(
        (&result["winner"], &result["sgf"]),
        (&json!("white"), &json!("W+7"))
    );
    assert_eq!(score["territory"]["neutral"].as_array().map(Vec::len), Some(81));
}

#[test]
fn traps_5_an_empty_board_without_komi_is_a_draw() {
    let game = Game::start(server(), &json!({"ruleset": "baduk", "board": "9x9", "komi": 0}));
    game.play(0, "pass pass");
    let result = game.result();
    assert_eq!(
        (&result["winner"], &result["by"]),
        (&Value::Null, &json!("score"))
    );
    assert_eq!((&result["margin"], &result["sgf"]), (&json!(0), &json!("0")));
}

#[test]
fn traps_5_one_stone_owns_the_whole_board() {
    let game = play_all(server(), "E5 pass pass");
    let result = game.result();
    assert_eq!(
        (&result["score"]["black"], &result["score"]["white"]),
        (&json!(81), &json!(0))
    );
    assert_eq!(result["sgf"], "B+74");
}

#[test]
fn traps_7_a_border_decides_to_the_half_point() {
    let f1 = "E5 F5 E4 F4 E3 F3 E2 F2 E6 F6 E7 F7 E8 F8 E9 F9 D1 E1";
    // E1 is White's: Black has 44, White 37.
    for (komi, sgf) in [(json!(7), "0"), (json!(6.5), "B+0.5"), (json!(7.5), "W+0.5")] {
        let game = Game::start(
            server(),
            &json!({"ruleset": "baduk", "board": "9x9", "komi": komi}),
        );
        game.play(0, f1);
        game.play(18, "pass pass");
        let result = game.result();
        assert_eq!(
            (&result["score"]["black"], &result["score"]["white"]),
            (&json!(44), &json!(37))
        );
        assert_eq!(result["sgf"], sgf);
        assert_eq!(result["winner"].is_null(), sgf == "0");
    }
}

#[test]
fn traps_10_after_nine_stones_two_passes_end_the_game() {
    let game = Game::start(
        server(),
        &json!({"ruleset": "baduk", "board": "9x9", "handicap": 9}),
    );
    let start = game.snapshot();
    assert_eq!(start["setup"].as_array().map(Vec::len), Some(9));
    assert_eq!(
        (&start["to_move"], &start["komi"]),
        (&json!("white"), &json!(0.5))
    );
    assert_eq!(points(&start["setup"]), points(&start["stones"]["black"]));
    game.black
        .play(&game.table, "A1", 0)
        .problem(409, "not_your_turn");
    game.white.pass(&game.table, 0).ok(200);
    game.black.pass(&game.table, 1).ok(200);
    assert_eq!(game.result()["sgf"], "B+80.5");
}

#[test]
fn traps_18_one_play_over_two_sockets_and_rest_is_one_stone() {
    let game = play_all(server(), "A1");
    let mut sockets = [game.white.connect(&game.table), game.white.connect(&game.table)];
    let mut opponent = game.black.connect(&game.table);
    for socket in &mut sockets {
        socket.wait_for("snapshot");
    }
    opponent.wait_for("snapshot");
    let play = json!({"type": "play", "point": "D4", "turn": 1});
    for socket in &mut sockets {
        socket.send(&play);
    }
    let mut answers: Vec<Value> = vec![game.white.command(&game.table, &play).ok(200)];
    answers.extend(sockets.iter_mut().map(|socket| socket.wait_for("ok")));
    let fresh = answers
        .iter()
        .filter(|answer| answer["repeated"].is_null())
        .count();
    assert_eq!(fresh, 1, "{answers:?}");
    let played = opponent.wait_for_event("played");
    for answer in &answers {
        let event = if answer["events"].is_null() {
            &answer["event"]
        } else {
            &answer["events"][0]
        };
        let original = event.is_null() || event["seq"] == played["seq"];
        assert!(original && answer["seq"] == played["seq"], "{answer}");
    }
    let snapshot = game.snapshot();
    assert_eq!(
        (&snapshot["turn"], points(&snapshot["stones"]["white"])),
        (&json!(2), vec!["D4".to_owned()])
    );

    // Another point for the same turn is stale, and the answer says where the table stands.
    let stale = game.white.play(&game.table, "E5", 1).problem(409, "stale_turn");
    assert_eq!((&stale["seq"], &stale["turn"]), (&snapshot["seq"], &json!(2)));
    sockets[0].play("E5", 1);
    let stale = sockets[0].wait_for("refused");
    assert_eq!(
        (&stale["code"], &stale["turn"]),
        (&json!("stale_turn"), &json!(2))
    );
}

#[test]
fn traps_19_nothing_is_missed_or_doubled_after_a_cut() {
    let game = play_all(server(), "A1 B2");
    let mut black = game.black.connect(&game.table);
    let seen = black.wait_for("snapshot")["seq"].as_u64().expect("a number");
    black.play("C3", 2);
    black.cut();
    // The cut may have come before or after the play; sending again settles it.
    let mut white = game.white.connect_with(&game.table, &format!("?since={seen}"));
    game.black.play(&game.table, "C3", 2).ok(200);
    assert_eq!(white.wait_for_event("played")["point"], "C3");
    game.white.play(&game.table, "D4", 3).ok(200);

    let mut back = game.black.connect_with(&game.table, &format!("?since={seen}"));
    for (number, point) in [(1, "C3"), (2, "D4")] {
        let event = back.next_but_spectators();
        assert_eq!(
            (&event["seq"], &event["point"]),
            (&json!(seen + number), &json!(point))
        );
    }
    back.send(&json!({"type": "play", "point": "C3", "turn": 2, "seq": seen, "id": 1}));
    let answer = back.next_but_spectators();
    assert_eq!(
        (&answer["type"], &answer["repeated"]),
        (&json!("ok"), &json!(true))
    );
    assert_eq!(game.snapshot()["turn"], 4);
}
