//! What a table is played under: as a client asks for it, and as the ruleset grants it (T1).

use super::ids::PlayerId;
use super::opponent::Opponent;
use super::player::PlayerKind;
use super::receiver::{self, HandicapReceiver};
use crate::clock::{ClockRule, SettingError, TimeControl};
use crate::rules::{Board, HalfPoints};
use crate::ruleset::{ColorChoice, KomiChoice, RequestKind, Ruleset};
use serde::{Deserialize, Serialize};

/// The terms of a table, as its ruleset allows them: [`TermsRequest::grant`] makes them of what a client asks for. What
/// the server makes of terms that were granted keeps to them: a rematch's are those of the game before, a pairing's those
/// of a search, and stored ones are read as they were written.
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
    /// Who receives it, where the ruleset wants him named (H5).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handicap_receiver: Option<HandicapReceiver>,
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

/// Between whom a game is to be, as far as that is known when its terms are asked for.
#[derive(Clone, Copy, Debug)]
pub struct Parties<'a> {
    /// Who asks.
    pub creator: &'a PlayerId,
    /// Whom he challenges, if he names anybody.
    pub challenged: Option<&'a PlayerId>,
}

/// Terms as a client asks for them: what is left out takes the ruleset's default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TermsRequest {
    ruleset: String,
    board: Option<Board>,
    komi: Option<HalfPoints>,
    handicap: Option<u8>,
    pub(super) handicap_receiver: Option<HandicapReceiver>,
    clock: Option<TimeControl>,
    ranked: Option<bool>,
    pub(super) color: Option<ColorChoice>,
    visibility: Option<Visibility>,
    pub(super) opponent: Option<Opponent>,
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
            handicap_receiver: None,
            color: None,
            visibility: None,
            opponent: None,
        }
    }

    /// The terms, if the ruleset allows them (T1).
    ///
    /// # Errors
    /// The first field that the ruleset does not allow.
    pub fn grant(self, parties: Parties<'_>) -> Result<Terms, TermsError> {
        match Ruleset::by_id(&self.ruleset) {
            Some(ruleset) => self.grant_under(ruleset, parties),
            None => Err(TermsError::UnknownRuleset(self.ruleset)),
        }
    }

    /// The terms under this ruleset, whichever the request names.
    ///
    /// # Errors
    /// The first field that the ruleset does not allow.
    pub fn grant_under(self, ruleset: &'static Ruleset, parties: Parties<'_>) -> Result<Terms, TermsError> {
        let id = ruleset.id;
        check_opponent(self.opponent, parties)?;
        let board = self
            .board
            .or(ruleset.default_board())
            .filter(|&board| ruleset.allows_board(board));
        let board = board.ok_or_else(|| not_allowed("board", format!("{id} is not played on that board")))?;
        let handicap = grant_handicap(ruleset, board, self.handicap.unwrap_or(0))?;
        let handicap_receiver = receiver::grant(&self, ruleset, handicap, parties)?;
        let komi = grant_komi(ruleset, handicap, self.komi)?;
        let opponent = self.opponent.unwrap_or(Opponent::Anyone);
        let clock = grant_clock(ruleset, opponent, self.clock)?;
        let color = match &handicap_receiver {
            Some(receiver) => receiver.color_of(parties.creator),
            None => one_of("color", id, colors(ruleset, opponent), self.color)?,
        };
        let terms = Terms {
            ruleset,
            board,
            komi,
            handicap,
            handicap_receiver,
            clock,
            ranked: self.ranked.unwrap_or(false),
            color,
            visibility: self.visibility.unwrap_or(Visibility::Public),
            opponent,
        };
        if terms.ranked {
            check_ranked(&terms)?;
        }
        Ok(terms)
    }
}

pub(super) fn not_allowed(field: &'static str, detail: String) -> TermsError {
    TermsError::NotAllowed { field, detail }
}

