//! Who receives a handicap, where the ruleset wants him named (H5).

use super::ids::PlayerId;
use super::opponent::Opponent;
use super::terms::{Parties, TermsError, TermsRequest, not_allowed};
use crate::ruleset::{ColorChoice, HandicapFor, Ruleset};
use serde::{Deserialize, Serialize};

/// The computer's name where a player's id could stand. No id is as short.
const COMPUTER: &str = "computer";

/// Who receives a handicap. On the wire a player's id, or `"computer"`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum HandicapReceiver {
    /// The computer, of whom there is one at a table.
    Computer,
    /// This player.
    Player(PlayerId),
}

impl HandicapReceiver {
    /// The creator's color: the receiver plays Black.
    pub(super) fn color_of(&self, creator: &PlayerId) -> ColorChoice {
        match self {
            HandicapReceiver::Player(id) if id == creator => ColorChoice::Black,
            HandicapReceiver::Player(_) | HandicapReceiver::Computer => ColorChoice::White,
        }
    }
}

impl TryFrom<String> for HandicapReceiver {
    type Error = &'static str;

    fn try_from(text: String) -> Result<HandicapReceiver, &'static str> {
        if text == COMPUTER {
            return Ok(HandicapReceiver::Computer);
        }
        let id = PlayerId::try_from(text).map_err(|_| "expected a player's id or \"computer\"")?;
        Ok(HandicapReceiver::Player(id))
    }
}

impl From<HandicapReceiver> for String {
    fn from(receiver: HandicapReceiver) -> String {
        match receiver {
            HandicapReceiver::Computer => COMPUTER.to_owned(),
            HandicapReceiver::Player(id) => id.to_string(),
        }
    }
}

/// The receiver that a request names, where its ruleset wants one: then the opponent is somebody specific, and the color
/// is not for choice.
///
/// # Errors
/// The field that is missing, or there without a reason.
pub(super) fn grant(
    asked: &TermsRequest,
    ruleset: &Ruleset,
    handicap: u8,
    parties: Parties<'_>,
) -> Result<Option<HandicapReceiver>, TermsError> {
    let wanted = match ruleset.handicap_for {
        HandicapFor::Black => false,
        HandicapFor::NamedPlayer => handicap > 0,
    };
    let receiver = match (wanted, &asked.handicap_receiver) {
        (false, None) => return Ok(None),
        (false, Some(_)) => {
            return Err(refused(
                "handicap_receiver",
                "this game has no handicap for a named player",
            ));
        }
        (true, None) => return Err(refused("handicap_receiver", "say who receives the handicap")),
        (true, Some(receiver)) => receiver,
    };
    let computer = asked.opponent.is_some_and(Opponent::is_computer);
    if !computer && parties.challenged.is_none() {
        let detail =
            "a handicap game is for a specific opponent: a player who is challenged, or the computer";
        return Err(refused("opponent", detail));
    }
    if asked.color.is_some() {
        return Err(refused("color", "whoever receives the handicap plays Black"));
    }
    let plays = match receiver {
        HandicapReceiver::Computer => computer,
        HandicapReceiver::Player(id) => id == parties.creator || Some(id) == parties.challenged,
    };
    match plays {
        true => Ok(Some(receiver.clone())),
        false => Err(refused(
            "handicap_receiver",
            "whoever receives the handicap plays in the game",
        )),
    }
}

fn refused(field: &'static str, detail: &str) -> TermsError {
    not_allowed(field, detail.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn h5_a_receiver_is_written_as_an_id_or_as_the_computer() {
        let player = PlayerId::from_seed([7; 16]);
        for (receiver, written) in [
            (HandicapReceiver::Player(player.clone()), json!(player)),
            (HandicapReceiver::Computer, json!("computer")),
        ] {
            assert_eq!(json!(receiver), written);
            assert_eq!(
                serde_json::from_value::<HandicapReceiver>(written).ok(),
                Some(receiver)
            );
        }
        for nobody in [json!("me"), json!(""), json!(3), json!("COMPUTER")] {
            assert!(serde_json::from_value::<HandicapReceiver>(nobody).is_err());
        }
    }
}
