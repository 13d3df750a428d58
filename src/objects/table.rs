//! A table's object. It does the same for every input, in this order: read the time once, load the table, step,
//! store, apply, tell. It knows no rule of the game.

#![allow(missing_docs, reason = "the object's macro makes public methods without any")]

use super::call::{Fault, Live, TableCall, TableOp, read_call};
use super::outbox;
use super::panic_guard::AbortOnPanic;
use super::table_sockets::{Attachment, TableSockets, event_frame, ok_frame, send, send_refusal};
use super::table_store::{Broken, TableStore};
use crate::clock::Timestamp;
use crate::game::{
    self, CommandMessage, Event, Input, InviteCode, Outcome, Phase, Player, Scene, Seq, Verdict,
};
use crate::http::{Code, Problem, json};
use crate::store::games::StoredSummary;
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;
use worker::js_sys::Date as JsDate;
use worker::wasm_bindgen::JsValue;
use worker::{
    Date, Delay, DurableObject, Env, Request, Response, Result, ScheduledTime, State, WebSocket,
    WebSocketIncomingMessage, WebSocketRequestResponsePair, durable_object,
};

/// The longest frame that a socket may send.
const MAX_FRAME_BYTES: usize = 8 * 1024;

/// The most events that one answer brings (API.md). Who has missed more gets a snapshot.
const MAX_EVENTS: u32 = 500;

/// When an alarm that failed is tried again.
const AFTER_A_FAILURE: Duration = Duration::from_secs(10);

/// A table.
#[durable_object]
pub struct Table {
    shell: Rc<Shell>,
}

/// The object's fields, shared with work that goes on after an answer.
struct Shell {
    state: State,
    env: Env,
    store: TableStore,
    /// The replay of the stored events: a cache.
    table: RefCell<Option<game::Table>>,
    /// The alarm that is set, so that it is not set again for every move.
    alarm: Cell<Option<Timestamp>>,
    panics_at_next_frame: Cell<bool>,
}

/// What an input has led to.
struct Taken {
    seq: Seq,
    turn: u32,
    events: Vec<Event>,
    /// Whether the events are older ones, of a move that is repeated.
    repeated: bool,
}

impl DurableObject for Table {
    fn new(state: State, env: Env) -> Table {
        let store = TableStore::new(&state);
        if let Ok(pair) = WebSocketRequestResponsePair::new("ping", "pong") {
            state.set_websocket_auto_response(&pair);
        }
        let (table, alarm, panics_at_next_frame) = (RefCell::new(None), Cell::new(None), Cell::new(false));
        Table {
            shell: Rc::new(Shell {
                state,
                env,
                store,
                table,
                alarm,
                panics_at_next_frame,
            }),
        }
    }

    async fn fetch(&self, mut request: Request) -> Result<Response> {
        AbortOnPanic::new(&self.shell.state, async {
            let call = read_call(&mut request).await?;
            match self.shell.answer(call).await {
                Ok(response) => Ok(response),
                Err(problem) => problem.into_response(),
            }
        })
        .await
    }

    async fn alarm(&self) -> Result<Response> {
        AbortOnPanic::new(&self.shell.state, async {
            // An alarm only asks the table to look at the time: a late, early or doubled one does no harm.
            self.shell.alarm.set(None);
            if let Err(problem) = self.shell.look_at_the_time(now()).await {
                crate::log::error("table.alarm_failed", &[("code", problem.code().as_str())]);
                // The platform gives an alarm up after a few failures; a new one never is.
                self.shell.state.storage().set_alarm(AFTER_A_FAILURE).await?;
            }
            Response::empty()
        })
        .await
    }

    async fn websocket_message(&self, socket: WebSocket, message: WebSocketIncomingMessage) -> Result<()> {
        AbortOnPanic::new(&self.shell.state, async {
            self.shell.take_frame(&socket, message).await;
            Ok(())
        })
        .await
    }

