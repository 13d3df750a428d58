//! The lobby's fields, and how it answers a call.

use super::call::{LobbyCall, LobbyOp};
use super::store::LobbyStore;
use crate::clock::Timestamp;
use crate::game::{Offer, PlayerId, TableId};
use crate::http::{Code, Problem, json, respond};
use crate::lobby::{Attendance, Avoid};
use crate::objects::alarm::Alarm;
use crate::objects::call::Fault;
use crate::objects::devices::{Device, Devices, send};
use crate::objects::panic_guard::AbortOnPanic;
use serde_json::json;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use worker::{Env, Response, State, WebSocket};

/// How many sockets a lobby takes: each change is told to all.
const MOST_SOCKETS: usize = 5000;

/// An answer, or why there is none.
pub(super) type Answer = Result<Response, Problem>;

/// The object's fields, shared with work that goes on after an answer.
pub(super) struct LobbyShell {
    state: State,
    pub(super) env: Env,
    store: worker::Result<LobbyStore>,
    pub(super) alarm: Alarm,
    /// What the tables have told: a cache.
    pub(super) offers: RefCell<Option<BTreeMap<TableId, Offer>>>,
    /// Whether the index has been asked since the object woke.
    pub(super) compared: Cell<bool>,
    /// Whether the creators of open tables have been asked since then.
    pub(super) asked: Cell<bool>,
    /// Which creators are on their channels, as they have told: a cache.
    pub(super) attendance: RefCell<Option<BTreeMap<PlayerId, Attendance>>>,
    /// When the two caches were read last. What is old goes when they are read again.
    pub(super) read_at: Cell<Timestamp>,
    /// What the sockets have been told of which creator; nothing before the first change after the object woke.
    pub(super) told_online: RefCell<Option<BTreeMap<TableId, bool>>>,
    /// Pairs who have blocked one another, as the database has said lately; and since when they have been gathered.
    pub(super) avoid: RefCell<Avoid>,
    pub(super) avoid_since: Cell<Timestamp>,
    /// The pairings that are being seen through.
    pub(super) carried: RefCell<BTreeSet<TableId>>,
    /// Whether somebody is pairing right now, and whether he is to look again when he is done.
    pub(super) matching: Cell<bool>,
    pub(super) look_again: Cell<bool>,
}

impl LobbyShell {
    pub(super) fn new(state: State, env: Env) -> LobbyShell {
        crate::log::configure(&env);
        Devices(&state).answer_pings();
        LobbyShell {
            store: LobbyStore::new(&state),
            alarm: Alarm::default(),
            offers: RefCell::new(None),
            compared: Cell::new(false),
            asked: Cell::new(false),
            attendance: RefCell::new(None),
            read_at: Cell::new(Timestamp::default()),
            told_online: RefCell::new(None),
            avoid: RefCell::new(Avoid::default()),
            avoid_since: Cell::new(Timestamp::default()),
            carried: RefCell::new(BTreeSet::new()),
            matching: Cell::new(false),
            look_again: Cell::new(false),
            state,
            env,
        }
    }

    pub(super) fn state(&self) -> &State {
        &self.state
    }

    pub(super) fn devices(&self) -> Devices<'_> {
        Devices(&self.state)
    }

    /// The storage; an error if even its tables could not be made.
    pub(super) fn store(&self) -> Result<&LobbyStore, Problem> {
        self.store.as_ref().map_err(|error| self.storage_failed(error))
    }

    /// Answers a call.
    pub(super) async fn answer(self: &Rc<LobbyShell>, call: LobbyCall, now: Timestamp) -> Answer {
        if call.fault == Some(Fault::Panic) {
            panic_on_purpose();
        }
        match call.op {
            LobbyOp::Enter { search } => self.enter(*search, now).await?,
            LobbyOp::Leave { search } => {
                let left = self.store()?.drop_search(&search);
                left.map_err(|error| self.storage_failed(&error))?;
            }
            LobbyOp::Offer(offer) => self.hear(*offer, now)?,
            LobbyOp::Attend { player, attendance } => self.attend(player, attendance, now)?,
            LobbyOp::Seen => {
                self.compare(&call.ruleset, now).await;
                return respond(json(200, &self.seen(now)?));
            }
            LobbyOp::Socket { player } => {
                // What is told here is for everybody, so it matters little whose session ends.
                let device = Device {
                    player,
                    session: None,
                    expires_at: None,
                };
                return self.open_socket(&call.ruleset, device, now).await;
            }
        }
        respond(Response::empty().map(|response| response.with_status(204)))
    }

    async fn open_socket(self: &Rc<LobbyShell>, ruleset: &str, device: Device, now: Timestamp) -> Answer {
        if self.devices().count(None) >= MOST_SOCKETS {
            let detail = "the lobby has as many sockets as it can take";
            return Err(Problem::new(Code::Unavailable, detail));
        }
        self.compare(ruleset, now).await;
        self.remember_what_was_told(now)?;
        let pair = self.devices().accept(&device);
        let pair = pair.map_err(|error| self.failed("lobby.socket_failed", &error))?;
        // Nothing is awaited from here on, so nothing that happens is missed or told twice.
        let items = self.items(now)?;
        send(
            &pair.server,
            &json!({"type": "tables", "items": items}).to_string(),
        );
        self.tell_who_is_online(None, now)?;
        respond(Response::from_websocket(pair.client))
    }

    /// Goes on with something without keeping anybody waiting for it.
    pub(super) fn later(&self, work: impl Future<Output = ()> + 'static) {
        self.state.wait_until(AbortOnPanic::new(&self.state, work));
    }

    pub(super) fn failed(&self, event: &str, error: &dyn std::fmt::Display) -> Problem {
        crate::log::error(event, &[crate::log::cause(error)]);
        Problem::internal()
    }

    /// Notes that the object's storage has failed. What is in memory may not be stored, and is dropped.
    pub(super) fn storage_failed(&self, error: &dyn std::fmt::Display) -> Problem {
        crate::log::error("lobby.storage_failed", &[crate::log::cause(error)]);
        self.forget_caches();
        Problem::unavailable()
    }

    /// Tells everybody which creators have come or gone, leaving out a socket that is closing.
    pub(super) fn tell_who_is_online(
        &self,
        closing: Option<&WebSocket>,
        now: Timestamp,
    ) -> Result<(), Problem> {
        for (table, online) in self.changes_online(closing, now)? {
            let frame = json!({"type": "creator_online", "table_id": table, "online": online});
            self.devices().tell(&frame);
        }
        Ok(())
    }

    /// A socket has gone.
    pub(super) fn device_left(&self, socket: &WebSocket, now: Timestamp) {
        let told = self
            .remember_what_was_told(now)
            .and_then(|()| self.tell_who_is_online(Some(socket), now));
        self.note("lobby.leaving_not_told", told);
    }

    pub(super) fn note(&self, event: &str, outcome: Result<(), Problem>) {
        if let Err(problem) = outcome {
            crate::log::error(event, &[("code", json!(problem.code().as_str()))]);
        }
    }
}

/// The panic of a fault that a test has asked for; no other configuration reaches it.
#[allow(clippy::panic, reason = "it is there to panic")]
fn panic_on_purpose() {
    panic!("a panic was asked for");
}
