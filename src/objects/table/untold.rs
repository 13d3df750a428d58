//! Events that are stored and of which nobody has been told yet.
//!
//! Events are told in their order (T7). Where something has to be done before an event is told, as the table of a next game must be
//! there before its players are sent to it, whatever is stored meanwhile is told after it.

use crate::game::Event;
use std::cell::{Cell, RefCell};

/// The events that are still to be told, in their order.
#[derive(Default)]
pub(super) struct Untold {
    events: RefCell<Vec<Event>>,
    holds: Cell<u32>,
}

/// While there is one, nothing is told.
pub(super) struct Hold<'a>(&'a Untold);

impl Untold {
    /// Adds events that have just been stored.
    pub(super) fn add(&self, events: &[Event]) {
        self.events.borrow_mut().extend_from_slice(events);
    }

    /// Keeps everything from being told, until what this brings is dropped.
    pub(super) fn hold(&self) -> Hold<'_> {
        self.holds.set(self.holds.get() + 1);
        Hold(self)
    }

    /// What is to be told now.
    pub(super) fn take(&self) -> Vec<Event> {
        match self.holds.get() {
            0 => self.events.take(),
            _ => Vec::new(),
        }
    }
}

impl Drop for Hold<'_> {
    fn drop(&mut self) {
        let Hold(untold) = self;
        untold.holds.set(untold.holds.get().saturating_sub(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Timestamp;
    use crate::game::{EventKind, Seq};

    fn event(seq: u32) -> Event {
        Event {
            seq: Seq(seq),
            at: Timestamp::from_millis(i64::from(seq)),
            kind: EventKind::Closed {},
        }
    }

    fn numbers(events: &[Event]) -> Vec<u32> {
        events.iter().map(|event| event.seq.0).collect()
    }

    #[test]
    fn t7_what_is_stored_while_an_event_waits_is_told_after_it() {
        let untold = Untold::default();
        let hold = untold.hold();
        untold.add(&[event(100)]);
        assert_eq!(numbers(&untold.take()), [0; 0]);
        untold.add(&[event(101), event(102)]);
        assert_eq!(numbers(&untold.take()), [0; 0], "101 must not come before 100");
        drop(hold);
        untold.add(&[event(103)]);
        assert_eq!(numbers(&untold.take()), [100, 101, 102, 103]);
        assert_eq!(numbers(&untold.take()), [0; 0], "each once");
    }

    #[test]
    fn t7_the_last_of_several_holds_lets_go() {
        let untold = Untold::default();
        let (first, second) = (untold.hold(), untold.hold());
        untold.add(&[event(1)]);
        drop(first);
        assert_eq!(numbers(&untold.take()), [0; 0]);
        drop(second);
        assert_eq!(numbers(&untold.take()), [1]);
    }
}
