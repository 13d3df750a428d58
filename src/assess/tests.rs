//! Finished positions drawn by hand, with the right answer.

use super::*;
use crate::playout::Chance;
use crate::rules::History;
use crate::rules::diagram::{listed, names, played, points, square};

/// Judges a position: the dead stones of both colors, and the stones of each color in seki. Chains are named by one or
/// more of their stones.
#[track_caller]
fn check(position: &Position, dead: &str, seki: &str) {
    let assessment = assess(position, Removes::Dead);
    for (named, status) in [(dead, Status::Dead), (seki, Status::Seki)] {
        let mut expected: Vec<Point> = points(position.geometry(), named);
        expected = expected.iter().flat_map(|&stone| position.chain(stone)).collect();
        expected.sort_unstable();
        expected.dedup();
        let of = assessment.chains.iter().filter(|chain| chain.status == status);
        let mut found: Vec<Point> = of.flat_map(|chain| chain.stones.iter().copied()).collect();
        found.sort_unstable();
        let text = |points: Vec<Point>| names(position.geometry(), points);
        assert_eq!(text(found), text(expected), "{status:?} of {assessment:?}");
    }
}

#[test]
fn g3_lone_intruders_are_dead() {
    let diagram = "
        . . . X O . . . .
        . . . X O . . . .
        . O . X O . X . .
        . . . X O . . . .
        . . . X O . . . .
        . . . X O . . . .
        . . X X O . . . .
        . . . X O . . . .
        . . . X O . . . .";
    check(&square(diagram), "B7 G7", "");
}

#[test]
fn g3_a_group_with_one_eye_is_dead() {
    let diagram = "
        X . O . X O . O .
        X X X X X O O . O
        O O O O O O O O O
        X X X X X X X X X
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .";
    check(&square(diagram), "A9", "");
}

#[test]
fn g3_a_straight_four_lives() {
    let diagram = "
        X . . . . X O . O
        X X X X X X O O .
        O O O O O O O O O
        X X X X X X X X X
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .";
    check(&square(diagram), "", "");
}

#[test]
fn g3_a_seki_with_two_shared_liberties_stays() {
    let diagram = "
        X . O O O . X O .
        X X X X X X X O .
        O O O O O O O O .
        X X X X X X O O .
        . . . . . X O . O
        . . . . . X O O O
        . . . . . X X X X
        . . . . . . . . .
        . . . . . . . . .";
    check(&square(diagram), "", "A9 C9");
}

#[test]
fn g3_a_seki_with_an_eye_each_stays() {
    let diagram = "
        . X . O . O X . .
        X X O O O O X . .
        O O O X X X X . .
        X X X X . . . . .
        . . . . . . . . .
        X X X X X X X X X
        O O O O O O O O O
        . . . . . . . . .
        . . . . . . . . .";
    check(&square(diagram), "", "A8 A7");
}

#[test]
fn g3_with_an_eye_against_none_the_one_without_is_dead() {
    let diagram = "
        O O . X . X O . .
        . O . X X X O . O
        X O O X O O O O O
        X X O O O X X X X
        . X X X X X . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .";
    check(&square(diagram), "D9", "");
}

#[test]
fn g3_a_bent_four_in_the_corner_kills() {
    let diagram = "
        O O . X O O . O X
        O X X X O . O O X
        . X O O O O O X X
        X X O X X X X X .
        O O O X . . . X .
        X X X X . . . X .
        . . . . . . . X .
        . . . . . . . X .
        . . . . . . . X .";
    check(&square(diagram), "A6", "");
}

#[test]
fn g3_a_bent_four_does_not_kill_where_its_killers_are_dead() {
    let diagram = "
        O O . X O X . O X . . . .
        O X X X O . . O X . . . .
        . X O O O O O O X . X . .
        X X O X X X X X X . . . .
        O O O X . . . . . . . . .
        X X X X . . . . . . . . .
        . . . . . . . . . . . . .
        X X X X X X X X X X X X X
        O O O O O O O O O O O O O
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .";
    check(&square(diagram), "A13 C11", "");
}

#[test]
fn g3_what_a_snapback_would_take_is_dead() {
    let diagram = "
        . X O . . . . . .
        . X O . . . . . .
        . X O O O O O O O
        . X X X X X X X X
        . . . . . . . . .
        . . . . . . . . .
        X X X . . . . . .
        O O O X . . . . .
        . . O X . . . . .";
    check(&square(diagram), "A2", "");
}

#[test]
fn traps_5_a_stone_without_an_opponent_is_alive_and_owns_the_board() {
    for (board, stone, area) in [
        ("9x9", "E5", 81),
        ("9x9", "A1", 81),
        ("hex6", "F6", 91),
        ("hex6", "F1", 91),
    ] {
        let assessment = assess(&listed(board, stone, ""), Removes::Dead);
        assert_eq!(
            (assessment.area.black, assessment.area.white),
            (area, 0),
            "{board} {stone}"
        );
    }
    let empty = assess(&listed("9x9", "", ""), Removes::Dead);
    assert_eq!(
        (empty.area, empty.neutral.len(), empty.certainty()),
        (PerColor::default(), 81, 1.0)
    );
}

