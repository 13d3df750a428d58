//! Elo in rows (E1, E4, E5).
//!
//! A game's result changes both ratings in one batch, which is one transaction: it writes what the game changes, unless that is
//! written already or the ratings are not those from which it was computed, applies what has just been written, and marks it as
//! applied. So twice, late, or at once with another game of the same players, a game is counted once.

use super::people::PlayerRow;
use super::{batch, changes, in_time};
use crate::game::{Player, PlayerId, RatedResult, Seq};
use crate::players::elo::{self, Hundredths, Share};
use crate::rules::Color;
use serde::{Deserialize, Serialize};
use worker::{D1Database, D1PreparedStatement, query};

/// How often a change is computed anew when another game has changed the ratings in between.
const ATTEMPTS: u32 = 5;

/// How often a game is rated, and both ratings: game, black, white, ruleset.
const BEFORE: &str = "select (select count(*) from rated_games where game_id = ?1) as rated,
     (select rating from ratings where player_id = ?2 and ruleset = ?4) as black,
     (select rating from ratings where player_id = ?3 and ruleset = ?4) as white";

/// Gives a player a rating to start with: player, ruleset, rating.
const BEGIN: &str = "insert or ignore into ratings (player_id, ruleset, rating) values (?1, ?2, ?3)";

/// Writes what the game changes for Black, if it is not rated yet and both ratings are as they were: game, player, ruleset, score,
/// change, time, rating, opponent, his rating.
const RATE_BLACK: &str =
    "insert or ignore into rated_games (game_id, player_id, ruleset, score, before, change, after, rated_at)
     select ?1, ?2, ?3, ?4, b.rating, ?5, b.rating + ?5, ?6 from ratings b
     where b.player_id = ?2 and b.ruleset = ?3 and b.rating = ?7
     and exists (select 1 from ratings w where w.player_id = ?8 and w.ruleset = ?3 and w.rating = ?9)";

/// Writes what it changes for White, if Black's has just been written: the same up to the time, then the opponent.
const RATE_WHITE: &str =
    "insert or ignore into rated_games (game_id, player_id, ruleset, score, before, change, after, rated_at)
     select ?1, ?2, ?3, ?4, w.rating, ?5, w.rating + ?5, ?6 from ratings w
     where w.player_id = ?2 and w.ruleset = ?3
     and exists (select 1 from rated_games r where r.game_id = ?1 and r.player_id = ?7 and r.applied = 0)";

/// Changes the ratings by what has just been written: game.
const MOVE: &str =
    "update ratings set rating = rating + r.change, games = games + 1, wins = wins + (r.score = 2),
     draws = draws + (r.score = 1), losses = losses + (r.score = 0)
     from rated_games r
     where r.game_id = ?1 and r.applied = 0
     and ratings.player_id = r.player_id and ratings.ruleset = r.ruleset";

/// Notes that it has been: game.
const APPLIED: &str = "update rated_games set applied = 1 where game_id = ?1 and applied = 0";

/// What a game has changed for its players.
const CHANGES: &str = "select player_id, before from rated_games where game_id = ?1";

/// Replaces what a game has changed in a rating by what it changes now, if that is another and the index knows of nothing newer:
/// game, player, change, score, event. Later games are not computed anew.
const REPLACE_IN_RATING: &str =
    "update ratings set rating = rating + ?3 - r.change, wins = wins + (?4 = 2) - (r.score = 2),
     draws = draws + (?4 = 1) - (r.score = 1), losses = losses + (?4 = 0) - (r.score = 0)
     from rated_games r
     where r.game_id = ?1 and r.player_id = ?2 and r.score != ?4
     and ratings.player_id = r.player_id and ratings.ruleset = r.ruleset
     and exists (select 1 from games g where g.id = ?1 and g.seq = ?5)";

