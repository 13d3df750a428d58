//! The one function that answers everything that can happen to a table.

use super::appeal::{self, Cause, Judgment, NewAppeal};
use super::chat::{self, Saying};
use super::command::{Command, CommandMessage};
use super::computer::{self, ComputerFailure, ComputerTask};
use super::counting;
use super::event::{CountingReason, Event, EventKind, Forbidden, Seq};
use super::ids::{InviteCode, PlayerId};
use super::marking;
use super::opponent::Opponent;
use super::player::Player;
use super::refusal::Refusal;
use super::rematch::{self, Opening, Spare};
use super::rename;
use super::requests;
use super::result::{GameResult, Verdict, names};
use super::table::{Phase, Table};
use super::terms::Terms;
use super::words::Reason;
use crate::clock::{Clock, Millis, Timestamp};
use crate::rules::{Color, Move, PerColor, Vertex};
use crate::ruleset::{Ending, RequestKind};

/// Something that can happen to a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// Somebody takes the free seat.
    Join {
        /// Who.
        player: Player,
        /// The creator's color, if it is for the draw. Drawn by the caller, who has the randomness.
        draw: Color,
    },
    /// A viewer sends a command.
    Command {
        /// Who sent it.
        by: PlayerId,
        /// What, and what came along.
        message: CommandMessage,
        /// Randomness, in case it makes a table.
        spare: Spare,
    },
    /// Somebody says something.
    Chat {
        /// Who, and what.
        saying: Saying,
        /// The newest event that he had seen, if he says so.
        seen: Option<Seq>,
    },
    /// An operator removes a line of chat.
    RemoveChat {
        /// The number of its event.
        line: Seq,
    },
    /// A player appeals against the count.
    Appeal {
        /// Who.
        by: PlayerId,
        /// How.
        appeal: NewAppeal,
    },
    /// An operator decides about the result.
    Decide {
        /// Because of what.
        cause: Cause,
        /// How.
        judgment: Judgment,
        /// Why.
        reason: Reason,
    },
    /// Somebody wants a waiting table closed.
    Close {
        /// Who.
        by: PlayerId,
    },
    /// A player is called otherwise from now on.
    Rename {
        /// He, as he is now.
        player: Player,
    },
    /// A player deletes himself.
    Leave {
        /// He, under the name that stays.
        player: Player,
    },
    /// The scheduled trigger looks for tables that have waited too long (T3).
    Expire {
        /// The moment that it looks at.
        as_of: Timestamp,
    },
    /// The computer's search has broken off.
    ComputerFailed {
        /// What it was asked.
        task: ComputerTask,
    },
    /// The assessor has spoken.
    Assessed {
        /// The number of moves of the position that it judged.
        turn: u32,
        /// At which try.
        attempt: u32,
        /// What it says.
        verdict: Verdict,
    },
    /// The assessor has failed, or has not answered in time (G5).
    AssessmentFailed {
        /// At which try.
        attempt: u32,
    },
}

impl Input {
    /// The input's name, for the log.
    pub fn kind(&self) -> &'static str {
        match self {
            Input::Join { .. } => "join",
            Input::Chat { .. } => "chat",
            Input::RemoveChat { .. } => "remove_chat",
            Input::Appeal { .. } => "appeal",
            Input::Decide { .. } => "decide",
            Input::Close { .. } => "close",
            Input::Expire { .. } => "expire",
            Input::Assessed { .. } => "assessed",
            Input::Rename { .. } => "rename",
            Input::Leave { .. } => "leave",
            Input::AssessmentFailed { .. } => "assessment_failed",
            Input::ComputerFailed { .. } => "computer_failed",
            Input::Command { message, .. } => message.command.kind(),
        }
    }
}

/// What an input leads to.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// These events happen, in this order.
    Events(Vec<Event>),
    /// Nothing: it repeats a move that stands already, told by that event (T7).
    Repeated(Seq),
}

/// A table to be made.
#[derive(Clone, Debug, PartialEq)]
pub struct NewTable {
    /// What is played.
    pub terms: Terms,
    /// Who makes it.
    pub creator: Player,
    /// What opens it to others; it names the table.
    pub invite: InviteCode,
    /// The creator's color, if it is for the draw and the opponent is there already. Drawn by the caller.
    pub draw: Color,
}

