//! What a viewer may see of a table: the snapshot, the events, and whether he may see it at all.

use super::appeal::{Appeal, Decision};
use super::chat::ChatLine;
use super::conduct::Ears;
use super::event::{CountingReason, Event, EventKind, Forbidden};
use super::ids::{InviteCode, PlayerId, TableId};
use super::marking::Marking;
use super::opponent::Opponent;
use super::player::Player;
use super::receiver::HandicapReceiver;
use super::rematch;
use super::result::{GameResult, names};
use super::table::{MoveMade, Phase, Table};
use super::terms::{Terms, Visibility};
use crate::clock::{Clock, Timestamp};
use crate::rules::{Board, Color, HalfPoints, Move, PerColor, Vertex};
use crate::ruleset::{ColorChoice, RequestKind, Ruleset};
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// Who looks at a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Viewer {
    /// Which player, if he says so.
    pub player: Option<PlayerId>,
    /// The invite that he holds.
    pub invite: Option<InviteCode>,
    /// Whether he is an operator, who may look at every table and hears everybody.
    pub operator: bool,
    /// What he does not hear.
    pub ears: Ears,
}

/// For whom an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Audience {
    /// Somebody who plays at the table, or made it.
    Player,
    /// Somebody who watches.
    Watcher,
}

/// A table in full, for one viewer.
#[derive(Clone, Debug, Serialize)]
pub struct Snapshot {
    id: TableId,
    seq: super::event::Seq,
    state: &'static str,
    ruleset: &'static Ruleset,
    board: Board,
    komi: HalfPoints,
    handicap: u8,
    handicap_receiver: Option<HandicapReceiver>,
    ranked: bool,
    visibility: Visibility,
    opponent: Opponent,
    creator: Player,
    color: ColorChoice,
    created_at: Timestamp,
    started_at: Option<Timestamp>,
    ended_at: Option<Timestamp>,
    seats: PerColor<Option<Player>>,
    you: Option<Color>,
    invite: Option<InviteView>,
    setup: Vec<Vertex>,
    turn: u32,
    to_move: Option<Color>,
    opening_stones_left: u8,
    resumptions: u32,
    stones: PerColor<Vec<Vertex>>,
    captures: PerColor<u32>,
    prisoners: PerColor<Prisoners>,
    moves: Vec<MoveView>,
    forbidden: Vec<Forbidden>,
    clock: Clock,
    requests: Vec<RequestView>,
    requests_left: PerColor<u32>,
    marking: Option<Marking>,
    counting: Option<CountingView>,
    result: Option<GameResult>,
    original_result: Option<GameResult>,
    appeals: Vec<Appeal>,
    decisions: Vec<Decision>,
    rematch: Option<RematchView>,
    spectators: usize,
    chat: Vec<ChatLine>,
}

/// What a snapshot tells besides the table: where it is served and who watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scene<'a> {
    /// The address of this Hoshi, `https://…`, for links.
    pub origin: &'a str,
    /// How many watch.
    pub spectators: usize,
}

/// A request that waits for its answer.
#[derive(Clone, Copy, Debug, Serialize)]
struct RequestView {
    kind: RequestKind,
    by: Color,
    expires_at: Timestamp,
}

/// What opens a private table to others.
#[derive(Clone, Debug, Serialize)]
struct InviteView {
    code: InviteCode,
    url: String,
}

/// What the players of a finished game see of playing again.
#[derive(Clone, Debug, Serialize)]
struct RematchView {
    offered_by: Option<Color>,
    /// From when on it is too late to agree.
    expires_at: Option<Timestamp>,
    table_id: Option<TableId>,
    invite: Option<InviteCode>,
}

/// What one side holds of the other's stones, so far.
#[derive(Clone, Copy, Debug, Serialize)]
struct Prisoners {
    captured: u32,
    passes: u32,
}

/// A move as clients see it.
#[derive(Clone, Copy, Debug, Serialize)]
struct MoveView {
    turn: u32,
    color: Color,
    point: Option<Vertex>,
    at: Timestamp,
}

