//! What a table is played under: as a client asks for it, and as the ruleset grants it (T1).

use super::opponent::Opponent;
use super::player::PlayerKind;
use crate::clock::{ClockRule, SettingError, TimeControl};
use crate::rules::{Board, HalfPoints};
use crate::ruleset::{ColorChoice, RequestKind, Ruleset};
use serde::{Deserialize, Serialize};

/// The terms of a table. Only [`TermsRequest::grant`] makes them, so they are always the ruleset's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Terms {
    /// The way to play.
    pub ruleset: &'static Ruleset,
    /// The board.
    pub board: Board,
    /// What White gets.
    pub komi: HalfPoints,
    /// 0 for an even game; else as the ruleset reads it.
    pub handicap: u8,
    /// The clock.
    pub clock: TimeControl,
    /// Whether the game counts for Elo.
    pub ranked: bool,
    /// What the creator asked for.
    pub color: ColorChoice,
    /// Who may see the table.
    pub visibility: Visibility,
    /// Who may sit down.
    pub opponent: Opponent,
}

/// Who may see a table (T2, T4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Everybody; a waiting table is in the list.
    Public,
    /// The players, and whoever holds the invite.
    Private,
}

/// Terms as a client asks for them: what is left out takes the ruleset's default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TermsRequest {
    ruleset: String,
    board: Option<Board>,
    komi: Option<HalfPoints>,
    handicap: Option<u8>,
    clock: Option<TimeControl>,
    ranked: Option<bool>,
    color: Option<ColorChoice>,
    visibility: Option<Visibility>,
    opponent: Option<Opponent>,
}

/// Why terms are not granted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TermsError {
    /// No ruleset of that name.
    #[error("there is no ruleset \"{0}\"")]
    UnknownRuleset(String),
    /// The ruleset does not allow what one field asks for.
    #[error("{detail}")]
    NotAllowed {
        /// The field.
        field: &'static str,
        /// What would be allowed, for people.
        detail: String,
    },
    /// A setting of the clock that no clock can have (C1).
    #[error("{0}")]
    BadClock(SettingError),
    /// A setting of the clock that the ruleset does not allow.
    #[error("in {ruleset}, {error}")]
    ClockNotAllowed {
        /// The ruleset's name on the wire.
        ruleset: &'static str,
        /// The setting, and what it may be.
        error: SettingError,
    },
}

impl Terms {
    /// Whether a player of this kind may sit down: rated games are for accounts (E1).
    pub fn takes(&self, kind: PlayerKind) -> bool {
        match kind {
            PlayerKind::Account => true,
            PlayerKind::Guest | PlayerKind::Computer => !self.ranked,
        }
    }

    /// Whether a player may ask for that under these terms: what the ruleset has, but no takebacks in a rated game (T8);
    /// against the computer one may always take back (T9).
    pub fn allow_request(&self, kind: RequestKind) -> bool {
        let offered = self.ruleset.requests.contains(&kind);
        match kind {
            RequestKind::Takeback => !self.ranked && (offered || self.opponent.is_computer()),
            RequestKind::Draw | RequestKind::Score => offered,
        }
    }
}

impl TermsRequest {
    /// What a search asks for: an even game, in which everything else is as the ruleset has it.
    pub fn even(
        ruleset: String,
        board: Option<Board>,
        clock: Option<TimeControl>,
        ranked: Option<bool>,
    ) -> TermsRequest {
        TermsRequest {
            ruleset,
            board,
            clock,
            ranked,
            komi: None,
            handicap: None,
            color: None,
            visibility: None,
            opponent: None,
        }
    }

    /// The terms, if the ruleset allows them (T1).
    ///
    /// # Errors
    /// The first field that the ruleset does not allow.
    pub fn grant(self) -> Result<Terms, TermsError> {
        let ruleset = Ruleset::by_id(&self.ruleset).ok_or(TermsError::UnknownRuleset(self.ruleset))?;
        let id = ruleset.id;
        let board = self
            .board
            .or(ruleset.default_board())
            .filter(|&board| ruleset.allows_board(board));
        let board = board.ok_or_else(|| not_allowed("board", format!("{id} is not played on that board")))?;
        let handicap = grant_handicap(ruleset, board, self.handicap.unwrap_or(0))?;
        let komi = grant_komi(ruleset, handicap, self.komi)?;
        let opponent = self.opponent.unwrap_or(Opponent::Anyone);
        let clock = grant_clock(ruleset, opponent, self.clock)?;
        // Against the computer every color may be chosen (A2).
        let colors = match opponent {
            Opponent::Anyone => ruleset.colors,
            Opponent::Computer { .. } => &ColorChoice::EVERY,
        };
        let color = one_of("color", id, colors, self.color)?;
        let ranked = self.ranked.unwrap_or(false);
        if ranked && !ruleset.ranked {
            return Err(not_allowed("ranked", format!("games of {id} are not rated")));
        }
        if ranked && opponent.is_computer() {
            return Err(not_allowed(
                "ranked",
                "games against the computer are never rated".to_owned(),
            ));
        }
        let visibility = self.visibility.unwrap_or(Visibility::Public);
        Ok(Terms {
            ruleset,
            board,
            komi,
            handicap,
            clock,
            ranked,
            color,
            visibility,
            opponent,
        })
    }
}

