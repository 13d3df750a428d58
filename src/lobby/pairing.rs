//! From two who were paired to their game: what the lobby sees through, whatever fails in between.
//!
//! A pairing is stored before anybody is asked. Each player's own object holds his one search and says whether it is still on
//! ([`Claim`]); whoever has said yes is not in two games. When all have, the table is opened, as often as it takes, and then they are
//! told. When one has not, the others go back to the pool, with the time they have waited.

use super::agenda::Claim;
use super::search::Search;
use crate::game::{Opening, Player, PlayerId, SearchId, TableId};
use serde::{Deserialize, Serialize};

/// Two who were paired, or one and the computer, and how far their game has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pairing {
    /// The game that they are to have.
    pub opening: Opening,
    /// Their searches.
    pub searches: Vec<Paired>,
    /// How far it has come.
    pub stage: PairingStage,
}

/// One of a pairing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Paired {
    /// Whose search.
    pub player: PlayerId,
    /// Which search.
    pub search: SearchId,
}

/// How far a pairing has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PairingStage {
    /// They are asked whether they still search.
    Claiming,
    /// All do: the table is opened, and they are told.
    Agreed,
    /// Somebody does not: the others are released.
    Dropped,
}

/// What the players' answers come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The game begins.
    Agreed,
    /// Somebody has not answered: they are asked again.
    Unknown,
    /// There will be no game. Those who search no more leave the pool; those who are away are left in peace for a moment.
    Dropped {
        /// Who has left.
        left: Vec<SearchId>,
        /// Who is away.
        away: Vec<SearchId>,
    },
}

impl Pairing {
    /// Those who search, and their game.
    pub fn new(searches: &[&Search], opening: Opening) -> Pairing {
        let paired = searches.iter().map(|search| Paired {
            player: search.player.id.clone(),
            search: search.id.clone(),
        });
        Pairing {
            opening,
            searches: paired.collect(),
            stage: PairingStage::Claiming,
        }
    }

    /// The table of the game.
    pub fn table(&self) -> &TableId {
        self.opening.invite.table()
    }

    /// The opponent of one of them.
    pub fn opponent_of(&self, player: &PlayerId) -> &Player {
        let seats = &self.opening.seats;
        if seats.black.id == *player {
            &seats.white
        } else {
            &seats.black
        }
    }

    /// What the answers come to; `None` for one that has not come. One who has left decides it, whatever the others say.
    pub fn decide(&self, answers: &[Option<Claim>]) -> Decision {
        let of = |claim| {
            let given = self.searches.iter().zip(answers);
            let given = given.filter(move |(_, answer)| **answer == Some(claim));
            given.map(|(paired, _)| paired.search.clone()).collect::<Vec<_>>()
        };
        let (left, away) = (of(Claim::No), of(Claim::Away));
        if !left.is_empty() || !away.is_empty() {
            return Decision::Dropped { left, away };
        }
        match of(Claim::Yes).len() == self.searches.len() {
            true => Decision::Agreed,
            false => Decision::Unknown,
        }
    }
}
