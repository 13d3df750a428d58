//! Lines in, answers out.

use super::Engine;

fn engine() -> Engine {
    let mut engine = Engine::new(|name| match name {
        "game.sgf" => Some(b"(;GM[1]SZ[9]KM[5.5]AB[cc][gg]AW[cg];W[ee];B[gc];W[])".to_vec()),
        "broken.sgf" => Some(b"(;GM[1]SZ[9];B[aa];W[aa])".to_vec()),
        _ => None,
    });
    tell(&mut engine, "boardsize 9\nhoshi-level easy");
    engine
}

/// Sends commands that must succeed.
#[track_caller]
fn tell(engine: &mut Engine, commands: &str) {
    for command in commands.lines().map(str::trim) {
        let answer = engine.answer(command);
        assert!(
            answer.as_ref().is_some_and(|answer| answer.starts_with('=')),
            "{command}: {answer:?}"
        );
    }
}

/// Sends a command and compares the answer without the blank lines at its end.
#[track_caller]
fn check(engine: &mut Engine, command: &str, expected: &str) {
    let answer = engine.answer(command).expect("an answer");
    assert_eq!(answer.strip_suffix("\n\n"), Some(expected), "{command}");
}

#[test]
fn an_answer_repeats_the_id_and_ends_with_an_empty_line() {
    let mut engine = engine();
    assert_eq!(engine.answer("7 name").as_deref(), Some("=7 Hoshi\n\n"));
    assert_eq!(
        engine.answer("8 nonsense").as_deref(),
        Some("?8 unknown command\n\n")
    );
    assert_eq!(engine.answer("\tprotocol_version\r").as_deref(), Some("= 2\n\n"));
    assert_eq!(
        engine.answer("name # who are you?").as_deref(),
        Some("= Hoshi\n\n")
    );
    for nothing in ["", "   ", "# name", "12"] {
        assert_eq!(engine.answer(nothing), None, "{nothing:?}");
    }
}

#[test]
fn every_command_that_is_listed_is_known() {
    let mut engine = engine();
    let list = engine.answer("list_commands").expect("an answer");
    let names: Vec<&str> = list.trim_start_matches("= ").split_whitespace().collect();
    assert!(names.len() > 20);
    for name in names {
        check(&mut engine, &format!("known_command {name}"), "= true");
    }
    check(&mut engine, "known_command nonsense", "= false");
}

#[test]
fn errors_are_those_of_the_protocol() {
    let mut engine = engine();
    tell(&mut engine, "play b E5");
    for (command, error) in [
        ("boardsize 3", "unacceptable size"),
        ("boardsize 99999999999", "syntax error"),
        ("boardsize", "syntax error"),
        ("boardsize hex99", "syntax error"),
        ("komi much", "syntax error"),
        ("komi inf", "syntax error"),
        ("play w E5", "illegal move"),
        ("play w E10", "syntax error"),
        ("play w I5", "syntax error"),
        ("play green E4", "syntax error"),
        ("play w", "syntax error"),
        ("genmove", "syntax error"),
        ("fixed_handicap 2", "board not empty"),
        ("loadsgf missing.sgf", "cannot load file"),
        ("loadsgf broken.sgf", "cannot load file"),
        ("final_status_list sleeping", "syntax error"),
        ("time_settings 1", "syntax error"),
    ] {
        check(&mut engine, command, &format!("? {error}"));
    }
    // Nothing has changed.
    check(&mut engine, "query_boardsize", "= 9");
    tell(&mut engine, "undo");
    check(&mut engine, "undo", "? cannot undo");
}

#[test]
fn colors_and_points_are_read_in_any_case_and_in_any_order_of_turns() {
    let mut engine = engine();
    tell(
        &mut engine,
        "play BLACK e5\nplay b E6\nplay White pass\nplay w Pass",
    );
    check(&mut engine, "play w e6", "? illegal move");
}

#[test]
fn b5_superko_is_refused_and_an_undo_forgets() {
    let mut engine = engine();
    for (index, name) in "D6 E6 C5 F5 D4 E4 E5 D5".split(' ').enumerate() {
        let color = if index % 2 == 0 { "b" } else { "w" };
        tell(&mut engine, &format!("play {color} {name}"));
    }
    check(&mut engine, "play b E5", "? illegal move");
    tell(&mut engine, "undo\nundo\nplay b E5\nplay w D5");
    check(&mut engine, "play b E5", "? illegal move");
}

#[test]
fn h1_handicap_stones_lie_where_the_protocol_says() {
    let mut engine = engine();
    check(&mut engine, "fixed_handicap 10", "? invalid number of stones");
    check(&mut engine, "fixed_handicap 3", "= C3 G7 C7");
    check(&mut engine, "fixed_handicap 2", "? board not empty");
    check(&mut engine, "undo", "? cannot undo");
    tell(&mut engine, "clear_board");
    check(
        &mut engine,
        "place_free_handicap 20",
        "= C3 G7 C7 G3 C5 G5 E3 E7 E5",
    );
    tell(&mut engine, "clear_board\nset_free_handicap A1 b2");
    check(&mut engine, "play w A1", "? illegal move");
    tell(&mut engine, "clear_board");
    for list in ["A1", "A1 A1", "A1 pass", "A1 Z9"] {
        check(
            &mut engine,
            &format!("set_free_handicap {list}"),
            "? bad vertex list",
        );
    }
    tell(&mut engine, "boardsize hex6");
    check(&mut engine, "fixed_handicap 2", "? invalid number of stones");
}

