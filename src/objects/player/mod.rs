//! A player's object: a thin shell around his [`Agenda`](crate::lobby::Agenda), and his channel (L4).
//!
//! For every input it does the same: read the time once, load, step, store, tell, and then do elsewhere what is owed there.

#![allow(missing_docs, reason = "the object's macro makes public methods without any")]

mod call;
mod channel;
mod commit;
mod duties;
mod hello;
mod shell;
mod store;

pub use call::{Claimed, PlayerCall, PlayerOp, ask, open_socket};

use super::devices;
use super::panic_guard::AbortOnPanic;
use super::reach::read_call;
use crate::clock::Timestamp;
use shell::PlayerShell;
use std::rc::Rc;
use worker::{
    Date, DurableObject, Env, Request, Response, Result, State, WebSocket, WebSocketIncomingMessage,
    durable_object,
};

/// A player's object.
#[durable_object]
pub struct PlayerObject {
    shell: Rc<PlayerShell>,
}

impl DurableObject for PlayerObject {
    fn new(state: State, env: Env) -> PlayerObject {
        PlayerObject {
            shell: Rc::new(PlayerShell::new(state, env)),
        }
    }

    async fn fetch(&self, mut request: Request) -> Result<Response> {
        AbortOnPanic::new(self.shell.state(), async {
            let call: PlayerCall = read_call(&mut request).await?;
            match self.shell.answer(call, now()).await {
                Ok(response) => Ok(response),
                Err(problem) => problem.into_response(),
            }
        })
        .await
    }

    async fn alarm(&self) -> Result<Response> {
        AbortOnPanic::new(self.shell.state(), async {
            self.shell.look_at_the_time(now()).await;
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
            self.shell.device_left(&socket, now()).await;
            devices::finish_closing(&socket, code, reason);
            Ok(())
        })
        .await
    }

    async fn websocket_error(&self, socket: WebSocket, _error: worker::Error) -> Result<()> {
        AbortOnPanic::new(self.shell.state(), async {
            self.shell.device_left(&socket, now()).await;
            Ok(())
        })
        .await
    }
}

/// The server's time, read once for each input.
fn now() -> Timestamp {
    Timestamp::from_millis(Date::now().as_millis() as i64)
}
