//! The golden games of each ruleset, from the terms to the result (G1, G2, G8).

use super::*;
use crate::record::read_sgf;

#[path = "../../../tests/support/scripts.rs"]
mod scripts;

use scripts::{Script, Step, scripts};

/// The table of a golden game, with Black and White at it.
fn start(script: &Script) -> Game {
    let mut terms = script.terms.clone();
    let clockless = matches!(script.ruleset.as_str(), "baduk" | "hex");
    if script.black_receives {
        terms["handicap_receiver"] = json!(player(AKI).id);
    }
    if !clockless {
        // Their clocks are set; a second a move is well within them.
        let default = crate::ruleset::Ruleset::by_id(&script.ruleset)
            .expect("a ruleset")
            .clocks
            .default;
        terms["clock"] = json!(default);
    }
    Game::waiting(terms).joined()
}

fn carry_out(game: &mut Game, step: &Step) -> Vec<Event> {
    let (black, command) = match step {
        Step::Move { black, .. } => (black, step.at(game.table.turn()).expect("a move")),
        Step::Command { black, command } => {
            let mut command = command.clone();
            if command["type"] == "accept_score" {
                command["marking"] = json!(game.table.marking().expect("a marking").version);
            }
            (black, command)
        }
        Step::TimeIsOver => return game.wait(game.now + 125_000),
    };
    let by = if *black { AKI } else { BO };
    game.command(by, command)
        .unwrap_or_else(|refusal| panic!("{step:?}: {refusal}"))
}

#[test]
fn every_golden_game_comes_to_its_result_and_its_record_is_read_back() {
    for script in scripts() {
        let mut game = start(&script);
        let mut last = Vec::new();
        for step in &script.steps {
            last = carry_out(&mut game, step);
        }
        assert_eq!(kinds(&last).last(), Some(&script.ends), "{}", script.id);
        if script.ends == "counting" {
            game.assess(&[]);
        }
        let score = game
            .table
            .result()
            .and_then(|result| result.score.clone())
            .expect("a score");
        let points = [score.black, score.white].map(|points| f64::from(points.halves()) / 2.0);
        assert_eq!(
            (points, game.result()),
            (script.score, Some(script.sgf.as_str())),
            "{}",
            script.id
        );
        let imported = read_sgf(game.table.sgf().as_bytes()).expect("readable");
        assert_eq!(
            (imported.warnings.len(), &imported.record),
            (0, &game.table.record()),
            "{}",
            script.id
        );
        let replayed = Table::replay(game.events.clone()).expect("replays");
        assert_eq!(replayed.result(), game.table.result(), "{}", script.id);
    }
}

#[test]
fn every_ruleset_has_a_golden_game() {
    for ruleset in &crate::ruleset::RULESETS {
        assert!(
            scripts().iter().any(|script| script.ruleset == ruleset.id),
            "{}",
            ruleset.id
        );
    }
}
