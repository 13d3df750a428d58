//! Guests and accounts: how they come into being, how they sign in, how they go.

use super::sessions::{self, Ending, NewSession, Provided};
use super::{batch, changes, in_time};
use crate::clock::Timestamp;
use crate::game::{Player, PlayerId};
use crate::players::{AccountName, DELETED_NAME};
use serde::Deserialize;
use worker::wasm_bindgen::JsValue;
use worker::{D1Database, D1PreparedStatement, query};

/// Why a player is not kept.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// An account has that name, or one that looks like it.
    #[error("the name is taken")]
    NameTaken,
    /// He is no guest any more.
    #[error("only a guest can become an account")]
    NoGuest,
    /// The database is away.
    #[error(transparent)]
    Away(#[from] worker::Error),
}

/// What an account signs in with.
#[derive(Clone, Debug, Deserialize)]
pub struct Credentials {
    /// Whose.
    pub player_id: PlayerId,
    /// The hash of his password, a PHC string.
    pub password_hash: String,
}

/// Keeps a new guest and his first session, both or neither.
///
/// # Errors
/// When his name looks like an account's, or the database is away.
pub async fn create_guest(
    db: &D1Database,
    player: &Player,
    shapes: &[String],
    session: &NewSession,
) -> Result<(), Refused> {
    let (one, other) = both(shapes);
    let insert = query!(
        db,
        "insert into players (id, kind, name, created_at) select ?1, 'guest', ?2, ?3
         where not exists (select 1 from name_shapes where shape in (?4, ?5))",
        player.id.as_str(),
        player.name,
        session.created_at.as_millis(),
        one,
        other
    )?;
    let statements = vec![insert, sessions::insert(db, &player.id, session)?];
    let results = batch(db, statements).await?;
    match changes(results.first())? {
        0 => Err(Refused::NameTaken),
        _ => Ok(()),
    }
}

/// Keeps a new account and its first session.
///
/// # Errors
/// When the name is taken, or the database is away.
pub async fn create(
    db: &D1Database,
    id: &PlayerId,
    (name, password_hash): (&AccountName, &str),
    session: &NewSession,
) -> Result<(), Refused> {
    let now = session.created_at.as_millis();
    let mut statements = vec![query!(
        db,
        "insert into players (id, kind, name, created_at) values (?1, 'account', ?2, ?3)",
        id.as_str(),
        name.to_string(),
        now
    )?];
    statements.extend(name_statements(db, id, (name, password_hash), now)?);
    statements.push(sessions::insert(db, id, session)?);
    batch(db, statements).await.map_err(refused)?;
    Ok(())
}

/// Makes an account of a guest; he keeps his id and his sessions. The tables of his unfinished games, and those at
/// which he watches, are to be told.
///
/// # Errors
/// When the name is taken, he is no guest any more, or the database is away.
pub async fn upgrade(
    db: &D1Database,
    id: &PlayerId,
    (name, password_hash): (&AccountName, &str),
    now: Timestamp,
) -> Result<(), Refused> {
    let now = now.as_millis();
    let mut statements = vec![query!(
        db,
        "update players set kind = 'account', name = ?2 where id = ?1 and kind = 'guest' and deleted_at is null",
        id.as_str(),
        name.to_string()
    )?];
    statements.extend(name_statements(db, id, (name, password_hash), now)?);
    statements.push(query!(
        db,
        "insert or ignore into errands (table_id, kind, subject, player_id, due)
         select p.game_id, 'renamed', p.player_id, p.player_id, ?2 from game_players p
         cross join games g on g.id = p.game_id
         where p.player_id = ?1 and g.state in ('waiting', 'playing', 'counting')
         union select table_id, 'renamed', player_id, player_id, ?2 from presence where player_id = ?1",
        id.as_str(),
        now
    )?);
    let results = batch(db, statements).await.map_err(refused)?;
    match changes(results.first())? {
        0 => Err(Refused::NoGuest),
        _ => Ok(()),
    }
}

/// The statements that give a player a name and a password. They fail if he has them already or the name is taken.
fn name_statements(
    db: &D1Database,
    id: &PlayerId,
    (name, password_hash): (&AccountName, &str),
    now: i64,
) -> worker::Result<Vec<D1PreparedStatement>> {
    let insert_account = query!(
        db,
        "insert into accounts (player_id, name_key, password_hash, created_at)
         select id, ?2, ?3, ?4 from players where id = ?1 and deleted_at is null",
        id.as_str(),
        name.key(),
        password_hash,
        now
    )?;
    let mut statements = vec![insert_account];
    for shape in name.shapes() {
        statements.push(query!(
            db,
            "insert into name_shapes (shape, player_id) select ?1, player_id from accounts where player_id = ?2",
            shape,
            id.as_str()
        )?);
    }
    Ok(statements)
}

