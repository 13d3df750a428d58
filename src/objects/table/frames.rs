//! What viewers send over their sockets.

use super::now;
use super::shell::{Shell, Taken, panic_on_purpose};
use super::sockets::{Attachment, TableSockets, ok_frame, send, send_refusal};
use crate::game::{self, ChatMessage, ClientMessage, CommandMessage, Input, Player};
use crate::http::{Code, Problem};
use crate::random;
use serde_json::{Value, json};
use std::rc::Rc;
use worker::{WebSocket, WebSocketIncomingMessage};

/// The longest frame that a socket may send.
const MAX_FRAME_BYTES: usize = 8 * 1024;

/// A frame that a socket has sent.
enum Frame {
    /// What time is it?
    Time,
    /// A command, or something said.
    Message(ClientMessage),
}

/// A frame that cannot be read.
struct BadFrame {
    problem: Problem,
    /// The sender's own name for it, if that much could be read.
    id: Option<Value>,
}

impl Shell {
    /// Takes a frame and answers it on the same socket.
    pub(super) async fn take_frame(self: &Rc<Shell>, socket: &WebSocket, message: WebSocketIncomingMessage) {
        if self.panics_at_next_frame.take() {
            panic_on_purpose();
        }
        match read_frame(message) {
            Ok(Frame::Time) => send(socket, &json!({"type": "time", "at": now()})),
            Ok(Frame::Message(message)) => self.take_message(socket, message).await,
            Err(bad) => send_refusal(socket, self.with_standing(bad.problem), bad.id),
        }
    }

    async fn take_message(self: &Rc<Shell>, socket: &WebSocket, message: ClientMessage) {
        let id = match &message {
            ClientMessage::Command(message) => message.id.clone(),
            ClientMessage::Chat(message) => message.id.clone(),
        };
        let attachment = TableSockets::attachment(socket);
        let viewer = attachment.as_ref().map(Attachment::viewer).unwrap_or_default();
        let Some(player) = attachment.and_then(|attachment| attachment.player) else {
            return send_refusal(socket, self.with_standing(Problem::unauthenticated()), id);
        };
        let taken = match message {
            ClientMessage::Command(message) => self.take_command(player, message).await,
            ClientMessage::Chat(message) => match self.check_part(&viewer) {
                Ok(()) => self.take_chat(&player, message).await,
                Err(problem) => Err(problem),
            },
        };
        match taken {
            Ok(taken) => {
                let repeats = taken.events.first().filter(|_| taken.repeated);
                send(socket, &ok_frame(id, taken.seq, taken.turn, repeats));
                self.follow_up(&taken);
            }
            Err(problem) => send_refusal(socket, problem, id),
        }
    }

    async fn take_command(
        self: &Rc<Shell>,
        player: Player,
        message: CommandMessage,
    ) -> Result<Taken, Problem> {
        let now = now();
        let by = player.id;
        let checked = self.check_rematch(&by, &message).await;
        checked.map_err(|problem| self.with_standing(problem))?;
        let spare = random::spare()?;
        self.take(Input::Command { by, message, spare }, None, now).await
    }

    async fn take_chat(self: &Rc<Shell>, player: &Player, message: ChatMessage) -> Result<Taken, Problem> {
        let now = now();
        self.look_at_the_clock(now).await?;
        self.say(player, message, None, now).await
    }

    /// Tells those who stay when a watcher has left.
    pub(super) async fn viewer_left(self: &Rc<Shell>, socket: &WebSocket) {
        self.session_left(socket);
        let spectators = self.spectators(Some(socket));
        if spectators != self.spectators(None) {
            self.sockets().broadcast_spectators(spectators, Some(socket));
        }
        if let Err(problem) = self.viewers_changed(Some(socket)).await {
            crate::log::error(
                "table.leaving_not_told",
                &[("code", json!(problem.code().as_str()))],
            );
        }
    }

    /// How many watch, leaving out a socket that is closing.
    pub(super) fn spectators(&self, closing: Option<&WebSocket>) -> usize {
        self.with_table(|table| self.spectators_of(table, closing))
            .unwrap_or(0)
    }

    pub(super) fn spectators_of(&self, table: &game::Table, closing: Option<&WebSocket>) -> usize {
        self.sockets()
            .spectators(|player| table.belongs_to(Some(player)), closing)
    }
}

fn read_frame(message: WebSocketIncomingMessage) -> Result<Frame, Box<BadFrame>> {
    let unreadable = |problem| Box::new(BadFrame { problem, id: None });
    let WebSocketIncomingMessage::String(text) = message else {
        return Err(unreadable(Problem::bad_field("", "a frame is a text")));
    };
    if text.len() > MAX_FRAME_BYTES {
        let detail = format!("a frame has at most {MAX_FRAME_BYTES} bytes");
        return Err(unreadable(Problem::new(Code::PayloadTooLarge, detail)));
    }
    let value: Value = serde_json::from_str(&text)
        .map_err(|_| unreadable(Problem::new(Code::BadJson, "the frame is not JSON")))?;
    if value == json!({"type": "time"}) {
        return Ok(Frame::Time);
    }
    let message = ClientMessage::from_wire(value);
    message.map(Frame::Message).map_err(|error| {
        Box::new(BadFrame {
            problem: error.error.into(),
            id: error.id,
        })
    })
}
