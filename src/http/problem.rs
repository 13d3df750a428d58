//! Errors as clients see them: `application/problem+json` (RFC 9457) with a stable `code`. The only place where an
//! error body is built; sockets send the same codes.

use crate::clock::{Millis, Timestamp};
use crate::game::{Marking, Refusal, Seq, Table, TermsError};
use crate::lobby::{ChallengeError, SearchError};
use crate::players::{NameError, PasswordError, retry_after};
use crate::rules::MoveError;
use crate::wire::WireError;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use worker::Response;

/// The stable name of an error. Never renamed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// The body is not JSON.
    BadJson,
    /// A field or the address is wrong.
    BadRequest,
    /// A name that cannot be one.
    BadName,
    /// Another account has that name, or one that looks like it.
    NameTaken,
    /// A password that is too short or too long.
    WeakPassword,
    /// No account of that name has that password.
    BadCredentials,
    /// Who asks is not known, or not any more.
    Unauthenticated,
    /// Not his to do.
    Forbidden,
    /// Only accounts may do that.
    NeedsAccount,
    /// One of the two has blocked the other.
    Blocked,
    /// Somebody who is suspended from that.
    Suspended,
    /// Nothing there that he may see.
    NotFound,
    /// The address knows other methods only.
    MethodNotAllowed,
    /// Terms or a command that the ruleset lacks.
    NotAllowedByRuleset,
    /// The opponent is to move.
    NotYourTurn,
    /// A stone lies there.
    Occupied,
    /// The opening stones come first.
    PassNotAllowed,
    /// No such point.
    OffBoard,
    /// The stone would have no liberty.
    Suicide,
    /// The position was on the board before.
    Superko,
    /// The command was meant for another turn.
    StaleTurn,
    /// The table's state does not allow it.
    WrongState,
    /// He sits there already.
    SamePlayer,
    /// Nobody can join any more.
    SeatTaken,
    /// A request is open already.
    RequestOpen,
    /// No such request is open.
    NoRequest,
    /// All requests of this game are used.
    RequestLimit,
    /// No stone lies there.
    NoChain,
    /// The marking has changed since.
    StaleMarking,
    /// He searches already.
    SearchOpen,
    /// The player does not take such challenges.
    NotAccepting,
    /// One appeal a player.
    AlreadyAppealed,
    /// The key was used for another request.
    KeyReused,
    /// Closed before it began, or too late.
    Gone,
    /// The body is too large.
    PayloadTooLarge,
    /// Too often.
    RateLimited,
    /// A fault of ours.
    Internal,
    /// A store or an object is away.
    Unavailable,
}

