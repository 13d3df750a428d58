//! What the score would be if the game ended now: for the players, where their ruleset shows it (G7, T13).

use super::event::{Event, EventKind};
use super::ids::PlayerId;
use super::refusal::Refusal;
use super::result::{Score, Verdict};
use super::table::{Phase, Table};
use crate::rules::{PerColor, Vertex};
use crate::ruleset::Preview;
use serde::Serialize;

/// The score as it would be if the game ended now.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScorePreview {
    /// The number of moves made.
    turn: u32,
    /// The count.
    score: Score,
    /// What it takes for dead.
    dead: PerColor<Vec<Vertex>>,
}

impl Table {
    /// Whether this player may see a preview now.
    ///
    /// # Errors
    /// Why not.
    pub fn check_preview(&self, by: &PlayerId) -> Result<(), Refusal> {
        if self.terms.ruleset.preview == Preview::No {
            return Err(Refusal::NoPreview);
        }
        if self.phase != Phase::Playing {
            return Err(Refusal::WrongState);
        }
        self.seat_of(by).map(|_| ()).ok_or(Refusal::Forbidden)
    }

    /// Who is to be shown a preview after these events, which are the newest: whoever's opponent has just passed. The
    /// computer is shown none.
    pub fn preview_after(&self, events: &[Event]) -> Option<&PlayerId> {
        let passed = matches!(events.first()?.kind, EventKind::Passed { .. });
        let player = &self.seats.as_ref()?.get(self.to_move).id;
        let person = self.computer().is_none_or(|(color, _)| color != self.to_move);
        (passed && person && self.check_preview(player).is_ok()).then_some(player)
    }

    /// The preview that a verdict on the present position leads to.
    pub fn preview(&self, verdict: &Verdict) -> ScorePreview {
        let score = self.score(&verdict.dead);
        ScorePreview {
            turn: self.turn(),
            dead: score.dead.clone(),
            score,
        }
    }
}
