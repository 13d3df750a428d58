//! Whole records, move by move through the Worker: our own golden games, and the shared corpora where they are.

use crate::downloads::download;
use crate::harness::{Game, Socket, points, server};
use crate::records::{GameRecord, golden_games, human_games, selfplay_games};
use hoshi::rules::{Color, History, MoveError, PerColor, Point, Position, Vertex, count_area};
use serde_json::{Value, json};
use std::sync::Mutex;

/// How many games are replayed at the same time.
const AT_ONCE: usize = 8;

/// A record with the game that replays it.
struct Replay<'a> {
    record: &'a GameRecord,
    game: Game,
    sockets: PerColor<Socket>,
    /// The moves made, the passes that end it included.
    moves: Vec<(Color, Option<Vertex>)>,
    captures: PerColor<u32>,
}

impl<'a> Replay<'a> {
    /// Two guests at a table with the record's terms.
    fn new(record: &'a GameRecord) -> Replay<'a> {
        let terms = json!({
            "ruleset": if record.board.to_string().starts_with("hex") { "hex" } else { "baduk" },
            "board": record.board, "komi": record.komi, "handicap": record.setup_black.len(),
        });
        let game = Game::start(server(), &terms);
        let mut sockets = PerColor {
            black: game.black.connect(&game.table),
            white: game.white.connect(&game.table),
        };
        for color in Color::BOTH {
            let snapshot = sockets.get_mut(color).wait_for("snapshot");
            assert_eq!(
                points(&snapshot["setup"]),
                names(&record.setup_black),
                "{}",
                record.id
            );
        }
        Replay {
            record,
            game,
            sockets,
            moves: Vec::new(),
            captures: PerColor::default(),
        }
    }

    /// Makes a move; it must stand, and both must be told of it.
    fn make(&mut self, color: Color, vertex: Option<Vertex>) {
        let id = &self.record.id;
        let turn = self.moves.len();
        let mover = self.sockets.get_mut(color);
        match vertex {
            Some(vertex) => mover.send(&json!({"type": "play", "point": vertex, "turn": turn, "id": turn})),
            None => mover.send(&json!({"type": "pass", "turn": turn, "id": turn})),
        }
        let own = mover.wait_until("the move or a refusal", |frame| {
            frame["turn"] == turn && frame["type"] != "ok" || frame["type"] == "refused"
        });
        assert_eq!(own["type"], "event", "{id}, move {turn}: {own}");
        let theirs = self.sockets.get_mut(color.opponent()).next_but_spectators();
        assert_eq!(own, theirs, "{id}, move {turn}");
        assert_eq!(
            (&own["color"], &own["point"]),
            (&json!(color), &json!(vertex)),
            "{id}, move {turn}"
        );
        let captured = own["captured"].as_array().map_or(0, Vec::len);
        *self.captures.get_mut(color) += captured as u32;
        self.moves.push((color, vertex));
        if self.passes() < 2 {
            // The events that follow the second pass come before the answer to it.
            let answer = self.sockets.get_mut(color).next_but_spectators();
            assert_eq!(
                (&answer["type"], &answer["id"]),
                (&json!("ok"), &json!(turn)),
                "{id}, move {turn}"
            );
        }
    }

    /// How many passes end the moves so far.
    fn passes(&self) -> usize {
        self.moves
            .iter()
            .rev()
            .take_while(|(_, vertex)| vertex.is_none())
            .count()
    }

    /// Whose turn it is.
    fn to_move(&self) -> Color {
        match self.moves.last() {
            Some((color, _)) => color.opponent(),
            None if self.record.setup_black.is_empty() => Color::Black,
            None => Color::White,
        }
    }

    /// What the record calls illegal is refused so.
    fn check_refusals(&mut self) {
        for &(color, vertex, why) in &self.record.refused {
            if self.passes() == 2 || color != self.to_move() {
                continue;
            }
            let turn = self.moves.len();
            let code = match why {
                MoveError::Occupied => "occupied",
                MoveError::Suicide => "suicide",
                MoveError::Superko => "superko",
            };
            let player = if color == Color::Black {
                &self.game.black
            } else {
                &self.game.white
            };
            player
                .play(&self.game.table, &vertex.to_string(), turn as u32)
                .problem(409, code);
        }
    }

    /// Plays on to the end; the result must be that of the native engine, and of the record where it has one.
    fn finish(mut self) {
        let id = self.record.id.clone();
        while self.passes() < 2 {
            self.make(self.to_move(), None);
        }
        let finished = Color::BOTH.map(|color| self.sockets.get_mut(color).wait_for_event("finished"));
        assert_eq!(finished[0], finished[1], "{id}");
        let snapshot = self.game.snapshot();
        let result = &snapshot["result"];
        assert_eq!(*result, finished[0]["result"], "{id}");
        assert_eq!(
            snapshot["moves"].as_array().map(Vec::len),
            Some(self.moves.len()),
            "{id}"
        );

        let expected = &self.record.final_stones;
        assert_eq!(
            points(&snapshot["stones"]["black"]),
            names(&expected.black),
            "{id}"
        );
        assert_eq!(
            points(&snapshot["stones"]["white"]),
            names(&expected.white),
            "{id}"
        );
        assert_eq!(self.captures, self.record.captures, "{id}");
        assert_eq!(snapshot["captures"], json!(self.record.captures), "{id}");

        let (_, record) = download(&self.game.white, &self.game.table);
        let geometry = record.board.geometry();
        let downloaded = record.moves.iter().map(|each| {
            let vertex = each.point.map(|point| geometry.vertex(point));
            (each.color, vertex)
        });
        assert!(
            downloaded.eq(self.moves.iter().copied()),
            "{id}: the record tells another game"
        );
        assert_eq!(
            (record.board, record.komi),
            (self.record.board, Some(self.record.komi)),
            "{id}"
        );
        assert_eq!(record.setup.black, sorted(self.record), "{id}");

        let score = &result["score"];
        let dead = points(&score["dead"]["black"]).len() + points(&score["dead"]["white"]).len();
        if dead == 0 {
            let area = count_area(&self.natively(), &[]).area;
            assert_eq!(
                (&score["black"], &score["white"]),
                (&json!(area.black), &json!(area.white)),
                "{id}"
            );
            assert!(
                self.record.area_all_alive.is_none_or(|recorded| recorded == area),
                "{id}"
            );
        }
    }

    /// The final position, replayed on the engine in this process.
    fn natively(&self) -> Position {
        let mut position = self.record.start();
        let mut history = History::new(&position);
        for &(color, vertex) in &self.moves {
            if let Some(vertex) = vertex {
                let played = history.play(&mut position, self.record.point(vertex), color);
                played.unwrap_or_else(|error| panic!("{}, {vertex}: {error}", self.record.id));
            }
        }
        position
    }
}

/// Replays records, some at the same time.
fn replay_all(records: &[GameRecord]) {
    let waiting = Mutex::new(records.iter());
    let next = || waiting.lock().expect("no replay panics here").next();
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(record) = next() {
                    let mut replay = Replay::new(record);
                    for &(color, vertex) in &record.moves {
                        replay.make(color, vertex);
                    }
                    replay.check_refusals();
                    replay.finish();
                }
            });
        }
    });
}

