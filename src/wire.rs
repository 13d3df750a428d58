//! Reading JSON from clients: strictly, and with the name of the field that is wrong.

use serde::de::DeserializeOwned;
use serde_json::Value;

/// Why a JSON value is not what a call takes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{detail}")]
pub struct WireError {
    /// The field at fault, dotted for nested ones: `clock.system`. Empty when the value itself is.
    pub field: String,
    /// What is wrong with it, for people.
    pub detail: String,
}

/// Reads a value. A field that the type does not know is an error, since it is usually a misspelt option.
///
/// # Errors
/// The first fault, with its field.
pub fn decode<T: DeserializeOwned>(value: Value) -> Result<T, WireError> {
    decode_with_lists(value, &[])
}

/// The same, where lists are expected in these fields, dotted for nested ones; their items hold no further ones.
///
/// # Errors
/// The first fault, with its field.
pub fn decode_with_lists<T: DeserializeOwned>(value: Value, lists: &[&str]) -> Result<T, WireError> {
    if let Some(path) = first_list(&value, &mut Vec::new(), lists) {
        return Err(WireError {
            field: path.join("."),
            detail: "a list is not expected here".to_owned(),
        });
    }
    let mut unknown = None;
    let mut track = serde_path_to_error::Track::new();
    let tracked = serde_path_to_error::Deserializer::new(value, &mut track);
    let decoded = serde_ignored::deserialize(tracked, |path| {
        unknown.get_or_insert_with(|| path.to_string());
    });
    match (decoded, unknown) {
        (Ok(decoded), None) => Ok(decoded),
        (Ok(_), Some(field)) => {
            let field = field.replace(".?", "");
            Err(WireError {
                detail: format!("there is no field \"{field}\" here"),
                field,
            })
        }
        (Err(error), _) => Err(fault(&track.path().to_string(), &error.to_string())),
    }
}

/// Where the first list in a value is that is not expected there: serde would read `["none"]` as it does
/// `{"system": "none"}`. `path` is where the value stands itself: names only, of which nothing is copied, since whoever
/// sends them decides how long they are.
fn first_list<'v>(value: &'v Value, path: &mut Vec<&'v str>, expected: &[&str]) -> Option<Vec<&'v str>> {
    let nested = |value: &Value| matches!(value, Value::Array(_) | Value::Object(_));
    match value {
        Value::Array(items) => {
            let is_here = |field: &&str| field.split('.').eq(path.iter().copied());
            let fine = expected.iter().any(is_here) && !items.iter().any(nested);
            (!fine).then(|| path.clone())
        }
        Value::Object(fields) => fields.iter().find_map(|(name, value)| {
            path.push(name);
            let found = first_list(value, path, expected);
            path.pop();
            found
        }),
        _ => None,
    }
}

/// The fault that serde describes. A field that is missing or one too many is named by serde's message only, not by
/// the path.
fn fault(path: &str, message: &str) -> WireError {
    let path = if path == "." { "" } else { path };
    let named = message
        .strip_prefix("missing field `")
        .or(message.strip_prefix("unknown field `"))
        .and_then(|rest| rest.split('`').next());
    let field = match (path, named) {
        (path, None) => path.to_owned(),
        ("", Some(name)) => name.to_owned(),
        (path, Some(name)) => format!("{path}.{name}"),
    };
    WireError {
        field,
        detail: message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use serde_json::json;

    #[derive(Debug, Deserialize, PartialEq)]
    struct Outer {
        number: u32,
        inner: Option<Inner>,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    struct Inner {
        name: String,
    }

    #[track_caller]
    fn check(value: Value, field: &str) {
        let error = decode::<Outer>(value).expect_err("refused");
        assert_eq!(error.field, field, "{error:?}");
        assert!(!error.detail.is_empty());
    }

    #[derive(Debug, Deserialize, PartialEq)]
    struct Listing {
        names: Vec<String>,
        inner: Option<Inner>,
    }

    #[test]
    fn x5_lists_are_read_where_they_are_expected_only() {
        let read = |value| decode_with_lists::<Listing>(value, &["names"]).map_err(|error| error.field);
        let names = vec!["a".to_owned()];
        assert_eq!(read(json!({"names": ["a"]})), Ok(Listing { names, inner: None }));
        assert_eq!(read(json!({"names": [["a"]]})), Err("names".to_owned()));
        assert_eq!(read(json!({"names": [{}]})), Err("names".to_owned()));
        assert_eq!(read(json!({"names": [7]})), Err("names[0]".to_owned()));
        assert_eq!(
            read(json!({"names": [], "inner": ["a"]})),
            Err("inner".to_owned())
        );
        assert_eq!(read(json!([])), Err(String::new()));
    }

    #[test]
    fn x5_a_list_is_expected_where_a_path_leads_and_nowhere_else() {
        let value = json!({"dead": {"black": ["A1"], "white": []}, "why": 1});
        let field = |lists: &[&str]| first_list(&value, &mut Vec::new(), lists).map(|path| path.join("."));
        assert_eq!(field(&["dead.black", "dead.white"]), None);
        assert_eq!(field(&["dead.white"]).as_deref(), Some("dead.black"));
        assert_eq!(field(&["dead.black", "white"]).as_deref(), Some("dead.white"));
        // A name with a dot in it is one name.
        let odd = json!({"dead.black": ["A1"]});
        assert!(first_list(&odd, &mut Vec::new(), &["dead.black"]).is_some());
    }

    #[test]
    fn x5_long_names_are_read_in_linear_time() {
        // A name of 32 KB over thousands of fields: 64 KB sent, which must not become gigabytes copied.
        let fields: serde_json::Map<String, Value> = (0..60_000)
            .map(|number| (format!("{number:x}"), json!(1)))
            .collect();
        let long = "a".repeat(2_000_000);
        let value = json!({ long: fields });
        assert_eq!(first_list(&value, &mut Vec::new(), &[]), None);
    }

    #[test]
    fn x5_the_field_at_fault_is_named() {
        check(json!({"number": "1"}), "number");
        check(json!({"number": -1}), "number");
        check(json!({"number": 1e300}), "number");
        check(json!({}), "number");
        check(json!({"number": 1, "inner": {}}), "inner.name");
        check(json!({"number": 1, "inner": {"name": 3}}), "inner.name");
        check(json!({"number": 1, "nmuber": 1}), "nmuber");
        check(
            json!({"number": 1, "inner": {"name": "a", "extra": []}}),
            "inner.extra",
        );
        check(json!([]), "");
        check(json!([1]), "");
        check(json!({"number": [1]}), "number");
        check(json!({"number": 1, "inner": ["a"]}), "inner");
        check(json!({"number": 1, "inner": {"name": ["a"]}}), "inner.name");
        check(json!("text"), "");
        assert_eq!(
            decode::<Outer>(json!({"number": 1})),
            Ok(Outer {
                number: 1,
                inner: None
            })
        );
    }
}