    async fn websocket_close(
        &self,
        socket: WebSocket,
        code: usize,
        reason: String,
        _was_clean: bool,
    ) -> Result<()> {
        AbortOnPanic::new(&self.shell.state, async {
            self.shell.viewer_left(&socket);
            // Finishes the closing handshake where the platform does not do so by itself. Codes below 3000 other
            // than 1000 may not be sent; a socket that is closed already refuses a second time.
            let code = u16::try_from(code)
                .ok()
                .filter(|code| (3000..5000).contains(code))
                .unwrap_or(1000);
            let _ = socket.close(Some(code), Some(reason));
            Ok(())
        })
        .await
    }

    async fn websocket_error(&self, socket: WebSocket, _error: worker::Error) -> Result<()> {
        AbortOnPanic::new(&self.shell.state, async {
            self.shell.viewer_left(&socket);
            Ok(())
        })
        .await
    }
}

/// The server's time, read once for each input.
fn now() -> Timestamp {
    Timestamp::from_millis(Date::now().as_millis() as i64)
}

impl Shell {
    /// Answers a call of the Worker.
    async fn answer(self: &Rc<Shell>, call: TableCall) -> std::result::Result<Response, Problem> {
        self.make_fault(call.fault).await;
        let now = now();
        if let TableOp::Open { id, terms, seed } = &call.op {
            let invite = InviteCode::new(id.clone(), *seed);
            let creator = call.player.clone().ok_or_else(Problem::unauthenticated)?;
            let opened = game::open(id.clone(), (**terms).clone(), creator, invite, now);
            self.open(opened, &call).await?;
            return self.snapshot(&call, 201);
        }
        self.admit(&call)?;
        match &call.op {
            TableOp::Open { .. } | TableOp::Snapshot => self.snapshot(&call, 200),
            TableOp::Join { draw } => {
                let input = Input::Join {
                    player: caller(&call)?,
                    draw: *draw,
                };
                let taken = self.take(input, call.fault, now).await?;
                self.settle_debts_of(&taken).await;
                self.snapshot(&call, 200)
            }
            TableOp::Close => {
                let taken = self
                    .take(
                        Input::Close {
                            by: caller(&call)?.id,
                        },
                        call.fault,
                        now,
                    )
                    .await?;
                self.settle_debts_of(&taken).await;
                respond(Response::empty().map(|response| response.with_status(204)))
            }
            TableOp::Command { body } => {
                let taken = self.take_command(&call, body.clone(), now).await?;
                self.settle_debts_of(&taken).await;
                respond(json(200, &taken.body()))
            }
            TableOp::Events { since } => self.events(*since),
            TableOp::Sgf => self.sgf(),
            TableOp::Socket { since } => self.open_socket(&call, *since),
            TableOp::Live => self.live(&call),
            TableOp::Invited => self.invited(&call),
        }
    }

    /// Fails on purpose, where the configuration allows it.
    async fn make_fault(&self, fault: Option<Fault>) {
        match fault {
            Some(Fault::Panic) => panic_on_purpose(),
            Some(Fault::PanicAtFrame) => self.panics_at_next_frame.set(true),
            Some(Fault::Hang) => Delay::from(Duration::from_secs(60)).await,
            Some(Fault::PanicAfterStore | Fault::Storage) | None => {}
        }
    }

    /// Whether the caller may see the table at all. If not, it might as well not exist.
    fn admit(&self, call: &TableCall) -> std::result::Result<(), Problem> {
        let seen = self.with_table(|table| table.admits(&call.viewer()))?;
        if seen { Ok(()) } else { Err(Problem::not_found()) }
    }

    /// Asks the table something, loading it first if need be.
    fn with_table<T>(&self, ask: impl FnOnce(&game::Table) -> T) -> std::result::Result<T, Problem> {
        if self.table.borrow().is_none() {
            let events = self
                .store
                .events()
                .map_err(|error| self.failed("table.load_failed", &error))?;
            if events.is_empty() {
                return Err(Problem::not_found());
            }
            let table =
                game::Table::replay(events).map_err(|error| self.failed("table.replay_failed", &error))?;
            self.table.replace(Some(table));
        }
        match &*self.table.borrow() {
            Some(table) => Ok(ask(table)),
            None => Err(Problem::internal()),
        }
    }

