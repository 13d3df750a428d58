//! Appeals against an automatic count (G10), and what an operator decides (G11).

use super::event::{Event, EventKind, Seq};
use super::ids::{AppealId, PlayerId};
use super::refusal::Refusal;
use super::result::{Corrected, EndedBy, GameResult};
use super::step::Answer;
use super::table::{Phase, Table};
use super::words::Reason;
use crate::clock::{Millis, Timestamp};
use crate::rules::{Color, PerColor, Point, Vertex};
use crate::ruleset::DeadChains;
use serde::{Deserialize, Serialize};

/// How long after the end an appeal may come (G10).
const WINDOW: Millis = Millis::from_secs(7 * 24 * 3600);

/// The most points that an appeal may name: enough for every group in question.
pub const MOST_POINTS: usize = 50;

/// An appeal as a player brings it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NewAppeal {
    /// Its id. The same appeal brought twice has the same.
    pub id: AppealId,
    /// What it is about.
    pub points: Vec<Vertex>,
    /// What is wrong there.
    pub reason: Reason,
}

/// What an operator says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Judgment {
    /// The result stands.
    Uphold,
    /// Exactly these chains are dead, each named by a stone of it at least.
    Correct {
        /// The dead ones.
        dead: PerColor<Vec<Vertex>>,
    },
}

/// Why an operator decides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// Somebody has appealed.
    Appeal(AppealId),
    /// Of his own accord: after a decision, or without any appeal.
    OwnAccord,
}

/// How a decision went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ruling {
    /// The result stands.
    Upheld,
    /// There is another result.
    Corrected,
}

impl Ruling {
    /// The name on the wire and in rows.
    pub fn name(self) -> &'static str {
        match self {
            Ruling::Upheld => "upheld",
            Ruling::Corrected => "corrected",
        }
    }
}

/// An appeal on the record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Appeal {
    /// Which.
    pub id: AppealId,
    /// The event that told it.
    pub seq: Seq,
    /// When.
    pub at: Timestamp,
    /// Whose.
    pub by: Color,
    /// What it is about.
    pub points: Vec<Vertex>,
    /// What is wrong there, in the player's words.
    pub reason: String,
    /// The result that it is against, as SGF writes it.
    pub against: String,
    /// What became of it; nothing while it is open.
    pub decision: Option<Decision>,
}

/// A decision on the record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// The event that told it.
    pub seq: Seq,
    /// When.
    pub at: Timestamp,
    /// How it went.
    pub ruling: Ruling,
    /// The operator's words.
    pub reason: String,
    /// The result after it, as SGF writes it.
    pub result: String,
}

/// What has become of a result.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Review {
    pub(super) appeals: Vec<Appeal>,
    pub(super) decisions: Vec<Decision>,
    /// The result as it was counted, once there is another.
    pub(super) original: Option<Box<GameResult>>,
}

/// The result of an automatic count, which alone can be appealed against and corrected.
fn counted(table: &Table) -> Result<&GameResult, Refusal> {
    let result = match &table.phase {
        Phase::Finished(result) => result,
        Phase::Closed => return Err(Refusal::Gone),
        Phase::Waiting | Phase::Playing | Phase::Counting(_) | Phase::Marking(_) => {
            return Err(Refusal::WrongState);
        }
    };
    match (table.terms.ruleset.dead_chains, result.by) {
        (DeadChains::Players { .. }, _) => Err(Refusal::NoAppeals),
        (DeadChains::Assessor { .. }, EndedBy::Score) => Ok(result),
        (DeadChains::Assessor { .. }, _) => Err(Refusal::NotCounted),
    }
}

/// A player appeals.
pub(super) fn appeal(
    table: &Table,
    by: &PlayerId,
    appeal: NewAppeal,
    now: Timestamp,
) -> Result<Answer, Refusal> {
    counted(table)?;
    let by = table.seat_of(by).ok_or(Refusal::Forbidden)?;
    if let Some(known) = table.review.appeals.iter().find(|known| known.by == by) {
        return match known.id == appeal.id {
            true => Ok(Answer::Repeats(known.seq)),
            false => Err(Refusal::AlreadyAppealed),
        };
    }
    if table.ended_at.is_none_or(|ended_at| now >= ended_at + WINDOW) {
        return Err(Refusal::TooLateToAppeal);
    }
    let geometry = table.position.geometry();
    if appeal
        .points
        .iter()
        .any(|&vertex| geometry.point(vertex).is_none())
    {
        return Err(Refusal::PointsOffBoard);
    }
    Ok(Answer::Kinds(vec![EventKind::Appealed {
        appeal: appeal.id,
        by,
        points: appeal.points,
        reason: appeal.reason.as_str().to_owned(),
    }]))
}

