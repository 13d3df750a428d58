//! Challenges (L3): making, listing, answering.

use super::Answer;
use super::claims::{Fresh, claim};
use super::context::{Asked, database_away};
use super::limits::{Limited, Subject};
use super::players::find;
use super::seats::{sit_down, stand_up};
use crate::clock::Timestamp;
use crate::game::{ChallengeId, InviteCode, Parties, Player, PlayerKind, TableId, TermsRequest};
use crate::http::{Code, Problem, json, no_content};
use crate::lobby::{Challenge, ChallengeEnd, ChallengeStep, Facts};
use crate::objects::challenges::{self, Move};
use crate::players::ChallengesFrom;
use crate::random;
use crate::store;
use crate::store::challenges::shown;
use crate::store::people::Person;
use crate::wire;
use serde_json::{Value, json};
use worker::D1Database;

/// `POST /api/v1/challenges {to, …terms}`: 201 with the challenge.
pub(super) async fn create(asked: &mut Asked) -> Answer {
    let identity = asked.known_identity().await?;
    identity.check_may_play(asked.now)?;
    let from = identity.player;
    let body = asked.json().await?;
    let (to, terms) = read(body.clone())?;
    let db = asked.database()?;
    let to = find(&db, &to).await?.ok_or_else(no_such_player)?;
    let parties = Parties {
        creator: &from.id,
        challenged: Some(&to.player.id),
    };
    let terms = wire::decode::<TermsRequest>(terms)?.grant(parties)?;
    let (id, made) = claim(asked, &from, &body, ChallengeId::from_seed(random::id_seed()?)).await?;
    if made == Fresh::No
        && let Some(known) = get(&db, &id).await?
    {
        return made_before(asked, &known).await;
    }
    let challenge = Challenge {
        id,
        from,
        to: to.player.clone(),
        terms,
        created_at: asked.now,
        ended: None,
        invite: InviteCode::new(TableId::from_seed(random::id_seed()?), random::invite_seed()?),
        draw: random::color()?,
    };
    challenge.check(facts(&db, &challenge, &to).await?)?;
    let player = challenge.from.id.clone();
    asked.limit(Limited::Challenges, Subject::Player(&player)).await?;
    let kept = store::challenges::insert(&db, &challenge).await;
    if !kept.map_err(|error| database_away(&error))? {
        return match get(&db, &challenge.id).await? {
            Some(known) => made_before(asked, &known).await,
            None => Err(not_kept(&db, &challenge).await),
        };
    }
    challenges::tell_made(&asked.env, &challenge).await;
    json(201, &shown(&challenge)).map_err(|_| Problem::internal())
}

/// The answer to a call that has made a challenge before. Whether that one came to tell the two of them nobody knows, so they are told.
async fn made_before(asked: &Asked, challenge: &Challenge) -> Answer {
    if challenge.ended.is_none() && asked.now < challenge.expires_at() {
        challenges::tell_made(&asked.env, challenge).await;
    }
    json(201, &shown(challenge)).map_err(|_| Problem::internal())
}

/// Why a challenge was not kept.
async fn not_kept(db: &D1Database, challenge: &Challenge) -> Problem {
    match store::people::by_id(db, &challenge.to.id).await {
        Ok(Some(_)) => Problem::new(Code::RequestOpen, "you have challenged this player already"),
        Ok(None) => no_such_player(),
        Err(error) => database_away(&error),
    }
}

fn no_such_player() -> Problem {
    Problem::new(Code::NotFound, "there is no such player")
}

/// The one who is challenged, and the terms: one body, of which the terms are everything else.
fn read(mut body: Value) -> Result<(String, Value), Problem> {
    let fields = body.as_object_mut();
    let fields = fields.ok_or_else(|| Problem::bad_field("", "an object is expected here"))?;
    match fields.remove("to") {
        Some(Value::String(to)) => Ok((to, body)),
        Some(_) => Err(Problem::bad_field(
            "to",
            "the name of an account, or the id of a player",
        )),
        None => Err(Problem::bad_field("to", "missing field `to`")),
    }
}

/// What is true of the two right now.
async fn facts(db: &D1Database, challenge: &Challenge, to: &Person) -> Result<Facts, Problem> {
    let blocked = store::blocks::between(db, &challenge.from.id, &challenge.to.id).await;
    let welcome = match to.preferences.challenges_from {
        ChallengesFrom::Anyone => true,
        ChallengesFrom::Accounts => challenge.from.kind == PlayerKind::Account,
        ChallengesFrom::Nobody => false,
    };
    Ok(Facts {
        blocked: blocked.map_err(|error| database_away(&error))?,
        welcome,
    })
}

/// `GET /api/v1/challenges`: those that are open, to the asker and from him.
pub(super) async fn list(asked: &Asked) -> Answer {
    let player = asked.known_identity().await?.player;
    let open = store::challenges::open_of(&asked.database()?, &player.id, asked.now).await;
    let open = open.map_err(|error| database_away(&error))?;
    let (incoming, outgoing): (Vec<_>, Vec<_>) =
        open.iter().partition(|challenge| challenge.to.id == player.id);
    let all = |challenges: Vec<&Challenge>| challenges.into_iter().map(shown).collect::<Vec<_>>();
    let body = json!({"incoming": all(incoming), "outgoing": all(outgoing)});
    json(200, &body).map_err(|_| Problem::internal())
}

