//! One who searches for an opponent.

use crate::clock::{Millis, TimeControl, Timestamp};
use crate::game::{Level, Opponent, Parties, Player, SearchId, Terms, TermsError, TermsRequest};
use crate::rules::Board;
use serde::{Deserialize, Serialize};

/// How long a search goes on (L2).
pub const LIFE: Millis = Millis::from_secs(5 * 60);

/// The rating that whoever has none is taken to have (E1, L2).
pub const UNRATED: i32 = 1200;

/// How far apart, in Elo points, two may be who have just come. At 100 the weaker still wins a game in three.
const FIRST_WINDOW: i64 = 100;

/// By how many points a second of waiting widens it: after a minute a thousand points apart will do.
const WIDENS_BY: i64 = 15;

/// How strong the computer plays as a stand-in.
const STAND_IN: Level = Level::Normal;

/// What a client searches for: what is left out takes the ruleset's default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchRequest {
    ruleset: String,
    board: Option<Board>,
    clock: Option<TimeControl>,
    ranked: Option<bool>,
    computer_after_ms: Option<u32>,
}

/// One who searches for an opponent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Search {
    /// Which search.
    pub id: SearchId,
    /// Who.
    pub player: Player,
    /// What is to be played.
    pub terms: Terms,
    /// Since when.
    pub since: Timestamp,
    /// From when on the computer may stand in, if it may.
    pub computer_at: Option<Timestamp>,
}

impl SearchRequest {
    /// The search, if the ruleset allows its terms.
    ///
    /// # Errors
    /// The first field that it does not allow.
    pub fn grant(self, id: SearchId, player: Player, now: Timestamp) -> Result<Search, TermsError> {
        let terms = TermsRequest::even(self.ruleset, self.board, self.clock, self.ranked);
        let terms = terms.grant(Parties {
            creator: &player.id,
            challenged: None,
        })?;
        Ok(Search {
            id,
            player,
            terms,
            since: now,
            computer_at: self
                .computer_after_ms
                .map(|after| now + Millis::new(i64::from(after))),
        })
    }
}

impl Search {
    /// From when on it is over.
    pub fn expires_at(&self) -> Timestamp {
        self.since + LIFE
    }

    /// How strong the player is under this ruleset, in whole Elo points.
    pub fn rating(&self) -> i32 {
        let rating = self.player.ratings.get(self.terms.ruleset.id);
        rating.map_or(UNRATED, |rating| rating.rating.round() as i32)
    }

    /// Whether two look for the same game.
    pub fn fits(&self, other: &Search) -> bool {
        let (one, other) = (&self.terms, &other.terms);
        (one.ruleset.id, one.board, one.ranked) == (other.ruleset.id, other.board, other.ranked)
            && one.clock == other.clock
    }

    /// How far apart their ratings are.
    pub fn distance(&self, other: &Search) -> u32 {
        self.rating().abs_diff(other.rating())
    }

    /// The terms of the game against the computer that stands in: never rated.
    pub fn stand_in_terms(&self) -> Terms {
        Terms {
            opponent: Opponent::Computer { level: STAND_IN },
            ranked: false,
            ..self.terms.clone()
        }
    }

    /// The computer that stands in.
    pub fn stand_in() -> Player {
        Player::computer(STAND_IN)
    }
}

/// How far away, in Elo points, an opponent may be for one who has waited this long.
pub fn window(waited: Millis) -> u32 {
    let points = FIRST_WINDOW + WIDENS_BY * waited.get().max(0) / 1000;
    u32::try_from(points).unwrap_or(u32::MAX)
}

/// How long one has to wait until an opponent that far away will do.
pub(super) fn wait_for(distance: u32) -> Millis {
    let beyond = (i64::from(distance) - FIRST_WINDOW).max(0);
    Millis::new((beyond * 1000 + WIDENS_BY - 1) / WIDENS_BY)
}