/// What an account signs in with, by its name as `AccountName::key_of` has it.
///
/// # Errors
/// When the database is away.
pub async fn credentials(db: &D1Database, name_key: &str) -> worker::Result<Option<Credentials>> {
    let select = query!(
        db,
        "select player_id, password_hash from accounts where name_key = ?1",
        name_key
    )?;
    in_time(select.first(None)).await
}

/// The same, by the player.
///
/// # Errors
/// When the database is away.
pub async fn credentials_of(db: &D1Database, id: &PlayerId) -> worker::Result<Option<Credentials>> {
    let select = query!(
        db,
        "select player_id, password_hash from accounts where player_id = ?1",
        id.as_str()
    )?;
    in_time(select.first(None)).await
}

/// Replaces an account's hash by another of the same password, unless it has changed meanwhile. Says whether it was done.
///
/// # Errors
/// When the database is away.
pub async fn rehash(db: &D1Database, old: &Credentials, new: &str) -> worker::Result<bool> {
    let update = query!(
        db,
        "update accounts set password_hash = ?3 where player_id = ?1 and password_hash = ?2",
        old.player_id.as_str(),
        old.password_hash,
        new
    )?;
    Ok(changes(Some(&in_time(update.run()).await?))? > 0)
}

/// Changes an account's password, unless it has changed meanwhile, and ends his other sessions. Says whether it was done.
///
/// # Errors
/// When the database is away.
pub async fn change_password(
    db: &D1Database,
    old: &Credentials,
    new: &str,
    (kept, now): (Ending<'_>, Timestamp),
) -> worker::Result<bool> {
    let mut statements = vec![query!(
        db,
        "update accounts set password_hash = ?3 where player_id = ?1 and password_hash = ?2",
        old.player_id.as_str(),
        old.password_hash,
        new
    )?];
    // Only if it was this that changed it: of two changes at once, the one that lost ends nobody's session.
    let provided = Provided::Password(Some(new));
    statements.extend(sessions::end_statements(
        db,
        &old.player_id,
        (kept, provided),
        now,
    )?);
    let results = batch(db, statements).await?;
    Ok(changes(results.first())? > 0)
}

/// What deletes a player (P4), in this order: player, the hash of the password that was checked or null for a guest, the moment, the name
/// that stays. Each does nothing unless the password is still that one, so that a guest's call does not delete the account that he has
/// become meanwhile. The account's row, by which they tell, goes after them.
const DELETE: [&str; 13] = [
    "insert or ignore into errands (table_id, kind, subject, player_id, due)
     select game_id, 'left', player_id, player_id, ?3 from game_players where player_id = ?1
     and (select password_hash from accounts where accounts.player_id = ?1) is ?2",
    "insert or ignore into errands (table_id, kind, subject, player_id, due)
     select table_id, 'left', player_id, player_id, ?3 from chat_authors where player_id = ?1
     and (select password_hash from accounts where accounts.player_id = ?1) is ?2",
    // Those who were blocked, either way, have one less.
    "update players set conduct_version = conduct_version + 1
     where id in (select blocked_id from blocks where player_id = ?1 union select player_id from blocks where blocked_id = ?1)
     and (select password_hash from accounts where accounts.player_id = ?1) is ?2",
    "update report_lines set text = '' where author_id = ?1
     and (select password_hash from accounts where accounts.player_id = ?1) is ?2",
    "delete from name_shapes where player_id = ?1
     and (select password_hash from accounts where accounts.player_id = ?1) is ?2",
    "delete from blocks where player_id = ?1
     and (select password_hash from accounts where accounts.player_id = ?1) is ?2",
    "delete from blocks where blocked_id = ?1
     and (select password_hash from accounts where accounts.player_id = ?1) is ?2",
    "delete from idempotency_keys where player_id = ?1
     and (select password_hash from accounts where accounts.player_id = ?1) is ?2",
    // One that came while he was going. Of those that stood, both have been told.
    "update challenges set ended = iif(from_id = ?1, 'withdrawn', 'declined') where ended is null and (from_id = ?1 or to_id = ?1)
     and (select password_hash from accounts where accounts.player_id = ?1) is ?2",
    // They are kept for a day, for whoever answers, and the game of one that was accepted is owed to the other: all without his name.
    "update challenges set body = json_replace(body, '$.from.name', iif(from_id = ?1, ?4, body ->> '$.from.name'),
       '$.to.name', iif(to_id = ?1, ?4, body ->> '$.to.name')) where (from_id = ?1 or to_id = ?1)
     and (select password_hash from accounts where accounts.player_id = ?1) is ?2",
    "update games set summary = json_replace(summary,
       '$.creator.name', iif(summary ->> '$.creator.id' = ?1, ?4, summary ->> '$.creator.name'),
       '$.seats.black.name', iif(summary ->> '$.seats.black.id' = ?1, ?4, summary ->> '$.seats.black.name'),
       '$.seats.white.name', iif(summary ->> '$.seats.white.id' = ?1, ?4, summary ->> '$.seats.white.name'))
     where id in (select game_id from game_players where player_id = ?1)
     and (select password_hash from accounts where accounts.player_id = ?1) is ?2",
    "update players set name = ?4, deleted_at = ?3, challenges_from = 'anyone', hide_spectator_chat = 0, language = null
     where id = ?1 and deleted_at is null and (select password_hash from accounts where accounts.player_id = ?1) is ?2",
    "delete from accounts where player_id = ?1 and password_hash is ?2",
];

