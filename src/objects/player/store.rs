//! A player's own storage: his agenda, and what is to be done elsewhere for it.

use crate::clock::{Millis, Timestamp};
use crate::game::{PlayerId, Standing};
use crate::lobby::{Agenda, Duty};
use crate::players::SessionId;
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use worker::{Result, SqlStorage, State};

/// How long a task waits after its first failure; it doubles with each further one.
const FIRST_RETRY: Millis = Millis::from_secs(1);

/// How long it waits at most.
const LONGEST_RETRY: Millis = Millis::from_secs(300);

/// How a player's tables stand, a row each: they may be many, and one row may not be large.
const STANDINGS: &str =
    "create table if not exists standings (table_id text primary key, body text not null)";

/// The storage of one player.
pub(super) struct PlayerStore {
    sql: SqlStorage,
    /// How often duties have been taken: whoever does one knows it by when it was to be done again otherwise.
    taken: Cell<i64>,
}

/// What is to be done, at least once. Twice does no harm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Task {
    /// What the agenda wants done elsewhere.
    Duty(Duty),
    /// To ask the database whether a session that has a socket still is.
    Session {
        /// Which.
        check_session: SessionId,
    },
}

/// A task that has not been done yet.
pub(super) struct Due {
    pub(super) task: Task,
    attempts: u32,
    /// When it is due again. Whoever asks for it meanwhile, or takes it after this, makes that another time.
    until: i64,
}

#[derive(Deserialize)]
struct AgendaRow {
    owner: PlayerId,
    body: String,
}

#[derive(Deserialize)]
struct BodyRow {
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
            taken: Cell::new(0),
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
        let Some(row) = rows.next::<AgendaRow>().next().transpose()? else {
            return Ok(None);
        };
        let agenda: Agenda = serde_json::from_str(&row.body)?;
        self.sql.exec(STANDINGS, None)?;
        if !agenda.tables().is_empty() {
            // Stored when they still stood in the agenda itself.
            self.save(&row.owner, &Agenda::default(), &agenda, &[])?;
        }
        let rows = self.sql.exec("select body from standings", None)?;
        let tables = rows.next::<BodyRow>();
        let tables = tables.map(|row| Ok(serde_json::from_str::<Standing>(&row?.body)?));
        let tables = tables.collect::<Result<Vec<Standing>>>()?;
        Ok(Some((row.owner, agenda.with_tables(tables))))
    }

    /// Stores what of the agenda is other than before, and what is to be done for it. No statement is awaited, so the platform stores all
    /// of them together. If one fails, the tables are the last: they are told again, and are news again.
    pub(super) fn save(
        &self,
        owner: &PlayerId,
        before: &Agenda,
        agenda: &Agenda,
        tasks: &[Task],
    ) -> Result<()> {
        self.sql.exec(
            "create table if not exists agenda (one integer primary key check (one = 1), owner text not null, body text not null);
             create table if not exists duties (duty text primary key, attempts integer not null, due integer not null)",
            None,
        )?;
        self.sql.exec(STANDINGS, None)?;
        for task in tasks {
            // One that waits already is done anew, and soon: what it is about has changed.
            self.sql.exec(
                "insert into duties (duty, attempts, due) values (?1, 0, 0)
                 on conflict (duty) do update set attempts = 0, due = 0",
                vec![serde_json::to_string(task)?.into()],
            )?;
        }
        let body = serde_json::to_string(agenda)?;
        self.sql.exec(
            "insert into agenda (one, owner, body) values (1, ?1, ?2) on conflict (one) do update set body = excluded.body",
            vec![owner.as_str().into(), body.into()],
        )?;
        let (before, tables) = (before.tables(), agenda.tables());
        for (id, table) in tables.iter().filter(|(id, table)| before.get(id) != Some(table)) {
            self.sql.exec(
                "insert into standings (table_id, body) values (?1, ?2)
                 on conflict (table_id) do update set body = excluded.body",
                vec![id.as_str().into(), serde_json::to_string(table)?.into()],
            )?;
        }
        for id in before.keys().filter(|id| !tables.contains_key(id)) {
            self.sql.exec(
                "delete from standings where table_id = ?1",
                vec![id.as_str().into()],
            )?;
        }
        Ok(())
    }

    /// The tasks that have become due. Each is left alone until about `until`, while somebody does it.
    pub(super) fn take_due(&self, now: Timestamp, until: Timestamp) -> Result<Vec<Due>> {
        if !self.exists()? {
            return Ok(Vec::new());
        }
        // Another moment each time, though never by more than a second.
        self.taken.set((self.taken.get() + 1) % 1000);
        let until = until.as_millis() + self.taken.get();
        let now = now.as_millis() as f64;
        let rows = self.sql.exec(
            "select duty, attempts from duties where due <= ?1",
            vec![now.into()],
        )?;
        let due = rows.next::<DutyRow>().map(|row| {
            let row = row?;
            Ok(Due {
                task: serde_json::from_str(&row.duty)?,
                attempts: row.attempts,
                until,
            })
        });
        let due = due.collect::<Result<Vec<Due>>>()?;
        self.sql.exec(
            "update duties set due = ?1 where due <= ?2",
            vec![(until as f64).into(), now.into()],
        )?;
        Ok(due)
    }

    /// A task is done, unless it has been asked for again meanwhile.
    pub(super) fn done(&self, due: &Due) -> Result<()> {
        self.sql.exec(
            "delete from duties where duty = ?1 and due = ?2",
            vec![
                serde_json::to_string(&due.task)?.into(),
                (due.until as f64).into(),
            ],
        )?;
        Ok(())
    }

    /// A task could not be done: it waits, longer each time.
    pub(super) fn postpone(&self, due: &Due, now: Timestamp) -> Result<()> {
        let wait = (FIRST_RETRY.get() << due.attempts.min(16)).min(LONGEST_RETRY.get());
        let again = (now + Millis::new(wait)).as_millis() as f64;
        self.sql.exec(
            "update duties set attempts = attempts + 1, due = ?3 where duty = ?1 and due = ?2",
            vec![
                serde_json::to_string(&due.task)?.into(),
                (due.until as f64).into(),
                again.into(),
            ],
        )?;
        Ok(())
    }

    /// When the next task is due.
    pub(super) fn next_due(&self) -> Result<Option<Timestamp>> {
        if !self.exists()? {
            return Ok(None);
        }
        let rows = self.sql.exec("select min(due) as due from duties", None)?;
        let row = rows.next::<DueRow>().next().transpose()?;
        Ok(row.and_then(|row| row.due).map(Timestamp::from_millis))
    }
}
