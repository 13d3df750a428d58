//! What the Worker asks of a table, answered over HTTP.

use super::shell::{Shell, Taken, panic_on_purpose};
use super::sockets::{Attachment, event_frame, send, send_text, spectators_frame};
use super::{MAX_EVENTS, now};
use crate::clock::Timestamp;
use crate::game::{
    self, Audience, ClientMessage, Input, InviteCode, NewAppeal, NewTable, Phase, Player, PlayerId, Scene,
    Seq, Viewer,
};
use crate::http::{Code, Problem, json, no_content, respond};
use crate::objects::call::{Fault, Live, TableCall, TableOp};
use crate::random;
use serde_json::{Value, json};
use std::rc::Rc;
use std::time::Duration;
use worker::{Delay, Response};

/// How many viewers a table takes: each who comes or goes is told to all others.
const MOST_SOCKETS: usize = 1000;

/// An answer, or why there is none.
type Answer = Result<Response, Problem>;

impl Shell {
    /// Answers a call of the Worker.
    pub(super) async fn answer(self: &Rc<Shell>, call: TableCall) -> Answer {
        self.make_fault(call.fault).await;
        let now = now();
        if let TableOp::Open { .. } | TableOp::Start { .. } = call.op {
            self.open_for(&call, now).await?;
            self.look_at_the_clock(now).await?;
            match call.op {
                // Whoever has made a table finds it in the lists.
                TableOp::Open { .. } => self.settle_debts().await,
                // The players of a next game wait to be told of it.
                _ => self.settle_debts_later(),
            }
            return self.snapshot(&call, 201);
        }
        if let Some(answer) = self.hear_call(&call, now).await {
            return answer;
        }
        self.admit(&call)?;
        if let (Some(player), Some(conduct)) = (&call.player, &call.conduct) {
            self.learn(&player.id, conduct)?;
        }
        // A look at the table is a look at its clock, too (C9).
        self.look_at_the_clock(now).await?;
        match &call.op {
            TableOp::Join { draw, block } => {
                let (player, draw) = (caller(&call)?, *draw);
                self.check_part(&call.viewer())?;
                self.check_block(&call, *block)?;
                let before = self.spectators(None);
                self.take_now(Input::Join { player, draw }, &call, now).await?;
                // Who watched and plays now is no spectator any more.
                let spectators = self.spectators(None);
                if spectators != before {
                    self.sockets().broadcast_spectators(spectators, None);
                }
                self.snapshot(&call, 200)
            }
            TableOp::Close => {
                self.take_now(
                    Input::Close {
                        by: caller(&call)?.id,
                    },
                    &call,
                    now,
                )
                .await?;
                no_content()
            }
            TableOp::Command { body } => self.command(&call, body.clone(), now).await,
            TableOp::Appeal { appeal } => self.appeal(&call, appeal.clone(), now).await,
            TableOp::Appeals => self.appeals(200),
            TableOp::Decide { .. } | TableOp::RemoveChat { .. } => self.operate(call, now).await,
            TableOp::Scenery { line } => {
                let viewer = self.hearing(call.viewer())?;
                respond(json(200, &self.scenery(&viewer, *line)?))
            }
            TableOp::Lines => {
                let by = caller(&call)?.id;
                let lines = self.with_table(|table| table.lines_of(&by).cloned().collect::<Vec<_>>())?;
                respond(json(200, &lines))
            }
            TableOp::Events { since } => self.events(&call, *since),
            TableOp::Sgf => self.sgf(),
            TableOp::Socket { since } => self.open_socket(&call, *since).await,
            TableOp::Preview => respond(json(200, &self.preview(&caller(&call)?).await?)),
            TableOp::Live => self.live(&call),
            TableOp::Invited => self.invited(&call),
            // The others have been answered before.
            TableOp::Snapshot
            | TableOp::Open { .. }
            | TableOp::Start { .. }
            | TableOp::Expire { .. }
            | TableOp::CloseFor { .. }
            | TableOp::Rename { .. }
            | TableOp::Leave { .. }
            | TableOp::Conduct { .. }
            | TableOp::SignedOut { .. }
            | TableOp::Standing { .. } => self.snapshot(&call, 200),
        }
    }

