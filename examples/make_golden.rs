//! Prints the golden games, `tests/golden/games/made.jsonl`: short ones written by hand, long ones by a random player
//! that likes to capture and to answer nearby. The same on every machine.

use hoshi::rules::{
    Board, Color, History, Move, MoveError, PerColor, Point, Position, Setup, count_area, fixed_handicap,
};
use serde_json::{Value, json};

/// Id, board and moves, Black first and in turn; then plays that are refused, each with its color.
const BY_HAND: [(&str, &str, &str, &str); 7] = [
    ("ko", "9x9", "D6 E6 C5 F5 D4 E4 E5 D5", "B E5 B D5"),
    (
        "ko-threat-answered",
        "9x9",
        "D6 E6 C5 F5 D4 E4 E5 D5 A9 A1 E5",
        "W D5",
    ),
    (
        "ko-fight",
        "9x9",
        "D6 E6 C5 F5 D4 E4 E5 D5 C8 D8 E5 G2 F2 D5 B8 D9 E5 H3 G3 D5 C2 D2 E5 G7 G8 D5 C1 D1 E5 H8 D5 pass pass",
        "W E5",
    ),
    (
        "two-stones-retaken-by-one",
        "9x9",
        "A8 B6 B7 B5 A6 A4 J1 B4 A5 A7",
        "B A6",
    ),
    (
        "snapback",
        "9x9",
        "A3 A2 B3 B2 C3 C2 D2 C1 D1 J9 B1 A1 B1 pass pass",
        "",
    ),
    ("suicide-before-superko", "9x9", "A2 A1 B1", "W A1"),
    (
        "closed-border",
        "9x9",
        "E5 F5 E4 F4 E3 F3 E2 F2 E6 F6 E7 F7 E8 F8 E9 F9 D1 E1 pass pass",
        "W D1",
    ),
];

/// Id, board, number of handicap stones, seed and number of moves before both pass.
const BY_CHANCE: [(&str, &str, u8, u64, usize); 7] = [
    ("chance-9x9-a", "9x9", 0, 1, 120),
    ("chance-9x9-b", "9x9", 0, 2, 160),
    ("chance-13x13", "13x13", 0, 3, 200),
    ("chance-19x19", "19x19", 0, 4, 320),
    ("chance-19x19-handicap", "19x19", 4, 5, 300),
    ("chance-hex6", "hex6", 0, 6, 120),
    ("chance-hex8", "hex8", 0, 7, 200),
];

fn main() {
    for (id, board, moves, refused) in BY_HAND {
        let mut game = Game::new(board, 0);
        for name in moves.split_whitespace() {
            game.make(game.read(name));
        }
        let names: Vec<&str> = refused.split_whitespace().collect();
        let refused = names
            .chunks(2)
            .map(|play| game.refusal(play[0], play[1]))
            .collect();
        println!("{}", game.record(id, "by hand".to_owned(), refused));
    }
    for (id, board, handicap, seed, most) in BY_CHANCE {
        let mut game = Game::new(board, handicap);
        let mut dice = Dice(seed);
        while game.moves.len() < most && !game.ended() {
            game.make(game.choose(&mut dice));
        }
        while !game.ended() {
            game.make(Move::Pass);
        }
        println!(
            "{}",
            game.record(id, format!("by chance, seed {seed}"), Vec::new())
        );
    }
}

/// A game in progress.
struct Game {
    setup_black: Vec<Point>,
    position: Position,
    history: History,
    turn: Color,
    moves: Vec<(Color, Move)>,
    captures: PerColor<usize>,
}

impl Game {
    fn new(board: &str, handicap: u8) -> Game {
        let board: Board = board.parse().expect("a board");
        let setup_black = fixed_handicap(board, handicap).unwrap_or_default();
        let stones = PerColor {
            black: setup_black.clone(),
            white: Vec::new(),
        };
        let position = Position::from_setup(&Setup { board, stones }).expect("handicap stones stand apart");
        Game {
            history: History::new(&position),
            turn: if setup_black.is_empty() {
                Color::Black
            } else {
                Color::White
            },
            setup_black,
            position,
            moves: Vec::new(),
            captures: PerColor::default(),
        }
    }

    fn read(&self, name: &str) -> Move {
        match name {
            "pass" => Move::Pass,
            _ => Move::Play(self.point(name)),
        }
    }

    fn point(&self, name: &str) -> Point {
        let point = self.position.geometry().point(name.parse().expect("a vertex"));
        point.expect("a point of the board")
    }

    fn name(&self, point: Point) -> String {
        self.position.geometry().vertex(point).to_string()
    }

