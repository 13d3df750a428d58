//! The sockets of a player's channel, and the sessions that they belong to (L4, P3).

use super::shell::{Answer, PlayerShell};
use super::store::Task;
use crate::clock::Timestamp;
use crate::game::PlayerId;
use crate::http::{Code, Problem, respond};
use crate::lobby::Agenda;
use crate::objects::devices::{Device, send};
use crate::players::SessionId;
use crate::store;
use std::rc::Rc;
use worker::Response;

/// How many devices a player may have on his channel.
const MOST_SOCKETS: usize = 100;

impl PlayerShell {
    /// Opens a socket. Its session was looked at before, or could not be: the database is asked once more, as often as it takes, now that
    /// the socket is found by whoever ends the session.
    pub(super) async fn open_socket(
        self: &Rc<PlayerShell>,
        owner: &PlayerId,
        session: SessionId,
        now: Timestamp,
    ) -> Answer {
        if self.devices().count(None) >= MOST_SOCKETS {
            let detail = "you have as many devices connected as there can be";
            return Err(Problem::new(Code::Unavailable, detail));
        }
        let hello = self.hello(owner, now).await?;
        self.owe_check(owner, session.clone())?;
        let device = Device {
            player: Some(owner.clone()),
            session: Some(session),
            expires_at: None,
        };
        let pair = self.devices().accept(&device);
        let pair = pair.map_err(|error| self.failed("player.socket_failed", &error))?;
        send(&pair.server, &hello.to_string());
        self.set_alarm(now).await?;
        self.take_attendance(owner, None, now).await?;
        self.do_duties_later();
        respond(Response::from_websocket(pair.client))
    }

    /// Stores that a session is to be checked.
    fn owe_check(&self, owner: &PlayerId, session: SessionId) -> Result<(), Problem> {
        let agenda = self.with_agenda(Agenda::clone)?;
        let task = Task::Session {
            check_session: session,
        };
        let saved = self.store.save(owner, &agenda, &agenda, &[task]);
        saved.map_err(|error| self.storage_failed(&error))
    }

    /// Asks the database whether a session that has a socket still is. If it is, it is known from now on when it ends by itself.
    pub(super) async fn check_session(
        self: &Rc<PlayerShell>,
        owner: &PlayerId,
        session: &SessionId,
        now: Timestamp,
    ) -> worker::Result<()> {
        if !self.devices().has_session(session) {
            return Ok(());
        }
        let db = store::database(&self.env)?;
        match store::sessions::expiry(&db, session, now).await? {
            Some(expires_at) => {
                self.devices().expires(session, expires_at)?;
            }
            None => {
                let signed_out = self.sign_out(owner, std::slice::from_ref(session), now).await;
                signed_out.map_err(|problem| worker::Error::from(problem.code().as_str()))?;
            }
        }
        Ok(())
    }

    /// Closes the sockets of sessions that have ended.
    pub(super) async fn sign_out(
        self: &Rc<PlayerShell>,
        owner: &PlayerId,
        sessions: &[SessionId],
        now: Timestamp,
    ) -> Result<(), Problem> {
        let ended = |device: &Device| {
            device
                .session
                .as_ref()
                .is_some_and(|session| sessions.contains(session))
        };
        self.devices().sign_out(ended);
        self.take_attendance(owner, None, now).await
    }

    /// Closes the sockets of sessions whose time is over.
    pub(super) fn end_sessions(&self, now: Timestamp) {
        let over = |device: &Device| device.expires_at.is_some_and(|expires_at| expires_at <= now);
        self.devices().sign_out(over);
    }
}
