//! Records as SGF text (T12; SGF FF[4], <https://www.red-bean.com/sgf/>).

use super::game::{Record, RecordMove};
use super::numbers::write_seconds;
use super::points::write_point;
use super::text::{Lines, escape};
use crate::rules::{Board, Color, Geometry, Point};

/// Lines are broken before they grow beyond this many characters, where a break changes nothing; a long value stays
/// whole.
const LINE_LENGTH: usize = 80;

/// The record as SGF: `FF[4]`, UTF-8, one game, ending in a line break.
///
/// A pass is `B[]`. `HA` is shown from 2, `AB` only for stones that were set up. A hexagonal board has no `SZ` but our
/// own `HEXSIZE` with the cells along one side, and its points are named on the grid of its columns and rows (B2): SGF
/// cannot say what it is. A program that does not know `HEXSIZE` takes the board for SGF's default, 19x19, and shows the
/// stones on the wrong lines; with an `SZ` it would show a square board of the right size, which looks like a true record.
/// Control characters in texts become spaces.
pub fn write_sgf(record: &Record) -> String {
    let mut writer = Writer {
        text: String::new(),
        column: 0,
        geometry: record.board.geometry(),
    };
    writer.open(record);
    writer.about(record);
    writer.setup(record);
    writer.optional_text("C", &record.comment, Lines::Kept);
    let last = record.moves.len().checked_sub(1);
    if last.is_none() {
        writer.territory(record);
    }
    if last.is_some() {
        writer.line_break();
    }
    for (number, each) in record.moves.iter().enumerate() {
        writer.play(each);
        if Some(number) == last {
            writer.territory(record);
        }
    }
    writer.piece(")\n");
    writer.text
}

struct Writer {
    text: String,
    /// The characters in the line so far.
    column: usize,
    geometry: &'static Geometry,
}

impl Writer {
    /// Adds a piece that must not be broken, on a new line if this one is full.
    fn piece(&mut self, piece: &str) {
        let first_line = piece.split('\n').next().unwrap_or_default().chars().count();
        if self.column > 0 && self.column + first_line > LINE_LENGTH {
            self.line_break();
        }
        self.text.push_str(piece);
        self.column = match piece.rsplit_once('\n') {
            Some((_, last_line)) => last_line.chars().count(),
            None => self.column + first_line,
        };
    }

    fn line_break(&mut self) {
        self.text.push('\n');
        self.column = 0;
    }

    fn property(&mut self, name: &str, value: &str) {
        self.piece(&format!("{name}[{value}]"));
    }

    fn optional(&mut self, name: &str, value: Option<impl ToString>) {
        if let Some(value) = value {
            self.property(name, &value.to_string());
        }
    }

    fn optional_text(&mut self, name: &str, value: &Option<String>, lines: Lines) {
        self.optional(name, value.as_ref().map(|text| escape(text, lines)));
    }

    /// A list of points; nothing if there is none. Only a list's values may be parted.
    fn points(&mut self, name: &str, points: &[Point]) {
        let mut name = name;
        for &point in points {
            self.piece(&format!("{name}[{}]", write_point(point, self.geometry)));
            name = "";
        }
    }

    fn open(&mut self, record: &Record) {
        let version = env!("CARGO_PKG_VERSION");
        self.piece(&format!("(;FF[4]GM[1]CA[UTF-8]AP[Hoshi:{version}]"));
        let size = match record.board {
            Board::Square(_) => "SZ",
            Board::Hexagonal(_) => "HEXSIZE",
        };
        self.property(size, &record.board.side().to_string());
        self.line_break();
    }

    /// The game info properties.
    fn about(&mut self, record: &Record) {
        self.optional_text("RU", &record.rules, Lines::Joined);
        self.optional("KM", record.komi);
        self.optional("HA", Some(record.handicap).filter(|&stones| stones > 1));
        for (color, name, rank) in [(Color::Black, "PB", "BR"), (Color::White, "PW", "WR")] {
            let player = record.players.get(color);
            self.optional_text(name, &player.name, Lines::Joined);
            self.optional_text(rank, &player.rank, Lines::Joined);
        }
        self.optional("DT", record.date);
        self.optional_text("PC", &record.place, Lines::Joined);
        self.optional("TM", record.main_time.map(write_seconds));
        self.optional_text("OT", &record.overtime, Lines::Joined);
        self.optional("RE", record.result);
    }

    fn setup(&mut self, record: &Record) {
        self.points("AB", &record.setup.black);
        self.points("AW", &record.setup.white);
        let set_up = !record.setup.black.is_empty() || !record.setup.white.is_empty();
        let told_apart = set_up && record.first == Color::White;
        if told_apart || record.first != record.implied_first() {
            self.property("PL", &record.first.letter().to_string());
        }
    }

