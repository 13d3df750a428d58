//! The sockets of a channel that only tells: a player's own, and the lobby's. They sleep with their object; who is behind one is in
//! its attachment.

use crate::clock::Timestamp;
use crate::game::PlayerId;
use crate::http::{Code, Problem};
use crate::players::SessionId;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use worker::{
    Result, State, WebSocket, WebSocketIncomingMessage, WebSocketPair, WebSocketRequestResponsePair,
};

/// The code with which the sockets of a session that has ended are closed.
const SIGNED_OUT: u16 = 4001;

/// Who is behind a socket.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Device {
    /// Which player, if that is known.
    pub(super) player: Option<PlayerId>,
    /// In which session.
    pub(super) session: Option<SessionId>,
    /// When the session ends by itself, once that is known.
    #[serde(default)]
    pub(super) expires_at: Option<Timestamp>,
}

/// The sockets of one object.
pub(super) struct Devices<'a>(pub(super) &'a State);

impl Devices<'_> {
    /// The platform answers pings by itself, without waking the object.
    pub(super) fn answer_pings(&self) {
        match WebSocketRequestResponsePair::new("ping", "pong") {
            Ok(pair) => self.0.set_websocket_auto_response(&pair),
            Err(error) => {
                let error = worker::Error::from(error);
                crate::log::error("socket.no_pings", &[crate::log::cause(&error)]);
            }
        }
    }

    /// Makes a socket; the second of the pair goes to the device.
    pub(super) fn accept(&self, device: &Device) -> Result<WebSocketPair> {
        let pair = WebSocketPair::new()?;
        self.0.accept_web_socket(&pair.server);
        pair.server.serialize_attachment(serde_json::to_string(device)?)?;
        Ok(pair)
    }

    /// The open sockets. One that is closing is still among the platform's, and is left out; so is one that was signed out, whose device
    /// may never answer the closing.
    fn open(&self, closing: Option<&WebSocket>) -> impl Iterator<Item = WebSocket> {
        open_sockets(self.0, closing).filter(|socket| device(socket).is_some())
    }

    /// How many are open.
    pub(super) fn count(&self, closing: Option<&WebSocket>) -> usize {
        self.open(closing).count()
    }

    /// The players who have one.
    pub(super) fn players(&self, closing: Option<&WebSocket>) -> BTreeSet<PlayerId> {
        self.open(closing)
            .filter_map(|socket| device(&socket)?.player)
            .collect()
    }

    /// Sends all of them a frame.
    pub(super) fn tell(&self, frame: &Value) {
        let text = frame.to_string();
        for socket in self.open(None) {
            send(&socket, &text);
        }
    }

    /// Closes those of whom `ended` says that their session has ended.
    pub(super) fn sign_out(&self, ended: impl Fn(&Device) -> bool) {
        for socket in self.open(None) {
            if device(&socket).is_some_and(|device| ended(&device)) {
                sign_out(&socket);
            }
        }
    }

    /// Takes note of when a session ends by itself. Says whether it has a socket here.
    pub(super) fn expires(&self, session: &SessionId, expires_at: Timestamp) -> Result<bool> {
        let mut found = false;
        for socket in self.open(None) {
            let Some(known) = device(&socket).filter(|device| device.session.as_ref() == Some(session))
            else {
                continue;
            };
            found = true;
            let known = Device {
                expires_at: Some(expires_at),
                ..known
            };
            socket.serialize_attachment(serde_json::to_string(&known)?)?;
        }
        Ok(found)
    }

    /// Whether a session has a socket.
    pub(super) fn has_session(&self, session: &SessionId) -> bool {
        let mut devices = self.open(None).filter_map(|socket| device(&socket));
        devices.any(|device| device.session.as_ref() == Some(session))
    }

    /// When the first of the sessions ends by itself.
    pub(super) fn next_expiry(&self) -> Option<Timestamp> {
        let devices = self.open(None).filter_map(|socket| device(&socket));
        devices.filter_map(|device| device.expires_at).min()
    }
}

/// The open sockets of an object. One that is closing is still among the platform's, and is left out.
pub(super) fn open_sockets(
    state: &State,
    closing: Option<&WebSocket>,
) -> impl Iterator<Item = WebSocket> + use<> {
    let closing: Option<worker::worker_sys::web_sys::WebSocket> =
        closing.map(|socket| socket.as_ref().clone());
    let sockets = state.get_websockets().into_iter();
    sockets.filter(move |socket| closing.as_ref().is_none_or(|closing| socket.as_ref() != closing))
}

fn device(socket: &WebSocket) -> Option<Device> {
    let text = socket.deserialize_attachment::<String>().ok().flatten()?;
    serde_json::from_str(&text).ok()
}

/// Sends a frame. A socket that cannot take it is closing; its device will come back and be told how things stand.
pub(super) fn send(socket: &WebSocket, frame: &str) {
    if let Err(error) = socket.send_with_str(frame) {
        crate::log::info("socket.closing", &[crate::log::cause(&error)]);
    }
}

/// Closes a socket whose session has ended. It is nobody's from then on, also if its client never finishes the closing.
pub(super) fn sign_out(socket: &WebSocket) {
    send(socket, &json!({"type": "signed_out"}).to_string());
    if let Err(error) = socket.serialize_attachment("") {
        crate::log::error("socket.not_blanked", &[crate::log::cause(&error)]);
    }
    // One that is closing already refuses.
    let _ = socket.close(Some(SIGNED_OUT), Some("signed out"));
}

/// Answers a frame of a device: there is nothing to say on such a channel but to ask for the time.
pub(super) fn answer(socket: &WebSocket, message: &WebSocketIncomingMessage, now: Timestamp) {
    let read = match message {
        WebSocketIncomingMessage::String(text) => serde_json::from_str::<Value>(text).ok(),
        WebSocketIncomingMessage::Binary(_) => None,
    };
    let frame = match read {
        Some(frame) if frame == json!({"type": "time"}) => json!({"type": "time", "at": now}),
        Some(_) => Problem::new(Code::BadRequest, "this channel only tells").into_frame(None),
        None => Problem::new(Code::BadJson, "the frame is not JSON").into_frame(None),
    };
    send(socket, &frame.to_string());
}

/// Finishes the closing handshake where the platform does not do so by itself. Codes below 3000 other than 1000 may not be sent; a
/// socket that is closed already refuses a second time.
pub(super) fn finish_closing(socket: &WebSocket, code: usize, reason: String) {
    let code = u16::try_from(code)
        .ok()
        .filter(|code| (3000..5000).contains(code));
    let _ = socket.close(Some(code.unwrap_or(1000)), Some(reason));
}
