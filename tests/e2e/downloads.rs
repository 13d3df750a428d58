//! A game's record: SGF that anybody may download who may see the game, at any time (T12, TRAPS 23 and 24).

use crate::harness::{Client, Game, Guest, server};
use hoshi::record::{Record, read_sgf};
use hoshi::rules::{Color, HalfPoints};
use serde_json::json;

/// A table's record, as its text and as our own reader reads it.
#[track_caller]
pub fn download(client: &Client, table: &str) -> (String, Record) {
    let answer = client.get(&format!("/api/v1/tables/{table}/sgf"));
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(
        answer.header("content-type"),
        Some("application/x-go-sgf; charset=utf-8")
    );
    let named = format!("attachment; filename=\"hoshi-{table}.sgf\"");
    assert_eq!(answer.header("content-disposition"), Some(named.as_str()));
    let imported = read_sgf(answer.body.as_bytes()).expect("a record");
    assert!(
        imported.warnings.is_empty(),
        "{:?}: {}",
        imported.warnings,
        answer.body
    );
    (answer.body, imported.record)
}

/// The moves of a record: `B D4`, `W pass`.
fn moves(record: &Record) -> Vec<String> {
    let geometry = record.board.geometry();
    let name = |each: &hoshi::record::RecordMove| match each.point {
        Some(point) => format!("{} {}", each.color.letter(), geometry.vertex(point)),
        None => format!("{} pass", each.color.letter()),
    };
    record.moves.iter().map(name).collect()
}

#[test]
fn t12_a_record_tells_the_game() {
    let game = Game::start(
        server(),
        &json!({"ruleset": "baduk", "board": "9x9", "komi": 7.5}),
    );
    let nobody = Client::new(server());
    game.play(0, "E5 D4 pass");
    let (text, running) = download(&nobody, &game.table);
    assert_eq!(moves(&running), ["B E5", "W D4", "B pass"]);
    assert_eq!(running.result, None);
    for part in [
        "GM[1]",
        "FF[4]",
        "CA[UTF-8]",
        "SZ[9]",
        "KM[7.5]",
        ";B[ee]",
        ";W[df]",
        ";B[]",
        "PB[Kuro]",
        "PW[Shiro]",
    ] {
        assert!(text.contains(part), "no {part} in {text}");
    }
    for part in ["HA[", "AB[", "RE["] {
        assert!(!text.contains(part), "{part} in {text}");
    }
    game.play(3, "pass");
    let sgf = game.result()["sgf"].as_str().expect("a result").to_owned();
    let (text, over) = download(&nobody, &game.table);
    assert!(text.contains(&format!("RE[{sgf}]")), "{text}");
    assert_eq!(over.result.map(|result| result.to_string()), Some(sgf));
    assert_eq!(over.komi, Some(HalfPoints::from_halves(15)));
    assert_eq!(moves(&over), ["B E5", "W D4", "B pass", "W pass"]);
}

#[test]
fn traps_23_names_cannot_break_a_record() {
    let (aki, ben) = (
        Guest::new(server(), "a[3k]\\"),
        Guest::new(server(), "x]\\;B[aa]"),
    );
    let made = aki.create_table(&json!({"ruleset": "baduk", "board": "9x9", "color": "black"}));
    let table = made["id"].as_str().expect("an id");
    let (_, waiting) = download(&aki, table);
    assert_eq!(moves(&waiting), [""; 0]);
    ben.join(table);
    aki.play(table, "E5", 0).ok(200);
    let (_, record) = download(&aki, table);
    assert_eq!(record.players.black.name.as_deref(), Some("a[3k]\\"));
    assert_eq!(record.players.white.name.as_deref(), Some("x]\\;B[aa]"));
    assert_eq!(moves(&record), ["B E5"]);
}

#[test]
fn traps_23_stones_that_are_set_up_are_no_moves() {
    let game = Game::start(
        server(),
        &json!({"ruleset": "baduk", "board": "19x19", "handicap": 3}),
    );
    game.white.play(&game.table, "K10", 0).ok(200);
    game.black.pass(&game.table, 1).ok(200);
    let (text, record) = download(&game.black, &game.table);
    assert!(text.contains("HA[3]") && text.contains("KM[0.5]"), "{text}");
    assert_eq!(
        (
            record.handicap,
            record.setup.black.len(),
            record.setup.white.len()
        ),
        (3, 3, 0)
    );
    assert_eq!(record.first, Color::White);
    assert_eq!(moves(&record), ["W K10", "B pass"]);
}

#[test]
fn traps_24_a_hexagonal_record_does_not_claim_to_be_square() {
    let game = Game::start(server(), &json!({"ruleset": "hex", "board": "hex8"}));
    game.play(0, "H8 A8 pass O8 pass pass");
    let (text, record) = download(&game.white, &game.table);
    assert!(!text.contains("SZ["), "{text}");
    assert_eq!(record.board.to_string(), "hex8");
    assert_eq!(
        moves(&record),
        ["B H8", "W A8", "B pass", "W O8", "B pass", "W pass"]
    );
}