/// An operator decides. It closes every appeal that is open.
pub(super) fn decide(
    table: &Table,
    cause: &Cause,
    judgment: &Judgment,
    reason: &Reason,
) -> Result<Vec<EventKind>, Refusal> {
    let standing = counted(table)?;
    let mut open = table.review.open();
    match cause {
        Cause::Appeal(id) => {
            let known = table.review.appeals.iter().find(|known| known.id == *id);
            let decided = known.ok_or(Refusal::NoSuchAppeal)?.decision.is_some();
            if decided {
                return Err(Refusal::AlreadyDecided);
            }
        }
        Cause::OwnAccord if open.next().is_some() => return Err(Refusal::AppealsOpen),
        Cause::OwnAccord => {}
    }
    let corrected = match judgment {
        Judgment::Uphold => None,
        Judgment::Correct { dead } => correction(table, standing, dead, reason)?,
    };
    if corrected.is_none() && *cause == Cause::OwnAccord {
        return Err(Refusal::NothingToCorrect);
    }
    let ruling = match corrected {
        Some(_) => Ruling::Corrected,
        None => Ruling::Upheld,
    };
    Ok(vec![EventKind::Decided {
        appeals: table.review.open().map(|appeal| appeal.id.clone()).collect(),
        ruling,
        reason: reason.as_str().to_owned(),
        result: corrected.unwrap_or_else(|| standing.clone()),
    }])
}

/// The result with exactly these chains dead; nothing if they are the dead ones already.
fn correction(
    table: &Table,
    standing: &GameResult,
    dead: &PerColor<Vec<Vertex>>,
    reason: &Reason,
) -> Result<Option<GameResult>, Refusal> {
    let mut named: Vec<Point> = Vec::new();
    for color in Color::BOTH {
        for &vertex in dead.get(color) {
            let point = table.position.geometry().point(vertex);
            let point = point.ok_or(Refusal::OffBoard)?;
            match table.position.stone(point) {
                Some(stone) if stone == color => named.push(point),
                Some(_) | None => return Err(Refusal::NoChain),
            }
        }
    }
    let score = table.score(&named);
    if standing.score.as_ref().is_some_and(|now| now.dead == score.dead) {
        return Ok(None);
    }
    let original = table.review.original.as_deref().unwrap_or(standing);
    Ok(Some(GameResult {
        corrected: Some(Corrected {
            from: original.sgf.clone(),
            reason: reason.as_str().to_owned(),
        }),
        ..GameResult::by_score(score, None)
    }))
}

impl Review {
    /// The appeals of which nothing has become yet.
    fn open(&self) -> impl Iterator<Item = &Appeal> {
        self.appeals.iter().filter(|appeal| appeal.decision.is_none())
    }
}

impl Table {
    /// The appeals against this game's result, oldest first.
    pub fn appeals(&self) -> &[Appeal] {
        &self.review.appeals
    }

    /// What operators have decided about it, oldest first.
    pub fn decisions(&self) -> &[Decision] {
        &self.review.decisions
    }

    /// The result as it was counted, once it was corrected.
    pub fn original_result(&self) -> Option<&GameResult> {
        self.review.original.as_deref()
    }

    /// What is said of the result in the record, if it was corrected.
    pub(super) fn remark(&self) -> Option<String> {
        let corrected = self.result()?.corrected.as_ref()?;
        let Corrected { from, reason } = corrected;
        Some(format!(
            "The result was corrected by an operator; counted automatically it was {from}.\n{reason}"
        ))
    }

    pub(super) fn apply_review(&mut self, event: &Event) {
        match &event.kind {
            EventKind::Appealed {
                appeal,
                by,
                points,
                reason,
            } => {
                let against = self.result().map(|result| result.sgf.clone());
                self.review.appeals.push(Appeal {
                    id: appeal.clone(),
                    seq: event.seq,
                    at: event.at,
                    by: *by,
                    points: points.clone(),
                    reason: reason.clone(),
                    against: against.unwrap_or_default(),
                    decision: None,
                });
            }
            EventKind::Decided {
                appeals,
                ruling,
                reason,
                result,
            } => {
                let decision = Decision {
                    seq: event.seq,
                    at: event.at,
                    ruling: *ruling,
                    reason: reason.clone(),
                    result: result.sgf.clone(),
                };
                let closed = self.review.appeals.iter_mut();
                for appeal in closed.filter(|appeal| appeals.contains(&appeal.id)) {
                    appeal.decision = Some(decision.clone());
                }
                self.review.decisions.push(decision);
                self.replace_result(result);
            }
            _ => {}
        }
    }

    /// Another result takes the place of the one that stands, which is kept if it is the first.
    fn replace_result(&mut self, result: &GameResult) {
        if let Phase::Finished(standing) = &mut self.phase
            && **standing != *result
        {
            let before = std::mem::replace(standing, Box::new(result.clone()));
            self.review.original.get_or_insert(before);
        }
    }
}
