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
pub(super) struct TableStore {
    storage: Storage,
    sql: SqlStorage,
    /// Whether something may be owed. Nothing is for most moves, and then nothing has to be asked.
    owing: Cell<bool>,
    /// The number of the newest debt: each has one of its own.
    newest_debt: Cell<u32>,
    /// What is kept of people's conduct: a cache.
    conducts: RefCell<Option<Conducts>>,
}

/// Something that the table owes others.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "owed", rename_all = "snake_case")]
pub(super) enum Owed {
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
pub(super) struct Debt {
    /// Which. One that replaces another has another number, also if it says the same.
    pub(super) number: u32,
    pub(super) seq: Seq,
    pub(super) owed: Owed,
    attempts: u32,
}

/// What one input leaves to be stored for a debt.
struct NewDebt {
    number: u32,
    seq: Seq,
    kind: String,
    body: String,
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
    number: u32,
    seq: u32,
    body: String,
    attempts: u32,
}

#[derive(Deserialize)]
struct DueRow {
    due: Option<i64>,
}

#[derive(Deserialize)]
struct NumberRow {
    n: Option<u32>,
}

/// Has a debt take the place of an older one of its kind.
const OWE: &str = "insert into debts (number, kind, seq, body, attempts, due) values (?1, ?2, ?3, ?4, 0, 0)
     on conflict (kind) do update set number = excluded.number, seq = excluded.seq, body = excluded.body, attempts = 0, due = 0";

/// Removes a debt that is paid.
const SETTLE: &str = "delete from debts where number = ?1";

/// Has a debt wait.
const POSTPONE: &str = "update debts set attempts = attempts + 1, due = ?1 where number = ?2";

/// Has a debt say something else.
const REWRITE_DEBT: &str = "update debts set body = ?1, number = ?2 where kind = ?3";

/// The tables of an object that is new.
const CREATE: &str =
    "create table if not exists events (seq integer primary key, at integer not null, body text not null);
     create table if not exists debts (kind text primary key, number integer not null default 0, seq integer not null,
       body text not null, attempts integer not null, due integer not null)";

/// Numbers the debts of an object that was made before they had numbers.
const NUMBER_DEBTS: &str =
    "alter table debts add column number integer not null default 0; update debts set number = rowid";

impl TableStore {
    pub(super) fn new(state: &State) -> TableStore {
        let storage = state.storage();
        TableStore {
            sql: storage.sql(),
            storage,
            owing: Cell::new(true),
            newest_debt: Cell::new(0),
            conducts: RefCell::new(None),
        }
    }

    /// Every event, oldest first; none for a table that was never opened. Looking leaves no trace: an object that
    /// somebody called by a made-up id stores nothing.
    pub(super) fn events(&self) -> Result<Vec<Event>> {
        if !self.has_table("events")? {
            return Ok(Vec::new());
        }
        self.know_debts()?;
        self.events_after(Seq(0), u32::MAX)
    }

    /// Finds out which number the next debt has.
    fn know_debts(&self) -> Result<()> {
        let numbered =
            "select count(*) as n from sqlite_master where name = 'debts' and instr(sql, 'number') > 0";
        if self.number(numbered)? == 0 {
            let sql = self.sql.clone();
            self.transaction(move || sql.exec(NUMBER_DEBTS, None).map(|_| ()))?;
        }
        let newest = self.number("select max(number) as n from debts")?;
        self.newest_debt.set(self.newest_debt.get().max(newest));
        Ok(())
    }

    /// The number that a query brings; none is nought.
    fn number(&self, query: &str) -> Result<u32> {
        let row = self
            .sql
            .exec(query, None)?
            .next::<NumberRow>()
            .next()
            .transpose()?;
        Ok(row.and_then(|row| row.n).unwrap_or(0))
    }

    fn next_debt(&self) -> u32 {
        self.newest_debt.set(self.newest_debt.get() + 1);
        self.newest_debt.get()
    }

