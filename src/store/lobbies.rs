//! What lobbies and players' channels ask of the index of tables: which stand open, and which are somebody's.

use super::in_time;
use crate::clock::Timestamp;
use crate::game::{Offer, PlayerId, Seq, Stage, TableId};
use serde::Deserialize;
use serde_json::Value;
use worker::wasm_bindgen::JsValue;
use worker::{D1Database, query};

/// The most open tables that a lobby is told of.
const MOST: u32 = 500;

/// How many tables are asked for in one statement: a statement has a hundred parameters at most.
const AT_A_TIME: usize = 90;

#[derive(Deserialize)]
struct Row {
    id: TableId,
    seq: u32,
    state: Stage,
    summary: String,
}

impl Row {
    fn read(self) -> worker::Result<Offer> {
        let summary: Value = serde_json::from_str(&self.summary)?;
        Ok(Offer {
            table_id: self.id,
            seq: Seq(self.seq),
            rank: 0,
            state: self.state,
            creator: serde_json::from_value(summary["creator"]["id"].clone())?,
            creator_is_here: false,
            spectators: 0,
            summary,
        })
    }
}

#[derive(Deserialize)]
struct Id {
    id: TableId,
}

/// The public tables that wait under a ruleset, newest first.
///
/// # Errors
/// When the database is away.
pub async fn open_offers(db: &D1Database, ruleset: &str) -> worker::Result<Vec<Offer>> {
    let select = query!(
        db,
        "select id, seq, state, summary from games where ruleset = ?1 and state = 'waiting' and visibility = 'public'
         order by created_at desc limit ?2",
        ruleset,
        MOST
    )?;
    let rows = in_time(select.all()).await?.results::<Row>()?;
    rows.into_iter().map(Row::read).collect()
}

/// How these tables stand.
///
/// # Errors
/// When the database is away.
pub async fn offers_of(db: &D1Database, tables: &[TableId]) -> worker::Result<Vec<Offer>> {
    let mut offers = Vec::new();
    for tables in tables.chunks(AT_A_TIME) {
        let places: Vec<String> = (1..=tables.len()).map(|place| format!("?{place}")).collect();
        let places = places.join(", ");
        let select = format!("select id, seq, state, summary from games where id in ({places})");
        let ids: Vec<JsValue> = tables
            .iter()
            .map(|table| JsValue::from_str(table.as_str()))
            .collect();
        let rows = in_time(db.prepare(select).bind(&ids)?.all())
            .await?
            .results::<Row>()?;
        for row in rows {
            offers.push(row.read()?);
        }
    }
    Ok(offers)
}

/// A player's tables that are not over, newest first.
///
/// # Errors
/// When the database is away.
pub async fn unfinished_of(db: &D1Database, player: &PlayerId, limit: u32) -> worker::Result<Vec<TableId>> {
    let select = query!(
        db,
        "select g.id from game_players p join games g on g.id = p.game_id
         where p.player_id = ?1 and g.state in ('waiting', 'playing', 'counting')
         order by p.created_at desc, p.game_id desc limit ?2",
        player.as_str(),
        limit
    )?;
    let rows = in_time(select.all()).await?.results::<Id>()?;
    Ok(rows.into_iter().map(|row| row.id).collect())
}

/// Tables that wait since before a moment, oldest first.
///
/// # Errors
/// When the database is away.
pub async fn waiting_since(db: &D1Database, before: Timestamp, limit: u32) -> worker::Result<Vec<TableId>> {
    let select = query!(
        db,
        "select id from games where state = 'waiting' and created_at <= ?1 order by created_at limit ?2",
        before.as_millis(),
        limit
    )?;
    let rows = in_time(select.all()).await?.results::<Id>()?;
    Ok(rows.into_iter().map(|row| row.id).collect())
}
