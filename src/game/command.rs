//! What a player may tell a table: the body of `POST …/commands` and a frame on the socket are the same.

use super::event::Seq;
use super::words::ChatText;
use crate::rules::Vertex;
use crate::ruleset::RequestKind;
use crate::wire::{self, WireError};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// A command. On the wire its name is in `type`, beside its fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// A stone, meant for this turn.
    Play {
        /// Where.
        point: Vertex,
        /// The number of moves that its sender knows of.
        turn: u32,
    },
    /// A pass, meant for this turn.
    Pass {
        /// The number of moves that its sender knows of.
        turn: u32,
    },
    /// The sender gives the game up.
    Resign {},
    /// The sender asks something of his opponent.
    Request {
        /// What.
        kind: RequestKind,
        /// The number of moves that its sender knows of.
        turn: u32,
    },
    /// The sender answers a request of his opponent's.
    Answer {
        /// Which.
        kind: RequestKind,
        /// How.
        accept: bool,
        /// The number of moves that its sender knows of, if he says so.
        turn: Option<u32>,
    },
    /// The sender withdraws his own request.
    Withdraw {
        /// Which.
        kind: RequestKind,
        /// The number of moves that its sender knows of, if he says so.
        turn: Option<u32>,
    },
    /// The sender says of a chain whether it is dead (G8).
    Mark {
        /// A stone of it.
        point: Vertex,
        /// Whether it is.
        dead: bool,
    },
    /// The sender agrees to the marking as it stands (G8).
    AcceptScore {
        /// The version of the marking that he has seen.
        marking: u32,
    },
    /// The sender wants to play on instead of marking (G8).
    Resume {},
    /// The sender wants to play again.
    Rematch {},
    /// The sender does not want to play again.
    DeclineRematch {},
}

impl Command {
    /// The command's name, as in `type`.
    pub fn kind(&self) -> &'static str {
        match self {
            Command::Play { .. } => "play",
            Command::Pass { .. } => "pass",
            Command::Resign {} => "resign",
            Command::Request { .. } => "request",
            Command::Answer { .. } => "answer",
            Command::Withdraw { .. } => "withdraw",
            Command::Mark { .. } => "mark",
            Command::AcceptScore { .. } => "accept_score",
            Command::Resume {} => "resume",
            Command::Rematch {} => "rematch",
            Command::DeclineRematch {} => "decline_rematch",
        }
    }
}

/// A command with what came along.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandMessage {
    /// The command.
    pub command: Command,
    /// The newest event that the sender had seen, if he says so.
    pub seen: Option<Seq>,
    /// The sender's own name for the message, echoed in the answer to it.
    pub id: Option<Value>,
}

/// A line of chat with what came along.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChatMessage {
    /// The line.
    pub text: ChatText,
    /// The newest event that the sender had seen, if he says so.
    pub seen: Option<Seq>,
    /// The sender's own name for the message, echoed in the answer to it.
    pub id: Option<Value>,
}

/// What a viewer sends: a command of the game, which only its players may, or something said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClientMessage {
    /// A command.
    Command(CommandMessage),
    /// A line of chat.
    Chat(ChatMessage),
}

/// A message that is no command.
#[derive(Clone, Debug, PartialEq)]
pub struct CommandError {
    /// What is wrong.
    pub error: WireError,
    /// The sender's own name for the message, if that much could be read.
    pub id: Option<Value>,
}

/// The fields that any command may carry.
#[derive(Deserialize)]
struct Envelope {
    seq: Option<Seq>,
}

/// The fields of a line of chat.
#[derive(Deserialize)]
struct Said {
    text: ChatText,
}

/// The longest `id` that is echoed, as JSON.
const MAX_ID_BYTES: usize = 128;

impl CommandMessage {
    /// Reads a command and what came along.
    ///
    /// # Errors
    /// The first fault, with its field.
    pub fn from_wire(value: Value) -> Result<CommandMessage, CommandError> {
        let (fields, id) = open(value)?;
        match read(fields) {
            Ok((command, seen)) => Ok(CommandMessage { command, seen, id }),
            Err(error) => Err(CommandError { error, id }),
        }
    }
}

impl ClientMessage {
    /// Reads whatever a viewer may send.
    ///
    /// # Errors
    /// The first fault, with its field.
    pub fn from_wire(value: Value) -> Result<ClientMessage, CommandError> {
        if value.get("type").and_then(Value::as_str) != Some("chat") {
            return CommandMessage::from_wire(value).map(ClientMessage::Command);
        }
        let (fields, id) = open(value)?;
        match read_chat(fields) {
            Ok((text, seen)) => Ok(ClientMessage::Chat(ChatMessage { text, seen, id })),
            Err(error) => Err(CommandError { error, id }),
        }
    }
}

/// The fields of a message, and the sender's own name for it.
fn open(value: Value) -> Result<(Map<String, Value>, Option<Value>), CommandError> {
    let refused = |error| CommandError { error, id: None };
    let Value::Object(mut fields) = value else {
        return Err(refused(fault("", "a command is a JSON object")));
    };
    let id = fields.remove("id").filter(|id| !id.is_null());
    match id {
        Some(id) if !is_short_scalar(&id) => {
            let detail = format!("an id is a string or a number of up to {MAX_ID_BYTES} bytes");
            Err(refused(fault("id", &detail)))
        }
        id => Ok((fields, id)),
    }
}