impl Code {
    /// The code on the wire.
    pub fn as_str(self) -> &'static str {
        self.facts().0
    }

    /// The HTTP status that goes with it.
    pub fn status(self) -> u16 {
        self.facts().1
    }

    /// The code, its status, and its title for people.
    fn facts(self) -> (&'static str, u16, &'static str) {
        match self {
            Code::BadJson => ("bad_json", 400, "The body is not JSON"),
            Code::BadRequest => ("bad_request", 400, "The request is not understood"),
            Code::BadName => ("bad_name", 400, "The name is not allowed"),
            Code::NameTaken => ("name_taken", 409, "The name is taken"),
            Code::WeakPassword => ("weak_password", 400, "The password is not allowed"),
            Code::BadCredentials => ("bad_credentials", 401, "Wrong name or password"),
            Code::Unauthenticated => ("unauthenticated", 401, "Not signed in"),
            Code::Forbidden => ("forbidden", 403, "Not yours to do"),
            Code::NeedsAccount => ("needs_account", 403, "An account is needed"),
            Code::Blocked => ("blocked", 403, "One of you has blocked the other"),
            Code::Suspended => ("suspended", 403, "Suspended"),
            Code::NotFound => ("not_found", 404, "Nothing here"),
            Code::MethodNotAllowed => ("method_not_allowed", 405, "Another method is needed"),
            Code::NotAllowedByRuleset => ("not_allowed_by_ruleset", 422, "The ruleset does not allow that"),
            Code::NotYourTurn => ("not_your_turn", 409, "Not your turn"),
            Code::Occupied => ("occupied", 409, "The point is occupied"),
            Code::PassNotAllowed => ("pass_not_allowed", 409, "No pass now"),
            Code::OffBoard => ("off_board", 409, "No such point"),
            Code::Suicide => ("suicide", 409, "Suicide"),
            Code::Superko => ("superko", 409, "Superko"),
            Code::StaleTurn => ("stale_turn", 409, "The game has gone on"),
            Code::WrongState => ("wrong_state", 409, "Not in this state of the table"),
            Code::SamePlayer => ("same_player", 409, "You sit there already"),
            Code::SeatTaken => ("seat_taken", 409, "The seat is taken"),
            Code::RequestOpen => ("request_open", 409, "A request is open already"),
            Code::NoRequest => ("no_request", 409, "No such request"),
            Code::RequestLimit => ("request_limit", 409, "No requests left"),
            Code::NoChain => ("no_chain", 409, "No stone lies there"),
            Code::StaleMarking => ("stale_marking", 409, "The marking has changed"),
            Code::SearchOpen => ("search_open", 409, "A search is open already"),
            Code::NotAccepting => ("not_accepting", 403, "Not taking challenges"),
            Code::AlreadyAppealed => ("already_appealed", 409, "You have appealed already"),
            Code::KeyReused => ("key_reused", 409, "The key was used for another request"),
            Code::Gone => ("gone", 410, "Over"),
            Code::PayloadTooLarge => ("payload_too_large", 413, "Too large"),
            Code::RateLimited => ("rate_limited", 429, "Too often"),
            Code::Internal => ("internal", 500, "A fault of ours"),
            Code::Unavailable => ("unavailable", 503, "Away for a moment"),
        }
    }

    fn of_refusal(refusal: Refusal) -> Code {
        match refusal {
            Refusal::WrongState => Code::WrongState,
            Refusal::Gone => Code::Gone,
            Refusal::Forbidden => Code::Forbidden,
            Refusal::StaleTurn => Code::StaleTurn,
            Refusal::UnknownSeq => Code::BadRequest,
            Refusal::NotYourTurn => Code::NotYourTurn,
            Refusal::PassNotAllowed => Code::PassNotAllowed,
            Refusal::OpeningStonesLeft => Code::WrongState,
            Refusal::NoChain => Code::NoChain,
            Refusal::StaleMarking => Code::StaleMarking,
            Refusal::NoPreview => Code::NotAllowedByRuleset,
            Refusal::OffBoard => Code::OffBoard,
            Refusal::Illegal(MoveError::Occupied) => Code::Occupied,
            Refusal::Illegal(MoveError::Suicide) => Code::Suicide,
            Refusal::Illegal(MoveError::Superko) => Code::Superko,
            Refusal::NotAllowedByRuleset => Code::NotAllowedByRuleset,
            Refusal::NotYourLastMove => Code::WrongState,
            Refusal::RequestOpen => Code::RequestOpen,
            Refusal::NoRequest => Code::NoRequest,
            Refusal::RequestLimit | Refusal::NoRoom => Code::RequestLimit,
            Refusal::SamePlayer => Code::SamePlayer,
            Refusal::SeatTaken => Code::SeatTaken,
            Refusal::NeedsAccount => Code::NeedsAccount,
            Refusal::SpectatorsListen | Refusal::ChatFull => Code::WrongState,
            Refusal::HasLeft => Code::Unauthenticated,
            Refusal::NoSuchLine | Refusal::NoSuchAppeal => Code::NotFound,
            Refusal::NoAppeals => Code::NotAllowedByRuleset,
            Refusal::NotCounted | Refusal::AlreadyDecided => Code::WrongState,
            Refusal::AppealsOpen | Refusal::NothingToCorrect => Code::WrongState,
            Refusal::AlreadyAppealed => Code::AlreadyAppealed,
            Refusal::TooLateToAppeal => Code::Gone,
            Refusal::PointsOffBoard => Code::BadRequest,
        }
    }
}

/// An error for a client.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    code: Code,
    detail: String,
    field: Option<String>,
    /// Where the table stands, so that the client can catch up.
    standing: Option<(Seq, u32)>,
    /// The marking as it stands, for whoever meant another version of it.
    marking: Option<Box<Marking>>,
    /// Until when somebody is suspended.
    until: Option<Timestamp>,
    header: Option<Box<(&'static str, String)>>,
}

