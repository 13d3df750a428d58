//! What a table answers about itself, and when it wants to be looked at.

use super::event::{Event, EventKind, Forbidden, ForbiddenWhy, Seq};
use super::ids::{PlayerId, TableId};
use super::player::Player;
use super::table::{MoveMade, Phase, Table};
use super::terms::Terms;
use super::tick;
use crate::clock::{Millis, Timestamp};
use crate::rules::{Color, History, PerColor, Position};
use crate::ruleset::DeadChains;

/// After how many events a table refuses what costs its sender nothing and so would never end: takebacks against the
/// computer. All else has its own limit (moves, requests, marks, lines of chat), so what is stored and replayed of a
/// table is bounded. Some three thousand takebacks: nobody who plays comes near.
pub(super) const MOST_EVENTS: u32 = 10_000;

impl Table {
    /// Whether the table takes one more of what costs nothing ([`MOST_EVENTS`]).
    pub(super) fn has_room(&self) -> bool {
        self.seq.0 < MOST_EVENTS
    }

    /// The table's id.
    pub fn id(&self) -> &TableId {
        &self.id
    }

    /// What is played.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Who made the table.
    pub fn creator(&self) -> &Player {
        &self.creator
    }

    /// What the table is doing.
    pub fn phase(&self) -> &Phase {
        &self.phase
    }

    /// The number of the newest event.
    pub fn seq(&self) -> Seq {
        self.seq
    }

    /// The number of moves made.
    pub fn turn(&self) -> u32 {
        self.moves.len() as u32
    }

    /// Whose turn it is, or would be.
    pub fn to_move(&self) -> Color {
        self.to_move
    }

    /// Who moves after a move of `mover` that makes it `turn` moves: his opponent, unless Black's opening stones come
    /// first (H4).
    pub(super) fn next_to_move(&self, mover: Color, turn: u32) -> Color {
        match self.opening_stones_left_at(turn) {
            0 => mover.opponent(),
            _ => Color::Black,
        }
    }

    /// How many opening stones are still to be played.
    pub fn opening_stones_left(&self) -> u8 {
        self.opening_stones_left_at(self.turn())
    }

    fn opening_stones_left_at(&self, turn: u32) -> u8 {
        let stones = self.terms.ruleset.opening_stones(self.terms.handicap);
        stones.saturating_sub(u8::try_from(turn).unwrap_or(u8::MAX))
    }

    /// The moves since play was resumed last, or all of them.
    pub(super) fn moves_since_resumption(&self) -> &[MoveMade] {
        self.moves.get(self.resumed_at as usize..).unwrap_or_default()
    }

    /// How often play may still be resumed after a marking.
    pub(super) fn resumptions_left(&self) -> u32 {
        match self.terms.ruleset.dead_chains {
            DeadChains::Players { resumptions, .. } => resumptions.saturating_sub(self.resumptions),
            DeadChains::Assessor { .. } => 0,
        }
    }

    /// How long the players may mark; `None` where they are not asked.
    pub(super) fn marking_life(&self) -> Option<Millis> {
        match self.terms.ruleset.dead_chains {
            DeadChains::Players { resumes_after, .. } => Some(self.marking_life.unwrap_or(resumes_after)),
            DeadChains::Assessor { .. } => None,
        }
    }

    /// The stones on the board.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The moves made, oldest first.
    pub fn moves(&self) -> &[MoveMade] {
        &self.moves
    }

    /// Who plays which color; `None` before the start.
    pub fn seats(&self) -> Option<&PerColor<Player>> {
        self.seats.as_ref()
    }

    /// When the table was made, when the game began, and when it ended or the table closed.
    pub fn times(&self) -> (Timestamp, Option<Timestamp>, Option<Timestamp>) {
        (self.created_at, self.started_at, self.ended_at)
    }

    /// The color that a player plays, from the start on.
    pub fn seat_of(&self, player: &PlayerId) -> Option<Color> {
        let seats = self.seats.as_ref()?;
        Color::BOTH
            .into_iter()
            .find(|&color| seats.get(color).id == *player)
    }

    /// Where `color` may not play now, with why (B6).
    pub(super) fn forbidden(history: &History, position: &Position, color: Color) -> Vec<Forbidden> {
        let geometry = position.geometry();
        let points = history.forbidden(position, color).into_iter();
        let named = points.filter_map(|(point, error)| {
            Some(Forbidden {
                point: geometry.vertex(point),
                why: ForbiddenWhy::from_error(error)?,
            })
        });
        named.collect()
    }

    /// When the table wants to be looked at, whatever comes before: a flag falls, a request becomes void, the time for
    /// marking chains is over, or an answer that it waits for has not come.
    pub fn next_deadline(&self) -> Option<Timestamp> {
        tick::next_deadline(self)
    }

    /// From when on the table has a question for others: the assessor's verdict, the computer's move.
    pub fn question_due(&self) -> Option<Timestamp> {
        let computer = self.computer_task().map(|task| task.since);
        self.assessment_due().or(computer)
    }

    /// Whether the table is one of this player's that waits for an opponent.
    pub fn waits_for(&self, player: &PlayerId) -> bool {
        self.phase == Phase::Waiting && self.creator.id == *player
    }

    /// Events with the next numbers, all at one moment; but none before an event that is stored already, if the server's
    /// time has stepped back.
    pub(super) fn number(&self, kinds: Vec<EventKind>, at: Timestamp) -> Vec<Event> {
        let at = at.max(self.last_at);
        let numbered = kinds.into_iter().scan(self.seq, |seq, kind| {
            *seq = seq.next();
            Some(Event { seq: *seq, at, kind })
        });
        numbered.collect()
    }
}
