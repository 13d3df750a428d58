//! What can be known of a game from the events that were told, worked out on the engine in this process.

use crate::harness::points;
use hoshi::game::{Event, EventKind, Forbidden};
use hoshi::record::Record;
use hoshi::rules::{Board, Color, History, MoveError, PerColor, Point, Position, Vertex};
use hoshi::ruleset::RequestKind;
use serde_json::{Value, json};

/// The requests that a player has in a game (T8).
pub const REQUESTS: u32 = 10;

/// A game on 9x9 as its events tell it. Each is checked when it comes: it must be the next one, and say what the
/// engine says.
pub struct Known {
    /// The events, as they came.
    pub events: Vec<Value>,
    /// The moves that stand; `None` is a pass.
    pub moves: Vec<(Color, Option<Vertex>)>,
    /// When each of them was made.
    times: Vec<Value>,
    pub position: Position,
    history: History,
    pub captures: PerColor<u32>,
    /// What each player asks for.
    pub asks: PerColor<Option<RequestKind>>,
    /// How often each has asked.
    pub asked: PerColor<u32>,
    state: &'static str,
}

impl Known {
    /// A table of which only that it was made is known: the event that nobody is told.
    pub fn new() -> Known {
        let board: Board = "9x9".parse().expect("a board");
        let position = Position::empty(board.geometry());
        Known {
            events: Vec::new(),
            moves: Vec::new(),
            times: Vec::new(),
            history: History::new(&position),
            position,
            captures: PerColor::default(),
            asks: PerColor::default(),
            asked: PerColor::default(),
            state: "waiting",
        }
    }

    /// The number of the newest event.
    pub fn seq(&self) -> u64 {
        self.events.len() as u64 + 1
    }

    pub fn turn(&self) -> usize {
        self.moves.len()
    }

    pub fn to_move(&self) -> Color {
        self.moves
            .last()
            .map_or(Color::Black, |(color, _)| color.opponent())
    }

    pub fn is_over(&self) -> bool {
        self.state == "finished"
    }

    /// Whether the newest move is a pass.
    pub fn was_passed(&self) -> bool {
        self.moves.last().is_some_and(|(_, vertex)| vertex.is_none())
    }

    /// What the engine says to a stone of the player to move.
    pub fn legal(&self, point: Point) -> Result<(), MoveError> {
        self.history
            .legal(&self.position, point, self.to_move())
            .map(|_| ())
    }

    /// Takes the next event: none is missing, none comes twice, and none says anything wrong.
    #[track_caller]
    pub fn take(&mut self, told: Value) {
        assert_eq!(told["seq"], self.seq() + 1, "a gap or a double: {told}");
        let event: Event = serde_json::from_value(told.clone()).expect("an event");
        self.apply(&event, &told);
        self.events.push(told);
    }

    #[track_caller]
    fn apply(&mut self, event: &Event, told: &Value) {
        match &event.kind {
            EventKind::Joined { .. } | EventKind::Outage { .. } => {}
            EventKind::Started { .. } => self.state = "playing",
            EventKind::Played {
                color,
                point,
                turn,
                captured,
                forbidden,
                ..
            } => {
                assert_eq!((*turn as usize, *color), (self.turn(), self.to_move()), "{told}");
                let taken = self.play(*color, *point);
                assert_eq!(*captured, self.names(taken), "{told}");
                self.record(*color, Some(*point), told);
                assert_eq!(*forbidden, self.forbidden(), "{told}");
            }
            EventKind::Passed {
                color,
                turn,
                forbidden,
                ..
            } => {
                assert_eq!((*turn as usize, *color), (self.turn(), self.to_move()), "{told}");
                let ends = self.was_passed();
                self.record(*color, None, told);
                let expected = if ends { Vec::new() } else { self.forbidden() };
                assert_eq!(*forbidden, expected, "{told}");
            }
            EventKind::Requested { request, by, .. } => {
                assert_eq!(*self.asks.get(*by), None, "{told}");
                *self.asks.get_mut(*by) = Some(*request);
                *self.asked.get_mut(*by) += 1;
            }
            EventKind::Answered { request, by, .. } => self.settle(by.opponent(), *request, told),
            EventKind::Withdrawn { request, by } | EventKind::Expired { request, by } => {
                self.settle(*by, *request, told);
            }
            EventKind::TakenBack {
                turn,
                to_move,
                stones,
                captures,
                forbidden,
                ..
            } => {
                self.take_back();
                assert_eq!(
                    (*turn as usize, *to_move),
                    (self.turn(), self.to_move()),
                    "{told}"
                );
                assert_eq!((stones, captures), (&self.stones(), &self.captures), "{told}");
                assert_eq!(*forbidden, self.forbidden(), "{told}");
            }
            EventKind::Counting { .. } => self.end("counting"),
            EventKind::Finished { .. } => self.end("finished"),
            EventKind::Opened { .. }
            | EventKind::ComputerFailed { .. }
            | EventKind::Chat { .. }
            | EventKind::ChatRemoved { .. }
            | EventKind::Appealed { .. }
            | EventKind::Decided { .. }
            | EventKind::Closed {}
            | EventKind::Marked { .. }
            | EventKind::ScoreAccepted { .. }
            | EventKind::Resumed { .. }
            | EventKind::RematchOffered { .. }
            | EventKind::RematchDeclined { .. }
            | EventKind::Rematch { .. }
            | EventKind::Renamed { .. }
            | EventKind::Left { .. } => panic!("unexpected: {told}"),
        }
    }