/// Notes that it has been, and keeps what it was at first: the same, and the time.
const REPLACE_CHANGE: &str =
    "update rated_games set original_change = coalesce(original_change, change), change = ?3, after = before + ?3, score = ?4,
     corrected_at = ?6
     where game_id = ?1 and player_id = ?2 and score != ?4
     and exists (select 1 from games g where g.id = ?1 and g.seq = ?5)";

/// The ratings as a game finds them.
#[derive(Clone, Copy, Debug, Deserialize)]
struct Before {
    rated: f64,
    black: Option<Hundredths>,
    white: Option<Hundredths>,
}

/// A place on a leaderboard.
#[derive(Clone, Debug)]
pub struct Standing {
    /// Who.
    pub player: Player,
    /// How strong.
    pub rating: Hundredths,
    /// The games behind it.
    pub games: u32,
    /// How they ended for him.
    pub record: Record,
}

/// How a player's rated games ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Won.
    pub wins: u32,
    /// Drawn.
    pub draws: u32,
    /// Lost.
    pub losses: u32,
}

/// What a game has changed for a player, from what.
#[derive(Clone, Debug, Deserialize)]
struct Kept {
    player_id: PlayerId,
    before: Hundredths,
}

/// What a game has changed for one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Change {
    /// His rating before it.
    pub before: Hundredths,
    /// What it changed.
    pub change: Hundredths,
    /// His rating after it.
    pub after: Hundredths,
    /// What it changed before its result was corrected.
    pub original_change: Option<Hundredths>,
}

#[derive(Deserialize)]
struct ChangeRow {
    game_id: String,
    #[serde(flatten)]
    change: Change,
}

#[derive(Deserialize)]
struct RecordRow {
    ruleset: String,
    #[serde(flatten)]
    record: Record,
}

#[derive(Deserialize)]
struct StandingRow {
    rating: i64,
    games: u32,
    #[serde(flatten)]
    record: Record,
    #[serde(flatten)]
    player: PlayerRow,
}

/// Writes what `with` says and what the result changes, all or nothing, once. If the game has been rated with another result, that
/// was corrected (G11): then its change is replaced.
///
/// # Errors
/// When the database is away, or other games keep changing the same ratings: to be tried again later.
pub(super) async fn apply(
    db: &D1Database,
    (game, seq): (&str, Seq),
    result: &RatedResult,
    with: impl Fn() -> worker::Result<Vec<D1PreparedStatement>>,
) -> worker::Result<()> {
    for _ in 0..ATTEMPTS {
        let before = before(db, game, result).await?;
        let mut statements = with()?;
        if before.rated > 0.0 {
            statements.extend(correction(db, (game, seq), result).await?);
            batch(db, statements).await?;
            return Ok(());
        }
        let others = statements.len();
        statements.extend(rating(db, game, result, before)?);
        let results = batch(db, statements).await?;
        // Only what this attempt has written is this result. Where another was faster, there is one to correct, perhaps.
        if changes(results.get(others + RATED_BY))? > 0 {
            return Ok(());
        }
    }
    Err(worker::Error::from("other games keep changing the same ratings"))
}

async fn before(db: &D1Database, game: &str, result: &RatedResult) -> worker::Result<Before> {
    let select = query!(
        db,
        BEFORE,
        game,
        result.seats.black.as_str(),
        result.seats.white.as_str(),
        result.ruleset
    )?;
    let row = in_time(select.first::<Before>(None)).await?;
    row.ok_or_else(|| worker::Error::from("a query that always has a row has none"))
}

/// Which statement of an attempt tells whether it has rated the game: [`RATE_BLACK`].
const RATED_BY: usize = 2;

