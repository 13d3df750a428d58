//! Who may take the other seat of a table.

use super::computer::Level;
use serde::{Deserialize, Serialize};

/// Who may take the other seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", try_from = "Written")]
pub enum Opponent {
    /// The first who joins.
    Anyone,
    /// The computer, at once.
    Computer {
        /// How strong.
        level: Level,
    },
}

impl Opponent {
    /// Whether it is the computer.
    pub fn is_computer(self) -> bool {
        matches!(self, Opponent::Computer { .. })
    }
}

/// An opponent as somebody wrote it: serde loses track of the fields of a tagged enum (see
/// [`TimeControl`](crate::clock::TimeControl)).
#[derive(Deserialize)]
struct Written {
    kind: Kind,
    level: Option<Level>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Anyone,
    Computer,
}

impl TryFrom<Written> for Opponent {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Opponent, &'static str> {
        match (written.kind, written.level) {
            (Kind::Anyone, None) => Ok(Opponent::Anyone),
            (Kind::Anyone, Some(_)) => Err("unknown field `level`, which only the computer has"),
            (Kind::Computer, Some(level)) => Ok(Opponent::Computer { level }),
            (Kind::Computer, None) => Err("missing field `level`"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire;
    use serde_json::{Value, json};

    #[test]
    fn t1_an_opponent_reads_as_it_is_written() {
        let computer = Opponent::Computer { level: Level::Hard };
        for opponent in [Opponent::Anyone, computer] {
            let written = serde_json::to_value(opponent).expect("serialises");
            assert_eq!(wire::decode::<Opponent>(written), Ok(opponent));
        }
        assert_eq!(
            serde_json::to_value(computer).expect("serialises"),
            json!({"kind": "computer", "level": "hard"})
        );
    }

    #[track_caller]
    fn wrong_field(value: Value) -> String {
        wire::decode::<Opponent>(value).expect_err("refused").field
    }

    #[test]
    fn x5_what_is_wrong_with_an_opponent_is_named() {
        assert_eq!(wrong_field(json!({"kind": "computer"})), "level");
        assert_eq!(wrong_field(json!({"kind": "anyone", "level": "easy"})), "level");
        assert_eq!(wrong_field(json!({"kind": "computer", "level": "best"})), "level");
        assert_eq!(wrong_field(json!({"kind": "a cat"})), "kind");
        assert_eq!(wrong_field(json!({"kind": "anyone", "size": 3})), "size");
    }
}
