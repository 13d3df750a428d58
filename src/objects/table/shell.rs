//! What the object does with every input, and with the time.

use super::assessing::Verdicts;
use super::now;
use super::paying::Delivery;
use super::sockets::TableSockets;
use super::store::{Broken, Owed, TableStore};
use super::untold::Untold;
use crate::clock::{Millis, Timestamp};
use crate::game::{self, Audience, ComputerTask, Event, Input, Outcome, Seq, Viewer};
use crate::http::{Code, Problem};
use crate::objects::alarm::Alarm;
use crate::objects::call::Fault;
use crate::objects::devices::Devices;
use crate::objects::outbox;
use crate::objects::panic_guard::AbortOnPanic;
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use worker::{Env, State};

/// How long a marking lasts where a test has asked for a short one: time enough to mark something first.
const SHORT_MARKING: Millis = Millis::from_secs(5);

/// When an alarm that failed is tried again.
const AFTER_A_FAILURE: Millis = Millis::from_secs(1);

/// The object's fields, shared with work that goes on after an answer.
pub(super) struct Shell {
    state: State,
    pub(super) env: Env,
    pub(super) store: TableStore,
    /// The replay of the stored events: a cache.
    table: RefCell<Option<game::Table>>,
    alarm: Alarm,
    /// What has been stored and is still to be told.
    untold: Untold,
    /// What is being delivered, by the number of its debt.
    pub(super) deliveries: RefCell<BTreeMap<u32, Delivery>>,
    /// The rank of the newest offer.
    pub(super) offers: Cell<u64>,
    /// What the computer is being asked.
    pub(super) asked: Cell<Option<ComputerTask>>,
    /// Which verdict is being asked for: the turn, and which try.
    pub(super) judged: Cell<Option<(u32, u32)>>,
    /// What the assessor has said.
    pub(super) verdicts: Verdicts,
    /// What a test has asked the thinker to do wrong at the next question.
    pub(super) thinkers_fault: Cell<Option<Fault>>,
    /// Whether a test has asked for a panic at the next frame.
    pub(super) panics_at_next_frame: Cell<bool>,
}

/// What an input has led to.
pub(super) struct Taken {
    pub(super) seq: Seq,
    pub(super) turn: u32,
    pub(super) events: Vec<Event>,
    /// Whether the events are older ones, of a move that is repeated.
    pub(super) repeated: bool,
}

impl Shell {
    pub(super) fn new(state: State, env: Env) -> Shell {
        crate::log::configure(&env);
        Devices(&state).answer_pings();
        Shell {
            store: TableStore::new(&state),
            table: RefCell::new(None),
            alarm: Alarm::default(),
            untold: Untold::default(),
            deliveries: RefCell::default(),
            offers: Cell::new(0),
            asked: Cell::new(None),
            judged: Cell::new(None),
            verdicts: Verdicts::default(),
            thinkers_fault: Cell::new(None),
            panics_at_next_frame: Cell::new(false),
            state,
            env,
        }
    }

    pub(super) fn state(&self) -> &State {
        &self.state
    }