    /// Answers what the server asks of its own accord; `None` for what a viewer asks.
    async fn hear_call(self: &Rc<Shell>, call: &TableCall, now: Timestamp) -> Option<Answer> {
        match &call.op {
            TableOp::Rename { .. }
            | TableOp::Leave { .. }
            | TableOp::Conduct { .. }
            | TableOp::SignedOut { .. } => {
                let heard = self.hear(call.op.clone(), call.fault, now).await;
                Some(heard.and_then(|()| no_content()))
            }
            TableOp::Expire { as_of } => Some(self.close(Input::Expire { as_of: *as_of }, now).await),
            TableOp::CloseFor { creator } => {
                Some(self.close(Input::Close { by: creator.clone() }, now).await)
            }
            TableOp::Standing { player } => Some(self.standing(player, now).await),
            _ => None,
        }
    }

    /// Closes the table while it waits. One that does not wait any more has nothing to close, which is as good.
    async fn close(self: &Rc<Shell>, input: Input, now: Timestamp) -> Answer {
        let waiting = self.with_table(|table| *table.phase() == Phase::Waiting)?;
        if waiting {
            let taken = self.take(input, None, now).await?;
            self.settle_debts_of(&taken).await;
        }
        no_content()
    }

    async fn standing(self: &Rc<Shell>, player: &PlayerId, now: Timestamp) -> Answer {
        self.look_at_the_clock(now).await?;
        let open = self.sockets().is_connected(player, None);
        let standing = self.with_table(|table| {
            let concerned = table.belongs_to(Some(player));
            concerned.then(|| table.standing(player, open))
        })?;
        respond(json(200, &standing.ok_or_else(Problem::not_found)?))
    }

    /// Fails on purpose, where the configuration allows it.
    async fn make_fault(&self, fault: Option<Fault>) {
        match fault {
            Some(Fault::Panic) => panic_on_purpose(),
            Some(Fault::PanicAtFrame) => self.panics_at_next_frame.set(true),
            Some(Fault::ThinkerFails | Fault::ThinkerPanics) => self.thinkers_fault.set(fault),
            Some(Fault::Hang) => Delay::from(Duration::from_secs(60)).await,
            Some(
                Fault::PanicAfterStore
                | Fault::Storage
                | Fault::Assessor
                | Fault::ShortMarking
                | Fault::DatabaseAway
                | Fault::DatabaseMute
                | Fault::DatabaseSlow
                | Fault::DatabaseBack,
            )
            | None => {}
        }
    }

    /// Whether the caller may see the table at all. If not, it might as well not exist.
    fn admit(&self, call: &TableCall) -> Result<(), Problem> {
        let seen = self.with_table(|table| table.admits(&call.viewer()))?;
        if seen { Ok(()) } else { Err(Problem::not_found()) }
    }

    /// Whether a viewer may join or speak: an operator who only looks at a private table may not (T2, S1).
    pub(super) fn check_part(&self, viewer: &Viewer) -> Result<(), Problem> {
        match self.with_table(|table| table.lets_in(viewer))? {
            true => Ok(()),
            false => {
                let detail = "whoever takes part in a private table needs its invite";
                Err(self.with_standing(Problem::new(Code::Forbidden, detail)))
            }
        }
    }

    /// Opens the table for the caller. A second call is the first one once more (`Idempotency-Key`).
    async fn open_for(&self, call: &TableCall, now: Timestamp) -> Result<(), Problem> {
        let events = match &call.op {
            TableOp::Open {
                id,
                terms,
                seed,
                draw,
            } => {
                let new = NewTable {
                    terms: (**terms).clone(),
                    creator: caller(call)?,
                    invite: InviteCode::new(id.clone(), *seed),
                    draw: *draw,
                };
                game::open(new, now)
            }
            TableOp::Start { opening } => game::open_started((**opening).clone(), now),
            _ => return Ok(()),
        };
        self.open(&events, call.fault).await?;
        let whose = match &call.op {
            TableOp::Start { opening } => Some(opening.creator.id.clone()),
            _ => call.viewer().player,
        };
        let own = self.with_table(|table| table.belongs_to(whose.as_ref()))?;
        if own { Ok(()) } else { Err(Problem::not_found()) }
    }

