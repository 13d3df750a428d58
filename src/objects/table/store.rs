//! A table's own storage: its events, and what it owes the index. Everything that one input brings is stored in one
//! transaction.

use crate::clock::{Millis, Timestamp};
use crate::game::{
    Conduct, Conducts, Erasure, Event, Offer, Opening, PlayerId, Seq, Standing, TableId, replace_name,
};
use crate::players::SessionId;
use crate::store::appeals::StoredAppeals;
use crate::store::games::StoredSummary;
use crate::store::operator_log::Entry;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use worker::js_sys::{Function, Reflect};
use worker::wasm_bindgen::prelude::Closure;
use worker::wasm_bindgen::{JsCast, JsValue};
use worker::{Error, Result, SqlStorage, SqlStorageValue, State, Storage};

/// How long a debt waits after its first failure; it doubles with each further one.
const FIRST_RETRY: Millis = Millis::from_secs(1);

/// How long it waits at most.
const LONGEST_RETRY: Millis = Millis::from_secs(300);

/// The storage of one table.
pub(in crate::objects) struct TableStore {
    storage: Storage,
    sql: SqlStorage,
    /// Whether something may be owed. Nothing is for most moves, and then nothing has to be asked.
    owing: Cell<bool>,
    /// What is kept of people's conduct: a cache.
    conducts: RefCell<Option<Conducts>>,
}

/// Something that the table owes others.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "owed", rename_all = "snake_case")]
pub(in crate::objects) enum Owed {
    /// To the index: the table's summary. A newer one says everything that an older one would have said.
    Summary(Box<StoredSummary>),
    /// To the players: the table of their next game.
    NextGame(Box<Opening>),
    /// To the index: whether a session is connected here, as it is when this is paid.
    Presence {
        /// Which.
        session: SessionId,
        /// Where.
        table: TableId,
    },
    /// To the lobby: whether the table stands open there.
    Offer(Box<Offer>),
    /// To one of its people: how it stands for him.
    Standing {
        /// Who.
        player: PlayerId,
        /// How it stands.
        standing: Box<Standing>,
    },
    /// To the index: that a player has said something here.
    Spoke {
        /// Who.
        player: PlayerId,
        /// Where.
        table: TableId,
    },
    /// To a player's channel: something that it passes on as it stands.
    Notice {
        /// Whose.
        player: PlayerId,
        /// What.
        frame: Value,
    },
    /// To the operators: the appeals with what became of them.
    Appeals(Box<StoredAppeals>),
    /// To the operators' log: what one of them has done here.
    Entry(Box<Entry>),
}

impl Owed {
    /// The debts of one kind replace one another.
    fn kind(&self) -> String {
        match self {
            Owed::Summary(_) => "summary".to_owned(),
            Owed::NextGame(_) => "next_game".to_owned(),
            Owed::Presence { session, .. } => format!("presence:{}", session.0),
            Owed::Offer(_) => "offer".to_owned(),
            Owed::Standing { player, .. } => format!("standing:{player}"),
            Owed::Spoke { player, .. } => format!("spoke:{player}"),
            Owed::Notice { player, .. } => format!("notice:{player}"),
            Owed::Appeals(_) => "appeals".to_owned(),
            Owed::Entry(entry) => format!("entry:{}", entry.id),
        }
    }
}

/// A debt that has not been paid yet.
pub(in crate::objects) struct Debt {
    pub(in crate::objects) seq: Seq,
    pub(in crate::objects) owed: Owed,
    attempts: u32,
}

#[derive(Deserialize)]
struct EventRow {
    body: String,
}

#[derive(Deserialize)]
struct KeyedRow {
    key: String,
    body: String,
}

#[derive(Deserialize)]
struct DebtRow {
    seq: u32,
    body: String,
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

impl TableStore {
    pub(in crate::objects) fn new(state: &State) -> TableStore {
        let storage = state.storage();
        TableStore {
            sql: storage.sql(),
            storage,
            owing: Cell::new(true),
            conducts: RefCell::new(None),
        }
    }

    /// Every event, oldest first; none for a table that was never opened. Looking leaves no trace: an object that
    /// somebody called by a made-up id stores nothing.
    pub(in crate::objects) fn events(&self) -> Result<Vec<Event>> {
        match self.has_table("events")? {
            true => self.events_after(Seq(0), u32::MAX),
            false => Ok(Vec::new()),
        }
    }

    /// Up to `limit` events after a number, oldest first.
    pub(in crate::objects) fn events_after(&self, seq: Seq, limit: u32) -> Result<Vec<Event>> {
        let rows = self.sql.exec(
            "select body from events where seq > ?1 order by seq limit ?2",
            vec![f64::from(seq.0).into(), f64::from(limit).into()],
        )?;
        rows.next::<EventRow>()
            .map(|row| Ok(serde_json::from_str(&row?.body)?))
            .collect()
    }

