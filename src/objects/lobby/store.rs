//! A lobby's own storage: who searches, who is being paired, and what the tables have told.

use crate::clock::{Millis, Timestamp};
use crate::game::{Offer, SearchId, Stage, TableId};
use crate::lobby::{Entry, Pairing};
use serde::Deserialize;
use std::collections::BTreeMap;
use worker::{Result, SqlStorage, State};

/// How long a table that is not open any more is remembered, so that an old message cannot open it again.
const REMEMBERED: Millis = Millis::from_secs(3600);

/// The storage of one lobby.
pub(super) struct LobbyStore {
    sql: SqlStorage,
}

/// A pairing that is not through yet.
#[derive(Clone, Debug)]
pub(super) struct KeptPairing {
    pub(super) pairing: Pairing,
    pub(super) attempts: u32,
    pub(super) due: Timestamp,
}

#[derive(Deserialize)]
struct Body {
    body: String,
}

#[derive(Deserialize)]
struct PairingRow {
    body: String,
    attempts: u32,
    due: i64,
}

impl LobbyStore {
    /// The storage, with its tables. A lobby is only ever called by a ruleset's name, so it may make them at once.
    pub(super) fn new(state: &State) -> Result<LobbyStore> {
        let sql = state.storage().sql();
        sql.exec(
            "create table if not exists searches (id text primary key, body text not null);
             create table if not exists pairings (table_id text primary key, body text not null, attempts integer not null,
               due integer not null);
             create table if not exists offers (table_id text primary key, open integer not null, heard_at integer not null,
               body text not null)",
            None,
        )?;
        Ok(LobbyStore { sql })
    }

    /// Everybody who searches.
    pub(super) fn searches(&self) -> Result<Vec<Entry>> {
        let rows = self.sql.exec("select body from searches", None)?;
        let entries = rows
            .next::<Body>()
            .map(|row| Ok(serde_json::from_str(&row?.body)?));
        entries.collect()
    }

    /// Keeps a search, or its newer state.
    pub(super) fn keep_search(&self, entry: &Entry) -> Result<()> {
        self.sql.exec(
            "insert into searches (id, body) values (?1, ?2) on conflict (id) do update set body = excluded.body",
            vec![entry.search.id.as_str().into(), serde_json::to_string(entry)?.into()],
        )?;
        Ok(())
    }

    /// Forgets a search.
    pub(super) fn drop_search(&self, id: &SearchId) -> Result<()> {
        self.sql
            .exec("delete from searches where id = ?1", vec![id.as_str().into()])?;
        Ok(())
    }

    /// The pairings that are not through yet.
    pub(super) fn pairings(&self) -> Result<Vec<KeptPairing>> {
        let rows = self.sql.exec("select body, attempts, due from pairings", None)?;
        let pairings = rows.next::<PairingRow>().map(|row| {
            let row = row?;
            Ok(KeptPairing {
                pairing: serde_json::from_str(&row.body)?,
                attempts: row.attempts,
                due: Timestamp::from_millis(row.due),
            })
        });
        pairings.collect()
    }

    /// Keeps a pairing, or how far it has come.
    pub(super) fn keep_pairing(&self, kept: &KeptPairing) -> Result<()> {
        self.sql.exec(
            "insert into pairings (table_id, body, attempts, due) values (?1, ?2, ?3, ?4)
             on conflict (table_id) do update set body = excluded.body, attempts = excluded.attempts, due = excluded.due",
            vec![
                kept.pairing.table().as_str().into(),
                serde_json::to_string(&kept.pairing)?.into(),
                f64::from(kept.attempts).into(),
                (kept.due.as_millis() as f64).into(),
            ],
        )?;
        Ok(())
    }

    /// Forgets a pairing that is through.
    pub(super) fn drop_pairing(&self, table: &TableId) -> Result<()> {
        self.sql.exec(
            "delete from pairings where table_id = ?1",
            vec![table.as_str().into()],
        )?;
        Ok(())
    }

    /// What tables have told, open or not, without what is forgotten by now.
    pub(super) fn offers(&self, now: Timestamp) -> Result<BTreeMap<TableId, Offer>> {
        let forgotten = (now + Millis::new(-REMEMBERED.get())).as_millis() as f64;
        self.sql.exec(
            "delete from offers where open = 0 and heard_at < ?1",
            vec![forgotten.into()],
        )?;
        let rows = self.sql.exec("select body from offers", None)?;
        let offers = rows.next::<Body>().map(|row| {
            let offer: Offer = serde_json::from_str(&row?.body)?;
            Ok((offer.table_id.clone(), offer))
        });
        offers.collect()
    }

    /// Keeps what a table has told.
    pub(super) fn keep_offer(&self, offer: &Offer, now: Timestamp) -> Result<()> {
        let open = u8::from(offer.state == Stage::Waiting);
        // Of one that is not open any more only its number matters; who made it is nobody's business here.
        let offer = &match offer.state {
            Stage::Waiting => offer.clone(),
            _ => Offer {
                summary: serde_json::Value::Null,
                ..offer.clone()
            },
        };
        self.sql.exec(
            "insert into offers (table_id, open, heard_at, body) values (?1, ?2, ?3, ?4)
             on conflict (table_id) do update set open = excluded.open, heard_at = excluded.heard_at, body = excluded.body",
            vec![
                offer.table_id.as_str().into(),
                f64::from(open).into(),
                (now.as_millis() as f64).into(),
                serde_json::to_string(offer)?.into(),
            ],
        )?;
        Ok(())
    }
}
