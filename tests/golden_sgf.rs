//! Our own SGF records in `tests/golden/sgf`: read, replayed, refused and printed. Sources and licence: its `README.md`.

use hoshi::record::{Imported, Repetition, Replay, read_sgf, replay, write_sgf};
use hoshi::rules::{Color, PerColor};
use std::path::PathBuf;

fn golden(name: &str) -> Vec<u8> {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/sgf")).join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn read(name: &str) -> Imported {
    read_sgf(&golden(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn replayed(name: &str, repetition: Repetition) -> Replay {
    replay(&read(name).record, repetition).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Moves as `B E5 W pass`, then the warnings in words.
#[track_caller]
fn check(name: &str, moves: &str, warnings: &[&str]) {
    let imported = read(name);
    let geometry = imported.record.board.geometry();
    let read = imported.record.moves.iter().map(|each| {
        let place = each
            .point
            .map_or("pass".to_owned(), |point| geometry.vertex(point).to_string());
        format!("{} {place}", each.color.letter())
    });
    assert_eq!(read.collect::<Vec<_>>().join(" "), moves);
    let told: Vec<String> = imported
        .warnings
        .iter()
        .map(|warning| warning.kind.to_string())
        .collect();
    assert_eq!(told, warnings);
}

#[track_caller]
fn check_refused(name: &str, message: &str) {
    let error = read_sgf(&golden(name)).expect_err("is refused");
    assert_eq!(error.to_string(), message);
}

#[test]
fn t12_what_is_printed_is_what_was_read() {
    let version = concat!("AP[Hoshi:", env!("CARGO_PKG_VERSION"), "]");
    for name in ["printed-square.sgf", "printed-hexagonal.sgf"] {
        let imported = read(name);
        assert_eq!(imported.warnings, [], "{name}");
        let printed = write_sgf(&imported.record).replace(version, "AP[Hoshi]");
        assert_eq!(printed, String::from_utf8(golden(name)).expect("UTF-8"), "{name}");
    }
}

#[test]
fn captures_are_made_and_passes_kept() {
    let moves = "B B9 W B8 B C9 W C8 B A8 W D9 B A7 W A6 B G3 W B7 B pass W A9 B A8 W A7 B pass W pass";
    check("captures.sgf", moves, &[]);
    let Replay {
        position,
        captures,
        illegal,
        ..
    } = replayed("captures.sgf", Repetition::Forbidden);
    assert_eq!((illegal, captures), (None, PerColor { black: 0, white: 5 }));
    let names = |color| {
        let stones = position
            .stones_of(color)
            .map(|point| position.geometry().vertex(point).to_string());
        stones.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names(Color::Black), "G3");
    assert_eq!(names(Color::White), "A6 A7 B7 B8 C8 A9 D9");
    let players = read("captures.sgf").record.players;
    assert_eq!(players.black.name.as_deref(), Some("Black ] one"));
    assert_eq!(players.white.name.as_deref(), Some("White \\ two"));
}

#[test]
fn handicap_stones_are_no_moves() {
    check("handicap.sgf", "W Q16 B pass W pass", &[]);
    let record = read("handicap.sgf").record;
    assert_eq!(
        (record.handicap, record.setup.black.len(), record.first),
        (3, 3, Color::White)
    );
}

#[test]
fn charsets_are_told_apart() {
    let names = |name: &str| {
        read(name)
            .record
            .players
            .map(|player| player.name.clone().unwrap_or_default())
    };
    let pair = |black: &str, white: &str| PerColor {
        black: black.to_owned(),
        white: white.to_owned(),
    };
    assert_eq!(names("shift-jis.sgf"), pair("表示", "十"));
    assert_eq!(names("latin1.sgf"), pair("Zoë", "Åke"));
    assert_eq!(names("utf8-bom.sgf"), pair("星", "🌟"));
}

#[test]
fn old_and_damaged_files_are_read_with_warnings() {
    check(
        "old-and-cut-off.sgf",
        "B G7 W pass B K4",
        &[
            "text around the game was skipped",
            "a property name is written with lower-case letters",
            "stray text within the game was skipped",
            "the file is cut off",
            "the value of KM is not in SGF's form",
            "there are spaces in the name of a point",
        ],
    );
    let record = read("old-and-cut-off.sgf").record;
    assert_eq!(record.moves[0].comment.as_deref(), Some("one\ntwo, still two"));
    assert_eq!(record.komi.map(|komi| komi.to_string()).as_deref(), Some("5.5"));
}

#[test]
fn of_variations_the_main_line_is_read() {
    check(
        "variations.sgf",
        "B E5 W C7 B G7 W C3",
        &["2 variations were left out"],
    );
}

#[test]
fn records_that_are_no_legal_games_are_flagged_and_kept() {
    check("occupied.sgf", "B E5 W E5 B C7", &[]);
    let occupied = replayed("occupied.sgf", Repetition::Forbidden);
    assert_eq!(
        occupied.illegal.map(|illegal| illegal.to_string()).as_deref(),
        Some("move 2: the point is occupied")
    );

    check("send-two-return-one.sgf", "W C1 B E1 W D1", &[]);
    let forbidden = replayed("send-two-return-one.sgf", Repetition::Forbidden);
    assert_eq!(
        (forbidden.played, forbidden.illegal.map(|illegal| illegal.number)),
        (2, Some(3))
    );
    let noted = replayed("send-two-return-one.sgf", Repetition::Noted);
    assert_eq!((noted.played, noted.repetitions), (3, vec![3]));
    assert_eq!(noted.captures, PerColor { black: 2, white: 1 });

    let cut = "stones are set up after move 2; the record was cut there";
    check("setup-in-mid-game.sgf", "B E5 W G3", &[cut]);
}

#[test]
fn what_cannot_be_played_here_is_refused() {
    check_refused(
        "not-go.sgf",
        "at byte 10: this is a record of another game than Go: Shogi",
    );
    check_refused("rectangular.sgf", "at byte 15: the board is not square but 9x7");
    check_refused("off-board.sgf", "at byte 73: move 2: \"ej\" is not on the board");
}
