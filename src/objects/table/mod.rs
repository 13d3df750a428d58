//! A table's object: a thin shell around [`game::Table`](crate::game::Table). It knows no rule of the game.
//!
//! It does the same for every input, in this order: read the time once, load the table, step, apply, store, tell
//! ([`shell`]). Assessors are asked in [`assessing`], the computer in [`computer`]. The calls of the
//! Worker are answered in [`answers`], the frames of sockets in [`frames`].

#![allow(missing_docs, reason = "the object's macro makes public methods without any")]

mod answers;
mod assessing;
mod computer;
mod frames;
mod news;
mod operator;
mod paying;
mod people;
mod shell;
mod sockets;
mod speech;
mod store;
mod untold;

use super::devices::finish_closing;
use super::panic_guard::AbortOnPanic;
use super::reach::read_call;
use crate::clock::Timestamp;
use crate::http::Problem;
use serde_json::json;
use shell::Shell;
use std::rc::Rc;
use worker::{
    Date, DurableObject, Env, Request, Response, Result, State, WebSocket, WebSocketIncomingMessage,
    durable_object,
};

/// The most events that one answer brings (API.md). Who has missed more gets a snapshot.
const MAX_EVENTS: u32 = 500;

/// A table.
#[durable_object]
pub struct Table {
    shell: Rc<Shell>,
}

impl DurableObject for Table {
    fn new(state: State, env: Env) -> Table {
        Table {
            shell: Rc::new(Shell::new(state, env)),
        }
    }

    async fn fetch(&self, mut request: Request) -> Result<Response> {
        AbortOnPanic::new(self.shell.state(), async {
            let call = read_call(&mut request).await?;
            let answer = self.shell.answer(call).await;
            self.shell.ask_computer();
            answer.or_else(Problem::into_response)
        })
        .await
    }

    async fn alarm(&self) -> Result<Response> {
        AbortOnPanic::new(self.shell.state(), async {
            // An alarm only asks the table to look at the time: a late, early or doubled one does no harm.
            let now = now();
            if let Err(problem) = self.shell.look_at_the_time(now).await {
                crate::log::error("table.alarm_failed", &[("code", json!(problem.code().as_str()))]);
                self.shell.try_again_soon(now).await?;
            }
            self.shell.ask_computer();
            Response::empty()
        })
        .await
    }

    async fn websocket_message(&self, socket: WebSocket, message: WebSocketIncomingMessage) -> Result<()> {
        AbortOnPanic::new(self.shell.state(), async {
            self.shell.take_frame(&socket, message).await;
            self.shell.ask_computer();
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
            self.shell.viewer_left(&socket).await;
            finish_closing(&socket, code, reason);
            Ok(())
        })
        .await
    }

    async fn websocket_error(&self, socket: WebSocket, _error: worker::Error) -> Result<()> {
        AbortOnPanic::new(self.shell.state(), async {
            self.shell.viewer_left(&socket).await;
            Ok(())
        })
        .await
    }
}

/// The server's time, read once for each input.
fn now() -> Timestamp {
    Timestamp::from_millis(Date::now().as_millis() as i64)
}
