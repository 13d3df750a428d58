//! Territory with pass stones comes to the same as area, but for the handicap (G2).

use super::limits::{Dice, legal_points};
use super::*;
use crate::clock::Millis;
use crate::rules::{Board, HalfPoints, Point, count_area};
use crate::ruleset::{DeadChains, Ruleset};
use proptest::prelude::*;
use std::sync::LazyLock;

/// The border fixture F1 of TRAPS 7: Black's area is 44, White's 37.
const F1: &str = "E5 F5 E4 F4 E3 F3 E2 F2 E6 F6 E7 F7 E8 F8 E9 F9 D1 E1";

/// By how much Black leads, without komi.
fn lead(game: &Game) -> HalfPoints {
    let score = game
        .table
        .result()
        .and_then(|result| result.score.clone())
        .expect("a score");
    score.black - score.white
}

fn agree(game: &mut Game) {
    let version = game.table.marking().expect("a marking").version;
    for by in [AKI, BO] {
        game.command(by, json!({"type": "accept_score", "marking": version}))
            .expect("accepted");
    }
}

#[test]
fn traps_8_whites_pass_is_the_last_and_both_counts_agree() {
    let mut game = Game::aga(json!({}));
    game.play(&format!("{F1} A1 pass pass"));
    assert_eq!(
        (game.table.phase(), game.table.to_move()),
        (&Phase::Playing, Color::White)
    );
    game.play("pass");
    assert_eq!(game.table.phase().name(), "counting");
    let area = count_area(game.table.position(), &[]).area;
    assert_eq!((area.black, area.white), (44, 37));
    agree(&mut game);
    assert_eq!(lead(&game), HalfPoints::from_points(7));
}

#[test]
fn traps_8_with_two_handicap_stones_white_has_one_more() {
    let mut game = Game::aga(json!({"handicap": 2}));
    assert_eq!(game.table.to_move(), Color::White);
    game.play("pass pass pass");
    agree(&mut game);
    assert_eq!(lead(&game), HalfPoints::from_points(81 - 1));
    assert_eq!(game.result(), Some("B+79.5"));
}

#[test]
fn traps_10_after_set_up_stones_two_passes_end_it_where_whites_need_not_be_the_last() {
    let mut baduk = Game::started(json!({"ruleset": "baduk", "board": "19x19", "handicap": 9}));
    baduk.play("pass pass");
    assert_eq!(baduk.table.phase().name(), "counting");
    baduk.assess(&[]);
    // Komi is counted once, and nothing is added for the stones.
    assert_eq!(baduk.result(), Some("B+360.5"));
    let mut aga = Game::aga(json!({"board": "19x19", "handicap": 9}));
    aga.play("pass pass");
    assert_eq!(aga.table.phase(), &Phase::Playing);
    aga.play("pass");
    assert_eq!(aga.table.phase().name(), "counting");
    assert_eq!(aga.snapshot(&viewer(CHI))["komi"], 0.5);
}

#[test]
fn h2_a_handicap_of_one_lets_black_move_first_at_komi_half_a_point() {
    let mut game = Game::aga(json!({"handicap": 1}));
    assert_eq!(
        (game.table.to_move(), game.table.terms().komi),
        (Color::Black, HalfPoints::from_halves(1))
    );
    game.play("E5 pass pass pass");
    agree(&mut game);
    assert_eq!(lead(&game), HalfPoints::from_points(81));
    let sgf = game.table.sgf();
    assert!(
        !sgf.contains("HA[") && !sgf.contains("AB[") && sgf.contains("KM[0.5]"),
        "{sgf}"
    );
}

