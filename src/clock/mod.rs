//! Time and clocks. It knows colors and nothing else of the game; time is always an argument.
//!
//! Nothing ticks here. A [`Clock`] is what both players had left at one moment; everything else is arithmetic on that
//! and the present: what is left [`at`](Clock::at) a later moment, the [`deadline`](Clock::deadline) at which the
//! running side loses, what a [move](Clock::moved) makes of it. So a clock may be asked early, late or twice, and it
//! may be stored, forgotten and read again, without a millisecond's difference.
//!
//! [`TimeControl`] is what was agreed when the table was made, [`ClockRule`] what may be agreed. The six systems are
//! four kinds of arithmetic, which are in `left.rs`. Start reading with [`Clock`].
//!
//! # Words
//! - **main time**: what a player has once for the whole game. **overtime**: what comes after it.
//! - **byo-yomi**: overtime in periods; a move made within a period gives it back in full.
//! - **Canadian overtime**: so many moves within a period, again and again.
//! - **Fischer**: main time that grows with each move.
//! - **flag**: falls when a player's time is up, which loses the game.
//!
//! # Example
//! ```
//! use hoshi::clock::{Clock, Millis, TimeControl, Timestamp};
//! use hoshi::rules::Color;
//!
//! let second = |seconds: i64| Timestamp::from_millis(1000 * seconds);
//! let settings = TimeControl::ByoYomi {
//!     main: Millis::from_secs(10),
//!     period: Millis::from_secs(5),
//!     periods: 3,
//! };
//! let clock = Clock::new(settings, second(0)).start(Color::Black, second(0));
//! assert_eq!(clock.deadline(), Some(second(25)));
//! let after = clock.moved(Color::White, second(17))?;
//! assert_eq!(after.left(Color::Black).periods, 2);
//! assert_eq!(after.left(Color::Black).period, Millis::from_secs(5));
//! assert!(clock.moved(Color::White, second(25)).is_err());
//! # Ok::<(), hoshi::clock::FlagFall>(())
//! ```

mod bounds;
mod control;
mod left;
mod notation;
mod reading;
mod rule;
mod state;
mod time;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod ticking;

pub use control::{System, TimeControl};
pub use left::TimeLeft;
pub use reading::{ClockReading, ReadingError, SideReading};
pub use rule::{ClockRule, Limits, OneOf, SettingError, SystemRule};
pub use state::{Clock, FlagFall, shows_outage};
pub use time::{Millis, Timestamp};