    /// Up to `limit` events after a number, oldest first.
    pub(super) fn events_after(&self, seq: Seq, limit: u32) -> Result<Vec<Event>> {
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
    pub(super) fn commit(&self, events: &[Event], debts: Vec<(Seq, Owed)>, break_it: Broken) -> Result<()> {
        let bodies: Vec<(Seq, Timestamp, String)> = events
            .iter()
            .map(|event| Ok((event.seq, event.at, serde_json::to_string(event)?)))
            .collect::<Result<_>>()?;
        self.owing.set(self.owing.get() || !debts.is_empty());
        let debts: Vec<NewDebt> = debts
            .into_iter()
            .map(|(seq, owed)| {
                Ok(NewDebt {
                    number: self.next_debt(),
                    seq,
                    kind: owed.kind(),
                    body: serde_json::to_string(&owed)?,
                })
            })
            .collect::<Result<_>>()?;
        let erasures: Vec<Erasure> = events.iter().filter_map(Event::erases).collect();
        let sql = self.sql.clone();
        self.transaction(move || {
            if bodies.first().is_some_and(|(seq, ..)| *seq == Seq(1)) {
                sql.exec(CREATE, None)?;
            }
            for (seq, at, body) in bodies {
                let values: Vec<SqlStorageValue> = vec![
                    f64::from(seq.0).into(),
                    (at.as_millis() as f64).into(),
                    body.into(),
                ];
                sql.exec("insert into events (seq, at, body) values (?1, ?2, ?3)", values)?;
            }
            for debt in debts {
                let values: Vec<SqlStorageValue> = vec![
                    f64::from(debt.number).into(),
                    debt.kind.into(),
                    f64::from(debt.seq.0).into(),
                    debt.body.into(),
                ];
                sql.exec(OWE, values)?;
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
    pub(super) fn owe(&self, debts: Vec<(Seq, Owed)>) -> Result<()> {
        self.commit(&[], debts, Broken::No)
    }

    /// Asks what is kept of people's conduct.
    pub(super) fn conducts<T>(&self, ask: impl FnOnce(&Conducts) -> T) -> Result<T> {
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
    pub(super) fn learn(&self, player: &PlayerId, conduct: &Conduct) -> Result<()> {
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
        let count = tables.next::<NumberRow>().next().transpose()?;
        Ok(count.and_then(|row| row.n).is_some_and(|n| n > 0))
    }

    /// Replaces a player's name in everything that is stored here: what is forgotten is not kept in an older event either. A debt
    /// under the old name that is being delivered is delivered once more.
    pub(super) fn replace_name(&self, player: &PlayerId, name: &str) -> Result<()> {
        let events = self.renamed("select cast(seq as text) as key, body from events", player, name)?;
        let debts = self.renamed("select kind as key, body from debts", player, name)?;
        let debts: Vec<(u32, KeyedRow)> = debts.into_iter().map(|row| (self.next_debt(), row)).collect();
        let sql = self.sql.clone();
        self.transaction(move || {
            for row in events {
                let values = vec![row.body.into(), row.key.into()];
                sql.exec("update events set body = ?1 where seq = ?2", values)?;
            }
            for (number, row) in debts {
                let values = vec![row.body.into(), f64::from(number).into(), row.key.into()];
                sql.exec(REWRITE_DEBT, values)?;
            }
            Ok(())
        })
    }

    /// The rows in which a player has another name, with this one.
    fn renamed(&self, select: &str, player: &PlayerId, name: &str) -> Result<Vec<KeyedRow>> {
        let mut renamed = Vec::new();
        for row in self.sql.exec(select, None)?.next::<KeyedRow>() {
            let row = row?;
            // Most bodies are moves, which name nobody.
            if !row.body.contains(player.as_str()) {
                continue;
            }
            let mut body = serde_json::from_str(&row.body)?;
            if replace_name(&mut body, player, name) {
                renamed.push(KeyedRow {
                    body: body.to_string(),
                    ..row
                });
            }
        }
        Ok(renamed)
    }

    /// Whether something may be owed.
    pub(super) fn is_owing(&self) -> bool {
        self.owing.get()
    }

    /// What is owed and has become due.
    pub(super) fn debts(&self, now: Timestamp) -> Result<Vec<Debt>> {
        let now = (now.as_millis() as f64).into();
        let rows = self.sql.exec(
            "select number, seq, body, attempts from debts where due <= ?1",
            vec![now],
        )?;
        rows.next::<DebtRow>()
            .map(|row| {
                let row = row?;
                Ok(Debt {
                    number: row.number,
                    seq: Seq(row.seq),
                    owed: serde_json::from_str(&row.body)?,
                    attempts: row.attempts,
                })
            })
            .collect()
    }

    /// A debt is paid. One that has been replaced in the meantime stays.
    pub(super) fn settle(&self, debt: &Debt) -> Result<()> {
        self.sql.exec(SETTLE, vec![f64::from(debt.number).into()])?;
        Ok(())
    }

    /// A debt could not be paid: it waits, longer each time.
    pub(super) fn postpone(&self, debt: &Debt, now: Timestamp) -> Result<()> {
        let doublings = debt.attempts.min(16);
        let wait = Millis::new((FIRST_RETRY.get() << doublings).min(LONGEST_RETRY.get()));
        let due = (now + wait).as_millis() as f64;
        self.sql
            .exec(POSTPONE, vec![due.into(), f64::from(debt.number).into()])?;
        Ok(())
    }

    /// When the next debt is to be tried again, if there is one.
    pub(super) fn debt_due(&self) -> Result<Option<Timestamp>> {
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
pub(super) enum Broken {
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

#[cfg(test)]
mod tests;