    fn end(&mut self, state: &'static str) {
        self.state = state;
        self.asks = PerColor::default();
    }

    fn settle(&mut self, by: Color, request: RequestKind, told: &Value) {
        let open = self.asks.get_mut(by).take();
        assert_eq!(open, Some(request), "{told}");
    }

    fn record(&mut self, color: Color, vertex: Option<Vertex>, told: &Value) {
        self.moves.push((color, vertex));
        self.times.push(told["at"].clone());
    }

    fn play(&mut self, color: Color, vertex: Vertex) -> Vec<Point> {
        let point = self
            .position
            .geometry()
            .point(vertex)
            .expect("a point of the board");
        let played = self.history.play(&mut self.position, point, color);
        let taken = played.unwrap_or_else(|error| panic!("{color} {vertex}: {error}"));
        *self.captures.get_mut(color) += taken.len() as u32;
        taken
    }

    /// Undoes the newest move by playing all others once more.
    fn take_back(&mut self) {
        self.moves.pop().expect("a move to take back");
        self.times.pop();
        self.asks = PerColor::default();
        self.position = Position::empty(self.position.geometry());
        self.history = History::new(&self.position);
        self.captures = PerColor::default();
        for (color, vertex) in self.moves.clone() {
            if let Some(vertex) = vertex {
                self.play(color, vertex);
            }
        }
    }

    fn names(&self, points: impl IntoIterator<Item = Point>) -> Vec<Vertex> {
        let geometry = self.position.geometry();
        points.into_iter().map(|point| geometry.vertex(point)).collect()
    }

    fn stones(&self) -> PerColor<Vec<Vertex>> {
        PerColor::from_fn(|color| self.names(self.position.stones_of(color)))
    }

    /// Where the player to move may not play, and why, by rising index.
    fn forbidden(&self) -> Vec<Forbidden> {
        let geometry = self.position.geometry();
        let points = self.history.forbidden(&self.position, self.to_move());
        let named = points.into_iter().map(|(point, why)| {
            let why = if why == MoveError::Suicide {
                "suicide"
            } else {
                "superko"
            };
            json!({"point": geometry.vertex(point), "why": why})
        });
        serde_json::from_value(named.collect()).expect("points and reasons")
    }

    /// A snapshot says the same as the events before it.
    #[track_caller]
    pub fn check_snapshot(&self, snapshot: &Value) {
        let playing = self.state == "playing";
        let moves = (0..).zip(&self.moves).zip(&self.times);
        let moves = moves.map(|((turn, (color, vertex)), at)| {
            json!({"turn": turn as usize, "color": color, "point": vertex, "at": at})
        });
        let requests = Color::BOTH.into_iter().filter_map(|by| *self.asks.get(by));
        let forbidden = if playing { self.forbidden() } else { Vec::new() };
        let expected = [
            ("seq", json!(self.seq())),
            ("state", json!(self.state)),
            ("turn", json!(self.turn())),
            ("to_move", json!(playing.then_some(self.to_move()))),
            ("captures", json!(self.captures)),
            ("moves", moves.collect()),
            ("forbidden", json!(forbidden)),
            ("requests_left", json!(self.asked.map(|asked| REQUESTS - asked))),
        ];
        for (name, value) in expected {
            assert_eq!(snapshot[name], value, "{name}");
        }
        let stones = json!(self.stones());
        for color in ["black", "white"] {
            assert_eq!(
                points(&snapshot["stones"][color]),
                points(&stones[color]),
                "{color}"
            );
        }
        let open = snapshot["requests"].as_array().into_iter().flatten();
        assert!(
            open.map(|request| request["kind"].clone())
                .eq(requests.map(|kind| json!(kind))),
            "{}",
            snapshot["requests"]
        );
    }

    /// A record tells the same moves, and they lead to the same position.
    #[track_caller]
    pub fn check_record(&self, record: &Record) {
        let geometry = record.board.geometry();
        let moves = record.moves.iter();
        let moves = moves.map(|each| (each.color, each.point.map(|point| geometry.vertex(point))));
        assert_eq!(moves.collect::<Vec<_>>(), self.moves);
        let replay = hoshi::record::replay(record, hoshi::record::Repetition::Forbidden).expect("a start");
        assert_eq!((replay.played, replay.illegal), (self.turn(), None));
        assert_eq!(
            (replay.position, replay.captures),
            (self.position.clone(), self.captures)
        );
        assert_eq!(record.result.is_some(), self.is_over());
    }
}
