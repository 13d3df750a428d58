//! Randomness: drawn here, by the shells, and passed into the pure code as an argument.

use crate::game::{IdSeed, InviteSeed, Spare};
use crate::http::Problem;
use crate::players::Salt;
use crate::rules::Color;

/// Randomness for a table that a command may make.
///
/// # Errors
/// `internal` when the platform gives none.
pub fn spare() -> Result<Spare, Problem> {
    Ok(Spare {
        id: id_seed()?,
        invite: invite_seed()?,
    })
}

/// Random bytes.
fn bytes<const N: usize>() -> Result<[u8; N], Problem> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| {
        crate::log::error("randomness.away", &[crate::log::cause(&error)]);
        Problem::internal()
    })?;
    Ok(bytes)
}

/// Randomness for an id.
pub fn id_seed() -> Result<IdSeed, Problem> {
    bytes()
}

/// Randomness for an invite.
pub fn invite_seed() -> Result<InviteSeed, Problem> {
    bytes()
}

/// Randomness for the hash of a password.
///
/// # Errors
/// `internal` when the platform gives none.
pub fn salt() -> Result<Salt, Problem> {
    bytes()
}

/// A color, drawn.
pub fn color() -> Result<Color, Problem> {
    let [byte] = bytes()?;
    Ok(if byte % 2 == 0 { Color::Black } else { Color::White })
}

/// A number, drawn.
pub fn number() -> Result<u32, Problem> {
    Ok(u32::from_le_bytes(bytes()?))
}