    /// Opens the table. A second call that says the same is the first one once more (`Idempotency-Key`).
    async fn open(self: &Rc<Shell>, opened: Event, call: &TableCall) -> std::result::Result<(), Problem> {
        let known = self
            .store
            .events()
            .map_err(|error| self.failed("table.load_failed", &error))?;
        if known.is_empty() {
            let table =
                game::Table::open(&opened).map_err(|error| self.failed("table.open_failed", &error))?;
            self.table.replace(Some(table));
            if let Err(problem) = self.store(&[opened], call.fault) {
                self.table.replace(None);
                return Err(problem);
            }
            self.settle_debts().await;
            return Ok(());
        }
        let same = self.with_table(|table| table.belongs_to(call.viewer().player.as_ref()))?;
        if same { Ok(()) } else { Err(Problem::not_found()) }
    }

    /// Takes an input: step, store, apply, tell; then whatever follows from it at once.
    async fn take(
        self: &Rc<Shell>,
        input: Input,
        fault: Option<Fault>,
        now: Timestamp,
    ) -> std::result::Result<Taken, Problem> {
        let outcome = self.with_table(|table| {
            let standing = (table.seq(), table.turn());
            game::step(table, input, now).map_err(|refusal| Problem::refused(refusal, standing.0, standing.1))
        })??;
        let (mut events, repeated) = match outcome {
            Outcome::Events(events) => (self.carry_out(events, fault)?, false),
            Outcome::Repeated(seq) => (self.stored_event(seq)?, true),
        };
        if !repeated {
            events.extend(self.assess(now)?);
        }
        self.set_alarm(now).await?;
        let (seq, turn) = self.with_table(|table| (table.seq(), table.turn()))?;
        Ok(Taken {
            seq,
            turn,
            events,
            repeated,
        })
    }

    /// Applies events, stores them, and only then tells them. If they cannot be stored they have not happened: the
    /// table is thrown away, and the next input replays what is stored.
    fn carry_out(
        &self,
        events: Vec<Event>,
        fault: Option<Fault>,
    ) -> std::result::Result<Vec<Event>, Problem> {
        if events.is_empty() {
            return Ok(events);
        }
        let applied = match &mut *self.table.borrow_mut() {
            Some(table) => events.iter().try_for_each(|event| table.apply(event)),
            None => return Err(Problem::internal()),
        };
        let applied = applied.map_err(|error| self.failed("table.apply_failed", &error));
        let stored = applied.and_then(|()| self.store(&events, fault));
        if let Err(problem) = stored {
            self.table.replace(None);
            return Err(problem);
        }
        if fault == Some(Fault::PanicAfterStore) {
            panic_on_purpose();
        }
        TableSockets::new(&self.state).broadcast_events(&events);
        Ok(events)
    }

    /// Stores events, and with them what the index is owed for them.
    fn store(&self, events: &[Event], fault: Option<Fault>) -> std::result::Result<(), Problem> {
        let debt = match events.iter().any(is_for_the_index) {
            true => self
                .with_table(|table| Ok((table.seq(), StoredSummary::new(&table.summary())?)))?
                .map(Some),
            false => Ok(None),
        };
        let debt = debt.map_err(|error: serde_json::Error| self.failed("table.summary_failed", &error))?;
        let broken = if fault == Some(Fault::Storage) {
            Broken::Yes
        } else {
            Broken::No
        };
        self.store.commit(events, debt, broken).map_err(|error| {
            self.failed("table.store_failed", &error);
            Problem::unavailable()
        })
    }

    /// The seam to the assessor. Nobody judges life and death yet: every chain counts as alive, and the result names
    /// no assessor (`assessed_by` is null).
    fn assess(self: &Rc<Shell>, now: Timestamp) -> std::result::Result<Vec<Event>, Problem> {
        let (wanted, turn) = self.with_table(|table| (table.wants_verdict(now), table.turn()))?;
        if !wanted {
            return Ok(Vec::new());
        }
        let assessed = Input::Assessed {
            turn,
            verdict: Verdict::default(),
        };
        let outcome = self.with_table(|table| game::step(table, assessed, now))?;
        match outcome {
            Ok(Outcome::Events(events)) => self.carry_out(events, None),
            Ok(Outcome::Repeated(_)) => Ok(Vec::new()),
            Err(refusal) => Err(self.failed("table.assessment_refused", &refusal)),
        }
    }

