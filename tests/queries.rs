//! Every statement of `src/store` is looked up by an index: none walks through a table that grows (`EXPLAIN QUERY PLAN`).
//!
//! The statements are read from the sources, so that none can be forgotten. The one that is put together at run time has its test
//! beside it, in `src/store/games.rs`.

#[path = "support/database.rs"]
mod database;

use database::{migrated, plan, statements_of, walks};
use std::path::Path;

#[test]
fn no_statement_walks_through_a_table() {
    let db = migrated();
    let mut files: Vec<_> = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/store"))
        .expect("the sources")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    let mut seen = 0;
    for file in files {
        let source = std::fs::read_to_string(&file).expect("a source");
        for sql in statements_of(&source) {
            let plan = plan(&db, &sql);
            assert!(walks(&plan).is_empty(), "{}: {sql}\n{plan:#?}", file.display());
            seen += 1;
        }
    }
    assert!(seen > 50, "only {seen} statements were found");
}

#[test]
fn a_walk_would_be_noticed() {
    let db = migrated();
    for sql in [
        "select * from players where name = ?1",
        "select * from games order by seq",
        "delete from sessions where created_at < ?1",
    ] {
        assert_eq!(walks(&plan(&db, sql)).len(), 1, "{sql}");
    }
}