/// The statements of one attempt.
fn rating(
    db: &D1Database,
    game: &str,
    result: &RatedResult,
    before: Before,
) -> worker::Result<Vec<D1PreparedStatement>> {
    let black = before.black.unwrap_or(Hundredths::START);
    let white = before.white.unwrap_or(Hundredths::START);
    let share = share_of_black(result);
    let change = elo::change(black, white, share);
    let mut statements = Vec::new();
    for player in [&result.seats.black, &result.seats.white] {
        statements.push(query!(
            db,
            BEGIN,
            player.as_str(),
            result.ruleset,
            Hundredths::START
        )?);
    }
    statements.push(query!(
        db,
        RATE_BLACK,
        game,
        result.seats.black.as_str(),
        result.ruleset,
        share.halves(),
        change,
        result.ended_at,
        black,
        result.seats.white.as_str(),
        white
    )?);
    statements.push(query!(
        db,
        RATE_WHITE,
        game,
        result.seats.white.as_str(),
        result.ruleset,
        share.other().halves(),
        -change,
        result.ended_at,
        result.seats.black.as_str()
    )?);
    statements.push(query!(db, MOVE, game)?);
    statements.push(query!(db, APPLIED, game)?);
    Ok(statements)
}

/// The statements that replace what a game has changed: computed from the two ratings before it. Run again, or where the result is the
/// one that was rated, they change nothing.
async fn correction(
    db: &D1Database,
    (game, seq): (&str, Seq),
    result: &RatedResult,
) -> worker::Result<Vec<D1PreparedStatement>> {
    let kept = in_time(query!(db, CHANGES, game)?.all())
        .await?
        .results::<Kept>()?;
    let before = |player: &PlayerId| {
        kept.iter()
            .find(|row| row.player_id == *player)
            .map(|row| row.before)
    };
    let (black, white) = (&result.seats.black, &result.seats.white);
    let (Some(before_black), Some(before_white)) = (before(black), before(white)) else {
        return Err(worker::Error::from("a rated game without what it has changed"));
    };
    let share = share_of_black(result);
    let change = elo::change(before_black, before_white, share);
    let mut statements = Vec::new();
    for (player, change, share) in [(black, change, share), (white, -change, share.other())] {
        let (id, score) = (player.as_str(), share.halves());
        statements.push(query!(db, REPLACE_IN_RATING, game, id, change, score, seq.0)?);
        statements.push(query!(
            db,
            REPLACE_CHANGE,
            game,
            id,
            change,
            score,
            seq.0,
            result.decided_at
        )?);
    }
    Ok(statements)
}

fn share_of_black(result: &RatedResult) -> Share {
    match result.winner {
        Some(Color::Black) => Share::Win,
        Some(Color::White) => Share::Loss,
        None => Share::Draw,
    }
}

/// A place on a leaderboard: after the player with this rating and id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct After {
    /// His rating.
    pub rating: Hundredths,
    /// His id; empty for the first page.
    pub player: String,
}

impl After {
    /// Before everybody.
    pub fn top() -> After {
        After {
            rating: Hundredths(1_000_000_000),
            player: String::new(),
        }
    }
}

/// Accounts with at least one rated game, the strongest first (E5).
///
/// # Errors
/// When the database is away.
pub async fn leaderboard(
    db: &D1Database,
    ruleset: &str,
    after: &After,
    limit: u32,
) -> worker::Result<Vec<Standing>> {
    let select = query!(
        db,
        "select r.rating, r.games, r.wins, r.draws, r.losses, p.id, p.kind, p.name, p.ratings from ratings r
         cross join accounts a on a.player_id = r.player_id cross join people p on p.id = r.player_id
         where r.ruleset = ?1 and r.games > 0 and r.rating <= ?2 and (r.rating < ?2 or r.player_id > ?3)
         order by r.rating desc, r.player_id limit ?4",
        ruleset,
        after.rating,
        after.player,
        limit
    )?;
    let rows = in_time(select.all()).await?.results::<StandingRow>()?;
    let standings = rows.into_iter().map(|row| {
        Ok(Standing {
            player: row.player.read()?,
            rating: Hundredths(row.rating),
            games: row.games,
            record: row.record,
        })
    });
    standings.collect()
}

