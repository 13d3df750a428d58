//! A player's own storage: his agenda, and what is to be done elsewhere for it.

use crate::clock::{Millis, Timestamp};
use crate::game::PlayerId;
use crate::lobby::{Agenda, Duty};
use serde::Deserialize;
use std::collections::BTreeSet;
use worker::{Result, SqlStorage, State};

/// How long a duty waits after its first failure; it doubles with each further one.
const FIRST_RETRY: Millis = Millis::from_secs(1);

/// How long it waits at most.
const LONGEST_RETRY: Millis = Millis::from_secs(300);

/// The storage of one player.
pub(super) struct PlayerStore {
    sql: SqlStorage,
}

/// A duty that has not been done yet.
pub(super) struct Due {
    pub(super) duty: Duty,
    attempts: u32,
}

#[derive(Deserialize)]
struct AgendaRow {
    owner: PlayerId,
    body: String,
}

#[derive(Deserialize)]
struct DutyRow {
    duty: String,
    attempts: u32,
}

#[derive(Deserialize)]
struct DueRow {
    due: Option<i64>,
}

#[derive(Deserialize)]
struct CountRow {
    n: u32,
}

impl PlayerStore {
    pub(super) fn new(state: &State) -> PlayerStore {
        PlayerStore {
            sql: state.storage().sql(),
        }
    }

    fn exists(&self) -> Result<bool> {
        let tables = self.sql.exec(
            "select count(*) as n from sqlite_master where name = 'agenda'",
            None,
        )?;
        let row = tables.next::<CountRow>().next().transpose()?;
        Ok(row.is_some_and(|row| row.n > 0))
    }

    /// Whose agenda it is, and the agenda; nothing for one who has never done anything.
    pub(super) fn load(&self) -> Result<Option<(PlayerId, Agenda)>> {
        if !self.exists()? {
            return Ok(None);
        }
        let rows = self.sql.exec("select owner, body from agenda", None)?;
        let row = rows.next::<AgendaRow>().next().transpose()?;
        row.map(|row| Ok((row.owner, serde_json::from_str(&row.body)?)))
            .transpose()
    }

    /// Stores the agenda, and what it wants done. No statement is awaited, so the platform stores all of them or none.
    pub(super) fn save(&self, owner: &PlayerId, agenda: &Agenda, duties: &BTreeSet<Duty>) -> Result<()> {
        self.sql.exec(
            "create table if not exists agenda (one integer primary key check (one = 1), owner text not null, body text not null);
             create table if not exists duties (duty text primary key, attempts integer not null, due integer not null)",
            None,
        )?;
        let body = serde_json::to_string(agenda)?;
        self.sql.exec(
            "insert into agenda (one, owner, body) values (1, ?1, ?2) on conflict (one) do update set body = excluded.body",
            vec![owner.as_str().into(), body.into()],
        )?;
        for duty in duties {
            // One that waits already is done anew, and soon: what it is about has changed.
            self.sql.exec(
                "insert into duties (duty, attempts, due) values (?1, 0, 0)
                 on conflict (duty) do update set attempts = 0, due = 0",
                vec![serde_json::to_string(duty)?.into()],
            )?;
        }
        Ok(())
    }

    /// The duties that have become due. Each is left alone until `until`, while somebody does it.
    pub(super) fn take_due(&self, now: Timestamp, until: Timestamp) -> Result<Vec<Due>> {
        if !self.exists()? {
            return Ok(Vec::new());
        }
        let now = now.as_millis() as f64;
        let rows = self.sql.exec(
            "select duty, attempts from duties where due <= ?1",
            vec![now.into()],
        )?;
        let due = rows.next::<DutyRow>().map(|row| {
            let row = row?;
            Ok(Due {
                duty: serde_json::from_str(&row.duty)?,
                attempts: row.attempts,
            })
        });
        let due = due.collect::<Result<Vec<Due>>>()?;
        let until = until.as_millis() as f64;
        self.sql.exec(
            "update duties set due = ?1 where due <= ?2",
            vec![until.into(), now.into()],
        )?;
        Ok(due)
    }

    /// A duty is done, unless it has been asked for again meanwhile.
    pub(super) fn done(&self, due: &Due) -> Result<()> {
        let duty = serde_json::to_string(&due.duty)?;
        self.sql.exec(
            "delete from duties where duty = ?1 and due > 0",
            vec![duty.into()],
        )?;
        Ok(())
    }

    /// A duty could not be done: it waits, longer each time.
    pub(super) fn postpone(&self, due: &Due, now: Timestamp) -> Result<()> {
        let wait = (FIRST_RETRY.get() << due.attempts.min(16)).min(LONGEST_RETRY.get());
        let again = (now + Millis::new(wait)).as_millis() as f64;
        let duty = serde_json::to_string(&due.duty)?;
        self.sql.exec(
            "update duties set attempts = attempts + 1, due = ?2 where duty = ?1 and due > 0",
            vec![duty.into(), again.into()],
        )?;
        Ok(())
    }

    /// When the next duty is due.
    pub(super) fn next_due(&self) -> Result<Option<Timestamp>> {
        if !self.exists()? {
            return Ok(None);
        }
        let rows = self.sql.exec("select min(due) as due from duties", None)?;
        let row = rows.next::<DueRow>().next().transpose()?;
        Ok(row.and_then(|row| row.due).map(Timestamp::from_millis))
    }
}
