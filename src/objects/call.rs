//! How the Worker calls a table's object, and what becomes of the call when the object does not answer.

use crate::game::{
    Cause, Conduct, Ears, InviteCode, InviteSeed, Judgment, NewAppeal, Opening, Player, PlayerId, Reason,
    Seq, TableId, Terms, Viewer,
};
use crate::http::Problem;
use crate::players::SessionId;
use crate::store::operator_log::Entry;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::time::Duration;
use worker::wasm_bindgen::JsValue;
use worker::{Delay, Env, Method, Request, RequestInit, Response, Stub, Url};

/// The name of the binding in `wrangler.toml`.
const BINDING: &str = "TABLE";

/// How long an object may take to answer, unless the variable `OBJECT_TIMEOUT_MS` says otherwise.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);

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
    /// The database is away from now on, for everybody.
    DatabaseAway,
    /// The database writes what it is asked to from now on, but nobody hears that it did.
    DatabaseMute,
    /// The database is back.
    DatabaseBack,
    /// The assessor fails, once.
    Assessor,
    /// Markings at this table last some seconds only.
    ShortMarking,
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
        let stub = self.stub(table).map_err(|error| self.away(table, &error))?;
        let request = request(call).map_err(|error| self.away(table, &error))?;
        let answer = std::pin::pin!(stub.fetch_with_request(request));
        let limit = std::pin::pin!(Delay::from(self.timeout()));
        match futures_util::future::select(answer, limit).await {
            futures_util::future::Either::Left((Ok(response), _)) => Ok(response),
            futures_util::future::Either::Left((Err(error), _)) => Err(self.away(table, &error)),
            futures_util::future::Either::Right(((), _)) => Err(self.away(table, &"no answer in time")),
        }
    }

    fn stub(&self, table: &TableId) -> worker::Result<Stub> {
        self.env.durable_object(BINDING)?.get_by_name(table.as_str())
    }

    fn timeout(&self) -> Duration {
        let configured = self
            .env
            .var("OBJECT_TIMEOUT_MS")
            .ok()
            .and_then(|value| value.to_string().parse().ok());
        configured.map_or(DEFAULT_TIMEOUT, Duration::from_millis)
    }

    fn away(&self, table: &TableId, error: &dyn std::fmt::Display) -> Problem {
        crate::log::error(
            "table.away",
            &[("table.id", json!(table)), crate::log::cause(error)],
        );
        Problem::unavailable()
    }
}

/// Where a socket's call travels.
const CALL_HEADER: &str = "x-hoshi-call";

/// A call travels as the request's body; a socket's call, which is an upgrade and has none, in a header, encoded as in an
/// address. It is not in the address itself, which the platform may log.
fn request(call: &TableCall) -> worker::Result<Request> {
    let json = serde_json::to_string(call)?;
    let mut init = RequestInit::new();
    if !matches!(call.op, TableOp::Socket { .. }) {
        init.with_method(Method::Post)
            .with_body(Some(JsValue::from_str(&json)));
        return Request::new_with_init("http://table/", &init);
    }
    let encoded = Url::parse_with_params("http://table/", [("call", json)])?;
    init.headers
        .set(CALL_HEADER, encoded.query().unwrap_or_default())?;
    init.headers.set("upgrade", "websocket")?;
    Request::new_with_init("http://table/", &init)
}

/// Reads what [`request`] has written.
pub(super) async fn read_call(request: &mut Request) -> worker::Result<TableCall> {
    if request.method() == Method::Post {
        return Ok(serde_json::from_str(&request.text().await?)?);
    }
    let query = request.headers().get(CALL_HEADER)?.unwrap_or_default();
    let encoded = Url::parse(&format!("http://table/?{query}"))?;
    let call = encoded.query_pairs().find(|(name, _)| name == "call");
    let (_, json) = call.ok_or_else(|| worker::Error::from("a call without its message"))?;
    Ok(serde_json::from_str(&json)?)
}
