//! The computer and the judge on the running server: how long a move and a verdict take, and how long everybody else waits
//! meanwhile.
//!
//! `make build && cargo bench --bench thinking`, on local workerd behind wrangler, started here. A move takes from the
//! player's own until the computer's answer has come; a verdict from the ending pass until the result has come. While the
//! computer thinks on the largest boards, two sockets ask for the time, one after the other: a spectator's of the same
//! table, and a player's of another one, who are beside it on the one thread of the isolate.
//!
//! The finished games are those of a program against itself of the shared corpora, or else the golden ones.

#[allow(dead_code, reason = "a bench needs a part of what the benches share")]
mod support;

use hoshi::playout::Chance;
use hoshi::rules::{Color, History, Position};
use serde_json::{Value, json};
use std::cell::Cell;
use std::time::{Duration, Instant};
use support::harness::{Game, Guest, Server, Socket};
use support::records::{self, GameRecord};
use support::{Quantiles, points};

/// Boards on which the computer's moves are timed, and how many of them.
const BOARDS: [(&str, &str); 4] = [
    ("baduk", "9x9"),
    ("baduk", "19x19"),
    ("hex", "hex6"),
    ("hex", "hex12"),
];
const LEVELS: [&str; 3] = ["easy", "normal", "hard"];
const MOVES: usize = 8;

/// How many finished games of each board are judged.
const GAMES: usize = 6;

/// How often the time is asked for while nobody thinks, and during how many moves while somebody does.
const IDLE_ASKINGS: usize = 400;
const THOUGHTFUL_MOVES: usize = 4;

/// What we want to stay under, in milliseconds.
const LONGEST_STALL: f64 = 100.0;
const LONGEST_VERDICT: [(&str, f64); 2] = [("9x9", 40.0), ("19x19", 300.0)];

fn main() {
    let server = Server::measured("thinking", "wrangler.toml");
    moves(&server);
    verdicts(&server);
    stalls(&server);
}

fn moves(server: &Server) {
    println!("the computer's moves, ms  {:>8} {:>8}", "p50", "longest");
    for (ruleset, board) in BOARDS {
        for level in LEVELS {
            let mut player = Player::against(server, ruleset, board, level);
            let times: Vec<Duration> = (0..MOVES).map_while(|_| player.make_move()).collect();
            let longest = times.iter().max().copied().unwrap_or_default();
            println!(
                "{board:>6} {level:<18} {:>8.0} {:>8.0}",
                Quantiles::of(times).p50,
                longest.as_secs_f64() * 1e3
            );
        }
    }
}

fn verdicts(server: &Server) {
    println!("\nverdicts, ms              {:>8} {:>8}  goal", "p50", "longest");
    let games = records::selfplay_games().unwrap_or_else(records::golden_games);
    for (board, goal) in LONGEST_VERDICT {
        let of_board = games.iter().filter(|game| game.board.to_string() == board);
        let useful = of_board.filter(|game| game.setup_black.is_empty() && points(game).len() > 30);
        let times: Vec<Duration> = useful.take(GAMES).map(|game| verdict(server, game)).collect();
        let Some(&longest) = times.iter().max() else {
            println!("{board:>6} not measured: no finished game of it is at hand");
            continue;
        };
        println!(
            "{board:>6} {:<18} {:>8.0} {:>8.0}  {goal}",
            format!("{} games", times.len()),
            Quantiles::of(times).p50,
            longest.as_secs_f64() * 1e3
        );
    }
}

/// Plays a game to its end and says how long the verdict took.
fn verdict(server: &Server, record: &GameRecord) -> Duration {
    let board = record.board.to_string();
    let game = Game::start(server, &json!({"ruleset": "baduk", "board": board, "komi": 7}));
    let mut sockets = [&game.black, &game.white].map(|guest| guest.connect(&game.table));
    let mut turn = 0;
    for point in points(record) {
        let mover = &mut sockets[turn as usize % 2];
        mover.play(&point, turn);
        mover.wait_for("ok");
        turn += 1;
    }
    let mut passed = Instant::now();
    for turn in turn..turn + 2 {
        let mover = &mut sockets[turn as usize % 2];
        passed = Instant::now();
        mover.pass(turn);
        mover.wait_for("ok");
    }
    sockets[turn as usize % 2].wait_for_event("finished");
    passed.elapsed()
}

