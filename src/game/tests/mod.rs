//! The table's state machine: stories told by plain function calls.

mod agreement;
mod appealing;
mod assessments;
mod chatting;
mod clocks;
mod commands;
mod computers;
mod endings;
mod fifth;
mod golden;
mod limits;
mod names;
mod opening_stones;
mod pass_stones;
mod records;
mod rematches;
mod replaying;
mod requests;
mod seats;
mod views;

use super::*;
use crate::clock::Timestamp;
use crate::rules::{Color, PerColor, Vertex};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A table under test, with its stored events and a clock that stands at one second a step.
pub(super) struct Game {
    pub table: Table,
    pub events: Vec<Event>,
    pub now: i64,
}

pub(super) fn player(number: u8) -> Player {
    let id = PlayerId::from_seed([number; 16]);
    Player {
        id,
        name: format!("player {number}"),
        kind: PlayerKind::Guest,
        ratings: BTreeMap::new(),
    }
}

/// The creator, who asks for a color himself in most tests.
pub(super) const AKI: u8 = 1;
/// Who joins.
pub(super) const BO: u8 = 2;
/// Who only watches.
pub(super) const CHI: u8 = 3;

/// AKI has challenged BO, for the terms that want to know.
pub(super) struct Challenge([PlayerId; 2]);

impl Challenge {
    pub fn new() -> Challenge {
        Challenge([player(AKI).id, player(BO).id])
    }

    pub fn parties(&self) -> Parties<'_> {
        let [creator, challenged] = &self.0;
        Parties {
            creator,
            challenged: Some(challenged),
        }
    }

    /// AKI alone, who challenges nobody.
    pub fn alone(&self) -> Parties<'_> {
        Parties {
            challenged: None,
            ..self.parties()
        }
    }
}

impl Game {
    /// A waiting table of AKI's; without a clock, unless the terms ask for one. Where a name is asked for, AKI has
    /// challenged BO, if she does not play against the computer.
    pub fn waiting(mut terms: Value) -> Game {
        let fields = terms.as_object_mut().expect("an object");
        fields.entry("clock").or_insert(json!({"system": "none"}));
        let players = Challenge::new();
        let parties = match terms["opponent"]["kind"] == "computer" {
            true => players.alone(),
            false => players.parties(),
        };
        let asked = crate::wire::decode::<TermsRequest>(terms).expect("readable");
        Game::under(asked.grant(parties).expect("granted"))
    }

    /// A waiting table of AKI's under these terms; against the computer the game has begun.
    pub fn under(terms: Terms) -> Game {
        let new = NewTable {
            terms,
            creator: player(AKI),
            invite: InviteCode::new(TableId::from_seed([9; 16]), [5; 26]),
            draw: Color::White,
        };
        let events = open(new, Timestamp::from_millis(0));
        let table = Table::replay(events.clone()).expect("opens");
        Game {
            table,
            events,
            now: 0,
        }
    }

    /// A game in which AKI is Black and BO is White.
    pub fn started(terms: Value) -> Game {
        let mut terms = terms;
        terms["color"] = json!("black");
        Game::waiting(terms).joined()
    }

    /// The same table with BO at it. If the colors are for the draw, AKI is Black.
    pub fn joined(mut self) -> Game {
        let (player, draw) = (player(BO), Color::Black);
        self.take(Input::Join { player, draw }).expect("joins");
        self
    }

    /// A game of `aga` in which AKI is Black, on 9x9 if nothing else is asked for.
    pub fn aga(mut terms: Value) -> Game {
        let canadian =
            json!({"system": "canadian", "main_ms": 3_600_000, "period_ms": 300_000, "stones": 25});
        let fields = terms.as_object_mut().expect("an object");
        fields.insert("ruleset".to_owned(), json!("aga"));
        fields.entry("board").or_insert(json!("9x9"));
        fields.entry("clock").or_insert(canadian);
        Game::started(terms)
    }

    /// A game of `nine` in which AKI is Black.
    pub fn on_nine() -> Game {
        let clock = json!({"system": "per_move", "period_ms": 30_000});
        Game::waiting(json!({"ruleset": "nine", "clock": clock})).joined()
    }

    /// A game of `hex` in which AKI receives a handicap from BO.
    pub fn with_opening_stones(handicap: u8, mut terms: Value) -> Game {
        terms["ruleset"] = json!("hex");
        terms["handicap"] = json!(handicap);
        terms["handicap_receiver"] = json!(player(AKI).id);
        Game::waiting(terms).joined()
    }

