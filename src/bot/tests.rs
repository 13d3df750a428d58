//! What the computer does in positions where it is plain what to do.

use super::*;
use crate::rules::diagram::{listed, names, played, points, square};
use crate::rules::{Board, PerColor, Setup, fixed_handicap};

/// A situation in a game that has just begun from a position; Black is to move and there is no komi.
struct Game {
    position: Position,
    history: History,
    to_move: Color,
    komi: HalfPoints,
    last: Option<Move>,
    white_passes_last: bool,
    opening_stones: u8,
    ending: Ending,
}

impl Game {
    fn new(position: Position) -> Game {
        Game {
            history: History::new(&position),
            position,
            to_move: Color::Black,
            komi: HalfPoints::ZERO,
            last: None,
            white_passes_last: false,
            opening_stones: 0,
            ending: Ending::DeadStonesGo(Removes::Dead),
        }
    }

    fn choice(&self, level: Level, seed: u64) -> Choice {
        let situation = Situation {
            position: &self.position,
            history: &self.history,
            to_move: self.to_move,
            komi: self.komi,
            last: self.last,
            white_passes_last: self.white_passes_last,
            opening_stones: self.opening_stones,
            ending: self.ending,
        };
        let mut search = Search::new(&situation, level, seed);
        loop {
            if let Some(choice) = search.work() {
                assert_eq!(search.work(), Some(choice), "asked again, the same");
                return choice;
            }
        }
    }

    /// The name of what the lower levels choose; the highest one thinks too long for a test.
    #[track_caller]
    fn check(&self, expected: &str) {
        for level in [Level::Easy, Level::Normal] {
            let name = match self.choice(level, 1) {
                Choice::Play(point) => names(self.position.geometry(), [point]),
                Choice::Pass => "pass".to_owned(),
                Choice::Resign => "resign".to_owned(),
            };
            assert!(
                expected.split(' ').any(|each| each == name),
                "{level:?} chooses {name}, not {expected}"
            );
        }
    }
}

/// Black owns the left and White the right; nothing is left to play.
const FINISHED: &str = "
    . . X O . . O . .
    . . X O . . O . .
    . . X O . . O . .
    . . X O . . O . .
    . . X O . . O . .
    . . X O . . O . .
    . . X O . . O . .
    . . X O . . O . .
    . . X O . . O . .";

#[test]
fn a2_it_captures_what_decides_the_game() {
    let diagram = "
        . . . . . . . . .
        . . . . . . . . .
        . X X X X X X . .
        . O O O O O O X .
        O X X X X X X . .
        . O O O O O O O .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .";
    let mut game = Game::new(square(diagram));
    game.check("A6");
    game.to_move = Color::White;
    game.check("H5");
}

#[test]
fn a2_it_kills_and_saves_by_the_vital_point() {
    let diagram = "
        X . . . X O . O .
        X X X X X O O O O
        O O O O O O . . O
        O O O O O O O O O
        X X X X X X X X X
        X . X X X X X . X
        X X X X X X X X X
        X X X X X X X X X
        X X X X X X X X X";
    let mut game = Game::new(square(diagram));
    game.komi = HalfPoints::from_halves(2 * 20 + 1);
    game.check("C9");
    game.to_move = Color::White;
    game.check("C9");
}

#[test]
fn a2_it_passes_when_nothing_gains() {
    let mut game = Game::new(square(FINISHED));
    // Black has 27 points, White 54: whether it wins or loses, there is nothing to gain.
    for komi in [-55, -53] {
        game.komi = HalfPoints::from_halves(komi);
        for color in Color::BOTH {
            game.to_move = color;
            game.check("pass");
        }
    }
}

#[test]
fn a2_it_passes_to_win_by_the_count() {
    let diagram = "
        . . . X . O . . .
        . . . X . O . . .
        . . . X O . . . .
        . X . X O . . O .
        . . . X O . . . .
        . . . X O . . . .
        . . X X O . . . .
        . . . X O O . . .
        . . . X O . . . .";
    let mut game = Game::new(square(diagram));
    game.last = Some(Move::Pass);
    game.komi = HalfPoints::from_halves(-41);
    game.check("pass");
}

#[test]
fn a2_it_takes_the_last_dame() {
    let diagram = "
        . . . X . O . . .
        . . . X O . . . .
        . . . X O . . . .
        . . . X O . . . .
        . . . X O . . . .
        . . . X O . . . .
        . . X X O . . . .
        . . . X O O . . .
        . . . X O . . . .";
    let mut game = Game::new(square(diagram));
    game.komi = HalfPoints::from_halves(-17);
    game.check("E9");
}

#[test]
fn a2_it_resigns_when_hopeless_and_not_before() {
    let mut game = Game::new(square(FINISHED));
    game.komi = HalfPoints::from_points(60);
    game.check("resign");
    game.komi = HalfPoints::from_halves(-47);
    game.check("pass");
}

#[test]
fn b5_it_never_takes_a_ko_back_at_once() {
    let (position, history) = played("9x9", "D6 E6 C5 F5 D4 E4 E5 D5");
    let e5 = points(position.geometry(), "E5")[0];
    let game = Game {
        history,
        last: None,
        ..Game::new(position)
    };
    for seed in 0..10 {
        assert_ne!(game.choice(Level::Easy, seed), Choice::Play(e5));
    }
}

