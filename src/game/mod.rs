//! A table as a pure state machine.
//!
//! Everything that can happen to a table is an [`Input`], and one function answers them all: [`step`] says which
//! events follow, [`Table::apply`] is the only thing that changes a table, and [`Table::next_deadline`] says when
//! it wants to be looked at. The list of events is the truth; a table is its replay. Time and randomness are
//! arguments, so every test of races and restarts is a plain function call.
//!
//! Start reading with [`step`], then [`Table`], then [`Event`].

mod appeal;
mod chat;
mod command;
mod computer;
mod conduct;
mod counting;
mod event;
mod facts;
mod ids;
mod marking;
mod opponent;
mod player;
mod preview;
mod receiver;
mod refusal;
mod rematch;
mod rename;
mod requests;
mod result;
mod sgf;
mod so_far;
mod standing;
mod step;
mod table;
mod terms;
mod tick;
mod view;
mod words;

#[cfg(test)]
mod tests;

pub use appeal::{Appeal, Cause, Decision, Judgment, MOST_POINTS, NewAppeal, Ruling};
pub use chat::{ChatLine, Erasure, Removed, Role, Saying, Speaker};
pub use command::{ChatMessage, ClientMessage, Command, CommandError, CommandMessage};
pub use computer::{ComputerFailure, ComputerTask, Level, TaskKind};
pub use conduct::{Conduct, Conducts, Ears};
pub use counting::WantedVerdict;
pub use event::{CountingReason, Event, EventKind, Forbidden, ForbiddenWhy, Seq};
pub use ids::{
    AppealId, ChallengeId, EntryId, IdError, IdSeed, InviteCode, InviteSeed, PlayerId, ReportId, SearchId,
    TableId,
};
pub use marking::Marking;
pub use opponent::Opponent;
pub use player::{Player, PlayerKind, Rating};
pub use preview::ScorePreview;
pub use receiver::HandicapReceiver;
pub use refusal::Refusal;
pub use rematch::{Opening, Spare, open_started};
pub use rename::replace_name;
pub use requests::OpenRequest;
pub use result::{AssessedBy, Corrected, EndedBy, GameResult, PrisonerCount, Score, Territory, Verdict};
pub use so_far::{BoardSoFar, GameSoFar};
pub use standing::{Offer, RematchStanding, ShortResult, Stage, Standing};
pub use step::{Input, LONGEST_WAIT, NewTable, Outcome, open, step};
pub use table::{CountingState, MoveMade, Phase, ReplayError, Table};
pub use terms::{Parties, Terms, TermsError, TermsRequest, Visibility};
pub use tick::tick;
pub use view::{Audience, RatedResult, Scene, Snapshot, Summary, Viewer};
pub use words::{ChatText, LONGEST_CHAT, LONGEST_REASON, Reason, WordsError, is_invisible};
