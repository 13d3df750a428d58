//! Searching for an opponent (L2), and the sockets of the lobby and of one's own channel (L1, L4).

use super::Answer;
use super::claims::claim_within;
use super::context::Asked;
use super::limits::Limited;
use crate::game::SearchId;
use crate::http::{Code, Problem};
use crate::lobby::SearchRequest;
use crate::objects::lobby::{self, LobbyCall, LobbyOp};
use crate::objects::player::{self, PlayerOp};
use crate::random;
use crate::ruleset::Ruleset;
use crate::wire;

/// `POST /api/v1/seeks`: 201 `{id, expires_at}`, or 200 `{match_found}` if there is an opponent at once.
pub(super) async fn seek(asked: &mut Asked) -> Answer {
    let identity = asked.identity().await?;
    identity.check_may_play(asked.now)?;
    let player = identity.player;
    let body = asked.json().await?;
    let request: SearchRequest = wire::decode(body.clone())?;
    let fresh = SearchId::from_seed(random::id_seed()?);
    let search = request.grant(fresh.clone(), player.clone(), asked.now)?;
    if !search.terms.takes(player.kind) {
        return Err(Problem::needs_account());
    }
    let id = claim_within(asked, (&player, Limited::Seeks), &body, fresh).await?;
    let search = Box::new(crate::lobby::Search { id, ..search });
    player::ask(&asked.env, &player.id, PlayerOp::Seek { search }).await
}

/// `GET /api/v1/seeks/current`: the search, or the game that it has led to.
pub(super) async fn current(asked: &Asked) -> Answer {
    let player = asked.identity().await?.player;
    player::ask(&asked.env, &player.id, PlayerOp::Search).await
}

/// `DELETE /api/v1/seeks/current`.
pub(super) async fn cancel(asked: &Asked) -> Answer {
    let player = asked.identity().await?.player;
    player::ask(&asked.env, &player.id, PlayerOp::CancelSearch).await
}

/// `GET /api/v1/me/socket`.
pub(super) async fn my_socket(asked: &Asked) -> Answer {
    asked.check_upgrade()?;
    let identity = asked
        .socket_identity()
        .await?
        .ok_or_else(Problem::unauthenticated)?;
    player::open_socket(&asked.env, &identity.player.id, identity.claims.session).await
}

/// `GET /api/v1/lobby/socket?ruleset=`.
pub(super) async fn lobby_socket(asked: &Asked) -> Answer {
    asked.check_upgrade()?;
    let ruleset = asked.query("ruleset").unwrap_or_default();
    let ruleset = Ruleset::by_id(&ruleset);
    let ruleset = ruleset.ok_or_else(|| Problem::bad_field("ruleset", "the id of a ruleset"))?;
    let player = asked.socket_identity().await?.map(|identity| identity.player.id);
    let call = LobbyCall {
        ruleset: ruleset.id.to_owned(),
        op: LobbyOp::Socket { player },
        fault: asked.fault(),
    };
    lobby::open_socket(&asked.env, call).await
}

impl Asked {
    /// Refuses a call that opens no socket at an address that is one.
    pub(super) fn check_upgrade(&self) -> Result<(), Problem> {
        let upgrade = self.header("upgrade");
        match upgrade.is_some_and(|value| value.eq_ignore_ascii_case("websocket")) {
            true => Ok(()),
            false => Err(Problem::new(Code::BadRequest, "this address is a WebSocket")),
        }
    }
}
