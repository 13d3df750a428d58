//! What a thinker is doing: one of the pure searches, from the question to the reply.

use super::call::{Question, Reply, Wanted};
use crate::assess::{self, Assessment, Assessor};
use crate::bot::{Choice, Ending, Level, Search, Situation};
use crate::game::{AssessedBy, BoardSoFar, GameSoFar};
use crate::rules::{Geometry, PerColor};
use crate::ruleset::Ending as PlayEnds;
use worker::{Error, Result};

/// A piece of work, done in slices of some ten milliseconds.
pub(super) struct Thought {
    geometry: &'static Geometry,
    work: Work,
}

enum Work {
    Judging(Box<Assessor>),
    Choosing(Box<Search>),
}

impl Thought {
    /// Begins to think.
    ///
    /// # Errors
    /// When the moves of the game cannot be made; those of a table always can.
    pub(super) fn new(question: &Question) -> Result<Thought> {
        let board = question.game.board();
        let board = board.map_err(|error| Error::from(error.to_string()))?;
        let ruleset = question.game.terms.ruleset;
        let work = match question.wanted {
            Wanted::Verdict => Work::Judging(Box::new(Assessor::new(&board.position, ruleset.removes()))),
            Wanted::Move { level, seed } => {
                Work::Choosing(Box::new(search(&question.game, &board, level, seed)))
            }
        };
        let geometry = board.position.geometry();
        Ok(Thought { geometry, work })
    }

    /// Does a slice of the work, and returns the reply when it was the last.
    pub(super) fn work(&mut self) -> Option<Reply> {
        match &mut self.work {
            Work::Judging(assessor) => assessor.work().map(|found| verdict(self.geometry, &found)),
            Work::Choosing(search) => search.work().map(|choice| match choice {
                Choice::Play(point) => Reply::Play {
                    point: self.geometry.vertex(point),
                },
                Choice::Pass => Reply::Pass,
                Choice::Resign => Reply::Resign,
            }),
        }
    }
}

fn search(game: &GameSoFar, board: &BoardSoFar, level: Level, seed: u32) -> Search {
    let situation = Situation {
        position: &board.position,
        history: &board.history,
        to_move: game.to_move,
        komi: game.terms.komi_by_area(),
        last: board
            .moves
            .iter()
            .skip(game.resumed_at as usize)
            .last()
            .map(|&(_, made)| made),
        white_passes_last: game.terms.ruleset.ending == PlayEnds::TwoPassesWhiteLast,
        opening_stones: game.opening_stones,
        ending: match game.stones_stay {
            true => Ending::AllStonesStay,
            false => Ending::DeadStonesGo(game.terms.ruleset.removes()),
        },
    };
    Search::new(&situation, level, seed.into())
}

fn verdict(geometry: &Geometry, found: &Assessment) -> Reply {
    let names = |stones: &Vec<_>| stones.iter().map(|&stone| geometry.vertex(stone)).collect();
    Reply::Verdict {
        dead: PerColor {
            black: names(&found.dead.black),
            white: names(&found.dead.white),
        },
        assessed_by: AssessedBy {
            engine: assess::ENGINE.to_owned(),
            network: None,
            version: assess::VERSION.to_owned(),
            certainty: found.certainty(),
            fallback: false,
        },
    }
}
