//! What a table asks of its thinker, and what it is told.

use crate::game::{AssessedBy, GameSoFar, Level, TableId};
use crate::objects::call::Fault;
use crate::objects::reach::{self, Address, Sent};
use crate::rules::{PerColor, Vertex};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use worker::{Env, Error, Result};

/// The name of the binding in `wrangler.toml`.
const BINDING: &str = "THINKER";

/// How long a thinker may take. Its work is bounded and takes a few seconds; a table counts it as failed later than this
/// ([`game`](crate::game)), so that a failure is told by whoever saw it.
const TIMEOUT: Duration = Duration::from_secs(25);

/// A question about a game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::objects) struct Question {
    /// The game, up to now.
    pub(in crate::objects) game: GameSoFar,
    /// What is wanted.
    pub(in crate::objects) wanted: Wanted,
    /// A fault to make, where the configuration allows it.
    #[serde(default)]
    pub(in crate::objects) fault: Option<Fault>,
}

/// What is wanted of a thinker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::objects) enum Wanted {
    /// Which chains are dead.
    Verdict,
    /// The computer's move.
    Move {
        /// How strong.
        level: Level,
        /// Randomness, so that it does not always play the same.
        seed: u32,
    },
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::objects) enum Reply {
    /// Which chains are dead: all their stones.
    Verdict {
        /// The stones.
        dead: PerColor<Vec<Vertex>>,
        /// Who says so.
        assessed_by: AssessedBy,
    },
    /// A stone.
    Play {
        /// Where.
        point: Vertex,
    },
    /// A pass.
    Pass,
    /// The game is given up.
    Resign,
    /// Another move of the same table is wanted by now.
    Overtaken,
}

/// Asks the thinker of a table.
///
/// # Errors
/// When it fails, or does not answer in time.
pub(in crate::objects) async fn ask(env: &Env, table: &TableId, question: &Question) -> Result<Reply> {
    let address = Address {
        binding: BINDING,
        name: table.as_str(),
    };
    let answer = reach::call_within(env, address, (question, Sent::Plain), TIMEOUT).await;
    let mut response = answer.map_err(|problem| Error::from(problem.code().as_str()))?;
    match response.status_code() {
        200 => response.json().await,
        status => Err(Error::from(format!("the thinker answered {status}"))),
    }
}