/// A challenge is a game between two people. The computer beside them would only lift the ruleset's limits for them.
fn check_opponent(opponent: Option<Opponent>, parties: Parties<'_>) -> Result<(), TermsError> {
    let computer = opponent.is_some_and(Opponent::is_computer);
    match computer && parties.challenged.is_some() {
        true => Err(not_allowed(
            "opponent",
            "a challenge is for the player whom it names, not for the computer".to_owned(),
        )),
        false => Ok(()),
    }
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
    let choice = ruleset.komi.choice(handicap);
    let komi = asked.unwrap_or(choice.default());
    check_komi(&choice, komi, ruleset.id)?;
    Ok(komi)
}

fn check_komi(choice: &KomiChoice, komi: HalfPoints, whose: &str) -> Result<(), TermsError> {
    match choice.allows(komi) {
        true => Ok(()),
        false => Err(not_allowed(
            "komi",
            format!("the komi of such a game of {whose} is {choice}"),
        )),
    }
}

/// Whether a game under these terms can be rated.
fn check_ranked(terms: &Terms) -> Result<(), TermsError> {
    let (ruleset, id) = (terms.ruleset, terms.ruleset.id);
    let rule = ruleset
        .ranked
        .ok_or_else(|| not_allowed("ranked", format!("games of {id} are not rated")))?;
    if !ruleset.ranks_board(terms.board) {
        let board = terms.board;
        return Err(not_allowed(
            "board",
            format!("no game of {id} on {board} is rated"),
        ));
    }
    if terms.opponent.is_computer() {
        let detail = "games against the computer are never rated".to_owned();
        return Err(not_allowed("ranked", detail));
    }
    if terms.handicap > 0 {
        return Err(not_allowed(
            "handicap",
            "a game with a handicap is never rated".to_owned(),
        ));
    }
    if terms.clock == TimeControl::None {
        return Err(not_allowed(
            "clock.system",
            "a rated game needs a clock".to_owned(),
        ));
    }
    check_komi(&rule.komi, terms.komi, "that ruleset, if it is rated,")
}

