//! Chains, liberties, captures and suicide, one shape a test.

use super::super::diagram::{draw, listed, names, point, points, setup, square};
use super::super::{Board, PerColor};
use super::*;
use Color::{Black, White};

/// Plays one stone on a diagram and compares with the diagram after it, or with why it may not be played.
#[track_caller]
fn check(before: &str, color: Color, name: &str, expected: Result<&str, PlayError>) {
    let mut position = square(before);
    let untouched = position.clone();
    let point = point(position.geometry(), name);
    match (position.play(point, color), expected) {
        (Ok(captured), Ok(after)) => {
            assert_eq!(draw(&position), draw(&square(after)));
            let gone = untouched
                .points()
                .filter(|&each| untouched.stone(each).is_some() && position.stone(each).is_none());
            assert_eq!(captured, gone.collect::<Vec<_>>());
        }
        (outcome, expected) => {
            assert_eq!(outcome.err(), expected.err());
            assert_eq!(position, untouched, "a refusal changes nothing");
        }
    }
}

/// The captured stones of a play among listed stones, or why it may not be played. For hexagonal boards.
#[track_caller]
fn check_listed(stones: [&str; 2], color: Color, name: &str, expected: Result<&str, PlayError>) {
    let mut position = listed("hex6", stones[0], stones[1]);
    let point = point(position.geometry(), name);
    let captured = position.play(point, color);
    let captured = captured.map(|stones| names(position.geometry(), stones));
    assert_eq!(captured.as_deref(), expected.as_ref().map(|names| *names));
}

#[track_caller]
fn check_liberties(position: &Position, stone: &str, expected: &str) {
    let geometry = position.geometry();
    let liberties = position.liberties(point(geometry, stone));
    assert_eq!(names(geometry, liberties), expected);
}

#[test]
fn b3_a_chain_is_joined_along_lines_and_not_diagonally() {
    let position = square(
        "
        . . . . .
        . X X . .
        . . . X .
        . . . X .
        . . . . .",
    );
    let geometry = position.geometry();
    let id = |name| position.chain_id(point(geometry, name));
    assert_eq!(id("B4"), id("C4"));
    assert_eq!(id("D2"), id("D3"));
    assert_ne!(id("C4"), id("D3"));
    assert_eq!(id("A1"), None);
    assert_eq!(position.chain(point(geometry, "A1")).count(), 0);
}

#[test]
fn b3_a_liberty_shared_by_two_stones_of_a_chain_counts_once() {
    let position = square(
        "
        . . . . .
        . . . . .
        . . . . .
        X X . . .
        X . . . .",
    );
    check_liberties(&position, "A1", "B1 C2 A3 B3");
}

#[test]
fn b3_chains_that_share_liberties_join_to_one_chain() {
    let mut position = square(
        "
        . . . . .
        . X . X .
        . X . X .
        . . X . .
        . . . . .",
    );
    let geometry = position.geometry();
    check_liberties(&position, "B4", "B2 A3 C3 A4 C4 B5");
    position.play(point(geometry, "C3"), Black).expect("legal");
    check_liberties(&position, "D4", "C1 B2 D2 A3 E3 A4 C4 E4 B5 D5");
    assert_eq!(position.chain(point(geometry, "B4")).count(), 6);
}

#[test]
fn b4_a_corner_stone_is_captured_by_two() {
    let before = "
        O . . . .
        X . . . .
        . . . . .
        . . . . .
        . . . . .";
    let after = "
        . X . . .
        X . . . .
        . . . . .
        . . . . .
        . . . . .";
    check(before, Black, "B5", Ok(after));
}

#[test]
fn b4_a_chain_is_captured_as_a_whole() {
    let before = "
        . X X X .
        X O O O X
        . X O X .
        . . . . .
        . . . . .";
    let after = "
        . X X X .
        X . . . X
        . X . X .
        . . X . .
        . . . . .";
    check(before, Black, "C2", Ok(after));
}

#[test]
fn b4_several_chains_are_captured_at_once() {
    let before = "
        . X O X .
        X O . O X
        . X O X .
        . . X . .
        . . . . .";
    let after = "
        . X . X .
        X . X . X
        . X . X .
        . . X . .
        . . . . .";
    check(before, Black, "C4", Ok(after));
}

#[test]
fn b4_only_chains_without_a_liberty_are_captured() {
    let before = "
        . X O . .
        X O . O .
        . X O X .
        . . X . .
        . . . . .";
    let after = "
        . X O . .
        X . X O .
        . X . X .
        . . X . .
        . . . . .";
    check(before, Black, "C4", Ok(after));
}

#[test]
fn b4_capture_comes_before_suicide() {
    let before = "
        . O X . .
        O X X . .
        X X . . .
        . . . . .
        . . . . .";
    let after = "
        X . X . .
        . X X . .
        X X . . .
        . . . . .
        . . . . .";
    check(before, Black, "A5", Ok(after));
    check(before, White, "A5", Err(PlayError::Suicide));
}

