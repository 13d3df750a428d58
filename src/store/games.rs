//! The index of tables: what is searched across them. The tables' objects hold the truth.

use super::{batch, in_time, ratings};
use crate::game::{PlayerId, RatedResult, Seq, Summary, Visibility};
use serde::Deserialize;
use serde_json::Value;
use worker::wasm_bindgen::JsValue;
use worker::{D1Database, D1PreparedStatement, query};

/// Which tables to list: those that agree with every field that is given.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// In this state; without one, in any but `closed`. The index does not tell `counting` from `playing`: the tables do.
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
    /// Closed ones too, where no state is asked for.
    pub closed_too: bool,
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
    match &summary.rated {
        Some(result) => ratings::apply(db, (&summary.id, seq), result, || statements(db, seq, summary)).await,
        None => batch(db, statements(db, seq, summary)?).await.map(|_| ()),
    }
}

/// Has a running table told that a player is called otherwise than it says: player, table, time. He has become an account while the index
/// did not know of it.
const CALLED_OTHERWISE: &str = "insert or ignore into errands (table_id, kind, subject, player_id, due)
     select g.id, 'renamed', p.id, p.id, ?3 from games g cross join players p
     where g.id = ?2 and p.id = ?1 and p.deleted_at is null and g.state in ('waiting', 'playing', 'counting')
     and p.name != case p.id when g.summary ->> '$.creator.id' then g.summary ->> '$.creator.name'
       when g.summary ->> '$.seats.black.id' then g.summary ->> '$.seats.black.name'
       when g.summary ->> '$.seats.white.id' then g.summary ->> '$.seats.white.name' end";

/// The table and its players. One who has deleted himself meanwhile is to be removed from the table, which may not know, and one who has
/// another name is to be called by it.
fn statements(
    db: &D1Database,
    seq: Seq,
    summary: &StoredSummary,
) -> worker::Result<Vec<D1PreparedStatement>> {
    let mut statements = vec![upsert(db, seq, summary)?];
    for player in &summary.players {
        statements.push(query!(
            db,
            "insert or ignore into game_players (player_id, game_id, created_at) values (?1, ?2, ?3)",
            player,
            summary.id,
            summary.created_at
        )?);
        statements.push(query!(
            db,
            "insert or ignore into errands (table_id, kind, subject, player_id, due)
             select ?2, 'left', id, id, ?3 from players where id = ?1 and deleted_at is not null",
            player,
            summary.id,
            summary.created_at
        )?);
        statements.push(query!(
            db,
            CALLED_OTHERWISE,
            player,
            summary.id,
            summary.created_at
        )?);
    }
    Ok(statements)
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
    /// What counts for Elo, once it does.
    #[serde(default)]
    rated: Option<RatedResult>,
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
            state: state_in_index(summary.state).to_owned(),
            ruleset: summary.terms.ruleset.id.to_owned(),
            board: summary.terms.board.to_string(),
            ranked: summary.terms.ranked,
            private: summary.terms.visibility == Visibility::Private,
            created_at: summary.created_at.as_millis(),
            players,
            rated: summary.rated(),
            summary: serde_json::to_value(summary)?,
        })
    }
}