/// An assessment that goes on.
#[derive(Clone, Copy, Debug, Serialize)]
struct CountingView {
    reason: CountingReason,
    attempt: u32,
    retry_at: Option<Timestamp>,
}

/// A table in short, for lists.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Which table.
    pub id: TableId,
    /// What it is doing.
    pub state: &'static str,
    /// What is played. Its `clock` is the settings.
    #[serde(flatten)]
    pub terms: Terms,
    /// Who made it.
    pub creator: Player,
    /// Who sits where.
    pub seats: PerColor<Option<Player>>,
    /// The number of moves made.
    pub turn: u32,
    /// When it was made.
    pub created_at: Timestamp,
    /// When the game began.
    pub started_at: Option<Timestamp>,
    /// When the game ended or the table closed.
    pub ended_at: Option<Timestamp>,
    /// How it ended.
    pub result: Option<GameResult>,
    /// When an operator decided about that last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided_at: Option<Timestamp>,
}

/// The end of a game that counts for Elo (E3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatedResult {
    /// Under which ruleset.
    pub ruleset: String,
    /// Who played which color.
    pub seats: PerColor<PlayerId>,
    /// Who won; nobody in a draw.
    pub winner: Option<Color>,
    /// When.
    pub ended_at: Timestamp,
    /// When an operator decided about it last.
    #[serde(default)]
    pub decided_at: Option<Timestamp>,
}

impl Summary {
    /// What counts for Elo: every finished game that is rated. A handicap is never rated (H6), whatever the terms say.
    pub fn rated(&self) -> Option<RatedResult> {
        let counts = self.terms.ranked && self.terms.handicap == 0;
        let result = self.result.as_ref().filter(|_| counts)?;
        let (black, white) = (self.seats.black.as_ref()?, self.seats.white.as_ref()?);
        Some(RatedResult {
            ruleset: self.terms.ruleset.id.to_owned(),
            seats: PerColor {
                black: black.id.clone(),
                white: white.id.clone(),
            },
            winner: result.winner,
            ended_at: self.ended_at?,
            decided_at: self.decided_at,
        })
    }
}

impl Table {
    /// Whether a viewer may see the table: a public one anybody, a private one its players and whoever holds the
    /// invite (T2, T4).
    pub fn admits(&self, viewer: &Viewer) -> bool {
        let invited = viewer.invite.as_ref() == Some(&self.invite);
        let public = self.terms.visibility == Visibility::Public;
        public || invited || viewer.operator || self.belongs_to(viewer.player.as_ref())
    }

    /// Whether a viewer may take part, by joining or by saying something: that an operator may look at a private table
    /// gives him no part in it (T2, S1).
    pub fn lets_in(&self, viewer: &Viewer) -> bool {
        self.admits(&Viewer {
            operator: false,
            ..viewer.clone()
        })
    }

    /// Whether a code is this table's invite.
    pub fn is_invite(&self, code: &InviteCode) -> bool {
        *code == self.invite
    }

    /// Whether the player sits at the table or made it.
    pub fn belongs_to(&self, player: Option<&PlayerId>) -> bool {
        player.is_some_and(|player| self.creator.id == *player || self.seat_of(player).is_some())
    }

    /// As what a viewer is told of events.
    pub fn audience(&self, player: Option<&PlayerId>) -> Audience {
        match self.belongs_to(player) {
            true => Audience::Player,
            false => Audience::Watcher,
        }
    }

    /// Whether it is this player's turn.
    pub fn is_turn_of(&self, player: &PlayerId) -> bool {
        self.phase == Phase::Playing && self.seat_of(player) == Some(self.to_move)
    }

