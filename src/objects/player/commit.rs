//! Committing a player to a game that a lobby has found: first, nothing else is to begin for him.

use super::call::Claimed;
use super::shell::{Answer, PlayerShell, swapped};
use crate::clock::Timestamp;
use crate::game::{PlayerId, Standing, TableId};
use crate::http::{Problem, json, respond};
use crate::lobby::Promise;
use crate::objects::call::{TableClient, TableOp};
use crate::objects::reach::within;
use futures_util::future::join_all;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;
use worker::Response;

/// How long one of the player's tables may take to close, or to say how it stands. The lobby waits longer for the player's object.
const SETTLED_WITHIN: Duration = Duration::from_millis(1500);

impl PlayerShell {
    /// Closes the tables at which the player waits, and asks those at which he may have sat down. Each decides by itself what was first; if
    /// no game has begun, he is committed.
    pub(super) async fn commit(
        self: &Rc<PlayerShell>,
        owner: &PlayerId,
        promise: &Promise,
        now: Timestamp,
    ) -> Answer {
        self.take_attendance(owner, None, now).await?;
        let doubts = self.with_agenda(|agenda| agenda.doubts(promise))?;
        let asked = doubts
            .into_iter()
            .map(|table| within(SETTLED_WITHIN, self.settle(owner, table)));
        let mut settled = BTreeSet::new();
        for (table, standing) in join_all(asked).await.into_iter().flatten() {
            if let Some(standing) = standing {
                self.change(owner, now, |agenda| agenda.hear(standing, now))
                    .await?;
            }
            settled.insert(table);
        }
        let now = super::now();
        let claim = self.change(owner, now, |agenda| {
            swapped(agenda.commit(promise, &settled, now))
        });
        respond(json(200, &Claimed { claim: claim.await? }))
    }

    /// Closes a table if it waits, and asks how it stands; nothing if the player is none of its people, or there is no such table.
    async fn settle(&self, owner: &PlayerId, table: TableId) -> Result<(TableId, Option<Standing>), Problem> {
        let tables = TableClient::new(&self.env);
        let creator = owner.clone();
        answered(tables.tell(&table, TableOp::CloseFor { creator }).await?)?;
        let player = owner.clone();
        let mut answer = answered(tables.tell(&table, TableOp::Standing { player }).await?)?;
        if answer.status_code() != 200 {
            return Ok((table, None));
        }
        let standing = answer.json().await;
        let standing = standing.map_err(|error| self.failed("player.standing_unread", &error))?;
        Ok((table, Some(standing)))
    }
}

/// An answer that says something: a refusal, too.
fn answered(response: Response) -> Result<Response, Problem> {
    match response.status_code() {
        ..500 => Ok(response),
        _ => Err(Problem::unavailable()),
    }
}
