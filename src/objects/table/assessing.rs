//! Who is asked about the chains, and what becomes of the answer.

use super::now;
use super::shell::{Shell, Taken};
use super::sockets::TableSockets;
use super::sockets::send_text;
use crate::clock::Timestamp;
use crate::game::{
    self, Event, EventKind, Input, Outcome, Phase, Player, PlayerId, Refusal, Verdict, WantedVerdict,
};
use crate::http::Problem;
use crate::objects::call::Fault;
use crate::objects::thinker::{Reply, Wanted};
use crate::rules::Color;
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;
use worker::Delay;

/// How often a call that ended the play looks for the verdict before it is answered without: for two seconds.
const LOOKS: u32 = 100;

/// How long it waits between two looks.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// What the assessor has said of a position of the table.
#[derive(Clone)]
pub(super) struct Judged {
    /// The position's hash.
    position: u64,
    pub(super) verdict: Verdict,
}

/// The verdicts of a table: one is looked for at a time, however many ask, and the newest is kept, since a position has only
/// one (G4).
#[derive(Default)]
pub(super) struct Verdicts {
    busy: Cell<bool>,
    newest: RefCell<Option<Judged>>,
}

impl Verdicts {
    fn of(&self, position: u64) -> Option<Judged> {
        let newest = self.newest.borrow();
        newest
            .as_ref()
            .filter(|judged| judged.position == position)
            .cloned()
    }
}

/// Keeps others from asking as long as it lives.
struct Busy<'a>(&'a Cell<bool>);

