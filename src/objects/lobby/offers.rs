//! The tables that stand open, and whether those who made them are there (L1).

use super::call::Seen;
use super::shell::LobbyShell;
use super::store::{REMEMBERED, without_summary};
use crate::clock::Timestamp;
use crate::game::{Offer, PlayerId, Stage, TableId};
use crate::http::Problem;
use crate::lobby::Attendance;
use crate::objects::player::{self, PlayerOp};
use crate::store;
use futures_util::future::join_all;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
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
        if self.read_at.get() + REMEMBERED <= now {
            self.forget_caches();
        }
        if self.offers.borrow().is_none() {
            let stored = self.store()?.offers(now);
            let stored = stored.map_err(|error| self.storage_failed(&error))?;
            self.offers.replace(Some(stored));
            self.read_at.set(now);
        }
        match &mut *self.offers.borrow_mut() {
            Some(offers) => Ok(ask(offers)),
            None => Err(Problem::internal()),
        }
    }

    /// Asks the cache of who is there, loading it first if need be.
    fn with_attendance<T>(
        &self,
        now: Timestamp,
        ask: impl FnOnce(&mut BTreeMap<PlayerId, Attendance>) -> T,
    ) -> Result<T, Problem> {
        if self.attendance.borrow().is_none() {
            let stored = self.store()?.attendance(now);
            let stored = stored.map_err(|error| self.storage_failed(&error))?;
            self.attendance.replace(Some(stored));
        }
        match &mut *self.attendance.borrow_mut() {
            Some(attendance) => Ok(ask(attendance)),
            None => Err(Problem::internal()),
        }
    }

    /// What is cached is read again when it is wanted.
    pub(super) fn forget_caches(&self) {
        self.offers.replace(None);
        self.attendance.replace(None);
    }

    /// Before anything changes after the object woke: what the sockets were told when it fell asleep is what has been true until now.
    pub(super) fn remember_what_was_told(&self, now: Timestamp) -> Result<(), Problem> {
        if self.told_online.borrow().is_none() {
            self.told_online.replace(Some(self.online_now(None, now)?));
        }
        Ok(())
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
        self.remember_what_was_told(now)?;
        let item = self.item(&offer, &self.devices().players(None), now)?;
        let offer = without_summary(offer);
        let kept = self.store()?.keep_offer(&offer, now);
        kept.map_err(|error| self.storage_failed(&error))?;
        let was_open = known.is_some_and(|(_, state)| state == Stage::Waiting);
        let (table, state) = (offer.table_id.clone(), offer.state);
        self.with_offers(now, |offers| offers.insert(table.clone(), offer))?;
        match (was_open, state == Stage::Waiting) {
            (false, true) => {
                if let Some(told) = &mut *self.told_online.borrow_mut() {
                    told.insert(table, item["creator_online"] == true);
                }
                self.devices()
                    .tell(&json!({"type": "table_opened", "table": item}));
            }
            (true, false) => {
                let frame = json!({"type": "table_closed", "table_id": table, "state": state});
                self.devices().tell(&frame);
                // What is known of it goes with this.
                self.tell_who_is_online(None, now)?;
            }
            (true, true) => self.tell_who_is_online(None, now)?,
            (false, false) => {}
        }
        Ok(())
    }

    /// A creator tells whether he is on his channel.
    pub(super) fn attend(
        &self,
        player: PlayerId,
        attendance: Attendance,
        now: Timestamp,
    ) -> Result<(), Problem> {
        self.remember_what_was_told(now)?;
        let known = self.with_attendance(now, |known| known.get(&player).copied())?;
        if known.is_some_and(|known| known.rank > attendance.rank) {
            return Ok(());
        }
        let kept = self.store()?.keep_attendance(&player, attendance, now);
        kept.map_err(|error| self.storage_failed(&error))?;
        self.with_attendance(now, |known| known.insert(player, attendance))?;
        self.tell_who_is_online(None, now)
    }

    /// Compares what is known with the index, once after the object woke: a table may have opened or closed unheard. While the
    /// database is away, what is known here stands.
    pub(super) async fn compare(self: &Rc<LobbyShell>, ruleset: &str, now: Timestamp) {
        if !self.asked.replace(true) {
            let shell = Rc::clone(self);
            self.later(async move { shell.ask_attendance(now).await });
        }
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

    /// Asks the creators of open tables whether they are there, once after the object woke: one whose object has died may not have told. Nobody
    /// waits for it.
    async fn ask_attendance(&self, now: Timestamp) {
        let creators: BTreeSet<PlayerId> = match self.open_offers(now) {
            Ok(open) => open.into_iter().map(|offer| offer.creator).collect(),
            Err(_) => return,
        };
        let asked = creators.into_iter().take(MOST_ITEMS).map(|creator| async move {
            let mut response = player::ask(&self.env, &creator, PlayerOp::Attendance)
                .await
                .ok()?;
            let attendance = response.json::<Attendance>().await.ok()?;
            self.note("lobby.attendance_not_kept", self.attend(creator, attendance, now));
            Some(())
        });
        join_all(asked).await;
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
        let shown = open.iter().take(MOST_ITEMS);
        shown.map(|offer| self.item(offer, &here, now)).collect()
    }

    /// What lists show of the open tables.
    pub(super) fn seen(&self, now: Timestamp) -> Result<BTreeMap<TableId, Seen>, Problem> {
        let here = self.devices().players(None);
        let open = self.open_offers(now)?.into_iter();
        let seen = open.map(|offer| {
            let seen = Seen {
                creator_online: self.is_online(&offer, &here, now)?,
                spectators: offer.spectators,
            };
            Ok((offer.table_id, seen))
        });
        seen.collect()
    }

    fn item(&self, offer: &Offer, here: &BTreeSet<PlayerId>, now: Timestamp) -> Result<Value, Problem> {
        let mut item = offer.summary.clone();
        if let Some(fields) = item.as_object_mut() {
            let online = self.is_online(offer, here, now)?;
            fields.insert("creator_online".to_owned(), json!(online));
            fields.insert("spectators".to_owned(), json!(offer.spectators));
        }
        Ok(item)
    }

    /// Whether a creator is there: at his table, on his channel, or here in the lobby.
    fn is_online(&self, offer: &Offer, here: &BTreeSet<PlayerId>, now: Timestamp) -> Result<bool, Problem> {
        let known = self.with_attendance(now, |known| known.get(&offer.creator).copied())?;
        let on_channel = known.is_some_and(|known| known.online);
        Ok(offer.creator_is_here || on_channel || here.contains(&offer.creator))
    }

    /// Of each open table whether its creator is there, leaving out a socket that is closing.
    fn online_now(
        &self,
        closing: Option<&WebSocket>,
        now: Timestamp,
    ) -> Result<BTreeMap<TableId, bool>, Problem> {
        let here = self.devices().players(closing);
        let open = self.open_offers(now)?.into_iter();
        open.map(|offer| Ok((offer.table_id.clone(), self.is_online(&offer, &here, now)?)))
            .collect()
    }

    /// Of which tables the creator has come or gone since the sockets were told.
    pub(super) fn changes_online(
        &self,
        closing: Option<&WebSocket>,
        now: Timestamp,
    ) -> Result<Vec<(TableId, bool)>, Problem> {
        let online = self.online_now(closing, now)?;
        let told = self.told_online.replace(Some(online.clone())).unwrap_or_default();
        let news = online.into_iter();
        Ok(news
            .filter(|(table, online)| told.get(table) != Some(online))
            .collect())
    }
}