    /// Takes an input, and answers only when the index knows, too: whoever asks it next finds what has changed.
    async fn take_now(
        self: &Rc<Shell>,
        input: Input,
        call: &TableCall,
        now: Timestamp,
    ) -> Result<Taken, Problem> {
        let taken = self.take(input, call.fault, now).await?;
        self.settle_debts_of(&taken).await;
        self.follow_up(&taken);
        Ok(taken)
    }

    /// Reads a command and takes it. A bad one is answered with where the table stands, too.
    async fn command(self: &Rc<Shell>, call: &TableCall, body: Value, now: Timestamp) -> Answer {
        let player = caller(call)?;
        let message = ClientMessage::from_wire(body);
        let message = message.map_err(|error| self.with_standing(error.error.into()))?;
        let taken = match message {
            ClientMessage::Command(message) => {
                self.check_rematch(&player.id, &message).await?;
                let (by, spare) = (player.id, random::spare()?);
                self.take_now(Input::Command { by, message, spare }, call, now)
                    .await?
            }
            ClientMessage::Chat(message) => {
                self.check_part(&call.viewer())?;
                self.say(&player, message, call.fault, now).await?
            }
        };
        let taken = self.wait_for_verdict(taken).await?;
        self.settle_debts_of(&taken).await;
        self.told(&taken, call)
    }

    /// What an input has led to, as the caller sees it.
    fn told(&self, taken: &Taken, call: &TableCall) -> Answer {
        let viewer = self.hearing(call.viewer())?;
        let body = self.with_table(|table| taken.body(table, &viewer))?;
        respond(json(200, &body))
    }

    /// Takes an appeal, and answers with it; brought again it is answered again.
    async fn appeal(self: &Rc<Shell>, call: &TableCall, appeal: NewAppeal, now: Timestamp) -> Answer {
        let (by, id) = (caller(call)?.id, appeal.id.clone());
        self.take_now(Input::Appeal { by, appeal }, call, now).await?;
        let kept = self.with_table(|table| table.appeals().iter().find(|each| each.id == id).cloned())?;
        respond(json(201, &kept.ok_or_else(Problem::internal)?))
    }

    /// The appeals, and what operators have decided.
    fn appeals(&self, status: u16) -> Answer {
        let body = self.with_table(|table| {
            json!({"items": table.appeals(), "next_cursor": null, "decisions": table.decisions(),
                "result": table.result(), "original_result": table.original_result()})
        })?;
        respond(json(status, &body))
    }

    /// Does what an operator does; the answer is what the table says of its appeals, or of a line that is removed.
    async fn operate(self: &Rc<Shell>, call: TableCall, now: Timestamp) -> Answer {
        if !call.operator {
            return Err(Problem::new(Code::Forbidden, "this is for operators"));
        }
        match call.op {
            TableOp::Decide {
                cause,
                judgment,
                reason,
                entry,
            } => {
                let input = Input::Decide {
                    cause,
                    judgment,
                    reason,
                };
                self.take_of_operator(input, *entry, call.fault, now).await?;
                self.appeals(200)
            }
            TableOp::RemoveChat { line, entry } => {
                let input = Input::RemoveChat { line };
                self.take_of_operator(input, *entry, call.fault, now).await?;
                let seq = self.with_table(game::Table::seq)?;
                respond(json(200, &json!({"seq": seq, "removed": line})))
            }
            _ => Err(Problem::internal()),
        }
    }

    fn snapshot(&self, call: &TableCall, status: u16) -> Answer {
        let spectators = self.spectators(None);
        let scene = Scene {
            origin: &call.origin,
            spectators,
        };
        let viewer = self.hearing(call.viewer())?;
        let snapshot = self.with_table(|table| table.snapshot(&viewer, scene))?;
        respond(json(status, &snapshot))
    }

    fn events(&self, call: &TableCall, since: Seq) -> Answer {
        let (seq, turn) = self.with_table(|table| (table.seq(), table.turn()))?;
        check_since(since, seq)?;
        let taken = Taken {
            seq,
            turn,
            events: self.events_after(since)?,
            repeated: false,
        };
        self.told(&taken, call)
    }

    fn sgf(&self) -> Answer {
        let (id, sgf) = self.with_table(|table| (table.id().to_string(), table.sgf()))?;
        let disposition = format!("attachment; filename=\"hoshi-{id}.sgf\"");
        let response = Response::builder()
            .with_header("cache-control", "no-store")
            .and_then(|response| response.with_header("content-type", "application/x-go-sgf; charset=utf-8"));
        let response =
            response.and_then(|response| response.with_header("content-disposition", &disposition));
        respond(response.map(|response| response.fixed(sgf.into_bytes())))
    }

