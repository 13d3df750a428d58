//! Waiting, joining, closing (T1, T2, T5).

use super::*;

#[test]
fn t1_the_game_starts_when_somebody_joins() {
    let mut game = Game::waiting(json!({"ruleset": "baduk", "color": "white"}));
    let events = game
        .take(Input::Join {
            player: player(BO),
            draw: Color::White,
        })
        .expect("joins");
    assert_eq!(kinds(&events), ["joined", "started"]);
    assert_eq!(game.table.seat_of(&player(AKI).id), Some(Color::White));
    assert_eq!(game.table.seat_of(&player(BO).id), Some(Color::Black));
    assert_eq!(game.table.seat_of(&player(CHI).id), None);
    assert_eq!(*game.table.phase(), Phase::Playing);
}

#[test]
fn a_random_color_is_drawn_at_the_start_and_not_before() {
    for draw in Color::BOTH {
        let mut game = Game::waiting(json!({"ruleset": "baduk"}));
        let before = game.snapshot(&viewer(AKI));
        assert_eq!(
            (
                &before["seats"]["black"],
                &before["seats"]["white"],
                &before["you"]
            ),
            (&Value::Null, &Value::Null, &Value::Null)
        );
        game.take(Input::Join {
            player: player(BO),
            draw,
        })
        .expect("joins");
        assert_eq!(game.table.seat_of(&player(AKI).id), Some(draw));
    }
}

#[test]
fn t5_nobody_sits_down_twice_and_nobody_on_a_taken_seat() {
    let mut game = Game::waiting(json!({"ruleset": "baduk"}));
    let join = |number| Input::Join {
        player: player(number),
        draw: Color::Black,
    };
    assert_eq!(game.take(join(AKI)), Err(Refusal::SamePlayer));
    game.take(join(BO)).expect("joins");
    assert_eq!(game.take(join(AKI)), Err(Refusal::SamePlayer));
    assert_eq!(game.take(join(BO)), Err(Refusal::SamePlayer));
    assert_eq!(game.take(join(CHI)), Err(Refusal::SeatTaken));
}

#[test]
fn t3_only_its_creator_closes_a_waiting_table_and_nobody_joins_it_then() {
    let mut game = Game::waiting(json!({"ruleset": "baduk"}));
    assert_eq!(
        game.take(Input::Close { by: player(BO).id }),
        Err(Refusal::Forbidden)
    );
    assert_eq!(
        kinds(&game.take(Input::Close { by: player(AKI).id }).expect("closes")),
        ["closed"]
    );
    assert_eq!(game.take(Input::Close { by: player(AKI).id }), Err(Refusal::Gone));
    assert_eq!(
        game.take(Input::Join {
            player: player(BO),
            draw: Color::Black
        }),
        Err(Refusal::Gone)
    );
    let mut running = Game::baduk();
    assert_eq!(
        running.take(Input::Close { by: player(AKI).id }),
        Err(Refusal::WrongState)
    );
}

#[test]
fn h1_set_up_stones_lie_before_the_first_move_which_is_whites() {
    let game = Game::started(json!({"ruleset": "baduk", "handicap": 3}));
    let snapshot = game.snapshot(&viewer(AKI));
    assert_eq!(snapshot["stones"]["black"], json!(["D4", "D16", "Q16"]));
    assert_eq!(snapshot["setup"], json!(["D4", "Q16", "D16"]));
    assert_eq!(snapshot["to_move"], "white");
    assert_eq!(snapshot["komi"], 0.5);
    assert_eq!(snapshot["moves"], json!([]));
}
