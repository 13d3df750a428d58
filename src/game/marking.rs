//! The players say which chains are dead, and agree or play on (G8).

use super::event::{CountingReason, EventKind};
use super::ids::PlayerId;
use super::refusal::Refusal;
use super::result::{GameResult, names};
use super::table::{Phase, Table};
use crate::clock::{Clock, Millis, Timestamp};
use crate::rules::{Color, PerColor, Point, Vertex};
use serde::{Deserialize, Serialize};

/// How often a marking can change. Every chain of the largest board can be marked and unmarked several times over; what is
/// stored of it has an end all the same.
pub(super) const MOST_CHANGES: u32 = 1000;

/// Where the players stand with marking.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marking {
    /// Grows by one with each change of what is dead.
    pub version: u32,
    /// The dead stones, whole chains of them.
    pub dead: PerColor<Vec<Vertex>>,
    /// Who has agreed to this version.
    pub accepted: PerColor<bool>,
    /// When play resumes by itself if they have not agreed.
    pub resumes_at: Timestamp,
}

impl Marking {
    /// How a marking begins: every stone is alive.
    fn new(resumes_at: Timestamp) -> Marking {
        Marking {
            version: 0,
            dead: PerColor::default(),
            accepted: PerColor::default(),
            resumes_at,
        }
    }

    /// Whether it can change no more: the players agree to it as it stands, or play on.
    pub(super) fn is_final(&self) -> bool {
        self.version >= MOST_CHANGES
    }

    /// The dead stones as points of the table's board.
    fn dead_points(&self, table: &Table) -> Vec<Point> {
        let geometry = table.position.geometry();
        let dead = Color::BOTH.into_iter().flat_map(|color| self.dead.get(color));
        dead.filter_map(|&vertex| geometry.point(vertex)).collect()
    }
}

/// Play has ended, and the players are asked what is dead. After the last resumption they are not asked again: every
/// stone is alive, and the game is over.
pub(super) fn begin(table: &Table, reason: CountingReason, clock: Clock, now: Timestamp) -> EventKind {
    match table.marking_life() {
        Some(life) if table.resumptions_left() > 0 => EventKind::Counting {
            reason,
            attempt: 0,
            retry_at: None,
            clock,
            marking: Some(Marking::new(now + life)),
        },
        _ => EventKind::Finished {
            result: GameResult::by_score(table.score(&[]), None),
            clock,
        },
    }
}

/// What the commands about a marking share: the players are marking, and the sender is one of them.
fn seat<'t>(table: &'t Table, by: &PlayerId) -> Result<(Color, &'t Marking), Refusal> {
    let Phase::Marking(marking) = &table.phase else {
        return Err(Refusal::WrongState);
    };
    Ok((table.seat_of(by).ok_or(Refusal::Forbidden)?, marking))
}

/// A player says of a chain whether it is dead. Saying what stands already changes nothing; anything else makes a new
/// version, to which nobody has agreed yet.
pub(super) fn mark(
    table: &Table,
    by: &PlayerId,
    vertex: Vertex,
    dead: bool,
) -> Result<Vec<EventKind>, Refusal> {
    let (by, marking) = seat(table, by)?;
    let geometry = table.position.geometry();
    let point = geometry.point(vertex).ok_or(Refusal::OffBoard)?;
    let owner = table.position.stone(point).ok_or(Refusal::NoChain)?;
    let mut stones = marking.dead_points(table);
    if stones.contains(&point) == dead {
        return Ok(Vec::new());
    }
    if marking.is_final() {
        return Err(Refusal::NoRoom);
    }
    let mut chain: Vec<Point> = table.position.chain(point).collect();
    chain.sort_unstable();
    match dead {
        true => stones.extend(&chain),
        false => stones.retain(|stone| !chain.contains(stone)),
    }
    stones.retain(|&stone| table.position.stone(stone) == Some(owner));
    stones.sort_unstable();
    let mut marking = Marking {
        version: marking.version + 1,
        accepted: PerColor::default(),
        ..marking.clone()
    };
    *marking.dead.get_mut(owner) = names(geometry, stones);
    let chain = names(geometry, chain);
    Ok(vec![EventKind::Marked {
        by,
        chain,
        dead,
        marking,
    }])
}

/// A player agrees to a version of the marking. When both have agreed to the same one, the game is over.
pub(super) fn accept(
    table: &Table,
    by: &PlayerId,
    version: u32,
    now: Timestamp,
) -> Result<Vec<EventKind>, Refusal> {
    let (by, marking) = seat(table, by)?;
    if version != marking.version {
        return Err(Refusal::StaleMarking);
    }
    if *marking.accepted.get(by) {
        return Ok(Vec::new());
    }
    let mut marking = marking.clone();
    *marking.accepted.get_mut(by) = true;
    let agreed = marking.accepted
        == PerColor {
            black: true,
            white: true,
        };
    let finished = agreed.then(|| EventKind::Finished {
        result: GameResult::by_score(table.score(&marking.dead_points(table)), None),
        clock: table.clock.stop(now),
    });
    let accepted = EventKind::ScoreAccepted { by, marking };
    Ok(std::iter::once(accepted).chain(finished).collect())
}

/// A player wants to play on.
pub(super) fn resume(table: &Table, by: &PlayerId, now: Timestamp) -> Result<Vec<EventKind>, Refusal> {
    let (by, _) = seat(table, by)?;
    Ok(vec![resumed(table, Some(by), now)])
}

/// Play goes on: the opponent of the last passer moves, with the clocks as they stood at the ending pass.
pub(super) fn resumed(table: &Table, by: Option<Color>, now: Timestamp) -> EventKind {
    let geometry = table.position.geometry();
    EventKind::Resumed {
        by,
        resumptions: table.resumptions + 1,
        turn: table.turn(),
        to_move: table.to_move,
        stones: PerColor::from_fn(|color| names(geometry, table.position.stones_of(color))),
        captures: table.prisoners.map(|prisoners| prisoners.captured),
        clock: table.clock.start(table.to_move, now),
        forbidden: Table::forbidden(&table.history, &table.position, table.to_move),
        opening_stones_left: table.opening_stones_left(),
    }
}

/// The marking with a fresh time, after the server was away (C9).
pub(super) fn refreshed(table: &Table, now: Timestamp) -> Option<Marking> {
    let Phase::Marking(marking) = &table.phase else {
        return None;
    };
    Some(Marking {
        resumes_at: now + table.marking_life()?,
        ..marking.clone()
    })
}

impl Table {
    /// Where the players stand with marking, while they mark.
    pub fn marking(&self) -> Option<&Marking> {
        match &self.phase {
            Phase::Marking(marking) => Some(marking),
            Phase::Waiting | Phase::Playing | Phase::Counting(_) | Phase::Finished(_) | Phase::Closed => None,
        }
    }

    /// Lets markings that begin from now on last another time than the ruleset's, so that a test on the real runtime
    /// need not wait for it. Not stored: an event says when a marking ends.
    pub fn set_marking_life(&mut self, life: Millis) {
        self.marking_life = Some(life);
    }
}