impl<'a> Busy<'a> {
    fn begin(busy: &'a Cell<bool>) -> Busy<'a> {
        busy.set(true);
        Busy(busy)
    }
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

impl Shell {
    /// What the assessor says of the position as it stands. No network of KataGo's is connected, so it is always the
    /// embedded one, whoever the ruleset would like to ask.
    pub(super) async fn judge(&self) -> Result<Judged, Problem> {
        while self.verdicts.busy.get() {
            Delay::from(BETWEEN_LOOKS).await;
        }
        let position = self.with_table(|table| table.position().hash())?;
        if let Some(judged) = self.verdicts.of(position) {
            return Ok(judged);
        }
        let _busy = Busy::begin(&self.verdicts.busy);
        let reply = self.think(Wanted::Verdict, None).await?;
        let Reply::Verdict { dead, assessed_by } = reply else {
            return Err(self.failed("thinker.odd_reply", &"no verdict"));
        };
        let verdict = self.with_table(|table| {
            let geometry = table.position().geometry();
            let dead = Color::BOTH.into_iter().flat_map(|color| dead.get(color));
            Verdict {
                dead: dead.filter_map(|&vertex| geometry.point(vertex)).collect(),
                assessed_by: Some(assessed_by),
            }
        })?;
        let judged = Judged { position, verdict };
        self.verdicts.newest.replace(Some(judged.clone()));
        Ok(judged)
    }

    /// Asks for the assessment that the table waits for, if it is time for one and nobody is being asked. That it waits is
    /// stored with an alarm before: whatever becomes of the assessor, the table is looked at again. Nobody is kept waiting
    /// for the answer, which is an input of its own, so that a socket's commands are answered in their order.
    pub(super) async fn assess(self: &Rc<Shell>, fault: Option<Fault>, at: Timestamp) -> Result<(), Problem> {
        let Some(wanted) = self.with_table(|table| table.wanted_verdict(at))? else {
            return Ok(());
        };
        let key = (wanted.turn, wanted.attempt);
        if self.judged.replace(Some(key)) == Some(key) {
            return Ok(());
        }
        self.set_alarm(at).await?;
        let shell = Rc::clone(self);
        self.later(async move {
            // What fails here has been noted, and the alarm asks again.
            let _ = shell.have_judged(wanted, fault).await;
            shell.judged.set(None);
            shell.settle_debts_later();
        });
        Ok(())
    }

    /// Adds to an input that has the board counted what the verdict brings, if it is there soon: whoever passes by REST sees the
    /// result with his pass. If it takes longer he asks again, as he does for every other event.
    pub(super) async fn wait_for_verdict(&self, mut taken: Taken) -> Result<Taken, Problem> {
        let is_counting = |table: &game::Table| matches!(table.phase(), Phase::Counting(_));
        let counts = |event: &Event| matches!(event.kind, EventKind::Counting { .. });
        if taken.repeated || !taken.events.iter().any(counts) || !self.with_table(is_counting)? {
            return Ok(taken);
        }
        for _ in 0..LOOKS {
            Delay::from(BETWEEN_LOOKS).await;
            if !self.with_table(is_counting)? {
                break;
            }
        }
        taken.events.extend(self.events_after(taken.seq)?);
        (taken.seq, taken.turn) = self.with_table(|table| (table.seq(), table.turn()))?;
        Ok(taken)
    }

    async fn have_judged(&self, wanted: WantedVerdict, fault: Option<Fault>) -> Result<Vec<Event>, Problem> {
        let verdict = match fault {
            Some(Fault::Assessor) => Err(self.failed("table.assessor_failed", &"a failure was asked for")),
            _ => self.judge().await.map(|judged| judged.verdict),
        };
        let input = assessed(wanted, verdict);
        let outcome = self.with_table(|table| game::step(table, input, now()))?;
        match outcome {
            Ok(Outcome::Events(events)) => self.carry_out(events, None),
            Ok(Outcome::Repeated(_)) => Ok(Vec::new()),
            Err(refusal) => Err(self.failed("table.assessment_refused", &refusal)),
        }
    }

    /// The preview that a player asks for (G7).
    pub(super) async fn preview(&self, player: &Player) -> Result<Value, Problem> {
        let allowed = |table: &game::Table| {
            let allowed = table.check_preview(&player.id);
            allowed.map_err(|refusal| Problem::refused(refusal, table))
        };
        self.with_table(allowed)??;
        match self.preview_of_now().await? {
            Some(preview) => Ok(preview),
            // The position has changed while it was looked at; whoever asks again asks about another one.
            None => self.with_table(|table| Err(Problem::refused(Refusal::StaleTurn, table)))?,
        }
    }

    /// Shows a preview to whoever's opponent has just passed, where the ruleset has them. It is only a notice: one that
    /// fails is noted, and the player can ask.
    pub(super) fn push_preview(self: &Rc<Shell>, events: &[Event]) {
        let player = self.with_table(|table| table.preview_after(events).cloned());
        let Ok(Some(player)) = player else { return };
        let shell = Rc::clone(self);
        self.later(async move {
            if let Ok(Some(mut notice)) = shell.preview_of_now().await {
                notice["type"] = json!("preview");
                shell.notify(&player, &notice.to_string());
            }
        });
    }

    /// The score if the game ended now; nothing if a move is made while it is found out.
    async fn preview_of_now(&self) -> Result<Option<Value>, Problem> {
        let judged = self.judge().await?;
        self.with_table(|table| {
            let unchanged = table.position().hash() == judged.position;
            unchanged.then(|| json!(table.preview(&judged.verdict)))
        })
    }

    fn notify(&self, player: &PlayerId, notice: &str) {
        for socket in self.state().get_websockets() {
            let attachment = TableSockets::attachment(&socket);
            let viewer = attachment.and_then(|attachment| attachment.player);
            if viewer.is_some_and(|viewer| viewer.id == *player) {
                send_text(&socket, notice);
            }
        }
    }
}

/// The answer as the table's input. What went wrong has been noted.
fn assessed(wanted: WantedVerdict, verdict: Result<Verdict, Problem>) -> Input {
    let WantedVerdict { turn, attempt, .. } = wanted;
    match verdict {
        Ok(verdict) => Input::Assessed {
            turn,
            attempt,
            verdict,
        },
        Err(_) => Input::AssessmentFailed { attempt },
    }
}
