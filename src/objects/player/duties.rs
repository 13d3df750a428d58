//! What is to be done elsewhere for a player: at least once, and twice does no harm.

use super::shell::PlayerShell;
use super::store::{Due, Task};
use crate::clock::{Millis, Timestamp};
use crate::game::{PlayerId, SearchId};
use crate::http::Problem;
use crate::lobby::Duty;
use crate::objects::call::{TableClient, TableOp};
use crate::objects::lobby::{self, LobbyOp};
use crate::objects::outbox::told;
use futures_util::future::join_all;
use std::rc::Rc;

/// How long a duty that is being done is left alone before the alarm does it again.
pub(super) const GRACE: Millis = Millis::from_secs(3);

impl PlayerShell {
    /// Does what is due, without keeping anybody waiting for it.
    pub(super) fn do_duties_later(self: &Rc<PlayerShell>) {
        let shell = Rc::clone(self);
        self.later(async move {
            let now = super::now();
            let done = shell.do_duties(now).await;
            shell.note("player.duties_failed", done);
        });
    }

    /// Does what is due. What fails is noted and done later.
    pub(super) async fn do_duties(self: &Rc<PlayerShell>, now: Timestamp) -> Result<(), Problem> {
        let due = self.store.take_due(now, now + GRACE);
        let due = due.map_err(|error| self.storage_failed(&error))?;
        let Some((owner, _)) = self.store.load().map_err(|error| self.storage_failed(&error))? else {
            return Ok(());
        };
        let done = join_all(due.iter().map(|due| self.do_one(&owner, due, now))).await;
        for outcome in done {
            outcome.map_err(|error| self.storage_failed(&error))?;
        }
        self.set_alarm(now).await
    }

    async fn do_one(
        self: &Rc<PlayerShell>,
        owner: &PlayerId,
        due: &Due,
        now: Timestamp,
    ) -> worker::Result<()> {
        let done = match &due.task {
            Task::Duty(duty) => self.carry_out(owner, duty).await,
            Task::Session { check_session } => self.check_session(owner, check_session, now).await,
        };
        match done {
            Ok(()) => self.store.done(due),
            Err(error) => {
                crate::log::error("player.duty_postponed", &[crate::log::cause(&error)]);
                self.store.postpone(due, now)
            }
        }
    }

    /// Whether a search that was given up has begun again.
    fn searches_again(&self, search: &SearchId) -> bool {
        let current = self.with_agenda(|agenda| agenda.search().is_some_and(|current| current.id == *search));
        current.unwrap_or(false)
    }

    async fn carry_out(&self, owner: &PlayerId, duty: &Duty) -> worker::Result<()> {
        match duty {
            Duty::LeaveLobby { ruleset, search } => {
                if self.searches_again(search) {
                    return Ok(());
                }
                let search = search.clone();
                told(lobby::ask(&self.env, ruleset, LobbyOp::Leave { search }).await)
            }
            Duty::CloseTable { table } => {
                let creator = owner.clone();
                told(
                    TableClient::new(&self.env)
                        .tell(table, TableOp::CloseFor { creator })
                        .await,
                )
            }
            Duty::Attend { ruleset } => {
                // As it is now, not as it was when the duty came up.
                let attendance = self.with_agenda(crate::lobby::Agenda::attendance);
                let attendance =
                    attendance.map_err(|problem| worker::Error::from(problem.code().as_str()))?;
                let op = LobbyOp::Attend {
                    player: owner.clone(),
                    attendance,
                };
                told(lobby::ask(&self.env, ruleset, op).await)
            }
        }
    }
}
