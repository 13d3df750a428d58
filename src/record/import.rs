//! SGF in, for replaying: the main line of a game, with warnings for all that was not as it should be.

use super::charset::decode;
use super::error::{SgfError, SgfErrorKind, Warning, WarningKind, Warnings, excerpt};
use super::game::{Record, RecordMove};
use super::lexer::RawValue;
use super::limits::{MAX_BYTES, MAX_GAMES, MAX_POINTS};
use super::points::{is_pass, read_point, read_rectangle};
use super::root::read_board;
use super::tree::{Games, Property, RawGame, RawNode};
use crate::rules::{Color, PerColor, Point, Position, Setup};

/// A game read from SGF.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// The game: its main line, without what a record does not keep (markup, unknown properties).
    pub record: Record,
    /// The result in the file's own words (`RE`), whether or not it could be read.
    pub result_text: Option<String>,
    /// What was not as it should be, in the order in which it was met. A game with
    /// [`SetupInMidGame`](WarningKind::SetupInMidGame) among them was cut.
    pub warnings: Vec<Warning>,
}

/// Reads the first game of an SGF file; a warning tells of further ones.
///
/// # Errors
/// When the file holds no game of Go on one of our boards, is too large in one of the ways that [`SgfErrorKind`] has,
/// or names a point off the board for a stone.
pub fn read_sgf(bytes: &[u8]) -> Result<Imported, SgfError> {
    let (text, warning) = open(bytes)?;
    let mut games = Games::new(&text);
    let mut first = games.next_game()?.ok_or(SgfError {
        offset: 0,
        kind: SgfErrorKind::NoGame,
    })?;
    first.warnings.extend(warning);
    let after = games.rest();
    let mut more = 0;
    let mut rest = after;
    while games.next_game()?.is_some() {
        more += 1;
        rest = games.rest();
    }
    if let Some(offset) = after.filter(|_| more > 0) {
        first.warnings.add(offset, WarningKind::MoreGames(more));
    }
    if let Some(offset) = rest {
        first.warnings.add(offset, WarningKind::TextAround);
    }
    assemble(first)
}

/// Reads every game of an SGF file, each with its own error.
///
/// # Errors
/// When the file as a whole cannot be read: as [`read_sgf`], for what concerns no single game.
pub fn read_sgf_games(bytes: &[u8]) -> Result<Vec<Result<Imported, SgfError>>, SgfError> {
    let (text, warning) = open(bytes)?;
    let mut games = Games::new(&text);
    let mut read = Vec::new();
    let mut rest = None;
    while let Some(mut game) = games.next_game()? {
        rest = games.rest();
        if read.len() == MAX_GAMES {
            let offset = game.nodes.first().map_or(0, |node| node.offset);
            return Err(SgfError {
                offset,
                kind: SgfErrorKind::TooManyGames,
            });
        }
        game.warnings.extend(warning.clone());
        read.push(assemble(game));
    }
    if let (Some(offset), Some(Ok(last))) = (rest, read.last_mut()) {
        last.warn(offset, WarningKind::TextAround);
    }
    match read.is_empty() {
        true => Err(SgfError {
            offset: 0,
            kind: SgfErrorKind::NoGame,
        }),
        false => Ok(read),
    }
}

impl Imported {
    /// Adds a warning about what stands behind the game, unless there is one of that kind.
    fn warn(&mut self, offset: usize, kind: WarningKind) {
        if self.warnings.iter().all(|warning| warning.kind != kind) {
            self.warnings.push(Warning { offset, kind });
        }
    }
}

fn open(bytes: &[u8]) -> Result<(std::borrow::Cow<'_, str>, Option<WarningKind>), SgfError> {
    match bytes.len() {
        ..=MAX_BYTES => decode(bytes),
        _ => Err(SgfError {
            offset: MAX_BYTES,
            kind: SgfErrorKind::TooLarge,
        }),
    }
}

