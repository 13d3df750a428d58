//! A game as it stands, in a form that travels: for whoever is to judge its position or to choose its next move.

use super::table::{ReplayError, Table};
use super::terms::Terms;
use crate::rules::{Color, HalfPoints, History, Move, PerColor, Position, Setup, Vertex};
use crate::ruleset::Counting;
use serde::{Deserialize, Serialize};

/// A game up to its newest move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameSoFar {
    /// What is played.
    pub terms: Terms,
    /// The moves, oldest first; a pass has no point.
    pub moves: Vec<(Color, Option<Vertex>)>,
    /// Whose turn it is, or would be.
    pub to_move: Color,
    /// How many stones Black has still to play in a row (H4).
    pub opening_stones: u8,
    /// How many of the moves were made before play was resumed: their passes have had their effect.
    pub resumed_at: u32,
    /// Whether nobody will say what is dead, since play was resumed once already (G8).
    pub stones_stay: bool,
}

/// The board that a game has come to.
#[derive(Clone, Debug)]
pub struct BoardSoFar {
    /// The stones.
    pub position: Position,
    /// Every position of the game, for superko.
    pub history: History,
    /// The moves, oldest first.
    pub moves: Vec<(Color, Move)>,
}

impl Table {
    /// The game as it stands.
    pub fn so_far(&self) -> GameSoFar {
        let geometry = self.position.geometry();
        let moves = self.moves.iter().map(|made| match made.made {
            Move::Play(point) => (made.color, Some(geometry.vertex(point))),
            Move::Pass => (made.color, None),
        });
        GameSoFar {
            terms: self.terms.clone(),
            moves: moves.collect(),
            to_move: self.to_move,
            opening_stones: self.opening_stones_left(),
            resumed_at: self.resumed_at,
            stones_stay: self.marking_life().is_some() && self.resumptions_left() == 0,
        }
    }
}

impl Terms {
    /// What White has besides his area, if a game under these terms were counted by area. Territory with pass stones comes
    /// to the same as area, less one point for each handicap stone but the first (G2).
    pub fn komi_by_area(&self) -> HalfPoints {
        let extra = match self.ruleset.counting {
            Counting::Area => 0,
            Counting::TerritoryWithPassStones => i32::from(self.handicap).saturating_sub(1).max(0),
        };
        self.komi + HalfPoints::from_points(extra)
    }
}

impl GameSoFar {
    /// The board that the moves lead to.
    ///
    /// # Errors
    /// When the moves cannot be made; those of a table always can.
    pub fn board(&self) -> Result<BoardSoFar, ReplayError> {
        let setup = self.terms.ruleset.setup(self.terms.board, self.terms.handicap);
        let mut position = Position::from_setup(&Setup {
            board: self.terms.board,
            stones: PerColor {
                black: setup,
                white: Vec::new(),
            },
        })?;
        let mut history = History::new(&position);
        let mut moves = Vec::with_capacity(self.moves.len());
        for (seq, &(color, vertex)) in (1..).zip(&self.moves) {
            let made = match vertex {
                None => Move::Pass,
                Some(vertex) => {
                    let point = position.geometry().point(vertex);
                    let point = point.ok_or(ReplayError::OffBoard(vertex))?;
                    let played = history.play(&mut position, point, color);
                    played.map_err(|error| ReplayError::BadMove {
                        seq: super::Seq(seq),
                        error,
                    })?;
                    Move::Play(point)
                }
            };
            moves.push((color, made));
        }
        Ok(BoardSoFar {
            position,
            history,
            moves,
        })
    }
}
