//! What the object does with every input, and with the time.

use super::call::{Claimed, PlayerCall, PlayerOp};
use super::store::{PlayerStore, Task};
use crate::clock::{Millis, Timestamp};
use crate::game::PlayerId;
use crate::http::{Code, Problem, json, no_content, respond};
use crate::lobby::{Agenda, Claim, Effects, Search, SearchError};
use crate::objects::alarm::Alarm;
use crate::objects::devices::Devices;
use crate::objects::lobby::{self, LobbyOp};
use crate::objects::outbox::told;
use crate::objects::panic_guard::AbortOnPanic;
use serde::Serialize;
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use worker::{Env, Response, State, WebSocket};

/// When an alarm that failed is tried again.
const AFTER_A_FAILURE: Millis = Millis::from_secs(1);

/// An answer, or why there is none.
pub(super) type Answer = Result<Response, Problem>;

/// The object's fields, shared with work that goes on after an answer.
pub(super) struct PlayerShell {
    state: State,
    pub(super) env: Env,
    pub(super) store: PlayerStore,
    agenda: RefCell<Option<Agenda>>,
    pub(super) alarm: Alarm,
    /// How often the devices have been told something: whoever composes a greeting sees whether it is still true.
    pub(super) tellings: Cell<u32>,
}

impl PlayerShell {
    pub(super) fn new(state: State, env: Env) -> PlayerShell {
        crate::log::configure(&env);
        Devices(&state).answer_pings();
        PlayerShell {
            store: PlayerStore::new(&state),
            agenda: RefCell::new(None),
            alarm: Alarm::default(),
            tellings: Cell::new(0),
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

    /// Answers a call.
    pub(super) async fn answer(self: &Rc<PlayerShell>, call: PlayerCall, now: Timestamp) -> Answer {
        let PlayerCall { owner, op } = call;
        match op {
            PlayerOp::Seek { search } => self.seek(&owner, *search, now).await,
            PlayerOp::Search => self.search(&owner, now).await,
            PlayerOp::CancelSearch => {
                self.change(&owner, now, |agenda| agenda.cancel(now)).await??;
                no_content()
            }
            PlayerOp::Claim { search, table } => {
                // After a crash, sockets are gone and nobody has noted it.
                self.take_attendance(&owner, None, now).await?;
                let claim = self.change(&owner, now, |agenda| swapped(agenda.claim(&search, &table, now)));
                respond(json(200, &Claimed { claim: claim.await? }))
            }
            PlayerOp::Commit { promise } => self.commit(&owner, &promise, now).await,
            PlayerOp::SitDown { table } => {
                self.change(&owner, now, |agenda| agenda.sit_down(&table, now))
                    .await??;
                no_content()
            }
            PlayerOp::StandUp { table } => {
                self.change(&owner, now, |agenda| agenda.stand_up(&table, now))
                    .await?;
                no_content()
            }
            PlayerOp::Suspended { frame } => {
                self.change(&owner, now, Agenda::suspend).await?;
                frame.iter().for_each(|frame| self.tell(frame));
                no_content()
            }
            PlayerOp::Release { search, table } => {
                let released = self.change(&owner, now, |agenda| agenda.release(&search, &table, now));
                released.await?;
                no_content()
            }
            PlayerOp::Matched {
                search,
                table,
                opponent,
            } => {
                let matched = self.change(&owner, now, |agenda| {
                    agenda.matched(&search, &table, &opponent, now)
                });
                matched.await?;
                no_content()
            }
            PlayerOp::Hear { standing } => {
                self.change(&owner, now, |agenda| agenda.hear(*standing, now))
                    .await?;
                no_content()
            }
            PlayerOp::Tell { frame } => {
                self.tell(&frame);
                no_content()
            }
            PlayerOp::Attendance => {
                self.take_attendance(&owner, None, now).await?;
                respond(json(200, &self.with_agenda(Agenda::attendance)?))
            }
            PlayerOp::Socket { session } => self.open_socket(&owner, session, now).await,
            PlayerOp::SignedOut { sessions } => {
                self.sign_out(&owner, &sessions, now).await?;
                no_content()
            }
            PlayerOp::Leave => {
                self.change(&owner, now, Agenda::leave).await?;
                no_content()
            }
        }
    }

    /// Asks the agenda something, loading it first if need be.
    pub(super) fn with_agenda<T>(&self, ask: impl FnOnce(&Agenda) -> T) -> Result<T, Problem> {
        if self.agenda.borrow().is_none() {
            let stored = self.store.load().map_err(|error| self.storage_failed(&error))?;
            let agenda = stored.map(|(_, agenda)| agenda).unwrap_or_default();
            self.agenda.replace(Some(agenda));
        }
        match &*self.agenda.borrow() {
            Some(agenda) => Ok(ask(agenda)),
            None => Err(Problem::internal()),
        }
    }

    /// Changes the agenda: stored first, then told, then done elsewhere. What changes nothing is not stored.
    pub(super) async fn change<C: Change>(
        self: &Rc<PlayerShell>,
        owner: &PlayerId,
        now: Timestamp,
        change: impl FnOnce(&mut Agenda) -> C,
    ) -> Result<C::Outcome, Problem> {
        let mut agenda = self.with_agenda(Agenda::clone)?;
        let (effects, outcome) = change(&mut agenda).split();
        self.keep(owner, agenda, effects, now).await?;
        Ok(outcome)
    }

    /// The part of a change that is the same for all of them.
    async fn keep(
        self: &Rc<PlayerShell>,
        owner: &PlayerId,
        agenda: Agenda,
        effects: Effects,
        now: Timestamp,
    ) -> Result<(), Problem> {
        let before = self.with_agenda(Agenda::clone)?;
        if before != agenda || !effects.is_empty() {
            let tasks: Vec<Task> = effects.duties.iter().cloned().map(Task::Duty).collect();
            let saved = self.store.save(owner, &before, &agenda, &tasks);
            saved.map_err(|error| self.storage_failed(&error))?;
            self.agenda.replace(Some(agenda));
            self.set_alarm(now).await?;
        }
        for notice in &effects.notices {
            let frame = serde_json::to_value(notice).map_err(|_| Problem::internal())?;
            self.tell(&frame);
        }
        if !effects.duties.is_empty() {
            self.do_duties_later();
        }
        Ok(())
    }

    fn tell(&self, frame: &Value) {
        self.tellings.set(self.tellings.get().wrapping_add(1));
        self.devices().tell(frame);
    }

    /// Begins a search: here first, then in the lobby, which may find an opponent at once. The same search again is the one that goes on.
    async fn seek(self: &Rc<PlayerShell>, owner: &PlayerId, search: Search, now: Timestamp) -> Answer {
        self.take_attendance(owner, None, now).await?;
        let id = search.id.clone();
        self.change(owner, now, |agenda| agenda.seek(search, now))
            .await??;
        if let Some(search) = self.with_agenda(|agenda| agenda.pooled().cloned())? {
            let ruleset = search.terms.ruleset.id;
            let search = Box::new(search);
            if let Err(error) = told(lobby::ask(&self.env, ruleset, LobbyOp::Enter { search }).await) {
                crate::log::error("search.not_entered", &[crate::log::cause(&error)]);
                if self.change(owner, now, |agenda| agenda.give_up(&id)).await? {
                    return Err(Problem::unavailable());
                }
            }
        }
        // Meanwhile an opponent may have been found, or the search may be over.
        let begun = self.with_agenda(|agenda| {
            let search = agenda.search().filter(|search| search.id == id);
            let begun = search.map(|search| (201, json!({"id": id, "expires_at": search.expires_at()})));
            begun.or_else(|| found(agenda).map(|found| (200, found)))
        })?;
        let (status, body) = begun.ok_or(SearchError::Over)?;
        respond(json(status, &body))
    }

    async fn search(self: &Rc<PlayerShell>, owner: &PlayerId, now: Timestamp) -> Answer {
        self.change(owner, now, |agenda| agenda.tick(now)).await?;
        let found = self.with_agenda(|agenda| agenda.search().map(shown).or_else(|| found(agenda)))?;
        let found = found.ok_or_else(|| Problem::new(Code::NotFound, "you are not searching"))?;
        respond(json(200, &found))
    }

    /// Notes whether any device is connected, leaving out one that is closing.
    pub(super) async fn take_attendance(
        self: &Rc<PlayerShell>,
        owner: &PlayerId,
        closing: Option<&WebSocket>,
        now: Timestamp,
    ) -> Result<(), Problem> {
        let online = self.devices().count(closing) > 0;
        if self.with_agenda(|agenda| agenda.attendance().online != online)? {
            self.change(owner, now, |agenda| agenda.attend(online, now))
                .await?;
        }
        Ok(())
    }

    /// A device has gone.
    pub(super) async fn device_left(self: &Rc<PlayerShell>, socket: &WebSocket, now: Timestamp) {
        let left = async {
            match self.owner()? {
                Some(owner) => self.take_attendance(&owner, Some(socket), now).await,
                None => Ok(()),
            }
        };
        self.note("player.leaving_not_noted", left.await);
    }

    fn owner(&self) -> Result<Option<PlayerId>, Problem> {
        let stored = self.store.load().map_err(|error| self.storage_failed(&error))?;
        Ok(stored.map(|(owner, _)| owner))
    }

    /// Does what has become due. Called when the alarm has fired.
    pub(super) async fn look_at_the_time(self: &Rc<PlayerShell>, now: Timestamp) {
        self.alarm.rang();
        let looked = async {
            let Some(owner) = self.owner()? else {
                return Ok(());
            };
            self.end_sessions(now);
            self.take_attendance(&owner, None, now).await?;
            self.change(&owner, now, |agenda| agenda.tick(now)).await?;
            self.do_duties(now).await
        };
        let looked = looked.await;
        let failed = looked.is_err();
        self.note("player.alarm_failed", looked);
        if failed {
            let again = self.alarm.ring_at(&self.state, Some(now + AFTER_A_FAILURE), now);
            if let Err(error) = again.await {
                self.failed("player.alarm_not_set", &error);
            }
        } else {
            self.note("player.alarm_not_set", self.set_alarm(now).await);
        }
    }

    /// Sets the alarm for whatever comes first: the end of a search, a task, or the end of a session that has a socket.
    pub(super) async fn set_alarm(&self, now: Timestamp) -> Result<(), Problem> {
        let deadline = self.with_agenda(Agenda::next_deadline)?;
        let due = self
            .store
            .next_due()
            .map_err(|error| self.storage_failed(&error))?;
        // One that is being done has its alarm in case that work is cut off.
        let due = due.map(|due| due.max(now + super::duties::GRACE));
        let next = deadline
            .into_iter()
            .chain(due)
            .chain(self.devices().next_expiry())
            .min();
        let set = self.alarm.ring_at(&self.state, next, now).await;
        set.map_err(|error| self.storage_failed(&error))
    }

    /// Does something without keeping anybody waiting for it.
    pub(super) fn later(&self, work: impl Future<Output = ()> + 'static) {
        self.state.wait_until(AbortOnPanic::new(&self.state, work));
    }

    pub(super) fn note(&self, event: &str, outcome: Result<(), Problem>) {
        if let Err(problem) = outcome {
            crate::log::error(event, &[("code", json!(problem.code().as_str()))]);
        }
    }

    pub(super) fn failed(&self, event: &str, error: &dyn std::fmt::Display) -> Problem {
        crate::log::error(event, &[crate::log::cause(error)]);
        Problem::internal()
    }

    /// Notes that the object's storage has failed. What it had taken before stands; what is in memory may not, and is dropped.
    pub(super) fn storage_failed(&self, error: &dyn std::fmt::Display) -> Problem {
        crate::log::error("player.storage_failed", &[crate::log::cause(error)]);
        self.agenda.replace(None);
        Problem::unavailable()
    }
}

/// What a change of the agenda brings: effects, and something for whoever asked.
pub(super) trait Change {
    /// What is for whoever asked.
    type Outcome;

    /// The two apart.
    fn split(self) -> (Effects, Self::Outcome);
}

impl Change for Effects {
    type Outcome = ();

    fn split(self) -> (Effects, ()) {
        (self, ())
    }
}

impl<T> Change for (Effects, T) {
    type Outcome = T;

    fn split(self) -> (Effects, T) {
        self
    }
}

/// What a claim brings, the effects first.
pub(super) fn swapped((claim, effects): (Claim, Effects)) -> (Effects, Claim) {
    (effects, claim)
}

/// A search as its player sees it.
pub(super) fn shown(search: &Search) -> Value {
    #[derive(Serialize)]
    struct Shown<'a> {
        id: &'a crate::game::SearchId,
        ruleset: &'a str,
        board: crate::rules::Board,
        clock: crate::clock::TimeControl,
        ranked: bool,
        since: Timestamp,
        expires_at: Timestamp,
        computer_at: Option<Timestamp>,
    }
    json!(Shown {
        id: &search.id,
        ruleset: search.terms.ruleset.id,
        board: search.terms.board,
        clock: search.terms.clock,
        ranked: search.terms.ranked,
        since: search.since,
        expires_at: search.expires_at(),
        computer_at: search.computer_at,
    })
}

/// The game that a search has led to.
fn found(agenda: &Agenda) -> Option<Value> {
    let (table, opponent) = agenda.opponent_found()?;
    Some(json!({"match_found": {"table_id": table, "opponent": opponent}}))
}