#[test]
fn g4_the_same_position_gets_the_same_answer_in_one_go_or_in_steps() {
    let position = listed("9x9", "C3 C4 D5 G7", "E3 E4 F5 C6");
    let mut assessor = Assessor::new(&position, Removes::Dead);
    let mut steps = 0;
    let assessment = loop {
        steps += 1;
        if let Some(assessment) = assessor.work() {
            break assessment;
        }
    };
    assert!(steps > 1);
    assert_eq!(assessment, assess(&position, Removes::Dead));
    assert_eq!(assessor.work(), Some(assessment), "asked again, the same");
}

#[test]
fn g3_every_chain_and_every_point_is_in_the_judgement_once() {
    let position = listed("hex6", "F6 F7 J3 C9", "G5 H4 E7 K1");
    let assessment = assess(&position, Removes::Dead);
    let stones: usize = assessment.chains.iter().map(|chain| chain.stones.len()).sum();
    assert_eq!(stones, 8);
    let living = stones - assessment.dead.black.len() - assessment.dead.white.len();
    let bare = assessment.territory.black.len() + assessment.territory.white.len() + assessment.neutral.len();
    assert_eq!(living + bare, 91);
    assert_eq!(
        (assessment.area.black + assessment.area.white) as usize,
        91 - assessment.neutral.len()
    );
}

#[test]
fn g3_hexagons_lone_intruders_are_dead() {
    let black = "F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 C9 H4";
    let white = "E2 E3 E4 E5 E6 E7 E8 E9 E10 E11 J6 B8";
    check(&listed("hex6", black, white), "C9 J6", "");
}

/// White's living wall across an eight-sided board, and Black's above it.
const WALL: &str =
    "F3 G3 H3 J3 K3 L3 M3 N3 O3 P3 E4 F4 H4 J4 K4 L4 N4 O4 P4 D5 E5 F5 G5 H5 J5 K5 L5 M5 N5 O5 P5";
const ABOVE: &str = "C6 D6 E6 F6 G6 H6 J6 K6 L6 M6 N6 O6 P6";

#[test]
fn g3_hexagons_a_seki_with_two_shared_liberties_stays() {
    let black = format!("H1 O1 G2 H2 J2 K2 L2 M2 N2 O2 {ABOVE}");
    let white = format!("K1 L1 M1 P1 P2 {WALL}");
    check(&listed("hex8", &black, &white), "", "H1 K1");
}

#[test]
fn g3_hexagons_a_group_with_one_eye_is_dead() {
    let black = format!("H1 M1 G2 H2 J2 K2 L2 M2 {ABOVE}");
    let white = format!("K1 N1 N2 O2 {WALL}");
    check(&listed("hex8", &black, &white), "H1", "");
}

#[test]
fn g3_hexagons_a_row_of_four_lives() {
    let black = format!("H1 N1 G2 H2 J2 K2 L2 M2 N2 {ABOVE}");
    let white = format!("O1 O2 P2 {WALL}");
    check(&listed("hex8", &black, &white), "", "");
}

/// A position in the middle of a game that is played at random, with chains in all states.
fn amid_a_game(seed: u64) -> Position {
    let mut position = listed("9x9", "", "");
    let mut history = History::new(&position);
    let mut chance = Chance::new(seed);
    let points: Vec<Point> = position.points().collect();
    for color in Color::BOTH.into_iter().cycle().take(60) {
        // What is illegal is left out.
        let _ = history.play(&mut position, points[chance.below(points.len())], color);
    }
    position
}

#[test]
fn g3_where_only_clearly_dead_chains_go_fewer_do_and_no_others() {
    let mut spared = 0;
    for seed in 0..12 {
        let position = amid_a_game(seed);
        let dead = |removes| {
            let dead = assess(&position, removes).dead;
            [dead.black, dead.white].concat()
        };
        let (likely, clearly) = (dead(Removes::Dead), dead(Removes::ClearlyDead));
        assert!(clearly.iter().all(|stone| likely.contains(stone)), "seed {seed}");
        spared += likely.len() - clearly.len();
    }
    assert!(spared > 0, "it makes a difference somewhere");
}

#[test]
fn g4_the_order_of_the_moves_does_not_matter() {
    let moves = "C3 D4 G7 F6 C4 D3 E5 D5 C5 D6 F5 E6";
    let stones: Vec<&str> = moves.split(' ').collect();
    // Each color's moves the other way round.
    let mut swapped = stones.clone();
    swapped.reverse();
    swapped.chunks_mut(2).for_each(|pair| pair.reverse());
    let (one, _) = played("9x9", moves);
    let (other, _) = played("9x9", &swapped.join(" "));
    assert_eq!(assess(&one, Removes::Dead), assess(&other, Removes::Dead));
}
