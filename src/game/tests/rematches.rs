//! Playing again (T11).

use super::*;

/// A finished game.
fn over(terms: Value) -> Game {
    let mut game = Game::started(terms);
    game.command(AKI, json!({"type": "resign"})).expect("resigns");
    game
}

fn even() -> Game {
    over(json!({"ruleset": "baduk", "board": "9x9", "komi": 5.5}))
}

fn offer(game: &mut Game, by: u8) -> Result<Vec<Event>, Refusal> {
    game.command(by, json!({"type": "rematch"}))
}

#[test]
fn t11_one_proposes_the_other_accepts_and_they_swap_colors() {
    let mut game = even();
    assert_eq!(
        kinds(&offer(&mut game, BO).expect("offered")),
        ["rematch_offered"]
    );
    assert_eq!(game.snapshot(&viewer(AKI))["rematch"]["offered_by"], "white");
    assert_eq!(game.table.rematch(), None);
    assert_eq!(kinds(&offer(&mut game, AKI).expect("agreed")), ["rematch"]);
    let opening = game.table.rematch().expect("a next game");
    let events = open_started(opening, Timestamp::from_millis(game.now));
    assert_eq!(kinds(&events), ["opened", "joined", "started"]);
    let next = Game {
        table: Table::replay(events).expect("replays"),
        events: Vec::new(),
        now: game.now,
    };
    let snapshot = next.snapshot(&viewer(AKI));
    assert_eq!(
        (&snapshot["you"], &snapshot["color"], &snapshot["visibility"]),
        (&json!("white"), &json!("white"), &json!("private"))
    );
    assert_eq!(
        (&snapshot["komi"], &snapshot["board"]),
        (&json!(5.5), &json!("9x9"))
    );
    assert_eq!(snapshot["clock"]["running"], "black");
    // Both were told where to go, and with what.
    for number in [AKI, BO] {
        let told = &game.snapshot(&viewer(number))["rematch"];
        assert_eq!(told["table_id"], snapshot["id"]);
        assert_eq!(told["invite"], next.snapshot(&viewer(number))["invite"]["code"]);
    }
}

#[test]
fn t11_handicap_games_keep_their_colors() {
    let mut game = over(json!({"ruleset": "baduk", "handicap": 2}));
    offer(&mut game, AKI).expect("offered");
    offer(&mut game, BO).expect("agreed");
    let opening = game.table.rematch().expect("a next game");
    assert_eq!(opening.seats.black.id, player(AKI).id);
    let events = open_started(opening, Timestamp::from_millis(game.now));
    assert_eq!(Table::replay(events).expect("replays").to_move(), Color::White);
}

#[test]
fn traps_20_two_offers_make_one_table_and_further_ones_repeat_it() {
    let mut game = even();
    offer(&mut game, AKI).expect("offered");
    let now = Timestamp::from_millis(game.now);
    let again = input(AKI, json!({"type": "rematch"}));
    assert_eq!(
        step(&game.table, again, now),
        Ok(Outcome::Repeated(game.table.seq()))
    );
    offer(&mut game, BO).expect("agreed");
    for by in [AKI, BO] {
        let again = input(by, json!({"type": "rematch"}));
        assert_eq!(
            step(&game.table, again, now),
            Ok(Outcome::Repeated(game.table.seq()))
        );
    }
}

#[test]
fn t11_an_offer_that_was_declined_is_not_made_again_but_the_other_may_offer() {
    let mut game = even();
    let decline = json!({"type": "decline_rematch"});
    assert_eq!(game.command(BO, decline.clone()), Err(Refusal::NoRequest));
    offer(&mut game, AKI).expect("offered");
    assert_eq!(game.command(AKI, decline.clone()), Err(Refusal::NoRequest));
    assert_eq!(
        kinds(&game.command(BO, decline).expect("declined")),
        ["rematch_declined"]
    );
    assert_eq!(game.snapshot(&viewer(AKI))["rematch"], Value::Null);
    assert_eq!(offer(&mut game, AKI), Err(Refusal::RequestLimit));
    assert_eq!(
        kinds(&offer(&mut game, BO).expect("offered")),
        ["rematch_offered"]
    );
    assert_eq!(kinds(&offer(&mut game, AKI).expect("agreed")), ["rematch"]);
}

#[test]
fn t11_ten_minutes_after_the_end_it_is_too_late() {
    let mut game = even();
    let ended_at = game.now;
    game.now = ended_at + 599_000 - 1;
    offer(&mut game, AKI).expect("offered");
    game.now = ended_at + 599_000;
    assert_eq!(offer(&mut game, BO), Err(Refusal::WrongState));
    let mut running = Game::baduk();
    assert_eq!(offer(&mut running, AKI), Err(Refusal::WrongState));
    assert_eq!(offer(&mut even(), CHI), Err(Refusal::Forbidden));
}

#[test]
fn the_invite_to_the_next_game_is_for_the_players_only() {
    let mut game = even();
    offer(&mut game, AKI).expect("offered");
    let events = offer(&mut game, BO).expect("agreed");
    assert!(events[0].is_shown(Audience::Player));
    assert!(!events[0].is_shown(Audience::Watcher));
    assert_eq!(game.snapshot(&viewer(CHI))["rematch"], Value::Null);
    assert_eq!(game.table.audience(Some(&player(CHI).id)), Audience::Watcher);
    assert_eq!(game.table.audience(Some(&player(BO).id)), Audience::Player);
}

#[test]
fn p2_t12_players_come_to_their_next_game_as_they_are_by_then() {
    let mut game = even();
    offer(&mut game, AKI).expect("offered");
    offer(&mut game, BO).expect("agreed");
    let before = game.table.rematch().expect("an opening");
    let saved = Player {
        name: "Aki".to_owned(),
        kind: PlayerKind::Account,
        ..player(AKI)
    };
    let mut opening = before.clone();
    opening.meet(&saved);
    opening.meet(&player(CHI));
    let named = |opening: &Opening| {
        let seats = &opening.seats;
        let people = [&opening.creator, &seats.black, &seats.white];
        let his = people.map(|each| each.id == saved.id).into_iter().zip(people);
        his.map(|(his, each)| (his, each.clone())).collect::<Vec<_>>()
    };
    for ((his, now), (_, then)) in named(&opening).into_iter().zip(named(&before)) {
        assert_eq!(now, if his { saved.clone() } else { then });
    }
    assert!(named(&opening).iter().any(|(his, _)| *his));
}
