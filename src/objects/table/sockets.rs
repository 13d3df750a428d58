//! The sockets of one table: who is connected, and sending each viewer what he may see.
//!
//! Sockets are accepted by the platform's hibernating interface: they stay open while the object sleeps, so
//! everything that must be known of a viewer sits in his socket's attachment.

use crate::game::{Audience, Ears, Event, InviteCode, Player, PlayerId, Seq, Viewer};
use crate::http::Problem;
use crate::objects::devices;
pub(super) use crate::objects::devices::send as send_text;
use crate::players::SessionId;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::HashSet;
use worker::{Result, State, WebSocket, WebSocketPair};

/// The sockets of one table.
pub(super) struct TableSockets<'a> {
    state: &'a State,
}

/// What a socket remembers of its viewer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Attachment {
    /// Who, if that is known.
    pub(super) player: Option<Player>,
    /// In which session.
    #[serde(default)]
    pub(super) session: Option<SessionId>,
    /// Whether he is an operator.
    #[serde(default)]
    pub(super) operator: bool,
    /// The invite that he came with.
    pub(super) invite: Option<InviteCode>,
    /// The address of this Hoshi, for links.
    pub(super) origin: String,
    /// The newest event when he came: he has been told of it.
    #[serde(default)]
    pub(super) seen: Seq,
}

impl Attachment {
    /// Who looks. What he does not hear, the table knows.
    pub(super) fn viewer(&self) -> Viewer {
        Viewer {
            player: self.player.as_ref().map(|player| player.id.clone()),
            invite: self.invite.clone(),
            operator: self.operator,
            ears: Ears::default(),
        }
    }
}