/// Which of them tells whether it was done.
const GONE: usize = 11;

/// Deletes a player for good (P4), in one batch: what only he needs is removed, his name is replaced, his sessions end, and
/// every table of his gets an errand. What the ratings of others rest on stays. `checked` is the hash of the password that he has
/// given, nothing for a guest. Says whether it was done: not if that has changed meanwhile.
///
/// # Errors
/// When the database is away; then nothing has happened.
pub async fn delete(
    db: &D1Database,
    id: &PlayerId,
    checked: Option<&str>,
    now: Timestamp,
) -> worker::Result<bool> {
    let provided = Provided::Password(checked);
    let mut statements = sessions::end_statements(db, id, (Ending::All, provided), now)?;
    let before = statements.len();
    for sql in DELETE {
        let values = [
            id.as_str().into(),
            checked.map_or(JsValue::NULL, JsValue::from_str),
            JsValue::from_f64(now.as_millis() as f64),
            DELETED_NAME.into(),
        ];
        // Each takes as many as it names.
        let most = (1..=values.len())
            .rev()
            .find(|number| sql.contains(&format!("?{number}")));
        statements.push(db.prepare(sql).bind(&values[..most.unwrap_or(0)])?);
    }
    let results = batch(db, statements).await?;
    Ok(changes(results.get(before + GONE))? > 0)
}

/// The shapes of a name as two parameters.
fn both(shapes: &[String]) -> (&str, &str) {
    let one = shapes.first().map_or("", String::as_str);
    (one, shapes.get(1).map_or(one, String::as_str))
}