impl Problem {
    /// A problem with a sentence for people. `detail` must hold nothing secret and nothing of our insides.
    pub fn new(code: Code, detail: impl Into<String>) -> Problem {
        Problem {
            code,
            detail: detail.into(),
            field: None,
            standing: None,
            marking: None,
            until: None,
            header: None,
        }
    }

    /// Something is wrong with one field of the request.
    pub fn bad_field(field: impl Into<String>, detail: impl Into<String>) -> Problem {
        Problem {
            field: Some(field.into()),
            ..Problem::new(Code::BadRequest, detail)
        }
    }

    /// There is nothing here, or nothing that the asker may see: the two are not told apart.
    pub fn not_found() -> Problem {
        Problem::new(Code::NotFound, "there is nothing here that you may see")
    }

    /// Somebody who is not signed in asks for something that needs it.
    pub fn unauthenticated() -> Problem {
        Problem::new(
            Code::Unauthenticated,
            "sign in first, or start as a guest with POST /api/v1/guests",
        )
        .with_header("www-authenticate", "Bearer")
    }

    /// A store or an object is away. What failed is for the log, not for the client.
    pub fn unavailable() -> Problem {
        Problem::new(
            Code::Unavailable,
            "a part of the server is away for a moment; nothing was lost, try again",
        )
        .with_header("retry-after", "1")
    }

    /// A fault of ours.
    pub fn internal() -> Problem {
        Problem::new(
            Code::Internal,
            "something went wrong on our side; it has been noted",
        )
    }

    /// Somebody without an account asks for something that needs one.
    pub fn needs_account() -> Problem {
        Problem::new(
            Code::NeedsAccount,
            "this needs an account; POST /api/v1/accounts makes one of a guest",
        )
    }

    /// One of two players does not want to meet the other. Which of them is not said.
    pub fn blocked() -> Problem {
        Problem::new(Code::Blocked, "one of you has blocked the other")
    }

    /// Somebody is suspended from this for a while.
    pub fn suspended(what: &str, until: Timestamp) -> Problem {
        Problem {
            until: Some(until),
            ..Problem::new(
                Code::Suspended,
                format!("an operator has suspended you from {what}"),
            )
        }
    }

    /// No account of that name has that password: the two are not told apart.
    pub fn bad_credentials() -> Problem {
        Problem::new(Code::BadCredentials, "no account of that name has that password")
            .with_header("www-authenticate", "Bearer")
    }

    /// Something was done too often; it may be done again in a while.
    pub fn rate_limited(wait: Millis) -> Problem {
        let seconds = retry_after(wait);
        Problem::new(Code::RateLimited, format!("too often; try again in {seconds} s"))
            .with_header("retry-after", seconds.to_string())
    }

    /// What a table refuses, with where it stands.
    pub fn refused(refusal: Refusal, table: &Table) -> Problem {
        let field = match refusal {
            Refusal::UnknownSeq => Some("seq"),
            Refusal::NotAllowedByRuleset => Some("kind"),
            Refusal::NoPreview => Some("preview"),
            Refusal::NoAppeals => Some("ruleset"),
            Refusal::PointsOffBoard => Some("points"),
            _ => None,
        };
        let marking = (refusal == Refusal::StaleMarking).then(|| table.marking().cloned());
        let problem = Problem::new(Code::of_refusal(refusal), refusal.to_string());
        Problem {
            field: field.map(str::to_owned),
            marking: marking.flatten().map(Box::new),
            ..problem.at(table.seq(), table.turn())
        }
    }

    /// The name belongs to an account, or looks like that of one.
    pub fn name_taken() -> Problem {
        Problem {
            field: Some("name".to_owned()),
            ..Problem::new(
                Code::NameTaken,
                "an account has that name, or one that looks like it",
            )
        }
    }

    /// The same problem, of another field.
    pub fn in_field(self, field: &str) -> Problem {
        Problem {
            field: Some(field.to_owned()),
            ..self
        }
    }

    /// The same problem, with where the table stands.
    pub fn at(self, seq: Seq, turn: u32) -> Problem {
        Problem {
            standing: Some((seq, turn)),
            ..self
        }
    }

