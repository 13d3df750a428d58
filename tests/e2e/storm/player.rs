//! A scripted player who behaves as badly as clients can: everything twice, too late, out of turn.

use super::known::{Known, REQUESTS};
use super::line::{Fate, Line, Noted};
use hoshi::rules::{Color, MoveError, Point};
use hoshi::ruleset::RequestKind;
use serde_json::{Value, json};

/// The moves after which a game comes to its end.
pub const LENGTH: usize = 48;

/// How a game ends.
#[derive(Clone, Copy, Debug)]
pub enum End {
    /// Both pass.
    Passes,
    /// Black resigns.
    Resignation,
    /// Black asks to score.
    Score,
    /// It does not: it stays as it is.
    Never,
}

/// One of the two players of a game.
pub struct Player {
    line: Line,
    end: End,
    /// The player's moves as he sent them, oldest first; those that were taken back, too.
    moves: Vec<Value>,
    /// How many columns and rows are played on: on few, there is much to capture and to repeat.
    span: u8,
}

impl Player {
    pub fn new(line: Line, end: End, span: u8) -> Player {
        Player {
            line,
            end,
            moves: Vec::new(),
            span,
        }
    }

    /// Plays the game to its end.
    pub fn play(mut self) -> Player {
        while !self.known().is_over() && self.known().turn() < LENGTH {
            if self.line.dice.once_in(15) {
                self.line.cut();
            }
            if let Some(kind) = self.asked()
                && !self.line.dice.once_in(3)
            {
                // A game that is counted now would be over too early.
                let accept = kind == RequestKind::Takeback && self.line.dice.once_in(2);
                self.answer(kind, accept);
            } else if self.known().to_move() == self.color() {
                self.make_a_move();
            } else if self.line.dice.once_in(2) {
                self.misbehave();
            } else {
                self.line.wait();
            }
        }
        self.finish();
        self
    }

    fn finish(&mut self) {
        let black = self.color() == Color::Black;
        while !self.known().is_over() {
            match self.end {
                End::Never => return,
                End::Passes if self.known().to_move() == self.color() => self.pass(),
                End::Resignation if black => {
                    self.line.command(json!({"type": "resign"}));
                }
                End::Score if black && self.known().asks.black.is_none() => self.request(RequestKind::Score),
                End::Score if !black && self.asked().is_some() => self.answer(RequestKind::Score, true),
                End::Passes | End::Resignation | End::Score => self.line.wait(),
            }
        }
    }

    /// The game as its player knows it.
    pub fn known(&self) -> &Known {
        &self.line.known
    }

    /// The commands that were acknowledged.
    pub fn noted(&self) -> &[Noted] {
        &self.line.noted
    }

    /// Reads all that there is to read, up to an event that is known to be there.
    pub fn catch_up(&mut self, seq: u64) {
        self.line.catch_up(seq);
        self.line.fence();
    }

    fn color(&self) -> Color {
        self.line.color
    }

    /// What the opponent asks for.
    fn asked(&self) -> Option<RequestKind> {
        *self.known().asks.get(self.color().opponent())
    }

    /// Any move but a second pass: mostly a stone on an empty point, now and then on any point at all. The server must
    /// say what the engine says.
    fn make_a_move(&mut self) {
        if self.line.dice.once_in(20) && !self.known().was_passed() {
            return self.pass();
        }
        let known = &self.line.known;
        let geometry = known.position.geometry();
        let points: Vec<Point> = match self.line.dice.once_in(8) {
            true => known.position.points().collect(),
            false => {
                let near = |point: &Point| {
                    let vertex = geometry.vertex(*point);
                    vertex.column() <= self.span && vertex.row() <= self.span
                };
                let empty = known
                    .position
                    .points()
                    .filter(|&point| known.position.stone(point).is_none());
                empty.filter(near).collect()
            }
        };
        if points.is_empty() {
            return;
        }
        let point = self.line.dice.pick(&points);
        let expected = match known.legal(point) {
            Ok(()) => None,
            Err(MoveError::Occupied) => Some("occupied"),
            Err(MoveError::Suicide) => Some("suicide"),
            Err(MoveError::Superko) => Some("superko"),
        };
        let turn = known.turn();
        let fate = self.send_move(json!({"type": "play", "point": geometry.vertex(point), "turn": turn}));
        match expected {
            // Only an end can come in between: the opponent resigns after this very move, whose answer was lost.
            None => refused_as(&fate, &[]),
            Some(code) => assert_eq!(fate, Fate::Refused(code.to_owned())),
        }
    }

