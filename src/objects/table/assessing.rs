//! The seam to the assessors: who asks them, and what becomes of their answers.

use super::shell::Shell;
use super::sockets::TableSockets;
use super::sockets::send_text;
use crate::clock::Timestamp;
use crate::game::{self, Event, Input, Outcome, Player, Verdict, WantedVerdict};
use crate::http::Problem;
use crate::objects::call::Fault;
use serde_json::{Value, json};

/// An assessor has failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum AssessorError {
    /// A test has asked for it.
    #[error("a failure was asked for")]
    OnPurpose,
}

/// What an assessor says of the position of a table. Nobody judges life and death yet: every chain counts as alive, and
/// the result names no assessor (`assessed_by` is null).
fn judge(_table: &game::Table, fault: Option<Fault>) -> Result<Verdict, AssessorError> {
    match fault {
        Some(Fault::Assessor) => Err(AssessorError::OnPurpose),
        _ => Ok(Verdict::default()),
    }
}

impl Shell {
    /// Asks for the assessment that the table waits for, if it is time for one. That it waits is stored with an alarm
    /// before: whatever becomes of the assessor, the table is looked at again.
    pub(super) async fn assess(&self, fault: Option<Fault>, now: Timestamp) -> Result<Vec<Event>, Problem> {
        let Some(wanted) = self.with_table(|table| table.wanted_verdict(now))? else {
            return Ok(Vec::new());
        };
        self.set_alarm(now).await?;
        let verdict = self.with_table(|table| judge(table, fault))?;
        let input = self.assessed(wanted, verdict);
        let outcome = self.with_table(|table| game::step(table, input, now))?;
        match outcome {
            Ok(Outcome::Events(events)) => self.carry_out(events, None),
            Ok(Outcome::Repeated(_)) => Ok(Vec::new()),
            Err(refusal) => Err(self.failed("table.assessment_refused", &refusal)),
        }
    }

    fn assessed(&self, wanted: WantedVerdict, verdict: Result<Verdict, AssessorError>) -> Input {
        let WantedVerdict { turn, attempt, .. } = wanted;
        match verdict {
            Ok(verdict) => Input::Assessed { turn, verdict },
            Err(error) => {
                self.failed("table.assessor_failed", &error);
                Input::AssessmentFailed { attempt }
            }
        }
    }

    /// The preview that a player asks for (G7).
    pub(super) fn preview(&self, player: &Player) -> Result<Value, Problem> {
        self.with_table(|table| {
            let allowed = table.check_preview(&player.id);
            allowed.map_err(|refusal| Problem::refused(refusal, table))?;
            let verdict = judge(table, None);
            let verdict = verdict.map_err(|error| self.failed("table.assessor_failed", &error))?;
            Ok(json!(table.preview(&verdict)))
        })?
    }

    /// Shows a preview to whoever's opponent has just passed, where the ruleset has them. It is only a notice: one that
    /// fails is noted, and the player can ask.
    pub(super) fn push_preview(&self, events: &[Event]) {
        let preview = self.with_table(|table| {
            let player = table.preview_after(events)?;
            let verdict = judge(table, None).map_err(|error| self.failed("table.assessor_failed", &error));
            let mut notice = json!(table.preview(&verdict.ok()?));
            notice["type"] = json!("preview");
            Some((player.clone(), notice.to_string()))
        });
        let Ok(Some((player, notice))) = preview else {
            return;
        };
        for socket in self.state().get_websockets() {
            let attachment = TableSockets::attachment(&socket);
            let viewer = attachment.and_then(|attachment| attachment.player);
            if viewer.is_some_and(|viewer| viewer.id == player) {
                send_text(&socket, &notice);
            }
        }
    }
}