/// The events that open a table. Against the computer the game starts with it.
pub fn open(new: NewTable, now: Timestamp) -> Vec<Event> {
    let NewTable {
        terms,
        creator,
        invite,
        draw,
    } = new;
    if let Opponent::Computer { level } = terms.opponent {
        let seats = seats(&terms, (creator.clone(), Player::computer(level)), draw);
        let opening = Opening {
            terms,
            creator,
            invite,
            seats,
        };
        return rematch::open_started(opening, now);
    }
    vec![Event {
        seq: Seq(1),
        at: now,
        kind: EventKind::Opened {
            id: invite.table().clone(),
            terms,
            creator,
            invite,
        },
    }]
}

/// Who plays which color: the creator the one that he has asked for, or the one that was drawn for him.
fn seats(terms: &Terms, (creator, other): (Player, Player), draw: Color) -> PerColor<Player> {
    match terms.color.chosen().unwrap_or(draw) {
        Color::Black => PerColor {
            black: creator,
            white: other,
        },
        Color::White => PerColor {
            black: other,
            white: creator,
        },
    }
}

/// What `input` leads to at `table`, received at `now`. Changes nothing: [`Table::apply`] does.
///
/// # Errors
/// Why the table refuses it.
pub fn step(table: &Table, input: Input, now: Timestamp) -> Result<Outcome, Refusal> {
    let kinds = match input {
        Input::Join { player, draw } => join(table, player, draw, now)?,
        Input::Close { by } => close(table, &by)?,
        Input::Expire { as_of } => expire(table, as_of),
        Input::Chat { seen, .. } if seen.is_some_and(|seen| seen > table.seq) => {
            return Err(Refusal::UnknownSeq);
        }
        Input::Chat { saying, .. } => chat::say(table, saying)?,
        Input::RemoveChat { line } => chat::remove(table, line)?,
        Input::Decide {
            cause,
            judgment,
            reason,
        } => appeal::decide(table, &cause, &judgment, &reason)?,
        Input::Appeal { by, appeal } => match appeal::appeal(table, &by, appeal, now)? {
            Answer::Kinds(kinds) => kinds,
            Answer::Repeats(seq) => return Ok(Outcome::Repeated(seq)),
        },
        Input::Rename { player } => rename::rename(table, player),
        Input::Leave { player } => rename::leave(table, player, now),
        Input::Assessed {
            turn,
            attempt,
            verdict,
        } => counting::finish(table, (turn, attempt), verdict, now),
        Input::AssessmentFailed { attempt } => counting::fail(table, attempt, now),
        Input::ComputerFailed { task } => computer::failed(table, &task, ComputerFailure::BrokeOff, now),
        Input::Command { by, message, spare } => match command(table, &by, message, spare, now)? {
            Answer::Kinds(kinds) => kinds,
            Answer::Repeats(seq) => return Ok(Outcome::Repeated(seq)),
        },
    };
    Ok(Outcome::Events(table.number(kinds, now)))
}

/// How long a table waits for an opponent (T3).
pub const LONGEST_WAIT: Millis = Millis::from_secs(3600);

fn expire(table: &Table, as_of: Timestamp) -> Vec<EventKind> {
    let over = table.phase == Phase::Waiting && as_of >= table.created_at + LONGEST_WAIT;
    over.then_some(EventKind::Closed {}).into_iter().collect()
}

/// What a command leads to, before its events are numbered.
pub(super) enum Answer {
    Kinds(Vec<EventKind>),
    Repeats(Seq),
}

fn join(table: &Table, player: Player, draw: Color, now: Timestamp) -> Result<Vec<EventKind>, Refusal> {
    match table.phase {
        Phase::Waiting => {}
        Phase::Closed => return Err(Refusal::Gone),
        Phase::Playing | Phase::Counting(_) | Phase::Marking(_) | Phase::Finished(_) => {
            let seated = table.seat_of(&player.id).is_some();
            return Err(if seated {
                Refusal::SamePlayer
            } else {
                Refusal::SeatTaken
            });
        }
    }
    if table.creator.id == player.id {
        return Err(Refusal::SamePlayer);
    }
    if !table.terms.takes(player.kind) {
        return Err(Refusal::NeedsAccount);
    }
    let seats = seats(&table.terms, (table.creator.clone(), player.clone()), draw);
    let clock = table.clock.start(table.to_move, now);
    Ok(vec![
        EventKind::Joined { player },
        EventKind::Started { seats, clock },
    ])
}