fn assemble(game: RawGame<'_>) -> Result<Imported, SgfError> {
    let mut warnings = game.warnings;
    let record = Record::new(read_board(&head(&game.nodes), &mut warnings)?);
    let stones = vec![None; record.board.geometry().len()];
    let mut importer = Importer {
        record,
        stones,
        stated_first: None,
        result_text: None,
        warnings,
        points_left: MAX_POINTS,
    };
    for node in &game.nodes {
        let moves_before = importer.record.moves.len();
        if moves_before > 0 && node.sets_up() {
            let cut = WarningKind::SetupInMidGame { after: moves_before };
            importer.warnings.add(node.offset, cut);
            break;
        }
        importer.node(node)?;
    }
    Ok(importer.finish())
}

/// What says which game and board it is, as one node: of the first node, or of later ones up to the first that has a move
/// or sets stones up, where some programs write it.
fn head<'a>(nodes: &[RawNode<'a>]) -> RawNode<'a> {
    let before_stones = nodes.iter().take_while(|node| !node.sets_up() && !node.plays());
    let nodes_of_head = before_stones.count() + 1;
    let properties = nodes.iter().take(nodes_of_head).flat_map(|node| &node.properties);
    let of_the_board =
        properties.filter(|property| matches!(property.name.as_str(), "GM" | "SZ" | "HEXSIZE"));
    RawNode {
        offset: nodes.first().map_or(0, |root| root.offset),
        properties: of_the_board.cloned().collect(),
    }
}

/// A record in the making.
pub(super) struct Importer {
    pub record: Record,
    pub result_text: Option<String>,
    pub warnings: Warnings,
    /// By point index, the stones set up so far.
    stones: Vec<Option<Color>>,
    /// What `PL` says.
    stated_first: Option<Color>,
    /// How many points lists may still name.
    points_left: usize,
}

impl<'a> RawNode<'a> {
    pub(super) fn all<'n>(&'n self, name: &'n str) -> impl Iterator<Item = &'n Property<'a>> {
        self.properties
            .iter()
            .filter(move |property| property.name == name)
    }

    fn sets_up(&self) -> bool {
        self.properties
            .iter()
            .any(|property| matches!(property.name.as_str(), "AB" | "AW" | "AE"))
    }

    fn plays(&self) -> bool {
        self.properties
            .iter()
            .any(|property| matches!(property.name.as_str(), "B" | "W"))
    }

    /// The value of a property that has one; further values are warned of.
    pub(super) fn single(&self, name: &str, warnings: &mut Warnings) -> Option<RawValue<'a>> {
        let mut values = self
            .all(name)
            .flat_map(|property| property.values.iter().copied());
        let first = values.next();
        if let Some(second) = values.next() {
            warnings.add(second.offset, WarningKind::SeveralValues(name.to_owned()));
        }
        first
    }
}

impl Importer {
    fn node(&mut self, node: &RawNode<'_>) -> Result<(), SgfError> {
        let moves_before = self.record.moves.len();
        self.setup(node)?;
        self.about(node);
        self.moves(node)?;
        if node.sets_up() && self.record.moves.len() > moves_before {
            self.warnings.add(node.offset, WarningKind::MoveWithSetup);
        }
        self.clocks(node, moves_before);
        self.comment(node);
        self.territory(Color::Black, "TB", node);
        self.territory(Color::White, "TW", node);
        Ok(())
    }

    /// Only called before the first move.
    fn setup(&mut self, node: &RawNode<'_>) -> Result<(), SgfError> {
        let mut touched = vec![false; self.stones.len()];
        for property in &node.properties {
            let stone = match property.name.as_str() {
                "AB" => Some(Color::Black),
                "AW" => Some(Color::White),
                "AE" => None,
                _ => continue,
            };
            for point in self.list(property)? {
                // The geometry made both the point and the tables.
                let index = point.index();
                if touched[index] || (stone.is_none() && self.stones[index].is_none()) {
                    self.warnings.add(property.offset, WarningKind::SetupConflict);
                }
                touched[index] = true;
                self.stones[index] = stone;
            }
        }
        if let Some(value) = node.single("PL", &mut self.warnings)
            && self.record.moves.is_empty()
        {
            match value.text.trim() {
                "B" | "b" | "black" | "Black" => self.stated_first = Some(Color::Black),
                "W" | "w" | "white" | "White" => self.stated_first = Some(Color::White),
                _ => self.warnings.add(value.offset, WarningKind::Unreadable("PL")),
            }
        }
        Ok(())
    }

