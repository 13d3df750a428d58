//! Play has ended: who is asked about the chains, and what becomes of the game when an assessor fails (G3, G5).
//!
//! No table can hang here. Each try at an assessment has its time, after which it counts as failed even if nobody says
//! so; after some failures the embedded assessor is asked; and if that fails, too, every chain counts as alive.

use super::event::{CountingReason, EventKind};
use super::marking;
use super::result::{AssessedBy, CountedBy, GameResult, Score, Verdict, score};
use super::table::{CountingState, Phase, Table};
use crate::clock::{Clock, Millis, Timestamp};
use crate::rules::Point;
use crate::ruleset::{Assessor, DeadChains};

/// How often the ruleset's own assessor is tried.
const OWN_ATTEMPTS: u32 = 3;

/// How often anybody is tried: once more than is any use, in case the fault was the machine's.
const ATTEMPTS: u32 = 5;

/// How long after the first failure the next try comes; the wait doubles with each further one.
const FIRST_RETRY: Millis = Millis::from_secs(1);

/// How long a try may take. An assessor is quicker by far, so one that has not answered by then never will: whatever
/// it ran in has ended.
const ATTEMPT_TIME: Millis = Millis::from_secs(30);

/// An assessment that a table waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WantedVerdict {
    /// The number of moves of the position that is to be judged.
    pub turn: u32,
    /// Which try it is, from 1.
    pub attempt: u32,
    /// Who is to judge.
    pub assessor: Assessor,
}

/// What follows the end of play.
pub(super) fn begin(table: &Table, reason: CountingReason, clock: Clock, now: Timestamp) -> EventKind {
    match table.terms.ruleset.dead_chains {
        DeadChains::Assessor { .. } => EventKind::Counting {
            reason,
            attempt: 1,
            retry_at: None,
            clock,
            marking: None,
        },
        DeadChains::Players { .. } => marking::begin(table, reason, clock, now),
    }
}

/// The result that a verdict leads to, of a position and at a try. A verdict that nobody waits for any more leads to
/// nothing; one that comes after its try was given up counts, as of whoever was asked then.
pub(super) fn finish(
    table: &Table,
    (turn, attempt): (u32, u32),
    verdict: Verdict,
    now: Timestamp,
) -> Vec<EventKind> {
    if waiting(table).is_none() || turn != table.turn() {
        return Vec::new();
    }
    let stands_in = is_stand_in(table, attempt);
    let assessed_by = verdict.assessed_by.map(|by| AssessedBy {
        fallback: by.fallback || stands_in,
        ..by
    });
    vec![finished(table, &verdict.dead, assessed_by, now)]
}

/// What follows when the assessor has failed at a try: another one later, and in the end a count without him. The failure
/// of a try that is over already leads to nothing.
pub(super) fn fail(table: &Table, attempt: u32, now: Timestamp) -> Vec<EventKind> {
    let current = waiting(table).filter(|(state, _)| state.attempt == attempt);
    let failed = current.map(|(state, _)| match state.attempt < ATTEMPTS {
        true => EventKind::Counting {
            reason: state.reason,
            attempt: state.attempt + 1,
            retry_at: Some(now + retry_after(state.attempt)),
            clock: table.clock.stop(now),
            marking: None,
        },
        false => finished(table, &[], None, now),
    });
    failed.into_iter().collect()
}

/// When the present try counts as failed, with its number.
pub(super) fn given_up(table: &Table) -> Option<(Timestamp, u32)> {
    let (state, _) = waiting(table)?;
    Some((due(state) + ATTEMPT_TIME, state.attempt))
}

fn finished(table: &Table, dead: &[Point], assessed_by: Option<AssessedBy>, now: Timestamp) -> EventKind {
    EventKind::Finished {
        result: GameResult::by_score(table.score(dead), assessed_by),
        clock: table.clock.stop(now),
    }
}

fn retry_after(attempt: u32) -> Millis {
    Millis::new(FIRST_RETRY.get() << attempt.saturating_sub(1).min(ATTEMPTS))
}

fn due(state: &CountingState) -> Timestamp {
    state.retry_at.unwrap_or(state.since)
}

/// Where the assessment stands and what is wanted for it, while the table waits for one.
fn waiting(table: &Table) -> Option<(&CountingState, WantedVerdict)> {
    let Phase::Counting(state) = &table.phase else {
        return None;
    };
    let wanted = WantedVerdict {
        turn: table.turn(),
        attempt: state.attempt,
        assessor: match is_stand_in(table, state.attempt) {
            true => Assessor::Embedded,
            false => own_assessor(table),
        },
    };
    Some((state, wanted))
}

/// The ruleset's assessor. Where the players agree on what is dead nobody is asked.
fn own_assessor(table: &Table) -> Assessor {
    match table.terms.ruleset.dead_chains {
        DeadChains::Assessor { assessor, .. } => assessor,
        DeadChains::Players { .. } => Assessor::Embedded,
    }
}

/// Whether at this try the embedded assessor stands in for another.
fn is_stand_in(table: &Table, attempt: u32) -> bool {
    attempt > OWN_ATTEMPTS && own_assessor(table) != Assessor::Embedded
}

impl Table {
    /// The assessment that the table waits for, once it is time for it.
    pub fn wanted_verdict(&self, now: Timestamp) -> Option<WantedVerdict> {
        waiting(self)
            .filter(|(state, _)| due(state) <= now)
            .map(|(_, wanted)| wanted)
    }

    /// When an assessment is to be asked for.
    pub(super) fn assessment_due(&self) -> Option<Timestamp> {
        waiting(self).map(|(state, _)| due(state))
    }

    /// The count of the position as it stands, with these dead chains.
    pub(super) fn score(&self, dead: &[Point]) -> Score {
        let by = CountedBy {
            counting: self.terms.ruleset.counting,
            komi: self.terms.komi,
            prisoners: self.prisoners,
        };
        score(&self.position, dead, by)
    }
}
