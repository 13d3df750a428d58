//! What a server has stored: the database and the tables' own storage, read as they are on the disk.

use super::{Guest, PATIENCE, Server, server};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// What a server has stored.
pub struct Stored<'a> {
    server: &'a Server,
}

impl<'a> Stored<'a> {
    pub fn of(server: &'a Server) -> Stored<'a> {
        Stored { server }
    }

    /// Where a text stands: the tables of the database and of the objects that have it in some column.
    pub fn places_of(&self, text: &str) -> Vec<String> {
        let mut places = Vec::new();
        for path in self.files() {
            let db = open(&path);
            for table in tables(&db) {
                if holds(&db, &table, text) {
                    let kind = path
                        .parent()
                        .and_then(|parent| parent.file_name())
                        .unwrap_or_default();
                    places.push(format!("{}: {table}", kind.to_string_lossy()));
                }
            }
        }
        places.sort();
        places.dedup();
        places
    }

    /// The first column of the first row of a query of the database, as text.
    #[track_caller]
    pub fn ask(&self, sql: &str) -> Option<String> {
        let db = open(&self.database());
        let mut statement = db.prepare(sql).expect("a query");
        let mut rows = statement.query([]).expect("runs");
        let row = rows.next().expect("runs")?;
        text_of(row.get_ref(0).expect("a column"))
    }

    /// Changes something in the database behind the server's back.
    #[track_caller]
    pub fn change(&self, sql: &str) {
        let db = Connection::open(self.database()).expect("a database");
        db.busy_timeout(Duration::from_secs(5)).expect("patience");
        db.execute_batch(sql).expect("changed");
    }

    fn database(&self) -> PathBuf {
        let files = self.files().into_iter();
        let mut databases = files.filter(|path| open(path).prepare("select 1 from players").is_ok());
        databases.next().expect("a database")
    }

    fn files(&self) -> Vec<PathBuf> {
        let mut files = Vec::new();
        for family in ["d1", "do"] {
            let family = self.server.state().join("v3").join(family);
            for directory in std::fs::read_dir(family).into_iter().flatten().flatten() {
                let entries = std::fs::read_dir(directory.path())
                    .into_iter()
                    .flatten()
                    .flatten();
                let paths = entries.map(|entry| entry.path());
                // The platform's own notes beside the objects' storage are not ours.
                files.extend(paths.filter(|path| {
                    path.extension().is_some_and(|extension| extension == "sqlite")
                        && path.file_name().is_none_or(|name| name != "metadata.sqlite")
                }));
            }
        }
        files
    }
}

fn open(path: &PathBuf) -> Connection {
    let db = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).expect("a database");
    db.busy_timeout(Duration::from_secs(5)).expect("patience");
    db
}

fn tables(db: &Connection) -> Vec<String> {
    let mut statement = db
        .prepare("select name from sqlite_master where type = 'table'")
        .expect("a query");
    let names = statement.query_map([], |row| row.get(0)).expect("runs");
    names.map(|name| name.expect("a name")).collect()
}

fn holds(db: &Connection, table: &str, wanted: &str) -> bool {
    // Tables of the platform cannot all be read.
    let Ok(mut statement) = db.prepare(&format!("select * from \"{table}\"")) else {
        return false;
    };
    let columns = statement.column_count();
    let mut rows = statement.query([]).expect("runs");
    while let Ok(Some(row)) = rows.next() {
        let mut cells = (0..columns).filter_map(|column| text_of(row.get_ref(column).expect("a column")));
        if cells.any(|cell| cell.contains(wanted)) {
            return true;
        }
    }
    false
}

fn text_of(value: ValueRef<'_>) -> Option<String> {
    match value {
        ValueRef::Null => None,
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Real(number) => Some(number.to_string()),
        ValueRef::Text(text) | ValueRef::Blob(text) => Some(String::from_utf8_lossy(text).into_owned()),
    }
}

/// Waits until something holds.
#[track_caller]
pub fn wait_until(what: &str, holds: impl Fn() -> bool) {
    wait_for(what, || holds().then_some(()));
}

/// Waits until there is something, and brings it.
#[track_caller]
pub fn wait_for<T>(what: &str, look: impl Fn() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < deadline, "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Waits until the index of the shared server knows that a player is connected somewhere, and so whom to tell of changes.
#[allow(dead_code, reason = "the benches share this file, and change nothing")]
#[track_caller]
pub fn wait_until_present(player: &Guest) {
    let sql = format!("select count(*) from presence where player_id = '{}'", player.id);
    wait_until("the index knows that he is there", || {
        Stored::of(server()).ask(&sql).as_deref() != Some("0")
    });
}
