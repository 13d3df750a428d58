//! Rate limits (S5): how often who may do what. How often is the operator's choice; the counts are in the database, so they
//! survive restarts.

use super::context::{Asked, database_away};
use crate::clock::Millis;
use crate::game::PlayerId;
use crate::http::{Code, Problem};
use crate::players::{Limit, blinded};
use crate::store;
use std::net::IpAddr;

/// What is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limited {
    /// New guests, by address.
    Guests,
    /// New accounts, by address.
    Accounts,
    /// Tries at a password, by address.
    SignInsFrom,
    /// Tries at a password, by account, whether it exists or not.
    SignInsTo,
    /// New tables, by player.
    Tables,
    /// Challenges, by player.
    Challenges,
    /// Searches, by player.
    Seeks,
    /// Reports, by player.
    Reports,
}

/// Who is limited.
pub(super) enum Subject<'a> {
    /// Whoever is at the request's address.
    Address,
    /// A player.
    Player(&'a PlayerId),
    /// An account's name, as `AccountName::key_of` has it.
    Name(&'a str),
}

impl Limited {
    /// The variable that says how often.
    fn variable(self) -> &'static str {
        match self {
            Limited::Guests => "LIMIT_GUESTS",
            Limited::Accounts => "LIMIT_ACCOUNTS",
            Limited::SignInsFrom => "LIMIT_SIGN_INS_FROM",
            Limited::SignInsTo => "LIMIT_SIGN_INS_TO",
            Limited::Tables => "LIMIT_TABLES",
            Limited::Challenges => "LIMIT_CHALLENGES",
            Limited::Seeks => "LIMIT_SEEKS",
            Limited::Reports => "LIMIT_REPORTS",
        }
    }

    /// How often where the variable does not say: enough for a club behind one address, and too little for guessing.
    fn default(self) -> Limit {
        let hour = Millis::from_secs(3600);
        match self {
            Limited::Guests => Limit::new(60, hour),
            Limited::Accounts => Limit::new(20, hour),
            Limited::SignInsFrom => Limit::new(60, hour),
            Limited::SignInsTo => Limit::new(20, hour),
            Limited::Tables | Limited::Challenges => Limit::new(60, hour),
            Limited::Seeks => Limit::new(300, hour),
            Limited::Reports => Limit::new(20, hour),
        }
    }
}

impl Asked {
    /// Counts one use, or refuses it.
    ///
    /// # Errors
    /// `rate_limited` with how long to wait, or `unavailable` while the database is away.
    pub(super) async fn limit(&self, what: Limited, subject: Subject<'_>) -> Result<(), Problem> {
        let limit = self.configured(what);
        let name = match subject {
            Subject::Address => network(self.header("cf-connecting-ip").as_deref()),
            Subject::Player(player) => player.to_string(),
            Subject::Name(name) => name.to_owned(),
        };
        let subject = format!("{} {name}", what.variable());
        let key = blinded(self.signing_secret().as_bytes(), &subject);
        let waits = store::limits::take(&self.database()?, &key, limit, self.now).await;
        match waits.map_err(|error| database_away(&error))? {
            None => Ok(()),
            Some(wait) => Err(Problem::rate_limited(wait)),
        }
    }

    /// The same, while the database is there to count: games go on without it, and they begin, too.
    ///
    /// # Errors
    /// `rate_limited` with how long to wait.
    pub(super) async fn limit_unless_away(&self, what: Limited, subject: Subject<'_>) -> Result<(), Problem> {
        match self.limit(what, subject).await {
            Err(problem) if problem.code() == Code::RateLimited => Err(problem),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    fn configured(&self, what: Limited) -> Limit {
        let Some(text) = self.variable(what.variable()) else {
            return what.default();
        };
        text.parse().unwrap_or_else(|error| {
            let variable = serde_json::json!(what.variable());
            crate::log::error(
                "configuration.limit",
                &[("variable", variable), crate::log::cause(&error)],
            );
            what.default()
        })
    }
}

/// Whom an address stands for: itself, but of the sixth version the network of 64 bits, which is what one customer has.
fn network(address: Option<&str>) -> String {
    match address.map(str::parse::<IpAddr>) {
        Some(Ok(IpAddr::V4(address))) => address.to_string(),
        Some(Ok(IpAddr::V6(address))) => match address.to_ipv4_mapped() {
            Some(mapped) => mapped.to_string(),
            None => {
                let [a, b, c, d, ..] = address.segments();
                format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
            }
        },
        Some(Err(_)) | None => "unknown".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s5_an_address_stands_for_one_customer() {
        assert_eq!(network(Some("192.0.2.1")), "192.0.2.1");
        assert_eq!(network(Some("::ffff:192.0.2.1")), "192.0.2.1");
        assert_eq!(network(Some("2001:db8:1:2:3:4:5:6")), "2001:db8:1:2::/64");
        assert_eq!(network(Some("2001:db8:1:2::")), "2001:db8:1:2::/64");
        assert_eq!(network(Some("nonsense")), "unknown");
        assert_eq!(network(None), "unknown");
    }
}