    /// A 9x9 `baduk` game.
    pub fn baduk() -> Game {
        Game::started(json!({"ruleset": "baduk", "board": "9x9"}))
    }

    /// A 9x9 `baduk` game with a clock.
    pub fn timed(clock: Value) -> Game {
        Game::started(json!({"ruleset": "baduk", "board": "9x9", "clock": clock}))
    }

    /// Takes an input a second later, after whatever the time has brought until then. Returns the events that it brings
    /// itself.
    pub fn take(&mut self, input: Input) -> Result<Vec<Event>, Refusal> {
        self.wait(self.now + 1000);
        match step(&self.table, input, Timestamp::from_millis(self.now))? {
            Outcome::Events(events) => {
                for event in &events {
                    self.table.apply(event).expect("follows");
                }
                self.events.extend(events.clone());
                Ok(events)
            }
            Outcome::Repeated(seq) => panic!("repeats {seq:?}"),
        }
    }

    /// Lets it become `now`. Returns what the time alone brings.
    pub fn wait(&mut self, now: i64) -> Vec<Event> {
        self.now = now;
        let mut events = Vec::new();
        loop {
            let due = tick(&self.table, Timestamp::from_millis(now));
            if due.is_empty() {
                return events;
            }
            for event in due {
                self.table.apply(&event).expect("follows");
                self.events.push(event.clone());
                events.push(event);
            }
        }
    }

    pub fn command(&mut self, by: u8, command: Value) -> Result<Vec<Event>, Refusal> {
        self.take(input(by, command))
    }

    /// Plays moves in turn, beginning with whoever is to move: points, or `pass`.
    #[track_caller]
    pub fn play(&mut self, moves: &str) {
        for text in moves.split_whitespace() {
            let by = self.to_move();
            if let Err(refusal) = self.command(by, self.next_move(text)) {
                panic!("{text} is refused: {refusal}");
            }
        }
    }

    /// The refusal of the next move.
    #[track_caller]
    pub fn refused(&self, text: &str) -> Refusal {
        let now = Timestamp::from_millis(self.now);
        step(&self.table, input(self.to_move(), self.next_move(text)), now).expect_err("refused")
    }

    /// Lets an assessor say which chains are dead.
    pub fn assess(&mut self, dead: &[&str]) -> Vec<Event> {
        let geometry = self.table.position().geometry();
        let dead = dead
            .iter()
            .map(|name| geometry.point(name.parse().expect("a name")).expect("a point"));
        let verdict = Verdict {
            dead: dead.collect(),
            assessed_by: None,
        };
        self.take(Input::Assessed {
            turn: self.table.turn(),
            attempt: 1,
            verdict,
        })
        .expect("taken")
    }

    /// The result as a record writes it.
    pub fn result(&self) -> Option<&str> {
        self.table.result().map(|result| result.sgf.as_str())
    }

    pub fn to_move(&self) -> u8 {
        match self.table.to_move() {
            Color::Black => AKI,
            Color::White => BO,
        }
    }

    fn next_move(&self, text: &str) -> Value {
        match text {
            "pass" => json!({"type": "pass", "turn": self.table.turn()}),
            point => json!({"type": "play", "point": point, "turn": self.table.turn()}),
        }
    }

    pub fn snapshot(&self, viewer: &Viewer) -> Value {
        let scene = Scene {
            origin: "https://hoshi.test",
            spectators: 0,
        };
        serde_json::to_value(self.table.snapshot(viewer, scene)).expect("serialises")
    }
}

pub(super) fn input(by: u8, command: Value) -> Input {
    let message = CommandMessage::from_wire(command).expect("readable");
    let spare = Spare {
        id: [4; 16],
        invite: [3; 26],
    };
    Input::Command {
        by: player(by).id,
        message,
        spare,
    }
}

pub(super) fn viewer(number: u8) -> Viewer {
    Viewer {
        player: Some(player(number).id),
        invite: None,
        ..Viewer::default()
    }
}

pub(super) fn kinds(events: &[Event]) -> Vec<String> {
    let kind = |event: &Event| serde_json::to_value(event).expect("serialises")["kind"].clone();
    events
        .iter()
        .map(|event| kind(event).as_str().expect("a text").to_owned())
        .collect()
}