    fn live(&self, call: &TableCall) -> Answer {
        let player = call.viewer().player;
        let live = self.with_table(|table| Live {
            state: table.phase().name().to_owned(),
            turn: table.turn(),
            spectators: self.spectators_of(table, None),
            creator_online: self.sockets().is_connected(&table.creator().id, None),
            your_turn: player.is_some_and(|player| table.is_turn_of(&player)),
        })?;
        respond(json(200, &live))
    }

    fn invited(&self, call: &TableCall) -> Answer {
        let invited =
            self.with_table(|table| call.invite.as_ref().is_some_and(|code| table.is_invite(code)))?;
        if !invited {
            return Err(Problem::not_found());
        }
        if self.with_table(|table| *table.phase() == Phase::Closed)? {
            return Err(Problem::new(Code::Gone, "the table was closed before it began"));
        }
        let summary = self.with_table(game::Table::summary)?;
        respond(json(200, &summary))
    }

    /// Whether one more viewer can be taken. Players always can, within the platform's own limit.
    fn check_room(&self, attachment: &Attachment) -> Result<(), Problem> {
        let player = attachment.player.as_ref().map(|player| &player.id);
        let most = match self.with_table(|table| table.audience(player))? {
            Audience::Player => 2 * MOST_SOCKETS,
            Audience::Watcher => MOST_SOCKETS,
        };
        match self.sockets().count() < most {
            true => Ok(()),
            false => Err(Problem::new(
                Code::Unavailable,
                "this table has as many viewers as it can take",
            )),
        }
    }

    /// Opens a socket and sends what its viewer has missed, or everything.
    async fn open_socket(self: &Rc<Shell>, call: &TableCall, since: Option<Seq>) -> Answer {
        let attachment = Attachment {
            player: call.player.clone(),
            session: call.session.clone(),
            operator: call.operator,
            invite: call.invite.clone(),
            origin: call.origin.clone(),
            seen: self.with_table(game::Table::seq)?,
        };
        let seq = attachment.seen;
        self.check_room(&attachment)?;
        let missed = since
            .map(|since| check_since(since, seq).map(|()| seq.0 - since.0))
            .transpose()?;
        let viewer = self.hearing(attachment.viewer())?;
        let sockets = self.sockets();
        let before = self.spectators(None);
        let pair = sockets
            .accept(&attachment)
            .map_err(|error| self.failed("table.socket_failed", &error))?;
        let spectators = self.spectators(None);
        match (since, missed) {
            (Some(since), Some(missed)) if missed <= MAX_EVENTS => {
                for event in self.events_after(since)? {
                    let told = self.with_table(|table| table.tells(&event, &viewer))?;
                    if let Some(frame) = event_frame(&event).filter(|_| told) {
                        send_text(&pair.server, &frame);
                    }
                }
                send(&pair.server, &spectators_frame(spectators));
            }
            _ => {
                let scene = Scene {
                    origin: &call.origin,
                    spectators,
                };
                let snapshot = self.with_table(|table| table.snapshot(&viewer, scene))?;
                send(&pair.server, &snapshot_frame(&snapshot)?);
            }
        }
        if spectators != before {
            sockets.broadcast_spectators(spectators, None);
        }
        self.viewers_changed(None).await?;
        self.owe_presence(attachment.session).await?;
        respond(Response::from_websocket(pair.client))
    }
}

fn snapshot_frame(snapshot: &game::Snapshot) -> Result<Value, Problem> {
    let mut frame = serde_json::to_value(snapshot).map_err(|_| Problem::internal())?;
    frame["type"] = json!("snapshot");
    Ok(frame)
}

fn check_since(since: Seq, seq: Seq) -> Result<(), Problem> {
    if since <= seq {
        return Ok(());
    }
    Err(Problem::bad_field(
        "since",
        format!("the newest event is {}", seq.0),
    ))
}

/// The player who calls; some calls need one.
fn caller(call: &TableCall) -> Result<Player, Problem> {
    call.player.clone().ok_or_else(Problem::unauthenticated)
}
