//! Who may play rated games (E1), players who get another name (P2), and players who delete themselves (P4).

use super::*;

fn account(number: u8) -> Player {
    Player {
        name: format!("account {number}"),
        kind: PlayerKind::Account,
        ..player(number)
    }
}

fn gone(number: u8) -> Player {
    Player {
        name: "(deleted)".to_owned(),
        ..player(number)
    }
}

fn rated() -> Value {
    json!({"ruleset": "baduk", "board": "9x9", "ranked": true, "clock": {"system": "per_move", "period_ms": 30000}})
}

fn join(player: Player) -> Input {
    let draw = Color::Black;
    Input::Join { player, draw }
}

#[test]
fn e1_a_guest_may_not_join_a_rated_game() {
    let mut game = Game::waiting(rated());
    assert_eq!(game.take(join(player(BO))), Err(Refusal::NeedsAccount));
    assert_eq!(
        kinds(&game.take(join(account(BO))).expect("joins")),
        ["joined", "started"]
    );
}

#[test]
fn e1_a_rated_game_is_not_played_again_by_a_guest() {
    // The creator is a guest here, as no table of the server's can have it.
    let mut game = Game::waiting(rated());
    game.take(join(account(BO))).expect("joins");
    game.command(BO, json!({"type": "resign"})).expect("resigns");
    assert_eq!(
        game.command(BO, json!({"type": "rematch"})),
        Err(Refusal::NeedsAccount)
    );
}

#[test]
fn h6_e3_what_counts_is_every_finished_rated_game_without_a_handicap() {
    let mut game = Game::waiting(rated());
    assert_eq!(game.table.summary().rated(), None);
    game.take(join(account(BO))).expect("joins");
    assert_eq!(game.table.summary().rated(), None);
    game.command(BO, json!({"type": "resign"})).expect("resigns");
    let counted = game.table.summary().rated().expect("counts");
    let winner = game.table.seat_of(&player(AKI).id);
    assert_eq!((counted.winner, &*counted.ruleset), (winner, "baduk"));
    assert_eq!(counted.ended_at.as_millis(), game.now);

    let mut friendly = Game::baduk();
    friendly.command(BO, json!({"type": "resign"})).expect("resigns");
    assert_eq!(friendly.table.summary().rated(), None);
    let mut with_handicap = game.table.summary();
    with_handicap.terms.handicap = 2;
    assert_eq!(with_handicap.rated(), None);
}

#[test]
fn p2_a_guest_who_becomes_an_account_keeps_seat_and_game() {
    let mut game = Game::baduk();
    game.play("E5");
    let renamed = game.take(Input::Rename { player: account(BO) }).expect("renamed");
    assert_eq!(kinds(&renamed), ["renamed"]);
    let seen = game.snapshot(&viewer(AKI));
    assert_eq!(seen["seats"]["white"]["name"], "account 2");
    assert_eq!(seen["seats"]["white"]["kind"], "account");
    assert_eq!((&seen["turn"], &seen["to_move"]), (&json!(1), &json!("white")));
    game.play("D4");
    assert!(game.table.sgf().contains("PW[account 2]"));
    assert_eq!(
        game.take(Input::Rename { player: account(BO) }),
        Ok(Vec::new()),
        "once"
    );
    assert_eq!(
        game.take(Input::Rename { player: account(CHI) }),
        Ok(Vec::new()),
        "not of the table"
    );
}

#[test]
fn p4_who_deletes_himself_resigns_and_is_called_otherwise() {
    let mut game = Game::baduk();
    game.play("E5");
    let events = game.take(Input::Leave { player: gone(AKI) }).expect("left");
    assert_eq!(kinds(&events), ["finished", "left"]);
    let seen = game.snapshot(&viewer(BO));
    assert_eq!(seen["result"]["sgf"], "W+R");
    assert_eq!(seen["seats"]["black"]["name"], "(deleted)");
    assert_eq!(seen["creator"]["name"], "(deleted)");
    assert!(!game.table.sgf().contains("player 1"));
    assert_eq!(
        game.take(Input::Leave { player: gone(AKI) }),
        Ok(Vec::new()),
        "once"
    );
    assert_eq!(
        game.command(BO, json!({"type": "rematch"})),
        Err(Refusal::WrongState)
    );
}

#[test]
fn p4_a_table_that_waits_closes_with_its_creator() {
    let mut game = Game::waiting(json!({"ruleset": "baduk"}));
    assert_eq!(
        game.take(Input::Leave { player: gone(BO) }),
        Ok(Vec::new()),
        "not of the table"
    );
    let events = game.take(Input::Leave { player: gone(AKI) }).expect("left");
    assert_eq!(kinds(&events), ["closed", "left"]);
}

#[test]
fn p4_both_may_go_one_after_the_other() {
    let mut game = Game::baduk();
    game.take(Input::Leave { player: gone(BO) }).expect("left");
    let events = game.take(Input::Leave { player: gone(AKI) }).expect("left");
    assert_eq!(kinds(&events), ["left"]);
    assert_eq!(game.table.result().map(|result| result.sgf.as_str()), Some("B+R"));
    assert_eq!(game.take(Input::Leave { player: gone(BO) }), Ok(Vec::new()));
}

#[test]
fn p4_a_name_is_replaced_wherever_the_id_stands() {
    let mut game = Game::baduk();
    game.play("E5 D4");
    game.take(Input::Rename { player: account(AKI) })
        .expect("renamed");
    let (id, other) = (player(AKI).id, player(BO).id);
    for event in &mut game.events {
        let mut stored = serde_json::to_value(&*event).expect("serialises");
        replace_name(&mut stored, &id, "(deleted)");
        assert!(!replace_name(&mut stored, &id, "(deleted)"), "once");
        assert!(!stored.to_string().contains("player 1"), "{stored}");
        assert!(!stored.to_string().contains("account 1"), "{stored}");
        *event = serde_json::from_value(stored).expect("still an event");
    }
    let replayed = Table::replay(game.events).expect("replays");
    let seats = replayed.seats().expect("seats");
    assert_eq!(
        (&*seats.black.name, &*seats.white.name),
        ("(deleted)", "player 2")
    );
    assert_eq!(seats.white.id, other);
}
