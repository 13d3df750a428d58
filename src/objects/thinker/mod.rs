//! The object that thinks for tables: it judges positions and chooses the computer's moves, off the tables' own path.
//!
//! It keeps nothing and knows no player. Every table has a thinker of its own, found by the table's id, so that tables need
//! not wait for one another where the platform spreads its objects over machines. Where they share an isolate they share
//! its one thread as well: so the work is done in short slices, and whatever else has come meanwhile goes first.

#![allow(missing_docs, reason = "the object's macro makes public methods without any")]

mod call;
mod thought;

pub(super) use call::{Question, Reply, Wanted, ask};

use super::panic_guard::AbortOnPanic;
use crate::objects::call::Fault;
use std::cell::Cell;
use std::time::Duration;
use thought::Thought;
use worker::{Delay, DurableObject, Env, Error, Request, Response, Result, State, durable_object};

/// A thinker.
#[durable_object(fetch)]
pub struct Thinker {
    state: State,
    /// How many moves it has been asked for. Only the newest is of any use: a table asks for another when there has been a takeback.
    moves_wanted: Cell<u64>,
}

impl DurableObject for Thinker {
    fn new(state: State, env: Env) -> Thinker {
        crate::log::configure(&env);
        Thinker {
            state,
            moves_wanted: Cell::new(0),
        }
    }

    async fn fetch(&self, mut request: Request) -> Result<Response> {
        AbortOnPanic::new(&self.state, async {
            let question: Question = request.json().await?;
            make_fault(question.fault)?;
            let number = self.number(question.wanted);
            let mut thought = Thought::new(&question)?;
            loop {
                if number.is_some_and(|number| number != self.moves_wanted.get()) {
                    return Response::from_json(&Reply::Overtaken);
                }
                if let Some(reply) = thought.work() {
                    return Response::from_json(&reply);
                }
                // A turn of the event loop: whatever has come meanwhile goes first.
                Delay::from(Duration::ZERO).await;
            }
        })
        .await
    }
}

impl Thinker {
    /// The number of a move that is wanted.
    fn number(&self, wanted: Wanted) -> Option<u64> {
        let Wanted::Move { .. } = wanted else { return None };
        self.moves_wanted.set(self.moves_wanted.get() + 1);
        Some(self.moves_wanted.get())
    }
}

/// Fails on purpose, where a test has asked for it.
#[allow(clippy::panic, reason = "it is there to panic")]
fn make_fault(fault: Option<Fault>) -> Result<()> {
    match fault {
        Some(Fault::ThinkerFails) => Err(Error::from("a failure was asked for")),
        Some(Fault::ThinkerPanics) => panic!("a panic was asked for"),
        _ => Ok(()),
    }
}