    /// Does what has become due, and sets the alarm for what has not.
    async fn look_at_the_time(self: &Rc<Shell>, now: Timestamp) -> std::result::Result<(), Problem> {
        match self.assess(now) {
            // An alarm of a table that was never stored has nothing to look at.
            Err(problem) if problem.code() == Code::NotFound => return Ok(()),
            outcome => outcome?,
        };
        let due = self
            .store
            .debt_due()
            .map_err(|error| self.failed("table.load_failed", &error))?;
        if due.is_some_and(|due| due <= now) {
            self.settle_debts().await;
        }
        self.set_alarm(now).await
    }

    /// Sets the alarm for the table's next deadline or the next try at a debt, whichever comes first. Called in the
    /// same turn as the commit, with nothing awaited in between, so that both are stored together.
    async fn set_alarm(&self, now: Timestamp) -> std::result::Result<(), Problem> {
        let deadline = self.with_table(game::Table::next_deadline)?;
        let debt = self
            .store
            .debt_due()
            .map_err(|error| self.failed("table.load_failed", &error))?;
        // A debt that has not been tried is being tried now; the alarm is there in case that work is cut off.
        let debt = debt.map(|due| due.max(now + outbox::GRACE));
        let next = [deadline, debt].into_iter().flatten().min();
        let Some(next) = next.filter(|next| self.alarm.get().is_none_or(|set| *next < set)) else {
            return Ok(());
        };
        self.alarm.set(Some(next));
        let at = JsDate::new(&JsValue::from_f64(next.as_millis() as f64));
        let set = self.state.storage().set_alarm(ScheduledTime::new(at)).await;
        set.map_err(|error| {
            self.alarm.set(None);
            self.failed("table.alarm_not_set", &error)
        })
    }

    /// Tells the index what an input has changed, so that whoever asks it next finds that.
    async fn settle_debts_of(&self, taken: &Taken) {
        if !taken.repeated && taken.events.iter().any(is_for_the_index) {
            self.settle_debts().await;
        }
    }

    async fn settle_debts(&self) {
        let now = now();
        if let Err(error) = outbox::deliver(&self.store, &self.env, now).await {
            self.failed("outbox.storage_failed", &error);
        }
        if let Err(problem) = self.set_alarm(now).await {
            crate::log::error("outbox.alarm_not_set", &[("code", problem.code().as_str())]);
        }
    }

    fn stored_event(&self, seq: Seq) -> std::result::Result<Vec<Event>, Problem> {
        let before = Seq(seq.0.saturating_sub(1));
        self.store
            .events_after(before, 1)
            .map_err(|error| self.failed("table.load_failed", &error))
    }

    /// Reads a command and takes it. A bad one is answered with where the table stands, too.
    async fn take_command(
        self: &Rc<Shell>,
        call: &TableCall,
        body: Value,
        now: Timestamp,
    ) -> std::result::Result<Taken, Problem> {
        let by = caller(call)?.id;
        let message =
            CommandMessage::from_wire(body).map_err(|error| self.with_standing(error.error.into()))?;
        self.take(Input::Command { by, message }, call.fault, now).await
    }

    fn snapshot(&self, call: &TableCall, status: u16) -> std::result::Result<Response, Problem> {
        let spectators = self.spectators(None);
        let scene = Scene {
            origin: &call.origin,
            spectators,
        };
        let snapshot = self.with_table(|table| table.snapshot(&call.viewer(), scene))?;
        respond(json(status, &snapshot))
    }

    fn events(&self, since: Seq) -> std::result::Result<Response, Problem> {
        let (seq, turn) = self.with_table(|table| (table.seq(), table.turn()))?;
        check_since(since, seq)?;
        let events = self.store.events_after(since, MAX_EVENTS);
        let events = events.map_err(|error| self.failed("table.load_failed", &error))?;
        respond(json(
            200,
            &Taken {
                seq,
                turn,
                events,
                repeated: false,
            }
            .body(),
        ))
    }