    fn pass(&mut self) {
        let turn = self.known().turn();
        self.send_move(json!({"type": "pass", "turn": turn}));
    }

    fn send_move(&mut self, mut command: Value) -> Fate {
        command["seq"] = json!(self.known().seq());
        let fate = self.line.repeat(&command);
        if matches!(fate, Fate::Stands | Fate::Repeated) {
            self.moves.push(command);
        }
        fate
    }

    fn answer(&mut self, kind: RequestKind, accept: bool) {
        let turn = self.known().turn();
        let fate = self
            .line
            .command(json!({"type": "answer", "kind": kind, "accept": accept, "turn": turn}));
        // The request may be void meanwhile, or a copy of the answer came first.
        refused_as(&fate, &["no_request", "stale_turn"]);
    }

    fn request(&mut self, kind: RequestKind) {
        let turn = self.known().turn();
        let fate = self
            .line
            .command(json!({"type": "request", "kind": kind, "turn": turn}));
        refused_as(&fate, &["request_open", "stale_turn"]);
    }

    /// Something that the opponent's turn is not for.
    fn misbehave(&mut self) {
        let turn = self.known().turn();
        match self.line.dice.roll(6) {
            0 | 1 => self.send_the_last_move_again(),
            2 => self.send_an_old_command(),
            3 => {
                let fate = self
                    .line
                    .command(json!({"type": "play", "point": "J9", "turn": turn}));
                assert!(matches!(fate, Fate::Refused(_)), "out of turn: {fate:?}");
                refused_as(&fate, &["not_your_turn", "stale_turn"]);
            }
            4 => self.ask(),
            _ => {
                let asks = *self.known().asks.get(self.color());
                if let Some(kind) = asks {
                    let fate = self
                        .line
                        .command(json!({"type": "withdraw", "kind": kind, "turn": turn}));
                    refused_as(&fate, &["no_request", "stale_turn"]);
                }
            }
        }
    }

    /// A move that stands is repeated without effect; one that was taken back is not made again.
    fn send_the_last_move_again(&mut self) {
        let Some(last) = self.moves.last().cloned() else {
            return;
        };
        let stood = last["turn"]
            .as_u64()
            .is_some_and(|turn| turn + 1 == self.known().turn() as u64);
        let before = self.known().turn();
        let fate = self.line.repeat(&last);
        if fate == Fate::Repeated {
            return;
        }
        assert!(matches!(fate, Fate::Refused(_)), "made twice: {last}");
        refused_as(&fate, &["stale_turn"]);
        // Only a takeback can have come in between, or the end.
        let overtaken = self.known().turn() < before || self.known().is_over();
        assert!(!stood || overtaken, "not taken for a repeat: {last}");
    }

    /// What was meant for an old turn is refused, be it a copy that comes late or not.
    fn send_an_old_command(&mut self) {
        let turn = self.known().turn();
        let copy = self.moves.iter().rev().nth(1).cloned();
        let fate = match copy {
            Some(copy) if self.line.dice.once_in(2) => self.line.repeat(&copy),
            _ if turn > 1 => {
                let old = self.line.dice.roll(turn - 1);
                self.line
                    .command(json!({"type": "play", "point": "J1", "turn": old}))
            }
            _ => return,
        };
        if fate == Fate::Repeated {
            // His last move again, after another that was taken back.
            return;
        }
        assert!(matches!(fate, Fate::Refused(_)), "made late: {fate:?}");
        refused_as(&fate, &["stale_turn"]);
    }

    /// Asks for something that may be asked, leaving enough requests for the end.
    fn ask(&mut self) {
        let known = self.known();
        let free = known.asks.get(self.color()).is_none() && *known.asked.get(self.color()) + 3 < REQUESTS;
        let moved = known
            .moves
            .last()
            .is_some_and(|(color, _)| *color == self.color());
        // White never asks to score: both asking at once would be an acceptance.
        let score = self.color() == Color::Black && self.line.dice.once_in(3);
        match (free, score, moved) {
            (true, true, _) => self.request(RequestKind::Score),
            (true, false, true) => self.request(RequestKind::Takeback),
            _ => {}
        }
    }
}

/// A command that is refused is so for one of these reasons.
#[track_caller]
fn refused_as(fate: &Fate, codes: &[&str]) {
    if let Fate::Refused(code) = fate {
        // The opponent may have ended the game meanwhile.
        let ended = code == "wrong_state";
        assert!(ended || codes.contains(&code.as_str()), "refused as {code}");
    }
}
