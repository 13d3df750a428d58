//! What operators do at a table. The entry of their log is stored with the event that it tells of, both or neither, and reaches the
//! log as every debt does.

use super::shell::Shell;
use super::store::Owed;
use crate::clock::Timestamp;
use crate::game::{self, Event, Input, Outcome, Table};
use crate::http::Problem;
use crate::objects::call::Fault;
use crate::store::operator_log::Entry;
use serde_json::json;
use std::rc::Rc;

impl Shell {
    /// Takes what an operator does. What has no effect is not logged.
    pub(super) async fn take_of_operator(
        self: &Rc<Shell>,
        input: Input,
        entry: Entry,
        fault: Option<Fault>,
        now: Timestamp,
    ) -> Result<Vec<Event>, Problem> {
        let kind = input.kind();
        let entry = self.with_table(|table| about_its_author(table, &input, entry))?;
        let outcome = self.with_table(|table| {
            let outcome = game::step(table, input, now);
            outcome.map_err(|refusal| Problem::refused(refusal, table))
        })??;
        let Outcome::Events(events) = outcome else {
            return Ok(Vec::new());
        };
        if !events.is_empty() {
            let owed = vec![Owed::Entry(Box::new(entry))];
            self.make_stand_owing(&events, owed, fault)?;
            self.tell(&events)?;
            self.set_alarm(now).await?;
            // Who has done it looks at what has come of it next.
            self.settle_debts().await;
        }
        let table = self.with_table(|table| json!(table.id()))?;
        let fields = [
            ("table.id", table),
            ("input", json!(kind)),
            ("events", json!(events.len())),
        ];
        crate::log::info("table.operator", &fields);
        Ok(events)
    }
}

/// The entry for the removal of a line names who has said it: only the table knows.
fn about_its_author(table: &Table, input: &Input, entry: Entry) -> Entry {
    match input {
        Input::RemoveChat { line } => Entry {
            player_id: table.author_of(*line).cloned(),
            ..entry
        },
        _ => entry,
    }
}
