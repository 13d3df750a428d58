//! The properties of a game that are no moves: which game and board it is, and what is told about it.

use super::date::CivilDate;
use super::error::{SgfError, SgfErrorKind, WarningKind, Warnings, excerpt};
use super::game::Record;
use super::import::Importer;
use super::lexer::RawValue;
use super::numbers::{
    Form, KomiError, Reading, read_hexagon_size, read_komi, read_seconds, read_size, read_whole,
};
use super::result::RecordResult;
use super::text::{Lines, unescape};
use super::tree::RawNode;
use crate::rules::{Board, Color};
use std::time::Duration;

/// The side of a board of which the record does not say the size.
const DEFAULT_SIZE: &str = "19";

/// The games that SGF numbers, from 1 in `GM` (SGF FF[4], "Root properties"); the rest are rarely met.
const GAMES: [&str; 16] = [
    "Go",
    "Othello",
    "chess",
    "Gomoku or Renju",
    "Nine Men's Morris",
    "Backgammon",
    "Chinese chess",
    "Shogi",
    "Lines of Action",
    "Ataxx",
    "Hex",
    "Jungle",
    "Neutron",
    "Philosopher's Football",
    "Quadrature",
    "Trax",
];

/// The board of a game, from what its head says.
///
/// # Errors
/// When it is no game of Go, or on no board of ours.
pub(super) fn read_board(root: &RawNode<'_>, warnings: &mut Warnings) -> Result<Board, SgfError> {
    if let Some(game) = root.single("GM", warnings)
        && let Some(other) = other_game(game.text)
    {
        return Err(SgfError {
            offset: game.offset,
            kind: SgfErrorKind::OtherGame(other),
        });
    }
    let (square, hexagonal) = (root.single("SZ", warnings), root.single("HEXSIZE", warnings));
    let (value, board) = match (square, hexagonal) {
        (Some(value), Some(_)) => {
            return Err(SgfError {
                offset: value.offset,
                kind: SgfErrorKind::TwoSizes,
            });
        }
        (None, Some(value)) => (value, read_hexagon_size(value.text)),
        (Some(value), None) => (value, read_size(value.text)),
        (None, None) => {
            let value = RawValue {
                text: DEFAULT_SIZE,
                offset: root.offset,
                closed: true,
            };
            (value, read_size(value.text))
        }
    };
    board.map_err(|error| SgfError {
        offset: value.offset,
        kind: error.into(),
    })
}

/// What `GM` names if that is not Go, which is 1 or not said.
fn other_game(text: &str) -> Option<String> {
    let index = read_whole::<usize>(text).and_then(|number| number.checked_sub(1));
    if text.trim().is_empty() || index == Some(0) {
        return None;
    }
    let known = index.and_then(|index| GAMES.get(index));
    Some(known.map_or_else(|| format!("{:?}", excerpt(text)), |&name| name.to_owned()))
}

impl Importer {
    /// Reads the game info properties of a node; what an earlier node has said stands.
    pub(super) fn about(&mut self, node: &RawNode<'_>) {
        self.fill(node, "RU", |record| &mut record.rules);
        self.fill(node, "PB", |record| &mut record.players.black.name);
        self.fill(node, "BR", |record| &mut record.players.black.rank);
        self.fill(node, "PW", |record| &mut record.players.white.name);
        self.fill(node, "WR", |record| &mut record.players.white.rank);
        self.fill(node, "PC", |record| &mut record.place);
        self.fill(node, "OT", |record| &mut record.overtime);
        self.komi(node);
        if let Some(stones) = self.value(node, "HA", read_whole)
            && self.record.handicap == 0
        {
            self.record.handicap = stones;
        }
        if let Some((date, rest)) = self.value(node, "DT", CivilDate::read_first) {
            if rest > 0 {
                self.warnings
                    .add(node.offset, WarningKind::SeveralValues("DT".to_owned()));
            }
            self.record.date.get_or_insert(date);
        }
        if let Some(time) = self.value(node, "TM", read_seconds) {
            self.record.main_time.get_or_insert(time);
        }
        self.result(node);
    }