/// The record's set-up stones by rising index.
fn sorted(record: &GameRecord) -> Vec<Point> {
    let mut setup: Vec<Point> = record
        .setup_black
        .iter()
        .map(|&vertex| record.point(vertex))
        .collect();
    setup.sort_unstable();
    setup
}

fn names(vertices: &[Vertex]) -> Vec<String> {
    points(&Value::from_iter(vertices.iter().map(Vertex::to_string)))
}

#[test]
fn our_golden_games_come_out_as_written() {
    replay_all(&golden_games());
}

#[test]
fn games_between_people_come_out_as_written() {
    match human_games() {
        Some(games) => replay_all(&games),
        None => println!("skipped: the shared corpora are not at hand"),
    }
}

#[test]
fn games_of_a_program_come_out_as_written() {
    let Some(mut games) = selfplay_games() else {
        println!("skipped: the shared corpora are not at hand");
        return;
    };
    // Some of each size, the handicap games first; with all of them it would take minutes.
    games.sort_by_key(|game| game.setup_black.is_empty());
    let mut left = [(19, 8), (13, 12), (9, 20)];
    games.retain(|game| {
        let side = left.iter_mut().find(|(side, _)| *side == game.board.side());
        side.is_some_and(|(_, left)| {
            *left -= 1;
            *left >= 0
        })
    });
    assert_eq!(games.len(), 40);
    replay_all(&games);
}