/// How a player's rated games ended, by ruleset.
///
/// # Errors
/// When the database is away.
pub async fn records(db: &D1Database, player: &PlayerId) -> worker::Result<Vec<(String, Record)>> {
    let select = query!(
        db,
        "select ruleset, wins, draws, losses from ratings where player_id = ?1 and games > 0 order by ruleset",
        player.as_str()
    )?;
    let rows = in_time(select.all()).await?.results::<RecordRow>()?;
    Ok(rows.into_iter().map(|row| (row.ruleset, row.record)).collect())
}

/// What some games have changed for one player; those that were not rated are left out.
///
/// # Errors
/// When the database is away.
pub async fn changes_of(
    db: &D1Database,
    player: &PlayerId,
    games: &[&str],
) -> worker::Result<Vec<(String, Change)>> {
    let games = serde_json::to_string(games)?;
    let select = query!(
        db,
        "select r.game_id, r.before, r.change, r.after, r.original_change from json_each(?2) g
         cross join rated_games r on r.game_id = g.value and r.player_id = ?1",
        player.as_str(),
        games
    )?;
    let rows = in_time(select.all()).await?.results::<ChangeRow>()?;
    Ok(rows.into_iter().map(|row| (row.game_id, row.change)).collect())
}

#[derive(Deserialize)]
struct ChangeOfPlayer {
    player_id: PlayerId,
    #[serde(flatten)]
    change: Change,
}

/// What a game has changed, by player; nothing if it was not rated.
///
/// # Errors
/// When the database is away.
pub async fn changes_by(db: &D1Database, game: &str) -> worker::Result<Vec<(PlayerId, Change)>> {
    let select = query!(
        db,
        "select player_id, before, change, after, original_change from rated_games where game_id = ?1",
        game
    )?;
    let rows = in_time(select.all()).await?.results::<ChangeOfPlayer>()?;
    Ok(rows.into_iter().map(|row| (row.player_id, row.change)).collect())
}

impl Change {
    /// As it is shown.
    pub fn shown(&self) -> serde_json::Value {
        let mut shown = serde_json::json!({
            "before": self.before.points(), "change": self.change.points(), "after": self.after.points()
        });
        if let Some(original) = self.original_change {
            shown["original_change"] = serde_json::json!(original.points());
        }
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::schema::migrated;
    use rusqlite::{Connection, params};

    const RULESET: &str = "baduk";

    fn database(players: &[&str]) -> Connection {
        let db = migrated();
        for player in players {
            let insert = "insert into players (id, kind, name, created_at) values (?1, 'account', ?1, 0)";
            db.execute(insert, [player]).expect("kept");
        }
        db
    }

    /// A game's result on its way into the database: computed from ratings that may have changed since.
    struct Attempt {
        game: &'static str,
        seats: (&'static str, &'static str),
        share: Share,
        before: (i64, i64),
    }

    fn ratings(db: &Connection, seats: (&str, &str)) -> (i64, i64, i64) {
        let read = |row: &rusqlite::Row<'_>| {
            let or_start = |rating: Option<i64>| rating.unwrap_or(Hundredths::START.0);
            Ok((row.get(0)?, or_start(row.get(1)?), or_start(row.get(2)?)))
        };
        db.query_row(BEFORE, params!["none", seats.0, seats.1, RULESET], read)
            .expect("a row")
    }

    fn prepare(
        db: &Connection,
        game: &'static str,
        seats: (&'static str, &'static str),
        share: Share,
    ) -> Attempt {
        let (_, black, white) = ratings(db, seats);
        Attempt {
            game,
            seats,
            share,
            before: (black, white),
        }
    }

