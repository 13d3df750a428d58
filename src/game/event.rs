//! What has happened at a table. The list of events is the truth: a table is the replay of its events.
//!
//! One form serves as the stored row and as the message to clients. It is frozen: fields may be added, never
//! renamed or removed, since old rows must be read for good (`tests/frozen_events.rs`).

use super::appeal::Ruling;
use super::chat::{Removed, Role, Speaker};
use super::computer::ComputerFailure;
use super::ids::{AppealId, InviteCode, TableId};
use super::marking::Marking;
use super::player::Player;
use super::result::GameResult;
use super::terms::Terms;
use crate::clock::{Clock, Timestamp};
use crate::rules::{Color, MoveError, PerColor, Vertex};
use crate::ruleset::RequestKind;
use serde::{Deserialize, Serialize};

/// The number of an event at its table, from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seq(pub u32);

impl Seq {
    /// The number of the event after this one.
    pub fn next(self) -> Seq {
        Seq(self.0.saturating_add(1))
    }
}

/// Something that has happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Its number.
    pub seq: Seq,
    /// When: the server's time of the input, or of the deadline that has passed.
    pub at: Timestamp,
    /// What.
    #[serde(flatten)]
    pub kind: EventKind,
}

/// What has happened. On the wire the name is in `kind`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum EventKind {
    /// The table was made. Never sent: it holds the invite.
    Opened {
        /// The table's id.
        id: TableId,
        /// What is played.
        terms: Terms,
        /// Who made it.
        creator: Player,
        /// What opens it to others.
        invite: InviteCode,
    },
    /// Somebody took the free seat.
    Joined {
        /// Who.
        player: Player,
    },
    /// The game began.
    Started {
        /// Who plays which color.
        seats: PerColor<Player>,
        /// Both clocks.
        clock: Clock,
    },
    /// A stone was played.
    Played {
        /// Whose.
        color: Color,
        /// Where.
        point: Vertex,
        /// The number of moves made before it.
        turn: u32,
        /// The stones that it captured.
        captured: Vec<Vertex>,
        /// Both clocks.
        clock: Clock,
        /// Where the opponent may not play now.
        forbidden: Vec<Forbidden>,
    },
    /// A player passed.
    Passed {
        /// Who.
        color: Color,
        /// The number of moves made before it.
        turn: u32,
        /// Both clocks.
        clock: Clock,
        /// Where the opponent may not play now.
        forbidden: Vec<Forbidden>,
    },
    /// A player asks something of the other (T8).
    Requested {
        /// What.
        request: RequestKind,
        /// Who.
        by: Color,
        /// From when on it is void.
        expires_at: Timestamp,
    },
    /// A request was answered. What an acceptance brings follows as an event of its own.
    Answered {
        /// What had been asked for.
        request: RequestKind,
        /// Who answered.
        by: Color,
        /// How.
        accepted: bool,
    },
    /// A request was withdrawn.
    Withdrawn {
        /// What had been asked for.
        request: RequestKind,
        /// By whom.
        by: Color,
    },
    /// A request became void: its time was over, a move was made or taken back, or its sender accepted what the other asked
    /// for. The end of play and of the game clears what is open without a word.
    Expired {
        /// What had been asked for.
        request: RequestKind,
        /// By whom.
        by: Color,
    },
    /// The last move was undone; against the computer the player's last move, with its reply if that was there (T9).
    TakenBack {
        /// The number of moves that are left.
        turn: u32,
        /// Whose turn it is again.
        to_move: Color,
        /// The stones on the board.
        stones: PerColor<Vec<Vertex>>,
        /// What each side has captured.
        captures: PerColor<u32>,
        /// Both clocks.
        clock: Clock,
        /// Where the player to move may not play now.
        forbidden: Vec<Forbidden>,
        /// How many opening stones are still to be played.
        opening_stones_left: u8,
    },
    /// The server was away past a deadline; the game goes on from where it was (C9).
    Outage {
        /// Both clocks, as they were left then, running on from now.
        clock: Clock,
        /// The marking with a fresh time, if the players were marking.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        marking: Option<Marking>,
    },
    /// Play ended. The chains are being assessed (G3), or the players mark them (G8).
    Counting {
        /// What ended the play.
        reason: CountingReason,
        /// Which try at the assessment, from 1; 0 where nobody assesses.
        attempt: u32,
        /// When this try is due, if the one before has failed.
        retry_at: Option<Timestamp>,
        /// Both clocks, stopped.
        clock: Clock,
        /// What the players start from, where they mark.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        marking: Option<Marking>,
    },
    /// A player has said of a chain whether it is dead (G8).
    Marked {
        /// Who.
        by: Color,
        /// The chain.
        chain: Vec<Vertex>,
        /// Whether it is.
        dead: bool,
        /// The marking as it stands now.
        marking: Marking,
    },
    /// A player agrees to the marking (G8).
    ScoreAccepted {
        /// Who.
        by: Color,
        /// The marking as it stands now.
        marking: Marking,
    },
    /// Play goes on after a marking (G8).
    Resumed {
        /// Who wanted it; nobody where the time for marking was over.
        by: Option<Color>,
        /// How often it has been resumed now.
        resumptions: u32,
        /// The number of moves made.
        turn: u32,
        /// Whose turn it is.
        to_move: Color,
        /// The stones on the board.
        stones: PerColor<Vec<Vertex>>,
        /// What each side has captured.
        captures: PerColor<u32>,
        /// Both clocks, running on from how the ending pass had left them.
        clock: Clock,
        /// Where the player to move may not play now.
        forbidden: Vec<Forbidden>,
        /// How many opening stones are still to be played.
        opening_stones_left: u8,
    },
    /// The computer has not answered (A2). It is asked again, or else gives the game up, and `finished` follows.
    ComputerFailed {
        /// Which try it was, from 1.
        attempt: u32,
        /// What went wrong.
        why: ComputerFailure,
        /// When it is asked again; nothing when it gives up.
        retry_at: Option<Timestamp>,
    },
    /// The game is over.
    Finished {
        /// How.
        result: GameResult,
        /// Both clocks, stopped.
        clock: Clock,
    },
    /// A player proposes to play again (T11).
    RematchOffered {
        /// Who.
        by: Color,
    },
    /// A player does not want to play again.
    RematchDeclined {
        /// Who.
        by: Color,
    },
    /// Both want to play again: the new table, which only they are told.
    Rematch {
        /// Which table.
        table_id: TableId,
        /// What opens it.
        invite: InviteCode,
    },
    /// The table was closed before it began.
    Closed {},
    /// A player is called otherwise from now on: a guest has become an account (P2).
    Renamed {
        /// He, as he is now.
        player: Player,
    },
    /// A player has deleted himself (P4). His name is also replaced in the events before, in the storage, and his lines of chat
    /// are blank.
    Left {
        /// He, under the name that stays.
        player: Player,
    },
    /// Somebody has said something (S1).
    Chat {
        /// Who.
        player: Speaker,
        /// As what.
        role: Role,
        /// What. In the storage it is replaced when the line is removed.
        text: String,
        /// Why the line is not there any more.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        removed: Option<Removed>,
    },
    /// An operator has removed a line of chat (S4).
    ChatRemoved {
        /// The number of its event.
        line: Seq,
    },
    /// A player appeals against the count (G10).
    Appealed {
        /// Which appeal.
        appeal: AppealId,
        /// Who.
        by: Color,
        /// What it is about.
        points: Vec<Vertex>,
        /// What is wrong there.
        reason: String,
    },
    /// An operator has decided about the result (G11).
    Decided {
        /// The appeals that this closes.
        appeals: Vec<AppealId>,
        /// How.
        ruling: Ruling,
        /// Why.
        reason: String,
        /// The result from now on.
        result: GameResult,
    },
}

/// What ended the play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CountingReason {
    /// Passes.
    Passes,
    /// An accepted request to score.
    ScoreRequest,
    /// The ruleset's last move.
    MoveLimit,
}

/// An empty point where the player to move may not play right now (B6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forbidden {
    /// Where.
    pub point: Vertex,
    /// Why.
    pub why: ForbiddenWhy,
}

/// Why an empty point is forbidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ForbiddenWhy {
    /// The stone would have no liberty.
    Suicide,
    /// It would recreate an earlier position.
    Superko,
}

impl ForbiddenWhy {
    /// The reason, where the point is empty at all.
    pub(super) fn from_error(error: MoveError) -> Option<ForbiddenWhy> {
        match error {
            MoveError::Occupied => None,
            MoveError::Suicide => Some(ForbiddenWhy::Suicide),
            MoveError::Superko => Some(ForbiddenWhy::Superko),
        }
    }
}