fn close(table: &Table, by: &PlayerId) -> Result<Vec<EventKind>, Refusal> {
    if table.creator.id != *by {
        return Err(Refusal::Forbidden);
    }
    match table.phase {
        Phase::Waiting => Ok(vec![EventKind::Closed {}]),
        Phase::Closed => Err(Refusal::Gone),
        Phase::Playing | Phase::Counting(_) | Phase::Marking(_) | Phase::Finished(_) => {
            Err(Refusal::WrongState)
        }
    }
}

fn command(
    table: &Table,
    by: &PlayerId,
    message: CommandMessage,
    spare: Spare,
    now: Timestamp,
) -> Result<Answer, Refusal> {
    if message.seen.is_some_and(|seen| seen > table.seq) {
        return Err(Refusal::UnknownSeq);
    }
    match message.command {
        Command::Play { point, turn } => {
            turn_command(table, by, message.seen, (turn, Some(point)), |color| {
                play(table, color, point, now)
            })
        }
        Command::Pass { turn } => turn_command(table, by, message.seen, (turn, None), |color| {
            pass(table, color, now)
        }),
        Command::Resign {} => resign(table, by, message.seen, now).map(Answer::Kinds),
        Command::Request { kind, turn } => {
            current(table, message.seen)?;
            requests::request(table, by, kind, turn, now).map(Answer::Kinds)
        }
        Command::Answer { kind, accept, turn } => {
            current(table, message.seen)?;
            requests::answer(table, by, (kind, accept), turn, now).map(Answer::Kinds)
        }
        Command::Withdraw { kind, turn } => {
            current(table, message.seen)?;
            requests::withdraw(table, by, kind, turn).map(Answer::Kinds)
        }
        Command::Mark { point, dead } => {
            current(table, message.seen)?;
            marking::mark(table, by, point, dead).map(Answer::Kinds)
        }
        Command::AcceptScore { marking } => {
            current(table, message.seen)?;
            marking::accept(table, by, marking, now).map(Answer::Kinds)
        }
        Command::Resume {} => {
            current(table, message.seen)?;
            marking::resume(table, by, now).map(Answer::Kinds)
        }
        Command::Rematch {} => rematch::rematch(table, by, spare, now),
        Command::DeclineRematch {} => rematch::decline(table, by, now),
    }
}

/// The checks that a play and a pass share, in the order of B8: the table's state, the seat, a repeat, the turn
/// number, whose turn.
fn turn_command(
    table: &Table,
    by: &PlayerId,
    seen: Option<Seq>,
    (turn, vertex): (u32, Option<Vertex>),
    act: impl FnOnce(Color) -> Result<Vec<EventKind>, Refusal>,
) -> Result<Answer, Refusal> {
    if table.phase != Phase::Playing {
        return Err(Refusal::WrongState);
    }
    let color = table.seat_of(by).ok_or(Refusal::Forbidden)?;
    if let Some(seq) = repeated(table, color, turn, vertex) {
        return Ok(Answer::Repeats(seq));
    }
    current(table, seen)?;
    if turn != table.turn() {
        return Err(Refusal::StaleTurn);
    }
    if color != table.to_move {
        return Err(Refusal::NotYourTurn);
    }
    act(color).map(Answer::Kinds)
}

/// Refuses a command of somebody who has not seen yet that a move was taken back or play resumed: he means another
/// game (T7).
fn current(table: &Table, seen: Option<Seq>) -> Result<(), Refusal> {
    match seen {
        Some(seen) if seen < table.stale_before => Err(Refusal::StaleTurn),
        _ => Ok(()),
    }
}

/// The event of the seat's own last move, if this is that move for that turn once more (T7).
fn repeated(table: &Table, color: Color, turn: u32, vertex: Option<Vertex>) -> Option<Seq> {
    let (index, last) = table
        .moves
        .iter()
        .enumerate()
        .rev()
        .find(|(_, made)| made.color == color)?;
    let geometry = table.position.geometry();
    let same = match (last.made, vertex) {
        (Move::Play(point), Some(vertex)) => geometry.vertex(point) == vertex,
        (Move::Pass, None) => true,
        (Move::Play(_), None) | (Move::Pass, Some(_)) => false,
    };
    (same && index == turn as usize).then_some(last.seq)
}