#[test]
fn b4_a_capture_gives_the_own_chain_its_liberty() {
    let before = "
        . X O . .
        X X O . .
        O O O . .
        . . . . .
        . . . . .";
    let after = "
        O . O . .
        . . O . .
        O O O . .
        . . . . .
        . . . . .";
    check(before, White, "A5", Ok(after));
    check(before, Black, "A5", Err(PlayError::Suicide));
}

#[test]
fn b4_joining_a_chain_with_another_liberty_is_no_suicide() {
    let before = "
        . X O . .
        X O . . .
        X O . . .
        . O . . .
        . . . . .";
    let after = "
        X X O . .
        X O . . .
        X O . . .
        . O . . .
        . . . . .";
    check(before, Black, "A5", Ok(after));
}

#[test]
fn b4_filling_the_last_eye_of_the_board_is_suicide() {
    let before = "
        X X X X X
        X X X X X
        X X . X X
        X X X X X
        X X X X X";
    let captured = "
        . . . . .
        . . . . .
        . . O . .
        . . . . .
        . . . . .";
    check(before, Black, "C3", Err(PlayError::Suicide));
    check(before, White, "C3", Ok(captured));
}

#[test]
fn b8_an_occupied_point_is_refused_to_both() {
    let before = "
        . . . . .
        . . . . .
        . . X . .
        . . . . .
        . . . . .";
    check(before, Black, "C3", Err(PlayError::Occupied));
    check(before, White, "C3", Err(PlayError::Occupied));
}

#[test]
fn b4_a_corner_cell_of_a_hexagon_is_captured_by_three() {
    let position = listed("hex6", "", "L1");
    check_liberties(&position, "L1", "K1 K2 L2");
    check_listed(["K1 K2", "L1"], Black, "L2", Ok("L1"));
    check_listed(["K1 K2", "L1"], Black, "L3", Ok(""));
    check_listed(["K1 K2 L2", ""], White, "L1", Err(PlayError::Suicide));
}

#[test]
fn b4_an_edge_cell_of_a_hexagon_is_captured_by_four() {
    let position = listed("hex6", "", "H1");
    check_liberties(&position, "H1", "G1 J1 G2 H2");
    check_listed(["G1 J1 G2", "H1"], Black, "H2", Ok("H1"));
    check_listed(["G1 J1 G2 H2", ""], White, "H1", Err(PlayError::Suicide));
}

#[test]
fn b4_an_inner_cell_of_a_hexagon_is_captured_by_six() {
    let position = listed("hex6", "", "F6");
    check_liberties(&position, "F6", "F5 G5 E6 G6 E7 F7");
    check_listed(["F5 G5 E6 G6 E7", "F6"], Black, "F7", Ok("F6"));
    check_listed(["F5 G5 E6 G6 E7 F7", ""], White, "F6", Err(PlayError::Suicide));
}

#[test]
fn b4_two_chains_on_a_hexagon_are_captured_at_once() {
    check_listed(["G1 G2 H2 L2 K2", "H1 L1 K1"], Black, "J1", Ok("H1"));
    check_listed(["G1 G2 H2 J2 K2 L2", "H1 L1 K1"], Black, "J1", Ok("H1 K1 L1"));
}

#[test]
fn setup_refuses_a_point_named_twice() {
    let board = Board::square(9).expect("9x9");
    let stones = PerColor {
        black: points(board.geometry(), "D4"),
        white: points(board.geometry(), "C3 D4"),
    };
    let refused = Position::from_setup(&Setup { board, stones });
    assert_eq!(refused, Err(SetupError::Twice("D4".parse().expect("a vertex"))));
}

#[test]
fn setup_refuses_a_chain_without_a_liberty() {
    let refused = Position::from_setup(&setup(
        "
        . . . . .
        . . . . .
        X . . . .
        O X . . .
        O X . . .",
    ));
    assert_eq!(
        refused,
        Err(SetupError::NoLiberty("A1".parse().expect("a vertex")))
    );
}

#[test]
fn setup_takes_stones_in_any_order_and_none_at_all() {
    let board = Board::square(5).expect("5x5");
    let empty = Setup {
        board,
        stones: PerColor::default(),
    };
    assert_eq!(
        Position::from_setup(&empty),
        Ok(Position::empty(board.geometry()))
    );
    assert_eq!(listed("5x5", "A1 B1 C1", "A2"), listed("5x5", "C1 A1 B1", "A2"));
}

#[test]
fn equal_stones_on_other_boards_are_other_positions() {
    assert_ne!(listed("9x9", "", ""), listed("13x13", "", ""));
    assert_ne!(listed("9x9", "D4", ""), listed("9x9", "", "D4"));
}