    /// The table as a viewer sees it.
    pub fn snapshot(&self, viewer: &Viewer, scene: Scene<'_>) -> Snapshot {
        let geometry = self.position.geometry();
        let playing = self.phase == Phase::Playing;
        Snapshot {
            id: self.id.clone(),
            seq: self.seq,
            state: self.phase.name(),
            ruleset: self.terms.ruleset,
            board: self.terms.board,
            komi: self.terms.komi,
            handicap: self.terms.handicap,
            handicap_receiver: self.terms.handicap_receiver.clone(),
            ranked: self.terms.ranked,
            visibility: self.terms.visibility,
            opponent: self.terms.opponent,
            creator: self.creator.clone(),
            color: self.terms.color,
            created_at: self.created_at,
            started_at: self.started_at,
            ended_at: self.ended_at,
            seats: self.seats_shown(),
            you: viewer.player.as_ref().and_then(|player| self.color_shown(player)),
            invite: self.invite_shown(viewer, scene),
            setup: names(geometry, self.setup.iter().copied()),
            turn: self.turn(),
            to_move: playing.then_some(self.to_move),
            opening_stones_left: self.opening_stones_left(),
            resumptions: self.resumptions,
            stones: self.stones_shown(),
            captures: self.prisoners.map(|prisoners| prisoners.captured),
            prisoners: self.prisoners.map(|prisoners| Prisoners {
                captured: prisoners.captured,
                passes: prisoners.passes,
            }),
            moves: (0..)
                .zip(&self.moves)
                .map(|(turn, made)| self.move_view(turn, made))
                .collect(),
            forbidden: match playing {
                true => Table::forbidden(&self.history, &self.position, self.to_move),
                false => Vec::new(),
            },
            clock: self.clock,
            requests: self.requests_shown(),
            requests_left: PerColor::from_fn(|color| self.requests.left(color)),
            marking: self.marking().cloned(),
            counting: self.counting_view(),
            result: self.result().cloned(),
            original_result: self.original_result().cloned(),
            appeals: self.appeals().to_vec(),
            decisions: self.decisions().to_vec(),
            rematch: self.rematch_shown(viewer.player.as_ref()),
            spectators: scene.spectators,
            chat: self.chat_shown(viewer),
        }
    }

    /// The stones on the board, by name.
    pub fn stones_shown(&self) -> PerColor<Vec<Vertex>> {
        let geometry = self.position.geometry();
        PerColor::from_fn(|color| names(geometry, self.position.stones_of(color)))
    }

    /// The table for a list.
    pub fn summary(&self) -> Summary {
        Summary {
            id: self.id.clone(),
            state: self.phase.name(),
            terms: self.terms.clone(),
            creator: self.creator.clone(),
            seats: self.seats_shown(),
            turn: self.turn(),
            created_at: self.created_at,
            started_at: self.started_at,
            ended_at: self.ended_at,
            result: self.result().cloned(),
            decided_at: self.decisions().last().map(|decision| decision.at),
        }
    }

    /// The result, once there is one. A table that was closed before it began has the result that there is none (G9).
    pub fn result(&self) -> Option<&GameResult> {
        static NO_RESULT: LazyLock<GameResult> = LazyLock::new(GameResult::no_result);
        match &self.phase {
            Phase::Finished(result) => Some(result),
            Phase::Closed => Some(&NO_RESULT),
            Phase::Waiting | Phase::Playing | Phase::Counting(_) | Phase::Marking(_) => None,
        }
    }

    /// The seats as everybody sees them: while the table waits, the creator's only if he chose a color.
    fn seats_shown(&self) -> PerColor<Option<Player>> {
        match &self.seats {
            Some(seats) => seats.map(|player| Some(player.clone())),
            None => PerColor::from_fn(|color| {
                (self.terms.color.chosen() == Some(color)).then(|| self.creator.clone())
            }),
        }
    }

    fn invite_shown(&self, viewer: &Viewer, scene: Scene<'_>) -> Option<InviteView> {
        let private = self.terms.visibility == Visibility::Private;
        (private && self.belongs_to(viewer.player.as_ref())).then(|| InviteView {
            url: format!("{}/i/{}", scene.origin, self.invite),
            code: self.invite.clone(),
        })
    }

    fn requests_shown(&self) -> Vec<RequestView> {
        let open = Color::BOTH.into_iter().filter_map(|by| {
            let request = (*self.requests.open.get(by))?;
            let (kind, expires_at) = (request.kind, request.expires_at);
            Some(RequestView { kind, by, expires_at })
        });
        open.collect()
    }

