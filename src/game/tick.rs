//! What time alone brings: flags, requests that become void, and the mark that the server was away.

use super::computer::{self, ComputerFailure, ComputerTask};
use super::event::{Event, EventKind};
use super::result::GameResult;
use super::table::{Phase, Table};
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
}

/// What the time has brought by `now`: the earliest of it, dated at its deadline. To be applied, and asked for again
/// until there is nothing more.
///
/// When the first look at the time comes more than ten seconds after a deadline, the server itself was away, and that is
/// nobody's loss: the game goes on from its last stored state (C9).
pub fn tick(table: &Table, now: Timestamp) -> Vec<Event> {
    let Some((at, due)) = due(table).filter(|(at, _)| *at <= now) else {
        return Vec::new();
    };
    if shows_outage(at, now) {
        let went_on = EventKind::Outage {
            clock: table.clock.at(table.last_at).rebased(now),
        };
        let kinds = std::iter::once(went_on).chain(table.requests.expire_all());
        return table.number(kinds.collect(), now);
    }
    let kinds = match due {
        Due::Flag(fall) => vec![EventKind::Finished {
            result: GameResult::on_time(fall.color),
            clock: table.clock.stop(fall.at),
        }],
        Due::Expiry(by, request) => vec![EventKind::Expired { request, by }],
        Due::ComputerIsLate(task) => computer::failed(table, &task, ComputerFailure::TimedOut, at),
    };
    table.number(kinds, at)
}

/// When the next deadline is that can bring something by itself.
pub(super) fn next_deadline(table: &Table) -> Option<Timestamp> {
    due(table).map(|(at, _)| at)
}

/// The earliest deadline, a flag before a request.
fn due(table: &Table) -> Option<(Timestamp, Due)> {
    if table.phase != Phase::Playing {
        return None;
    }
    let flag = table.clock.deadline().zip(table.clock.running());
    let flag = flag.map(|(at, color)| (at, Due::Flag(FlagFall { color, at })));
    let expiry = table.requests.next_expiry();
    let expiry = expiry.map(|(at, by, request)| (at, Due::Expiry(by, request)));
    let late = table.computer_is_late_at().zip(table.computer_task());
    let late = late.map(|(at, task)| (at, Due::ComputerIsLate(task)));
    flag.into_iter()
        .chain(expiry)
        .chain(late)
        .min_by_key(|(at, _)| *at)
}
