//! What the Worker and the other objects ask of a table's object.

use super::reach::{self, Address, Sent};
use crate::clock::Timestamp;
use crate::game::{
    Cause, Conduct, Ears, InviteCode, InviteSeed, Judgment, NewAppeal, Opening, Player, PlayerId, Reason,
    Seq, TableId, Terms, Viewer,
};
use crate::http::Problem;
use crate::players::SessionId;
use crate::store::operator_log::Entry;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use worker::{Env, Response};

/// The name of the binding in `wrangler.toml`.
const BINDING: &str = "TABLE";

/// A call to a table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TableCall {
    /// Who calls, if that is known.
    pub player: Option<Player>,
    /// In which session.
    #[serde(default)]
    pub session: Option<SessionId>,
    /// What the table must know of him, as far as that is known.
    #[serde(default)]
    pub conduct: Option<Conduct>,
    /// Whether he is an operator.
    #[serde(default)]
    pub operator: bool,
    /// The invite that came along.
    pub invite: Option<InviteCode>,
    /// The address of this Hoshi, for links.
    pub origin: String,
    /// What is wanted.
    pub op: TableOp,
    /// A fault to make, where the configuration allows it.
    #[serde(default)]
    pub fault: Option<Fault>,
}

/// What is wanted of a table.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum TableOp {
    /// To come into being.
    Open {
        /// Its id.
        id: TableId,
        /// What is played.
        terms: Box<Terms>,
        /// Randomness for the invite.
        seed: InviteSeed,
        /// The creator's color, if it is for the draw and the opponent is there already.
        draw: crate::rules::Color,
    },
    /// To come into being with a game that starts at once.
    Start {
        /// Which game.
        opening: Box<Opening>,
    },
    /// The snapshot.
    Snapshot,
    /// The free seat.
    Join {
        /// The creator's color, if it is for the draw.
        draw: crate::rules::Color,
        /// Whether a block is between the caller and whoever is here.
        #[serde(default)]
        block: Block,
    },
    /// A command, as the client sent it.
    Command {
        /// Its body.
        body: Value,
    },
    /// The events after a number.
    Events {
        /// The last one seen.
        since: Seq,
    },
    /// An appeal of the caller's.
    Appeal {
        /// Which.
        appeal: NewAppeal,
    },
    /// The appeals, with what became of them.
    Appeals,
    /// A decision about the result.
    Decide {
        /// Because of what.
        cause: Cause,
        /// How.
        judgment: Judgment,
        /// Why.
        reason: Reason,
        /// What the operators' log is to say.
        entry: Box<Entry>,
    },
    /// The removal of a line of chat.
    RemoveChat {
        /// The number of its event.
        line: Seq,
        /// What the operators' log is to say.
        entry: Box<Entry>,
    },
    /// What the table looks like at the moment, for a report: [`Scenery`](crate::store::reports::Scenery).
    Scenery {
        /// The line of chat that it is about.
        line: Option<Seq>,
    },
    /// What the caller has said here.
    Lines,
    /// To be closed.
    Close,
    /// The record.
    Sgf,
    /// What the score would be if the game ended now.
    Preview,
    /// A socket.
    Socket {
        /// The last event seen, if any.
        since: Option<Seq>,
    },
    /// What a list shows besides the index: [`Live`].
    Live,
    /// Whether the invite that came along opens the table, and what it is.
    Invited,
    /// A player is called otherwise from now on.
    Rename {
        /// He, as he is now.
        player: Player,
    },
    /// A player has deleted himself.
    Leave {
        /// He, under the name that stays.
        player: Player,
    },
    /// Something else holds for a player from now on.
    Conduct {
        /// Who.
        player: PlayerId,
        /// What.
        conduct: Conduct,
    },
    /// A session has ended.
    SignedOut {
        /// Which.
        session: SessionId,
    },
    /// To close if it has waited for too long at that moment (T3).
    Expire {
        /// The moment.
        as_of: Timestamp,
    },
    /// To close, as if its creator had asked for it: a game of his has started elsewhere (T3).
    CloseFor {
        /// The creator.
        creator: PlayerId,
    },
    /// How it stands for one of its people.
    Standing {
        /// Who.
        player: PlayerId,
    },
}

/// Whether one of two players has blocked the other (T6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Block {
    /// Neither has.
    #[default]
    None,
    /// One has.
    Between,
}

/// What changes too often for the index.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Live {
    /// The table's state.
    pub state: String,
    /// The number of moves made.
    pub turn: u32,
    /// How many watch.
    pub spectators: usize,
    /// Whether the creator is connected.
    pub creator_online: bool,
    /// Whether it is the caller's turn.
    pub your_turn: bool,
}

/// A fault made on purpose, so that tests see what happens then. Only where `FAULTS` is `on`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// A panic before anything is stored.
    Panic,
    /// A panic after the events are stored, before anybody is told.
    PanicAfterStore,
    /// A panic at the next frame of a socket.
    PanicAtFrame,
    /// The storage refuses the transaction, half way through.
    Storage,
    /// No answer.
    Hang,
    /// The assessor fails, once.
    Assessor,
    /// The thinker answers the next question with a failure.
    ThinkerFails,
    /// The thinker panics at the next question.
    ThinkerPanics,
    /// Markings at this table last some seconds only.
    ShortMarking,
    /// The database is away from now on, for everybody.
    DatabaseAway,
    /// The database writes what it is asked to from now on, but nobody hears that it did.
    DatabaseMute,
    /// The database takes its time from now on: too long for a game to wait, but it answers.
    DatabaseSlow,
    /// The database is back.
    DatabaseBack,
}

impl TableCall {
    /// Who calls, as the game's view asks. What he does not hear, the table knows.
    pub fn viewer(&self) -> Viewer {
        Viewer {
            player: self.player.as_ref().map(|player| player.id.clone()),
            invite: self.invite.clone(),
            operator: self.operator,
            ears: Ears::default(),
        }
    }
}

/// The way to the tables' objects.
pub struct TableClient<'a> {
    env: &'a Env,
}

impl<'a> TableClient<'a> {
    /// The way through these bindings.
    pub fn new(env: &'a Env) -> TableClient<'a> {
        TableClient { env }
    }

    /// Calls a table and brings its answer. When the object fails or does not answer in time, that is
    /// [`Problem::unavailable`]: what it had stored stands, and sending again is harmless.
    ///
    /// # Errors
    /// That one.
    pub async fn call(&self, table: &TableId, call: &TableCall) -> Result<Response, Problem> {
        let address = Address {
            binding: BINDING,
            name: table.as_str(),
        };
        let sent = match call.op {
            TableOp::Socket { .. } => Sent::Upgrade,
            _ => Sent::Plain,
        };
        reach::call(self.env, address, call, sent).await
    }

    /// Tells a table something, or asks it, of the server's own accord.
    ///
    /// # Errors
    /// As [`call`](TableClient::call).
    pub async fn tell(&self, table: &TableId, op: TableOp) -> Result<Response, Problem> {
        let call = TableCall {
            player: None,
            session: None,
            invite: None,
            origin: String::new(),
            op,
            fault: None,
            conduct: None,
            operator: false,
        };
        self.call(table, &call).await
    }
}
