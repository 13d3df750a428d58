//! What only `nine` has: the last move, draws, drawn colors (G6, T8, T10, T11).

use super::*;
use crate::clock::Millis;

/// A small generator of numbers, the same each time.
pub(super) struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

/// The names of the points where the player to move may play.
pub(super) fn legal_points(table: &Table) -> Vec<String> {
    let geometry = table.position().geometry();
    let forbidden = Table::forbidden(&table.history, table.position(), table.to_move());
    let empty = geometry
        .points()
        .filter(|&point| table.position().stone(point).is_none());
    let free = empty.map(|point| geometry.vertex(point));
    let free = free.filter(|&vertex| forbidden.iter().all(|each| each.point != vertex));
    free.map(|vertex| vertex.to_string()).collect()
}

#[test]
fn g6_at_move_300_the_game_is_counted_as_if_both_had_passed() {
    let mut game = Game::on_nine();
    let mut dice = Dice(1);
    for turn in 0..300 {
        assert_eq!((game.table.turn(), game.table.phase()), (turn, &Phase::Playing));
        let legal = legal_points(&game.table);
        let chosen = legal.get(dice.below(legal.len()));
        game.play(chosen.map_or("pass", String::as_str));
    }
    let snapshot = game.snapshot(&viewer(CHI));
    assert_eq!(
        (&snapshot["turn"], &snapshot["state"]),
        (&json!(300), &json!("counting"))
    );
    assert_eq!(snapshot["counting"]["reason"], "move_limit");
    assert_eq!(snapshot["clock"]["running"], Value::Null);
    assert_eq!(kinds(&game.assess(&[])), ["finished"]);
    let imported = crate::record::read_sgf(game.table.sgf().as_bytes()).expect("readable");
    assert_eq!(imported.record.moves.len(), 300);
}

#[test]
fn t10_an_offer_of_a_draw_that_is_accepted_draws() {
    let mut game = Game::on_nine();
    game.play("E5");
    let offer = json!({"type": "request", "kind": "draw", "turn": 1});
    assert_eq!(
        kinds(&game.command(AKI, offer.clone()).expect("offered")),
        ["requested"]
    );
    let accept = json!({"type": "answer", "kind": "draw", "accept": true});
    assert_eq!(
        kinds(&game.command(BO, accept).expect("accepted")),
        ["answered", "finished"]
    );
    let result = game.table.result().expect("a result");
    assert_eq!(
        (result.winner, result.by, result.margin),
        (None, EndedBy::Agreement, None)
    );
    assert!(game.table.sgf().contains("RE[0]"));
}

#[test]
fn t8_nine_has_no_takeback_and_no_request_to_score() {
    let mut game = Game::on_nine();
    game.play("E5");
    for kind in ["takeback", "score"] {
        let ask = json!({"type": "request", "kind": kind, "turn": 1});
        assert_eq!(
            game.command(AKI, ask),
            Err(Refusal::NotAllowedByRuleset),
            "{kind}"
        );
    }
    let mut aga = Game::aga(json!({}));
    for kind in ["draw", "score"] {
        let ask = json!({"type": "request", "kind": kind, "turn": 0});
        assert_eq!(aga.command(AKI, ask), Err(Refusal::NotAllowedByRuleset), "{kind}");
    }
}

#[test]
fn t11_a_rematch_of_nine_swaps_the_colors_that_were_drawn() {
    let mut game = Game::on_nine();
    game.command(AKI, json!({"type": "resign"})).expect("resigns");
    for by in [AKI, BO] {
        game.command(by, json!({"type": "rematch"})).expect("agreed");
    }
    let opening = game.table.rematch().expect("a next game");
    assert_eq!(
        (&opening.seats.black.id, &opening.seats.white.id),
        (&player(BO).id, &player(AKI).id)
    );
}

#[test]
fn c1_in_nine_half_a_minute_a_move_cannot_be_changed() {
    let nine = |clock: Value| {
        let asked = json!({"ruleset": "nine", "clock": clock});
        let asked = crate::wire::decode::<TermsRequest>(asked).expect("readable");
        asked.grant(Challenge::new().alone())
    };
    let period = Millis::from_secs(30);
    for as_it_is in [Value::Null, json!({"system": "per_move", "period_ms": 30_000})] {
        let granted = nine(as_it_is).map(|terms| terms.clock);
        assert_eq!(granted, Ok(crate::clock::TimeControl::PerMove { period }));
    }
    for other in [
        json!({"system": "none"}),
        json!({"system": "per_move", "period_ms": 15_000}),
        json!({"system": "per_move", "period_ms": 60_000}),
        json!({"system": "fischer", "initial_ms": 300_000, "increment_ms": 10_000}),
        json!({"system": "canadian", "main_ms": 1_200_000, "period_ms": 300_000, "stones": 25}),
    ] {
        let refused = nine(other.clone());
        assert!(
            matches!(refused, Err(TermsError::ClockNotAllowed { .. })),
            "{other}: {refused:?}"
        );
    }
}

#[test]
fn g9_a_table_that_was_closed_before_it_began_has_no_result_and_says_so() {
    let mut game = Game::waiting(json!({"ruleset": "baduk"}));
    game.take(Input::Close { by: player(AKI).id }).expect("closes");
    let result = &game.snapshot(&viewer(AKI))["result"];
    assert_eq!(
        (&result["winner"], &result["by"], &result["sgf"]),
        (&Value::Null, &json!("none"), &json!("Void"))
    );
    assert!(game.table.sgf().contains("RE[Void]"));
}
