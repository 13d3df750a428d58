//! Lists of tables: from the index, with what changes too often for it asked of the tables themselves.

use super::Answer;
use super::context::{Asked, database_away};
use super::identity::Identity;
use super::tables;
use crate::game::{PlayerId, TableId};
use crate::http::{Problem, json};
use crate::objects::lobby::{self, LobbyOp, Seen};
use crate::objects::{Live, TableOp};
use crate::rules::Board;
use crate::ruleset::Ruleset;
use crate::store::games::{self, Filter, Listed, Place};
use futures_util::future::join_all;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

const STATES: [&str; 5] = ["waiting", "playing", "counting", "finished", "closed"];
const DEFAULT_LIMIT: u32 = 50;
const MOST: u32 = 100;

/// `GET /api/v1/tables`: public tables, and the asker's own private ones where he asks for his own.
pub(super) async fn all(asked: &Asked) -> Answer {
    let player = match asked.query("player") {
        Some(id) => {
            Some(PlayerId::try_from(id).map_err(|_| Problem::bad_field("player", "the id of a player"))?)
        }
        None => None,
    };
    // Somebody's private tables are for himself alone, as long as his session lives.
    let asker = match player {
        Some(_) => asked.known_identity_if_any().await?,
        None => asked.identity_if_any().await?,
    };
    let own = player.is_some() && player == asker.as_ref().map(|asker| asker.player.id.clone());
    let filter = Filter {
        state: state(asked)?,
        ruleset: checked(asked, "ruleset", |id| Ruleset::by_id(id).is_some())?,
        board: checked(asked, "board", |name| name.parse::<Board>().is_ok())?,
        ranked: match asked.query("ranked").as_deref() {
            None => None,
            Some("true") => Some(true),
            Some("false") => Some(false),
            Some(_) => return Err(Problem::bad_field("ranked", "true or false")),
        },
        player,
        private_too: own,
        closed_too: false,
    };
    list(asked, filter, asker, Shown::Everybody).await
}

/// `GET /api/v1/me/tables`: the asker's tables, private ones too, each with `your_turn`.
pub(super) async fn mine(asked: &Asked) -> Answer {
    let identity = asked.known_identity().await?;
    let id = Some(identity.player.id.clone());
    let filter = Filter {
        state: state(asked)?,
        player: id,
        private_too: true,
        ..Filter::default()
    };
    list(asked, filter, Some(identity), Shown::Mine).await
}

/// For whom a list is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    Everybody,
    Mine,
}

async fn list(asked: &Asked, filter: Filter, asker: Option<Identity>, shown: Shown) -> Answer {
    let (limit, after) = (limit(asked)?, cursor(asked)?);
    // One more than asked for tells whether there is a next page.
    let listed = games::list(&asked.database()?, &filter, after.as_ref(), limit + 1).await;
    let mut listed = listed.map_err(|error| database_away(&error))?;
    let more = listed.len() > limit as usize;
    listed.truncate(limit as usize);
    let next_cursor = listed
        .last()
        .filter(|_| more)
        .map(|last| cursor_text(&last.place));
    let seen = seen_in_lobbies(asked, &listed).await;
    let items = listed
        .iter()
        .map(|listed| item(asked, listed, (asker.as_ref(), shown), &seen));
    let items = join_all(items).await;
    // A table that has gone on since the index was told may not belong in the list any more.
    let items: Vec<Value> = items
        .into_iter()
        .filter(|item| in_state(item, filter.state.as_deref()))
        .collect();
    json(200, &json!({"items": items, "next_cursor": next_cursor})).map_err(|_| Problem::internal())
}

fn in_state(item: &Value, wanted: Option<&str>) -> bool {
    match wanted {
        Some(wanted) => item["state"] == wanted,
        None => item["state"] != "closed",
    }
}

