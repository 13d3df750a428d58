//! What broke other programs that read and write records (TRAPS 23, 24, 25).

use super::{Imported, Record, RecordMove, RecordPlayer, Repetition, read_sgf, replay, write_sgf};
use crate::rules::{Board, Color, HalfPoints};

#[track_caller]
fn read(text: &str) -> Imported {
    read_sgf(text.as_bytes()).unwrap_or_else(|error| panic!("{text:?}: {error}"))
}

/// The moves as names; `-` is a pass.
fn moves(record: &Record) -> String {
    let geometry = record.board.geometry();
    let name = |each: &RecordMove| {
        each.point
            .map_or("-".to_owned(), |point| geometry.vertex(point).to_string())
    };
    record.moves.iter().map(name).collect::<Vec<_>>().join(" ")
}

#[test]
fn traps_23_brackets_and_backslashes_in_names_and_talk_survive() {
    let mut record = Record::new("9x9".parse().expect("a board"));
    record.players.black = RecordPlayer {
        name: Some("a[3k]\\".to_owned()),
        rank: None,
    };
    record.moves.push(RecordMove {
        comment: Some("x]\\;B[aa]".to_owned()),
        ..RecordMove::new(Color::Black, None)
    });
    let written = write_sgf(&record);
    assert!(written.contains(";B[]"), "{written}");
    assert_eq!(read(&written).record, record);
}

#[test]
fn traps_24_a_hexagonal_record_is_read_back_and_is_no_square_one() {
    let board: Board = "hex6".parse().expect("a board");
    let geometry = board.geometry();
    let mut record = Record::new(board);
    for (point, color) in geometry.points().zip(Color::BOTH.into_iter().cycle()) {
        record.moves.push(RecordMove::new(color, Some(point)));
    }
    let written = write_sgf(&record);
    assert!(
        written.contains("HEXSIZE[6]") && !written.contains("SZ["),
        "{written}"
    );
    let imported = read(&written);
    assert_eq!((imported.warnings.len(), imported.record), (0, record));
}

#[test]
fn traps_25_line_ends_and_byte_order_marks_of_other_systems_are_read() {
    for text in [
        "(;GM[1]\r\nSZ[9]\r\n;B[ee]\r\n;W[]\r\n)",
        "\u{feff}(;GM[1]SZ[9];B[ee];W[])",
        "(;GM[1]SZ[9]\r;B[ee]\r;W[])",
    ] {
        assert_eq!(moves(&read(text).record), "E5 -", "{text:?}");
    }
}

#[test]
fn traps_25_a_rectangle_of_stones_is_read_as_all_of_them() {
    let record = read("(;SZ[9]AB[aa:cc])").record;
    let geometry = record.board.geometry();
    let names: Vec<String> = record
        .setup
        .black
        .iter()
        .map(|&point| geometry.vertex(point).to_string())
        .collect();
    assert_eq!(names, ["A7", "B7", "C7", "A8", "B8", "C8", "A9", "B9", "C9"]);
}

#[test]
fn traps_25_tt_is_a_pass_up_to_19x19_and_a_point_beyond() {
    assert_eq!(moves(&read("(;SZ[19];B[tt])").record), "-");
    assert_eq!(moves(&read("(;SZ[9];B[tt])").record), "-");
    assert_eq!(moves(&read("(;SZ[21];B[tt])").record), "U2");
}

#[test]
fn traps_25_old_names_of_properties_and_decimal_commas_are_read() {
    let record = read("(;GaMe[1]SiZe[9]KoMi[7,5];Black[ee];White[])").record;
    assert_eq!(
        (record.board.to_string().as_str(), moves(&record).as_str()),
        ("9x9", "E5 -")
    );
    assert_eq!(record.komi, Some(HalfPoints::from_halves(15)));
}

#[test]
fn traps_25_a_file_that_is_cut_off_is_read_as_far_as_it_goes_or_refused() {
    let whole = "(;GM[1]SZ[9]PB[Aki];B[ee];W[dd]C[a word];B[])";
    // By the number of characters from which on it is there, what has been played.
    let played = [
        ("(;", ""),
        ("B[ee]", "E5"),
        ("W[dd]", "E5 D6"),
        (";B[]", "E5 D6 -"),
    ];
    let played = played.map(|(text, moves)| {
        let start = whole.rfind(text).expect("a part of the whole");
        (start + text.len(), moves)
    });
    for end in 0..=whole.len() {
        let read = read_sgf(&whole.as_bytes()[..end]).map(|imported| moves(&imported.record));
        let expected = played.iter().rev().find(|(from, _)| end >= *from);
        assert_eq!(
            read.ok().as_deref(),
            expected.map(|&(_, moves)| moves),
            "{}",
            &whole[..end]
        );
    }
}

#[test]
fn traps_25_five_thousand_nodes_are_no_depth() {
    let passes = ";B[];W[]".repeat(2500);
    let record = read(&format!("(;SZ[9]{passes})")).record;
    assert_eq!(record.moves.len(), 5000);
    let replayed = replay(&record, Repetition::Forbidden).expect("a start");
    assert_eq!(replayed.played, 5000);
    // As deep in brackets, which is the same main line.
    let nested = format!("{}{}", "(;B[]".repeat(5000), ")".repeat(5000));
    assert_eq!(read(&nested).record.moves.len(), 5000);
}
