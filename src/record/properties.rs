//! What holds of every record: printing loses nothing, and reading never panics.

use super::*;
use crate::rules::{Board, Color, HalfPoints, PerColor, Point};
use proptest::prelude::*;
use std::time::Duration;

fn boards() -> impl Strategy<Value = Board> {
    let square = (5_u8..=25).prop_filter_map("a square", Board::square);
    let hexagonal = (2_u8..=12).prop_filter_map("a hexagon", Board::hexagonal);
    prop_oneof![square, hexagonal]
}

fn colors() -> impl Strategy<Value = Color> {
    prop_oneof![Just(Color::Black), Just(Color::White)]
}

/// One line, rich in what needs escapes.
fn line() -> impl Strategy<Value = Option<String>> {
    proptest::option::of("(\\PC|\\]|\\\\|\\[|;){1,12}")
}

fn lines() -> impl Strategy<Value = Option<String>> {
    proptest::option::of("(\\PC|\\]|\\\\|\n|\\)){1,30}")
}

/// A time within a year.
fn time() -> impl Strategy<Value = Option<Duration>> {
    proptest::option::of((0_u64..31_000_000_000).prop_map(Duration::from_millis))
}

fn results() -> impl Strategy<Value = Option<RecordResult>> {
    let by = prop_oneof![
        (1_i32..2000).prop_map(|halves| WinBy::Points(HalfPoints::from_halves(halves))),
        (0_u32..2000, 1_u32..50).prop_map(|(halves, rest)| WinBy::FinePoints {
            hundredths: 50 * halves + rest
        }),
        Just(WinBy::Resignation),
        Just(WinBy::Time),
        Just(WinBy::Forfeit),
        Just(WinBy::Unstated),
    ];
    let result = prop_oneof![
        (colors(), by).prop_map(|(winner, by)| RecordResult::Win { winner, by }),
        Just(RecordResult::Draw),
        Just(RecordResult::Void),
        Just(RecordResult::Unknown),
    ];
    proptest::option::of(result)
}

/// For each point of the board whose stone or owner it is, if any.
fn owners(board: Board) -> impl Strategy<Value = PerColor<Vec<Point>>> {
    let points: Vec<Point> = board.geometry().points().collect();
    proptest::collection::vec(proptest::option::weighted(0.1, colors()), points.len()).prop_map(
        move |owners| {
            let of = |color| {
                points
                    .iter()
                    .zip(&owners)
                    .filter(move |(_, owner)| **owner == Some(color))
            };
            PerColor::from_fn(|color| of(color).map(|(point, _)| *point).collect())
        },
    )
}

fn moves(board: Board) -> impl Strategy<Value = Vec<RecordMove>> {
    let points: Vec<Point> = board.geometry().points().collect();
    let place = proptest::option::weighted(0.9, proptest::sample::select(points));
    let each = (
        colors(),
        place,
        time(),
        any::<Option<u16>>(),
        proptest::option::weighted(0.1, "(\\PC|\\]|\n){1,9}"),
    );
    let each = each.prop_map(|(color, point, time_left, moves_left, comment)| RecordMove {
        color,
        point,
        time_left,
        moves_left,
        comment,
    });
    proptest::collection::vec(each, 0..40)
}

fn players() -> impl Strategy<Value = PerColor<RecordPlayer>> {
    let player = || (line(), line()).prop_map(|(name, rank)| RecordPlayer { name, rank });
    (player(), player()).prop_map(|(black, white)| PerColor { black, white })
}

fn records() -> impl Strategy<Value = Record> {
    let dates = proptest::option::of((0_i64..200_000).prop_map(|days| days * 86_400_000));
    let handicaps = prop_oneof![Just(0_u8), 2_u8..];
    let about = (
        line(),
        proptest::option::of(-199_i32..=199),
        handicaps,
        players(),
        dates,
        results(),
    );
    let more = (line(), time(), line(), lines(), colors());
    (boards(), about, more).prop_flat_map(|(board, about, more)| {
        let (rules, komi, handicap, players, date, result) = about;
        let (place, main_time, overtime, comment, first) = more;
        (owners(board), owners(board), moves(board)).prop_map(move |(setup, territory, moves)| Record {
            board,
            rules: rules.clone(),
            komi: komi.map(HalfPoints::from_halves),
            handicap,
            players: PerColor {
                black: players.black.clone(),
                white: players.white.clone(),
            },
            date: date.and_then(CivilDate::from_unix_ms),
            place: place.clone(),
            main_time,
            overtime: overtime.clone(),
            result,
            setup,
            first,
            moves,
            comment: comment.clone(),
            territory,
        })
    })
}

/// A printed record with some bytes changed and the end cut off.
fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let bytes = prop_oneof![
        any::<u8>(),
        proptest::sample::select(b"()[];\\:BWCAKMSZ".as_slice())
    ];
    let changes = proptest::collection::vec((any::<proptest::sample::Index>(), bytes), 0..12);
    (records(), changes, any::<proptest::sample::Index>()).prop_map(|(record, changes, end)| {
        let mut text = write_sgf(&record).into_bytes();
        for (place, byte) in changes {
            let place = place.index(text.len());
            text[place] = byte;
        }
        text.truncate(text.len() / 2 + end.index(text.len()));
        text
    })
}

/// Reads and replays whatever it is.
fn exercise(bytes: &[u8]) {
    for read in [read_sgf(bytes)]
        .into_iter()
        .chain(read_sgf_games(bytes).unwrap_or_default())
    {
        match read {
            Ok(imported) => drop(replay(&imported.record, Repetition::Noted)),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

proptest! {
    #[test]
    fn prop_print_then_read_is_identity(record in records()) {
        let imported = read_sgf(write_sgf(&record).as_bytes()).expect("reads");
        prop_assert_eq!(&imported.record, &record);
        let of_the_game = |warning: &Warning| {
            matches!(warning.kind, WarningKind::HandicapStones(_) | WarningKind::NoPosition(_))
        };
        prop_assert!(imported.warnings.iter().all(of_the_game), "{:?}", imported.warnings);
    }

    #[test]
    fn prop_reading_any_bytes_never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        exercise(&bytes);
    }

    #[test]
    fn prop_reading_any_syntax_never_panics(text in "(\\(;|\\)|;|B\\[|W\\[|AB|SZ|KM|CA|[a-t]{2}|\\[|\\]|:|\\\\|é){0,60}") {
        exercise(text.as_bytes());
    }

    #[test]
    fn prop_reading_damaged_records_never_panics(bytes in damaged()) {
        exercise(&bytes);
    }
}