fn stalls(server: &Server) {
    let other = Game::on_9x9(server);
    let mut elsewhere = other.black.connect(&other.table);
    println!(
        "\nwaiting for the time, ms  {:>8} {:>8} {:>8}",
        "p50", "p99", "longest"
    );
    let mut idle = Vec::new();
    for _ in 0..IDLE_ASKINGS {
        idle.push(ask_time(&mut elsewhere, &Cell::new(false)));
    }
    let idle = report("nobody thinks", idle);
    for (ruleset, board) in [("baduk", "19x19"), ("hex", "hex12"), ("baduk", "9x9")] {
        let mut player = Player::against(server, ruleset, board, "hard");
        let mut watching = Guest::new(server, "Watching").connect(&player.table);
        watching.wait_for("snapshot");
        let mut times = Vec::new();
        for _ in 0..THOUGHTFUL_MOVES {
            if !player.send_move() {
                break;
            }
            let answered = Cell::new(false);
            while !answered.get() {
                times.push(ask_time(&mut watching, &answered));
                times.push(ask_time(&mut elsewhere, &Cell::new(false)));
            }
            player.take_answer();
        }
        let thinking = report(&format!("the computer, {board}"), times);
        println!("  {:.1} times the idle median", thinking.0 / idle.0);
        let verdict = if thinking.1 <= LONGEST_STALL {
            "met"
        } else {
            "missed"
        };
        println!("  goal: nobody waits longer than {LONGEST_STALL} ms: {verdict}");
    }
}

/// Prints what is told of times; returns the median and the longest.
fn report(what: &str, times: Vec<Duration>) -> (f64, f64) {
    let longest = times.iter().max().copied().unwrap_or_default().as_secs_f64() * 1e3;
    let Quantiles { p50, p99 } = Quantiles::of(times);
    println!("{what:<25} {p50:>8.1} {p99:>8.1} {longest:>8.1}");
    (p50, longest)
}

/// Asks a table for the time; notes whether the computer's move has come before the answer.
fn ask_time(socket: &mut Socket, answered: &Cell<bool>) -> Duration {
    let sent = Instant::now();
    socket.send(&json!({"type": "time"}));
    socket.wait_until("the time", |message| {
        let of_white = message["color"] == "white" && message["type"] == "event";
        answered.set(answered.get() || of_white || message["kind"] == "finished");
        message["type"] == "time"
    });
    sent.elapsed()
}

/// Somebody who plays Black against the computer, at random but by the rules.
struct Player {
    table: String,
    socket: Socket,
    position: Position,
    history: History,
    chance: Chance,
}

impl Player {
    fn against(server: &Server, ruleset: &str, board: &str, level: &str) -> Player {
        let guest = Guest::new(server, "Random");
        let made = guest.create_table(&json!({
            "ruleset": ruleset, "board": board, "color": "black",
            "opponent": {"kind": "computer", "level": level},
        }));
        let table = made["id"].as_str().expect("an id").to_owned();
        let board: hoshi::rules::Board = board.parse().expect("a board");
        let position = Position::empty(board.geometry());
        let mut socket = guest.connect(&table);
        socket.wait_for("snapshot");
        Player {
            table,
            socket,
            history: History::new(&position),
            position,
            chance: Chance::new(1),
        }
    }

    /// Makes a move; false when there is none to be made.
    fn send_move(&mut self) -> bool {
        let turn = self.history_len();
        let points: Vec<_> = self.position.points().collect();
        for _ in 0..1000 {
            let point = points[self.chance.below(points.len())];
            if self.history.play(&mut self.position, point, Color::Black).is_ok() {
                let name = self.position.geometry().vertex(point).to_string();
                self.socket.play(&name, turn);
                return true;
            }
        }
        false
    }

    fn history_len(&self) -> u32 {
        self.history.len() as u32 - 1
    }

    /// Waits for the computer's answer and makes it on the own board; false when it has ended the game or passed.
    fn take_answer(&mut self) -> bool {
        let answer: Value = self.socket.wait_until("the computer's answer", |message| {
            message["color"] == "white" && message["kind"] == "played"
                || message["kind"] == "passed"
                || message["kind"] == "finished"
        });
        let Some(name) = answer["point"].as_str() else {
            return false;
        };
        let vertex = name.parse().expect("a point");
        let point = self.position.geometry().point(vertex).expect("a point");
        self.history.play(&mut self.position, point, Color::White).is_ok()
    }

    /// A move and its answer, and how long the answer took.
    fn make_move(&mut self) -> Option<Duration> {
        let sent = Instant::now();
        if !self.send_move() || !self.take_answer() {
            return None;
        }
        Some(sent.elapsed())
    }
}
