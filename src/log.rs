//! Logs: one JSON line an entry, with a dotted name and plain fields. Never a token, a password, a text of a chat or
//! an address of a person.

use serde_json::{Map, Value, json};

/// Something to know.
pub fn info(event: &str, fields: &[(&str, &str)]) {
    worker::console_log!("{}", line("info", event, fields));
}

/// Something to look into.
pub fn error(event: &str, fields: &[(&str, &str)]) {
    worker::console_error!("{}", line("error", event, fields));
}

fn line(level: &str, event: &str, fields: &[(&str, &str)]) -> Value {
    let mut line = Map::new();
    line.insert("level".to_owned(), json!(level));
    line.insert("event".to_owned(), json!(event));
    for (name, value) in fields {
        line.insert((*name).to_owned(), json!(value));
    }
    Value::Object(line)
}