#[test]
fn h4_it_plays_its_opening_stones_and_does_not_pass() {
    let empty = Position::empty("hex6".parse::<crate::rules::Board>().expect("a board").geometry());
    let mut game = Game::new(empty);
    game.opening_stones = 3;
    for level in Level::EVERY {
        assert!(matches!(game.choice(level, 5), Choice::Play(_)));
    }
    // Even where it would like to.
    let mut game = Game::new(listed("hex2", "A2 B1 B2 C1", ""));
    game.opening_stones = 1;
    game.komi = HalfPoints::from_points(50);
    assert!(matches!(
        game.choice(Level::Easy, 1),
        Choice::Play(_) | Choice::Resign
    ));
}

#[test]
fn g8_it_captures_dead_stones_before_it_passes_when_all_stay() {
    let mut rows: Vec<&str> = FINISHED.trim().lines().collect();
    rows[0] = "O . X O . . O . .";
    let mut game = Game::new(square(&rows.join("\n")));
    game.komi = HalfPoints::from_halves(-55);
    game.check("pass");
    game.ending = Ending::AllStonesStay;
    game.check("A8 B9");
    // The opponent's pass changes nothing as long as the count is lost.
    game.last = Some(Move::Pass);
    game.check("A8 B9");
    // Nor that it is won.
    game.komi = HalfPoints::from_points(-60);
    game.check("A8 B9");
    game.position = square(FINISHED);
    game.check("pass");
}

#[test]
fn a2_it_gives_up_rather_than_pass_on_and_on_far_behind() {
    let mut game = Game::new(square(FINISHED));
    game.komi = HalfPoints::from_halves(-21);
    game.check("resign");
}

#[test]
fn a1_the_same_seed_chooses_the_same() {
    let (position, history) = played("9x9", "E5 C3 G7");
    let game = Game {
        history,
        to_move: Color::White,
        ..Game::new(position)
    };
    assert_eq!(game.choice(Level::Normal, 3), game.choice(Level::Normal, 3));
    let choices: Vec<Choice> = (0..8).map(|seed| game.choice(Level::Easy, seed)).collect();
    assert!(
        choices.iter().any(|choice| *choice != choices[0]),
        "seeds make a difference"
    );
}

#[test]
fn a2_on_a_large_empty_board_it_begins_near_a_corner_and_not_at_the_rim() {
    for board in ["19x19", "hex12"] {
        let geometry = board.parse::<crate::rules::Board>().expect("a board").geometry();
        let game = Game::new(Position::empty(geometry));
        let Choice::Play(point) = game.choice(Level::Normal, 1) else {
            panic!("{board}: it does not play");
        };
        let lines = |point| geometry.neighbours(point).len();
        let near = || geometry.neighbours(point).iter();
        assert!(
            near().all(|&each| lines(each) == lines(point)),
            "{board}: off the first two lines"
        );
    }
}

#[test]
fn a1_harder_levels_work_more_on_every_board() {
    for points in [19, 25, 81, 91, 169, 361, 397, 625] {
        let work = Level::EVERY.map(|level| level.moves(points));
        assert!(
            work[0] * 4 < work[1] && work[1] * 4 < work[2],
            "{points}: {work:?}"
        );
        assert!(work[2] <= 4_000_000);
    }
    for level in Level::EVERY {
        assert_eq!(Level::by_name(level.name()), Some(level));
    }
}

#[test]
fn a2_a_handicap_game_is_neither_passed_nor_given_up_at_its_start() {
    for (side, most) in [(9, 9), (13, 9)] {
        let board = Board::square(side).expect("a board");
        for stones in 2..=most {
            let black = fixed_handicap(board, stones).expect("a handicap");
            let stones = PerColor {
                black,
                white: Vec::new(),
            };
            let mut game = Game::new(Position::from_setup(&Setup { board, stones }).expect("a position"));
            for color in Color::BOTH {
                game.to_move = color;
                let choice = game.choice(Level::Easy, 1);
                assert!(matches!(choice, Choice::Play(_)), "{side} {color}: {choice:?}");
            }
        }
    }
}

#[test]
fn a2_a_slip_of_the_opponents_finger_does_not_end_the_game() {
    let mut game = Game::new(square(
        "
        . . . . . . .
        . . . . . . .
        . . X . O . .
        . . . . . . .
        . . X . O . .
        . . . . . . .
        . . . . . . .",
    ));
    game.last = Some(Move::Pass);
    // Both win by the count as it stands, each at his komi.
    for (color, komi) in [(Color::Black, -99), (Color::White, 99)] {
        (game.to_move, game.komi) = (color, HalfPoints::from_halves(komi));
        let choice = game.choice(Level::Easy, 1);
        assert!(matches!(choice, Choice::Play(_)), "{color}: {choice:?}");
    }
}

#[test]
fn g8_where_white_passes_last_blacks_pass_does_not_end_the_game() {
    let diagram = "
        X . . . X O . O .
        X X X X X O O O O
        O O O O O O . O O
        X X X X O O O O O
        . . . X X X X X X
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .";
    let mut game = Game::new(square(diagram));
    game.komi = HalfPoints::from_halves(41);
    game.last = Some(Move::Pass);
    // It wins by the count, and no move can follow.
    game.check("pass");
    // White can go on, and kill.
    game.white_passes_last = true;
    game.check("C9");
}