    /// Nothing while nobody has proposed, and nothing to those who did not play.
    fn rematch_shown(&self, player: Option<&PlayerId>) -> Option<RematchView> {
        self.seat_of(player?)?;
        let offers = &self.rematch.offers;
        let offered_by = Color::BOTH.into_iter().find(|&color| offers.get(color).is_some());
        let invite = self.rematch.agreed.as_ref().map(|(_, invite)| invite.clone());
        (offered_by.is_some() || invite.is_some()).then(|| RematchView {
            offered_by,
            expires_at: self.ended_at.map(|ended_at| ended_at + rematch::WINDOW),
            table_id: invite.as_ref().map(|invite| invite.table().clone()),
            invite,
        })
    }

    fn color_shown(&self, player: &PlayerId) -> Option<Color> {
        let waiting = (self.seats.is_none() && self.creator.id == *player).then_some(self.terms.color);
        self.seat_of(player)
            .or_else(|| waiting.and_then(ColorChoice::chosen))
    }

    fn move_view(&self, turn: u32, made: &MoveMade) -> MoveView {
        let point = match made.made {
            Move::Play(point) => Some(self.position.geometry().vertex(point)),
            Move::Pass => None,
        };
        MoveView {
            turn,
            color: made.color,
            point,
            at: made.at,
        }
    }

    fn counting_view(&self) -> Option<CountingView> {
        match &self.phase {
            Phase::Counting(counting) => Some(CountingView {
                reason: counting.reason,
                attempt: counting.attempt,
                retry_at: counting.retry_at,
            }),
            Phase::Waiting | Phase::Playing | Phase::Marking(_) | Phase::Finished(_) | Phase::Closed => None,
        }
    }
}

impl Event {
    /// Whether the event is sent to a viewer. Its number is missing to those to whom it is not (T7).
    pub fn is_shown(&self, audience: Audience) -> bool {
        match self.kind {
            EventKind::Opened { .. } => false,
            EventKind::Rematch { .. } => audience == Audience::Player,
            _ => true,
        }
    }

    /// Whether the players' next game starts with it ([`Table::rematch`]).
    pub fn starts_next_game(&self) -> bool {
        matches!(self.kind, EventKind::Rematch { .. })
    }

    /// Whether it is to be told beyond the table.
    pub fn owes(&self) -> bool {
        self.changes_summary() || self.starts_next_game() || self.changes_review()
    }

    /// Whether the operators' queue of appeals shows something else after it ([`Table::appeals`]).
    pub fn changes_review(&self) -> bool {
        matches!(self.kind, EventKind::Appealed { .. } | EventKind::Decided { .. })
    }

    /// Whether lists show something else after it ([`Table::summary`]). Moves do not count, since the lists would be
    /// written anew with each.
    pub fn changes_summary(&self) -> bool {
        match self.kind {
            EventKind::Opened { .. }
            | EventKind::Started { .. }
            | EventKind::Finished { .. }
            | EventKind::Closed {}
            | EventKind::Decided { .. }
            | EventKind::Renamed { .. }
            | EventKind::Left { .. } => true,
            EventKind::Joined { .. }
            | EventKind::Played { .. }
            | EventKind::Passed { .. }
            | EventKind::Requested { .. }
            | EventKind::Answered { .. }
            | EventKind::Withdrawn { .. }
            | EventKind::Expired { .. }
            | EventKind::TakenBack { .. }
            | EventKind::Outage { .. }
            | EventKind::Counting { .. }
            | EventKind::Marked { .. }
            | EventKind::ScoreAccepted { .. }
            | EventKind::Resumed { .. }
            | EventKind::ComputerFailed { .. }
            | EventKind::Chat { .. }
            | EventKind::ChatRemoved { .. }
            | EventKind::Appealed { .. }
            | EventKind::RematchOffered { .. }
            | EventKind::RematchDeclined { .. }
            | EventKind::Rematch { .. } => false,
        }
    }
}
