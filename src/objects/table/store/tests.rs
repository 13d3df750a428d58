//! The statements about debts, on SQLite.

use super::{CREATE, NUMBER_DEBTS, OWE, POSTPONE, REWRITE_DEBT, SETTLE};
use rusqlite::Connection;

fn new() -> Connection {
    let db = Connection::open_in_memory().expect("a database");
    db.execute_batch(CREATE).expect("created");
    db
}

fn owe(db: &Connection, number: u32, kind: &str, body: &str) {
    db.execute(OWE, (number, kind, 7, body)).expect("owed");
}

/// What is owed: the kind, the text and how often it was tried.
fn owed(db: &Connection) -> Vec<(String, String, u32)> {
    let mut select = db
        .prepare("select kind, body, attempts from debts order by kind")
        .expect("a query");
    let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
    rows.expect("runs").map(|row| row.expect("a row")).collect()
}

#[test]
fn a_debt_that_is_replaced_while_it_is_paid_stays_whatever_it_says() {
    let db = new();
    owe(&db, 1, "presence", "{\"here\":true}");
    owe(&db, 2, "presence", "{\"here\":false}");
    // The same words as at first, and yet they are not the ones that were delivered.
    owe(&db, 3, "presence", "{\"here\":true}");
    for paid in [1, 2] {
        db.execute(SETTLE, [paid]).expect("settled");
        db.execute(POSTPONE, (60_000, paid)).expect("postponed");
        assert_eq!(
            owed(&db),
            [("presence".to_owned(), "{\"here\":true}".to_owned(), 0)]
        );
    }
    db.execute(SETTLE, [3]).expect("settled");
    assert_eq!(owed(&db), []);
}

#[test]
fn p4_a_debt_that_is_rewritten_is_settled_when_it_is_paid_as_it_is_now() {
    let db = new();
    owe(&db, 1, "next_game", "{\"name\":\"Aki\",\"id\":1}");
    owe(&db, 2, "summary", "{}");
    // As JSON that is put together anew: the members have another order.
    let rewritten = "{\"id\":1,\"name\":\"(deleted)\"}";
    db.execute(REWRITE_DEBT, (rewritten, 3, "next_game"))
        .expect("rewritten");
    db.execute(SETTLE, [1]).expect("the old name was delivered");
    assert_eq!(owed(&db).len(), 2, "the new one was not");
    db.execute(POSTPONE, (1000, 3)).expect("postponed");
    assert_eq!(owed(&db)[0], ("next_game".to_owned(), rewritten.to_owned(), 1));
    db.execute(SETTLE, [3]).expect("settled");
    assert_eq!(owed(&db), [("summary".to_owned(), "{}".to_owned(), 0)]);
}

#[test]
fn debts_of_an_object_from_before_they_had_numbers_get_one_each() {
    let db = Connection::open_in_memory().expect("a database");
    db.execute_batch(
        "create table debts (kind text primary key, seq integer not null, body text not null,
           attempts integer not null, due integer not null);
         insert into debts values ('summary', 3, 'a', 2, 0), ('offer', 3, 'b', 0, 0), ('next_game', 3, 'c', 0, 0)",
    )
    .expect("as it was");
    db.execute_batch(NUMBER_DEBTS).expect("numbered");
    let numbers = "select count(distinct number), min(number), max(number) from debts";
    let found = db.query_row(numbers, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
    let (distinct, least, most): (u32, u32, u32) = found.expect("numbers");
    assert!(distinct == 3 && least > 0, "{distinct} {least}");
    owe(&db, most + 1, "summary", "newer");
    assert_eq!(owed(&db)[2], ("summary".to_owned(), "newer".to_owned(), 0));
    assert_eq!(owed(&db).len(), 3);
}
