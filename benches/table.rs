//! One table: how long a move takes from the mover's socket to the opponent's, beside the least that the platform
//! needs for as much.
//!
//! `make build && cargo bench --bench table`. Both sides run on local workerd behind wrangler, started here. Hoshi
//! plays whole games of 19x19 between two guests at private tables, every move checked and stored; a move takes from
//! just before `{"type": "play", …}` is sent (some 40 bytes) until the opponent has the event (some 270 bytes, the
//! forbidden points included). The peer is `benches/peers/echo`, an object that stores each message as one row and
//! sends it on to the other socket, given the same frames. One message is in flight at a time, and the two sides take
//! turns in blocks, so that whatever else the machine does hits both alike. Neither logs its messages: the local
//! wrangler takes longer over a line of the log than over all else, which is nothing that players ever meet.
//!
//! The games are those between people of the shared corpora, or else the golden ones.

#[allow(dead_code, reason = "a bench needs a part of what the benches share")]
mod support;

use serde_json::{Value, json};
use std::process::Command;
use std::time::{Duration, Instant};
use support::harness::{Client, Server, Socket};
use support::records::GameRecord;
use support::{Quantiles, Table, points};

/// Moves that are played before any is counted, on each side.
const WARM_UP: usize = 50;

/// How often the sides take turns, and the moves of each turn.
const BLOCKS: usize = 10;
const BLOCK: usize = 100;

/// What we want to stay under: the ratio of the medians, and the Worker's weight.
const GOAL: f64 = 1.3;
const GOAL_KB: usize = 600;

fn main() {
    let (source, records) = support::games();
    println!(
        "{} games of 19x19 {source}; {} moves a side",
        records.len(),
        BLOCKS * BLOCK
    );
    let server = Server::measured("hoshi", "wrangler.toml");
    let mut hoshi = Hoshi::new(&server, &records);
    let peer = Server::measured("echo", "benches/peers/echo/wrangler.toml");
    let mut echo = Echo::new(&peer);
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..WARM_UP {
        let (frame, _) = hoshi.make_move();
        echo.send(&frame);
    }
    for _ in 0..BLOCKS {
        let block: Vec<(Value, Duration)> = (0..BLOCK).map(|_| hoshi.make_move()).collect();
        theirs.extend(block.iter().map(|(frame, _)| echo.send(frame)));
        ours.extend(block.into_iter().map(|(_, took)| took));
    }
    let (ours, theirs) = (Quantiles::of(ours), Quantiles::of(theirs));
    println!("          {:>10} {:>10}", "p50", "p99");
    println!("hoshi  {:>10.3} ms {:>7.3} ms", ours.p50, ours.p99);
    println!("echo   {:>10.3} ms {:>7.3} ms", theirs.p50, theirs.p99);
    let ratio = ours.p50 / theirs.p50;
    println!("ratio  {ratio:>10.2} {:>10.2}", ours.p99 / theirs.p99);
    let verdict = if ratio <= GOAL { "met" } else { "missed" };
    println!("goal: p50 at most {GOAL} times the echo's: {verdict}");
    match gzipped() {
        Some(bytes) => println!(
            "wasm   {:>10} KB gzipped, goal at most {GOAL_KB}",
            bytes.div_ceil(1024)
        ),
        None => println!("wasm   not weighed: there is no gzip here"),
    }
}

/// What the Worker weighs, as `make build` weighs it.
fn gzipped() -> Option<usize> {
    let wasm = concat!(env!("CARGO_MANIFEST_DIR"), "/build/index_bg.wasm");
    let gzip = Command::new("gzip").args(["-9", "-c", wasm]).output().ok()?;
    gzip.status.success().then_some(gzip.stdout.len())
}

/// Games at tables of Hoshi, one after the other.
struct Hoshi<'a> {
    server: &'a Server,
    games: Box<dyn Iterator<Item = Vec<String>> + 'a>,
    table: Option<Table>,
}

impl<'a> Hoshi<'a> {
    fn new(server: &'a Server, records: &'a [GameRecord]) -> Hoshi<'a> {
        Hoshi {
            server,
            games: Box::new(records.iter().cycle().map(points)),
            table: None,
        }
    }

    /// Makes the next move: the frame that was sent, and how long the opponent waited for it.
    fn make_move(&mut self) -> (Value, Duration) {
        let server = self.server;
        let games = &mut self.games;
        let table = self
            .table
            .get_or_insert_with(|| Table::open(server, games.next().expect("a game")));
        let point = table.points.next().expect("a point");
        let frame = json!({"type": "play", "point": point, "turn": table.turn});
        let [mover, opponent] = &mut table.sockets;
        let sent = Instant::now();
        mover.send(&frame);
        opponent.wait_for_event("played");
        let took = sent.elapsed();
        // His own answer is no part of it, but must not be on its way during the next move.
        mover.wait_for("ok");
        table.turn += 1;
        table.sockets.swap(0, 1);
        if table.points.len() == 0 {
            self.table = None;
        }
        (frame, took)
    }
}

/// Two sockets of the echo, which send by turns as players do.
struct Echo {
    sockets: [Socket; 2],
}

impl Echo {
    fn new(server: &Server) -> Echo {
        let client = Client::new(server);
        Echo {
            sockets: support::echo(&client, "/echo"),
        }
    }

    /// Sends a frame and says how long it took to come out of the other socket.
    fn send(&mut self, frame: &Value) -> Duration {
        let [from, to] = &mut self.sockets;
        let sent = Instant::now();
        from.send(frame);
        let echoed = to.next();
        let took = sent.elapsed();
        assert_eq!(echoed, *frame);
        self.sockets.swap(0, 1);
        took
    }
}