    /// Runs the batch of an attempt, as one transaction. Says, as [`apply`] asks, whether it was this that rated the game.
    fn run(db: &mut Connection, attempt: &Attempt) -> bool {
        let (black, white) = attempt.seats;
        let change = elo::change(
            Hundredths(attempt.before.0),
            Hundredths(attempt.before.1),
            attempt.share,
        );
        let batch = db.transaction().expect("begins");
        for player in [black, white] {
            batch
                .execute(BEGIN, params![player, RULESET, Hundredths::START.0 as f64])
                .expect("runs");
        }
        let (halves, others) = (attempt.share.halves(), attempt.share.other().halves());
        let rated_by_this = batch
            .execute(
                RATE_BLACK,
                params![
                    attempt.game,
                    black,
                    RULESET,
                    halves,
                    change.0 as f64,
                    7.0,
                    attempt.before.0 as f64,
                    white,
                    attempt.before.1 as f64
                ],
            )
            .expect("runs");
        batch
            .execute(
                RATE_WHITE,
                params![attempt.game, white, RULESET, others, -change.0 as f64, 7.0, black],
            )
            .expect("runs");
        batch.execute(MOVE, [attempt.game]).expect("runs");
        batch.execute(APPLIED, [attempt.game]).expect("runs");
        batch.commit().expect("commits");
        let rated: i64 = db
            .query_row(
                "select count(*) from rated_games where game_id = ?1",
                [attempt.game],
                |row| row.get(0),
            )
            .expect("a row");
        assert!(rated == 0 || rated == 2, "both or neither");
        assert!(rated_by_this == 0 || rated == 2, "White's with Black's");
        rated_by_this > 0
    }

    fn rating(db: &Connection, player: &str) -> (i64, i64, String) {
        db.query_row(
            "select rating, games, wins || '/' || draws || '/' || losses from ratings where player_id = ?1",
            [player],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )
        .expect("a rating")
    }

    #[test]
    fn e1_the_worked_example_in_rows() {
        let mut db = database(&["a", "b", "c"]);
        let first = prepare(&db, "g1", ("a", "b"), Share::Win);
        assert!(run(&mut db, &first));
        let second = prepare(&db, "g2", ("c", "a"), Share::Loss);
        assert!(run(&mut db, &second));
        assert_eq!(rating(&db, "a"), (123_126, 2, "2/0/0".to_owned()));
        assert_eq!(rating(&db, "b"), (118_400, 1, "0/0/1".to_owned()));
        assert_eq!(rating(&db, "c"), (118_474, 1, "0/0/1".to_owned()));
    }

    #[test]
    fn e4_a_game_counts_once_however_often_it_is_told() {
        let mut db = database(&["a", "b"]);
        let first = prepare(&db, "g1", ("a", "b"), Share::Win);
        assert!(run(&mut db, &first));
        // The answer was lost: the same batch again, a new attempt, and one with another result.
        let late = prepare(&db, "g1", ("a", "b"), Share::Win);
        let other = prepare(&db, "g1", ("a", "b"), Share::Loss);
        for again in [&first, &late, &other] {
            assert!(!run(&mut db, again), "it was rated before");
            assert_eq!(rating(&db, "a"), (121_600, 1, "1/0/0".to_owned()));
            assert_eq!(rating(&db, "b"), (118_400, 1, "0/0/1".to_owned()));
        }
    }

    /// Runs a correction of a game of `a` (Black) and `b` that the table told by this event, as one transaction.
    fn correct(db: &mut Connection, (game, seq): (&str, i64), share: Share) {
        let before = |player: &str| -> i64 {
            let sql = "select before from rated_games where game_id = ?1 and player_id = ?2";
            db.query_row(sql, [game, player], |row| row.get(0))
                .expect("rated")
        };
        let change = elo::change(Hundredths(before("a")), Hundredths(before("b")), share);
        let batch = db.transaction().expect("begins");
        let known = "insert into games values (?1, ?2, 'finished', 'baduk', '9x9', 1, 'public', 0, '{}')
             on conflict (id) do update set seq = excluded.seq where excluded.seq > games.seq";
        batch.execute(known, params![game, seq as f64]).expect("runs");
        for (player, change, share) in [("a", change, share), ("b", -change, share.other())] {
            let (change, score, seq) = (change.0 as f64, f64::from(share.halves()), seq as f64);
            batch
                .execute(REPLACE_IN_RATING, params![game, player, change, score, seq])
                .expect("runs");
            batch
                .execute(REPLACE_CHANGE, params![game, player, change, score, seq, 9.0])
                .expect("runs");
        }
        batch.commit().expect("commits");
    }

