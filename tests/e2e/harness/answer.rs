//! Answers over HTTP.

use serde_json::Value;
use std::io::Read;

/// An answer, read in full.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: String,
    /// The body as JSON; null when it is none.
    pub json: Value,
}

impl Answer {
    /// Reads an answer; an error if it breaks off.
    pub fn read(mut response: ureq::http::Response<ureq::Body>) -> Result<Answer, std::io::Error> {
        let mut body = Vec::new();
        response.body_mut().as_reader().read_to_end(&mut body)?;
        let status = response.status().as_u16();
        Ok(Answer::new(status, response.headers(), body))
    }

    /// An answer with this body.
    pub fn new(status: u16, headers: &ureq::http::HeaderMap, body: Vec<u8>) -> Answer {
        let body = String::from_utf8(body).expect("an answer is UTF-8");
        let text = |(name, value): (&ureq::http::HeaderName, &ureq::http::HeaderValue)| {
            (
                name.to_string(),
                String::from_utf8_lossy(value.as_bytes()).into_owned(),
            )
        };
        Answer {
            status,
            headers: headers.iter().map(text).collect(),
            json: serde_json::from_str(&body).unwrap_or(Value::Null),
            body,
        }
    }

    /// A header, by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(each, _)| each == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The body, of an answer that must have this status.
    #[track_caller]
    pub fn ok(self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.body);
        self.json
    }

    /// The body, of an answer that must be the problem with this code, in the form that every problem has.
    #[track_caller]
    pub fn problem(self, status: u16, code: &str) -> Value {
        assert_eq!(
            (self.status, &self.json["code"]),
            (status, &Value::from(code)),
            "{}",
            self.body
        );
        assert_eq!(self.header("content-type"), Some("application/problem+json"));
        assert_eq!(self.json["status"], status);
        assert_eq!(self.json["type"], format!("urn:hoshi:problem:{code}"));
        for member in ["title", "detail"] {
            let text = self.json[member].as_str().unwrap_or_default();
            assert!(!text.is_empty(), "no {member}: {}", self.body);
        }
        self.json
    }

    /// The body, of an answer that must be the problem with this code and name this field.
    #[track_caller]
    pub fn problem_of(self, status: u16, code: &str, field: &str) -> Value {
        let body = self.problem(status, code);
        assert_eq!(body["field"], field, "{body}");
        body
    }
}