/// What the lobbies know of the open tables of a list. Those of a lobby that does not answer are asked themselves.
async fn seen_in_lobbies(asked: &Asked, listed: &[Listed]) -> BTreeMap<String, Seen> {
    let open = listed
        .iter()
        .filter(|listed| listed.summary["state"] == "waiting" && listed.summary["visibility"] == "public");
    let rulesets: BTreeSet<&str> = open
        .filter_map(|listed| listed.summary["ruleset"].as_str())
        .collect();
    let asked = rulesets.into_iter().map(|ruleset| async move {
        let mut answer = lobby::ask(&asked.env, ruleset, LobbyOp::Seen).await.ok()?;
        answer.json::<BTreeMap<String, Seen>>().await.ok()
    });
    join_all(asked).await.into_iter().flatten().flatten().collect()
}

/// An item of a list. The numbers that only the table knows are null when it does not answer.
async fn item(
    asked: &Asked,
    listed: &Listed,
    (asker, shown): (Option<&Identity>, Shown),
    seen: &BTreeMap<String, Seen>,
) -> Value {
    let mut item = listed.summary.clone();
    let over = item["state"] == "finished" || item["state"] == "closed";
    let live = match seen.get(&listed.place.id) {
        Some(seen) => Some(waiting(seen)),
        None if over => None,
        None => live(asked, &listed.place.id, asker).await,
    };
    let (turn, spectators, online) = match &live {
        Some(live) => (
            json!(live.turn),
            json!(live.spectators),
            json!(live.creator_online),
        ),
        None if over => (item["turn"].clone(), json!(0), json!(false)),
        None => (Value::Null, Value::Null, Value::Null),
    };
    item["turn"] = turn;
    item["spectators"] = spectators;
    item["creator_online"] = online;
    if shown == Shown::Mine {
        item["your_turn"] = json!(live.as_ref().is_some_and(|live| live.your_turn));
    }
    if let Some(live) = live {
        item["state"] = json!(live.state);
    }
    item
}

/// What an open table would say itself, without waking it.
fn waiting(seen: &Seen) -> Live {
    Live {
        state: "waiting".to_owned(),
        turn: 0,
        spectators: seen.spectators,
        creator_online: seen.creator_online,
        your_turn: false,
    }
}

async fn live(asked: &Asked, id: &str, asker: Option<&Identity>) -> Option<Live> {
    let table = TableId::try_from(id.to_owned()).ok()?;
    let mut response = tables::call(asked, &table, asker, None, TableOp::Live)
        .await
        .ok()?;
    response.json().await.ok()
}

fn state(asked: &Asked) -> Result<Option<String>, Problem> {
    checked(asked, "state", |state| STATES.contains(&state))
}

fn checked(asked: &Asked, name: &str, known: impl Fn(&str) -> bool) -> Result<Option<String>, Problem> {
    match asked.query(name) {
        Some(value) if !known(&value) => Err(Problem::bad_field(
            name,
            format!("there is no {name} of that name"),
        )),
        value => Ok(value),
    }
}

/// Whether the database can be asked for a number: it takes each as a float, and beyond 2^53 - 1 that is another.
pub(super) fn is_exact(number: i64) -> bool {
    (-9_007_199_254_740_991..=9_007_199_254_740_991).contains(&number)
}

pub(super) fn limit(asked: &Asked) -> Result<u32, Problem> {
    let Some(text) = asked.query("limit") else {
        return Ok(DEFAULT_LIMIT);
    };
    let limit = text.parse().ok().filter(|limit| (1..=MOST).contains(limit));
    limit.ok_or_else(|| Problem::bad_field("limit", format!("a number from 1 to {MOST}")))
}

/// A cursor names the last table that was shown. Clients treat it as opaque.
pub(super) fn cursor_text(place: &Place) -> String {
    format!("{}-{}", place.created_at, place.id)
}

pub(super) fn cursor(asked: &Asked) -> Result<Option<Place>, Problem> {
    let Some(text) = asked.query("cursor") else {
        return Ok(None);
    };
    let place = text.split_once('-').and_then(|(created_at, id)| {
        let id = TableId::try_from(id.to_owned()).ok()?;
        Some(Place {
            created_at: created_at.parse().ok().filter(|&at| is_exact(at))?,
            id: id.to_string(),
        })
    });
    place
        .map(Some)
        .ok_or_else(|| Problem::bad_field("cursor", "a cursor is what next_cursor said"))
}
