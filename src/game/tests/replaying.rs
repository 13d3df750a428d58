//! The event list is the truth: a table is its replay, also through the stored form.

use super::*;
use proptest::prelude::*;

/// The events as they come back from storage.
fn stored(events: &[Event]) -> Vec<Event> {
    let rows = events
        .iter()
        .map(|event| serde_json::to_string(event).expect("serialises"));
    rows.map(|row| serde_json::from_str(&row).expect("reads back"))
        .collect()
}

#[track_caller]
fn check_replay(game: &Game) {
    assert_eq!(stored(&game.events), game.events);
    let replayed = Table::replay(stored(&game.events)).expect("replays");
    let again = Game {
        table: replayed,
        events: Vec::new(),
        now: game.now,
    };
    for viewer in [viewer(AKI), viewer(BO), viewer(CHI)] {
        assert_eq!(again.snapshot(&viewer), game.snapshot(&viewer));
    }
}

#[test]
fn a_finished_game_replays_from_its_stored_events() {
    let mut game = Game::started(json!({"ruleset": "baduk", "board": "13x13", "handicap": 2}));
    game.play("C3 pass G7 pass pass");
    game.assess(&[]);
    check_replay(&game);
    let mut hex = Game::started(json!({"ruleset": "hex"}));
    hex.play("F6 F7");
    check_replay(&hex);
}

#[test]
fn events_that_do_not_follow_are_refused() {
    let mut game = Game::nine();
    game.play("E5 D4");
    let mut missing = game.events.clone();
    missing.remove(3);
    assert_eq!(
        Table::replay(missing).err(),
        Some(ReplayError::Gap {
            after: Seq(3),
            found: Seq(5)
        })
    );
    let headless = game.events[1..].to_vec();
    assert_eq!(
        Table::replay(headless).err(),
        Some(ReplayError::Misplaced(Seq(2)))
    );
    assert_eq!(
        Table::replay(Vec::new()).err(),
        Some(ReplayError::Misplaced(Seq(0)))
    );
    let mut twice = game.events.clone();
    let mut played = twice[3].clone();
    played.seq = Seq(6);
    twice.push(played);
    assert!(matches!(
        Table::replay(twice),
        Err(ReplayError::BadMove { seq: Seq(6), .. })
    ));
}

/// A random command; most are not legal.
fn commands() -> impl Strategy<Value = (u8, Value)> {
    let column = prop::sample::select(vec!["A", "B", "C", "D", "E", "F"]);
    let play =
        (column, 1u8..7, -1i32..2).prop_map(|(column, row, off)| ("play", format!("{column}{row}"), off));
    let pass = (-1i32..2).prop_map(|off| ("pass", String::new(), off));
    let by = prop::sample::select(vec![AKI, BO, BO, AKI, CHI]);
    (by, prop_oneof![9 => play, 1 => pass])
        .prop_map(|(by, (kind, point, off))| (by, json!({"type": kind, "point": point, "off": off})))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn prop_any_commands_leave_a_table_that_its_events_replay(commands in prop::collection::vec(commands(), 1..80)) {
        let mut game = Game::started(json!({"ruleset": "baduk", "board": "5x5"}));
        for (by, mut command) in commands {
            let fields = command.as_object_mut().expect("an object");
            let off = fields.remove("off").and_then(|off| off.as_i64()).unwrap_or(0);
            let turn = (i64::from(game.table.turn()) + off).max(0);
            fields.insert("turn".to_owned(), json!(turn));
            if fields["type"] == "pass" {
                fields.remove("point");
            }
            let before = (game.table.seq(), game.table.turn());
            match step(&game.table, input(by, command), Timestamp::from_millis(game.now)) {
                Ok(Outcome::Events(events)) => {
                    for event in events {
                        game.table.apply(&event).expect("follows");
                        game.events.push(event);
                    }
                    prop_assert!(game.table.seq() > before.0);
                }
                Ok(Outcome::Repeated(seq)) => prop_assert!(seq <= before.0),
                Err(_) => prop_assert_eq!(before, (game.table.seq(), game.table.turn())),
            }
        }
        check_replay(&game);
    }
}

#[test]
fn a_game_that_has_travelled_comes_to_the_same_board() {
    let mut game = Game::started(json!({"ruleset": "baduk", "board": "9x9", "handicap": 2}));
    game.play("A2 J9 A1 B1 J8 pass B2");
    let so_far = game.table.so_far();
    let sent = serde_json::to_string(&so_far).expect("serialises");
    let arrived: GameSoFar = serde_json::from_str(&sent).expect("readable");
    assert_eq!(arrived, so_far);
    let board = arrived.board().expect("plays");
    assert_eq!(&board.position, game.table.position());
    assert_eq!(board.moves.len(), game.table.moves().len());
    let forbidden =
        |history: &crate::rules::History| history.forbidden(&board.position, game.table.to_move());
    assert_eq!(forbidden(&board.history), forbidden(&game.table.history));
}
