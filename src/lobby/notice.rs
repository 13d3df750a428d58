//! What a player's channel tells him, and when (L4).

use crate::game::{InviteCode, Player, RematchStanding, SearchId, ShortResult, Stage, Standing, TableId};
use serde::{Deserialize, Serialize};

/// Why a search is over without a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchEnd {
    /// He has cancelled it.
    Cancelled,
    /// Five minutes have passed.
    Expired,
    /// Another game has started for him.
    Started,
    /// His last device has gone.
    Disconnected,
    /// An operator has suspended him from play.
    Suspended,
}

/// A message of a player's channel. On the wire its name is in `type`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "type")]
pub enum Notice {
    /// An opponent was found; one who is no person is marked by his kind.
    MatchFound {
        /// Where they play.
        table_id: TableId,
        /// Against whom.
        opponent: Box<Player>,
    },
    /// His search is over.
    SearchEnded {
        /// Which.
        id: SearchId,
        /// Why.
        why: SearchEnd,
    },
    /// A game of his has begun.
    Started {
        /// How it stands.
        table: Box<Standing>,
    },
    /// It is his turn at a table that he has not open.
    YourTurn {
        /// Where.
        table_id: TableId,
        /// The number of moves made.
        turn: u32,
    },
    /// A game of his is over.
    Finished {
        /// Where.
        table_id: TableId,
        /// How.
        result: Option<ShortResult>,
    },
    /// A table that he had opened is closed.
    Closed {
        /// Which.
        table_id: TableId,
    },
    /// His opponent proposes to play again, or they have agreed to.
    Rematch {
        /// After the game at which table.
        table_id: TableId,
        /// Where they play again, once they have agreed.
        next: Option<TableId>,
        /// What opens that table.
        invite: Option<InviteCode>,
    },
}

/// What the player is told when a table stands otherwise than before.
pub(super) fn differences(before: Option<&Standing>, now: &Standing) -> Vec<Notice> {
    let table_id = || now.table_id.clone();
    let mut notices = Vec::new();
    let was_over = before.is_some_and(|before| before.state.is_over());
    let had_started = before.is_some_and(|before| before.started_at.is_some());
    if now.started_at.is_some() && !had_started && !now.state.is_over() {
        notices.push(Notice::Started {
            table: Box::new(now.clone()),
        });
    }
    let same_turn = before.is_some_and(|before| before.your_turn && before.turn == now.turn);
    if now.your_turn && !now.open && !same_turn {
        notices.push(Notice::YourTurn {
            table_id: table_id(),
            turn: now.turn,
        });
    }
    if !was_over && now.state == Stage::Finished {
        notices.push(Notice::Finished {
            table_id: table_id(),
            result: now.result.clone(),
        });
    }
    if !was_over && now.state == Stage::Closed {
        notices.push(Notice::Closed { table_id: table_id() });
    }
    if before.and_then(|before| before.rematch.as_ref()) != now.rematch.as_ref() {
        notices.extend(rematch_notice(now));
    }
    notices
}

fn rematch_notice(now: &Standing) -> Option<Notice> {
    let (next, invite) = match now.rematch.as_ref()? {
        RematchStanding::Offered { by } if Some(*by) == now.color => return None,
        RematchStanding::Offered { .. } => (None, None),
        RematchStanding::Agreed { next, invite } => (Some(next.clone()), Some(invite.clone())),
    };
    Some(Notice::Rematch {
        table_id: now.table_id.clone(),
        next,
        invite,
    })
}
