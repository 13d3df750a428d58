//! The game of a GTP engine: stones that anybody may play in any order.

use super::GtpError;
use crate::bot::{Ending, Situation};
use crate::record::Record;
use crate::rules::{Board, Color, HalfPoints, History, Move, PerColor, Point, Position, Setup};

/// A game: where it began, and each move. A move is taken back by playing the others again, so that a record of very many
/// moves takes no more room than they do.
#[derive(Clone, Debug)]
pub(super) struct Game {
    pub(super) position: Position,
    pub(super) komi: HalfPoints,
    history: History,
    moves: Vec<(Color, Move)>,
    start: Position,
}

impl Default for Game {
    fn default() -> Game {
        // What the protocol leaves open until the first `boardsize` and `komi`.
        Game::new(
            Board::square(19).unwrap_or_else(|| unreachable!("19x19 is a board")),
            HalfPoints::from_halves(13),
        )
    }
}

impl Game {
    /// The empty board.
    pub(super) fn new(board: Board, komi: HalfPoints) -> Game {
        Game::from(Position::empty(board.geometry()), komi)
    }

    fn from(position: Position, komi: HalfPoints) -> Game {
        Game {
            history: History::new(&position),
            start: position.clone(),
            position,
            komi,
            moves: Vec::new(),
        }
    }

    pub(super) fn board(&self) -> Board {
        self.position.geometry().board()
    }

    pub(super) fn is_untouched(&self) -> bool {
        self.moves.is_empty() && self.position == Position::empty(self.position.geometry())
    }

    /// How many moves have been made.
    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    pub(super) fn make(&mut self, color: Color, made: Move) -> Result<(), GtpError> {
        if let Move::Play(point) = made {
            let played = self.history.play(&mut self.position, point, color);
            played.map_err(|_| GtpError::IllegalMove)?;
        }
        self.moves.push((color, made));
        Ok(())
    }

    pub(super) fn undo(&mut self) -> Result<(), GtpError> {
        let (_, made) = self.moves.pop().ok_or(GtpError::CannotUndo)?;
        if let Move::Play(_) = made {
            self.history.pop();
            self.position = self.replayed()?;
        }
        Ok(())
    }

    /// The position that the moves lead to.
    fn replayed(&self) -> Result<Position, GtpError> {
        let mut position = self.start.clone();
        for (color, made) in &self.moves {
            if let Move::Play(point) = made {
                let played = position.play(*point, *color);
                played.map_err(|_| GtpError::CannotUndo)?;
            }
        }
        Ok(position)
    }

    /// Sets Black's handicap stones up on the empty board.
    pub(super) fn set_handicap(&mut self, stones: Vec<Point>) -> Result<(), GtpError> {
        if !self.is_untouched() {
            return Err(GtpError::NotEmpty);
        }
        let stones = PerColor {
            black: stones,
            white: Vec::new(),
        };
        let setup = Setup {
            board: self.board(),
            stones,
        };
        let position = Position::from_setup(&setup).map_err(|_| GtpError::VertexList)?;
        *self = Game::from(position, self.komi);
        Ok(())
    }

    /// The game of a record up to before a move, counted from 1, or to its end.
    pub(super) fn load(record: &Record, before: Option<usize>, komi: HalfPoints) -> Result<Game, GtpError> {
        let setup = Setup {
            board: record.board,
            stones: record.setup.clone(),
        };
        let start = Position::from_setup(&setup).map_err(|_| GtpError::CannotLoad)?;
        let mut game = Game::from(start, record.komi.unwrap_or(komi));
        let moves = before.map_or(record.moves.len(), |before| before.saturating_sub(1));
        for each in record.moves.iter().take(moves) {
            let made = each.point.map_or(Move::Pass, Move::Play);
            game.make(each.color, made).map_err(|_| GtpError::CannotLoad)?;
        }
        Ok(game)
    }

    /// The game as the computer sees it.
    pub(super) fn situation(&self, to_move: Color, ending: Ending) -> Situation<'_> {
        let last = self.moves.last().filter(|(color, _)| *color != to_move);
        Situation {
            position: &self.position,
            history: &self.history,
            to_move,
            komi: self.komi,
            last: last.map(|(_, made)| *made),
            white_passes_last: false,
            opening_stones: 0,
            ending,
        }
    }
}
