//! Speech at a table (S1, S2): who may say something when, and who hears it.

use super::conduct::Ears;
use super::event::{Event, EventKind, Seq};
use super::ids::PlayerId;
use super::player::{Player, PlayerKind};
use super::refusal::Refusal;
use super::table::{Phase, Table};
use super::view::Viewer;
use super::words::ChatText;
use crate::clock::Timestamp;
use serde::{Deserialize, Serialize};

/// The most lines that a table keeps: far more than any game has, and what a table must replay stays bounded.
const MOST_LINES: usize = 2000;

/// How many lines a snapshot shows.
const SHOWN: usize = 100;

/// What stands in the place of a line that an operator has removed.
const REMOVED_TEXT: &str = "(removed)";

/// As what somebody speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// He plays at the table, or made it.
    Player,
    /// He watches.
    Spectator,
}

/// Who has said something, as he was called then.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Speaker {
    /// Which player.
    pub id: PlayerId,
    /// His name.
    pub name: String,
    /// What he is.
    pub kind: PlayerKind,
}

/// Why a line is not there any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Removed {
    /// An operator has removed it.
    ByOperator,
    /// Its author has deleted himself.
    WithAuthor,
}

/// A line of chat.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChatLine {
    /// The event that told it.
    pub seq: Seq,
    /// When.
    pub at: Timestamp,
    /// Who.
    pub player: Speaker,
    /// As what.
    pub role: Role,
    /// What; another text if it has been removed.
    pub text: String,
    /// Whether and why it has been removed.
    pub removed: Option<Removed>,
}

/// Something that somebody wants to say.
#[derive(Clone, Debug, PartialEq)]
pub struct Saying {
    /// Who.
    pub speaker: Speaker,
    /// What.
    pub text: ChatText,
}

/// Lines that lose their text, in what is stored as in what is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Erasure {
    /// This one.
    Line(Seq),
    /// All of this author.
    Author(PlayerId),
}

impl From<&Player> for Speaker {
    fn from(player: &Player) -> Speaker {
        Speaker {
            id: player.id.clone(),
            name: player.name.clone(),
            kind: player.kind,
        }
    }
}

impl Removed {
    /// The text in the place of the line.
    pub fn text(self) -> &'static str {
        match self {
            Removed::ByOperator => REMOVED_TEXT,
            Removed::WithAuthor => "",
        }
    }

    /// The name on the wire and in stored events.
    pub fn name(self) -> &'static str {
        match self {
            Removed::ByOperator => "by_operator",
            Removed::WithAuthor => "with_author",
        }
    }
}

impl ChatLine {
    fn remove(&mut self, removed: Removed) {
        self.text = removed.text().to_owned();
        self.removed = Some(removed);
    }
}

/// What a saying leads to: at a rated table those who watch only listen while the game goes on, and whoever has deleted himself says
/// nothing any more (P4). Whoever is of the table speaks under the name that the table has for him, whatever he was called when he
/// connected (P2).
pub(super) fn say(table: &Table, saying: Saying) -> Result<Vec<EventKind>, Refusal> {
    if table.left.contains(&saying.speaker.id) {
        return Err(Refusal::HasLeft);
    }
    let role = table.role_of(&saying.speaker.id);
    match table.phase {
        Phase::Closed => return Err(Refusal::Gone),
        Phase::Playing | Phase::Counting(_) | Phase::Marking(_)
            if table.terms.ranked && role == Role::Spectator =>
        {
            return Err(Refusal::SpectatorsListen);
        }
        Phase::Waiting | Phase::Playing | Phase::Counting(_) | Phase::Marking(_) | Phase::Finished(_) => {}
    }
    if table.chat.len() >= MOST_LINES {
        return Err(Refusal::ChatFull);
    }
    let known = table.people().find(|known| known.id == saying.speaker.id);
    Ok(vec![EventKind::Chat {
        player: known.map_or(saying.speaker, Speaker::from),
        role,
        text: saying.text.as_str().to_owned(),
        removed: None,
    }])
}

/// An operator removes a line. One that is removed already stays so.
pub(super) fn remove(table: &Table, line: Seq) -> Result<Vec<EventKind>, Refusal> {
    let found = table.chat.iter().find(|each| each.seq == line);
    match found.ok_or(Refusal::NoSuchLine)?.removed {
        None => Ok(vec![EventKind::ChatRemoved { line }]),
        Some(_) => Ok(Vec::new()),
    }
}

impl Table {
    /// As what a player speaks here.
    pub fn role_of(&self, player: &PlayerId) -> Role {
        match self.belongs_to(Some(player)) {
            true => Role::Player,
            false => Role::Spectator,
        }
    }