    fn moves(&mut self, node: &RawNode<'_>) -> Result<(), SgfError> {
        let mut moved = PerColor {
            black: false,
            white: false,
        };
        for property in &node.properties {
            let color = match property.name.as_str() {
                "B" => Color::Black,
                "W" => Color::White,
                _ => continue,
            };
            let again = std::mem::replace(moved.get_mut(color), true);
            if again || property.values.len() > 1 {
                self.warnings
                    .add(property.offset, WarningKind::SeveralValues(property.name.clone()));
            }
            if *moved.get(color.opponent()) {
                self.warnings.add(property.offset, WarningKind::TwoMovesInNode);
            }
            if let Some(value) = property.values.first().filter(|_| !again) {
                let point = self.place(value)?;
                self.record.moves.push(RecordMove::new(color, point));
            }
        }
        Ok(())
    }

    /// Where a move is played; `None` for a pass.
    fn place(&mut self, value: &RawValue<'_>) -> Result<Option<Point>, SgfError> {
        let text = self.without_spaces(value);
        if is_pass(&text, self.record.board) {
            return Ok(None);
        }
        let number = self.record.moves.len() + 1;
        let point = read_point(&text, self.record.board.geometry());
        let off_board = SgfErrorKind::MoveOffBoard {
            number,
            value: excerpt(&text),
        };
        point.map(Some).ok_or(SgfError {
            offset: value.offset,
            kind: off_board,
        })
    }

    fn without_spaces(&mut self, value: &RawValue<'_>) -> String {
        let text: String = value.text.chars().filter(|each| !each.is_whitespace()).collect();
        if text.len() < value.text.len() {
            self.warnings.add(value.offset, WarningKind::SpacesInPoint);
        }
        text
    }

    /// The points of a list, in the file's order. An empty value is an empty list.
    fn list(&mut self, property: &Property<'_>) -> Result<Vec<Point>, SgfError> {
        let mut points = Vec::new();
        for value in &property.values {
            let text = self.without_spaces(value);
            if text.is_empty() {
                continue;
            }
            let too_many = SgfError {
                offset: value.offset,
                kind: SgfErrorKind::TooManyPoints,
            };
            if self.points_left == 0 {
                return Err(too_many);
            }
            let rectangle = read_rectangle(&text, self.record.board.geometry());
            let off_board = SgfErrorKind::OffBoard(excerpt(&text));
            let rectangle = rectangle.ok_or(SgfError {
                offset: value.offset,
                kind: off_board,
            })?;
            if rectangle.reversed {
                self.warnings.add(value.offset, WarningKind::ReversedRectangle);
            }
            let left = self.points_left.checked_sub(rectangle.points.len());
            self.points_left = left.unwrap_or(0);
            left.ok_or(too_many)?;
            points.extend(rectangle.points);
        }
        Ok(points)
    }

    /// What is said in a node belongs to its move, or to the move before, or to the start.
    fn comment(&mut self, node: &RawNode<'_>) {
        let Some(said) = self.text(node, "C") else { return };
        let comment = match self.record.moves.last_mut() {
            Some(last) => &mut last.comment,
            None => &mut self.record.comment,
        };
        match comment {
            Some(before) => {
                before.push('\n');
                before.push_str(&said);
            }
            None => *comment = Some(said),
        }
    }

