//! Takeback, draw, score: what a player asks of his opponent, and what becomes of it (T8, T9, T10).

use super::counting;
use super::event::{CountingReason, EventKind};
use super::ids::PlayerId;
use super::refusal::Refusal;
use super::result::{GameResult, names};
use super::table::{Phase, Table};
use crate::clock::{Millis, Timestamp};
use crate::rules::{Color, PerColor};
use crate::ruleset::RequestKind;

/// How long a request stands (T8).
pub(super) const REQUEST_LIFE: Millis = Millis::from_secs(30);

/// The requests that a player has in a game, refused and withdrawn ones included (T8).
pub(super) const REQUESTS_PER_GAME: u32 = 10;

/// A request that waits for its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenRequest {
    /// What is asked for.
    pub kind: RequestKind,
    /// From when on it is void.
    pub expires_at: Timestamp,
}

/// The requests of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Requests {
    pub(super) open: PerColor<Option<OpenRequest>>,
    pub(super) used: PerColor<u32>,
}

impl Requests {
    /// The requests that a player has left.
    pub(super) fn left(&self, color: Color) -> u32 {
        REQUESTS_PER_GAME.saturating_sub(*self.used.get(color))
    }

    /// The next moment at which a request becomes void, with whose it is.
    pub(super) fn next_expiry(&self) -> Option<(Timestamp, Color, RequestKind)> {
        let open = Color::BOTH.into_iter().filter_map(|color| {
            let request = (*self.open.get(color))?;
            Some((request.expires_at, color, request.kind))
        });
        open.min_by_key(|(expires_at, ..)| *expires_at)
    }

    /// The events that make all open requests void.
    pub(super) fn expire_all(&self) -> Vec<EventKind> {
        let open = Color::BOTH.into_iter().filter_map(|by| {
            let request = (*self.open.get(by))?.kind;
            Some(EventKind::Expired { request, by })
        });
        open.collect()
    }
}

/// What the commands about requests share: the game goes on, the sender plays in it, and means this turn.
fn seat(table: &Table, by: &PlayerId, turn: Option<u32>) -> Result<Color, Refusal> {
    if table.phase != Phase::Playing {
        return Err(Refusal::WrongState);
    }
    let color = table.seat_of(by).ok_or(Refusal::Forbidden)?;
    match turn {
        Some(turn) if turn != table.turn() => Err(Refusal::StaleTurn),
        _ => Ok(color),
    }
}

/// A player asks. Asking for what the opponent is asking for accepts it, and costs nothing.
pub(super) fn request(
    table: &Table,
    by: &PlayerId,
    kind: RequestKind,
    turn: u32,
    now: Timestamp,
) -> Result<Vec<EventKind>, Refusal> {
    let color = seat(table, by, Some(turn))?;
    if !table.terms.allow_request(kind) {
        return Err(Refusal::NotAllowedByRuleset);
    }
    if is_open(table, color.opponent(), kind) {
        return Ok(accept(table, color, kind, now));
    }
    let against_computer = table.computer().is_some();
    if kind == RequestKind::Takeback && against_computer {
        return take_back_at_once(table, color, now);
    }
    let last = table.moves_since_resumption().last();
    if kind == RequestKind::Takeback && last.is_none_or(|last| last.color != color) {
        return Err(Refusal::NotYourLastMove);
    }
    if kind == RequestKind::Score && table.opening_stones_left() > 0 {
        return Err(Refusal::OpeningStonesLeft);
    }
    if table.requests.open.get(color).is_some() {
        return Err(Refusal::RequestOpen);
    }
    if table.requests.left(color) == 0 {
        return Err(Refusal::RequestLimit);
    }
    let requested = EventKind::Requested {
        request: kind,
        by: color,
        expires_at: now + REQUEST_LIFE,
    };
    // The computer declines draws (T8), and does not think about it.
    let declined = (kind == RequestKind::Draw && against_computer).then_some(EventKind::Answered {
        request: kind,
        by: color.opponent(),
        accepted: false,
    });
    Ok(std::iter::once(requested).chain(declined).collect())
}

