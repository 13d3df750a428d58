//! How a player's channel opens: with what is pending.

use super::shell::{PlayerShell, shown};
use crate::clock::Timestamp;
use crate::game::{PlayerId, Standing, TableId};
use crate::http::Problem;
use crate::lobby::Agenda;
use crate::objects::call::{TableClient, TableOp};
use crate::objects::reach::promptly;
use crate::store;
use futures_util::future::join_all;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::rc::Rc;

/// How often a greeting is composed anew because something has happened meanwhile.
const MOST_TRIES: usize = 5;

/// How many tables a greeting holds at most.
const MOST_TABLES: usize = 100;

impl PlayerShell {
    /// The first frame. Nothing that happens while it is composed is lost: then it is composed anew.
    pub(super) async fn hello(
        self: &Rc<PlayerShell>,
        owner: &PlayerId,
        now: Timestamp,
    ) -> Result<Value, Problem> {
        let mut hello = Value::Null;
        for _ in 0..MOST_TRIES {
            let before = self.tellings.get();
            hello = self.compose(owner, now).await?;
            if self.tellings.get() == before {
                break;
            }
        }
        Ok(hello)
    }

    async fn compose(self: &Rc<PlayerShell>, owner: &PlayerId, now: Timestamp) -> Result<Value, Problem> {
        let (challenges, indexed) = match store::database(&self.env) {
            Ok(db) => futures_util::join!(
                store::challenges::open_of(&db, owner, now),
                store::lobbies::unfinished_of(&db, owner, MOST_TABLES as u32)
            ),
            Err(error) => (Err(error), Ok(Vec::new())),
        };
        // While the database is away, the channel opens with what is known here.
        let challenges = challenges.unwrap_or_else(|error| {
            crate::log::error("database.away", &[crate::log::cause(&error)]);
            Vec::new()
        });
        self.ask_tables(owner, indexed.unwrap_or_default(), now).await?;
        self.change(owner, now, |agenda| agenda.tick(now)).await?;
        self.with_agenda(|agenda| {
            json!({
                "type": "hello",
                "challenges": challenges.iter().map(store::challenges::shown).collect::<Vec<_>>(),
                "tables": agenda.greeting(MOST_TABLES),
                "search": agenda.search().map(shown),
            })
        })
    }

    /// Asks the player's tables how they stand: those that are known here, and those that only the index knows. A move is not told
    /// to him who has the table open, so what is known here may be old.
    async fn ask_tables(
        self: &Rc<PlayerShell>,
        owner: &PlayerId,
        indexed: Vec<TableId>,
        now: Timestamp,
    ) -> Result<(), Problem> {
        let known = |agenda: &Agenda| -> BTreeSet<TableId> {
            let open = agenda.greeting(MOST_TABLES).into_iter();
            open.map(|table| table.table_id.clone()).collect()
        };
        let mut tables = self.with_agenda(known)?;
        tables.extend(indexed);
        let asked = tables.iter().map(|table| self.ask_table(owner, table));
        for standing in join_all(asked).await.into_iter().flatten() {
            self.change(owner, now, |agenda| agenda.hear(standing, now))
                .await?;
        }
        Ok(())
    }

    /// How a table stands; nothing if it does not answer soon: what is known of it stands in.
    async fn ask_table(&self, owner: &PlayerId, table: &TableId) -> Option<Standing> {
        let op = TableOp::Standing {
            player: owner.clone(),
        };
        let mut response = promptly(TableClient::new(&self.env).tell(table, op)).await.ok()?;
        match response.status_code() {
            200 => response.json().await.ok(),
            _ => None,
        }
    }
}