    /// Stores what an input has brought, all or nothing. A debt replaces an older one of its kind.
    ///
    /// `break_it` makes the transaction fail once the events are in, for the test of that.
    pub(in crate::objects) fn commit(
        &self,
        events: &[Event],
        debts: Vec<(Seq, Owed)>,
        break_it: Broken,
    ) -> Result<()> {
        let bodies: Vec<(Seq, Timestamp, String)> = events
            .iter()
            .map(|event| Ok((event.seq, event.at, serde_json::to_string(event)?)))
            .collect::<Result<_>>()?;
        self.owing.set(self.owing.get() || !debts.is_empty());
        let debts: Vec<(Seq, String, String)> = debts
            .iter()
            .map(|(seq, owed)| Ok((*seq, owed.kind(), serde_json::to_string(owed)?)))
            .collect::<Result<_>>()?;
        let erasures: Vec<Erasure> = events.iter().filter_map(Event::erases).collect();
        let sql = self.sql.clone();
        self.transaction(move || {
            if bodies.first().is_some_and(|(seq, ..)| *seq == Seq(1)) {
                create_tables(&sql)?;
            }
            for (seq, at, body) in bodies {
                let values: Vec<SqlStorageValue> =
                    vec![f64::from(seq.0).into(), (at.as_millis() as f64).into(), body.into()];
                sql.exec("insert into events (seq, at, body) values (?1, ?2, ?3)", values)?;
            }
            for (seq, kind, body) in debts {
                let values: Vec<SqlStorageValue> = vec![kind.into(), f64::from(seq.0).into(), body.into()];
                sql.exec(
                    "insert into debts (kind, seq, body, attempts, due) values (?1, ?2, ?3, 0, 0)
                     on conflict (kind) do update set seq = excluded.seq, body = excluded.body, attempts = 0, due = 0",
                    values,
                )?;
            }
            for erasure in erasures {
                erase(&sql, &erasure)?;
            }
            match break_it {
                Broken::No => Ok(()),
                Broken::Yes => Err(Error::from("the storage was told to fail")),
            }
        })
    }

    /// Stores debts for which no event stands.
    pub(in crate::objects) fn owe(&self, debts: Vec<(Seq, Owed)>) -> Result<()> {
        self.commit(&[], debts, Broken::No)
    }

    /// Asks what is kept of people's conduct.
    pub(in crate::objects) fn conducts<T>(&self, ask: impl FnOnce(&Conducts) -> T) -> Result<T> {
        if self.conducts.borrow().is_none() {
            let kept = match self.has_table("conducts")? {
                true => self.kept_conducts()?,
                false => Vec::new(),
            };
            self.conducts.replace(Some(Conducts::new(kept)));
        }
        let conducts = self.conducts.borrow();
        match &*conducts {
            Some(conducts) => Ok(ask(conducts)),
            None => Err(Error::from("what was just read is gone")),
        }
    }

    fn kept_conducts(&self) -> Result<Vec<(PlayerId, Conduct)>> {
        let rows = self.sql.exec("select player as key, body from conducts", None)?;
        rows.next::<KeyedRow>()
            .map(|row| {
                let row = row?;
                let player = PlayerId::try_from(row.key).map_err(|error| Error::from(error.to_string()))?;
                Ok((player, serde_json::from_str(&row.body)?))
            })
            .collect()
    }

    /// Takes note of what holds for a player, and keeps it if that is news.
    pub(in crate::objects) fn learn(&self, player: &PlayerId, conduct: &Conduct) -> Result<()> {
        if self.conducts(|conducts| conducts.is_news(player, conduct))? {
            self.sql.exec(
                "create table if not exists conducts (player text primary key, body text not null)",
                None,
            )?;
            self.sql.exec(
                "insert into conducts (player, body) values (?1, ?2)
                 on conflict (player) do update set body = excluded.body",
                vec![player.as_str().into(), serde_json::to_string(conduct)?.into()],
            )?;
        }
        if let Some(conducts) = &mut *self.conducts.borrow_mut() {
            conducts.learn(player, conduct);
        }
        Ok(())
    }

    fn has_table(&self, name: &str) -> Result<bool> {
        let tables = self.sql.exec(
            "select count(*) as n from sqlite_master where name = ?1",
            vec![name.into()],
        )?;
        let count = tables.next::<CountRow>().next().transpose()?;
        Ok(count.is_some_and(|row| row.n > 0))
    }

