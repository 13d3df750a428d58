//! What is said at a table, and what is reported of it.

use super::shell::{Shell, Taken};
use crate::clock::{Millis, Timestamp};
use crate::game::{ChatMessage, Input, Phase, Player, Saying, Seq, Speaker, Viewer};
use crate::http::Problem;
use crate::objects::call::Fault;
use crate::players::{Limit, masked};
use crate::store::reports::{Line, Scenery};
use serde_json::{Value, json};
use std::rc::Rc;

/// The variable that says how often a player may say something at one table.
const LIMIT: &str = "LIMIT_CHAT";

/// How often where it does not say: as fast as people write, and no faster.
const DEFAULT_LIMIT: Limit = Limit::new(10, Millis::from_secs(30));

/// How many lines go with a report.
const LINES_OF_A_REPORT: usize = 20;

impl Shell {
    /// Somebody says something: masked by the filter, unless he may not, or says too much. All that is asked is known here, so
    /// that people talk while the database is away.
    pub(super) async fn say(
        self: &Rc<Shell>,
        player: &Player,
        message: ChatMessage,
        fault: Option<Fault>,
        now: Timestamp,
    ) -> Result<Taken, Problem> {
        if let Some(until) = self.conduct_of(&player.id)?.silent_at(now) {
            return Err(self.with_standing(Problem::suspended("chat", until)));
        }
        let limit = self.chat_limit();
        let room = self.with_table(|table| limit.take_after(table.spoken_at(&player.id), now))?;
        room.map_err(|wait| self.with_standing(Problem::rate_limited(wait)))?;
        let text = masked(message.text.as_str());
        let saying = Saying {
            speaker: Speaker::from(player),
            text: message.text.rewritten(text),
        };
        let seen = message.seen;
        self.take(Input::Chat { saying, seen }, fault, now).await
    }

    fn chat_limit(&self) -> Limit {
        let Ok(text) = self.env.var(LIMIT) else {
            return DEFAULT_LIMIT;
        };
        text.to_string().parse().unwrap_or_else(|error| {
            let variable = ("variable", json!(LIMIT));
            crate::log::error("configuration.limit", &[variable, crate::log::cause(&error)]);
            DEFAULT_LIMIT
        })
    }

    /// What the table looks like, for a report of it or of one of its lines.
    pub(super) fn scenery(&self, viewer: &Viewer, line: Option<Seq>) -> Result<Scenery, Problem> {
        self.with_table(|table| {
            let last = line.unwrap_or(table.seq());
            let chat = table.chat_until(last, viewer, LINES_OF_A_REPORT);
            if line.is_some_and(|line| chat.last().map(|last| last.seq) != Some(line)) {
                return Err(Problem::bad_field("seq", "there is no such line of chat"));
            }
            let summary = table.summary();
            let id = |player: &Option<Player>| player.as_ref().map(|player| player.id.clone());
            let stones = table.stones_shown();
            let shown: Value = json!({
                "state": summary.state, "ruleset": summary.terms.ruleset, "board": summary.terms.board,
                "ranked": summary.terms.ranked, "visibility": summary.terms.visibility, "turn": summary.turn,
                "to_move": (*table.phase() == Phase::Playing).then_some(table.to_move()),
                "stones": stones, "result": summary.result.map(|result| result.sgf), "creator": summary.creator.id,
                "seats": {"black": id(&summary.seats.black), "white": id(&summary.seats.white)},
            });
            let chat = chat.into_iter().map(|line| Line {
                seq: line.seq,
                author_id: line.player.id,
                at: line.at,
                text: line.text,
            });
            Ok(Scenery {
                table: shown,
                chat: chat.collect(),
            })
        })?
    }
}