    /// The same problem, with a header of its answer over HTTP.
    pub fn with_header(self, name: &'static str, value: impl Into<String>) -> Problem {
        Problem {
            header: Some(Box::new((name, value.into()))),
            ..self
        }
    }

    /// Its code.
    pub fn code(&self) -> Code {
        self.code
    }

    /// The problem as an answer.
    ///
    /// # Errors
    /// When the runtime refuses the response.
    pub fn into_response(self) -> worker::Result<Response> {
        let (code, status, title) = self.code.facts();
        let mut body = self.members();
        body.insert("type".to_owned(), json!(format!("urn:hoshi:problem:{code}")));
        body.insert("title".to_owned(), json!(title));
        body.insert("status".to_owned(), json!(status));
        let mut response = Response::builder()
            .with_status(status)
            .with_header("content-type", "application/problem+json")?
            .with_header("cache-control", "no-store")?;
        if let Some((name, value)) = self.header.as_deref() {
            response = response.with_header(name, value)?;
        }
        Ok(response.fixed(serde_json::to_vec(&body)?))
    }

    /// The problem as a socket's answer to the frame with this `id`.
    pub fn into_frame(self, id: Option<Value>) -> Value {
        let mut frame = self.members();
        frame.insert("type".to_owned(), json!("refused"));
        if let Some(id) = id {
            frame.insert("id".to_owned(), id);
        }
        Value::Object(frame)
    }

    /// What answers over HTTP and over sockets share.
    fn members(&self) -> Map<String, Value> {
        let mut members = Map::new();
        members.insert("code".to_owned(), json!(self.code.as_str()));
        members.insert("detail".to_owned(), json!(self.detail));
        if let Some(field) = &self.field {
            members.insert("field".to_owned(), json!(field));
        }
        if let Some((seq, turn)) = self.standing {
            members.insert("seq".to_owned(), json!(seq));
            members.insert("turn".to_owned(), json!(turn));
        }
        if let Some(until) = self.until {
            members.insert("until_at".to_owned(), json!(until));
        }
        if let Some(marking) = &self.marking {
            members.insert("marking".to_owned(), json!(marking));
        }
        members
    }
}

impl From<SearchError> for Problem {
    fn from(error: SearchError) -> Problem {
        let code = match error {
            SearchError::Open => Code::SearchOpen,
            SearchError::Over => Code::Gone,
            SearchError::None => Code::NotFound,
            SearchError::Found => Code::WrongState,
        };
        Problem::new(code, error.to_string())
    }
}

impl From<ChallengeError> for Problem {
    fn from(error: ChallengeError) -> Problem {
        let code = match error {
            ChallengeError::Oneself => Code::SamePlayer,
            ChallengeError::Computer | ChallengeError::NotAccepting => Code::NotAccepting,
            ChallengeError::NeedsAccount => Code::NeedsAccount,
            ChallengeError::Blocked => Code::Blocked,
            ChallengeError::NotHis => Code::Forbidden,
            ChallengeError::Ended(_) => Code::Gone,
        };
        Problem::new(code, error.to_string())
    }
}

impl From<WireError> for Problem {
    fn from(error: WireError) -> Problem {
        Problem::bad_field(error.field, error.detail)
    }
}

impl From<NameError> for Problem {
    fn from(error: NameError) -> Problem {
        Problem {
            field: Some("name".to_owned()),
            ..Problem::new(Code::BadName, error.to_string())
        }
    }
}

impl From<PasswordError> for Problem {
    fn from(error: PasswordError) -> Problem {
        Problem {
            field: Some("password".to_owned()),
            ..Problem::new(Code::WeakPassword, error.to_string())
        }
    }
}

impl From<TermsError> for Problem {
    fn from(error: TermsError) -> Problem {
        let detail = error.to_string();
        match error {
            TermsError::UnknownRuleset(_) => Problem::bad_field("ruleset", detail),
            TermsError::NotAllowed { field, .. } => Problem {
                field: Some(field.to_owned()),
                ..Problem::new(Code::NotAllowedByRuleset, detail)
            },
            TermsError::BadClock(error) => Problem::bad_field(format!("clock.{}", error.field), detail),
            TermsError::ClockNotAllowed { error, .. } => Problem {
                field: Some(format!("clock.{}", error.field)),
                ..Problem::new(Code::NotAllowedByRuleset, detail)
            },
        }
    }
}