    fn sgf(&self) -> std::result::Result<Response, Problem> {
        let (id, sgf) = self.with_table(|table| (table.id().to_string(), table.sgf()))?;
        let disposition = format!("attachment; filename=\"hoshi-{id}.sgf\"");
        let response = Response::builder().with_header("content-type", "application/x-go-sgf; charset=utf-8");
        let response =
            response.and_then(|response| response.with_header("content-disposition", &disposition));
        respond(response.map(|response| response.fixed(sgf.into_bytes())))
    }

    fn live(&self, call: &TableCall) -> std::result::Result<Response, Problem> {
        let player = call.viewer().player;
        let live = self.with_table(|table| Live {
            state: table.phase().name().to_owned(),
            turn: table.turn(),
            spectators: self.spectators_of(table, None),
            creator_online: TableSockets::new(&self.state).is_connected(&table.creator().id),
            your_turn: player.is_some_and(|player| table.is_turn_of(&player)),
        })?;
        respond(json(200, &live))
    }

    fn invited(&self, call: &TableCall) -> std::result::Result<Response, Problem> {
        let invited =
            self.with_table(|table| call.invite.as_ref().is_some_and(|code| table.is_invite(code)))?;
        if !invited {
            return Err(Problem::not_found());
        }
        if self.with_table(|table| *table.phase() == Phase::Closed)? {
            return Err(Problem::new(Code::Gone, "the table was closed before it began"));
        }
        let summary = self.with_table(game::Table::summary)?;
        respond(json(200, &summary))
    }

    /// Opens a socket and sends what its viewer has missed, or everything.
    fn open_socket(&self, call: &TableCall, since: Option<Seq>) -> std::result::Result<Response, Problem> {
        let attachment = Attachment {
            player: call.player.clone(),
            invite: call.invite.clone(),
            origin: call.origin.clone(),
        };
        let seq = self.with_table(game::Table::seq)?;
        let missed = since
            .map(|since| check_since(since, seq).map(|()| seq.0 - since.0))
            .transpose()?;
        let sockets = TableSockets::new(&self.state);
        let before = self.spectators(None);
        let pair = sockets
            .accept(&attachment)
            .map_err(|error| self.failed("table.socket_failed", &error))?;
        let spectators = self.spectators(None);
        match (since, missed) {
            (Some(since), Some(missed)) if missed <= MAX_EVENTS => {
                let events = self.store.events_after(since, MAX_EVENTS);
                let events = events.map_err(|error| self.failed("table.load_failed", &error))?;
                for frame in events.iter().filter_map(event_frame) {
                    send(&pair.server, &frame);
                }
            }
            _ => {
                let scene = Scene {
                    origin: &call.origin,
                    spectators,
                };
                let snapshot = self.with_table(|table| table.snapshot(&attachment.viewer(), scene))?;
                send(&pair.server, &snapshot_frame(&snapshot)?);
            }
        }
        if spectators != before {
            sockets.broadcast_spectators(spectators, None);
        }
        respond(Response::from_websocket(pair.client))
    }

    async fn take_frame(self: &Rc<Shell>, socket: &WebSocket, message: WebSocketIncomingMessage) {
        if self.panics_at_next_frame.take() {
            panic_on_purpose();
        }
        let now = now();
        let (message, id) = match read_frame(message) {
            Ok(Frame::Time) => return send(socket, &json!({"type": "time", "at": now})),
            Ok(Frame::Command(message)) => {
                let id = message.id.clone();
                (message, id)
            }
            Err((problem, id)) => return send_refusal(socket, self.with_standing(problem), id),
        };
        let player = TableSockets::attachment(socket).and_then(|attachment| attachment.player);
        let Some(player) = player else {
            return send_refusal(socket, Problem::unauthenticated(), id);
        };
        match self
            .take(
                Input::Command {
                    by: player.id,
                    message,
                },
                None,
                now,
            )
            .await
        {
            Ok(taken) => {
                let repeats = taken.events.first().filter(|_| taken.repeated);
                send(socket, &ok_frame(id, taken.seq, taken.turn, repeats));
                let shell = Rc::clone(self);
                self.state
                    .wait_until(async move { shell.settle_debts_of(&taken).await });
            }
            Err(problem) => send_refusal(socket, problem, id),
        }
    }

