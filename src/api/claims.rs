//! `Idempotency-Key`: the same creating call twice makes one thing (X1).

use super::context::{Asked, database_away};
use crate::game::{IdError, Player};
use crate::http::{Code, Problem};
use crate::store;
use crate::store::idempotency::Claim;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// The longest `Idempotency-Key`.
const MAX_KEY_BYTES: usize = 128;

/// Whether something is made by this call, or was made by one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fresh {
    Yes,
    No,
}

/// The id for a new thing: the one that the request's `Idempotency-Key` stands for, or the fresh one.
pub(super) async fn claim<Id>(
    asked: &Asked,
    player: &Player,
    body: &Value,
    fresh: Id,
) -> Result<(Id, Fresh), Problem>
where
    Id: TryFrom<String, Error = IdError> + ToString + PartialEq,
{
    let Some(key) = asked.header("idempotency-key") else {
        return Ok((fresh, Fresh::Yes));
    };
    if key.is_empty() || key.len() > MAX_KEY_BYTES {
        return Err(Problem::bad_field(
            "Idempotency-Key",
            format!("a key has 1 to {MAX_KEY_BYTES} characters"),
        ));
    }
    // The same body means something else at another address.
    let hash = Sha256::digest(format!("{} {body}", asked.url.path()).as_bytes());
    let request_hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    let claim = Claim {
        player: &player.id,
        key: &key,
        request_hash: &request_hash,
        resource_id: &fresh.to_string(),
    };
    let claimed = store::idempotency::claim(&asked.database()?, &claim, asked.now).await;
    let claimed = claimed.map_err(|error| database_away(&error))?;
    if claimed.request_hash != request_hash {
        return Err(Problem::new(
            Code::KeyReused,
            "this Idempotency-Key was used for another request",
        ));
    }
    let id = Id::try_from(claimed.resource_id).map_err(|_| Problem::internal())?;
    let made = if id == fresh { Fresh::Yes } else { Fresh::No };
    Ok((id, made))
}
