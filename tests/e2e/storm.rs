//! A storm: many games at once, lines that break, commands that come twice, late and out of order, and a server that
//! is killed again and again. In the end everybody agrees on what has happened, and nothing that was acknowledged is
//! missing (T7, TRAPS 21).

pub mod dice;
mod known;
mod line;
mod player;

use crate::downloads::download;
use crate::harness::{Client, Game, PATIENCE, Server};
use dice::Dice;
use hoshi::rules::{Color, PerColor};
use known::Known;
use line::{Line, Noted};
use player::{End, LENGTH, Player};
use serde_json::{Value, json};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, Scope, ScopedJoinHandle, scope};

/// What all chance comes from. A failure names it; the threads still meet as the machine lets them.
const SEED: u64 = 0x60_57_0b_5e;

const TABLES: usize = 20;

/// How often the server is killed, evenly over the least that is played.
const KILLS: usize = 3;

/// A table of the storm.
struct Match {
    table: String,
    players: PerColor<Player>,
}

/// The clocks: those that no flag can fall on, whatever else the machine does.
fn clock(number: usize) -> Value {
    match number % 3 {
        0 => json!({"system": "none"}),
        1 => json!({"system": "byoyomi", "main_ms": 3_600_000, "period_ms": 60_000, "periods": 3}),
        _ => json!({"system": "fischer", "initial_ms": 3_600_000, "increment_ms": 5000}),
    }
}

fn start(server: &Server, number: usize, counter: &Sender<()>) -> Match {
    let game = Game::start(
        server,
        &json!({"ruleset": "baduk", "board": "9x9", "komi": 7, "clock": clock(number)}),
    );
    let end = [End::Passes, End::Resignation, End::Score, End::Never][number % 4];
    let span = [4, 5, 9][number / 4 % 3];
    let player = |guest, color| {
        let dice = Dice::new(SEED + 2 * number as u64 + u64::from(color == Color::White));
        Player::new(
            Line::new(guest, &game.table, color, dice, counter.clone()),
            end,
            span,
        )
    };
    Match {
        players: PerColor {
            black: player(game.black, Color::Black),
            white: player(game.white, Color::White),
        },
        table: game.table,
    }
}

/// Lets a player play in a thread whose name tells which he is.
fn let_play<'scope>(
    scope: &'scope Scope<'scope, '_>,
    player: Player,
    number: usize,
    color: Color,
) -> ScopedJoinHandle<'scope, Player> {
    let name = format!("table {number}, {color}, seed {SEED:#x}");
    let thread = Builder::new().name(name).spawn_scoped(scope, || player.play());
    thread.expect("a thread")
}

/// Waits until so many commands more have been acknowledged.
fn wait_for(acknowledged: &Receiver<()>, count: usize) {
    for _ in 0..count {
        acknowledged.recv_timeout(2 * PATIENCE).expect("the games go on");
    }
}

/// All stored events that are shown, page by page.
fn stored(client: &Client, table: &str) -> Vec<Value> {
    let mut events: Vec<Value> = Vec::new();
    loop {
        let since = events.last().map_or(json!(0), |event| event["seq"].clone());
        let page = client
            .get(&format!("/api/v1/tables/{table}/events?since={since}"))
            .ok(200);
        let page = page["events"].as_array().expect("events");
        if page.is_empty() {
            return events;
        }
        events.extend_from_slice(page);
    }
}

/// An acknowledged command is among the stored events, as it was acknowledged.
#[track_caller]
fn check_noted(noted: &Noted, stored: &[Value]) {
    let Noted {
        by,
        command,
        upto,
        told,
    } = noted;
    // The first of them has the number 2.
    let at = |seq: &Value| seq.as_u64().and_then(|seq| stored.get(seq as usize - 2));
    for event in told {
        assert_eq!(at(&event["seq"]), Some(event), "{command}");
    }
    let after = command["seq"].as_u64().expect("what its sender had seen");
    let meanwhile = &stored[after as usize - 1..*upto as usize - 1];
    let stands = meanwhile.iter().any(|event| is_of(event, *by, command));
    assert!(stands, "{by}, {command}, acknowledged at {upto}");
}

/// Whether an event tells of this player's command.
fn is_of(event: &Value, by: Color, command: &Value) -> bool {
    let same = |members: &[(&str, &Value)]| members.iter().all(|(name, value)| event[name] == **value);
    let (color, kind) = (&json!(by), &command["kind"]);
    match command["type"].as_str().expect("a command") {
        "play" => {
            let (point, turn) = (&command["point"], &command["turn"]);
            same(&[
                ("kind", &json!("played")),
                ("color", color),
                ("point", point),
                ("turn", turn),
            ])
        }
        "pass" => same(&[
            ("kind", &json!("passed")),
            ("color", color),
            ("turn", &command["turn"]),
        ]),
        "request" => same(&[("kind", &json!("requested")), ("by", color), ("request", kind)]),
        "withdraw" => same(&[("kind", &json!("withdrawn")), ("by", color), ("request", kind)]),
        "answer" => {
            let accepted = &command["accept"];
            same(&[
                ("kind", &json!("answered")),
                ("by", color),
                ("request", kind),
                ("accepted", accepted),
            ])
        }
        "resign" => event["kind"] == "finished" && event["result"]["winner"] == json!(by.opponent()),
        other => panic!("no command of ours: {other}"),
    }
}

/// Everybody agrees: the storage, both players, the snapshot, the record, and the engine in this process.
fn check(game: &mut Match, client: &Client) {
    let events = stored(client, &game.table);
    let mut natively = Known::new();
    events.iter().for_each(|event| natively.take(event.clone()));
    for color in Color::BOTH {
        let player = game.players.get_mut(color);
        player.catch_up(natively.seq());
        assert_eq!(player.known().events, events, "{color} at {}", game.table);
        player
            .noted()
            .iter()
            .for_each(|noted| check_noted(noted, &events));
    }
    natively.check_snapshot(&client.snapshot(&game.table));
    natively.check_record(&download(client, &game.table).1);
}

#[test]
fn t7_a_storm_leaves_everybody_with_the_same_game() {
    let mut server = Server::alone("storm");
    let (counter, acknowledged) = channel();
    let matches: Vec<Match> = (0..TABLES)
        .map(|number| start(&server, number, &counter))
        .collect();
    let mut matches: Vec<Match> = scope(|scope| {
        let playing: Vec<_> = (0..)
            .zip(matches)
            .map(|(number, Match { table, players })| {
                let black = let_play(scope, players.black, number, Color::Black);
                let white = let_play(scope, players.white, number, Color::White);
                (table, black, white)
            })
            .collect();
        for _ in 0..KILLS {
            wait_for(&acknowledged, TABLES * LENGTH / (KILLS + 1));
            server.restart();
        }
        let join = |player: ScopedJoinHandle<Player>| player.join().expect("played to the end");
        let ended = playing.into_iter().map(|(table, black, white)| Match {
            table,
            players: PerColor {
                black: join(black),
                white: join(white),
            },
        });
        ended.collect()
    });
    let client = Client::new(&server);
    matches.iter_mut().for_each(|game| check(game, &client));
}
