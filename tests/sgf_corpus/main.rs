//! The SGF corpus that lies beside the project in `../shared/corpora/sgf`: every file of its `EXPECT.md`, and the values
//! of `expect.jsonl` and `forms.jsonl`. Where the corpus is not there, these tests say so and pass; the same kinds of
//! files are proved by our own in `golden_sgf.rs`.

mod meaning;
mod table;

use hoshi::record::{
    Imported, Record, RecordResult, Repetition, SgfError, SizeError, WinBy, read_komi, read_sgf,
    read_sgf_games, read_size, replay, write_sgf,
};
use hoshi::rules::{Board, Color, Point, Position};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::PathBuf;
use table::{
    Expected::{Read, ReadMany, Refused},
    FILES,
};

/// The bytes of a file of the corpus; `None`, with a word about it, where there is no corpus.
fn file(name: &str) -> Option<Vec<u8>> {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/corpora/sgf"));
    if !folder.is_dir() {
        println!("skipped: there is no {}", folder.display());
        return None;
    }
    let path = folder.join(name);
    Some(std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

fn first_game(name: &str) -> Option<Imported> {
    Some(read_sgf(&file(name)?).unwrap_or_else(|error| panic!("{name}: {error}")))
}

fn all_games(name: &str) -> Option<Vec<Result<Imported, SgfError>>> {
    Some(read_sgf_games(&file(name)?).unwrap_or_else(|error| panic!("{name}: {error}")))
}

fn json_lines(name: &str) -> Option<Vec<Value>> {
    let text = String::from_utf8(file(name)?).expect("UTF-8");
    Some(
        text.lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect(),
    )
}

fn place_name(board: Board, point: Option<Point>) -> String {
    point.map_or("pass".to_owned(), |point| {
        board.geometry().vertex(point).to_string()
    })
}

fn move_list(record: &Record) -> String {
    let moves = record.moves.iter();
    let moves = moves.map(|each| format!("{} {}", each.color.letter(), place_name(record.board, each.point)));
    moves.collect::<Vec<_>>().join(" ")
}

fn warning_list(imported: &Imported) -> String {
    let kinds = imported
        .warnings
        .iter()
        .map(|warning| format!("{:?}", warning.kind));
    kinds.collect::<Vec<_>>().join(" ")
}

/// Rows from the top, `X` black, `O` white, `.` empty.
fn diagram(position: &Position) -> Vec<String> {
    let geometry = position.geometry();
    let sign = |column, row| match geometry
        .point_at(column, row)
        .and_then(|point| position.stone(point))
    {
        Some(Color::Black) => 'X',
        Some(Color::White) => 'O',
        None => '.',
    };
    let row = |row| (1..=geometry.columns()).map(|column| sign(column, row)).collect();
    (1..=geometry.rows()).rev().map(row).collect()
}

#[test]
fn every_file_of_the_table_is_read_or_refused_as_expected() {
    for (name, expected) in &FILES {
        let Some(bytes) = file(name) else { return };
        match (read_sgf(&bytes), expected) {
            (Ok(imported), Read(moves, warnings)) => {
                assert_eq!(move_list(&imported.record), *moves, "{name}");
                assert_eq!(warning_list(&imported), *warnings, "{name}");
            }
            (Ok(imported), ReadMany(moves, warnings)) => {
                assert_eq!(imported.record.moves.len(), *moves, "{name}");
                assert_eq!(warning_list(&imported), *warnings, "{name}");
            }
            (Err(error), Refused(message)) => assert_eq!(error.to_string(), *message, "{name}"),
            (other, _) => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn the_table_has_every_file() {
    let Some(expect) = file("EXPECT.md") else { return };
    let expect = String::from_utf8(expect).expect("UTF-8");
    let first_cells = expect
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split(" |").next());
    let listed: BTreeSet<&str> = first_cells
        .filter(|cell| cell.ends_with(".sgf") && !cell.contains(' '))
        .collect();
    let known: BTreeSet<&str> = FILES.iter().map(|(name, _)| *name).collect();
    assert_eq!(listed, known);
}

#[test]
fn every_game_that_is_read_prints_and_reads_back() {
    for (name, _) in &FILES {
        let Some(bytes) = file(name) else { return };
        for imported in read_sgf_games(&bytes).unwrap_or_default().into_iter().flatten() {
            let printed = write_sgf(&imported.record);
            assert_eq!(
                read_sgf(printed.as_bytes()).expect("reads").record,
                imported.record,
                "{name}"
            );
        }
    }
}

#[test]
fn positions_and_captures_are_those_of_expect_jsonl() {
    let Some(lines) = json_lines("expect.jsonl") else {
        return;
    };
    assert!(!lines.is_empty());
    for line in lines {
        let name = line["file"].as_str().expect("a name");
        let Some(Imported { record, .. }) = first_game(name) else {
            return;
        };
        let side = u64::from(record.board.side());
        assert_eq!(line["size"], serde_json::json!([side, side]), "{name}");
        if name != "kg-foxlike.sgf" {
            assert_eq!(
                record.komi.map(|komi| f64::from(komi.halves()) / 2.0),
                line["komi"].as_f64(),
                "{name}"
            );
        }
        if let Some(handicap) = line["handicap"].as_u64() {
            assert_eq!(u64::from(record.handicap), handicap, "{name}");
        }
        assert_eq!(setup_of(&record), expected_setup(&line), "{name}");
        let moves = line["moves"].as_array().expect("moves").iter();
        let moves = moves.map(|each| {
            format!(
                "{} {}",
                each[0].as_str().expect("B or W"),
                each[1].as_str().expect("a point")
            )
        });
        assert_eq!(move_list(&record), moves.collect::<Vec<_>>().join(" "), "{name}");
        check_replay(name, &record, &line);
    }
}

fn setup_of(record: &Record) -> BTreeSet<String> {
    let of = |color| record.setup.get(color).iter().map(move |&point| (color, point));
    let stones = Color::BOTH.into_iter().flat_map(of);
    stones
        .map(|(color, point)| format!("{} {}", color.letter(), place_name(record.board, Some(point))))
        .collect()
}

fn expected_setup(line: &Value) -> BTreeSet<String> {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let black = line["setup_black"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|point| format!("B {}", text(point)));
    let both = line["setup"].as_array().into_iter().flatten();
    black
        .chain(both.map(|stone| format!("{} {}", text(&stone[0]), text(&stone[1]))))
        .collect()
}

fn check_replay(name: &str, record: &Record, line: &Value) {
    if let Some(illegal) = line["illegal"].as_array() {
        let played = replay(record, Repetition::Forbidden).expect("a position");
        let first = played.illegal.unwrap_or_else(|| panic!("{name}: all legal"));
        assert_eq!(Some(first.number as u64), illegal[0][0].as_u64(), "{name}");
        let reason = format!("{:?}", first.error).to_lowercase();
        assert!(
            reason.contains(illegal[0][1].as_str().expect("a reason")),
            "{name}: {reason}"
        );
        return;
    }
    let played = replay(record, Repetition::Noted).expect("a position");
    assert_eq!(
        (played.illegal, played.played),
        (None, record.moves.len()),
        "{name}"
    );
    assert_eq!(
        serde_json::json!(diagram(&played.position)),
        line["final"],
        "{name}"
    );
    assert_eq!(
        Some(u64::from(played.captures.black)),
        line["captures"]["B"].as_u64(),
        "{name}"
    );
    assert_eq!(
        Some(u64::from(played.captures.white)),
        line["captures"]["W"].as_u64(),
        "{name}"
    );
    if let Some(repeats) = line["board_repeats_at"].as_array() {
        assert_eq!(
            serde_json::json!(played.repetitions),
            serde_json::json!(repeats),
            "{name}"
        );
    }
}

#[test]
fn single_values_read_as_in_forms_jsonl() {
    let Some(lines) = json_lines("forms.jsonl") else {
        return;
    };
    for line in lines {
        let (value, expected) = (line["value"].as_str().expect("a value"), &line["expect"]);
        match line["prop"].as_str() {
            Some("RE") => {
                assert_eq!(
                    value.parse().map(describe).as_deref(),
                    Ok(expected.as_str().expect("a text")),
                    "{value}"
                );
            }
            Some("KM") => check_komi(value, expected),
            Some("SZ") => check_size(value, expected),
            other => panic!("no such property: {other:?}"),
        }
    }
}

fn describe(result: RecordResult) -> String {
    let (winner, by) = match result {
        RecordResult::Win { winner, by } => (winner.letter(), by),
        RecordResult::Draw => return "draw".to_owned(),
        RecordResult::Void => return "void".to_owned(),
        RecordResult::Unknown => return "unknown".to_owned(),
    };
    let how = match by {
        WinBy::Resignation => "resign".to_owned(),
        WinBy::Time => "time".to_owned(),
        WinBy::Forfeit => "forfeit".to_owned(),
        WinBy::Unstated => "unstated".to_owned(),
        WinBy::Points(_) | WinBy::FinePoints { .. } => by.to_string(),
    };
    format!("{winner} {how}")
}

fn check_komi(value: &str, expected: &Value) {
    let komi = read_komi(value)
        .ok()
        .map(|reading| f64::from(reading.value.halves()) / 2.0);
    match expected.as_str() {
        Some("refuse") => assert_eq!(komi, None, "{value:?}"),
        Some("7.5 or refuse") => assert_eq!(komi, Some(7.5), "{value:?}"),
        Some(other) => panic!("no such expectation: {other}"),
        None => assert_eq!(komi, expected.as_f64(), "{value:?}"),
    }
}

fn check_size(value: &str, expected: &Value) {
    let size = match read_size(value) {
        Ok(board) => serde_json::json!([board.side(), board.side()]),
        Err(SizeError::Rectangular { columns, rows }) => serde_json::json!([columns, rows]),
        Err(_) => Value::from("refuse"),
    };
    let allowed = match expected.as_str() {
        Some("19 or refuse") => vec![serde_json::json!([19, 19]), Value::from("refuse")],
        _ => vec![expected.clone()],
    };
    assert!(allowed.contains(&size), "{value:?}: {size}");
}
