//! A ruleset's lobby: the tables that stand open, and those who search for an opponent (L1, L2).
//!
//! What it knows of tables is told by the tables, and after every awakening compared with the index; whom it pairs is decided by
//! [`pair_up`](crate::lobby::pair_up), and whether they are still there by their own objects.

#![allow(missing_docs, reason = "the object's macro makes public methods without any")]

mod call;
mod matchmaking;
mod offers;
mod pairings;
mod shell;
mod store;

pub use call::{LobbyCall, LobbyOp, Seen, ask, open_socket};

use super::devices;
use super::panic_guard::AbortOnPanic;
use super::reach::read_call;
use crate::clock::Timestamp;
use shell::LobbyShell;
use std::rc::Rc;
use worker::{
    Date, DurableObject, Env, Request, Response, Result, State, WebSocket, WebSocketIncomingMessage,
    durable_object,
};

/// A ruleset's lobby.
#[durable_object]
pub struct LobbyObject {
    shell: Rc<LobbyShell>,
}

impl DurableObject for LobbyObject {
    fn new(state: State, env: Env) -> LobbyObject {
        LobbyObject {
            shell: Rc::new(LobbyShell::new(state, env)),
        }
    }

    async fn fetch(&self, mut request: Request) -> Result<Response> {
        AbortOnPanic::new(self.shell.state(), async {
            let call: LobbyCall = read_call(&mut request).await?;
            match self.shell.answer(call, now()).await {
                Ok(response) => Ok(response),
                Err(problem) => problem.into_response(),
            }
        })
        .await
    }

    async fn alarm(&self) -> Result<Response> {
        AbortOnPanic::new(self.shell.state(), async {
            self.shell.alarm.rang();
            self.shell.match_from_alarm().await;
            Response::empty()
        })
        .await
    }

    async fn websocket_message(&self, socket: WebSocket, message: WebSocketIncomingMessage) -> Result<()> {
        AbortOnPanic::new(self.shell.state(), async {
            devices::answer(&socket, &message, now());
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
        AbortOnPanic::new(self.shell.state(), async {
            self.shell.device_left(&socket, now());
            devices::finish_closing(&socket, code, reason);
            Ok(())
        })
        .await
    }

    async fn websocket_error(&self, socket: WebSocket, _error: worker::Error) -> Result<()> {
        AbortOnPanic::new(self.shell.state(), async {
            self.shell.device_left(&socket, now());
            Ok(())
        })
        .await
    }
}

/// The server's time, read once for each input.
fn now() -> Timestamp {
    Timestamp::from_millis(Date::now().as_millis() as i64)
}
