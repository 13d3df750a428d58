//! A request with what every endpoint needs to know of it.

use super::origin::Origin;
use super::router::Routed;
use crate::clock::Timestamp;
use crate::http::{Code, Problem};
use crate::objects::Fault;
use crate::store::Availability;
use worker::{D1Database, Date, Env, Method, Request, Url};

/// A request, the bindings, and when it came.
pub(super) struct Asked {
    pub(super) request: Request,
    pub(super) env: Env,
    pub(super) method: Method,
    pub(super) url: Url,
    pub(super) now: Timestamp,
    pub(super) origin: Origin,
}

impl Asked {
    pub(super) fn new(request: Request, env: Env) -> Result<Asked, Problem> {
        let url = request
            .url()
            .map_err(|_| Problem::bad_field("", "the address cannot be read"))?;
        let method = request.method();
        let now = Timestamp::from_millis(Date::now().as_millis() as i64);
        let mut asked = Asked {
            request,
            env,
            method,
            url,
            now,
            origin: Origin::Own,
        };
        let allowed = asked.variable("ALLOWED_ORIGINS").unwrap_or_default();
        let header = asked.header("origin");
        asked.origin = Origin::judge(header.as_deref(), &asked.own_origin(), &allowed);
        Ok(asked)
    }

    /// Refuses what a page of a foreign origin may not do (X4).
    pub(super) fn check_origin(&self, routed: &Routed) -> Result<(), Problem> {
        let reads = matches!(self.method, Method::Get | Method::Head) && !routed.endpoint.is_socket();
        if self.origin == Origin::Foreign && !reads {
            return Err(Problem::new(
                Code::Forbidden,
                "pages of that origin may not do this",
            ));
        }
        Ok(())
    }

    /// The address of this Hoshi without a path: the variable `PUBLIC_URL`, or as the request was addressed.
    pub(super) fn own_origin(&self) -> String {
        match self.variable("PUBLIC_URL") {
            Some(url) => url.trim_end_matches('/').to_owned(),
            None => self.url.origin().ascii_serialization(),
        }
    }

    /// A header. One that is not text counts as absent.
    pub(super) fn header(&self, name: &str) -> Option<String> {
        self.request.headers().get(name).ok().flatten()
    }

    /// The value of a parameter in the query.
    pub(super) fn query(&self, name: &str) -> Option<String> {
        self.url
            .query_pairs()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.into_owned())
    }

    /// Refuses a query with a parameter that the endpoint does not know: usually a misspelt one.
    pub(super) fn allow_queries(&self, known: &[&str]) -> Result<(), Problem> {
        let unknown = self
            .url
            .query_pairs()
            .find(|(key, _)| !known.contains(&key.as_ref()));
        match unknown {
            Some((key, _)) => Err(Problem::bad_field(
                key.clone(),
                format!("there is no parameter \"{key}\" here"),
            )),
            None => Ok(()),
        }
    }

    /// A configuration variable that is set to something.
    pub(super) fn variable(&self, name: &str) -> Option<String> {
        let value = self.env.var(name).ok()?.to_string();
        Some(value).filter(|value| !value.is_empty())
    }

    /// The accounts' database.
    pub(super) fn database(&self) -> Result<D1Database, Problem> {
        crate::store::database(&self.env).map_err(|error| database_away(&error))
    }

    /// The key that signs tokens; empty where the operator has not set one.
    pub(super) fn signing_secret(&self) -> String {
        let secret = self.env.secret("SIGNING_SECRET");
        secret.map(|secret| secret.to_string()).unwrap_or_default()
    }

    /// Makes the database be away or back, where a test asks for it and the configuration allows it.
    pub(super) fn make_fault(&self) {
        match self.fault() {
            Some(Fault::DatabaseAway) => crate::store::set_availability(Availability::Away),
            Some(Fault::DatabaseMute) => crate::store::set_availability(Availability::Mute),
            Some(Fault::DatabaseSlow) => crate::store::set_availability(Availability::Slow),
            Some(Fault::DatabaseBack) => crate::store::set_availability(Availability::There),
            _ => {}
        }
    }

    /// The fault that a test asks for, where the configuration allows it.
    pub(super) fn fault(&self) -> Option<Fault> {
        let allowed = self.variable("FAULTS").is_some_and(|value| value == "on");
        let asked = self.header("x-hoshi-fault").filter(|_| allowed)?;
        serde_json::from_value(serde_json::Value::String(asked)).ok()
    }
}

/// Notes that the database is away, and tells the client as much as he needs to know.
pub(super) fn database_away(error: &worker::Error) -> Problem {
    crate::log::error("database.away", &[crate::log::cause(&error)]);
    Problem::unavailable()
}