    /// Replaces a player's name in everything that is stored here: what is forgotten is not kept in an older event either.
    pub(in crate::objects) fn replace_name(&self, player: &PlayerId, name: &str) -> Result<()> {
        let mut replaced = Vec::new();
        for (table, key) in [("events", "seq"), ("debts", "kind")] {
            let rows = self.sql.exec(
                &format!("select cast({key} as text) as key, body from {table}"),
                None,
            )?;
            for row in rows.next::<KeyedRow>() {
                let row = row?;
                // Most bodies are moves, which name nobody.
                if !row.body.contains(player.as_str()) {
                    continue;
                }
                let mut body = serde_json::from_str(&row.body)?;
                if replace_name(&mut body, player, name) {
                    replaced.push((
                        format!("update {table} set body = ?1 where {key} = ?2"),
                        body,
                        row.key,
                    ));
                }
            }
        }
        let sql = self.sql.clone();
        self.transaction(move || {
            for (update, body, key) in replaced {
                sql.exec(&update, vec![body.to_string().into(), key.into()])?;
            }
            Ok(())
        })
    }

    /// Whether something may be owed.
    pub(in crate::objects) fn is_owing(&self) -> bool {
        self.owing.get()
    }

    /// What is owed and has become due.
    pub(in crate::objects) fn debts(&self, now: Timestamp) -> Result<Vec<Debt>> {
        let now = (now.as_millis() as f64).into();
        let rows = self
            .sql
            .exec("select seq, body, attempts from debts where due <= ?1", vec![now])?;
        rows.next::<DebtRow>()
            .map(|row| {
                let row = row?;
                Ok(Debt {
                    seq: Seq(row.seq),
                    owed: serde_json::from_str(&row.body)?,
                    attempts: row.attempts,
                })
            })
            .collect()
    }

    /// A debt is paid. One that has been replaced in the meantime stays.
    pub(in crate::objects) fn settle(&self, debt: &Debt) -> Result<()> {
        let body = serde_json::to_string(&debt.owed)?;
        self.sql.exec(
            "delete from debts where kind = ?1 and seq = ?2 and body = ?3",
            vec![debt.owed.kind().into(), f64::from(debt.seq.0).into(), body.into()],
        )?;
        Ok(())
    }

    /// A debt could not be paid: it waits, longer each time.
    pub(in crate::objects) fn postpone(&self, debt: &Debt, now: Timestamp) -> Result<()> {
        let doublings = debt.attempts.min(16);
        let wait = Millis::new((FIRST_RETRY.get() << doublings).min(LONGEST_RETRY.get()));
        let due = (now + wait).as_millis() as f64;
        self.sql.exec(
            "update debts set attempts = attempts + 1, due = ?1 where kind = ?2 and seq = ?3",
            vec![due.into(), debt.owed.kind().into(), f64::from(debt.seq.0).into()],
        )?;
        Ok(())
    }

    /// When the next debt is to be tried again, if there is one.
    pub(in crate::objects) fn debt_due(&self) -> Result<Option<Timestamp>> {
        if !self.owing.get() {
            return Ok(None);
        }
        let rows = self.sql.exec("select min(due) as due from debts", None)?;
        let due = rows.next::<DueRow>().next().transpose()?.and_then(|row| row.due);
        self.owing.set(due.is_some());
        Ok(due.map(Timestamp::from_millis))
    }

    /// Runs statements in one transaction: an error takes all of them back. The wrapper has no such call.
    fn transaction(&self, statements: impl FnOnce() -> Result<()> + 'static) -> Result<()> {
        let outcome = Rc::new(RefCell::new(None));
        let slot = Rc::clone(&outcome);
        let run = Closure::once(move || -> std::result::Result<JsValue, JsValue> {
            statements().map_err(JsValue::from)?;
            *slot.borrow_mut() = Some(());
            Ok(JsValue::UNDEFINED)
        });
        let storage: &JsValue = self.storage.as_raw().as_ref();
        let transaction = Reflect::get(storage, &JsValue::from_str("transactionSync"))?;
        transaction.dyn_into::<Function>()?.call1(storage, run.as_ref())?;
        let done = outcome.borrow_mut().take();
        done.ok_or_else(|| Error::from("the transaction did not run"))
    }
}

/// Whether a transaction is made to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::objects) enum Broken {
    No,
    Yes,
}

/// Takes the text of lines of chat away, wherever it is stored here.
fn erase(sql: &SqlStorage, erasure: &Erasure) -> Result<()> {
    let removed = erasure.removed();
    let (condition, whose): (&str, SqlStorageValue) = match erasure {
        Erasure::Line(line) => ("seq = ?3", f64::from(line.0).into()),
        Erasure::Author(author) => ("body ->> '$.player.id' = ?3", author.as_str().into()),
    };
    sql.exec(
        &format!(
            "update events set body = json_set(body, '$.text', ?1, '$.removed', ?2)
             where body ->> '$.kind' = 'chat' and {condition}"
        ),
        vec![removed.text().into(), removed.name().into(), whose],
    )?;
    Ok(())
}

fn create_tables(sql: &SqlStorage) -> Result<()> {
    sql.exec(
        "create table if not exists events (seq integer primary key, at integer not null, body text not null);
         create table if not exists debts (kind text primary key, seq integer not null, body text not null,
           attempts integer not null, due integer not null)",
        None,
    )?;
    Ok(())
}
