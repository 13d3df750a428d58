//! What a table tells beyond its sockets: the index, its lobby, its players' channels.

use super::now;
use super::shell::Shell;
use super::store::Owed;
use crate::game::{self, Event, EventKind, Offer, Phase, Seq};
use crate::http::Problem;
use crate::store::appeals::StoredAppeals;
use crate::store::games::StoredSummary;
use serde_json::json;
use std::rc::Rc;
use worker::WebSocket;

impl Shell {
    /// What the table owes others for these events, which it has just applied.
    pub(super) fn debts(
        &self,
        table: &game::Table,
        events: &[Event],
        more: Vec<Owed>,
    ) -> serde_json::Result<Vec<(Seq, Owed)>> {
        let mut debts = more;
        if events.iter().any(Event::changes_summary) {
            debts.push(Owed::Summary(Box::new(StoredSummary::new(&table.summary())?)));
            debts.extend(self.offer(table, None)?);
        }
        if events.iter().any(Event::starts_next_game) {
            debts.extend(table.rematch().map(|opening| Owed::NextGame(Box::new(opening))));
        }
        if events.iter().any(Event::changes_review) {
            debts.push(Owed::Appeals(Box::new(StoredAppeals::new(table))));
        }
        let spoke = events.iter().filter_map(|event| table.first_words(event));
        debts.extend(spoke.map(|player| Owed::Spoke {
            player: player.clone(),
            table: table.id().clone(),
        }));
        debts.extend(decisions(table, events));
        let everybody = events.iter().any(Event::changes_standing);
        for player in table.concerns() {
            let open = self.sockets().is_connected(&player.id, None);
            // Whoever has the table open sees by himself whose turn it is.
            if everybody || (!open && table.is_turn_of(&player.id)) {
                debts.push(Owed::Standing {
                    player: player.id.clone(),
                    standing: Box::new(table.standing(&player.id, open)),
                });
            }
        }
        Ok(debts.into_iter().map(|owed| (table.seq(), owed)).collect())
    }

    /// What the lobby is told of a table that stands there, or did.
    fn offer(&self, table: &game::Table, closing: Option<&WebSocket>) -> serde_json::Result<Option<Owed>> {
        let here = self.sockets().is_connected(&table.creator().id, closing);
        let offer = table.offer(here, self.spectators_of(table, closing))?;
        Ok(offer.map(|offer| {
            let rank = self.next_rank();
            Owed::Offer(Box::new(Offer { rank, ..offer }))
        }))
    }

    /// Grows with each offer, also after the object has slept, so that of two with the same event the newer is known.
    fn next_rank(&self) -> u64 {
        let now = u64::try_from(now().as_millis()).unwrap_or(0);
        self.offers.set(now.max(self.offers.get() + 1));
        self.offers.get()
    }

    /// Tells the lobby who is at a waiting table, after somebody has come or gone: its creator, or one who watches.
    pub(super) async fn viewers_changed(
        self: &Rc<Shell>,
        closing: Option<&WebSocket>,
    ) -> Result<(), Problem> {
        let owed = self.with_table(|table| {
            let offer = if *table.phase() == Phase::Waiting {
                self.offer(table, closing)
            } else {
                Ok(None)
            };
            offer.map(|offer| (table.seq(), offer))
        })?;
        let (seq, offer) = owed.map_err(|error| self.failed("table.summary_failed", &error))?;
        let Some(offer) = offer else {
            return Ok(());
        };
        let owed = self.store.owe(vec![(seq, offer)]);
        owed.map_err(|error| self.storage_failed("table.store_failed", &error))?;
        self.set_alarm(now()).await?;
        self.pay();
        Ok(())
    }
}

/// What the players' channels are told of an operator's decisions (L4).
fn decisions(table: &game::Table, events: &[Event]) -> Vec<Owed> {
    let mut decided = events.iter().rev().filter_map(|event| match &event.kind {
        EventKind::Decided {
            ruling,
            reason,
            result,
            ..
        } => Some(json!({"type": "decided", "table_id": table.id(), "ruling": ruling, "reason": reason, "result": result})),
        _ => None,
    });
    let Some(frame) = decided.next() else {
        return Vec::new();
    };
    let players = table
        .seats()
        .into_iter()
        .flat_map(|seats| [&seats.black, &seats.white]);
    let notices = players.map(|player| Owed::Notice {
        player: player.id.clone(),
        frame: frame.clone(),
    });
    notices.collect()
}