fn play(table: &Table, color: Color, vertex: Vertex, now: Timestamp) -> Result<Vec<EventKind>, Refusal> {
    let geometry = table.position.geometry();
    let point = geometry.point(vertex).ok_or(Refusal::OffBoard)?;
    let prospect = table.history.legal(&table.position, point, color)?;
    let mut after = table.position.clone();
    let captured = after.carry_out(&prospect);
    let next = table.next_to_move(color, table.turn() + 1);
    let ends = is_last_move(table);
    // The last move is completed first, like any other; then the clocks stop (C7).
    let clock = stopped_if(ends, table.clock.moved(next, now)?, now);
    let played = EventKind::Played {
        color,
        point: vertex,
        turn: table.turn(),
        captured: names(geometry, captured),
        clock,
        // The position just made is not in the history yet, but no play can recreate it: a stone more or others less.
        forbidden: forbidden_unless(ends, || Table::forbidden(&table.history, &after, next)),
    };
    let reason = ends.then_some(CountingReason::MoveLimit);
    with_ending(table, played, reason, (clock, now))
}

fn pass(table: &Table, color: Color, now: Timestamp) -> Result<Vec<EventKind>, Refusal> {
    if table.opening_stones_left() > 0 {
        return Err(Refusal::PassNotAllowed);
    }
    if requests::is_answered_by_pass(table, color) {
        return Ok(requests::accept(table, color, RequestKind::Score, now));
    }
    let opponent = color.opponent();
    let reason = match ends_by_pass(table, color) {
        true => Some(CountingReason::Passes),
        false => is_last_move(table).then_some(CountingReason::MoveLimit),
    };
    let ends = reason.is_some();
    let clock = stopped_if(ends, table.clock.moved(opponent, now)?, now);
    let passed = EventKind::Passed {
        color,
        turn: table.turn(),
        clock,
        forbidden: forbidden_unless(ends, || {
            Table::forbidden(&table.history, &table.position, opponent)
        }),
    };
    with_ending(table, passed, reason, (clock, now))
}

/// Whether a pass of this color ends the play. Passes before a resumption have had their effect.
fn ends_by_pass(table: &Table, color: Color) -> bool {
    let last = table.moves_since_resumption().last();
    let second = last.is_some_and(|last| last.made == Move::Pass);
    match table.terms.ruleset.ending {
        Ending::TwoPasses => second,
        Ending::TwoPassesWhiteLast => second && color == Color::White,
    }
}

/// A move with what follows: it makes what was asked before it void, and may end the play. What is counted then is the
/// table after it.
fn with_ending(
    table: &Table,
    made: EventKind,
    reason: Option<CountingReason>,
    (clock, now): (Clock, Timestamp),
) -> Result<Vec<EventKind>, Refusal> {
    let expired = table.requests.expire_all();
    let Some(reason) = reason else {
        return Ok(std::iter::once(made).chain(expired).collect());
    };
    let mut after = table.clone();
    for event in table.number(vec![made.clone()], now) {
        // A legal move can be applied; one that could not would have to change nothing.
        after.apply(&event).map_err(|_| Refusal::WrongState)?;
    }
    let counting = counting::begin(&after, reason, clock, now);
    Ok(std::iter::once(made).chain(expired).chain([counting]).collect())
}

/// Whether the next move is the last that the ruleset allows.
fn is_last_move(table: &Table) -> bool {
    table.turn() + 1 >= table.terms.ruleset.move_limit
}

fn stopped_if(ends: bool, clock: Clock, now: Timestamp) -> Clock {
    if ends { clock.stop(now) } else { clock }
}

/// Where the next player may not play; there is none after the end.
fn forbidden_unless(ends: bool, forbidden: impl FnOnce() -> Vec<Forbidden>) -> Vec<Forbidden> {
    if ends { Vec::new() } else { forbidden() }
}

/// Without the newest event that its sender had seen it always stands (T10); with one from before a takeback or a
/// resumption it was meant for another game, above all the computer's, which thinks while its opponent takes back.
fn resign(
    table: &Table,
    by: &PlayerId,
    seen: Option<Seq>,
    now: Timestamp,
) -> Result<Vec<EventKind>, Refusal> {
    match table.phase {
        Phase::Playing | Phase::Counting(_) | Phase::Marking(_) => {}
        Phase::Waiting | Phase::Finished(_) | Phase::Closed => return Err(Refusal::WrongState),
    }
    let loser = table.seat_of(by).ok_or(Refusal::Forbidden)?;
    current(table, seen)?;
    let clock = table.clock.stop(now);
    Ok(vec![EventKind::Finished {
        result: GameResult::resignation(loser),
        clock,
    }])
}
