//! A player's line to the server, which breaks all the time, and what came through it.

use super::dice::Dice;
use super::known::Known;
use crate::harness::{Guest, NoSocket, PATIENCE, Socket};
use hoshi::rules::Color;
use serde_json::{Value, json};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

/// How often a server that is away is tried again.
const POLL: Duration = Duration::from_millis(50);

/// A command that was acknowledged.
pub struct Noted {
    pub by: Color,
    pub command: Value,
    /// The newest event at the acknowledgement.
    pub upto: u64,
    /// The events that came with it.
    pub told: Vec<Value>,
}

/// What became of a command.
#[derive(Debug, PartialEq)]
pub enum Fate {
    Stands,
    /// It stood already.
    Repeated,
    /// Refused, with this code.
    Refused(String),
}

/// A player's device: it comes back whenever the line breaks, and sends again what was not answered.
pub struct Line {
    pub guest: Guest,
    pub table: String,
    pub color: Color,
    pub dice: Dice,
    pub known: Known,
    pub noted: Vec<Noted>,
    socket: Option<Socket>,
    /// The number of frames sent, as their names.
    sent: u64,
    /// Where acknowledgements are counted.
    counter: Sender<()>,
}

impl Line {
    pub fn new(guest: Guest, table: &str, color: Color, dice: Dice, counter: Sender<()>) -> Line {
        Line {
            guest,
            table: table.to_owned(),
            color,
            dice,
            known: Known::new(),
            noted: Vec::new(),
            socket: None,
            sent: 0,
            counter,
        }
    }

    /// Cuts the socket, if there is one.
    pub fn cut(&mut self) {
        if let Some(socket) = self.socket.take() {
            socket.cut();
        }
    }

    /// Sends a command until it is answered, and reads all that led to the answer. It carries the newest event seen, so
    /// that no copy of it can mean another game than it does.
    pub fn command(&mut self, mut command: Value) -> Fate {
        command["seq"] = json!(self.known.seq());
        self.repeat(&command)
    }

    /// Sends a command as it was sent before.
    pub fn repeat(&mut self, command: &Value) -> Fate {
        let deadline = Instant::now() + 2 * PATIENCE;
        loop {
            let answer = match self.dice.roll(3) {
                0 => self.by_rest(command),
                _ => self.by_socket(command),
            };
            if let Some(answer) = answer {
                return self.read_answer(command, &answer);
            }
            assert!(Instant::now() < deadline, "never answered: {command}");
        }
    }

    /// The answer over REST; `None` if the server was away.
    fn by_rest(&mut self, command: &Value) -> Option<Value> {
        let path = format!("/api/v1/tables/{}/commands", self.table);
        let sent = self
            .guest
            .try_send("POST", &path, Some(command.to_string().as_bytes()));
        let Some(answer) = sent.ok().filter(|answer| !is_away(answer.status, &answer.json)) else {
            std::thread::sleep(POLL);
            return None;
        };
        assert!([200, 409].contains(&answer.status), "{command}: {}", answer.body);
        Some(answer.json)
    }

    /// The answer over the socket; `None` if that broke before it came. Sometimes the frame is sent twice, sometimes
    /// the line is cut right behind a move, which may then arrive at any time.
    fn by_socket(&mut self, command: &Value) -> Option<Value> {
        let copies = if self.dice.once_in(10) { 2 } else { 1 };
        let cuts = self.dice.once_in(12) && command["turn"].is_u64() && command["kind"].is_null();
        self.connect();
        let ids: Vec<Value> = (0..copies).map(|copy| json!(self.sent + copy)).collect();
        self.sent += copies;
        let socket = self.socket.as_mut()?;
        for id in &ids {
            let mut frame = command.clone();
            frame["id"] = id.clone();
            socket.send(&frame);
        }
        if cuts {
            self.cut();
            return None;
        }
        let answers: Vec<Value> = ids.iter().map_while(|id| self.wait_for_answer(id)).collect();
        if let [first, second] = &answers[..]
            && first["type"] == "ok"
            && command["kind"].is_null()
        {
            let once_more = second["repeated"] == true || second["code"] == "wrong_state";
            assert!(once_more, "made twice: {command}: {second}");
        }
        let first = answers.into_iter().next()?;
        (first["code"] != "unavailable").then_some(first)
    }