    /// A later node's territory takes the place of an earlier one's.
    fn territory(&mut self, color: Color, name: &'static str, node: &RawNode<'_>) {
        let mut points = Vec::new();
        for property in node.all(name) {
            match self.list(property) {
                Ok(listed) => points.extend(listed),
                Err(error) => self.warnings.add(error.offset, WarningKind::Unreadable(name)),
            }
        }
        if node.all(name).next().is_some() {
            points.sort_unstable();
            points.dedup();
            *self.record.territory.get_mut(color) = points;
        }
    }

    fn finish(mut self) -> Imported {
        let geometry = self.record.board.geometry();
        let stones = &self.stones;
        self.record.setup = PerColor::from_fn(|color| {
            geometry
                .points()
                .filter(|point| stones[point.index()] == Some(color))
                .collect()
        });
        let setup = Setup {
            board: self.record.board,
            stones: self.record.setup.clone(),
        };
        if let Err(error) = Position::from_setup(&setup) {
            self.warnings.add(0, error.into());
        }
        self.record.first = self.stated_first.unwrap_or(self.record.implied_first());
        let stated = usize::from(self.record.handicap);
        let played = self
            .record
            .moves
            .iter()
            .take_while(|each| each.color == Color::Black)
            .count();
        if stated > 1 && self.record.setup.black.len() != stated && played < stated {
            self.warnings
                .add(0, WarningKind::HandicapStones(self.record.handicap));
        }
        Imported {
            record: self.record,
            result_text: self.result_text,
            warnings: self.warnings.into_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The moves in letters, `B E5 W pass`, then the warnings.
    #[track_caller]
    fn check(text: &str, moves: &str, warnings: &[WarningKind]) {
        let imported = read_sgf(text.as_bytes()).expect("reads");
        let geometry = imported.record.board.geometry();
        let read: Vec<String> = (imported.record.moves.iter())
            .map(|each| {
                let place = each.point.map(|point| geometry.vertex(point).to_string());
                format!("{} {}", each.color.letter(), place.as_deref().unwrap_or("pass"))
            })
            .collect();
        assert_eq!(read.join(" "), moves);
        let kinds: Vec<WarningKind> = imported
            .warnings
            .into_iter()
            .map(|warning| warning.kind)
            .collect();
        assert_eq!(kinds, warnings);
    }

    #[track_caller]
    fn check_refused(text: &str, message: &str) {
        let error = read_sgf(text.as_bytes()).expect_err("is refused");
        assert_eq!(error.to_string(), message);
    }

    #[test]
    fn the_main_line_is_the_first_variation_at_every_fork() {
        let variations = [WarningKind::Variations(3)];
        check(
            "(;SZ[9](;B[ee](;W[cc];B[gg])(;W[gg]))(;B[cc](;W[ee])))",
            "B E5 W C7 B G3",
            &variations,
        );
        check(
            "(;SZ[9];B[ee]();W[cc]C[x])",
            "B E5",
            &[WarningKind::NodesAfterVariation, WarningKind::StrayText],
        );
    }

    #[test]
    fn stones_set_up_after_moves_end_the_record() {
        check(
            "(;SZ[9];B[ee];AE[ee];W[cc])",
            "B E5",
            &[WarningKind::SetupInMidGame { after: 1 }],
        );
    }

    #[test]
    fn what_is_no_game_on_our_boards_is_refused() {
        check_refused("", "at byte 0: no game found");
        check_refused(
            "(;GM[2]SZ[8])",
            "at byte 5: this is a record of another game than Go: Othello",
        );
        check_refused(
            "(;GM[99])",
            "at byte 5: this is a record of another game than Go: \"99\"",
        );
        check_refused(
            "(;GM[\u{1b}\\]0;x\u{7}])",
            "at byte 5: this is a record of another game than Go: \"\\u{1b}\\\\]0;x\\u{7}\"",
        );
        check_refused("(;SZ[9:13])", "at byte 5: the board is not square but 9x13");
        check_refused("(;SZ[52])", "at byte 5: there is no board of size 52");
        check_refused(
            "(;SZ[9]HEXSIZE[6])",
            "at byte 5: the board is said to be both square and hexagonal",
        );
        check_refused(
            "(;SZ[9];B[ee];W[jj])",
            "at byte 16: move 2: \"jj\" is not on the board",
        );
        check_refused("(;SZ[9]AB[aa:zz])", "at byte 10: \"aa:zz\" is not on the board");
        check_refused(
            "(;HEXSIZE[6];B[tt])",
            "at byte 15: move 1: \"tt\" is not on the board",
        );
    }

    #[test]
    fn limits_are_exact() {
        let nested = |depth: usize| "(;".repeat(depth) + &")".repeat(depth);
        assert!(read_sgf(nested(super::super::MAX_DEPTH).as_bytes()).is_ok());
        let error = read_sgf(nested(super::super::MAX_DEPTH + 1).as_bytes()).expect_err("is refused");
        assert_eq!(error.kind, SgfErrorKind::TooDeep);
        let long = |nodes: usize| format!("({})", ";".repeat(nodes));
        assert!(read_sgf(long(super::super::MAX_NODES).as_bytes()).is_ok());
        let error = read_sgf(long(super::super::MAX_NODES + 1).as_bytes()).expect_err("is refused");
        assert_eq!(error.kind, SgfErrorKind::TooManyNodes);
        let many = |games: usize| "(;)".repeat(games);
        assert!(read_sgf_games(many(MAX_GAMES).as_bytes()).is_ok());
        let error = read_sgf_games(many(MAX_GAMES + 1).as_bytes()).expect_err("is refused");
        assert_eq!(error.kind, SgfErrorKind::TooManyGames);
        let error = read_sgf(&vec![b' '; MAX_BYTES + 1]).expect_err("is refused");
        assert_eq!(error.kind, SgfErrorKind::TooLarge);
    }

    #[test]
    fn the_points_of_rectangles_are_counted_before_they_are_too_many() {
        let full = "[aa:yy]";
        let boards = MAX_POINTS / 625;
        for name in ["AB", "TB"] {
            let text = |lists: usize| format!("(;SZ[25]{name}{}{name}[aa])", full.repeat(lists));
            assert!(read_sgf(text(boards - 1).as_bytes()).is_ok(), "{name}");
        }
        // Set-up that is not read whole would be another game; of territory the record can do without.
        let many = full.repeat(MAX_BYTES / full.len() - 10);
        let error = read_sgf(format!("(;SZ[25]AB{many})").as_bytes()).expect_err("is refused");
        assert_eq!(error.kind, SgfErrorKind::TooManyPoints);
        let read = read_sgf(format!("(;SZ[25];B[aa]TB{many})").as_bytes()).expect("reads");
        assert_eq!(read.warnings.len(), 1);
        assert_eq!(read.warnings[0].kind, WarningKind::Unreadable("TB"));
        assert_eq!(read.record.moves.len(), 1);
        let in_nodes = "(;SZ[25]".to_owned() + &format!(";TB{full}").repeat(150_000) + ")";
        let read = read_sgf(in_nodes.as_bytes()).expect("reads");
        assert_eq!(read.warnings[0].kind, WarningKind::Unreadable("TB"));
    }

    #[test]
    fn the_game_and_the_board_may_be_told_up_to_the_first_stones() {
        for text in [
            "(;SZ[9];B[ee])",
            "(;FF[4];GM[1]SZ[9];B[ee])",
            "(;;C[hello];SZ[9]B[ee])",
            "(;FF[4];SZ[9]AB[cc];B[ee])",
        ] {
            check(text, "B E5", &[]);
        }
        let board = |text: &str| read_sgf(text.as_bytes()).map(|read| read.record.board.to_string());
        assert_eq!(board("(;FF[4];HEXSIZE[6];B[ff])"), Ok("hex6".to_owned()));
        // Afterwards it comes too late: the stones lie on a board already.
        for late in ["(;B[ee];SZ[9])", "(;AB[ee];SZ[9])", "(;B[];SZ[9];B[ee])"] {
            assert_eq!(board(late), Ok("19x19".to_owned()), "{late}");
        }
        check_refused(
            "(;FF[4];GM[2];B[ee])",
            "at byte 11: this is a record of another game than Go: Othello",
        );
        check_refused(
            "(;SZ[9];HEXSIZE[6];B[ee])",
            "at byte 5: the board is said to be both square and hexagonal",
        );
    }

    #[test]
    fn the_number_of_the_game_is_read_as_a_number() {
        for number in ["1", "01", " 1 ", ""] {
            let read = read_sgf(format!("(;GM[{number}]SZ[9];B[ee])").as_bytes());
            assert_eq!(read.map(|read| read.record.moves.len()), Ok(1), "{number:?}");
        }
        for other in ["0", "-1", "1.5", "Go", "11", "1000000000000000000000"] {
            let error = read_sgf(format!("(;GM[{other}])").as_bytes()).expect_err("is refused");
            assert!(matches!(error.kind, SgfErrorKind::OtherGame(_)), "{other}");
        }
    }

    #[test]
    fn names_of_properties_are_read_with_and_without_capitals() {
        let small = [WarningKind::OldPropertyName];
        check("(;GM[1]SZ[9];b[ee];w[cc])", "B E5 W C7", &small);
        check("(;gm[1]sz[9];Black[ee];White[cc])", "B E5 W C7", &small);
    }

    #[test]
    fn text_around_the_games_is_warned_of_wherever_it_stands() {
        let warned = |text: &str| -> Vec<Vec<(usize, WarningKind)>> {
            let games = read_sgf_games(text.as_bytes()).expect("reads");
            let of = |game: Result<Imported, SgfError>| {
                let warnings = game.expect("reads").warnings.into_iter();
                warnings.map(|warning| (warning.offset, warning.kind)).collect()
            };
            games.into_iter().map(of).collect()
        };
        let around = |offset: usize| vec![(offset, WarningKind::TextAround)];
        assert_eq!(warned("(;)(;)\n"), [vec![], vec![]]);
        assert_eq!(warned("a (;)(;)"), [around(0), vec![]]);
        assert_eq!(warned("(;) a (;)"), [vec![], around(4)]);
        assert_eq!(warned("(;)(;) a (b"), [vec![], around(7)]);
        assert_eq!(warned("a (;) b"), [around(0)], "once a game");
    }

    #[test]
    fn what_is_said_in_nodes_without_a_move_is_joined() {
        let imported = read_sgf(b"(;C[a];C[b];B[dd]C[c];C[d]TB[aa]TB[ba];)").expect("reads");
        assert_eq!(imported.record.comment.as_deref(), Some("a\nb"));
        assert_eq!(
            imported
                .record
                .moves
                .last()
                .and_then(|last| last.comment.as_deref()),
            Some("c\nd")
        );
        assert_eq!(imported.record.territory.black.len(), 2);
    }

    #[test]
    fn unclosed_brackets_are_read_in_linear_time() {
        for piece in ["([", "(;)[", "(a", "[", "(;C["] {
            let _ = read_sgf(piece.repeat(200_000).as_bytes());
        }
    }

    #[test]
    fn who_plays_first_follows_from_pl_the_moves_and_the_handicap() {
        for (text, first) in [
            ("(;SZ[9])", Color::Black),
            ("(;SZ[9];W[ee])", Color::White),
            ("(;SZ[9]PL[W])", Color::White),
            ("(;SZ[9]HA[2]AB[cc][gg])", Color::White),
            ("(;SZ[9]HA[2]AB[cc][gg]PL[B])", Color::Black),
        ] {
            assert_eq!(
                read_sgf(text.as_bytes()).expect("reads").record.first,
                first,
                "{text}"
            );
        }
    }
}