fn read_seen(fields: &mut Map<String, Value>) -> Result<Option<Seq>, WireError> {
    match fields.remove("seq") {
        Some(seq) => Ok(wire::decode::<Envelope>(json!({ "seq": seq }))?.seq),
        None => Ok(None),
    }
}

fn read_chat(mut fields: Map<String, Value>) -> Result<(ChatText, Option<Seq>), WireError> {
    let seen = read_seen(&mut fields)?;
    fields.remove("type");
    let said = wire::decode::<Said>(Value::Object(fields))?;
    Ok((said.text, seen))
}

fn read(mut fields: Map<String, Value>) -> Result<(Command, Option<Seq>), WireError> {
    let seq = read_seen(&mut fields)?;
    let Some(Value::String(name)) = fields.remove("type") else {
        return Err(fault("type", "a command has a \"type\""));
    };
    let prefix = format!("{name}.");
    let command = wire::decode(json!({ name.as_str(): fields })).map_err(|error| {
        // A path may begin with the command's name; one that is nothing else speaks of an unknown command.
        let field = error
            .field
            .strip_prefix(&prefix)
            .unwrap_or(&error.field)
            .to_owned();
        let field = if field.is_empty() || field == name {
            "type".to_owned()
        } else {
            field
        };
        WireError { field, ..error }
    })?;
    Ok((command, seq))
}

fn fault(field: &str, detail: &str) -> WireError {
    WireError {
        field: field.to_owned(),
        detail: detail.to_owned(),
    }
}

fn is_short_scalar(id: &Value) -> bool {
    matches!(id, Value::String(_) | Value::Number(_)) && id.to_string().len() <= MAX_ID_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(value: Value) -> Result<CommandMessage, String> {
        CommandMessage::from_wire(value).map_err(|error| error.error.field)
    }

    #[test]
    fn a_command_is_read_with_its_id_and_seq() {
        let message = read(json!({"type": "play", "point": "D4", "turn": 41, "seq": 57, "id": "a"}));
        let point = "D4".parse().expect("a name");
        let expected = CommandMessage {
            command: Command::Play { point, turn: 41 },
            seen: Some(Seq(57)),
            id: Some(json!("a")),
        };
        assert_eq!(message, Ok(expected));
        assert_eq!(
            read(json!({"type": "resign"})).map(|message| message.command),
            Ok(Command::Resign {})
        );
    }

    #[test]
    fn s1_a_line_of_chat_is_read_with_its_id_and_seq() {
        let read = |value: Value| ClientMessage::from_wire(value).map_err(|error| error.error.field);
        let said = read(json!({"type": "chat", "text": "hi", "seq": 3, "id": 9}));
        let text = ChatText::try_from("hi".to_owned()).expect("a line");
        assert_eq!(
            said,
            Ok(ClientMessage::Chat(ChatMessage {
                text,
                seen: Some(Seq(3)),
                id: Some(json!(9))
            }))
        );
        for (value, field) in [
            (json!({"type": "chat"}), "text"),
            (json!({"type": "chat", "text": ""}), "text"),
            (json!({"type": "chat", "text": 7}), "text"),
            (json!({"type": "chat", "text": "x".repeat(301)}), "text"),
            (json!({"type": "chat", "text": "x", "turn": 1}), "turn"),
            (json!({"type": "chat", "text": "x", "seq": -1}), "seq"),
        ] {
            assert_eq!(read(value.clone()).expect_err("refused"), field, "{value}");
        }
        assert!(matches!(
            read(json!({"type": "resign"})),
            Ok(ClientMessage::Command(_))
        ));
    }

    #[test]
    fn x5_what_is_no_command_is_refused_by_field() {
        assert_eq!(read(json!([])), Err(String::new()));
        assert_eq!(read(json!({"turn": 1})), Err("type".to_owned()));
        assert_eq!(read(json!({"type": "jump"})), Err("type".to_owned()));
        assert_eq!(read(json!({"type": 5})), Err("type".to_owned()));
        assert_eq!(read(json!({"type": "play", "turn": 1})), Err("point".to_owned()));
        assert_eq!(
            read(json!({"type": "play", "point": null, "turn": 1})),
            Err("point".to_owned())
        );
        assert_eq!(
            read(json!({"type": "play", "point": "D4", "turn": -1})),
            Err("turn".to_owned())
        );
        assert_eq!(
            read(json!({"type": "play", "point": "D4", "turn": 1, "tunr": 2})),
            Err("tunr".to_owned())
        );
        assert_eq!(
            read(json!({"type": "mark", "point": "D4"})),
            Err("dead".to_owned())
        );
        assert_eq!(read(json!({"type": "accept_score"})), Err("marking".to_owned()));
        assert_eq!(read(json!({"type": "resign", "turn": 1})), Err("turn".to_owned()));
        assert_eq!(read(json!({"type": "resign", "seq": "x"})), Err("seq".to_owned()));
        assert_eq!(read(json!({"type": "resign", "id": {}})), Err("id".to_owned()));
        let kept = CommandMessage::from_wire(json!({"type": "jump", "id": 7})).expect_err("refused");
        assert_eq!(kept.id, Some(json!(7)));
    }
}
