//! How the service itself is doing.

use super::Answer;
use super::context::Asked;
use crate::http::{Problem, json};
use crate::store;
use serde_json::json;

/// `GET /healthz`: 200 with the versions of code and schema, 503 while the database is away.
pub(super) async fn health(asked: &Asked) -> Answer {
    let schema = match asked.database() {
        Ok(db) => store::schema_version(&db)
            .await
            .map_err(|error| error.to_string()),
        Err(_) => Err("the Worker is not bound to a database".to_owned()),
    };
    let version = env!("CARGO_PKG_VERSION");
    let response = match schema {
        Ok(schema) => json(
            200,
            &json!({"status": "ok", "version": version, "schema": schema}),
        ),
        Err(error) => {
            crate::log::error("health.database_away", &[crate::log::cause(&error)]);
            json(
                503,
                &json!({"status": "unavailable", "version": version, "schema": null}),
            )
        }
    };
    response.map_err(|_| Problem::internal())
}
