//! What a table tells beyond its own sockets: to its players' channels how it stands, and to the lobby whether it is open.
//!
//! Both are told in full, with the number of the event as of which they hold, so that a newer one says everything that an
//! older one would have said: they may be sent twice, late or out of order.

use super::event::{Event, EventKind, Seq};
use super::ids::{InviteCode, PlayerId, TableId};
use super::opponent::Opponent;
use super::player::{Player, PlayerKind};
use super::result::{EndedBy, GameResult};
use super::table::{Phase, Table};
use super::terms::Visibility;
use super::view::Summary;
use crate::clock::{TimeControl, Timestamp};
use crate::rules::{Board, Color};
use crate::ruleset::Ruleset;
use serde::{Deserialize, Serialize};

/// How a table stands for one of its players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// Which table.
    pub table_id: TableId,
    /// As of which event.
    pub seq: Seq,
    /// What the table is doing.
    pub state: Stage,
    /// Under which ruleset.
    pub ruleset: &'static Ruleset,
    /// On which board.
    pub board: Board,
    /// Whether the game counts for Elo.
    pub ranked: bool,
    /// Whether there is a clock.
    pub timed: bool,
    /// Who may see the table.
    pub visibility: Visibility,
    /// Whether the player made the table.
    pub own: bool,
    /// What he plays, from the start on.
    pub color: Option<Color>,
    /// Against whom, from the start on.
    pub opponent: Option<Player>,
    /// The number of moves made.
    pub turn: u32,
    /// Whether it is his turn.
    pub your_turn: bool,
    /// Whether he has the table open on one of his devices.
    pub open: bool,
    /// When the table was made.
    pub created_at: Timestamp,
    /// When the game began.
    pub started_at: Option<Timestamp>,
    /// When it ended, or the table closed.
    pub ended_at: Option<Timestamp>,
    /// How it ended.
    pub result: Option<ShortResult>,
    /// Where the players stand with playing again.
    pub rematch: Option<RematchStanding>,
}

/// What a table is doing (T1), without what is in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Its creator waits for an opponent.
    Waiting,
    /// The game goes on.
    Playing,
    /// The board is counted.
    Counting,
    /// The game is over.
    Finished,
    /// Closed before it began.
    Closed,
}

/// A result without its count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShortResult {
    /// Who won; nobody in a draw.
    pub winner: Option<Color>,
    /// By what.
    pub by: EndedBy,
    /// As SGF's `RE` writes it.
    pub sgf: String,
}

/// Where the players stand with playing again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "state")]
pub enum RematchStanding {
    /// Somebody proposes it.
    Offered {
        /// Who.
        by: Color,
    },
    /// They play again.
    Agreed {
        /// Where.
        next: TableId,
        /// What opens that table.
        invite: InviteCode,
    },
}

/// A table that stands open to everybody, or does not any more (L1).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Offer {
    /// Which table.
    pub table_id: TableId,
    /// As of which event.
    pub seq: Seq,
    /// Which of several as of the same event it is, since people come and go without one: a newer one has a higher rank.
    #[serde(default)]
    pub rank: u64,
    /// What the table is doing.
    pub state: Stage,
    /// Who made it.
    pub creator: PlayerId,
    /// Whether he has the table open.
    pub creator_is_here: bool,
    /// How many watch.
    pub spectators: usize,
    /// The table as lists show it.
    pub summary: serde_json::Value,
}

impl Offer {
    /// Whether another of the same table says something newer.
    pub fn is_older_than(&self, other: &Offer) -> bool {
        (self.seq, self.rank) < (other.seq, other.rank)
    }
}

impl Stage {
    /// Whether nothing more will be played there.
    pub fn is_over(self) -> bool {
        match self {
            Stage::Waiting | Stage::Playing | Stage::Counting => false,
            Stage::Finished | Stage::Closed => true,
        }
    }
}

impl Standing {
    /// Whether it is a game that wants its player now: one with a clock, against a person (T3).
    pub fn is_pressing(&self) -> bool {
        let person = self
            .opponent
            .as_ref()
            .is_some_and(|opponent| opponent.kind != PlayerKind::Computer);
        self.timed && person
    }
}

