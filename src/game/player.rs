//! Who sits at a table, as the table knows them.

use super::ids::PlayerId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A player as others see him. At a table his ratings stay those with which he sat down; his name and his kind change with
/// him (P2, P4).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Player {
    /// Which player.
    pub id: PlayerId,
    /// His name, for people.
    pub name: String,
    /// What he is.
    pub kind: PlayerKind,
    /// By ruleset, his rating there. Empty for whoever has played no rated game.
    #[serde(default)]
    pub ratings: BTreeMap<String, Rating>,
}

/// What a player is (P7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlayerKind {
    /// Plays without an account.
    Guest,
    /// Has a name of his own and a password; plays rated games.
    Account,
    /// The computer (A1).
    Computer,
}

/// How strong a player is under one ruleset (E1, E2).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// The Elo number, to 0.01.
    pub rating: f64,
    /// The rated games behind it.
    pub games: u32,
    /// Whether they are too few to rely on.
    pub provisional: bool,
}
