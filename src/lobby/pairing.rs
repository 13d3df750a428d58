//! From two who were paired to their game: what the lobby sees through, whatever fails in between.
//!
//! A pairing is stored before anybody is asked. Each player's own object holds his one search. It is asked twice: to keep every other
//! pairing away from him ([`Question::Claim`]), and, when all are in, to see to it that nothing else begins for him
//! ([`Question::Commit`]). Then the table is opened, as often as it takes, and they are told. If one of them is not in, the others
//! go back to the pool, each as soon as his object has heard of it, with the time that they have waited.

use super::lease::{CLAIM_LIMIT, Claim, Pace, Promise};
use super::search::Search;
use crate::clock::{Millis, TimeControl, Timestamp};
use crate::game::{Opening, Player, PlayerId, SearchId, TableId};
use serde::{Deserialize, Serialize};

/// How often somebody's object is asked in vain before the pairing is dropped.
const MOST_TRIES: u32 = 3;

/// How long before the players' objects forget their promises no game is opened any more: longer than a call may take.
const TOO_LATE: Millis = Millis::from_secs(20);

/// Two who were paired, or one and the computer, and how far their game has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pairing {
    /// The game that they are to have.
    pub opening: Opening,
    /// Their searches; of a pairing that is dropped, those that have not been released yet.
    pub searches: Vec<Paired>,
    /// How far it has come.
    pub stage: PairingStage,
}

/// The time of one that was stored without.
fn never() -> Timestamp {
    Timestamp::from_millis(i64::MAX)
}

/// One of a pairing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Paired {
    /// Whose search.
    pub player: PlayerId,
    /// Which search.
    pub search: SearchId,
    /// When the search is over.
    #[serde(default = "never")]
    pub expires_at: Timestamp,
}

/// How far a pairing has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PairingStage {
    /// They are asked whether they still search.
    Claiming,
    /// All do: they are asked to let nothing else begin.
    Committing,
    /// Nothing else will: the table is opened, and they are told.
    Agreed,
    /// Somebody is not in: the others are released.
    Dropped,
}

/// What is to be done for a pairing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// To ask each whether he still searches.
    Claim,
    /// To ask each to let nothing else begin.
    Commit,
    /// To open the table, and tell each.
    Open,
    /// To release each.
    Release,
    /// To forget it: by now everybody has forgotten his promise.
    Forget,
}

/// What the players' answers come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// The pairing is a stage further.
    Further,
    /// Somebody has not answered: they are asked again.
    Again,
    /// There will be no game.
    Dropped {
        /// Who searches no more: he leaves the pool.
        left: Vec<SearchId>,
        /// Who is away: he is left in peace for a moment.
        away: Vec<SearchId>,
        /// Whose object has not answered: he is left in peace for longer.
        silent: Vec<SearchId>,
    },
}

impl Pairing {
    /// Those who search, and their game.
    pub fn new(searches: &[&Search], opening: Opening) -> Pairing {
        let paired = searches.iter().map(|search| Paired {
            player: search.player.id.clone(),
            search: search.id.clone(),
            expires_at: search.expires_at(),
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

    /// What is asked of one of them.
    pub fn promise(&self, paired: &Paired) -> Promise {
        let computer = self.opening.terms.opponent.is_computer();
        let timed = self.opening.terms.clock != TimeControl::None;
        Promise {
            search: paired.search.clone(),
            table: self.table().clone(),
            pace: match timed && !computer {
                true => Pace::Pressing,
                false => Pace::Casual,
            },
        }
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

    /// What is to be done now. A pairing whose time is over is dropped: nobody is to find himself in a game for which he does not wait any
    /// more, nor in one that nobody has promised any more.
    pub fn question(&mut self, now: Timestamp) -> Question {
        let expiries = self.searches.iter().map(|paired| paired.expires_at);
        let (first, last) = (expiries.clone().min(), expiries.max());
        let (first, last) = (first.unwrap_or(never()), last.unwrap_or(never()));
        let last_moment = match self.stage {
            PairingStage::Claiming | PairingStage::Committing => first,
            PairingStage::Agreed | PairingStage::Dropped => {
                first + Millis::new(CLAIM_LIMIT.get() - TOO_LATE.get())
            }
        };
        if last_moment <= now {
            self.stage = PairingStage::Dropped;
        }
        match self.stage {
            PairingStage::Claiming => Question::Claim,
            PairingStage::Committing => Question::Commit,
            PairingStage::Agreed => Question::Open,
            PairingStage::Dropped if last + CLAIM_LIMIT <= now => Question::Forget,
            PairingStage::Dropped => Question::Release,
        }
    }

    /// Takes the answers to a question; `None` for one that has not come. `tries` is how often it was asked in vain before. One who is not
    /// in decides it, whatever the others say.
    pub fn hear(&mut self, answers: &[Option<Claim>], tries: u32) -> Heard {
        let of = |wanted: &[Option<Claim>]| {
            let given = self.searches.iter().zip(answers);
            let given = given.filter(|(_, answer)| wanted.contains(answer));
            given.map(|(paired, _)| paired.search.clone()).collect::<Vec<_>>()
        };
        let (left, away) = (of(&[Some(Claim::No)]), of(&[Some(Claim::Away)]));
        let silent = of(&[None, Some(Claim::Unknown)]);
        let all_in = of(&[Some(Claim::Yes)]).len() == self.searches.len();
        if all_in {
            self.stage = match self.stage {
                PairingStage::Claiming => PairingStage::Committing,
                PairingStage::Committing | PairingStage::Agreed => PairingStage::Agreed,
                PairingStage::Dropped => PairingStage::Dropped,
            };
            return Heard::Further;
        }
        if left.is_empty() && away.is_empty() && tries + 1 < MOST_TRIES {
            return Heard::Again;
        }
        self.stage = PairingStage::Dropped;
        Heard::Dropped { left, away, silent }
    }

    /// Somebody has heard that there will be no game: he may be paired again. Says whether all have.
    pub fn released(&mut self, paired: &Paired) -> bool {
        self.searches.retain(|other| other != paired);
        self.searches.is_empty()
    }
}
