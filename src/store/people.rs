//! Players as rows: who they are, what they want, how strong they are.

use super::{batch, conduct, in_time, within};
use crate::clock::Timestamp;
use crate::game::{Conduct, Player, PlayerId, PlayerKind, Rating};
use crate::players::elo::{Hundredths, shown};
use crate::players::{ChallengesFrom, Language, Preferences, PreferencesChange};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use worker::{D1Database, query};

/// How long a game waits for what is known of its players.
const FOR_A_GAME: Duration = Duration::from_millis(700);

/// A player with all that is kept of him but his sessions and games.
#[derive(Clone, Debug, PartialEq)]
pub struct Person {
    /// As others see him.
    pub player: Player,
    /// What he wants.
    pub preferences: Preferences,
    /// Whether he may do what only operators may (P7).
    pub operator: bool,
    /// When he first came.
    pub created_at: Timestamp,
    /// What tables must know of him.
    pub conduct: Conduct,
}

/// What others see of a player, as a row: without what only tables must know, which takes longer.
#[derive(Deserialize)]
pub(super) struct PlayerRow {
    id: PlayerId,
    kind: PlayerKind,
    name: String,
    ratings: String,
}

impl PlayerRow {
    pub(super) fn read(self) -> worker::Result<Player> {
        Ok(Player {
            id: self.id,
            name: self.name,
            kind: self.kind,
            ratings: read_ratings(&self.ratings)?,
        })
    }
}

/// A row of the view `people`.
#[derive(Deserialize)]
pub(super) struct PersonRow {
    id: PlayerId,
    kind: PlayerKind,
    name: String,
    created_at: i64,
    challenges_from: ChallengesFrom,
    hide_spectator_chat: f64,
    language: Option<String>,
    operator: Option<f64>,
    ratings: String,
    chat_suspended_until: Option<Timestamp>,
    play_suspended_until: Option<Timestamp>,
    conduct_version: u64,
    blocked: String,
    blocked_by: String,
}

impl PersonRow {
    pub(super) fn read(self) -> worker::Result<Person> {
        let language = self.language.and_then(|name| Language::try_from(name).ok());
        let mut hidden: BTreeSet<PlayerId> = serde_json::from_str(&self.blocked)?;
        hidden.extend(serde_json::from_str::<Vec<PlayerId>>(&self.blocked_by)?);
        Ok(Person {
            player: Player {
                id: self.id,
                name: self.name,
                kind: self.kind,
                ratings: read_ratings(&self.ratings)?,
            },
            preferences: Preferences {
                challenges_from: self.challenges_from,
                hide_spectator_chat: self.hide_spectator_chat != 0.0,
                language,
            },
            operator: self.operator.is_some_and(|operator| operator != 0.0),
            created_at: Timestamp::from_millis(self.created_at),
            conduct: Conduct {
                version: self.conduct_version,
                hidden,
                hide_spectators: self.hide_spectator_chat != 0.0,
                chat_until: self.chat_suspended_until,
                play_until: self.play_suspended_until,
            },
        })
    }
}

/// Ratings as the view has them: by ruleset, hundredths and games.
fn read_ratings(text: &str) -> worker::Result<BTreeMap<String, Rating>> {
    let kept: BTreeMap<String, (Hundredths, u32)> = serde_json::from_str(text)?;
    let ratings = kept
        .into_iter()
        .map(|(ruleset, (rating, games))| (ruleset, shown(rating, games)));
    Ok(ratings.collect())
}

/// The player with this id. Whoever has deleted himself is nobody.
///
/// # Errors
/// When the database is away.
pub async fn by_id(db: &D1Database, id: &PlayerId) -> worker::Result<Option<Person>> {
    let select = query!(
        db,
        "select * from people where id = ?1 and deleted_at is null",
        id.as_str()
    )?;
    let row = in_time(select.first::<PersonRow>(None)).await?;
    row.map(PersonRow::read).transpose()
}

/// The same, for a game that does not wait long: it starts without what only the database knows.
///
/// # Errors
/// When the database is away or slow.
pub async fn for_a_game(db: &D1Database, id: &PlayerId) -> worker::Result<Option<Person>> {
    within(FOR_A_GAME, by_id(db, id)).await
}

/// The same, also of one who has deleted himself: under the name that stays.
///
/// # Errors
/// When the database is away.
pub async fn whoever(db: &D1Database, id: &PlayerId) -> worker::Result<Option<Person>> {
    let select = query!(db, "select * from people where id = ?1", id.as_str())?;
    let row = in_time(select.first::<PersonRow>(None)).await?;
    row.map(PersonRow::read).transpose()
}

/// The account with this name, as `AccountName::key_of` has it.
///
/// # Errors
/// When the database is away.
pub async fn by_name(db: &D1Database, name_key: &str) -> worker::Result<Option<Person>> {
    let select = query!(
        db,
        "select people.* from accounts join people on people.id = accounts.player_id where accounts.name_key = ?1",
        name_key
    )?;
    let row = in_time(select.first::<PersonRow>(None)).await?;
    row.map(PersonRow::read).transpose()
}

/// Changes what a player wants: player, who may challenge him, whether spectators' chat is hidden, whether the language changes, and to
/// which. What is null stays, so that two changes at once are both kept.
const PREFER: &str = "update players set challenges_from = coalesce(?2, challenges_from),
       hide_spectator_chat = coalesce(?3, hide_spectator_chat), language = iif(?4, ?5, language)
     where id = ?1 and deleted_at is null";

/// Changes what a player wants.
///
/// # Errors
/// When the database is away.
pub async fn prefer(
    db: &D1Database,
    id: &PlayerId,
    change: &PreferencesChange,
    now: Timestamp,
) -> worker::Result<()> {
    let language = change.language();
    let mut statements = vec![query!(
        db,
        PREFER,
        id.as_str(),
        change.challenges_from().map(ChallengesFrom::as_str),
        change.hide_spectator_chat().map(u8::from),
        u8::from(language.is_some()),
        language.flatten().map(Language::as_str)
    )?];
    statements.extend(conduct::changed(db, (id, id), now)?);
    batch(db, statements).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::schema::migrated;
    use rusqlite::params;

    #[test]
    fn p5_two_changes_at_once_are_both_kept() {
        let db = migrated();
        db.execute_batch(
            "insert into players (id, kind, name, created_at) values ('aki', 'guest', 'Aki', 0)",
        )
        .expect("kept");
        let none: Option<&str> = None;
        let change = |from: Option<&str>, hide: Option<u8>, language: Option<Option<&str>>| {
            let values = params![
                "aki",
                from,
                hide,
                u8::from(language.is_some()),
                language.flatten()
            ];
            db.execute(PREFER, values).expect("runs");
            let columns = "challenges_from || ' ' || hide_spectator_chat || ' ' || coalesce(language, '-')";
            db.query_row(&format!("select {columns} from players"), [], |row| {
                row.get::<_, String>(0)
            })
            .expect("a row")
        };
        assert_eq!(change(Some("nobody"), None, None), "nobody 0 -");
        assert_eq!(change(None, Some(1), None), "nobody 1 -");
        assert_eq!(change(None, None, Some(Some("pt-BR"))), "nobody 1 pt-BR");
        assert_eq!(change(None, Some(0), None), "nobody 0 pt-BR");
        assert_eq!(change(none, None, Some(None)), "nobody 0 -");
    }
}
