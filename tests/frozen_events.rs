//! Events are stored for good, so their JSON is frozen: every line of `golden/events.jsonl` must be read by today's
//! code, make the same table, and be written again as it stands. A new kind of event or a new field gets new lines;
//! the old ones stay as they are.

use hoshi::game::{Event, EventKind, Scene, Table, Viewer};
use serde_json::{Value, json};

const STORED: &str = include_str!("golden/events.jsonl");

/// The tables of the file, each the events up to the next that opens one.
fn tables() -> Vec<Vec<Value>> {
    let mut tables: Vec<Vec<Value>> = Vec::new();
    for line in STORED
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let event: Value = serde_json::from_str(line).expect("JSON");
        match tables.last_mut() {
            Some(table) if event["kind"] != "opened" => table.push(event),
            _ => tables.push(vec![event]),
        }
    }
    tables
}

fn snapshot(events: &[Value]) -> Value {
    let events = events
        .iter()
        .map(|event| serde_json::from_value::<Event>(event.clone()).expect("an event"));
    let table = Table::replay(events).expect("replays");
    let scene = Scene {
        origin: "https://hoshi.test",
        spectators: 0,
    };
    serde_json::to_value(table.snapshot(&Viewer::default(), scene)).expect("serialises")
}

#[test]
fn every_stored_event_is_read_and_written_as_it_stands() {
    for event in tables().concat() {
        let read: Event = serde_json::from_value(event.clone()).expect("an event");
        assert_eq!(serde_json::to_value(read).expect("serialises"), event);
    }
}

#[test]
fn stored_tables_still_come_to_the_same_end() {
    let ends: Vec<Value> = tables()
        .iter()
        .map(|events| {
            let end = snapshot(events);
            json!([
                end["state"],
                end["turn"],
                end["result"]["sgf"],
                end["stones"]["black"],
                end["captures"]
            ])
        })
        .collect();
    let expected = json!([
        ["finished", 5, "B+73.5", ["B1", "A2"], {"black": 1, "white": 0}],
        ["finished", 1, "W+R", ["F6"], {"black": 0, "white": 0}],
        ["closed", 0, "Void", ["D4", "Q16"], {"black": 0, "white": 0}],
        ["finished", 3, "W+5.5", ["A2", "C3"], {"black": 0, "white": 0}],
        ["finished", 2, "W+T", ["E5"], {"black": 0, "white": 0}],
        ["finished", 2, "W+T", ["E5"], {"black": 0, "white": 0}],
        ["finished", 2, "W+T", ["E5"], {"black": 0, "white": 0}],
        ["finished", 2, "W+T", ["E5"], {"black": 0, "white": 0}],
        ["finished", 1, "W+R", ["F6"], {"black": 0, "white": 0}],
        ["finished", 2, "W+R", ["E5"], {"black": 0, "white": 0}],
        ["finished", 1, "B+R", ["E5"], {"black": 0, "white": 0}],
        ["finished", 6, "W+6.5", ["E5"], {"black": 0, "white": 0}],
        ["finished", 7, "W+0.5", ["A1", "C3", "G7"], {"black": 0, "white": 0}],
        ["finished", 4, "B+74.5", ["E5"], {"black": 0, "white": 0}],
        ["finished", 3, "B+R", ["F6", "H6"], {"black": 0, "white": 0}],
        ["finished", 3, "B+74.5", ["E5"], {"black": 0, "white": 0}],
        ["finished", 1, "0", ["E5"], {"black": 0, "white": 0}],
        ["finished", 1, "B+R", ["A2"], {"black": 0, "white": 0}],
        ["finished", 3, "W+6.5", ["E5"], {"black": 0, "white": 0}]
    ]);
    assert_eq!(Value::Array(ends), expected);
}

/// Names every kind of event: one that is new does not compile here before it has a name, and fails the test below before
/// it is frozen.
macro_rules! kinds {
    ($($kind:ident => $name:literal,)*) => {
        const KINDS: &[&str] = &[$($name),*];

        fn name_of(kind: &EventKind) -> &'static str {
            match kind {
                $(EventKind::$kind { .. } => $name,)*
            }
        }
    };
}

kinds! {
    Answered => "answered",
    Appealed => "appealed",
    Chat => "chat",
    ChatRemoved => "chat_removed",
    Closed => "closed",
    ComputerFailed => "computer_failed",
    Counting => "counting",
    Decided => "decided",
    Expired => "expired",
    Finished => "finished",
    Joined => "joined",
    Left => "left",
    Marked => "marked",
    Opened => "opened",
    Outage => "outage",
    Passed => "passed",
    Played => "played",
    Rematch => "rematch",
    RematchDeclined => "rematch_declined",
    RematchOffered => "rematch_offered",
    Renamed => "renamed",
    Requested => "requested",
    Resumed => "resumed",
    ScoreAccepted => "score_accepted",
    Started => "started",
    TakenBack => "taken_back",
    Withdrawn => "withdrawn",
}

#[test]
fn every_kind_of_event_is_frozen() {
    let stored = tables().concat();
    for kind in KINDS {
        assert!(
            stored.iter().any(|event| event["kind"] == *kind),
            "{kind} is not frozen"
        );
    }
    for event in stored {
        let read: Event = serde_json::from_value(event.clone()).expect("an event");
        assert_eq!(event["kind"], name_of(&read.kind));
    }
}
