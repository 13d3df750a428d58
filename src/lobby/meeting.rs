//! Whether two whom the pool has paired may meet (T6, S4).

use crate::clock::Timestamp;
use crate::game::{Conduct, PlayerId};

/// Whether two may meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meeting {
    /// They may.
    Fine,
    /// One of them has blocked the other: they are kept apart.
    Apart,
    /// These may begin no game at all now: they are suspended from play.
    Barred(Vec<PlayerId>),
}

/// Whether these two may meet at `now`, by what is known of both.
pub fn meeting(one: (&PlayerId, &Conduct), other: (&PlayerId, &Conduct), now: Timestamp) -> Meeting {
    let barred = [one, other].into_iter();
    let barred = barred.filter(|(_, conduct)| conduct.barred_at(now).is_some());
    let barred: Vec<PlayerId> = barred.map(|(player, _)| player.clone()).collect();
    // Each conduct has the blocks of both directions; one of the two may have been read a moment before the other.
    let blocked = one.1.hidden.contains(other.0) || other.1.hidden.contains(one.0);
    match (barred.is_empty(), blocked) {
        (false, _) => Meeting::Barred(barred),
        (true, true) => Meeting::Apart,
        (true, false) => Meeting::Fine,
    }
}
