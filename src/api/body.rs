//! Reading a request's body, within bounds.

use super::context::Asked;
use crate::http::{Code, Problem};
use crate::wire;
use futures_util::StreamExt;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The largest body that is read: more than any call needs. A correction that names every point of the largest board is 4 KiB, a report
/// with all that it may say in the largest characters 20 KiB.
const MAX_BODY_BYTES: usize = 64 * 1024;

impl Asked {
    /// The body's bytes.
    ///
    /// # Errors
    /// `payload_too_large`, before more than the limit has been read.
    async fn body(&mut self) -> Result<Vec<u8>, Problem> {
        let declared = self
            .header("content-length")
            .and_then(|length| length.parse::<u64>().ok());
        if declared.is_some_and(|length| length > MAX_BODY_BYTES as u64) {
            return Err(too_large());
        }
        let mut bytes = Vec::new();
        // A request without a body has no stream.
        let Ok(mut stream) = self.request.stream() else {
            return Ok(bytes);
        };
        while let Some(chunk) = stream.next().await {
            let chunk = chunk.map_err(|_| Problem::new(Code::BadRequest, "the body broke off"))?;
            if bytes.len() + chunk.len() > MAX_BODY_BYTES {
                return Err(too_large());
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    }

    /// The body as JSON.
    ///
    /// # Errors
    /// `payload_too_large`, `bad_json`.
    pub(super) async fn json(&mut self) -> Result<Value, Problem> {
        let bytes = self.body().await?;
        serde_json::from_slice(&bytes)
            .map_err(|error| Problem::new(Code::BadJson, format!("not JSON: {error}")))
    }

    /// The body as `T`, in which lists are expected in these fields.
    ///
    /// # Errors
    /// `payload_too_large`, `bad_json`, or `bad_request` with the field.
    pub(super) async fn read_with_lists<T: DeserializeOwned>(
        &mut self,
        lists: &[&str],
    ) -> Result<T, Problem> {
        let value = self.json().await?;
        Ok(wire::decode_with_lists(value, lists)?)
    }

    /// The body as `T`; an empty body is the empty object.
    ///
    /// # Errors
    /// `payload_too_large`, `bad_json`, or `bad_request` with the field.
    pub(super) async fn read<T: DeserializeOwned>(&mut self) -> Result<T, Problem> {
        let bytes = self.body().await?;
        let text: &[u8] = if bytes.is_empty() { b"{}" } else { &bytes };
        let value: Value = serde_json::from_slice(text)
            .map_err(|error| Problem::new(Code::BadJson, format!("not JSON: {error}")))?;
        Ok(wire::decode(value)?)
    }
}

fn too_large() -> Problem {
    Problem::new(
        Code::PayloadTooLarge,
        format!("a body has at most {MAX_BODY_BYTES} bytes"),
    )
}
