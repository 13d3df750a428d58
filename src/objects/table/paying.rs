//! Paying what the table owes: each debt is paid to its end, and once at a time. Whoever waits for it waits only so long.

use super::now;
use super::shell::{Shell, Taken};
use super::store::{Debt, Owed};
use crate::clock::Timestamp;
use crate::game::Event;
use crate::objects::lobby::{self, LobbyOp};
use crate::objects::outbox::{open_game, told};
use crate::objects::player::{self, PlayerOp};
use crate::store;
use futures_util::FutureExt;
use futures_util::future::{LocalBoxFuture, Shared, join_all, select};
use serde_json::json;
use std::pin::pin;
use std::rc::Rc;
use std::time::Duration;
use worker::{Delay, Result};

/// How long an answer waits for what the table owes others. The index is told in milliseconds; a lobby or a channel that hangs must not
/// hold up a game.
const LONGEST_WAIT: Duration = Duration::from_millis(1500);

/// A delivery under way. It goes on whether or not anybody waits for it.
pub(super) type Delivery = Shared<LocalBoxFuture<'static, ()>>;

impl Shell {
    /// Tells the index what an input has changed, so that whoever asks it next finds that.
    pub(super) async fn settle_debts_of(self: &Rc<Shell>, taken: &Taken) {
        if !taken.repeated && taken.events.iter().any(Event::owes) {
            self.settle_debts().await;
        } else {
            self.settle_debts_later();
        }
    }

    /// The same, without keeping anybody waiting for it.
    pub(super) fn settle_debts_later(self: &Rc<Shell>) {
        if self.store.is_owing() {
            self.pay();
        }
    }

    /// Pays what is owed and due. What takes long goes on, but nobody waits for that.
    pub(super) async fn settle_debts(self: &Rc<Shell>) {
        let paid = join_all(self.pay());
        select(pin!(paid), pin!(Delay::from(LONGEST_WAIT))).await;
    }

    /// Has everything delivered that is owed and due, as far as it is not under way already.
    pub(super) fn pay(self: &Rc<Shell>) -> Vec<Delivery> {
        match self.store.debts(now()) {
            Ok(debts) => debts.into_iter().map(|debt| self.delivery(debt)).collect(),
            Err(error) => {
                self.storage_failed("outbox.storage_failed", &error);
                Vec::new()
            }
        }
    }

    fn delivery(self: &Rc<Shell>, debt: Debt) -> Delivery {
        let number = debt.number;
        if let Some(under_way) = self.deliveries.borrow().get(&number) {
            return under_way.clone();
        }
        let shell = Rc::clone(self);
        let delivery = async move {
            shell.deliver(&debt).await;
            shell.deliveries.borrow_mut().remove(&number);
        };
        let delivery = delivery.boxed_local().shared();
        self.deliveries.borrow_mut().insert(number, delivery.clone());
        self.later(delivery.clone());
        delivery
    }

    /// Pays a debt. A failure is noted and postponed; the alarm tries again.
    async fn deliver(self: &Rc<Shell>, debt: &Debt) {
        let kept = match self.pay_one(debt, now()).await {
            Ok(()) => self.store.settle(debt),
            Err(error) => {
                crate::log::error("outbox.postponed", &[crate::log::cause(&error)]);
                self.store.postpone(debt, now())
            }
        };
        if let Err(error) = kept {
            self.storage_failed("outbox.storage_failed", &error);
        }
        if let Err(problem) = self.set_alarm(now()).await {
            let code = ("code", json!(problem.code().as_str()));
            crate::log::error("outbox.alarm_not_set", &[code]);
        }
    }

    async fn pay_one(self: &Rc<Shell>, debt: &Debt, now: Timestamp) -> Result<()> {
        let db = || store::database(&self.env);
        match &debt.owed {
            Owed::Summary(summary) => store::games::put(&db()?, debt.seq, summary).await,
            Owed::NextGame(opening) => open_game(&self.env, opening).await,
            Owed::Presence { session, table } => self.tell_presence(session, table, now).await,
            Owed::Spoke { player, table } => store::conduct::spoke(&db()?, player, table, now).await,
            Owed::Appeals(appeals) => store::appeals::put(&db()?, debt.seq, appeals).await,
            Owed::Entry(entry) => store::operator_log::add(&db()?, entry).await,
            Owed::Offer(offer) => {
                let ruleset = offer.summary["ruleset"].as_str().unwrap_or_default();
                told(lobby::ask(&self.env, ruleset, LobbyOp::Offer(offer.clone())).await)
            }
            Owed::Notice { player, frame } => {
                let op = PlayerOp::Tell { frame: frame.clone() };
                told(player::ask(&self.env, player, op).await)
            }
            Owed::Standing { player, standing } => {
                let op = PlayerOp::Hear {
                    standing: standing.clone(),
                };
                told(player::ask(&self.env, player, op).await)
            }
        }
    }
}
