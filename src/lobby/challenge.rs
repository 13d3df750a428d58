//! A challenge: one player offers another a game under full terms (L3). It stands for a minute.
//!
//! Whoever answers, withdraws or sweeps asks [`Challenge::step`] what that leads to at the server's time; the store makes sure that
//! one of several at once is the first. A challenge that was accepted has its table from the beginning, so accepting it again
//! leads to the same game.

use crate::clock::{Millis, Timestamp};
use crate::game::{ChallengeId, InviteCode, Opening, Player, PlayerId, PlayerKind, TableId, Terms};
use crate::rules::{Color, PerColor};
use serde::{Deserialize, Serialize};

/// How long a challenge stands.
pub const LIFE: Millis = Millis::from_secs(60);

/// A challenge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Challenge {
    /// Which.
    pub id: ChallengeId,
    /// Who offers the game.
    pub from: Player,
    /// To whom.
    pub to: Player,
    /// What is played.
    pub terms: Terms,
    /// When it was made.
    pub created_at: Timestamp,
    /// How it ended, if it has.
    pub ended: Option<ChallengeEnd>,
    /// The table that it leads to. Nobody is told before it is there.
    pub invite: InviteCode,
    /// The challenger's color, if he has left it to chance.
    pub draw: Color,
}

/// How a challenge ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChallengeEnd {
    /// The game has begun.
    Accepted,
    /// He does not want to.
    Declined,
    /// The challenger does not want to any more.
    Withdrawn,
    /// Nobody has answered for a minute.
    Expired,
    /// One of the two has blocked the other, or takes no such challenges any more.
    Blocked,
}

/// What somebody, or the time, does with a challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChallengeStep {
    /// The challenged accepts.
    Accept,
    /// The challenged declines.
    Decline,
    /// The challenger withdraws.
    Withdraw,
    /// One of the two has blocked the other.
    Block,
    /// Nobody does anything.
    Wait,
}

/// What is true of the two players at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Whether one has blocked the other.
    pub blocked: bool,
    /// Whether the challenged takes challenges of such a player.
    pub welcome: bool,
}

/// Why a challenge is not made or not ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChallengeError {
    /// To himself.
    #[error("one cannot challenge oneself")]
    Oneself,
    /// To one who never answers.
    #[error("the computer is not challenged; open a table against it")]
    Computer,
    /// Rated, and one of them is a guest.
    #[error("rated games are for accounts")]
    NeedsAccount,
    /// One has blocked the other.
    #[error("one of you has blocked the other")]
    Blocked,
    /// The other does not take challenges, or not from guests.
    #[error("this player does not take your challenges")]
    NotAccepting,
    /// It is not the one who may do that.
    #[error("only the other of you may do that")]
    NotHis,
    /// It has ended, otherwise.
    #[error("this challenge has ended")]
    Ended(ChallengeEnd),
}

impl Challenge {
    /// Whether the challenge can be made.
    ///
    /// # Errors
    /// Why not.
    pub fn check(&self, facts: Facts) -> Result<(), ChallengeError> {
        let kinds = [self.from.kind, self.to.kind];
        if self.from.id == self.to.id {
            return Err(ChallengeError::Oneself);
        }
        if self.to.kind == PlayerKind::Computer {
            return Err(ChallengeError::Computer);
        }
        if self.terms.ranked && kinds.contains(&PlayerKind::Guest) {
            return Err(ChallengeError::NeedsAccount);
        }
        match (facts.blocked, facts.welcome) {
            (true, _) => Err(ChallengeError::Blocked),
            (false, false) => Err(ChallengeError::NotAccepting),
            (false, true) => Ok(()),
        }
    }

    /// From when on it is void.
    pub fn expires_at(&self) -> Timestamp {
        self.created_at + LIFE
    }

    /// How the challenge ends by a step of `by` at `now`; `None` when it stays open. One that has ended so already ends so again, with
    /// no effect.
    ///
    /// # Errors
    /// When it is not his to do, or has ended otherwise; `Blocked` and `NotAccepting` are ends as well.
    pub fn step(
        &self,
        step: ChallengeStep,
        by: Option<&PlayerId>,
        facts: Facts,
        now: Timestamp,
    ) -> Result<Option<ChallengeEnd>, ChallengeError> {
        let allowed = match step {
            ChallengeStep::Accept | ChallengeStep::Decline => by == Some(&self.to.id),
            ChallengeStep::Withdraw => by == Some(&self.from.id),
            ChallengeStep::Block | ChallengeStep::Wait => true,
        };
        if !allowed {
            return Err(ChallengeError::NotHis);
        }
        // The server's time decides, whether anybody has swept it or not.
        let expired = (now >= self.expires_at()).then_some(ChallengeEnd::Expired);
        let wanted = match step {
            ChallengeStep::Accept if facts.blocked || !facts.welcome => Some(ChallengeEnd::Blocked),
            ChallengeStep::Accept => Some(ChallengeEnd::Accepted),
            ChallengeStep::Decline => Some(ChallengeEnd::Declined),
            ChallengeStep::Withdraw => Some(ChallengeEnd::Withdrawn),
            ChallengeStep::Block => Some(ChallengeEnd::Blocked),
            ChallengeStep::Wait => None,
        };
        match self.ended {
            // The same again: his answer was lost on the way.
            Some(ended) if Some(ended) == asked_for(step) => Ok(Some(ended)),
            Some(ended) => Err(ChallengeError::Ended(ended)),
            None => Ok(expired.or(wanted)),
        }
    }

    /// The game that an acceptance begins: the color is the challenger's choice.
    pub fn opening(&self) -> Opening {
        let (from, to) = (self.from.clone(), self.to.clone());
        let seats = match self.terms.color.chosen().unwrap_or(self.draw) {
            Color::Black => PerColor {
                black: from,
                white: to,
            },
            Color::White => PerColor {
                black: to,
                white: from,
            },
        };
        Opening {
            terms: self.terms.clone(),
            creator: self.from.clone(),
            invite: self.invite.clone(),
            seats,
        }
    }

    /// The table that it leads to.
    pub fn table(&self) -> &TableId {
        self.invite.table()
    }
}

/// The end that a step asks for, whatever else it may lead to.
fn asked_for(step: ChallengeStep) -> Option<ChallengeEnd> {
    match step {
        ChallengeStep::Accept => Some(ChallengeEnd::Accepted),
        ChallengeStep::Decline => Some(ChallengeEnd::Declined),
        ChallengeStep::Withdraw => Some(ChallengeEnd::Withdrawn),
        ChallengeStep::Block => Some(ChallengeEnd::Blocked),
        ChallengeStep::Wait => None,
    }
}
