//! What the Worker and the other objects ask of a lobby.

use crate::game::{Offer, PlayerId, SearchId};
use crate::http::Problem;
use crate::lobby::{Attendance, Search};
use crate::objects::call::Fault;
use crate::objects::reach::{self, Address, Sent};
use serde::{Deserialize, Serialize};
use worker::{Env, Response};

/// The name of the binding in `wrangler.toml`.
const BINDING: &str = "LOBBY";

/// A call to a lobby.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LobbyCall {
    /// Whose lobby it is: one that is woken by its alarm does not know its own name.
    pub ruleset: String,
    /// What is wanted.
    pub op: LobbyOp,
    /// A fault to make, where the configuration allows it.
    #[serde(default)]
    pub fault: Option<Fault>,
}

/// What is wanted of a lobby.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LobbyOp {
    /// To take somebody into the pool.
    Enter {
        /// His search.
        search: Box<Search>,
    },
    /// To let somebody go.
    Leave {
        /// His search.
        search: SearchId,
    },
    /// How a table stands that is open here, or was.
    Offer(Box<Offer>),
    /// Whether somebody who has an open table is there.
    Attend {
        /// Who.
        player: PlayerId,
        /// Whether he is.
        attendance: Attendance,
    },
    /// What lists show of the open tables besides the index: a [`Seen`] by table.
    Seen,
    /// A socket.
    Socket {
        /// Who opens it, if that is known.
        player: Option<PlayerId>,
    },
}

/// What a lobby knows of an open table that the index does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// Whether its creator is there.
    pub creator_online: bool,
    /// How many watch.
    pub spectators: usize,
}

/// Asks a lobby something, or tells it.
///
/// # Errors
/// `unavailable` when it does not answer; sending again is harmless.
pub async fn ask(env: &Env, ruleset: &str, op: LobbyOp) -> Result<Response, Problem> {
    let call = LobbyCall {
        ruleset: ruleset.to_owned(),
        op,
        fault: None,
    };
    send(env, call, Sent::Plain).await
}

/// Opens a socket of a lobby.
///
/// # Errors
/// `unavailable` when the lobby does not answer.
pub async fn open_socket(env: &Env, call: LobbyCall) -> Result<Response, Problem> {
    send(env, call, Sent::Upgrade).await
}

async fn send(env: &Env, call: LobbyCall, sent: Sent) -> Result<Response, Problem> {
    let address = Address {
        binding: BINDING,
        name: &call.ruleset,
    };
    reach::call(env, address, &call, sent).await
}
