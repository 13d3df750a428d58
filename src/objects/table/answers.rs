//! What the Worker asks of a table, answered over HTTP.

use super::shell::{Shell, Taken, panic_on_purpose};
use super::sockets::{Attachment, event_frame, send, send_text, spectators_frame};
use super::{MAX_EVENTS, now};
use crate::clock::Timestamp;
use crate::game::{self, Audience, CommandMessage, Input, InviteCode, NewTable, Phase, Player, Scene, Seq};
use crate::http::{Code, Problem, json};
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
                _ => self.pay_later(),
            }
            return self.snapshot(&call, 201);
        }
        if let TableOp::Rename { .. } | TableOp::Leave { .. } | TableOp::SignedOut { .. } = call.op {
            self.hear(call.op, call.fault, now).await?;
            return respond(Response::empty().map(|response| response.with_status(204)));
        }
        self.admit(&call)?;
        // A look at the table is a look at its clock, too (C9).
        self.look_at_the_clock(now).await?;
        match &call.op {
            TableOp::Open { .. }
            | TableOp::Start { .. }
            | TableOp::Rename { .. }
            | TableOp::Leave { .. }
            | TableOp::SignedOut { .. }
            | TableOp::Snapshot => self.snapshot(&call, 200),
            TableOp::Join { draw, block } => {
                let (player, draw) = (caller(&call)?, *draw);
                self.check_block(*block)?;
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
                respond(Response::empty().map(|response| response.with_status(204)))
            }
            TableOp::Command { body } => self.command(&call, body.clone(), now).await,
            TableOp::Events { since } => self.events(&call, *since),
            TableOp::Sgf => self.sgf(),
            TableOp::Preview => respond(json(200, &self.preview(&caller(&call)?)?)),
            TableOp::Socket { since } => self.open_socket(&call, *since).await,
            TableOp::Live => self.live(&call),
            TableOp::Invited => self.invited(&call),
        }
    }

    /// Fails on purpose, where the configuration allows it.
    async fn make_fault(&self, fault: Option<Fault>) {
        match fault {
            Some(Fault::Panic) => panic_on_purpose(),
            Some(Fault::PanicAtFrame) => self.panics_at_next_frame.set(true),
            Some(Fault::Hang) => Delay::from(Duration::from_secs(60)).await,
            Some(
                Fault::PanicAfterStore
                | Fault::Storage
                | Fault::DatabaseAway
                | Fault::DatabaseMute
                | Fault::DatabaseBack
                | Fault::Assessor
                | Fault::ShortMarking,
            )
            | None => {}
        }
    }

    /// Whether the caller may see the table at all. If not, it might as well not exist.
    fn admit(&self, call: &TableCall) -> Result<(), Problem> {
        let seen = self.with_table(|table| table.admits(&call.viewer()))?;
        if seen { Ok(()) } else { Err(Problem::not_found()) }
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
        let own = self.with_table(|table| table.belongs_to(call.viewer().player.as_ref()))?;
        if own { Ok(()) } else { Err(Problem::not_found()) }
    }

    /// Takes an input, and answers only when the index knows, too: whoever asks it next finds what has changed.
    async fn take_now(&self, input: Input, call: &TableCall, now: Timestamp) -> Result<Taken, Problem> {
        let taken = self.take(input, call.fault, now).await?;
        self.settle_debts_of(&taken).await;
        Ok(taken)
    }

    /// Reads a command and takes it. A bad one is answered with where the table stands, too.
    async fn command(&self, call: &TableCall, body: Value, now: Timestamp) -> Answer {
        let by = caller(call)?.id;
        let message = CommandMessage::from_wire(body);
        let message = message.map_err(|error| self.with_standing(error.error.into()))?;
        self.check_rematch(&message).await?;
        let taken = self
            .take_now(
                Input::Command {
                    by,
                    message,
                    spare: random::spare()?,
                },
                call,
                now,
            )
            .await?;
        respond(json(200, &taken.body(Audience::Player)))
    }

    fn snapshot(&self, call: &TableCall, status: u16) -> Answer {
        let spectators = self.spectators(None);
        let scene = Scene {
            origin: &call.origin,
            spectators,
        };
        let snapshot = self.with_table(|table| table.snapshot(&call.viewer(), scene))?;
        respond(json(status, &snapshot))
    }

    fn events(&self, call: &TableCall, since: Seq) -> Answer {
        let (seq, turn) = self.with_table(|table| (table.seq(), table.turn()))?;
        let audience = self.with_table(|table| table.audience(call.viewer().player.as_ref()))?;
        check_since(since, seq)?;
        let events = self.events_after(since)?;
        respond(json(
            200,
            &Taken {
                seq,
                turn,
                events,
                repeated: false,
            }
            .body(audience),
        ))
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
            creator_online: self.sockets().is_connected(&table.creator().id),
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
            invite: call.invite.clone(),
            origin: call.origin.clone(),
            seen: self.with_table(game::Table::seq)?,
        };
        let seq = attachment.seen;
        self.check_room(&attachment)?;
        let missed = since
            .map(|since| check_since(since, seq).map(|()| seq.0 - since.0))
            .transpose()?;
        let audience = self.with_table(|table| table.audience(attachment.viewer().player.as_ref()))?;
        let sockets = self.sockets();
        let before = self.spectators(None);
        let pair = sockets
            .accept(&attachment)
            .map_err(|error| self.failed("table.socket_failed", &error))?;
        let spectators = self.spectators(None);
        match (since, missed) {
            (Some(since), Some(missed)) if missed <= MAX_EVENTS => {
                for event in self.events_after(since)? {
                    let Some(frame) = event_frame(&event, audience) else {
                        continue;
                    };
                    send_text(&pair.server, &frame);
                }
                send(&pair.server, &spectators_frame(spectators));
            }
            _ => {
                let scene = Scene {
                    origin: &call.origin,
                    spectators,
                };
                let snapshot = self.with_table(|table| table.snapshot(&attachment.viewer(), scene))?;
                send(&pair.server, &snapshot_frame(&snapshot)?);
            }
        }
        if spectators != before {
            sockets.broadcast_spectators(spectators, None);
        }
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

/// A response, or the problem that there is none.
fn respond(response: worker::Result<Response>) -> Answer {
    response.map_err(|error| {
        crate::log::error("response.failed", &[crate::log::cause(&error)]);
        Problem::internal()
    })
}