/// The colors that may be asked for: against the computer all of them (A2).
fn colors(ruleset: &Ruleset, opponent: Opponent) -> &'static [ColorChoice] {
    match opponent {
        Opponent::Anyone => ruleset.colors,
        Opponent::Computer { .. } => &ColorChoice::EVERY,
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

    fn ids() -> [PlayerId; 3] {
        [1, 2, 3].map(|number| PlayerId::from_seed([number; 16]))
    }

    fn grant(value: Value) -> Result<Terms, TermsError> {
        let [creator, ..] = ids();
        let asked = crate::wire::decode::<TermsRequest>(value).expect("readable");
        asked.grant(Parties {
            creator: &creator,
            challenged: None,
        })
    }

    /// The terms of the first player's challenge to the second.
    fn challenge(value: Value) -> Result<Terms, TermsError> {
        let [creator, challenged, _] = ids();
        let asked = crate::wire::decode::<TermsRequest>(value).expect("readable");
        asked.grant(Parties {
            creator: &creator,
            challenged: Some(&challenged),
        })
    }

    #[track_caller]
    fn refused_field(value: Value) -> &'static str {
        field_of(grant(value))
    }

    #[track_caller]
    fn field_of(granted: Result<Terms, TermsError>) -> &'static str {
        match granted {
            Err(TermsError::NotAllowed { field, .. }) => field,
            Err(TermsError::ClockNotAllowed { error, .. }) => error.field,
            other => panic!("expected a refusal, found {other:?}"),
        }
    }

    #[track_caller]
    fn komi(value: Value) -> String {
        grant(value).expect("granted").komi.to_string()
    }

    #[test]
    fn t1_omitted_fields_take_the_rulesets_defaults() {
        let terms = grant(json!({"ruleset": "baduk"})).expect("granted");
        assert_eq!(
            serde_json::to_value(&terms).expect("serialises"),
            json!({"ruleset": "baduk", "board": "19x19", "komi": 6.5, "handicap": 0, "clock": {"system": "per_move", "period_ms": 30000},
                "ranked": false, "color": "random", "visibility": "public", "opponent": {"kind": "anyone"}})
        );
        let board = |id: &str| grant(json!({"ruleset": id})).expect("granted").board.to_string();
        assert_eq!(["hex", "aga", "nine"].map(board), ["hex6", "19x19", "9x9"]);
        let aga = grant(json!({"ruleset": "aga"})).expect("granted");
        assert_eq!(
            json!(aga.clock),
            json!({"system": "canadian", "main_ms": 1_200_000, "period_ms": 300_000, "stones": 25})
        );
    }

    #[test]
    fn t1_a_handicap_brings_its_own_komi() {
        assert_eq!(komi(json!({"ruleset": "baduk", "handicap": 4})), "0.5");
        assert_eq!(komi(json!({"ruleset": "baduk", "handicap": 4, "komi": -7})), "-7");
        assert_eq!(komi(json!({"ruleset": "aga"})), "6.5");
        assert_eq!(komi(json!({"ruleset": "aga", "komi": 7.5})), "7.5");
        for handicap in 1..=9 {
            assert_eq!(komi(json!({"ruleset": "aga", "handicap": handicap})), "0.5");
        }
        assert_eq!(komi(json!({"ruleset": "nine"})), "7");
    }

    #[test]
    fn l3_a_challenge_is_no_game_against_the_computer_and_keeps_to_the_limits_between_people() {
        let [creator, challenged, _] = ids();
        let computer = json!({"kind": "computer", "level": "easy"});
        for ruleset in crate::ruleset::RULESETS.iter().map(|ruleset| ruleset.id) {
            for more in [
                json!({}),
                json!({"color": "black"}),
                json!({"clock": {"system": "none"}}),
                json!({"handicap": 2, "handicap_receiver": creator}),
                json!({"handicap": 2, "handicap_receiver": challenged}),
                json!({"handicap": 2, "handicap_receiver": "computer"}),
            ] {
                let mut asked = more;
                asked["ruleset"] = json!(ruleset);
                asked["opponent"] = computer.clone();
                assert_eq!(field_of(challenge(asked.clone())), "opponent", "{asked}");
            }
        }
        let anyone = json!({"ruleset": "baduk", "opponent": {"kind": "anyone"}});
        assert_eq!(
            challenge(anyone).map(|terms| terms.opponent),
            Ok(Opponent::Anyone)
        );
        // A table of one's own may still be against the computer.
        assert!(grant(json!({"ruleset": "nine", "color": "black", "opponent": computer})).is_ok());
    }

    #[test]
    fn h3_a_komi_that_contradicts_the_handicap_is_refused() {
        assert_eq!(
            refused_field(json!({"ruleset": "aga", "handicap": 2, "komi": 6.5})),
            "komi"
        );
        assert_eq!(refused_field(json!({"ruleset": "aga", "komi": 7})), "komi");
        assert_eq!(refused_field(json!({"ruleset": "nine", "komi": 6.5})), "komi");
        let [creator, ..] = ids();
        let ladder = |komi: Value| {
            challenge(json!({"ruleset": "hex", "handicap": 3, "handicap_receiver": creator, "komi": komi}))
        };
        assert_eq!(
            ladder(json!(2.5)).map(|terms| terms.komi),
            Ok(HalfPoints::from_halves(5))
        );
        assert_eq!(
            ladder(Value::Null).map(|terms| terms.komi),
            Ok(HalfPoints::from_halves(5))
        );
        assert_eq!(field_of(ladder(json!(6.5))), "komi");
        let six = json!({"ruleset": "hex", "handicap": 6, "handicap_receiver": creator});
        assert_eq!(field_of(challenge(six)), "handicap");
    }

    #[test]
    fn h5_the_receiver_is_named_in_a_challenge_and_plays_black() {
        let [creator, challenged, stranger] = ids();
        let terms = |receiver: &PlayerId| {
            challenge(json!({"ruleset": "hex", "handicap": 2, "handicap_receiver": receiver}))
        };
        let own = terms(&creator).expect("granted");
        assert_eq!(
            (own.color, own.komi.to_string()),
            (ColorChoice::Black, "1.5".to_owned())
        );
        assert_eq!(
            terms(&challenged).map(|terms| terms.color),
            Ok(ColorChoice::White)
        );
        assert_eq!(field_of(terms(&stranger)), "handicap_receiver");
        // It is stored and read back.
        let written = json!(own);
        assert_eq!(written["handicap_receiver"], json!(creator));
        assert_eq!(serde_json::from_value::<Terms>(written).expect("terms"), own);
    }

    #[test]
    fn h5_a_handicap_without_a_specific_opponent_or_with_a_color_is_refused() {
        let [creator, ..] = ids();
        let with = |more: Value| {
            let mut asked = json!({"ruleset": "hex", "handicap": 2, "handicap_receiver": creator});
            asked
                .as_object_mut()
                .expect("an object")
                .extend(more.as_object().expect("an object").clone());
            asked
        };
        assert_eq!(
            refused_field(json!({"ruleset": "hex", "handicap": 2})),
            "handicap_receiver"
        );
        assert_eq!(refused_field(with(json!({}))), "opponent");
        assert_eq!(field_of(challenge(with(json!({"color": "black"})))), "color");
        assert_eq!(
            field_of(challenge(with(json!({"handicap_receiver": "computer"})))),
            "handicap_receiver"
        );
        // Where nobody is named, nobody may be.
        assert_eq!(
            field_of(challenge(with(json!({"handicap": 0})))),
            "handicap_receiver"
        );
        assert_eq!(
            field_of(challenge(with(json!({"ruleset": "baduk"})))),
            "handicap_receiver"
        );
        assert_eq!(field_of(challenge(with(json!({"ranked": true})))), "handicap");
    }

    #[test]
    fn h6_a_rated_game_keeps_to_its_boards_its_komi_and_a_clock_and_is_even() {
        let ranked = |more: Value| {
            let mut asked = json!({"ruleset": "baduk", "ranked": true});
            asked
                .as_object_mut()
                .expect("an object")
                .extend(more.as_object().expect("an object").clone());
            grant(asked)
        };
        assert!(ranked(json!({})).expect("granted").ranked);
        for komi in [5.5, 7.0, 7.5] {
            assert!(ranked(json!({"board": "9x9", "komi": komi})).is_ok(), "{komi}");
        }
        assert_eq!(field_of(ranked(json!({"board": "11x11"}))), "board");
        assert_eq!(field_of(ranked(json!({"komi": 5}))), "komi");
        assert_eq!(field_of(ranked(json!({"komi": 8}))), "komi");
        assert_eq!(field_of(ranked(json!({"handicap": 2}))), "handicap");
        assert_eq!(
            field_of(ranked(json!({"clock": {"system": "none"}}))),
            "clock.system"
        );
        assert!(ranked(json!({"ruleset": "hex", "board": "hex12"})).is_ok());
        assert!(ranked(json!({"ruleset": "nine"})).is_ok());
        assert_eq!(field_of(ranked(json!({"ruleset": "aga"}))), "ranked");
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
        assert_eq!(
            refused_field(json!({"ruleset": "aga", "board": "11x11"})),
            "board"
        );
        assert_eq!(
            refused_field(json!({"ruleset": "aga", "board": "9x9", "handicap": 10})),
            "handicap"
        );
        assert_eq!(
            refused_field(json!({"ruleset": "aga", "clock": {"system": "none"}})),
            "system"
        );
        assert_eq!(
            refused_field(json!({"ruleset": "nine", "board": "19x19"})),
            "board"
        );
        assert_eq!(
            refused_field(json!({"ruleset": "nine", "handicap": 2})),
            "handicap"
        );
        assert_eq!(
            refused_field(json!({"ruleset": "nine", "color": "black"})),
            "color"
        );
        assert_eq!(
            refused_field(json!({"ruleset": "nine", "clock": {"system": "none"}})),
            "system"
        );
        assert_eq!(
            grant(json!({"ruleset": "chess"})),
            Err(TermsError::UnknownRuleset("chess".to_owned()))
        );
    }
}