    fn wait_for_answer(&mut self, id: &Value) -> Option<Value> {
        loop {
            let frame = self.read()?;
            if frame["id"] == *id {
                return Some(frame);
            }
        }
    }

    /// Notes what was acknowledged, and reads up to where the table stood then.
    fn read_answer(&mut self, command: &Value, answer: &Value) -> Fate {
        let upto = answer["seq"].as_u64().expect("where the table stands");
        self.catch_up(upto);
        if let Some(code) = answer["code"].as_str() {
            return Fate::Refused(code.to_owned());
        }
        let mut told = answer["events"].as_array().cloned().unwrap_or_default();
        told.extend(answer.get("event").cloned());
        self.noted.push(Noted {
            by: self.color,
            command: command.clone(),
            upto,
            told,
        });
        // Nobody counts any more once the last restart is over.
        let _ = self.counter.send(());
        match answer["repeated"] == true {
            true => Fate::Repeated,
            false => Fate::Stands,
        }
    }

    /// Reads until this event has come.
    pub fn catch_up(&mut self, seq: u64) {
        while self.known.seq() < seq {
            self.wait();
        }
    }

    /// Waits for the next frame, on a socket that is opened for it if need be; or does not, if its opening has brought
    /// something already.
    pub fn wait(&mut self) {
        let before = self.known.seq();
        self.connect();
        if self.known.seq() == before {
            self.read();
        }
    }

    /// Makes sure that nothing more is on its way.
    pub fn fence(&mut self) {
        loop {
            self.connect();
            let Some(socket) = self.socket.as_mut() else {
                continue;
            };
            socket.send(&json!({"type": "time"}));
            while let Some(frame) = self.read() {
                if frame["type"] == "time" {
                    return;
                }
            }
        }
    }

    /// The next frame; an event is taken. `None` if the socket is closed, which then is gone.
    fn read(&mut self) -> Option<Value> {
        let frame = self.socket.as_mut()?.read();
        let Some(mut frame) = frame else {
            self.socket = None;
            return None;
        };
        if frame["type"] == "event" {
            frame.as_object_mut()?.remove("type");
            self.known.take(frame.clone());
        }
        Some(frame)
    }

    /// Opens the socket if it is gone: mostly with the last event seen, sometimes as one who has just come.
    fn connect(&mut self) {
        let deadline = Instant::now() + 2 * PATIENCE;
        while self.socket.is_none() {
            let afresh = self.dice.once_in(5);
            let query = match afresh {
                true => String::new(),
                false => format!("?since={}", self.known.seq()),
            };
            let path = format!("/api/v1/tables/{}/socket{query}", self.table);
            match self.guest.reach(&path) {
                Ok(socket) => self.socket = Some(socket),
                Err(NoSocket::Refused(answer)) if !is_away(answer.status, &answer.json) => {
                    panic!("{query}: {}", answer.body);
                }
                Err(_) => std::thread::sleep(POLL),
            }
            if afresh && self.socket.is_some() && self.begin_with_snapshot().is_none() {
                self.socket = None;
            }
            assert!(Instant::now() < deadline, "the server did not come back");
        }
    }

    /// Begins with a snapshot, and asks for the events that led to it. `None` if the server went away meanwhile.
    fn begin_with_snapshot(&mut self) -> Option<()> {
        let snapshot = self.read()?;
        assert_eq!(snapshot["type"], "snapshot");
        let seq = snapshot["seq"].as_u64()?;
        let path = format!("/api/v1/tables/{}/events?since={}", self.table, self.known.seq());
        let answer = self.guest.try_send("GET", &path, None).ok()?;
        if is_away(answer.status, &answer.json) {
            return None;
        }
        let answer = answer.ok(200);
        for event in answer["events"].as_array()? {
            if self.known.seq() < seq {
                self.known.take(event.clone());
            }
        }
        self.known.check_snapshot(&snapshot);
        Some(())
    }
}

/// Whether nobody of ours has answered, or he could not.
fn is_away(status: u16, body: &Value) -> bool {
    status >= 500 && (body["code"].is_null() || body["code"] == "unavailable")
}
