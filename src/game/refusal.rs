//! Why a table refuses an input. Nothing has changed then.

use crate::clock::FlagFall;
use crate::rules::MoveError;

/// A refusal. Its stable name on the wire is given by `http::Code`.
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
    /// The opening stones come first.
    #[error("you cannot pass before your opening stones are placed")]
    PassNotAllowed,
    /// The opening stones come first.
    #[error("the opening stones are to be placed first")]
    OpeningStonesLeft,
    /// The board has no such point.
    #[error("the board has no such point")]
    OffBoard,
    /// The rules forbid the play.
    #[error(transparent)]
    Illegal(#[from] MoveError),
    /// The ruleset, or a rated game, does not have that request.
    #[error("this game does not have that request")]
    NotAllowedByRuleset,
    /// Only the last move is taken back, by whoever made it.
    #[error("only whoever made the last move may take it back")]
    NotYourLastMove,
    /// The player has an open request already.
    #[error("you have an open request already")]
    RequestOpen,
    /// No such request is open.
    #[error("no such request is open")]
    NoRequest,
    /// The player has used all his requests of this game.
    #[error("you have used all your requests of this game")]
    RequestLimit,
    /// The table keeps no more of what costs nothing.
    #[error("this game has had as many of these as a table keeps")]
    NoRoom,
    /// No stone lies there, so there is nothing to mark.
    #[error("no stone lies there")]
    NoChain,
    /// The marking has changed since.
    #[error("the marking has changed since")]
    StaleMarking,
    /// The ruleset shows no score before the end.
    #[error("this ruleset shows no score before the end")]
    NoPreview,
    /// The player sits at the table already.
    #[error("you sit at this table already")]
    SamePlayer,
    /// No seat is free.
    #[error("no seat is free")]
    SeatTaken,
    /// At a rated table those who watch only listen while the game goes on.
    #[error("at a rated table those who watch may write before the game and after it")]
    SpectatorsListen,
    /// Whoever has deleted himself is not there any more.
    #[error("you have deleted yourself")]
    HasLeft,
    /// The table keeps no more lines.
    #[error("this table has as many lines of chat as it can take")]
    ChatFull,
    /// No such line of chat.
    #[error("there is no such line of chat at this table")]
    NoSuchLine,
    /// The ruleset lets the players mark dead chains, so there is no count to appeal against.
    #[error("in this ruleset the players agree on what is dead, and there is no appeal")]
    NoAppeals,
    /// The game did not end by an automatic count.
    #[error("only an automatic count can be appealed against or corrected")]
    NotCounted,
    /// Each player has one appeal.
    #[error("you have appealed against this result already")]
    AlreadyAppealed,
    /// The time for appeals is over.
    #[error("appeals are taken within seven days of the end")]
    TooLateToAppeal,
    /// An appeal names a point that the board lacks.
    #[error("the board lacks one of these points")]
    PointsOffBoard,
    /// No such appeal.
    #[error("there is no such appeal")]
    NoSuchAppeal,
    /// Something was decided about the appeal before.
    #[error("this appeal has been decided already; another correction is an action of its own")]
    AlreadyDecided,
    /// An appeal waits for its decision.
    #[error("an appeal against this result is open: decide that")]
    AppealsOpen,
    /// These chains are the dead ones already.
    #[error("the result stands as that already")]
    NothingToCorrect,
    /// Rated games are for accounts.
    #[error("rated games are for accounts only")]
    NeedsAccount,
}

/// A move that comes after the flag finds the game over (C6).
impl From<FlagFall> for Refusal {
    fn from(_: FlagFall) -> Refusal {
        Refusal::WrongState
    }
}
