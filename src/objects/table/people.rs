//! What a table hears of people from outside the game: other names, deletions, sessions that end, blocks.

use super::now;
use super::shell::Shell;
use super::sockets::{Attachment, TableSockets};
use super::store::Owed;
use crate::clock::Timestamp;
use crate::game::{Command, CommandMessage, Conduct, Input, Phase, Player, PlayerId, TableId, Viewer};
use crate::http::{Code, Problem};
use crate::objects::call::{Block, Fault, TableCall, TableOp};
use crate::players::SessionId;
use crate::rules::PerColor;
use crate::store;
use std::rc::Rc;
use worker::WebSocket;

impl Shell {
    /// Takes note of something about a player. Told twice is told once.
    pub(super) async fn hear(
        self: &Rc<Shell>,
        told: TableOp,
        fault: Option<Fault>,
        now: Timestamp,
    ) -> Result<(), Problem> {
        let input = match told {
            TableOp::SignedOut { session } => {
                return self.close_session(&session).await;
            }
            TableOp::Conduct { player, conduct } => {
                self.learn(&player, &conduct)?;
                let waits = self.with_table(|table| table.waits_for(&player))?;
                if !waits || conduct.barred_at(now).is_none() {
                    return Ok(());
                }
                Input::Close { by: player }
            }
            TableOp::Rename { player } => {
                // Also one who watches speaks under his new name from now on.
                self.sockets().rename(&player);
                Input::Rename { player }
            }
            TableOp::Leave { player } => Input::Leave { player },
            _ => return Ok(()),
        };
        let gone = match &input {
            Input::Leave { player } => Some(player.clone()),
            _ => None,
        };
        let taken = self.take(input, fault, now).await?;
        if let Some(player) = gone {
            // The events of before still have the old name. What he had said is blank already.
            self.store
                .replace_name(&player.id, &player.name)
                .map_err(|error| self.storage_failed("table.store_failed", &error))?;
            self.forget();
            self.close_sockets(|viewer| viewer.player.as_ref().is_some_and(|each| each.id == player.id))
                .await?;
        }
        self.settle_debts_of(&taken).await;
        Ok(())
    }

    /// Takes note of what holds for a player from now on, if the table is there.
    pub(super) fn learn(&self, player: &PlayerId, conduct: &Conduct) -> Result<(), Problem> {
        self.with_table(|_| ())?;
        self.store
            .learn(player, conduct)
            .map_err(|error| self.storage_failed("table.store_failed", &error))
    }

    /// What the table knows of a player's conduct.
    pub(super) fn conduct_of(&self, player: &PlayerId) -> Result<Conduct, Problem> {
        let known = self.store.conducts(|conducts| conducts.of(player).cloned());
        let known = known.map_err(|error| self.storage_failed("table.load_failed", &error))?;
        Ok(known.unwrap_or_default())
    }

    /// A viewer with what he does not hear.
    pub(super) fn hearing(&self, viewer: Viewer) -> Result<Viewer, Problem> {
        let ears = self
            .store
            .conducts(|conducts| conducts.ears(viewer.player.as_ref()));
        let ears = ears.map_err(|error| self.storage_failed("table.load_failed", &error))?;
        Ok(Viewer { ears, ..viewer })
    }

    /// Whether neither of the players of this table is suspended from play (S4).
    fn check_suspensions(&self, seats: &PerColor<Player>, by: &PlayerId) -> Result<(), Problem> {
        let now = now();
        for player in [&seats.black, &seats.white] {
            if let Some(until) = self.conduct_of(&player.id)?.barred_at(now) {
                let problem = match player.id == *by {
                    true => Problem::suspended("play", until),
                    false => Problem::new(
                        Code::Suspended,
                        "an operator has suspended your opponent from play",
                    ),
                };
                return Err(self.with_standing(problem));
            }
        }
        Ok(())
    }

    /// Whether a seat may be taken in spite of blocks (T6). A block is no reason where there is no seat to take. What the index says is
    /// asked for with the call; it may not know the table yet, or be away, and then what the players' own conduct says is enough.
    pub(super) fn check_block(&self, call: &TableCall, block: Block) -> Result<(), Problem> {
        let creator = self.with_table(|table| {
            let waiting = *table.phase() == Phase::Waiting;
            waiting.then(|| table.creator().id.clone())
        })?;
        let (Some(creator), Some(caller)) = (creator, &call.player) else {
            return Ok(());
        };
        let known = match &call.conduct {
            // As of this moment, in both directions.
            Some(conduct) => conduct.hidden.contains(&creator),
            None => self.are_apart(&caller.id, &creator)?,
        };
        match known || block == Block::Between {
            true => Err(self.with_standing(Problem::blocked())),
            false => Ok(()),
        }
    }