    pub(super) fn sockets(&self) -> TableSockets<'_> {
        TableSockets::new(&self.state)
    }

    /// Asks the table something, loading it first if need be.
    pub(super) fn with_table<T>(&self, ask: impl FnOnce(&game::Table) -> T) -> Result<T, Problem> {
        if self.table.borrow().is_none() {
            let events = self
                .store
                .events()
                .map_err(|error| self.storage_failed("table.load_failed", &error))?;
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

    /// Drops the cached table: what is stored is another.
    pub(super) fn forget(&self) {
        self.table.replace(None);
    }

    /// Opens the table with its first events, unless it is open already.
    pub(super) async fn open(&self, events: &[Event], fault: Option<Fault>) -> Result<(), Problem> {
        let known = self
            .store
            .events()
            .map_err(|error| self.storage_failed("table.load_failed", &error))?;
        if !known.is_empty() {
            return Ok(());
        }
        let table = game::Table::replay(events.iter().cloned());
        let table = table.map_err(|error| self.failed("table.open_failed", &error))?;
        self.table.replace(Some(table));
        if let Err(problem) = self.store(events, Vec::new(), fault) {
            self.table.replace(None);
            return Err(problem);
        }
        self.set_alarm(now()).await
    }

    /// Takes an input, and logs what came of it.
    pub(super) async fn take(
        self: &Rc<Shell>,
        input: Input,
        fault: Option<Fault>,
        now: Timestamp,
    ) -> Result<Taken, Problem> {
        let kind = input.kind();
        let taken = self.step(input, fault, now).await;
        let table = self.with_table(|table| json!(table.id())).unwrap_or_default();
        let outcome = match &taken {
            Ok(taken) if taken.repeated => "repeated",
            Ok(_) => "taken",
            Err(problem) => problem.code().as_str(),
        };
        let seq = taken.as_ref().map_or(Value::Null, |taken| json!(taken.seq));
        let fields = [
            ("table.id", table),
            ("input", json!(kind)),
            ("outcome", json!(outcome)),
            ("seq", seq),
        ];
        crate::log::info("table.input", &fields);
        taken
    }

    /// Step, apply, store, tell; then whatever follows from it at once.
    async fn step(
        self: &Rc<Shell>,
        input: Input,
        fault: Option<Fault>,
        now: Timestamp,
    ) -> Result<Taken, Problem> {
        self.look_at_the_clock(now).await?;
        if fault == Some(Fault::ShortMarking)
            && let Some(table) = &mut *self.table.borrow_mut()
        {
            table.set_marking_life(SHORT_MARKING);
        }
        let outcome = self.with_table(|table| {
            let outcome = game::step(table, input, now);
            outcome.map_err(|refusal| Problem::refused(refusal, table))
        })??;
        let taken = match outcome {
            Outcome::Events(events) if events.iter().any(Event::starts_next_game) => {
                self.begin_next_game(events, fault, now).await?
            }
            Outcome::Events(events) => self.taken(self.carry_out(events, fault)?)?,
            Outcome::Repeated(seq) => Taken {
                repeated: true,
                ..self.taken(self.stored_event(seq)?)?
            },
        };
        if !taken.repeated {
            // What fails here has been noted, and the alarm asks again; the move stands all the same.
            let _ = self.assess(fault, now).await;
        }
        self.set_alarm(now).await?;
        Ok(taken)
    }

    /// What these events have led to, as of now.
    fn taken(&self, events: Vec<Event>) -> Result<Taken, Problem> {
        self.with_table(|table| Taken {
            seq: table.seq(),
            turn: table.turn(),
            events,
            repeated: false,
        })
    }

    /// Stores events after which the players go to another table at once: it is made before they are told of it. What is stored
    /// meanwhile is told after them.
    async fn begin_next_game(
        self: &Rc<Shell>,
        events: Vec<Event>,
        fault: Option<Fault>,
        now: Timestamp,
    ) -> Result<Taken, Problem> {
        let hold = self.untold.hold();
        let taken = self.taken(self.carry_out(events, fault)?)?;
        let set = self.set_alarm(now).await;
        self.settle_debts().await;
        drop(hold);
        self.tell(&[])?;
        set.map(|()| taken)
    }

    /// Carries out what the time alone has brought, before anything else is done or told.
    pub(super) async fn look_at_the_clock(self: &Rc<Shell>, now: Timestamp) -> Result<(), Problem> {
        let brought = self.tick(now)?;
        if brought.is_empty() && self.alarm.ahead(now).is_some() {
            return Ok(());
        }
        // Also when nothing was due: an object that has just woken does not know whether its alarm is still set, and one
        // whose alarm should have fired may have lost it.
        self.set_alarm(now).await?;
        if brought.iter().any(Event::owes) {
            self.settle_debts().await;
        }
        Ok(())
    }

    /// Carries out what the time alone has brought.
    fn tick(&self, now: Timestamp) -> Result<Vec<Event>, Problem> {
        let mut brought = Vec::new();
        loop {
            let events = self.with_table(|table| game::tick(table, now))?;
            if events.is_empty() {
                return Ok(brought);
            }
            brought.extend(self.carry_out(events, None)?);
        }
    }

    /// Applies events, stores them, and only then tells them.
    pub(super) fn carry_out(&self, events: Vec<Event>, fault: Option<Fault>) -> Result<Vec<Event>, Problem> {
        if !events.is_empty() {
            self.make_stand(&events, fault)?;
            self.tell(&events)?;
        }
        Ok(events)
    }

    /// Applies events and stores them. If they cannot be stored they have not happened: the table is thrown away, and the
    /// next input replays what is stored.
    fn make_stand(&self, events: &[Event], fault: Option<Fault>) -> Result<(), Problem> {
        self.make_stand_owing(events, Vec::new(), fault)
    }

    /// The same, with something more that is owed for them.
    pub(super) fn make_stand_owing(
        &self,
        events: &[Event],
        more: Vec<Owed>,
        fault: Option<Fault>,
    ) -> Result<(), Problem> {
        let applied = match &mut *self.table.borrow_mut() {
            Some(table) => events.iter().try_for_each(|event| table.apply(event)),
            None => return Err(Problem::internal()),
        };
        let applied = applied.map_err(|error| self.failed("table.apply_failed", &error));
        let stored = applied.and_then(|()| self.store(events, more, fault));
        if let Err(problem) = stored {
            self.table.replace(None);
            return Err(problem);
        }
        if fault == Some(Fault::PanicAfterStore) {
            panic_on_purpose();
        }
        Ok(())
    }

    /// Sends everybody the events that he may see: these, which have just been stored, after those that wait to be told.
    pub(super) fn tell(&self, events: &[Event]) -> Result<(), Problem> {
        self.untold.add(events);
        let events = &self.untold.take();
        if events.is_empty() {
            return Ok(());
        }
        let for_all = |event: &Event| {
            event.is_shown(Audience::Watcher) == event.is_shown(Audience::Player) && !event.is_chat()
        };
        let told = self.with_table(|table| {
            self.store.conducts(|conducts| {
                let meant = |event: &Event, viewer: &Viewer| {
                    let viewer = Viewer {
                        ears: conducts.ears(viewer.player.as_ref()),
                        ..viewer.clone()
                    };
                    table.tells(event, &viewer)
                };
                self.sockets().broadcast_events(events, for_all, meant);
            })
        })?;
        told.map_err(|error| self.storage_failed("table.load_failed", &error))
    }

    /// Stores events, and with them what is owed for them.
    fn store(&self, events: &[Event], more: Vec<Owed>, fault: Option<Fault>) -> Result<(), Problem> {
        let debts = self.with_table(|table| self.debts(table, events, more))?;
        let debts = debts.map_err(|error| self.failed("table.summary_failed", &error))?;
        let broken = match fault {
            Some(Fault::Storage) => Broken::Yes,
            _ => Broken::No,
        };
        self.store
            .commit(events, debts, broken)
            .map_err(|error| self.storage_failed("table.store_failed", &error))
    }

    /// Does what has become due, and sets the alarm for what has not. Called when the alarm has fired.
    pub(super) async fn look_at_the_time(self: &Rc<Shell>, now: Timestamp) -> Result<(), Problem> {
        self.alarm.rang();
        match self.tick(now) {
            // An alarm of a table that was never stored has nothing to look at.
            Err(problem) if problem.code() == Code::NotFound => return Ok(()),
            outcome => outcome?,
        };
        self.assess(None, now).await?;
        self.set_alarm(now).await?;
        self.pay();
        Ok(())
    }

    /// Asks for another alarm soon, after one that has failed: the platform gives an alarm up after some failures, and a
    /// table must never be forgotten. Soon enough that a flag is not taken for an outage (C9).
    pub(super) async fn try_again_soon(&self, now: Timestamp) -> worker::Result<()> {
        let soon = Some(now + AFTER_A_FAILURE);
        self.alarm.ring_at(&self.state, soon, now).await
    }

    /// Sets the alarm for the table's next deadline or the next try at a debt, whichever comes first. Called in the
    /// same turn as the commit, with nothing awaited in between, so that both are stored together.
    pub(super) async fn set_alarm(&self, now: Timestamp) -> Result<(), Problem> {
        let deadline = self.with_table(game::Table::next_deadline)?;
        let debt = self
            .store
            .debt_due()
            .map_err(|error| self.storage_failed("table.load_failed", &error))?;
        let question = self.with_table(game::Table::question_due)?;
        // A debt or a question that is due is being seen to now; the alarm is there in case that work is cut off.
        let seen_to =
            [debt, question].map(|due| due.map(|due| if due > now { due } else { now + outbox::GRACE }));
        let next = seen_to.into_iter().chain([deadline]).flatten().min();
        let set = self.alarm.ring_at(&self.state, next, now).await;
        set.map_err(|error| self.storage_failed("table.alarm_not_set", &error))
    }

    /// Does what follows from an input, without keeping anybody waiting for it.
    pub(super) fn follow_up(self: &Rc<Shell>, taken: &Taken) {
        self.settle_debts_later();
        if !taken.repeated {
            self.push_preview(&taken.events);
        }
    }

    /// Does something without keeping anybody waiting for it.
    pub(super) fn later(&self, work: impl Future<Output = ()> + 'static) {
        self.state.wait_until(AbortOnPanic::new(&self.state, work));
    }

    fn stored_event(&self, seq: Seq) -> Result<Vec<Event>, Problem> {
        let before = Seq(seq.0.saturating_sub(1));
        self.store
            .events_after(before, 1)
            .map_err(|error| self.storage_failed("table.load_failed", &error))
    }

    /// The stored events after a number, [`MAX_EVENTS`](super::MAX_EVENTS) at most.
    pub(super) fn events_after(&self, seq: Seq) -> Result<Vec<Event>, Problem> {
        let events = self.store.events_after(seq, super::MAX_EVENTS);
        events.map_err(|error| self.storage_failed("table.load_failed", &error))
    }

    /// The same problem, with where the table stands.
    pub(super) fn with_standing(&self, problem: Problem) -> Problem {
        match self.with_table(|table| (table.seq(), table.turn())) {
            Ok((seq, turn)) => problem.at(seq, turn),
            Err(_) => problem,
        }
    }

    /// Notes a fault of ours, with all that is known of it, and keeps it from the client.
    pub(super) fn failed(&self, event: &str, error: &dyn std::fmt::Display) -> Problem {
        self.note(event, error);
        Problem::internal()
    }

    /// Notes that the object's storage has failed. What it had taken before stands.
    pub(super) fn storage_failed(&self, event: &str, error: &dyn std::fmt::Display) -> Problem {
        self.note(event, error);
        Problem::unavailable()
    }

    fn note(&self, event: &str, error: &dyn std::fmt::Display) {
        let object = self.state.id().to_string();
        crate::log::error(event, &[("object.id", json!(object)), crate::log::cause(error)]);
    }
}

impl Taken {
    /// The answer to a command.
    pub(super) fn body(&self, table: &game::Table, viewer: &Viewer) -> Value {
        let shown = self.events.iter().filter(|event| table.tells(event, viewer));
        let shown: Vec<&Event> = shown.collect();
        let mut body = json!({"seq": self.seq, "turn": self.turn, "events": shown});
        if self.repeated {
            body["repeated"] = json!(true);
        }
        body
    }
}

/// The panic of a fault that a test has asked for; no other configuration reaches it.
#[allow(clippy::panic, reason = "it is there to panic")]
pub(super) fn panic_on_purpose() {
    panic!("a panic was asked for");
}