    fn fill(&mut self, node: &RawNode<'_>, name: &'static str, slot: fn(&mut Record) -> &mut Option<String>) {
        let Some(value) = node.single(name, &mut self.warnings) else {
            return;
        };
        let text = self.unescaped(value, Lines::Joined);
        let slot = slot(&mut self.record);
        if slot.is_none() && !text.is_empty() {
            *slot = Some(text);
        }
    }

    /// The text of a property, lines kept; `None` when it is not there or empty.
    pub(super) fn text(&mut self, node: &RawNode<'_>, name: &'static str) -> Option<String> {
        let value = node.single(name, &mut self.warnings)?;
        Some(self.unescaped(value, Lines::Kept)).filter(|text| !text.is_empty())
    }

    fn unescaped(&mut self, value: RawValue<'_>, lines: Lines) -> String {
        let (text, replaced) = unescape(value.text, lines);
        if replaced {
            self.warnings.add(value.offset, WarningKind::ControlCharacters);
        }
        text
    }

    /// A property's value if it can be read; one that is empty says nothing.
    fn value<T>(&mut self, node: &RawNode<'_>, name: &'static str, read: fn(&str) -> Option<T>) -> Option<T> {
        let value = node
            .single(name, &mut self.warnings)
            .filter(|value| !value.text.trim().is_empty())?;
        let read = read(value.text);
        if read.is_none() {
            self.warnings.add(value.offset, WarningKind::Unreadable(name));
        }
        read
    }

    fn komi(&mut self, node: &RawNode<'_>) {
        let value = node
            .single("KM", &mut self.warnings)
            .filter(|value| !value.text.trim().is_empty());
        let Some(value) = value else { return };
        match read_komi(value.text) {
            Ok(Reading { value: komi, form }) => {
                self.record.komi.get_or_insert(komi);
                self.note_form(form, "KM", value.offset);
            }
            Err(KomiError::Unreadable) => self.warnings.add(value.offset, WarningKind::Unreadable("KM")),
            Err(KomiError::OutOfRange | KomiError::NotHalves) => {
                self.warnings.add(value.offset, WarningKind::KomiRefused);
            }
        }
    }

    fn result(&mut self, node: &RawNode<'_>) {
        let Some(value) = node.single("RE", &mut self.warnings) else {
            return;
        };
        let text = self.unescaped(value, Lines::Joined);
        if text.is_empty() || self.result_text.is_some() {
            return;
        }
        let result = match RecordResult::read_leniently(&text) {
            Ok(Reading { value: result, form }) => {
                self.note_form(form, "RE", value.offset);
                result
            }
            Err(_) => {
                self.warnings.add(value.offset, WarningKind::Unreadable("RE"));
                RecordResult::Unknown
            }
        };
        self.record.result = Some(result);
        self.result_text = Some(text);
    }

    fn note_form(&mut self, form: Form, name: &'static str, offset: usize) {
        if form == Form::Repaired {
            self.warnings.add(offset, WarningKind::Repaired(name));
        }
    }

    /// Reads what the mover had left; `moves_before` is the number of moves before this node.
    pub(super) fn clocks(&mut self, node: &RawNode<'_>, moves_before: usize) {
        let names = [(Color::Black, "BL", "OB"), (Color::White, "WL", "OW")];
        for (color, time_name, moves_name) in names {
            let time_left: Option<Duration> = self.value(node, time_name, read_seconds);
            let moves_left: Option<u16> = self.value(node, moves_name, read_whole);
            let mut here = self.record.moves.iter_mut().skip(moves_before);
            if let Some(each) = here.find(|each| each.color == color) {
                each.time_left = time_left;
                each.moves_left = moves_left;
            }
        }
    }
}