    /// Whether one of two has blocked the other, as far as the table has heard.
    fn are_apart(&self, one: &PlayerId, other: &PlayerId) -> Result<bool, Problem> {
        let apart = self.store.conducts(|conducts| conducts.are_apart(one, other));
        apart.map_err(|error| self.storage_failed("table.load_failed", &error))
    }

    /// Whether the players of this table may play again in spite of blocks (T6) and suspensions (S4). While the database is away, only
    /// what the table has heard of stands in the way.
    pub(super) async fn check_rematch(&self, by: &PlayerId, message: &CommandMessage) -> Result<(), Problem> {
        if !matches!(message.command, Command::Rematch {}) {
            return Ok(());
        }
        let Some(seats) = self.with_table(|table| table.seats().cloned())? else {
            return Ok(());
        };
        self.check_suspensions(&seats, by)?;
        let blocked = match store::database(&self.env) {
            Ok(db) => store::blocks::between(&db, &seats.black.id, &seats.white.id).await,
            Err(error) => Err(error),
        };
        let blocked = match blocked {
            Ok(blocked) => blocked,
            Err(error) => {
                crate::log::error("database.away", &[crate::log::cause(&error)]);
                self.are_apart(&seats.black.id, &seats.white.id)?
            }
        };
        match blocked {
            true => Err(self.with_standing(Problem::blocked())),
            false => Ok(()),
        }
    }

    /// Closes the sockets of a session that has ended.
    async fn close_session(self: &Rc<Shell>, session: &SessionId) -> Result<(), Problem> {
        self.close_sockets(|viewer| viewer.session.as_ref() == Some(session))
            .await
    }

    /// Closes the sockets of these viewers at once, and tells those who stay.
    async fn close_sockets(self: &Rc<Shell>, whose: impl Fn(&Attachment) -> bool) -> Result<(), Problem> {
        let before = self.spectators(None);
        self.sockets().sign_out(whose);
        let spectators = self.spectators(None);
        if spectators != before {
            self.sockets().broadcast_spectators(spectators, None);
        }
        self.viewers_changed(None).await
    }

    /// Owes the index that a session is connected here, so that its sockets are found when it ends. It is told soon, and as often as it
    /// takes.
    pub(super) async fn owe_presence(self: &Rc<Shell>, session: Option<SessionId>) -> Result<(), Problem> {
        let Some(session) = session else {
            return Ok(());
        };
        let (seq, table) = self.with_table(|table| (table.seq(), table.id().clone()))?;
        let owed = vec![(seq, Owed::Presence { session, table })];
        self.store
            .owe(owed)
            .map_err(|error| self.storage_failed("table.store_failed", &error))?;
        self.set_alarm(now()).await?;
        self.pay();
        Ok(())
    }

    /// Tells the index that a session is not connected any more, if this was its last socket. A failure leaves a row that only costs
    /// a call when the session ends.
    pub(super) fn session_left(self: &Rc<Shell>, socket: &WebSocket) {
        let session = TableSockets::attachment(socket).and_then(|attachment| attachment.session);
        let Some(session) = session.filter(|session| !self.sockets().has_session(session, Some(socket)))
        else {
            return;
        };
        let (shell, closing) = (Rc::clone(self), socket.clone());
        self.later(async move {
            if let Err(error) = shell.tell_of_leaving(&session, &closing).await {
                crate::log::error("presence.not_told", &[crate::log::cause(&error)]);
            }
        });
    }

    async fn tell_of_leaving(
        self: &Rc<Shell>,
        session: &SessionId,
        closing: &WebSocket,
    ) -> worker::Result<()> {
        let table = self.with_table(|table| table.id().to_string());
        let table = table.map_err(|problem| worker::Error::from(problem.code().as_str()))?;
        store::sessions::disconnected(&store::database(&self.env)?, session, &table).await?;
        if self.sockets().has_session(session, Some(closing)) {
            // He has come back in between.
            let owed = self.owe_presence(Some(session.clone())).await;
            owed.map_err(|problem| worker::Error::from(problem.code().as_str()))?;
        }
        Ok(())
    }

    /// Tells the index that a session is connected here, if it is. If there is no such session any more, its sockets are closed: it
    /// ended before the index knew of them. What has changed for the player while nobody knew that he is here is asked; whatever
    /// changes from now on is told.
    pub(super) async fn tell_presence(
        self: &Rc<Shell>,
        session: &SessionId,
        table: &TableId,
        now: Timestamp,
    ) -> worker::Result<()> {
        let Some(player) = self.sockets().player_of(session) else {
            return Ok(());
        };
        let db = store::database(&self.env)?;
        if !store::sessions::connected(&db, session, table.as_str(), now).await? {
            let closed = self.close_session(session).await;
            return closed.map_err(|problem| worker::Error::from(problem.code().as_str()));
        }
        match store::people::by_id(&db, &player).await? {
            Some(person) => self.store.learn(&person.player.id, &person.conduct),
            None => Ok(()),
        }
    }
}
