//! What is told of players: who they are, how strong, and what they have played (E5).

use super::Answer;
use super::context::{Asked, database_away};
use super::tables_list::{cursor, cursor_text, is_exact, limit};
use crate::game::{PlayerId, Rating};
use crate::http::{Problem, json};
use crate::players::AccountName;
use crate::players::elo::{Hundredths, shown};
use crate::ruleset::Ruleset;
use crate::store;
use crate::store::games::{Filter, Listed};
use crate::store::people::Person;
use crate::store::ratings::{After, Standing};
use percent_encoding::percent_decode_str;
use serde::Serialize;
use serde_json::{Map, Value, json};
use worker::D1Database;

/// How many games a player's page shows.
const RECENT: u32 = 10;

/// `GET /api/v1/players/{id or account name}`: the player with his record and his recent games.
pub(super) async fn player(asked: &Asked, named: &str) -> Answer {
    asked.identity_if_any().await?;
    let db = asked.database()?;
    let person = addressed(&db, named).await?;
    let records = store::ratings::records(&db, &person.player.id).await;
    let records = records.map_err(|error| database_away(&error))?;
    let filter = Filter {
        state: Some("finished".to_owned()),
        player: Some(person.player.id.clone()),
        ..Filter::default()
    };
    let recent = store::games::list(&db, &filter, None, RECENT).await;
    let recent = recent.map_err(|error| database_away(&error))?;
    let mut shown = serde_json::to_value(&person.player).map_err(|_| Problem::internal())?;
    shown["created_at"] = json!(person.created_at);
    shown["record"] = records
        .into_iter()
        .map(|(ruleset, record)| (ruleset, json!(record)))
        .collect::<Map<String, Value>>()
        .into();
    shown["recent_games"] = json!(with_changes(&db, &person.player.id, recent).await?);
    json(200, &shown).map_err(|_| Problem::internal())
}

/// `GET /api/v1/players/{id or account name}/games`: his public games, and to himself the private ones too; newest first.
pub(super) async fn games(asked: &Asked, named: &str) -> Answer {
    let asker = asked.known_identity_if_any().await?;
    let db = asked.database()?;
    let player = addressed(&db, named).await?.player.id;
    let own = asker.is_some_and(|asker| asker.player.id == player);
    let filter = Filter {
        state: Some("finished".to_owned()),
        player: Some(player.clone()),
        private_too: own,
        ..Filter::default()
    };
    let (limit, after) = (limit(asked)?, cursor(asked)?);
    let listed = store::games::list(&db, &filter, after.as_ref(), limit + 1).await;
    let mut listed = listed.map_err(|error| database_away(&error))?;
    let more = listed.len() > limit as usize;
    listed.truncate(limit as usize);
    let next_cursor = listed
        .last()
        .filter(|_| more)
        .map(|last| cursor_text(&last.place));
    let items = with_changes(&db, &player, listed).await?;
    json(200, &json!({"items": items, "next_cursor": next_cursor})).map_err(|_| Problem::internal())
}

/// The player that an address names.
async fn addressed(db: &D1Database, named: &str) -> Result<Person, Problem> {
    let named = percent_decode_str(named)
        .decode_utf8()
        .map_err(|_| Problem::not_found())?;
    find(db, &named).await?.ok_or_else(Problem::not_found)
}

/// Any player by his id, or an account by its name; no name can be taken for an id.
pub(super) async fn find(db: &D1Database, named: &str) -> Result<Option<Person>, Problem> {
    let found = match PlayerId::try_from(named.to_owned()) {
        Ok(id) => store::people::by_id(db, &id).await,
        Err(_) => match AccountName::key_of(named) {
            Some(key) => store::people::by_name(db, &key).await,
            None => Ok(None),
        },
    };
    found.map_err(|error| database_away(&error))
}

/// Games as they are listed, each with what it changed in the player's rating: `{before, change, after}`, or null.
pub(super) async fn with_changes(
    db: &D1Database,
    player: &PlayerId,
    listed: Vec<Listed>,
) -> Result<Vec<Value>, Problem> {
    let ids: Vec<&str> = listed.iter().map(|game| game.place.id.as_str()).collect();
    let changes = store::ratings::changes_of(db, player, &ids).await;
    let changes = changes.map_err(|error| database_away(&error))?;
    let items = listed.into_iter().map(|game| {
        let change = changes.iter().find(|(id, _)| *id == game.place.id);
        let mut item = game.summary;
        item["rating"] = change.map_or(Value::Null, |(_, change)| change.shown());
        item
    });
    Ok(items.collect())
}

