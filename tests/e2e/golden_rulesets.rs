//! Two players with sockets play a game of each ruleset to its proper end: passes, marking, time that runs out, the count
//! (G1, G2, G8).

use crate::harness::{Client, Guest, Socket, server, wait_until};
use crate::scripts::{Script, Step, scripts};
use serde_json::{Value, json};

/// A game between two sockets.
struct Played {
    table: String,
    guests: [Guest; 2],
    sockets: [Socket; 2],
    turn: u32,
    version: Value,
}

/// Which of the two is Black or White.
fn index(black: bool) -> usize {
    usize::from(!black)
}

impl Played {
    fn start(script: &Script) -> Played {
        let (aki, bo) = (Guest::new(server(), "Aki"), Guest::new(server(), "Bo"));
        let table = aki.create_table(&script.terms)["id"]
            .as_str()
            .expect("an id")
            .to_owned();
        let seats = bo.join(&table)["seats"].clone();
        let guests = match seats["black"]["id"] == aki.id.as_str() {
            true => [aki, bo],
            false => [bo, aki],
        };
        let sockets = [0, 1].map(|each: usize| {
            let mut socket = guests[each].connect(&table);
            socket.wait_for("snapshot");
            socket
        });
        Played {
            table,
            guests,
            sockets,
            turn: 0,
            version: json!(0),
        }
    }

    /// A command that must stand; the opponent sees what it brings.
    #[track_caller]
    fn command(&mut self, black: bool, mut command: Value) {
        command["id"] = json!(self.turn);
        let (actor, other) = (index(black), index(!black));
        self.sockets[actor].send(&command);
        let answer = self.sockets[actor].wait_until("an answer", |frame| {
            frame["type"] == "ok" || frame["type"] == "refused"
        });
        assert_eq!(answer["type"], "ok", "{command} is refused: {answer}");
        self.see(other, &answer["seq"]);
    }

    /// Waits for the event with this number.
    #[track_caller]
    fn see(&mut self, who: usize, seq: &Value) {
        let newest = self.sockets[who].wait_until("the event", |frame| {
            frame["type"] == "event" && frame["seq"] == *seq
        });
        if let Some(version) = newest["marking"].get("version") {
            self.version = version.clone();
        }
    }

    #[track_caller]
    fn carry_out(&mut self, step: &Step, short_marking: bool) {
        match step {
            // The pass that may end the play asks for a short marking, which only a call over REST can.
            Step::Move {
                black: false,
                point: None,
            } if short_marking => {
                let hurried = self.guests[1].with("x-hoshi-fault", "short_marking");
                let seq = hurried.pass(&self.table, self.turn).ok(200)["seq"].clone();
                self.see(0, &seq);
                self.see(1, &seq);
                self.turn += 1;
            }
            Step::Move { black, .. } => {
                self.command(*black, step.at(self.turn).expect("a move"));
                self.turn += 1;
            }
            Step::Command { black, command } => {
                let mut command = command.clone();
                if command["type"] == "accept_score" {
                    command["marking"] = self.version.clone();
                }
                self.command(*black, command);
            }
            Step::TimeIsOver => {
                for socket in &mut self.sockets {
                    let resumed = socket.wait_for_event("resumed");
                    assert_eq!(
                        (&resumed["by"], &resumed["to_move"]),
                        (&Value::Null, &json!("black"))
                    );
                    assert_eq!(resumed["clock"]["running"], "black");
                }
            }
        }
    }
}

#[track_caller]
fn play(script: &Script) {
    let mut played = Played::start(script);
    let short_marking = script.steps.contains(&Step::TimeIsOver);
    for step in &script.steps {
        played.carry_out(step, short_marking);
    }
    wait_until("the game is over", || {
        played.guests[0].snapshot(&played.table)["state"] == "finished"
    });
    let over = played.guests[0].snapshot(&played.table);
    let (result, score) = (&over["result"], &over["result"]["score"]);
    assert_eq!(result["sgf"], script.sgf.as_str(), "{}: {result}", script.id);
    let [black, white] = script.score;
    assert_eq!(
        (score["black"].as_f64(), score["white"].as_f64()),
        (Some(black), Some(white))
    );
    let sgf = Client::new(server()).get(&format!("/api/v1/tables/{}/sgf", played.table));
    assert!(sgf.body.contains(&format!("RE[{}]", script.sgf)), "{}", sgf.body);
}

/// Plays every golden game of a ruleset that can be played without a challenge.
#[track_caller]
fn play_all_of(ruleset: &str) {
    let all = scripts().into_iter();
    let own: Vec<Script> = all
        .filter(|script| script.ruleset == ruleset && !script.black_receives)
        .collect();
    assert!(!own.is_empty(), "no game of {ruleset}");
    own.iter().for_each(play);
}

#[test]
fn h1_baduk_with_set_up_stones_to_its_count() {
    play_all_of("baduk");
}

#[test]
fn g1_hexagonal_go_to_its_count() {
    play_all_of("hex");
}

#[test]
fn g8_aga_with_a_disagreement_that_ends_by_time_and_a_second_ending() {
    play_all_of("aga");
}

#[test]
fn traps_7_nine_to_a_jigo() {
    play_all_of("nine");
}
