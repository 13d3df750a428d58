//! What the Worker and the other objects ask of a player's object.

use crate::game::{Player, PlayerId, SearchId, Standing, TableId};
use crate::http::Problem;
use crate::lobby::{Claim, Promise, Search};
use crate::objects::reach::{self, Address, Sent};
use crate::players::SessionId;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use worker::{Env, Response};

/// The name of the binding in `wrangler.toml`.
const BINDING: &str = "PLAYER";

/// A call to a player's object.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PlayerCall {
    /// Whose object it is: one that is woken by its alarm does not know its own name.
    pub owner: PlayerId,
    /// What is wanted.
    pub op: PlayerOp,
}

/// What is wanted of a player's object.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlayerOp {
    /// To search for an opponent: 201 with the search, or 200 with the game if there is one at once.
    Seek {
        /// The search.
        search: Box<Search>,
    },
    /// How the search stands.
    Search,
    /// To end the search.
    CancelSearch,
    /// Whether the player is in for a game: [`Claimed`]. From then on no other pairing gets him.
    Claim {
        /// As whom the lobby knows him.
        search: SearchId,
        /// The table of the game.
        table: TableId,
    },
    /// Whether he is in for good: [`Claimed`]. From then on no other game begins for him.
    Commit {
        /// For which game.
        promise: Promise,
    },
    /// That there will be no such game.
    Release {
        /// As whom the lobby knows him.
        search: SearchId,
        /// The table that there will not be.
        table: TableId,
    },
    /// That the game is there.
    Matched {
        /// As whom the lobby knows him.
        search: SearchId,
        /// The table.
        table: TableId,
        /// Against whom he plays.
        opponent: Box<Player>,
    },
    /// How a table of his stands.
    Hear {
        /// How.
        standing: Box<Standing>,
    },
    /// That he is about to sit down at a table, or to open one: 204, or `wrong_state` when a game of his is being opened.
    SitDown {
        /// Where.
        table: TableId,
    },
    /// That he has not.
    StandUp {
        /// Where.
        table: TableId,
    },
    /// That an operator has suspended him from play: his search ends.
    Suspended {
        /// What his channel is told of it.
        frame: Option<Value>,
    },
    /// To tell his devices something that is kept elsewhere.
    Tell {
        /// What, as his channel sends it.
        frame: Value,
    },
    /// Whether he is there: [`Attendance`](crate::lobby::Attendance).
    Attendance,
    /// A socket of his channel.
    Socket {
        /// The session of the device.
        session: SessionId,
    },
    /// That sessions have ended: their sockets close.
    SignedOut {
        /// Which.
        sessions: Vec<SessionId>,
    },
    /// That the player has deleted himself.
    Leave,
}

/// The answer to a claim.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Claimed {
    /// What the player's object says.
    pub claim: Claim,
}

/// Asks a player's object something, or tells it.
///
/// # Errors
/// `unavailable` when it does not answer; sending again is harmless.
pub async fn ask(env: &Env, owner: &PlayerId, op: PlayerOp) -> Result<Response, Problem> {
    send(env, owner, op, Sent::Plain).await
}

/// Opens a socket of a player's channel.
///
/// # Errors
/// `unavailable` when his object does not answer.
pub async fn open_socket(env: &Env, owner: &PlayerId, session: SessionId) -> Result<Response, Problem> {
    send(env, owner, PlayerOp::Socket { session }, Sent::Upgrade).await
}

async fn send(env: &Env, owner: &PlayerId, op: PlayerOp, sent: Sent) -> Result<Response, Problem> {
    let address = Address {
        binding: BINDING,
        name: owner.as_str(),
    };
    let call = PlayerCall {
        owner: owner.clone(),
        op,
    };
    reach::call(env, address, &call, sent).await
}