    fn with_standing(&self, problem: Problem) -> Problem {
        match self.with_table(|table| (table.seq(), table.turn())) {
            Ok((seq, turn)) => problem.at(seq, turn),
            Err(_) => problem,
        }
    }

    fn viewer_left(&self, socket: &WebSocket) {
        let spectators = self.spectators(Some(socket));
        if spectators != self.spectators(None) {
            TableSockets::new(&self.state).broadcast_spectators(spectators, Some(socket));
        }
    }

    fn spectators(&self, closing: Option<&WebSocket>) -> usize {
        self.with_table(|table| self.spectators_of(table, closing))
            .unwrap_or(0)
    }

    fn spectators_of(&self, table: &game::Table, closing: Option<&WebSocket>) -> usize {
        TableSockets::new(&self.state).spectators(|player| table.belongs_to(Some(player)), closing)
    }

    /// Notes a fault of ours, with all that is known of it, and keeps it from the client.
    fn failed(&self, event: &str, error: &dyn std::fmt::Display) -> Problem {
        let object = self.state.id().to_string();
        crate::log::error(event, &[("object.id", &object), ("error", &error.to_string())]);
        Problem::internal()
    }
}

impl Taken {
    /// The answer to a command.
    fn body(&self) -> Value {
        let shown: Vec<&Event> = self.events.iter().filter(|event| event.is_shown()).collect();
        let mut body = json!({"seq": self.seq, "turn": self.turn, "events": shown});
        if self.repeated {
            body["repeated"] = json!(true);
        }
        body
    }
}

/// The panic of a fault that a test has asked for; no other configuration reaches it.
#[allow(clippy::panic, reason = "it is there to panic")]
fn panic_on_purpose() {
    panic!("a panic was asked for");
}

/// A frame that a socket has sent.
enum Frame {
    /// What time is it?
    Time,
    /// A command.
    Command(CommandMessage),
}

fn read_frame(message: WebSocketIncomingMessage) -> std::result::Result<Frame, (Problem, Option<Value>)> {
    let WebSocketIncomingMessage::String(text) = message else {
        return Err((Problem::bad_field("", "a frame is a text"), None));
    };
    if text.len() > MAX_FRAME_BYTES {
        let detail = format!("a frame has at most {MAX_FRAME_BYTES} bytes");
        return Err((Problem::new(Code::PayloadTooLarge, detail), None));
    }
    let value: Value = serde_json::from_str(&text)
        .map_err(|_| (Problem::new(Code::BadJson, "the frame is not JSON"), None))?;
    if value == json!({"type": "time"}) {
        return Ok(Frame::Time);
    }
    let message = CommandMessage::from_wire(value);
    message
        .map(Frame::Command)
        .map_err(|error| (Problem::from(error.error), error.id))
}

fn snapshot_frame(snapshot: &game::Snapshot) -> std::result::Result<Value, Problem> {
    let mut frame = serde_json::to_value(snapshot).map_err(|_| Problem::internal())?;
    frame["type"] = json!("snapshot");
    Ok(frame)
}

fn check_since(since: Seq, seq: Seq) -> std::result::Result<(), Problem> {
    if since <= seq {
        return Ok(());
    }
    Err(Problem::bad_field(
        "since",
        format!("the newest event is {}", seq.0),
    ))
}

/// The player who calls; some calls need one.
fn caller(call: &TableCall) -> std::result::Result<Player, Problem> {
    call.player.clone().ok_or_else(Problem::unauthenticated)
}

/// Whether the index shows what an event changes.
fn is_for_the_index(event: &Event) -> bool {
    use crate::game::EventKind::{Closed, Counting, Finished, Joined, Opened, Passed, Played, Started};
    match event.kind {
        Opened { .. } | Started { .. } | Finished { .. } | Closed {} => true,
        Joined { .. } | Played { .. } | Passed { .. } | Counting { .. } => false,
    }
}

/// A response, or the problem that there is none.
fn respond(response: Result<Response>) -> std::result::Result<Response, Problem> {
    response.map_err(|error| {
        crate::log::error("response.failed", &[("error", &error.to_string())]);
        Problem::internal()
    })
}