/// A place on a leaderboard.
#[derive(Serialize)]
struct Place {
    /// From 1; equal ratings share one.
    rank: u32,
    player: Value,
    #[serde(flatten)]
    rating: Rating,
    #[serde(flatten)]
    record: store::ratings::Record,
}

/// Where the next page of a leaderboard begins: after this player, who had this rank and was so many from the top.
struct Board {
    after: After,
    rank: u32,
    shown: u32,
}

/// `GET /api/v1/leaderboards/{ruleset}`: accounts with a rated game, the strongest first.
pub(super) async fn leaderboard(asked: &Asked, ruleset: &str) -> Answer {
    asked.identity_if_any().await?;
    let ruleset = Ruleset::by_id(ruleset).filter(|ruleset| ruleset.ranked.is_some());
    let ruleset = ruleset.ok_or_else(Problem::not_found)?;
    let limit = limit(asked)?;
    let mut board = Board::from_cursor(asked.query("cursor").as_deref())?;
    let standings =
        store::ratings::leaderboard(&asked.database()?, ruleset.id, &board.after, limit + 1).await;
    let mut standings = standings.map_err(|error| database_away(&error))?;
    let more = standings.len() > limit as usize;
    standings.truncate(limit as usize);
    let items = standings.into_iter().map(|standing| board.place(standing));
    let items: Vec<Place> = items.collect::<Result<_, Problem>>()?;
    let next_cursor = more.then(|| board.cursor());
    json(200, &json!({"items": items, "next_cursor": next_cursor})).map_err(|_| Problem::internal())
}

impl Board {
    fn from_cursor(cursor: Option<&str>) -> Result<Board, Problem> {
        let Some(cursor) = cursor else {
            return Ok(Board {
                after: After::top(),
                rank: 0,
                shown: 0,
            });
        };
        let mut parts = cursor.split('.');
        let mut next = || parts.next().unwrap_or_default();
        let read = (
            next().parse(),
            next().parse(),
            next().parse(),
            PlayerId::try_from(next().to_owned()),
        );
        match read {
            (Ok(rating), Ok(rank), Ok(shown), Ok(player)) if is_exact(rating) => Ok(Board {
                after: After {
                    rating: Hundredths(rating),
                    player: player.to_string(),
                },
                rank,
                shown,
            }),
            _ => Err(Problem::bad_field("cursor", "a cursor is what next_cursor said")),
        }
    }

    fn cursor(&self) -> String {
        let After { rating, player } = &self.after;
        format!("{}.{}.{}.{player}", rating.0, self.rank, self.shown)
    }

    /// Puts the next player on the board.
    fn place(&mut self, standing: Standing) -> Result<Place, Problem> {
        self.shown = self.shown.saturating_add(1);
        if standing.rating != self.after.rating {
            self.rank = self.shown;
        }
        self.after = After {
            rating: standing.rating,
            player: standing.player.id.to_string(),
        };
        Ok(Place {
            rank: self.rank,
            player: serde_json::to_value(&standing.player).map_err(|_| Problem::internal())?,
            rating: shown(standing.rating, standing.games),
            record: standing.record,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Player, PlayerKind};
    use std::collections::BTreeMap;

    fn standing(number: u8, rating: i64) -> Standing {
        Standing {
            player: Player {
                id: PlayerId::from_seed([number; 16]),
                name: "x".to_owned(),
                kind: PlayerKind::Account,
                ratings: BTreeMap::new(),
            },
            rating: Hundredths(rating),
            games: 1,
            record: store::ratings::Record::default(),
        }
    }

    #[test]
    fn e5_equal_ratings_share_a_rank_across_pages() {
        let mut board = Board::from_cursor(None).expect("the top");
        let mut ranks = Vec::new();
        for (number, rating) in [
            (1, 130_000),
            (2, 120_000),
            (3, 120_000),
            (4, 120_000),
            (5, 110_000),
        ] {
            ranks.push(board.place(standing(number, rating)).expect("placed").rank);
            // Each on a page of his own.
            board = Board::from_cursor(Some(&board.cursor())).expect("its own cursor");
        }
        assert_eq!(ranks, [1, 2, 2, 2, 5]);
    }

    #[test]
    fn what_is_no_cursor_is_refused() {
        for cursor in [
            "",
            "1",
            "1.2.3",
            "x.1.1.0123456789abcdef",
            "1.1.1.nobody",
            "1.-1.1.0123456789abcdef",
            "9007199254740993.1.1.0123456789abcdef",
            "-9007199254740993.1.1.0123456789abcdef",
            "99999999999999999999.1.1.0123456789abcdef",
        ] {
            assert!(Board::from_cursor(Some(cursor)).is_err(), "{cursor}");
        }
    }
}
