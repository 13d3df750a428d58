//! Many tables at once: how many moves a second the server takes, and how long each takes, beside the least that the
//! platform needs for as much.
//!
//! `make build && cargo bench --bench load`. Both sides run on local workerd behind wrangler, as in `benches/table.rs`,
//! with the same games and the same echo as the peer. There are N tables with two sockets each; a table's next move is
//! sent as soon as the last one has been answered, and all tables play at once. A move takes from just before it is
//! sent until the opponent has the event. The two sides take turns in blocks of the same number of moves; each side's
//! throughput is that of all its blocks. The load generator runs on the same machine and takes its share of it, some
//! more for Hoshi, whose mover is answered too: three frames a move, to the echo's one.

#[allow(dead_code, reason = "a bench needs a part of what the benches share")]
mod support;

use serde_json::json;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::scope;
use std::time::{Duration, Instant};
use support::harness::{Client, Server, Socket};
use support::records::GameRecord;
use support::{Quantiles, Table, points};

/// How many tables play at once, the moves of each in a block, and the blocks of a side.
const LOADS: [Load; 3] = [
    Load {
        tables: 1,
        moves: 50,
        blocks: 6,
    },
    Load {
        tables: 50,
        moves: 10,
        blocks: 4,
    },
    Load {
        tables: 200,
        moves: 10,
        blocks: 2,
    },
];

/// Moves of each table that are not counted.
const WARM_UP: usize = 3;

/// How many tables are opened at the same time.
const OPENERS: usize = 8;

/// What we want to stay above: Hoshi's throughput as a part of the echo's, with the most tables.
const GOAL: f64 = 0.7;

#[derive(Clone, Copy)]
struct Load {
    tables: usize,
    moves: usize,
    blocks: usize,
}

/// A game at a table of Hoshi, or two sockets of the echo to which the same frames are sent.
trait Pair: Send {
    /// Makes the next move: how long the opponent waited for it.
    fn make_move(&mut self) -> Duration;
}

impl Pair for Table {
    fn make_move(&mut self) -> Duration {
        let point = self.points.next().expect("a point");
        let frame = frame(&point, self.turn);
        let [mover, opponent] = &mut self.sockets;
        let sent = Instant::now();
        mover.send_text(&frame);
        pass_over_until(opponent, r#""kind":"played""#);
        let took = sent.elapsed();
        pass_over_until(mover, r#""type":"ok""#);
        self.turn += 1;
        self.sockets.swap(0, 1);
        took
    }
}

struct Echo {
    points: Vec<String>,
    turn: u32,
    sockets: [Socket; 2],
}

impl Pair for Echo {
    fn make_move(&mut self) -> Duration {
        let frame = frame(&self.points[self.turn as usize % self.points.len()], self.turn);
        let [mover, opponent] = &mut self.sockets;
        let sent = Instant::now();
        mover.send_text(&frame);
        pass_over_until(opponent, &frame);
        let took = sent.elapsed();
        self.turn += 1;
        self.sockets.swap(0, 1);
        took
    }
}

fn frame(point: &str, turn: u32) -> String {
    json!({"type": "play", "point": point, "turn": turn}).to_string()
}

/// Reads up to the frame that has this in it. A refusal is no move.
fn pass_over_until(socket: &mut Socket, wanted: &str) {
    loop {
        let frame = socket.read_text().expect("the server goes on");
        assert!(!frame.contains(r#""type":"refused""#), "{frame}");
        if frame.contains(wanted) {
            return;
        }
    }
}

/// What a side has done so far.
#[derive(Default)]
struct Tally {
    times: Vec<Duration>,
    spent: Duration,
}

impl Tally {
    /// Lets all pairs play at once, so many moves each.
    fn block(&mut self, pairs: &mut [impl Pair], moves: usize) {
        let begun = Instant::now();
        let times: Vec<Vec<Duration>> = scope(|scope| {
            let playing: Vec<_> = pairs
                .iter_mut()
                .map(|pair| scope.spawn(move || (0..moves).map(|_| pair.make_move()).collect()))
                .collect();
            let played = playing
                .into_iter()
                .map(|pair| pair.join().expect("every move stands"));
            played.collect()
        });
        self.spent += begun.elapsed();
        self.times.extend(times.into_iter().flatten());
    }

    fn per_second(&self) -> f64 {
        self.times.len() as f64 / self.spent.as_secs_f64()
    }
}

fn main() {
    let (source, records) = support::games();
    println!("{} games of 19x19 {source}", records.len());
    let hoshi = Server::measured("hoshi", "wrangler.toml");
    let echo = Server::measured("echo", "benches/peers/echo/wrangler.toml");
    let mut last = 0.0;
    println!("tables            moves/s       p50         p99");
    for load in LOADS {
        last = measure(load, (&hoshi, &echo), &records);
    }
    let verdict = if last >= GOAL { "met" } else { "missed" };
    println!("goal: at least {GOAL} of the echo's moves per second with the most tables: {verdict}");
}

/// Measures both sides under one load, and brings the ratio of their throughputs.
fn measure(load: Load, (hoshi, echo): (&Server, &Server), records: &[GameRecord]) -> f64 {
    let Load {
        tables,
        moves,
        blocks,
    } = load;
    let (mut ours, mut theirs) = (Tally::default(), Tally::default());
    let mut echoes: Vec<Echo> = open(tables, |number| Echo {
        points: points(&records[number % records.len()]),
        turn: 0,
        sockets: support::echo(&Client::new(echo), &format!("/echo-{tables}-{number}")),
    });
    Tally::default().block(&mut echoes, WARM_UP);
    let mut games: Vec<Table> = Vec::new();
    for block in 0..blocks {
        if games.iter().any(|game| game.points.len() < moves) || games.is_empty() {
            let record = |number| points(&records[(number + block) % records.len()]);
            games = open(tables, |number| Table::open(hoshi, record(number)));
            Tally::default().block(&mut games, WARM_UP);
        }
        ours.block(&mut games, moves);
        theirs.block(&mut echoes, moves);
    }
    let ratio = ours.per_second() / theirs.per_second();
    for (name, tally) in [("hoshi", ours), ("echo", theirs)] {
        let rate = tally.per_second();
        let Quantiles { p50, p99 } = Quantiles::of(tally.times);
        println!("{tables:>5}  {name:<7} {rate:>10.0} {p50:>8.2} ms {p99:>8.2} ms");
    }
    println!("{tables:>5}  ratio   {ratio:>10.2}");
    ratio
}

/// Opens so many of something, some at the same time.
fn open<T: Send>(count: usize, one: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let (next, opened) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    scope(|scope| {
        for _ in 0..OPENERS.min(count) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        return;
                    }
                    let each = one(number);
                    opened.lock().expect("nobody panics with it").push(each);
                }
            });
        }
    });
    opened.into_inner().expect("nobody has panicked with it")
}