fn not_allowed(field: &'static str, detail: String) -> TermsError {
    TermsError::NotAllowed { field, detail }
}

fn grant_handicap(ruleset: &Ruleset, board: Board, handicap: u8) -> Result<u8, TermsError> {
    match ruleset.handicaps(board).contains(&handicap) {
        true => Ok(handicap),
        false => Err(not_allowed(
            "handicap",
            format!("{} has no handicap {handicap} on {board}", ruleset.id),
        )),
    }
}

fn grant_komi(ruleset: &Ruleset, handicap: u8, asked: Option<HalfPoints>) -> Result<HalfPoints, TermsError> {
    let rule = &ruleset.komi;
    let komi = asked.unwrap_or(if handicap == 0 {
        rule.default
    } else {
        rule.default_with_handicap
    });
    match rule.least <= komi && komi <= rule.most {
        true => Ok(komi),
        false => {
            let range = format!(
                "the komi of {} is from {} to {}",
                ruleset.id, rule.least, rule.most
            );
            Err(not_allowed("komi", range))
        }
    }
}

/// The clock: within the bounds of every clock first, so that a number out of all reason is told apart from one that
/// only this ruleset lacks.
///
/// Against the computer none is needed, under any ruleset.
fn grant_clock(
    ruleset: &Ruleset,
    opponent: Opponent,
    asked: Option<TimeControl>,
) -> Result<TimeControl, TermsError> {
    let default = match opponent {
        Opponent::Anyone => ruleset.clocks.default,
        Opponent::Computer { .. } => TimeControl::None,
    };
    let clock = asked.unwrap_or(default);
    ClockRule::EVERY.check(&clock).map_err(TermsError::BadClock)?;
    if opponent.is_computer() && clock == TimeControl::None {
        return Ok(clock);
    }
    let allowed = ruleset.clocks.check(&clock);
    allowed.map_err(|error| TermsError::ClockNotAllowed {
        ruleset: ruleset.id,
        error,
    })?;
    Ok(clock)
}

/// What is asked for, if it is among the values allowed; the first of them when nothing is asked for.
fn one_of<T: Copy + PartialEq>(
    field: &'static str,
    ruleset: &str,
    allowed: &[T],
    asked: Option<T>,
) -> Result<T, TermsError> {
    let granted = match asked {
        Some(value) => allowed.contains(&value).then_some(value),
        None => allowed.first().copied(),
    };
    granted.ok_or_else(|| not_allowed(field, format!("{ruleset} does not allow that {field}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn grant(value: Value) -> Result<Terms, TermsError> {
        crate::wire::decode::<TermsRequest>(value)
            .expect("readable")
            .grant()
    }

    #[track_caller]
    fn refused_field(value: Value) -> &'static str {
        match grant(value) {
            Err(TermsError::NotAllowed { field, .. }) => field,
            Err(TermsError::ClockNotAllowed { error, .. }) => error.field,
            other => panic!("expected a refusal, found {other:?}"),
        }
    }

    #[test]
    fn t1_omitted_fields_take_the_rulesets_defaults() {
        let terms = grant(json!({"ruleset": "baduk"})).expect("granted");
        assert_eq!(
            serde_json::to_value(&terms).expect("serialises"),
            json!({"ruleset": "baduk", "board": "19x19", "komi": 6.5, "handicap": 0, "clock": {"system": "per_move", "period_ms": 30000},
                "ranked": false, "color": "random", "visibility": "public", "opponent": {"kind": "anyone"}})
        );
        let with_handicap = grant(json!({"ruleset": "baduk", "handicap": 4})).expect("granted");
        assert_eq!(with_handicap.komi, HalfPoints::from_halves(1));
        assert_eq!(
            grant(json!({"ruleset": "hex"}))
                .expect("granted")
                .board
                .to_string(),
            "hex6"
        );
    }

    #[test]
    fn c1_a_setting_that_no_clock_can_have_is_told_apart_from_one_that_the_ruleset_lacks() {
        let clock = json!({"system": "per_move", "period_ms": 31000});
        match grant(json!({"ruleset": "baduk", "clock": clock})) {
            Err(TermsError::BadClock(error)) => assert_eq!(error.field, "period_ms"),
            other => panic!("expected a refusal, found {other:?}"),
        }
    }

    #[test]
    fn t1_what_the_ruleset_lacks_is_refused_by_field() {
        assert_eq!(
            refused_field(json!({"ruleset": "hex", "board": "19x19"})),
            "board"
        );
        assert_eq!(
            refused_field(json!({"ruleset": "baduk", "board": "hex6"})),
            "board"
        );
        assert_eq!(refused_field(json!({"ruleset": "hex", "komi": 0.5})), "komi");
        assert_eq!(refused_field(json!({"ruleset": "baduk", "komi": 100})), "komi");
        assert_eq!(
            refused_field(json!({"ruleset": "baduk", "board": "5x5", "handicap": 2})),
            "handicap"
        );
        assert_eq!(
            refused_field(json!({"ruleset": "baduk", "handicap": 1})),
            "handicap"
        );
        assert_eq!(refused_field(json!({"ruleset": "hex", "ranked": true})), "ranked");
        assert_eq!(
            grant(json!({"ruleset": "chess"})),
            Err(TermsError::UnknownRuleset("chess".to_owned()))
        );
    }
}