impl<'a> TableSockets<'a> {
    pub(super) fn new(state: &'a State) -> TableSockets<'a> {
        TableSockets { state }
    }

    /// Makes a socket for a viewer; the second of the pair goes to him.
    pub(super) fn accept(&self, attachment: &Attachment) -> Result<WebSocketPair> {
        let pair = WebSocketPair::new()?;
        self.state.accept_web_socket(&pair.server);
        remember(&pair.server, attachment)?;
        Ok(pair)
    }

    /// What a socket remembers. `None` for one whose session has ended: it is nobody's any more.
    pub(super) fn attachment(socket: &WebSocket) -> Option<Attachment> {
        let text = socket.deserialize_attachment::<String>().ok().flatten()?;
        serde_json::from_str(&text).ok()
    }

    /// Sends every viewer the events that are meant for him, in order. `for_all` says whether an event is for everybody, so that
    /// who is behind a socket need not be asked; `meant` whether it is for this viewer.
    pub(super) fn broadcast_events(
        &self,
        events: &[Event],
        for_all: impl Fn(&Event) -> bool,
        meant: impl Fn(&Event, &Viewer) -> bool,
    ) {
        let frames: Vec<(&Event, String)> = events
            .iter()
            .filter_map(|event| Some((event, event_frame(event)?)))
            .collect();
        let alike = events.iter().all(for_all);
        for socket in self.state.get_websockets() {
            if alike {
                frames.iter().for_each(|(_, frame)| send_text(&socket, frame));
                continue;
            }
            let Some(attachment) = TableSockets::attachment(&socket) else {
                continue;
            };
            let viewer = attachment.viewer();
            // Whoever came between the storing and the telling was told then.
            let news = frames.iter().filter(|(event, _)| event.seq > attachment.seen);
            let his = news.filter(|(event, _)| meant(event, &viewer));
            his.for_each(|(_, frame)| send_text(&socket, frame));
        }
    }

    /// Tells everybody how many watch, leaving out a socket that is closing.
    pub(super) fn broadcast_spectators(&self, count: usize, closing: Option<&WebSocket>) {
        let notice = spectators_frame(count).to_string();
        for socket in self.open_sockets(closing) {
            send_text(&socket, &notice);
        }
    }

    /// How many sockets are open.
    pub(super) fn count(&self) -> usize {
        self.state.get_websockets().len()
    }

    /// How many watch: players who do not sit here, each once however many devices he has, and every viewer without a
    /// name. A socket that is closing is still among the platform's, and is left out.
    pub(super) fn spectators(
        &self,
        belongs: impl Fn(&PlayerId) -> bool,
        closing: Option<&WebSocket>,
    ) -> usize {
        let mut known = HashSet::new();
        let mut nameless = 0;
        for attachment in self
            .open_sockets(closing)
            .filter_map(|socket| TableSockets::attachment(&socket))
        {
            match attachment.player {
                Some(player) if belongs(&player.id) => {}
                Some(player) => {
                    known.insert(player.id);
                }
                None => nameless += 1,
            }
        }
        known.len() + nameless
    }

    /// Whether a player has a socket here, leaving out one that is closing.
    pub(super) fn is_connected(&self, player: &PlayerId, closing: Option<&WebSocket>) -> bool {
        let mut attachments = self
            .open_sockets(closing)
            .filter_map(|socket| TableSockets::attachment(&socket));
        attachments.any(|attachment| attachment.player.is_some_and(|connected| connected.id == *player))
    }

    /// Whether a session has a socket here.
    pub(super) fn has_session(&self, session: &SessionId, closing: Option<&WebSocket>) -> bool {
        let mut attachments = self
            .open_sockets(closing)
            .filter_map(|socket| TableSockets::attachment(&socket));
        attachments.any(|attachment| attachment.session.as_ref() == Some(session))
    }

    /// Who is connected by a session, if anybody is.
    pub(super) fn player_of(&self, session: &SessionId) -> Option<PlayerId> {
        let attachments = self
            .open_sockets(None)
            .filter_map(|socket| TableSockets::attachment(&socket));
        let mut his = attachments.filter(|attachment| attachment.session.as_ref() == Some(session));
        Some(his.next()?.player?.id)
    }

    /// Closes the sockets of viewers whose sessions have ended.
    pub(super) fn sign_out(&self, whose: impl Fn(&Attachment) -> bool) {
        for socket in self.open_sockets(None) {
            if TableSockets::attachment(&socket).is_some_and(|attachment| whose(&attachment)) {
                devices::sign_out(&socket);
            }
        }
    }

    /// A player is as given from now on, on all of his sockets.
    pub(super) fn rename(&self, player: &Player) {
        for socket in self.open_sockets(None) {
            let Some(mut attachment) = TableSockets::attachment(&socket) else {
                continue;
            };
            let Some(viewer) = attachment.player.as_mut().filter(|viewer| viewer.id == player.id) else {
                continue;
            };
            viewer.clone_from(player);
            if let Err(error) = remember(&socket, &attachment) {
                crate::log::error("table.not_renamed", &[crate::log::cause(&error)]);
            }
        }
    }

    fn open_sockets(&self, closing: Option<&WebSocket>) -> impl Iterator<Item = WebSocket> {
        devices::open_sockets(self.state, closing)
    }
}

/// Has a socket remember its viewer. As text: reading an object member by member takes a call into JavaScript for each.
fn remember(socket: &WebSocket, attachment: &Attachment) -> Result<()> {
    socket.serialize_attachment(serde_json::to_string(attachment)?)
}

/// An event as a socket sends it. `None` for one that is never sent.
pub(super) fn event_frame(event: &Event) -> Option<String> {
    #[derive(Serialize)]
    #[serde(tag = "type", rename = "event")]
    struct EventFrame<'a> {
        #[serde(flatten)]
        event: &'a Event,
    }
    event
        .is_shown(Audience::Player)
        .then(|| serde_json::to_string(&EventFrame { event }).ok())
        .flatten()
}

/// The notice of how many watch.
pub(super) fn spectators_frame(count: usize) -> Value {
    json!({"type": "spectators", "count": count})
}

/// The answer to a command of one's own that stands.
pub(super) fn ok_frame(id: Option<Value>, seq: Seq, turn: u32, repeats: Option<&Event>) -> Value {
    let mut frame = json!({"type": "ok", "seq": seq, "turn": turn});
    if let (Some(id), Some(members)) = (id, frame.as_object_mut()) {
        members.insert("id".to_owned(), id);
    }
    if let (Some(event), Some(members)) = (repeats, frame.as_object_mut()) {
        members.insert("repeated".to_owned(), json!(true));
        members.insert("event".to_owned(), json!(event));
    }
    frame
}

/// Refuses a frame.
pub(super) fn send_refusal(socket: &WebSocket, problem: Problem, id: Option<Value>) {
    send(socket, &problem.into_frame(id));
}

/// Sends a frame.
pub(super) fn send(socket: &WebSocket, frame: &Value) {
    send_text(socket, &frame.to_string());
}
