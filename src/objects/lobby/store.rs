//! A lobby's own storage: who searches, who is being paired, and what the tables have told.

use crate::clock::{Millis, Timestamp};
use crate::game::{Offer, PlayerId, SearchId, Stage, TableId};
use crate::lobby::{Attendance, Entry, Pairing};
use serde::Deserialize;
use std::collections::BTreeMap;
use worker::{Result, SqlStorage, State};

/// How long a table that is not open any more is remembered, so that an old message cannot open it again.
pub(super) const REMEMBERED: Millis = Millis::from_secs(3600);

/// How long it is remembered whether somebody is there: longer than a table of his may wait.
const ATTENDANCE_REMEMBERED: Millis = Millis::from_secs(2 * 3600);

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
struct AttendanceRow {
    player: PlayerId,
    online: u8,
    rank: u32,
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
               body text not null);
             create table if not exists attendance (player text primary key, online integer not null, rank integer not null,
               heard_at integer not null)",
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

    /// Leaves a search in peace until a moment, if it is still here.
    pub(super) fn put_off(&self, id: &SearchId, ready_at: Timestamp) -> Result<()> {
        self.sql.exec(
            "update searches set body = json_set(body, '$.ready_at', cast(?2 as integer)) where id = ?1",
            vec![id.as_str().into(), (ready_at.as_millis() as f64).into()],
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

    /// Who is there, of those who have told so lately.
    pub(super) fn attendance(&self, now: Timestamp) -> Result<BTreeMap<PlayerId, Attendance>> {
        let forgotten = (now + Millis::new(-ATTENDANCE_REMEMBERED.get())).as_millis() as f64;
        self.sql.exec(
            "delete from attendance where heard_at < ?1",
            vec![forgotten.into()],
        )?;
        let rows = self
            .sql
            .exec("select player, online, rank from attendance", None)?;
        let known = rows.next::<AttendanceRow>().map(|row| {
            let row = row?;
            let attendance = Attendance {
                online: row.online > 0,
                rank: row.rank,
            };
            Ok((row.player, attendance))
        });
        known.collect()
    }

    /// Keeps whether somebody is there.
    pub(super) fn keep_attendance(
        &self,
        player: &PlayerId,
        attendance: Attendance,
        now: Timestamp,
    ) -> Result<()> {
        self.sql.exec(
            "insert into attendance (player, online, rank, heard_at) values (?1, ?2, ?3, ?4)
             on conflict (player) do update set online = excluded.online, rank = excluded.rank, heard_at = excluded.heard_at",
            vec![
                player.as_str().into(),
                f64::from(u8::from(attendance.online)).into(),
                f64::from(attendance.rank).into(),
                (now.as_millis() as f64).into(),
            ],
        )?;
        Ok(())
    }

    /// Keeps what a table has told. Of one that is not open any more only its number matters: [`without_summary`].
    pub(super) fn keep_offer(&self, offer: &Offer, now: Timestamp) -> Result<()> {
        let open = u8::from(offer.state == Stage::Waiting);
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

/// What is remembered of a table: of one that is not open any more, who made it and what was to be played is nobody's business here.
pub(super) fn without_summary(offer: Offer) -> Offer {
    match offer.state {
        Stage::Waiting => offer,
        _ => Offer {
            summary: serde_json::Value::Null,
            ..offer
        },
    }
}
