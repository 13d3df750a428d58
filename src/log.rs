//! Logs: one JSON line an entry, with a dotted name and plain fields. Never a token, a password, a text of a chat or
//! an address of a person.

use serde_json::{Map, Value, json};
use std::cell::Cell;
use worker::Env;

thread_local! {
    /// Whether only errors are logged.
    static ERRORS_ONLY: Cell<bool> = const { Cell::new(false) };
}

/// A field of an entry: its name and its value.
pub type Field<'a> = (&'a str, Value);

/// Reads from the configuration how much is logged.
pub fn configure(env: &Env) {
    let level = env.var("LOG_LEVEL");
    ERRORS_ONLY.set(level.is_ok_and(|level| level.to_string() == "error"));
}

/// Something to know.
pub fn info(event: &str, fields: &[Field<'_>]) {
    if ERRORS_ONLY.get() {
        return;
    }
    worker::console_log!("{}", line("info", event, fields));
}

/// Something to look into.
pub fn error(event: &str, fields: &[Field<'_>]) {
    worker::console_error!("{}", line("error", event, fields));
}

/// A field for what went wrong.
pub fn cause(error: &dyn std::fmt::Display) -> Field<'static> {
    ("error", json!(error.to_string()))
}

fn line(level: &str, event: &str, fields: &[Field<'_>]) -> Value {
    let mut line = Map::new();
    line.insert("level".to_owned(), json!(level));
    line.insert("event".to_owned(), json!(event));
    for (name, value) in fields {
        line.insert((*name).to_owned(), value.clone());
    }
    Value::Object(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_one_line_of_json_whatever_its_texts() {
        let written = line(
            "error",
            "table.away",
            &[cause(&"a\nb \"c\""), ("duration_ms", json!(3))],
        )
        .to_string();
        assert!(!written.contains('\n'));
        let read: Value = serde_json::from_str(&written).expect("JSON");
        assert_eq!(
            (&read["event"], &read["duration_ms"]),
            (&json!("table.away"), &json!(3))
        );
    }
}