/// What a failed batch means: a row that must be the only one of its kind was there already.
fn refused(error: worker::Error) -> Refused {
    let text = error.to_string();
    if !text.contains("UNIQUE constraint failed") {
        return Refused::Away(error);
    }
    if text.contains("accounts.player_id") {
        return Refused::NoGuest;
    }
    Refused::NameTaken
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::schema::migrated;
    use rusqlite::{Connection, params};

    /// Aki with an account and the password `hash`, Gen a guest, Bo their opponent; each of the two with one of everything.
    fn database() -> Connection {
        let db = migrated();
        db.execute_batch(
            "insert into players (id, kind, name, created_at)
               values ('aki', 'account', 'Aki', 0), ('gen', 'guest', 'Gen', 0), ('bo', 'guest', 'Bo', 0);
             insert into accounts (player_id, name_key, password_hash, created_at) values ('aki', 'aki', 'hash', 0);
             insert into name_shapes (shape, player_id) values ('aki', 'aki');",
        )
        .expect("kept");
        for player in ["aki", "gen"] {
            db.execute_batch(&format!(
                "insert into games values ('t-{player}', 1, 'playing', 'baduk', '9x9', 0, 'public', 0, json_object(
                   'creator', json_object('id', '{player}', 'name', 'his name'), 'seats', json_object(
                   'black', json_object('id', '{player}', 'name', 'his name'), 'white', json_object('id', 'bo', 'name', 'Bo'))));
                 insert into game_players values ('{player}', 't-{player}', 0), ('bo', 't-{player}', 0);
                 insert into chat_authors values ('{player}', 'watched');
                 insert into blocks values ('{player}', 'bo', 0), ('bo', '{player}', 0);
                 insert into idempotency_keys values ('{player}', 'k', 'h', 'r', 0);"
            ))
            .expect("kept");
            let body = format!(
                r#"{{"from": {{"id": "{player}", "name": "his name"}}, "to": {{"id": "bo", "name": "Bo"}}}}"#
            );
            for (id, ended, begun) in [
                ("open", None, 0),
                ("owed", Some("accepted"), 0),
                ("begun", Some("accepted"), 1),
                ("declined", Some("declined"), 0),
            ] {
                db.execute(
                    "insert into challenges values (?1, ?2, 'bo', 0, 9, ?3, ?4, ?5)",
                    params![format!("{id}-{player}"), player, ended, begun, body],
                )
                .expect("kept");
            }
        }
        db
    }

    fn delete(db: &mut Connection, player: &str, checked: Option<&str>) -> usize {
        let batch = db.transaction().expect("begins");
        let mut gone = 0;
        for (number, sql) in DELETE.into_iter().enumerate() {
            let mut statement = batch.prepare(sql).expect("a statement");
            for (index, value) in [Some(player), checked, Some("7"), Some(DELETED_NAME)]
                .into_iter()
                .enumerate()
            {
                if index < statement.parameter_count() {
                    statement.raw_bind_parameter(index + 1, value).expect("bound");
                }
            }
            let changed = statement.raw_execute().expect("runs");
            if number == GONE {
                gone = changed;
            }
        }
        batch.commit().expect("commits");
        gone
    }

    fn all(db: &Connection, sql: &str) -> Vec<String> {
        let mut statement = db.prepare(sql).expect("a query");
        let rows = statement.query_map([], |row| row.get(0)).expect("rows");
        rows.map(|row| row.expect("a row")).collect()
    }

    /// Everything that a deletion touches, as text.
    fn everything(db: &Connection) -> Vec<String> {
        let mut all_of_it = Vec::new();
        for (table, columns) in [
            (
                "players",
                "id || name || kind || coalesce(deleted_at, '-') || conduct_version",
            ),
            ("accounts", "player_id || password_hash"),
            ("name_shapes", "shape"),
            ("games", "id || summary"),
            ("blocks", "player_id || blocked_id"),
            ("idempotency_keys", "player_id"),
            ("challenges", "id || coalesce(ended, '-') || body"),
            ("errands", "player_id || table_id"),
        ] {
            all_of_it.extend(all(db, &format!("select {columns} from {table} order by 1")));
        }
        all_of_it
    }

    #[test]
    fn p4_a_deletion_needs_the_password_that_still_holds() {
        let mut db = database();
        let before = everything(&db);
        // A guest's call finds an account; a password that was changed after it was checked; one of somebody who has none.
        for (player, checked) in [("aki", None), ("aki", Some("old")), ("gen", Some("hash"))] {
            assert_eq!(delete(&mut db, player, checked), 0, "{player} {checked:?}");
            assert_eq!(everything(&db), before, "{player} {checked:?}");
        }
    }

    #[test]
    fn p4_nothing_of_his_stays_but_what_others_need() {
        for (player, checked) in [("aki", Some("hash")), ("gen", None)] {
            let mut db = database();
            assert_eq!(delete(&mut db, player, checked), 1);
            let name = all(&db, &format!("select name from players where id = '{player}'"));
            assert_eq!(name, [DELETED_NAME]);
            let counts = format!(
                "select (select count(*) from accounts where player_id = '{player}') || (select count(*) from name_shapes where player_id = '{player}')
                 || (select count(*) from blocks where player_id = '{player}' or blocked_id = '{player}')
                 || (select count(*) from idempotency_keys where player_id = '{player}')
                 || (select count(*) from games where id = 't-{player}' and summary like '%his name%')
                 || (select count(*) from challenges where from_id = '{player}' and body like '%his name%')"
            );
            assert_eq!(all(&db, &counts), ["000000"]);
            let tables = format!(
                "select table_id from errands where player_id = '{player}' and kind = 'left' order by 1"
            );
            assert_eq!(all(&db, &tables), [format!("t-{player}").as_str(), "watched"]);
            assert_eq!(delete(&mut db, player, None), 0, "once");
        }
    }

    #[test]
    fn l3_his_challenges_end_and_the_game_of_one_that_was_accepted_is_owed() {
        let mut db = database();
        assert_eq!(delete(&mut db, "gen", None), 1);
        let left = all(
            &db,
            "select id || ' ' || ended || ' ' || begun from challenges where from_id = 'gen' order by 1",
        );
        assert_eq!(
            left,
            [
                "begun-gen accepted 1",
                "declined-gen declined 0",
                "open-gen withdrawn 0",
                "owed-gen accepted 0"
            ]
        );
        let others = all(
            &db,
            "select count(*) || '' from challenges where body like '%\"Bo\"%' and from_id = 'gen'",
        );
        assert_eq!(others, ["4"], "the other keeps his name");
    }
}
