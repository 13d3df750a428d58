//! The database's schema in memory, and how a statement goes about its work.

use rusqlite::Connection;
use std::path::{Path, PathBuf};

/// The migrations, oldest first.
pub fn migrations() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
    let entries = std::fs::read_dir(directory).expect("the migrations");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "sql"))
        .collect();
    paths.sort();
    paths
}

/// Applies a migration.
pub fn migrate(db: &Connection, path: &Path) {
    let sql = std::fs::read_to_string(path).expect("a migration");
    let applied = db.execute_batch(&sql);
    applied.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// A database with every migration applied, and with the table in which wrangler notes them.
#[allow(dead_code, reason = "not every test needs it")]
pub fn migrated() -> Connection {
    let db = Connection::open_in_memory().expect("a database");
    db.execute_batch("create table d1_migrations (id integer primary key, name text)")
        .expect("created");
    for path in migrations() {
        migrate(&db, &path);
    }
    db
}

/// The statements that stand in a source file as they are, outside of its tests.
#[allow(dead_code, reason = "not every test needs it")]
pub fn statements_of(source: &str) -> Vec<String> {
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    let texts = code.split('"').skip(1).step_by(2);
    let begins = |text: &&str| {
        ["select ", "insert ", "update ", "delete "]
            .iter()
            .any(|verb| text.starts_with(verb))
    };
    // One with braces is put together at run time.
    texts
        .filter(begins)
        .filter(|text| !text.contains('{'))
        .map(str::to_owned)
        .collect()
}

/// The plan of a statement, a line a step.
#[allow(dead_code, reason = "not every test needs it")]
pub fn plan(db: &Connection, sql: &str) -> Vec<String> {
    let mut statement = db
        .prepare(&format!("explain query plan {sql}"))
        .unwrap_or_else(|error| panic!("{sql}: {error}"));
    let nothing = vec![rusqlite::types::Null; statement.parameter_count()];
    let steps = statement
        .query_map(rusqlite::params_from_iter(nothing), |row| row.get(3))
        .expect("a plan");
    steps.map(|step| step.expect("a step")).collect()
}

/// The steps that walk through a whole table. What is not a table, or has a row a migration, may be walked through; so may an index
/// of the few rows that still wait for something.
#[allow(dead_code, reason = "not every test needs it")]
pub fn walks(plan: &[String]) -> Vec<&String> {
    let harmless = [
        "CONSTANT ROW",
        "VIRTUAL TABLE",
        "SCAN d1_migrations",
        "USING INDEX challenges_unbegun",
    ];
    let walk = |step: &&String| {
        let whole = step.starts_with("SCAN") || step.contains("AUTOMATIC");
        whole && !harmless.iter().any(|each| step.contains(each))
    };
    plan.iter().filter(walk).collect()
}
