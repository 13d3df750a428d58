//! The index of tables: what is searched across them. The tables' objects hold the truth.

use super::in_time;
use crate::game::{PlayerId, Seq, Summary, Visibility};
use serde::Deserialize;
use serde_json::Value;
use worker::wasm_bindgen::JsValue;
use worker::{D1Database, D1PreparedStatement, query};

/// Which tables to list: those that agree with every field that is given.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// In this state; without one, in any but `closed`.
    pub state: Option<String>,
    /// Under this ruleset.
    pub ruleset: Option<String>,
    /// On this board.
    pub board: Option<String>,
    /// Rated or not.
    pub ranked: Option<bool>,
    /// Made or played by this player.
    pub player: Option<PlayerId>,
    /// Private tables too. Only for the player's own list.
    pub private_too: bool,
}

/// A place in a list: after the table with this age and id. Newest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// When the last table shown was made, in ms.
    pub created_at: i64,
    /// Its id.
    pub id: String,
}

/// A table of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// Where it stands in the list.
    pub place: Place,
    /// The table in short, as of its last event that the index was told of.
    pub summary: Value,
}

#[derive(Deserialize)]
struct Row {
    id: String,
    created_at: i64,
    summary: String,
}

/// Puts a table's summary into the index, unless a newer one is there. Twice is once.
///
/// # Errors
/// When the database is away.
pub async fn put(db: &D1Database, seq: Seq, summary: &StoredSummary) -> worker::Result<()> {
    let mut statements = vec![upsert(db, seq, summary)?];
    for player in &summary.players {
        statements.push(query!(
            db,
            "insert or ignore into game_players (player_id, game_id, created_at) values (?1, ?2, ?3)",
            player,
            summary.id,
            summary.created_at
        )?);
    }
    in_time(db.batch(statements)).await?;
    Ok(())
}

/// A summary as a table's outbox keeps it until the index has it.
#[derive(Clone, Debug, PartialEq, serde::Serialize, Deserialize)]
pub struct StoredSummary {
    id: String,
    state: String,
    ruleset: String,
    board: String,
    ranked: bool,
    private: bool,
    created_at: i64,
    players: Vec<PlayerId>,
    summary: Value,
}

impl StoredSummary {
    /// The form in which the index takes it.
    ///
    /// # Errors
    /// When it cannot be serialised.
    pub fn new(summary: &Summary) -> serde_json::Result<StoredSummary> {
        let seated = [&summary.seats.black, &summary.seats.white].into_iter().flatten();
        let mut players: Vec<PlayerId> = seated
            .chain([&summary.creator])
            .map(|player| player.id.clone())
            .collect();
        players.sort();
        players.dedup();
        Ok(StoredSummary {
            id: summary.id.to_string(),
            state: summary.state.to_owned(),
            ruleset: summary.terms.ruleset.id.to_owned(),
            board: summary.terms.board.to_string(),
            ranked: summary.terms.ranked,
            private: summary.terms.visibility == Visibility::Private,
            created_at: summary.created_at.as_millis(),
            players,
            summary: serde_json::to_value(summary)?,
        })
    }
}

fn upsert(db: &D1Database, seq: Seq, row: &StoredSummary) -> worker::Result<D1PreparedStatement> {
    let visibility = if row.private { "private" } else { "public" };
    let summary = row.summary.to_string();
    let statement = db.prepare(
        "insert into games (id, seq, state, ruleset, board, ranked, visibility, created_at, summary)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
         on conflict (id) do update set seq = excluded.seq, state = excluded.state, summary = excluded.summary
         where excluded.seq > games.seq",
    );
    statement.bind(&[
        JsValue::from_str(&row.id),
        JsValue::from_f64(f64::from(seq.0)),
        JsValue::from_str(&row.state),
        JsValue::from_str(&row.ruleset),
        JsValue::from_str(&row.board),
        JsValue::from_f64(f64::from(u8::from(row.ranked))),
        JsValue::from_str(visibility),
        JsValue::from_f64(row.created_at as f64),
        JsValue::from_str(&summary),
    ])
}

/// Up to `limit` tables after a place, newest first.
///
/// # Errors
/// When the database is away.
pub async fn list(
    db: &D1Database,
    filter: &Filter,
    after: Option<&Place>,
    limit: u32,
) -> worker::Result<Vec<Listed>> {
    let (sql, values) = listing(filter, after, limit);
    let rows = in_time(db.prepare(sql).bind(&values)?.all())
        .await?
        .results::<Row>()?;
    let listed = rows.into_iter().map(|row| {
        let place = Place {
            created_at: row.created_at,
            id: row.id,
        };
        Ok(Listed {
            place,
            summary: serde_json::from_str(&row.summary)?,
        })
    });
    listed.collect()
}

/// The statement for a listing. Only the conditions that are asked for stand in it, so that an index can serve.
fn listing(filter: &Filter, after: Option<&Place>, limit: u32) -> (String, Vec<JsValue>) {
    let mut values = Vec::new();
    let mut bind = |value: JsValue| {
        values.push(value);
        format!("?{}", values.len())
    };
    let mut conditions = Vec::new();
    // A player's tables are found by himself, in the order in which they are kept.
    let (from, age, id) = match &filter.player {
        Some(player) => {
            conditions.push(format!(
                "p.player_id = {}",
                bind(JsValue::from_str(player.as_str()))
            ));
            (
                "game_players p join games g on g.id = p.game_id",
                "p.created_at",
                "p.game_id",
            )
        }
        None => ("games g", "g.created_at", "g.id"),
    };
    if !filter.private_too {
        conditions.push("g.visibility = 'public'".to_owned());
    }
    if filter.state.is_none() {
        conditions.push("g.state != 'closed'".to_owned());
    }
    for (column, value) in [
        ("state", &filter.state),
        ("ruleset", &filter.ruleset),
        ("board", &filter.board),
    ] {
        if let Some(value) = value {
            conditions.push(format!("g.{column} = {}", bind(JsValue::from_str(value))));
        }
    }
    if let Some(ranked) = filter.ranked {
        conditions.push(format!("g.ranked = {}", u8::from(ranked)));
    }
    if let Some(place) = after {
        let (created_at, last) = (
            JsValue::from_f64(place.created_at as f64),
            JsValue::from_str(&place.id),
        );
        conditions.push(format!("({age}, {id}) < ({}, {})", bind(created_at), bind(last)));
    }
    let condition = if conditions.is_empty() {
        String::new()
    } else {
        format!(" where {}", conditions.join(" and "))
    };
    let sql = format!(
        "select g.id, g.created_at, g.summary from {from}{condition} order by {age} desc, {id} desc limit {limit}"
    );
    (sql, values)
}
