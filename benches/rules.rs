//! How fast the rules are: moves a second on one core when whole 19x19 games are replayed, every move checked for
//! occupation, suicide and positional superko over the whole game. Beside it, in the same run, the same games on the
//! npm package `@sabaki/go-board`, which knows simple ko only.
//!
//! `cargo bench --bench rules`; the games are those between people of the shared corpora, or else the golden ones.
//! Passes are left out of the count on both sides, and so are records that are mostly passes: one side filling the
//! board alone is no measure of a game.

#[path = "../tests/support/records.rs"]
mod records;

use hoshi::rules::{Board, Color, History, Point, Position};
use records::GameRecord;
use serde_json::{Value, json};
use std::error::Error;
use std::hint::black_box;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Long enough that the clock of a shared machine's cores settles.
const AT_LEAST: Duration = Duration::from_secs(3);

/// What one side has done.
struct Speed {
    moves: u64,
    seconds: f64,
}

impl Speed {
    fn per_second(&self) -> f64 {
        self.moves as f64 / self.seconds
    }
}

fn main() {
    let (source, games) = games();
    let moves: usize = games.iter().map(|game| plays(game).count()).sum();
    println!("{} games of 19x19 with {moves} stones, {source}", games.len());
    let ours = replay_for(AT_LEAST, &games);
    println!(
        "hoshi            {:>12.0} moves/s, positional superko",
        ours.per_second()
    );
    match peer(&games) {
        Ok(theirs) => {
            println!(
                "@sabaki/go-board {:>12.0} moves/s, simple ko",
                theirs.per_second()
            );
            println!(
                "ratio            {:>12.0}",
                ours.per_second() / theirs.per_second()
            );
        }
        Err(error) => println!("@sabaki/go-board was not measured: {error}"),
    }
}

/// The 19x19 games to replay, nine moves in ten of them stones, and where they are from.
fn games() -> (&'static str, Vec<GameRecord>) {
    let (source, games) = match records::human_games() {
        Some(games) => ("between people, from the shared corpora", games),
        None => ("from tests/golden/games", records::golden_games()),
    };
    let board = Board::square(19).expect("a board of 19 lines");
    let in_earnest =
        |game: &GameRecord| game.board == board && 10 * plays(game).count() > 9 * game.moves.len();
    (source, games.into_iter().filter(in_earnest).collect())
}

/// The stones of a game in order, without its passes.
fn plays(game: &GameRecord) -> impl Iterator<Item = (Color, Point)> + '_ {
    let stones = game
        .moves
        .iter()
        .filter_map(|&(color, vertex)| Some((color, vertex?)));
    stones.map(|(color, vertex)| (color, game.point(vertex)))
}

/// Replays all games, again and again, for at least this long.
fn replay_for(at_least: Duration, games: &[GameRecord]) -> Speed {
    let games: Vec<(Position, Vec<(Color, Point)>)> = games
        .iter()
        .map(|game| (game.start(), plays(game).collect()))
        .collect();
    let (mut moves, began) = (0, Instant::now());
    while began.elapsed() < at_least {
        for (start, plays) in &games {
            let mut position = start.clone();
            let mut history = History::new(&position);
            for &(color, point) in plays {
                history
                    .play(&mut position, point, color)
                    .expect("the record is legal");
            }
            black_box(position.hash());
            moves += plays.len() as u64;
        }
    }
    Speed {
        moves,
        seconds: began.elapsed().as_secs_f64(),
    }
}

/// Lets `benches/peers/go_board.mjs` replay the same games.
fn peer(games: &[GameRecord]) -> Result<Speed, Box<dyn Error>> {
    let games: Vec<Value> = games.iter().map(as_json).collect();
    let mut node = Command::new("node")
        .arg("benches/peers/go_board.mjs")
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("node: {error}"))?;
    // Reading starts only when all is written: the answer is one short line.
    let mut stdin = node.stdin.take().ok_or("node has no input")?;
    serde_json::to_writer(
        &mut stdin,
        &json!({ "seconds": AT_LEAST.as_secs_f64(), "games": games }),
    )?;
    stdin.flush()?;
    drop(stdin);
    let answer: Value = serde_json::from_slice(&node.wait_with_output()?.stdout)?;
    match (answer["moves"].as_u64(), answer["seconds"].as_f64()) {
        (Some(moves), Some(seconds)) => Ok(Speed { moves, seconds }),
        _ => Err(answer["error"].as_str().unwrap_or("no answer").into()),
    }
}

/// A game as `go_board.mjs` reads it: columns and rows from 0 at the lower left, 1 for Black and -1 for White.
fn as_json(game: &GameRecord) -> Value {
    let place = |vertex: hoshi::rules::Vertex| [vertex.column() - 1, vertex.row() - 1];
    let sign = |color| if color == Color::Black { 1 } else { -1 };
    let plays = plays(game).map(|(color, point)| {
        let [column, row] = place(game.board.geometry().vertex(point));
        json!([sign(color), column, row])
    });
    json!({
        "id": game.id,
        "side": game.board.side(),
        "setup_black": game.setup_black.iter().map(|&vertex| place(vertex)).collect::<Vec<_>>(),
        "plays": plays.collect::<Vec<_>>(),
    })
}
