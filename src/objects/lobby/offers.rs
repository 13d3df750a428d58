//! The tables that stand open, and whether those who made them are there (L1).

use super::call::Seen;
use super::shell::LobbyShell;
use crate::clock::Timestamp;
use crate::game::{Offer, PlayerId, Stage, TableId};
use crate::http::Problem;
use crate::lobby::Attendance;
use crate::objects::player::{self, PlayerOp};
use crate::store;
use futures_util::future::join_all;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use worker::WebSocket;

/// How many tables a socket is told of when it opens; the rest are in the list over REST.
const MOST_ITEMS: usize = 200;

impl LobbyShell {
    /// Asks the cache of what the tables have told, loading it first if need be.
    fn with_offers<T>(
        &self,
        now: Timestamp,
        ask: impl FnOnce(&mut BTreeMap<TableId, Offer>) -> T,
    ) -> Result<T, Problem> {
        if self.offers.borrow().is_none() {
            let stored = self.store()?.offers(now);
            let stored = stored.map_err(|error| self.storage_failed(&error))?;
            self.offers.replace(Some(stored));
        }
        match &mut *self.offers.borrow_mut() {
            Some(offers) => Ok(ask(offers)),
            None => Err(Problem::internal()),
        }
    }

    /// A table tells how it stands. What is older than what is known changes nothing.
    pub(super) fn hear(&self, offer: Offer, now: Timestamp) -> Result<(), Problem> {
        let known = self.with_offers(now, |offers| {
            let known = offers.get(&offer.table_id);
            known.map(|known| (offer.is_older_than(known), known.state))
        })?;
        if known.is_some_and(|(older, _)| older) {
            return Ok(());
        }
        let kept = self.store()?.keep_offer(&offer, now);
        kept.map_err(|error| self.storage_failed(&error))?;
        let was_open = known.is_some_and(|(_, state)| state == Stage::Waiting);
        let (table, state) = (offer.table_id.clone(), offer.state);
        self.with_offers(now, |offers| offers.insert(table.clone(), offer.clone()))?;
        match (was_open, state == Stage::Waiting) {
            (false, true) => {
                let item = self.item(&offer, &self.devices().players(None));
                self.told_online
                    .borrow_mut()
                    .insert(table, item["creator_online"] == true);
                self.devices()
                    .tell(&json!({"type": "table_opened", "table": item}));
            }
            (true, false) => {
                self.told_online.borrow_mut().remove(&table);
                let frame = json!({"type": "table_closed", "table_id": table, "state": state});
                self.devices().tell(&frame);
            }
            (true, true) => self.tell_who_is_online(None),
            (false, false) => {}
        }
        Ok(())
    }

    /// A creator tells whether he is on his channel.
    pub(super) fn attend(&self, player: PlayerId, attendance: Attendance) {
        let newer = |known: &Attendance| known.rank <= attendance.rank;
        if self.attendance.borrow().get(&player).is_none_or(newer) {
            self.attendance.borrow_mut().insert(player, attendance);
            self.tell_who_is_online(None);
        }
    }

    /// Compares what is known with the index, once after the object woke: a table may have opened or closed unheard. While the
    /// database is away, what is known here stands.
    pub(super) async fn compare(&self, ruleset: &str, now: Timestamp) {
        if self.compared.get() {
            return;
        }
        match self.read_index(ruleset, now).await {
            Ok(offers) => {
                for offer in offers {
                    if let Err(problem) = self.hear_of_index(offer, now) {
                        crate::log::error("lobby.not_compared", &[("code", json!(problem.code().as_str()))]);
                        return;
                    }
                }
                self.compared.set(true);
            }
            Err(error) => {
                crate::log::error("database.away", &[crate::log::cause(&error)]);
            }
        }
        self.ask_attendance(now).await;
    }

    /// What the index says of the tables that are open by its account, or by ours.
    async fn read_index(&self, ruleset: &str, now: Timestamp) -> worker::Result<Vec<Offer>> {
        let db = store::database(&self.env)?;
        let mut offers = store::lobbies::open_offers(&db, ruleset).await?;
        let missing = self.unlisted(&offers, now);
        let missing = missing.map_err(|problem| worker::Error::from(problem.code().as_str()))?;
        offers.extend(store::lobbies::offers_of(&db, &missing).await?);
        Ok(offers)
    }