/// `POST /api/v1/challenges/{id}/accept`: 200 `{table_id}`, and the game has begun.
pub(super) async fn accept(asked: &Asked, id: &str) -> Answer {
    let challenge = answer(asked, id, ChallengeStep::Accept).await?;
    json(200, &json!({"table_id": challenge.table()})).map_err(|_| Problem::internal())
}

/// `POST /api/v1/challenges/{id}/decline`.
pub(super) async fn decline(asked: &Asked, id: &str) -> Answer {
    answer(asked, id, ChallengeStep::Decline).await?;
    no_content()
}

/// `DELETE /api/v1/challenges/{id}`: the challenger withdraws.
pub(super) async fn withdraw(asked: &Asked, id: &str) -> Answer {
    answer(asked, id, ChallengeStep::Withdraw).await?;
    no_content()
}

/// Refuses a game with a challenger who was suspended from play after he had asked (S4).
async fn check_challenger(db: &D1Database, challenge: &Challenge, now: Timestamp) -> Result<(), Problem> {
    let from = store::people::by_id(db, &challenge.from.id).await;
    let from = from.map_err(|error| database_away(&error))?;
    match from.and_then(|person| person.conduct.barred_at(now)) {
        Some(_) => Err(Problem::new(
            Code::Suspended,
            "an operator has suspended the challenger from play",
        )),
        None => Ok(()),
    }
}

/// Makes a move of the asker's, which must be what ends the challenge.
async fn answer(asked: &Asked, id: &str, step: ChallengeStep) -> Result<Challenge, Problem> {
    let identity = asked.known_identity().await?;
    let player = &identity.player;
    let id = ChallengeId::try_from(id.to_owned()).map_err(|_| Problem::not_found())?;
    let db = asked.database()?;
    let challenge = get(&db, &id)
        .await?
        .filter(|challenge| concerns(challenge, player));
    let challenge = challenge.ok_or_else(Problem::not_found)?;
    // What has ended is answered as it was; no game begins by that.
    if step == ChallengeStep::Accept && challenge.ended.is_none() {
        identity.check_may_play(asked.now)?;
        check_challenger(&db, &challenge, asked.now).await?;
    }
    let facts = match step {
        ChallengeStep::Accept => facts_now(&db, &challenge, player).await?,
        _ => Facts {
            blocked: false,
            welcome: true,
        },
    };
    let made = Move {
        step,
        by: Some(&player.id),
        facts,
    };
    let both = [&challenge.from.id, &challenge.to.id];
    if step == ChallengeStep::Accept {
        sit_down(asked, &both, challenge.table()).await?;
    }
    let ended = challenges::make_move(&asked.env, &db, challenge.clone(), made, asked.now).await;
    // What failed may go on: then the table's word comes. What has ended otherwise leads to no table.
    if step == ChallengeStep::Accept && !matches!(ended, Err(_) | Ok(Ok(Some(ChallengeEnd::Accepted)))) {
        stand_up(asked, &both, challenge.table()).await;
    }
    match ended.map_err(|error| database_away(&error))?? {
        Some(end) if end == wanted(step) => Ok(challenge),
        Some(ChallengeEnd::Blocked) if facts.blocked => Err(Problem::blocked()),
        Some(ChallengeEnd::Blocked) => Err(Problem::new(Code::NotAccepting, "you take no such challenges")),
        Some(_) | None => Err(Problem::new(Code::Gone, "this challenge has ended")),
    }
}

/// The end that the asker means.
fn wanted(step: ChallengeStep) -> ChallengeEnd {
    match step {
        ChallengeStep::Accept => ChallengeEnd::Accepted,
        ChallengeStep::Decline => ChallengeEnd::Declined,
        ChallengeStep::Withdraw => ChallengeEnd::Withdrawn,
        ChallengeStep::Block => ChallengeEnd::Blocked,
        ChallengeStep::Wait => ChallengeEnd::Expired,
    }
}

/// Blocks and preferences once more, as they are when the challenge is accepted.
async fn facts_now(db: &D1Database, challenge: &Challenge, player: &Player) -> Result<Facts, Problem> {
    let person = store::people::by_id(db, &player.id).await;
    let person = person.map_err(|error| database_away(&error))?;
    facts(db, challenge, &person.ok_or_else(Problem::unauthenticated)?).await
}

fn concerns(challenge: &Challenge, player: &Player) -> bool {
    [&challenge.from.id, &challenge.to.id].contains(&&player.id)
}

async fn get(db: &D1Database, id: &ChallengeId) -> Result<Option<Challenge>, Problem> {
    store::challenges::get(db, id)
        .await
        .map_err(|error| database_away(&error))
}