    /// Makes the move of the player whose turn it is; it must be legal.
    fn make(&mut self, made: Move) {
        if let Move::Play(point) = made {
            let captured = self
                .history
                .play(&mut self.position, point, self.turn)
                .expect("a legal play");
            *self.captures.get_mut(self.turn) += captured.len();
        }
        self.moves.push((self.turn, made));
        self.turn = self.turn.opponent();
    }

    /// Whether the last two moves are passes.
    fn ended(&self) -> bool {
        matches!(self.moves[..], [.., (_, Move::Pass), (_, Move::Pass)])
    }

    /// A play by chance, likelier where it captures or lies near the last one; a pass when only eyes are left.
    fn choose(&self, dice: &mut Dice) -> Move {
        let near = match self.moves.last() {
            Some(&(_, Move::Play(last))) => self.position.geometry().neighbours(last),
            _ => &[],
        };
        let mut weighed: Vec<(Point, u64)> = Vec::new();
        for point in self.position.points() {
            let Ok(prospect) = self.history.legal(&self.position, point, self.turn) else {
                continue;
            };
            let around = self.position.geometry().neighbours(point);
            if around
                .iter()
                .all(|&each| self.position.stone(each) == Some(self.turn))
            {
                continue;
            }
            let captured = self.position.clone().carry_out(&prospect).len() as u64;
            let touches = around.iter().filter(|each| near.contains(each)).count() as u64;
            weighed.push((point, 1 + 60 * captured.min(3) + 12 * touches));
        }
        let mut left = dice.below(weighed.iter().map(|(_, weight)| weight).sum());
        let chosen = weighed
            .iter()
            .find(|(_, weight)| match left.checked_sub(*weight) {
                Some(rest) => {
                    left = rest;
                    false
                }
                None => true,
            });
        chosen.map_or(Move::Pass, |&(point, _)| Move::Play(point))
    }

    fn refusal(&self, letter: &str, name: &str) -> Value {
        let color = if letter == "B" { Color::Black } else { Color::White };
        let why = match self.history.legal(&self.position, self.point(name), color) {
            Err(MoveError::Occupied) => "occupied",
            Err(MoveError::Suicide) => "suicide",
            Err(MoveError::Superko) => "superko",
            Ok(_) => panic!("{letter} {name} is legal"),
        };
        json!([letter, name, why])
    }

    fn record(&self, id: &str, source: String, refused: Vec<Value>) -> Value {
        let board = self.position.geometry().board();
        let names = |points: Vec<Point>| points.iter().map(|&point| self.name(point)).collect::<Vec<_>>();
        let moves = self.moves.iter().map(|&(color, made)| match made {
            Move::Play(point) => json!([color.letter().to_string(), self.name(point)]),
            Move::Pass => json!([color.letter().to_string(), "pass"]),
        });
        let area = count_area(&self.position, &[]).area;
        let nobodys = self.position.geometry().len() as u32 - area.black - area.white;
        let mut record = json!({
            "id": id,
            "source": format!("made for Hoshi {source}, examples/make_golden.rs"),
            "licence": "MIT OR Apache-2.0",
            "board": board,
            "komi": if self.setup_black.is_empty() { json!(6.5) } else { json!(0.5) },
            "setup_black": names(self.setup_black.clone()),
            "moves": moves.collect::<Vec<_>>(),
            "captures": { "black": self.captures.black, "white": self.captures.white },
            "area_all_alive": { "B": area.black, "W": area.white, "N": nobodys },
        });
        match board {
            Board::Square(_) => record["final_rows"] = json!(self.rows()),
            Board::Hexagonal(_) => {
                record["final_stones"] = json!(PerColor::from_fn(|color| {
                    names(self.position.stones_of(color).collect())
                }));
            }
        }
        if !refused.is_empty() {
            record["refused"] = json!(refused);
        }
        record
    }

    /// The rows of a square board, the top one first.
    fn rows(&self) -> Vec<String> {
        let letter = |point| match self.position.stone(point) {
            Some(Color::Black) => 'X',
            Some(Color::White) => 'O',
            None => '.',
        };
        let points: Vec<Point> = self.position.points().collect();
        let rows = points.chunks(self.position.geometry().columns() as usize).rev();
        rows.map(|row| row.iter().map(|&point| letter(point)).collect())
            .collect()
    }
}

/// Chance that is the same everywhere: the SplitMix64 generator.
struct Dice(u64);

impl Dice {
    /// A number below `limit`, zero if that is zero.
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)).checked_rem(limit).unwrap_or(0)
    }
}
