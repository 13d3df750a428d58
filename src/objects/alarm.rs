//! An object's one alarm: set for the soonest of what it waits for, and not set again for every input.

use crate::clock::Timestamp;
use std::cell::Cell;
use worker::js_sys::Date as JsDate;
use worker::wasm_bindgen::JsValue;
use worker::{Result, ScheduledTime, State};

/// The alarm that is known to be set.
#[derive(Default)]
pub(super) struct Alarm(Cell<Option<Timestamp>>);

impl Alarm {
    /// Sets the alarm, unless a sooner one is set that has not passed. A late, early or doubled alarm does no harm: it only asks
    /// the object to look at the time.
    pub(super) async fn ring_at(&self, state: &State, next: Option<Timestamp>, now: Timestamp) -> Result<()> {
        let set = self.ahead(now);
        let Some(next) = next.filter(|next| set.is_none_or(|set| *next < set)) else {
            return Ok(());
        };
        self.0.set(Some(next));
        let date = JsDate::new(&JsValue::from_f64(next.as_millis() as f64));
        let outcome = state.storage().set_alarm(ScheduledTime::new(date)).await;
        if outcome.is_err() {
            self.0.set(None);
        }
        outcome
    }

    /// When it is known to ring; nothing if it should have rung before now, since then it may be lost.
    pub(super) fn ahead(&self, now: Timestamp) -> Option<Timestamp> {
        self.0.get().filter(|&set| now <= set)
    }

    /// It has rung.
    pub(super) fn rang(&self) {
        self.0.set(None);
    }
}