    fn play(&mut self, each: &RecordMove) {
        let letter = each.color.letter();
        let place = each
            .point
            .map(|point| write_point(point, self.geometry))
            .unwrap_or_default();
        let mut node = format!(";{letter}[{place}]");
        if let Some(time) = each.time_left {
            node.push_str(&format!("{letter}L[{}]", write_seconds(time)));
        }
        if let Some(moves) = each.moves_left {
            node.push_str(&format!("O{letter}[{moves}]"));
        }
        self.piece(&node);
        self.optional_text("C", &each.comment, Lines::Kept);
    }

    fn territory(&mut self, record: &Record) {
        self.points("TB", &record.territory.black);
        self.points("TW", &record.territory.white);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{CivilDate, RecordPlayer, RecordResult};
    use crate::rules::{HalfPoints, PerColor, fixed_handicap};
    use std::time::Duration;

    fn blank(board: &str) -> Record {
        Record::new(board.parse().expect("a board"))
    }

    fn point(record: &Record, name: &str) -> Point {
        let vertex = name.parse().expect("a name");
        record.board.geometry().point(vertex).expect("a point")
    }

    fn play(record: &mut Record, color: Color, name: &str) {
        let place = point(record, name);
        record.moves.push(RecordMove::new(color, Some(place)));
    }

    /// The text without its first line and the line breaks.
    #[track_caller]
    fn check(record: &Record, expected: &str) {
        let text = write_sgf(record);
        let (_, rest) = text.split_once('\n').expect("a first line");
        assert_eq!(rest.replace('\n', ""), expected);
    }

    #[test]
    fn t12_a_game_is_printed_whole() {
        let mut record = blank("9x9");
        record.rules = Some("Chinese".to_owned());
        record.komi = Some(HalfPoints::from_halves(13));
        record.handicap = 1;
        record.players = PerColor::from_fn(|color| RecordPlayer {
            name: Some(format!("{color}]\\")),
            rank: Some("1500".to_owned()),
        });
        record.date = CivilDate::from_unix_ms(0);
        record.place = Some("here".to_owned());
        record.main_time = Some(Duration::from_secs(600));
        record.overtime = Some("3x30 byo-yomi".to_owned());
        record.result = Some(RecordResult::Draw);
        play(&mut record, Color::Black, "E5");
        record.moves.push(RecordMove {
            time_left: Some(Duration::from_millis(299_500)),
            moves_left: Some(3),
            comment: Some("x]\\;B[aa]".to_owned()),
            ..RecordMove::new(Color::White, None)
        });
        record.territory.black.push(point(&record, "A9"));
        record.territory.white.push(point(&record, "J1"));
        check(
            &record,
            "RU[Chinese]KM[6.5]PB[black\\]\\\\]BR[1500]PW[white\\]\\\\]WR[1500]DT[1970-01-01]PC[here]TM[600]\
             OT[3x30 byo-yomi]RE[0];B[ee];W[]WL[299.5]OW[3]C[x\\]\\\\;B[aa\\]]TB[aa]TW[ii])",
        );
        let version = env!("CARGO_PKG_VERSION");
        let first_line = format!("(;FF[4]GM[1]CA[UTF-8]AP[Hoshi:{version}]SZ[9]\n");
        assert!(write_sgf(&record).starts_with(&first_line));
    }

    #[test]
    fn t12_handicap_is_shown_from_two_and_set_up_only_where_it_was() {
        let mut record = blank("19x19");
        record.handicap = 2;
        let stones = fixed_handicap(record.board, 2).expect("a pattern");
        record.setup.black = stones;
        record.first = Color::White;
        check(&record, "HA[2]AB[dp][pd]PL[W])");

        let mut moved = blank("hex6");
        moved.handicap = 2;
        play(&mut moved, Color::Black, "F6");
        play(&mut moved, Color::Black, "A11");
        play(&mut moved, Color::White, "K1");
        check(&moved, "HA[2];B[ff];B[aa];W[jk])");
        let text = write_sgf(&moved);
        assert!(text.contains("HEXSIZE[6]") && !text.contains("SZ["));
    }

    #[test]
    fn lines_are_broken_between_moves() {
        let mut record = blank("19x19");
        for _ in 0..400 {
            record.moves.push(RecordMove::new(Color::Black, None));
        }
        let text = write_sgf(&record);
        assert!(text.lines().all(|line| line.len() <= LINE_LENGTH));
        assert!(text.lines().count() < 25);
    }
}