    #[test]
    fn g11_a_correction_replaces_what_the_game_has_changed_exactly_once() {
        let mut db = database(&["a", "b", "c"]);
        for (game, seats) in [("g1", ("a", "b")), ("g2", ("a", "c"))] {
            let attempt = prepare(&db, game, seats, Share::Win);
            assert!(run(&mut db, &attempt));
        }
        // +16 becomes -16, from 1200 and 1200; the second game stays as it was computed: 1231.26 - 16 - 16.
        for _ in 0..3 {
            correct(&mut db, ("g1", 40), Share::Loss);
            assert_eq!(rating(&db, "a"), (119_926, 2, "1/0/1".to_owned()));
            assert_eq!(rating(&db, "b"), (121_600, 1, "1/0/0".to_owned()));
            assert_eq!(rating(&db, "c"), (118_474, 1, "0/0/1".to_owned()));
        }
        // What the table told earlier arrives late, and changes nothing.
        correct(&mut db, ("g1", 39), Share::Win);
        assert_eq!(rating(&db, "a").0, 119_926);
        // Corrected once more, to a draw between equals.
        correct(&mut db, ("g1", 41), Share::Draw);
        assert_eq!(rating(&db, "a"), (121_526, 2, "1/1/0".to_owned()));
        assert_eq!(rating(&db, "b"), (120_000, 1, "0/1/0".to_owned()));
        let kept: (i64, i64, i64, i64) = db
            .query_row(
                "select before, change, after, original_change from rated_games where game_id = 'g1' and player_id = 'a'",
                [],
                |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
            )
            .expect("a row");
        assert_eq!(kept, (120_000, 0, 120_000, 1_600));
    }

    #[test]
    fn g11_a_correction_that_overtakes_the_result_is_not_lost() {
        let mut db = database(&["a", "b"]);
        // Both were computed while the game was not rated: the result, and an hour later the decision about it.
        let result = prepare(&db, "g1", ("a", "b"), Share::Win);
        let decided = prepare(&db, "g1", ("a", "b"), Share::Loss);
        assert!(run(&mut db, &result));
        assert!(
            !run(&mut db, &decided),
            "what stands there is not his, so he is not done"
        );
        // The next round finds a rated game.
        let rated = |db: &Connection| {
            let read = |row: &rusqlite::Row<'_>| row.get::<_, i64>(0);
            db.query_row(BEFORE, params!["g1", "a", "b", RULESET], read)
                .expect("a row")
        };
        assert_eq!(rated(&db), 2);
        correct(&mut db, ("g1", 45), Share::Loss);
        assert_eq!(rating(&db, "a"), (118_400, 1, "0/0/1".to_owned()));
        assert_eq!(rating(&db, "b"), (121_600, 1, "1/0/0".to_owned()));
    }

    #[test]
    fn e4_of_two_games_that_end_together_each_finds_the_ratings_that_the_other_left() {
        let mut db = database(&["a", "b", "c"]);
        // Both are computed before either is written.
        let one = prepare(&db, "g1", ("a", "b"), Share::Win);
        let other = prepare(&db, "g2", ("a", "c"), Share::Win);
        assert!(run(&mut db, &one));
        assert!(!run(&mut db, &other), "its ratings are not those of now");
        assert_eq!(rating(&db, "a").0, 121_600);
        let again = prepare(&db, "g2", ("a", "c"), Share::Win);
        assert!(run(&mut db, &again));
        assert_eq!(rating(&db, "a"), (123_126, 2, "2/0/0".to_owned()));
        let kept: (i64, i64, i64) = db
            .query_row(
                "select before, change, after from rated_games where game_id = 'g2' and player_id = 'a'",
                [],
                |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
            )
            .expect("a row");
        assert_eq!(kept, (121_600, 1_526, 123_126));
    }
}
