//! What time alone brings: flags, requests that become void, markings and assessments whose time is over, and the mark
//! that the server was away.

use super::computer::{self, ComputerFailure, ComputerTask};
use super::event::{Event, EventKind};
use super::result::GameResult;
use super::table::{Phase, Table};
use super::{counting, marking};
use crate::clock::{FlagFall, Timestamp, shows_outage};
use crate::rules::Color;
use crate::ruleset::RequestKind;

/// What comes next by itself.
enum Due {
    /// A player's time is up.
    Flag(FlagFall),
    /// A player's request becomes void.
    Expiry(Color, RequestKind),
    /// The computer has not answered.
    ComputerIsLate(ComputerTask),
    /// The players have not agreed in time on what is dead.
    Resumption,
    /// A try at an assessment has not come to an end.
    LostAttempt(u32),
}

/// What the time has brought by `now`: the earliest of it, dated at its deadline. To be applied, and asked for again
/// until there is nothing more.
///
/// When the first look at the time comes more than ten seconds after a deadline, the server itself was away, and that is
/// nobody's loss: the game goes on from its last stored state (C9). An assessment is nobody's to lose, and is simply tried
/// again.
pub fn tick(table: &Table, now: Timestamp) -> Vec<Event> {
    let Some((at, due)) = due(table).filter(|(at, _)| *at <= now) else {
        return Vec::new();
    };
    let kinds = match due {
        Due::LostAttempt(attempt) => return table.number(counting::fail(table, attempt, now), now),
        _ if shows_outage(at, now) => return table.number(went_on(table, now), now),
        Due::Flag(fall) => vec![EventKind::Finished {
            result: GameResult::on_time(fall.color),
            clock: table.clock.stop(fall.at),
        }],
        Due::Expiry(by, request) => vec![EventKind::Expired { request, by }],
        Due::ComputerIsLate(task) => computer::failed(table, &task, ComputerFailure::TimedOut, at),
        Due::Resumption => vec![marking::resumed(table, None, at)],
    };
    table.number(kinds, at)
}

/// The game goes on after an outage, from how it was stored last.
fn went_on(table: &Table, now: Timestamp) -> Vec<EventKind> {
    let outage = EventKind::Outage {
        clock: table.clock.at(table.last_at).rebased(now),
        marking: marking::refreshed(table, now),
    };
    std::iter::once(outage)
        .chain(table.requests.expire_all())
        .collect()
}

/// When the next deadline is that can bring something by itself.
pub(super) fn next_deadline(table: &Table) -> Option<Timestamp> {
    due(table).map(|(at, _)| at)
}

/// The earliest deadline, a flag before a request.
fn due(table: &Table) -> Option<(Timestamp, Due)> {
    match &table.phase {
        Phase::Playing => {
            let flag = table.clock.deadline().zip(table.clock.running());
            let flag = flag.map(|(at, color)| (at, Due::Flag(FlagFall { color, at })));
            let expiry = table.requests.next_expiry();
            let expiry = expiry.map(|(at, by, request)| (at, Due::Expiry(by, request)));
            let late = table.computer_is_late_at().zip(table.computer_task());
            let late = late.map(|(at, task)| (at, Due::ComputerIsLate(task)));
            let all = flag.into_iter().chain(expiry).chain(late);
            all.min_by_key(|(at, _)| *at)
        }
        Phase::Counting(_) => {
            let given_up = counting::given_up(table);
            given_up.map(|(at, attempt)| (at, Due::LostAttempt(attempt)))
        }
        Phase::Marking(marking) => Some((marking.resumes_at, Due::Resumption)),
        Phase::Waiting | Phase::Finished(_) | Phase::Closed => None,
    }
}
