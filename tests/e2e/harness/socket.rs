//! Sockets as clients hold them.

use super::{Answer, PATIENCE};
use serde_json::{Value, json};
use std::io::ErrorKind;
use std::net::TcpStream;
use std::time::Instant;
use tungstenite::client::IntoClientRequest;
use tungstenite::{Error, HandshakeError, Message, Utf8Bytes, WebSocket};
use ureq::http::HeaderMap;

/// A socket, with everything that has come through it.
pub struct Socket {
    socket: WebSocket<TcpStream>,
    seen: Vec<Value>,
}

/// Why there is no socket.
#[derive(Debug)]
pub enum NoSocket {
    /// The server does not open it.
    Refused(Answer),
    /// There is no server, or it went away before it had answered.
    Away(String),
}

impl Socket {
    /// Opens a socket, or says why there is none.
    pub(super) fn open(origin: &str, path: &str, headers: &HeaderMap) -> Result<Socket, NoSocket> {
        let address = origin.strip_prefix("http://").expect("a plain address");
        let mut request = format!("ws://{address}{path}")
            .into_client_request()
            .expect("an address");
        for (name, value) in headers {
            let name: tungstenite::http::HeaderName = name.as_str().parse().expect("a name");
            let value = tungstenite::http::HeaderValue::from_bytes(value.as_bytes()).expect("a value");
            request.headers_mut().insert(name, value);
        }
        let stream = TcpStream::connect(address).map_err(|error| NoSocket::Away(error.to_string()))?;
        stream.set_nodelay(true).expect("a socket");
        stream.set_read_timeout(Some(PATIENCE)).expect("a socket");
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => Ok(Socket {
                socket,
                seen: Vec::new(),
            }),
            Err(HandshakeError::Failure(Error::Http(response))) => {
                let (head, body) = response.into_parts();
                Err(NoSocket::Refused(Answer::new(
                    head.status.as_u16(),
                    &head.headers,
                    body.unwrap_or_default(),
                )))
            }
            Err(error) => Err(NoSocket::Away(error.to_string())),
        }
    }

    /// Sends a frame.
    pub fn send(&mut self, frame: &Value) {
        self.send_text(&frame.to_string());
    }

    /// Sends a frame as it stands.
    pub fn send_text(&mut self, text: &str) {
        self.send_message(Message::text(text));
    }

    /// Sends any message. That the server has gone is found when reading.
    pub fn send_message(&mut self, message: Message) {
        let _ = self.socket.send(message);
    }

    /// Sends a stone, and nothing else: the answer is not waited for.
    pub fn play(&mut self, point: &str, turn: u32) {
        self.send(&json!({"type": "play", "point": point, "turn": turn}));
    }

    /// Sends a pass.
    pub fn pass(&mut self, turn: u32) {
        self.send(&json!({"type": "pass", "turn": turn}));
    }

    /// The next frame, whatever it is.
    #[track_caller]
    pub fn next(&mut self) -> Value {
        match self.read() {
            Some(frame) => frame,
            None => panic!("the socket was closed after {}", self.told()),
        }
    }

    /// The next frame that is no notice of spectators.
    #[track_caller]
    pub fn next_but_spectators(&mut self) -> Value {
        loop {
            let frame = self.next();
            if frame["type"] != "spectators" {
                return frame;
            }
        }
    }

    /// The next frame of this type; others are passed over.
    #[track_caller]
    pub fn wait_for(&mut self, kind: &str) -> Value {
        self.wait_until(kind, |frame| frame["type"] == kind)
    }

    /// The next event of this kind; other frames are passed over.
    #[track_caller]
    pub fn wait_for_event(&mut self, kind: &str) -> Value {
        self.wait_until(kind, |frame| frame["type"] == "event" && frame["kind"] == kind)
    }

    /// The next frame that is as wanted; others are passed over.
    #[track_caller]
    pub fn wait_until(&mut self, wanted: &str, matches: impl Fn(&Value) -> bool) -> Value {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            let frame = self.next();
            if matches(&frame) {
                return frame;
            }
        }
        panic!("waited for {wanted} in vain: {}", self.told());
    }

    /// Waits until the server closes the socket or goes away.
    #[track_caller]
    pub fn wait_for_close(&mut self) {
        while self.read().is_some() {}
    }

    /// Cuts the connection, as a tunnel does to a train: nobody says goodbye.
    pub fn cut(self) {
        let _ = self.socket.get_ref().shutdown(std::net::Shutdown::Both);
    }

    /// The next frame; `None` once the socket is closed.
    #[track_caller]
    pub fn read(&mut self) -> Option<Value> {
        let text = self.read_text()?;
        let frame = serde_json::from_str(&text).unwrap_or_else(|_| Value::from(text.as_str()));
        self.seen.push(frame.clone());
        Some(frame)
    }

    /// The next frame as it came, of which nothing is kept; `None` once the socket is closed.
    #[track_caller]
    pub fn read_text(&mut self) -> Option<Utf8Bytes> {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => return Some(text),
                Ok(Message::Close(_)) => return None,
                Ok(_) => {}
                Err(Error::Io(error))
                    if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) =>
                {
                    panic!("nothing came for {PATIENCE:?} after {}", self.told());
                }
                Err(_) => return None,
            }
        }
    }

    /// The last frames seen, for the message of a failure.
    fn told(&self) -> String {
        let last = &self.seen[self.seen.len().saturating_sub(20)..];
        last.iter().map(|frame| format!("\n  {frame}")).collect()
    }
}
