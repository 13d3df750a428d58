//! What the benches of the running server share: games to play, tables to play them at, the peer's sockets, quantiles.

#[path = "../../tests/e2e/harness/mod.rs"]
#[allow(
    dead_code,
    unused_imports,
    reason = "a bench needs a part of what the tests need"
)]
pub mod harness;
#[path = "../../tests/support/records.rs"]
pub mod records;

use harness::{Client, Game, Server, Socket};
use hoshi::rules::{Board, Color};
use records::GameRecord;
use serde_json::json;
use std::time::Duration;

/// A record is of use with at least this many stones before its first pass.
pub const STONES: usize = 200;

/// The games to play, and where they are from.
pub fn games() -> (&'static str, Vec<GameRecord>) {
    let board = Board::square(19).expect("a board of 19 lines");
    let useful = |game: &GameRecord| {
        game.board == board && game.setup_black.is_empty() && points(game).len() >= STONES
    };
    let people: Vec<GameRecord> = records::human_games()
        .into_iter()
        .flatten()
        .filter(useful)
        .collect();
    if people.is_empty() {
        let golden = records::golden_games().into_iter().filter(useful).collect();
        return ("from tests/golden/games", golden);
    }
    ("between people, from the shared corpora", people)
}

/// The names of a game's points up to its first pass, as long as Black and White take turns.
pub fn points(game: &GameRecord) -> Vec<String> {
    let turns = [Color::Black, Color::White].into_iter().cycle();
    let moves = game
        .moves
        .iter()
        .zip(turns)
        .map_while(|(&(color, vertex), turn)| {
            vertex.filter(|_| color == turn).map(|vertex| vertex.to_string())
        });
    moves.collect()
}

/// A game that is being played.
pub struct Table {
    pub points: std::vec::IntoIter<String>,
    pub turn: u32,
    /// The mover's socket and his opponent's.
    pub sockets: [Socket; 2],
}

impl Table {
    /// Two guests at a private table of 19x19, each with a socket.
    pub fn open(server: &Server, points: Vec<String>) -> Table {
        let terms = json!({"ruleset": "baduk", "board": "19x19", "komi": 7, "visibility": "private"});
        let game = Game::start(server, &terms);
        let sockets = [&game.black, &game.white].map(|guest| {
            let mut socket = guest.connect(&game.table);
            socket.wait_for("snapshot");
            socket
        });
        Table {
            points: points.into_iter(),
            turn: 0,
            sockets,
        }
    }
}

/// Two sockets of the echo's object with this path.
pub fn echo(client: &Client, path: &str) -> [Socket; 2] {
    [(); 2].map(|()| client.open(path).expect("a socket"))
}

/// What is told of many times, in milliseconds.
pub struct Quantiles {
    pub p50: f64,
    pub p99: f64,
}

impl Quantiles {
    pub fn of(mut times: Vec<Duration>) -> Quantiles {
        times.sort();
        let at =
            |percent: usize| times[(times.len() * percent / 100).min(times.len() - 1)].as_secs_f64() * 1e3;
        Quantiles {
            p50: at(50),
            p99: at(99),
        }
    }
}