#[test]
fn a_record_is_loaded_with_its_set_up_stones() {
    let mut engine = engine();
    tell(&mut engine, "loadsgf game.sgf");
    check(&mut engine, "get_komi", "= 5.5");
    for name in ["C7", "G3", "C3", "E5", "G7"] {
        check(&mut engine, &format!("play b {name}"), "? illegal move");
    }
    tell(&mut engine, "loadsgf game.sgf 2");
    check(&mut engine, "play b E5", "? illegal move");
    tell(&mut engine, "play b G7");
}

#[test]
fn g1_the_final_score_is_counted_without_dead_stones() {
    let mut engine = engine();
    check(&mut engine, "final_score", "= W+6.5");
    tell(&mut engine, "komi 7");
    // Black owns the left of a wall, White the right; B5 and H5 are intruders.
    for row in 1..=9 {
        tell(&mut engine, &format!("play b E{row}\nplay w F{row}"));
    }
    tell(&mut engine, "play w B5\nplay b H5");
    check(&mut engine, "final_score", "= B+2");
    check(&mut engine, "final_status_list dead", "= B5\nH5");
    check(&mut engine, "final_status_list seki", "= ");
    let alive = engine.answer("final_status_list alive").expect("an answer");
    assert_eq!(alive.trim_end().lines().count(), 2, "two chains: {alive}");
}

#[test]
fn the_board_is_shown_with_its_names() {
    let mut engine = engine();
    tell(&mut engine, "play b A1\nplay w J9");
    let shown = engine.answer("showboard").expect("an answer");
    assert!(shown.contains("A B C D E F G H J"), "{shown}");
    assert!(shown.contains("  9 . . . . . . . . O"), "{shown}");
    assert!(shown.contains("  1 X . . . . . . . ."), "{shown}");
    tell(&mut engine, "boardsize hex2\nplay b C1");
    check(
        &mut engine,
        "showboard",
        "= \n    A B C\n  3    + +\n  2   + + +\n  1    + X",
    );
}

#[test]
fn a1_the_engine_plays_a_whole_game_by_the_rules() {
    for board in ["5", "hex2", "hex3"] {
        let mut engine = engine();
        tell(&mut engine, &format!("boardsize {board}\nkomi 0.5"));
        let mut passes = 0;
        for turn in 0..150 {
            let color = if turn % 2 == 0 { "black" } else { "white" };
            let answer = engine.answer(&format!("genmove {color}")).expect("an answer");
            match answer.trim() {
                "= PASS" => passes += 1,
                "= resign" => passes = 2,
                played => {
                    assert!(played.starts_with("= "), "{board}: {played}");
                    passes = 0;
                }
            }
            if passes == 2 {
                break;
            }
        }
        assert_eq!(passes, 2, "{board}: the game does not end");
    }
}

#[test]
fn quitting_is_answered_first() {
    let mut engine = engine();
    check(&mut engine, "1 quit", "=1 ");
    assert!(engine.has_quit());
}

#[test]
fn any_komi_is_taken_as_the_protocol_wants() {
    let mut engine = engine();
    for (said, kept) in [("6.25", "6.5"), ("-3", "-3"), ("1e9", "1000"), ("0.2", "0")] {
        check(&mut engine, &format!("komi {said}"), "= ");
        check(&mut engine, "get_komi", &format!("= {kept}"));
    }
}

#[test]
fn free_handicap_stones_find_a_place_on_every_board() {
    for board in ["5", "6", "9", "19", "hex6"] {
        for stones in [2, 5] {
            let mut engine = engine();
            tell(&mut engine, &format!("boardsize {board}"));
            let told = engine.answer(&format!("place_free_handicap {stones}"));
            let told = told.expect("an answer");
            let placed = told.trim_start_matches('=').split_whitespace().count();
            assert!((2..=stones).contains(&placed), "{board}: {told}");
        }
    }
    let mut engine = engine();
    tell(&mut engine, "boardsize 5");
    check(
        &mut engine,
        "place_free_handicap 25",
        "? invalid number of stones",
    );
    check(&mut engine, "fixed_handicap 300", "? invalid number of stones");
}

#[test]
fn an_undo_brings_back_what_was_there_captures_and_passes_included() {
    let mut engine = engine();
    tell(&mut engine, "set_free_handicap E5 C3");
    let moves = [
        "w A1", "b A2", "w pass", "b B1", "b pass", "w A1", "w J9", "b pass",
    ];
    let mut boards = Vec::new();
    let mut made = Vec::new();
    for play in moves {
        let board = engine.answer("showboard");
        // One is forbidden, which changes nothing.
        if engine
            .answer(&format!("play {play}"))
            .is_some_and(|answer| answer.starts_with('='))
        {
            boards.push(board);
            made.push(play);
        }
    }
    assert_eq!(
        made,
        ["w A1", "b A2", "w pass", "b B1", "b pass", "w J9", "b pass"]
    );
    while let Some(board) = boards.pop() {
        tell(&mut engine, "undo");
        assert_eq!(engine.answer("showboard"), board);
    }
    check(&mut engine, "undo", "? cannot undo");
    // And what was taken back can be made again.
    for play in made {
        tell(&mut engine, &format!("play {play}"));
    }
}

#[test]
fn a_record_of_as_many_moves_as_a_file_can_hold_is_loaded() {
    let mut engine = Engine::new(|_| {
        let passes = ";B[];W[]".repeat(crate::record::MAX_NODES / 2 - 1);
        Some(format!("(;GM[1]SZ[19]{passes};B[aa])").into_bytes())
    });
    tell(&mut engine, "loadsgf many.sgf\nplay w T1\nundo\nundo\nplay b A19");
}
