//! `Idempotency-Key`: the same creating call twice makes one thing (X1).

use super::context::{Asked, database_away};
use super::limits::{Limited, Subject};
use crate::game::{IdError, Player};
use crate::http::{Code, Problem};
use crate::store;
use crate::store::idempotency::{Claim, Claimed};
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

/// The `Idempotency-Key` of a request.
struct Key {
    text: String,
    /// What tells a repeat from another use.
    request_hash: String,
}

/// The id for a new thing, as [`claim`] has it, for things of which a player may make so many in a time (S5). What was made before costs
/// nothing; what is refused leaves no trace, so that asking again is refused, too.
pub(super) async fn claim_within<Id>(
    asked: &Asked,
    (player, limited): (&Player, Limited),
    body: &Value,
    fresh: Id,
) -> Result<Id, Problem>
where
    Id: TryFrom<String, Error = IdError> + ToString + PartialEq,
{
    if let Some(key) = key(asked, body)? {
        let known = store::idempotency::find(&asked.database()?, &player.id, &key.text, asked.now).await;
        if let Some(known) = known.map_err(|error| database_away(&error))? {
            return key.resource(known);
        }
    }
    asked
        .limit_unless_away(limited, Subject::Player(&player.id))
        .await?;
    let (id, _) = claim(asked, player, body, fresh).await?;
    Ok(id)
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
    let Some(key) = key(asked, body)? else {
        return Ok((fresh, Fresh::Yes));
    };
    let claim = Claim {
        player: &player.id,
        key: &key.text,
        request_hash: &key.request_hash,
        resource_id: &fresh.to_string(),
    };
    let claimed = store::idempotency::claim(&asked.database()?, &claim, asked.now).await;
    let claimed = claimed.map_err(|error| database_away(&error))?;
    let id = key.resource(claimed)?;
    let made = if id == fresh { Fresh::Yes } else { Fresh::No };
    Ok((id, made))
}

/// The key that came along, if one did.
fn key(asked: &Asked, body: &Value) -> Result<Option<Key>, Problem> {
    let Some(key) = asked.header("idempotency-key") else {
        return Ok(None);
    };
    if key.is_empty() || key.len() > MAX_KEY_BYTES {
        return Err(Problem::bad_field(
            "Idempotency-Key",
            format!("a key has 1 to {MAX_KEY_BYTES} characters"),
        ));
    }
    // The same body means something else at another address.
    let hash = Sha256::digest(format!("{} {body}", asked.url.path()).as_bytes());
    let request_hash = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Some(Key {
        text: key,
        request_hash,
    }))
}

impl Key {
    /// What it stands for.
    fn resource<Id: TryFrom<String>>(&self, claimed: Claimed) -> Result<Id, Problem> {
        if claimed.request_hash != self.request_hash {
            return Err(Problem::new(
                Code::KeyReused,
                "this Idempotency-Key was used for another request",
            ));
        }
        Id::try_from(claimed.resource_id).map_err(|_| Problem::internal())
    }
}