    /// When a player has said something here, oldest first: what a limit on it is counted from.
    pub fn spoken_at(&self, player: &PlayerId) -> impl Iterator<Item = Timestamp> {
        self.lines_of(player).map(|line| line.at)
    }

    /// What a player has said here.
    pub fn lines_of(&self, player: &PlayerId) -> impl Iterator<Item = &ChatLine> {
        self.chat.iter().filter(|line| line.player.id == *player)
    }

    /// Who has said a line.
    pub fn author_of(&self, line: Seq) -> Option<&PlayerId> {
        let found = self.chat.iter().find(|each| each.seq == line);
        found.map(|line| &line.player.id)
    }

    /// Who has said something here for the first time by this event, the newest of his.
    pub fn first_words<'e>(&self, event: &'e Event) -> Option<&'e PlayerId> {
        match &event.kind {
            EventKind::Chat { player, .. } if self.lines_of(&player.id).count() == 1 => Some(&player.id),
            _ => None,
        }
    }

    /// Whether a viewer is told of an event.
    pub fn tells(&self, event: &Event, viewer: &Viewer) -> bool {
        event.is_shown(self.audience(viewer.player.as_ref())) && event.is_heard(viewer)
    }

    /// Whether a player has said something here.
    pub(super) fn has_spoken(&self, player: &PlayerId) -> bool {
        self.lines_of(player).next().is_some()
    }

    /// The newest lines up to an event that a viewer hears, oldest first.
    pub fn chat_until(&self, last: Seq, viewer: &Viewer, most: usize) -> Vec<ChatLine> {
        let heard = self.chat.iter().rev();
        let heard = heard.filter(|line| line.seq <= last && viewer.hears(&line.player.id, line.role));
        let mut lines: Vec<ChatLine> = heard.take(most).cloned().collect();
        lines.reverse();
        lines
    }

    /// The chat of a snapshot.
    pub(super) fn chat_shown(&self, viewer: &Viewer) -> Vec<ChatLine> {
        self.chat_until(self.seq, viewer, SHOWN)
    }

    pub(super) fn apply_chat(&mut self, event: &Event) {
        match &event.kind {
            EventKind::Chat {
                player,
                role,
                text,
                removed,
            } => self.chat.push(ChatLine {
                seq: event.seq,
                at: event.at,
                player: player.clone(),
                role: *role,
                text: text.clone(),
                removed: *removed,
            }),
            EventKind::ChatRemoved { line } => {
                let removed = self.chat.iter_mut().filter(|each| each.seq == *line);
                removed.for_each(|line| line.remove(Removed::ByOperator));
            }
            EventKind::Left { player } => {
                for line in self.chat.iter_mut().filter(|line| line.player.id == player.id) {
                    line.remove(Removed::WithAuthor);
                    line.player.name.clone_from(&player.name);
                }
            }
            _ => {}
        }
    }
}

impl Viewer {
    /// Whether he hears what this player says in this role: not across a block, in either direction (S2), not those who watch
    /// if he does not want to (P5), but always himself. Operators hear everybody.
    pub fn hears(&self, speaker: &PlayerId, role: Role) -> bool {
        let Ears {
            hidden,
            hide_spectators,
        } = &self.ears;
        let own = self.player.as_ref() == Some(speaker);
        let unwanted = *hide_spectators && role == Role::Spectator;
        own || self.operator || !(unwanted || hidden.contains(speaker))
    }
}

impl Event {
    /// Whether a viewer hears of the event, as far as chat goes. Everything else he does.
    pub fn is_heard(&self, viewer: &Viewer) -> bool {
        match &self.kind {
            EventKind::Chat { player, role, .. } => viewer.hears(&player.id, *role),
            _ => true,
        }
    }

    /// Whether it is chat, which not everybody hears.
    pub fn is_chat(&self) -> bool {
        matches!(self.kind, EventKind::Chat { .. })
    }

    /// What it takes away from the events before it.
    pub fn erases(&self) -> Option<Erasure> {
        match &self.kind {
            EventKind::ChatRemoved { line } => Some(Erasure::Line(*line)),
            EventKind::Left { player } => Some(Erasure::Author(player.id.clone())),
            _ => None,
        }
    }
}

impl Erasure {
    /// Why the lines are removed.
    pub fn removed(&self) -> Removed {
        match self {
            Erasure::Line(_) => Removed::ByOperator,
            Erasure::Author(_) => Removed::WithAuthor,
        }
    }
}