/// A takeback against the computer: without an answer and free. It undoes the player's last move, and the computer's
/// reply if that is there already (T9).
fn take_back_at_once(table: &Table, color: Color, now: Timestamp) -> Result<Vec<EventKind>, Refusal> {
    let moves = table.moves_since_resumption();
    let own = moves.iter().rposition(|made| made.color == color);
    let own = own.ok_or(Refusal::NotYourLastMove)?;
    if !table.has_room() {
        return Err(Refusal::NoRoom);
    }
    let taken_back = taken_back(table, moves.len() - own, now);
    Ok(table
        .requests
        .expire_all()
        .into_iter()
        .chain(taken_back)
        .collect())
}

/// A player answers what the opponent asks.
pub(super) fn answer(
    table: &Table,
    by: &PlayerId,
    (kind, accepted): (RequestKind, bool),
    turn: Option<u32>,
    now: Timestamp,
) -> Result<Vec<EventKind>, Refusal> {
    let color = seat(table, by, turn)?;
    if !is_open(table, color.opponent(), kind) {
        return Err(Refusal::NoRequest);
    }
    if accepted {
        return Ok(accept(table, color, kind, now));
    }
    Ok(vec![EventKind::Answered {
        request: kind,
        by: color,
        accepted,
    }])
}

/// A player thinks better of what he has asked.
pub(super) fn withdraw(
    table: &Table,
    by: &PlayerId,
    kind: RequestKind,
    turn: Option<u32>,
) -> Result<Vec<EventKind>, Refusal> {
    let color = seat(table, by, turn)?;
    if !is_open(table, color, kind) {
        return Err(Refusal::NoRequest);
    }
    Ok(vec![EventKind::Withdrawn {
        request: kind,
        by: color,
    }])
}

fn is_open(table: &Table, color: Color, kind: RequestKind) -> bool {
    table
        .requests
        .open
        .get(color)
        .is_some_and(|request| request.kind == kind)
}

/// Whether a pass of this color is a yes: the computer, asked while it was already thinking about its move, would pass
/// (T8).
pub(super) fn is_answered_by_pass(table: &Table, color: Color) -> bool {
    let by_computer = table.computer().is_some_and(|(seat, _)| seat == color);
    by_computer && is_open(table, color.opponent(), RequestKind::Score)
}

/// What an acceptance brings.
pub(super) fn accept(table: &Table, by: Color, kind: RequestKind, now: Timestamp) -> Vec<EventKind> {
    let answered = EventKind::Answered {
        request: kind,
        by,
        accepted: true,
    };
    let brings = match kind {
        RequestKind::Takeback => taken_back(table, 1, now),
        RequestKind::Draw => Some(EventKind::Finished {
            result: GameResult::agreed_draw(),
            clock: table.clock.stop(now),
        }),
        RequestKind::Score => {
            let stopped = table.clock.stop(now);
            Some(counting::begin(table, CountingReason::ScoreRequest, stopped, now))
        }
    };
    // What the accepting player had asked for himself is void then.
    let own = (*table.requests.open.get(by)).map(|request| EventKind::Expired {
        request: request.kind,
        by,
    });
    std::iter::once(answered).chain(own).chain(brings).collect()
}

/// The last moves undone: as the table would then stand. Both clocks return to what they stood at when the first of them
/// arrived, and its player's runs on from there (C8). Nothing when there is no move.
fn taken_back(table: &Table, moves: usize, now: Timestamp) -> Option<EventKind> {
    let mut before = table.clone();
    let undone = (0..moves).map_while(|_| before.undo_last_move()).last()?;
    let geometry = before.position.geometry();
    Some(EventKind::TakenBack {
        turn: before.turn(),
        to_move: before.to_move,
        stones: PerColor::from_fn(|color| names(geometry, before.position.stones_of(color))),
        captures: before.prisoners.map(|prisoners| prisoners.captured),
        clock: undone.arrived.rebased(now),
        forbidden: Table::forbidden(&before.history, &before.position, before.to_move),
        opening_stones_left: before.opening_stones_left(),
    })
}