    /// The tables that are open by our account, and not among these.
    fn unlisted(&self, offers: &[Offer], now: Timestamp) -> Result<Vec<TableId>, Problem> {
        let listed: BTreeSet<&TableId> = offers.iter().map(|offer| &offer.table_id).collect();
        let ours = self.open_offers(now)?.into_iter();
        let missing = ours.filter(|offer| !listed.contains(&offer.table_id));
        Ok(missing.map(|offer| offer.table_id).collect())
    }

    /// The index does not know who is here, and says nothing new of what has the same number.
    fn hear_of_index(&self, offer: Offer, now: Timestamp) -> Result<(), Problem> {
        let known = self.with_offers(now, |offers| offers.get(&offer.table_id).map(|known| known.seq))?;
        match known.is_some_and(|seq| seq >= offer.seq) {
            true => Ok(()),
            false => self.hear(offer, now),
        }
    }

    /// Asks the creators of open tables whether they are there: what they had told is forgotten when the object sleeps.
    async fn ask_attendance(&self, now: Timestamp) {
        let creators: BTreeSet<PlayerId> = match self.open_offers(now) {
            Ok(open) => open.into_iter().map(|offer| offer.creator).collect(),
            Err(_) => return,
        };
        let asked = creators.into_iter().take(MOST_ITEMS).map(|creator| async move {
            let mut response = player::ask(&self.env, &creator, PlayerOp::Attendance)
                .await
                .ok()?;
            Some((creator, response.json::<Attendance>().await.ok()?))
        });
        for (creator, attendance) in join_all(asked).await.into_iter().flatten() {
            self.attend(creator, attendance);
        }
    }

    /// The open tables, newest first.
    fn open_offers(&self, now: Timestamp) -> Result<Vec<Offer>, Problem> {
        let mut open: Vec<Offer> = self.with_offers(now, |offers| {
            let open = offers.values().filter(|offer| offer.state == Stage::Waiting);
            open.cloned().collect()
        })?;
        let age = |offer: &Offer| offer.summary["created_at"].as_i64();
        open.sort_by_key(|offer| std::cmp::Reverse(age(offer)));
        Ok(open)
    }

    /// The open tables as a socket is told of them.
    pub(super) fn items(&self, now: Timestamp) -> Result<Vec<Value>, Problem> {
        let here = self.devices().players(None);
        let open = self.open_offers(now)?;
        Ok(open
            .iter()
            .take(MOST_ITEMS)
            .map(|offer| self.item(offer, &here))
            .collect())
    }

    /// What lists show of the open tables.
    pub(super) fn seen(&self, now: Timestamp) -> Result<BTreeMap<TableId, Seen>, Problem> {
        let here = self.devices().players(None);
        let open = self.open_offers(now)?.into_iter();
        let seen = open.map(|offer| {
            let seen = Seen {
                creator_online: self.is_online(&offer, &here),
                spectators: offer.spectators,
            };
            (offer.table_id, seen)
        });
        Ok(seen.collect())
    }

    fn item(&self, offer: &Offer, here: &BTreeSet<PlayerId>) -> Value {
        let mut item = offer.summary.clone();
        item["creator_online"] = json!(self.is_online(offer, here));
        item["spectators"] = json!(offer.spectators);
        item
    }

    /// Whether a creator is there: at his table, on his channel, or here in the lobby.
    fn is_online(&self, offer: &Offer, here: &BTreeSet<PlayerId>) -> bool {
        let on_channel = self
            .attendance
            .borrow()
            .get(&offer.creator)
            .is_some_and(|known| known.online);
        offer.creator_is_here || on_channel || here.contains(&offer.creator)
    }

    /// Of which tables the creator has come or gone since the sockets were told.
    pub(super) fn changes_online(&self, closing: Option<&WebSocket>) -> Vec<(TableId, bool)> {
        let here = self.devices().players(closing);
        let mut changes = Vec::new();
        let mut told = self.told_online.borrow_mut();
        for (table, offer) in self.offers.borrow().iter().flatten() {
            if offer.state != Stage::Waiting {
                continue;
            }
            let online = self.is_online(offer, &here);
            if told.insert(table.clone(), online) != Some(online) {
                changes.push((table.clone(), online));
            }
        }
        changes
    }
}
