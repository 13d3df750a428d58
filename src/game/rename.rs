//! A player's name at a table: a guest who becomes an account keeps his seat under his new name (P2), and whoever deletes
//! himself is gone from the table, his name too (P4).

use super::event::EventKind;
use super::ids::PlayerId;
use super::player::Player;
use super::result::GameResult;
use super::table::{Phase, Table};
use crate::clock::Timestamp;
use serde_json::Value;

/// The player is called otherwise from now on. Nothing where that is known, or where he is not of the table.
pub(super) fn rename(table: &Table, player: Player) -> Vec<EventKind> {
    let known = |seen: &&Player| seen.id == player.id;
    match table.people().find(known) {
        Some(seen) if (&seen.name, seen.kind) != (&player.name, player.kind) => {
            vec![EventKind::Renamed { player }]
        }
        Some(_) | None => Vec::new(),
    }
}

/// The player deletes himself: he resigns a game that goes on, closes a table that waits, and is called as given from now
/// on. Done twice it is done once.
pub(super) fn leave(table: &Table, player: Player, now: Timestamp) -> Vec<EventKind> {
    let ends = match &table.phase {
        Phase::Waiting if table.creator.id == player.id => Some(EventKind::Closed {}),
        Phase::Playing | Phase::Counting(_) | Phase::Marking(_) => {
            table.seat_of(&player.id).map(|loser| EventKind::Finished {
                result: GameResult::resignation(loser),
                clock: table.clock.stop(now),
            })
        }
        Phase::Waiting | Phase::Finished(_) | Phase::Closed => None,
    };
    let of_the_table = table.belongs_to(Some(&player.id)) || table.has_spoken(&player.id);
    let left = of_the_table && !table.left.contains(&player.id);
    ends.into_iter()
        .chain(left.then_some(EventKind::Left { player }))
        .collect()
}

impl Table {
    /// Everybody whose name the table knows.
    pub(super) fn people(&self) -> impl Iterator<Item = &Player> {
        let seated = self.seats.iter().flat_map(|seats| [&seats.black, &seats.white]);
        std::iter::once(&self.creator).chain(seated)
    }

    /// Gives a player another name wherever the table has him. His ratings stay those with which he sat down.
    pub(super) fn call(&mut self, player: &Player) {
        let seated = self
            .seats
            .iter_mut()
            .flat_map(|seats| [&mut seats.black, &mut seats.white]);
        for known in std::iter::once(&mut self.creator).chain(seated) {
            if known.id == player.id {
                known.name.clone_from(&player.name);
                known.kind = player.kind;
            }
        }
    }
}

/// Replaces a player's name in a stored value, wherever his id stands beside it: for what is to be forgotten. Says whether
/// there was anything to replace.
pub fn replace_name(value: &mut Value, player: &PlayerId, name: &str) -> bool {
    match value {
        Value::Array(items) => {
            let replaced = items.iter_mut().map(|item| replace_name(item, player, name));
            // Each of them, not only up to the first.
            replaced.filter(|&replaced| replaced).count() > 0
        }
        Value::Object(members) => {
            let his = members.get("id").and_then(Value::as_str) == Some(player.as_str());
            let old = members
                .get_mut("name")
                .filter(|old| his && old.is_string() && *old != name);
            let replaced = match old {
                Some(old) => {
                    *old = Value::from(name);
                    true
                }
                None => false,
            };
            let within = members
                .values_mut()
                .map(|member| replace_name(member, player, name));
            within.filter(|&replaced| replaced).count() > 0 || replaced
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}
