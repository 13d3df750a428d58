//! Old code survives the newest migration: it runs while the new code is being deployed, and again if that is rolled back.

#[path = "support/database.rs"]
mod database;

use database::{migrate, migrations};
use rusqlite::Connection;
use rusqlite::types::Value;

/// What the code at an earlier migration asked: its number, and the statements with example values.
const EARLIER: [(&str, &str); 1] = [("0004", include_str!("golden/statements-0004.txt"))];

/// The statements of a golden file, each with its values.
fn statements(text: &str) -> Vec<(&str, Vec<Value>)> {
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect();
    let pairs = lines.chunks(2).map(|pair| {
        let values: Vec<serde_json::Value> = serde_json::from_str(pair[1]).expect("a list of values");
        (pair[0], values.iter().map(bound).collect())
    });
    pairs.collect()
}

/// A value as the runtime binds it: every number as a float.
fn bound(value: &serde_json::Value) -> Value {
    match value {
        serde_json::Value::Number(number) => Value::Real(number.as_f64().expect("a number")),
        serde_json::Value::String(text) => Value::Text(text.clone()),
        _ => Value::Null,
    }
}

/// Runs a statement, and tells how many rows it brings.
fn run(db: &Connection, (sql, values): &(&str, Vec<Value>)) -> usize {
    let mut statement = db.prepare(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    let rows = statement.query_map(rusqlite::params_from_iter(values), |_| Ok(()));
    let rows = rows.unwrap_or_else(|error| panic!("{sql}: {error}"));
    rows.map(|row| row.unwrap_or_else(|error| panic!("{sql}: {error}")))
        .count()
}

fn database_at(number: &str) -> Connection {
    let db = Connection::open_in_memory().expect("a database");
    for path in migrations() {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if name.as_str() < &*format!("{number}~") {
            migrate(&db, &path);
        }
    }
    db
}

#[test]
fn old_code_runs_on_the_newest_schema_as_on_its_own() {
    for (number, text) in EARLIER {
        let statements = statements(text);
        assert!(statements.len() >= 8, "{number}");
        let (then, now) = (database_at(number), database_at("9999"));
        for statement in &statements {
            assert_eq!(run(&then, statement), run(&now, statement), "{}", statement.0);
        }
    }
}

#[test]
fn what_old_code_has_written_is_still_there_after_the_migrations() {
    for (number, text) in EARLIER {
        let db = database_at(number);
        let statements = statements(text);
        let writes = statements.iter().filter(|(sql, _)| sql.starts_with("insert"));
        for statement in writes {
            run(&db, statement);
        }
        for path in migrations() {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            if name.as_str() > &*format!("{number}~") {
                migrate(&db, &path);
            }
        }
        let seen: (String, String, String, Option<i64>) = db
            .query_row(
                "select name, challenges_from, ratings, operator from people where id = '0123456789abcdef'",
                [],
                |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
            )
            .expect("the guest");
        assert_eq!(
            seen,
            ("Aki".to_owned(), "anyone".to_owned(), "{}".to_owned(), None)
        );
    }
}