#[test]
fn t12_a_handicap_that_was_set_up_is_on_the_record_with_who_moves_first() {
    let mut game = Game::aga(json!({"handicap": 3}));
    game.play("E5 pass pass");
    let sgf = game.table.sgf();
    for part in ["RU[AGA]", "KM[0.5]", "HA[3]", "AB[", "PL[W]", ";W[ee]"] {
        assert!(sgf.contains(part), "{part} in {sgf}");
    }
    let imported = crate::record::read_sgf(sgf.as_bytes()).expect("readable");
    assert_eq!(
        (imported.warnings.len(), imported.record),
        (0, game.table.record())
    );
}

/// AGA rules on small boards, too, with a second resumption.
static RESUMED_TWICE: LazyLock<Ruleset> = LazyLock::new(|| {
    let mut boards = *Ruleset::by_id("aga").expect("a ruleset");
    boards.boards.allowed = || [5, 7, 9].into_iter().filter_map(Board::square).collect();
    boards.boards.default = "9x9";
    boards.dead_chains = DeadChains::Players {
        resumptions: 2,
        resumes_after: Millis::from_secs(120),
    };
    boards
});

fn started(board: &str, handicap: u8) -> Game {
    let clock = json!({"system": "canadian", "main_ms": 3_600_000, "period_ms": 1_200_000, "stones": 25});
    let terms =
        json!({"ruleset": "aga", "board": board, "handicap": handicap, "color": "black", "clock": clock});
    let asked = crate::wire::decode::<TermsRequest>(terms).expect("readable");
    let granted = asked.grant_under(&RESUMED_TWICE, Challenge::new().parties());
    Game::under(granted.expect("granted")).joined()
}

/// Plays at random until the play ends.
fn play_on(game: &mut Game, dice: &mut Dice, passes_of_20: usize) {
    while *game.table.phase() == Phase::Playing {
        let legal = legal_points(&game.table);
        match legal.is_empty() || dice.below(20) < passes_of_20 || game.table.turn() > 150 {
            true => game.play("pass"),
            false => game.play(&legal[dice.below(legal.len())]),
        }
    }
}

/// Marks some chains dead, at random.
fn mark_some(game: &mut Game, dice: &mut Dice) -> Vec<Point> {
    let geometry = game.table.position().geometry();
    for _ in 0..dice.below(4) {
        let mut points = geometry.points();
        let point = points.nth(dice.below(points.len())).expect("a point");
        let mark = json!({"type": "mark", "point": geometry.vertex(point), "dead": true});
        match game.command(AKI, mark) {
            Ok(_) | Err(Refusal::NoChain) => {}
            Err(other) => panic!("{other}"),
        }
    }
    let dead = &game.table.marking().expect("a marking").dead;
    let all = dead.black.iter().chain(&dead.white);
    all.map(|&vertex| geometry.point(vertex).expect("a point"))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn prop_g2_territory_with_pass_stones_is_area_less_the_handicap_stones_but_one(
        seed in any::<u64>(),
        (board, handicap) in prop_oneof![
            (Just("9x9"), 0u8..=9), (Just("7x7"), 0u8..=4), (Just("5x5"), 0u8..=1)
        ],
        resumptions in 0u32..=2,
        passes_of_20 in 1usize..=12,
    ) {
        let (mut game, mut dice) = (started(board, handicap), Dice(seed));
        play_on(&mut game, &mut dice, passes_of_20);
        for _ in 0..resumptions {
            game.command(BO, json!({"type": "resume"})).expect("resumed");
            play_on(&mut game, &mut dice, passes_of_20);
        }
        let mut dead = Vec::new();
        if game.table.marking().is_some() {
            dead = mark_some(&mut game, &mut dice);
            agree(&mut game);
        }
        prop_assert_eq!(game.table.resumptions, resumptions);
        let last = game.table.moves().last().expect("a move");
        prop_assert_eq!((last.color, last.made), (Color::White, crate::rules::Move::Pass));
        let area = count_area(game.table.position(), &dead).area;
        let by_area = area.black as i32 - area.white as i32;
        let correction = i32::from(handicap.saturating_sub(1));
        prop_assert_eq!(lead(&game), HalfPoints::from_points(by_area - correction));
    }
}