/// A table's state as the index has it. Whether a running game is being counted right now changes too often for it.
fn state_in_index(state: &str) -> &str {
    match state {
        "counting" => "playing",
        other => other,
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
    let values: Vec<JsValue> = values.into_iter().map(Bound::into_js).collect();
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

/// A value that goes into a statement.
#[derive(Clone, Debug, PartialEq)]
enum Bound {
    Text(String),
    Number(f64),
}

impl Bound {
    fn into_js(self) -> JsValue {
        match self {
            Bound::Text(text) => JsValue::from_str(&text),
            Bound::Number(number) => JsValue::from_f64(number),
        }
    }
}

/// The statement for a listing. Only the conditions that are asked for stand in it, so that an index can serve.
fn listing(filter: &Filter, after: Option<&Place>, limit: u32) -> (String, Vec<Bound>) {
    let mut values = Vec::new();
    let mut bind = |value: Bound| {
        values.push(value);
        format!("?{}", values.len())
    };
    let mut conditions = Vec::new();
    // A player's tables are found by himself, in the order in which they are kept.
    let (from, age, id) = match &filter.player {
        Some(player) => {
            conditions.push(format!("p.player_id = {}", bind(Bound::Text(player.to_string()))));
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
    if filter.state.is_none() && !filter.closed_too {
        conditions.push("g.state != 'closed'".to_owned());
    }
    let state = filter
        .state
        .as_deref()
        .map(|state| state_in_index(state).to_owned());
    for (column, value) in [
        ("state", &state),
        ("ruleset", &filter.ruleset),
        ("board", &filter.board),
    ] {
        if let Some(value) = value {
            conditions.push(format!("g.{column} = {}", bind(Bound::Text(value.clone()))));
        }
    }
    if let Some(ranked) = filter.ranked {
        conditions.push(format!("g.ranked = {}", u8::from(ranked)));
    }
    if let Some(place) = after {
        let (created_at, last) = (
            Bound::Number(place.created_at as f64),
            Bound::Text(place.id.clone()),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::schema::{migrated, plan, walks};

    #[test]
    fn no_listing_walks_through_all_games() {
        let db = migrated();
        let some = |text: &str| Some(text.to_owned());
        let player = PlayerId::from_seed([1; 16]);
        for choice in 0..64u32 {
            let when = |bit: u32| choice & (1 << bit) != 0;
            let filter = Filter {
                state: some("waiting").filter(|_| when(0)),
                ruleset: some("baduk").filter(|_| when(1)),
                board: some("9x9").filter(|_| when(2)),
                ranked: Some(true).filter(|_| when(3)),
                player: Some(player.clone()).filter(|_| when(4)),
                // Only a player's own list has private tables.
                private_too: when(4) && when(5),
                closed_too: when(4) && when(5),
            };
            let place = Place {
                created_at: 1,
                id: "t".to_owned(),
            };
            for after in [None, Some(&place)] {
                let (sql, values) = listing(&filter, after, 50);
                let plan = plan(&db, &sql);
                assert!(walks(&plan).is_empty(), "{sql}\n{plan:#?}");
                assert!(
                    !plan.iter().any(|step| step.contains("TEMP B-TREE")),
                    "{sql}\n{plan:#?}"
                );
                // Each thing that is asked for alone is found, not filtered out of all public games.
                if (0..4).any(when) && !when(4) {
                    let equal = plan.first().map_or(0, |step| step.matches("=?").count());
                    assert!(equal >= 2, "{sql}\n{plan:#?}");
                }
                assert_eq!(values.len(), sql.matches('?').count());
            }
        }
    }

    #[test]
    fn t1_a_game_that_is_counted_is_found_among_those_that_run() {
        let listed = |state: &str| {
            let filter = Filter {
                state: Some(state.to_owned()),
                ..Filter::default()
            };
            listing(&filter, None, 50)
        };
        assert_eq!(listed("counting"), listed("playing"));
        assert_ne!(listed("counting"), listed("finished"));
        assert_eq!(state_in_index("counting"), "playing");
    }

    #[test]
    fn p2_a_table_that_calls_somebody_by_an_older_name_is_told() {
        let db = migrated();
        db.execute_batch(
            r#"insert into players (id, kind, name, created_at) values ('aki', 'account', 'Akimoto', 0), ('bo', 'guest', 'Bo', 0);
               insert into players (id, kind, name, created_at, deleted_at) values ('gone', 'guest', '(deleted)', 0, 1);"#,
        )
        .expect("kept");
        let told = |table: &str, state: &str, summary: &str| {
            db.execute(
                "insert into games values (?1, 1, ?2, 'baduk', '9x9', 0, 'public', 0, ?3)",
                [table, state, summary],
            )
            .expect("kept");
            let tell = |player: &str| {
                let values = rusqlite::params![player, table, 5];
                db.execute(CALLED_OTHERWISE, values).expect("runs")
            };
            [tell("aki"), tell("bo"), tell("gone")]
        };
        let seated = |black: &str| {
            format!(
                r#"{{"creator": {{"id": "bo", "name": "Bo"}}, "seats": {{"black": {black}, "white": {{"id": "bo", "name": "Bo"}}}}}}"#
            )
        };
        let old = seated(r#"{"id": "aki", "name": "Guest 1"}"#);
        assert_eq!(told("t1", "playing", &old), [1, 0, 0]);
        assert_eq!(
            told(
                "t2",
                "waiting",
                r#"{"creator": {"id": "aki", "name": "Guest 1"}, "seats": {}}"#
            ),
            [1, 0, 0]
        );
        assert_eq!(told("t3", "finished", &old), [0, 0, 0]);
        assert_eq!(
            told("t4", "playing", &seated(r#"{"id": "aki", "name": "Akimoto"}"#)),
            [0, 0, 0]
        );
        assert_eq!(
            told("t5", "playing", &seated(r#"{"id": "gone", "name": "Gone"}"#)),
            [0, 0, 0]
        );
    }
}
