//! Why a table refuses an input. Nothing has changed then.

use crate::clock::FlagFall;
use crate::rules::MoveError;

/// A refusal; [`code`](Refusal::code) is its stable name on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The table is not in the state that the input needs.
    #[error("the table is not in a state for that")]
    WrongState,
    /// The table was closed before it began.
    #[error("the table was closed before it began")]
    Gone,
    /// Only a player of this game, or the table's creator, may do that.
    #[error("only a player of this game may do that")]
    Forbidden,
    /// The command was meant for another move number.
    #[error("the command was meant for another turn")]
    StaleTurn,
    /// The command names an event that has not happened.
    #[error("the command names an event that has not happened yet")]
    UnknownSeq,
    /// The opponent is to move.
    #[error("it is not your turn")]
    NotYourTurn,
    /// The board has no such point.
    #[error("the board has no such point")]
    OffBoard,
    /// A stone lies there.
    #[error("the point is occupied")]
    Occupied,
    /// It would capture nothing and leave its own chain without a liberty.
    #[error("the play would leave its own chain without a liberty")]
    Suicide,
    /// It would recreate an earlier whole-board position.
    #[error("the play would recreate an earlier position of this game")]
    Superko,
    /// The player sits at the table already.
    #[error("you sit at this table already")]
    SamePlayer,
    /// No seat is free.
    #[error("no seat is free")]
    SeatTaken,
}

impl Refusal {
    /// The code on the wire. Never renamed.
    pub fn code(self) -> &'static str {
        match self {
            Refusal::WrongState => "wrong_state",
            Refusal::Gone => "gone",
            Refusal::Forbidden => "forbidden",
            Refusal::StaleTurn => "stale_turn",
            Refusal::UnknownSeq => "bad_request",
            Refusal::NotYourTurn => "not_your_turn",
            Refusal::OffBoard => "off_board",
            Refusal::Occupied => "occupied",
            Refusal::Suicide => "suicide",
            Refusal::Superko => "superko",
            Refusal::SamePlayer => "same_player",
            Refusal::SeatTaken => "seat_taken",
        }
    }
}

impl From<MoveError> for Refusal {
    fn from(error: MoveError) -> Refusal {
        match error {
            MoveError::Occupied => Refusal::Occupied,
            MoveError::Suicide => Refusal::Suicide,
            MoveError::Superko => Refusal::Superko,
        }
    }
}

/// A move that comes after the flag finds the game over (C6).
impl From<FlagFall> for Refusal {
    fn from(_: FlagFall) -> Refusal {
        Refusal::WrongState
    }
}