impl Phase {
    /// What the table is doing, without what is in it.
    pub fn stage(&self) -> Stage {
        match self {
            Phase::Waiting => Stage::Waiting,
            Phase::Playing => Stage::Playing,
            Phase::Marking(_) | Phase::Counting(_) => Stage::Counting,
            Phase::Finished(_) => Stage::Finished,
            Phase::Closed => Stage::Closed,
        }
    }
}

impl GameResult {
    fn short(&self) -> ShortResult {
        ShortResult {
            winner: self.winner,
            by: self.by,
            sgf: self.sgf.clone(),
        }
    }
}

impl Table {
    /// The people whom the table concerns: its players, or its creator while it waits.
    pub fn concerns(&self) -> Vec<&Player> {
        let mut people: Vec<&Player> = match &self.seats {
            Some(seats) => vec![&seats.black, &seats.white],
            None => vec![&self.creator],
        };
        people.retain(|player| player.kind != PlayerKind::Computer);
        people
    }

    /// How the table stands for one of its people; `open` is whether he has it open.
    pub fn standing(&self, player: &PlayerId, open: bool) -> Standing {
        let color = self.seat_of(player);
        let opponent = color.and_then(|color| {
            self.seats
                .as_ref()
                .map(|seats| seats.get(color.opponent()).clone())
        });
        Standing {
            table_id: self.id.clone(),
            seq: self.seq,
            state: self.phase.stage(),
            ruleset: self.terms.ruleset,
            board: self.terms.board,
            ranked: self.terms.ranked,
            timed: self.terms.clock != TimeControl::None,
            visibility: self.terms.visibility,
            own: self.creator.id == *player,
            color,
            opponent,
            turn: self.turn(),
            your_turn: self.is_turn_of(player),
            open,
            created_at: self.created_at,
            started_at: self.started_at,
            ended_at: self.ended_at,
            result: self.result().map(GameResult::short),
            rematch: self.rematch_standing(),
        }
    }

    fn rematch_standing(&self) -> Option<RematchStanding> {
        if let Some((_, invite)) = &self.rematch.agreed {
            let next = invite.table().clone();
            let invite = invite.clone();
            return Some(RematchStanding::Agreed { next, invite });
        }
        let offers = &self.rematch.offers;
        let by = Color::BOTH
            .into_iter()
            .find(|&color| offers.get(color).is_some())?;
        Some(RematchStanding::Offered { by })
    }

    /// The table for the lobby, if it ever stood there.
    ///
    /// # Errors
    /// When its summary cannot be serialised.
    pub fn offer(&self, creator_is_here: bool, spectators: usize) -> serde_json::Result<Option<Offer>> {
        let terms = &self.terms;
        if terms.visibility != Visibility::Public || terms.opponent != Opponent::Anyone {
            return Ok(None);
        }
        let summary: Summary = self.summary();
        Ok(Some(Offer {
            table_id: self.id.clone(),
            seq: self.seq,
            rank: 0,
            state: self.phase.stage(),
            creator: self.creator.id.clone(),
            creator_is_here,
            spectators,
            summary: serde_json::to_value(&summary)?,
        }))
    }
}

impl Event {
    /// Whether the players' channels are told of it, wherever the players are.
    pub fn changes_standing(&self) -> bool {
        match self.kind {
            EventKind::RematchOffered { .. }
            | EventKind::RematchDeclined { .. }
            | EventKind::Rematch { .. } => true,
            _ => self.changes_summary(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn l1_of_two_offers_as_of_one_event_the_one_made_later_is_newer() {
        let offer = |seq, rank| Offer {
            table_id: TableId::from_seed([1; 16]),
            seq: Seq(seq),
            rank,
            state: Stage::Waiting,
            creator: PlayerId::from_seed([2; 16]),
            creator_is_here: rank % 2 == 1,
            spectators: 0,
            summary: serde_json::Value::Null,
        };
        let told = [offer(1, 10), offer(1, 11), offer(2, 5), offer(2, 6)];
        for (number, one) in told.iter().enumerate() {
            for (other_number, other) in told.iter().enumerate() {
                assert_eq!(one.is_older_than(other), number < other_number);
            }
        }
        // One of an earlier Hoshi has no rank.
        let mut old = serde_json::to_value(offer(1, 7)).expect("an offer");
        old.as_object_mut().expect("an object").remove("rank");
        let old: Offer = serde_json::from_value(old).expect("still read");
        assert!(old.is_older_than(&offer(1, 1)));
    }
}
