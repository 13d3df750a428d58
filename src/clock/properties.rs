//! What must hold of every clock: the arithmetic against [clocks that tick](super::ticking), and the laws of time.
//!
//! The settings are a few milliseconds, far below what a table may have, so that a random game sees every period run
//! out; the arithmetic does not know the difference.

use super::left::Arithmetic;
use super::ticking::Ticker;
use super::*;
use crate::rules::Color;
use proptest::prelude::*;

/// Something that happens to a clock.
#[derive(Clone, Copy, Debug)]
enum Happens {
    /// The running side thinks for so long, and moves.
    Move { after: i64, next: Color },
    /// After so long the last move is taken back.
    TakeBack { after: i64 },
    /// After so long both clocks stop, and stand for a while; then one side is to move.
    Pause { after: i64, length: i64, next: Color },
    /// The server is away, and the time since the last event is nobody's loss.
    Outage { after: i64 },
}

fn millis(range: std::ops::Range<i64>) -> impl Strategy<Value = Millis> {
    range.prop_map(Millis::new)
}

fn settings() -> impl Strategy<Value = TimeControl> {
    prop_oneof![
        1 => Just(TimeControl::None),
        3 => millis(1..30).prop_map(|period| TimeControl::PerMove { period }),
        3 => (millis(1..12), 1u32..5)
            .prop_map(|(period, periods)| TimeControl::PerMovePeriods { period, periods }),
        6 => (millis(0..30), millis(1..12), 1u32..5)
            .prop_map(|(main, period, periods)| TimeControl::ByoYomi { main, period, periods }),
        6 => (millis(1..40), millis(0..15), prop::option::of(millis(0..20))).prop_map(|(initial, increment, more)| {
            let max = more.map(|more| initial + more);
            TimeControl::Fischer { initial, increment, max }
        }),
        6 => (millis(0..30), millis(1..40), 1u32..5)
            .prop_map(|(main, period, stones)| TimeControl::Canadian { main, period, stones }),
    ]
}

fn color() -> impl Strategy<Value = Color> {
    prop::sample::select(Color::BOTH.to_vec())
}

fn happens() -> impl Strategy<Value = Happens> {
    let after = || prop_oneof![3 => 0i64..8, 1 => 0i64..40];
    prop_oneof![
        8 => (after(), color()).prop_map(|(after, next)| Happens::Move { after, next }),
        1 => after().prop_map(|after| Happens::TakeBack { after }),
        1 => (after(), 0i64..60, color())
            .prop_map(|(after, length, next)| Happens::Pause { after, length, next }),
        1 => (0i64..90).prop_map(|after| Happens::Outage { after }),
    ]
}

fn at(millis: i64) -> Timestamp {
    Timestamp::from_millis(millis)
}

/// A clock after a few moves of a game under random settings, running.
fn running_clock() -> impl Strategy<Value = Clock> {
    let thoughts = prop::collection::vec(0i64..10, 0..8);
    (settings(), thoughts).prop_map(|(settings, thoughts)| {
        let mut clock = Clock::new(settings, at(0)).start(Color::Black, at(0));
        for thought in thoughts {
            let next = clock.running().map_or(Color::Black, Color::opponent);
            let moved = clock.moved(next, clock.as_of() + Millis::new(thought));
            clock = moved.unwrap_or(clock);
        }
        clock
    })
}

/// A game that two clocks run: the one under test, of which only what events store is kept, and the ticking one.
struct Race {
    now: i64,
    stored: Clock,
    ticker: Ticker,
    /// The ticking clocks at the last event.
    ticker_stored: Ticker,
    /// Both at the arrival of each move that stands.
    arrivals: Vec<(Clock, Ticker)>,
}

impl Race {
    fn new(settings: TimeControl) -> Race {
        let mut ticker = Ticker::new(settings);
        ticker.running = Some(Color::Black);
        Race {
            now: 0,
            stored: Clock::new(settings, at(0)).start(Color::Black, at(0)),
            ticker,
            ticker_stored: ticker,
            arrivals: Vec::new(),
        }
    }

    /// Lets time pass, comparing at every tick.
    fn pass(&mut self, length: i64) -> Result<(), TestCaseError> {
        for _ in 0..length {
            let was_lost = self.ticker.lost.is_some();
            self.ticker.tick();
            self.now += 1;
            self.compare()?;
            if let (false, Some(color)) = (was_lost, self.ticker.lost) {
                let fall = FlagFall {
                    color,
                    at: at(self.now),
                };
                prop_assert_eq!(self.stored.flag(at(self.now)), Some(fall));
                prop_assert_eq!(self.stored.deadline(), Some(fall.at));
            }
        }
        Ok(())
    }

    fn compare(&self) -> Result<(), TestCaseError> {
        let clock = self.stored.at(at(self.now));
        for color in Color::BOTH {
            prop_assert_eq!(clock.left(color), *self.ticker.left.get(color));
        }
        prop_assert_eq!(clock.running(), self.ticker.running);
        prop_assert_eq!(
            self.stored.flag(at(self.now)).map(|fall| fall.color),
            self.ticker.lost
        );
        Ok(())
    }

    /// Takes over what has happened, by way of the stored form.
    fn store(&mut self, clock: Clock, ticker: Ticker) -> Result<(), TestCaseError> {
        let row = serde_json::to_string(&clock).expect("serialises");
        self.stored = serde_json::from_str(&row).expect("reads back");
        prop_assert_eq!(self.stored, clock);
        self.ticker = ticker;
        self.ticker_stored = ticker;
        self.compare()
    }

    fn take(&mut self, happens: Happens) -> Result<(), TestCaseError> {
        match happens {
            Happens::Move { after, next } => {
                self.pass(after)?;
                let arrived = (self.stored.at(at(self.now)), self.ticker);
                let moved = self.stored.moved(next, at(self.now));
                prop_assert_eq!(moved.is_err(), self.ticker.lost.is_some());
                if let Ok(moved) = moved {
                    self.arrivals.push(arrived);
                    self.ticker.complete(next);
                    self.store(moved, self.ticker)?;
                }
            }
            Happens::TakeBack { after } => {
                self.pass(after)?;
                if self.ticker.lost.is_none()
                    && let Some((clock, ticker)) = self.arrivals.pop()
                {
                    self.store(clock.rebased(at(self.now)), ticker)?;
                }
            }
            Happens::Pause { after, length, next } => {
                self.pass(after)?;
                if self.ticker.lost.is_none() {
                    self.ticker.running = None;
                    self.store(self.stored.stop(at(self.now)), self.ticker)?;
                    self.pass(length)?;
                    self.ticker.running = Some(next);
                    self.store(self.stored.start(next, at(self.now)), self.ticker)?;
                }
            }
            Happens::Outage { after } => {
                self.now += after;
                self.store(self.stored.rebased(at(self.now)), self.ticker_stored)?;
            }
        }
        Ok(())
    }
}

proptest! {
    #[test]
    fn prop_the_arithmetic_agrees_with_clocks_that_tick(
        settings in settings(),
        story in prop::collection::vec(happens(), 1..40),
    ) {
        let mut race = Race::new(settings);
        for happens in story {
            race.take(happens)?;
            if race.ticker.lost.is_some() {
                break;
            }
        }
    }

    #[test]
    fn prop_a_move_one_millisecond_before_the_deadline_stands_and_at_it_loses(clock in running_clock()) {
        let color = clock.running().expect("runs");
        let Some(deadline) = clock.deadline() else {
            prop_assert_eq!(clock.settings(), TimeControl::None);
            return Ok(());
        };
        let before = at(deadline.as_millis() - 1);
        prop_assert!(clock.moved(color.opponent(), before).is_ok());
        let fall = FlagFall { color, at: deadline };
        prop_assert_eq!(clock.moved(color.opponent(), deadline), Err(fall));
        prop_assert_eq!(clock.moved(color.opponent(), deadline + Millis::new(7)), Err(fall));
    }

    #[test]
    fn prop_time_lost_is_time_elapsed_and_never_more_than_there_is(clock in running_clock(), elapsed in 0i64..100) {
        let color = clock.running().expect("runs");
        let later = clock.at(clock.as_of() + Millis::new(elapsed));
        prop_assert_eq!(later.left(color.opponent()), clock.left(color.opponent()));
        let arithmetic = Arithmetic::of(&clock.settings());
        if let (Some(before), Some(after)) = (arithmetic.total(clock.left(color)), arithmetic.total(later.left(color))) {
            prop_assert_eq!((before - after).get(), elapsed.min(before.get()));
        }
        let left = later.left(color);
        prop_assert!(left.main >= Millis::ZERO && left.period >= Millis::ZERO);
    }

    #[test]
    fn prop_looking_at_a_clock_changes_nothing(clock in running_clock(), first in 0i64..50, second in 0i64..50) {
        let middle = clock.as_of() + Millis::new(first);
        let end = middle + Millis::new(second);
        let looked = clock.at(middle);
        prop_assert_eq!(looked.at(end), clock.at(end));
        prop_assert_eq!(looked.flag(end).is_some(), clock.flag(end).is_some());
        if clock.flag(middle).is_none() {
            prop_assert_eq!(looked.deadline(), clock.deadline());
            prop_assert_eq!(looked.moved(Color::White, end), clock.moved(Color::White, end));
        }
    }

    #[test]
    fn prop_a_stored_clock_is_read_as_it_was_also_when_its_time_is_up(clock in running_clock(), elapsed in 0i64..100) {
        let later = clock.at(clock.as_of() + Millis::new(elapsed));
        for clock in [later, later.stop(later.as_of())] {
            let row = serde_json::to_string(&clock).expect("serialises");
            prop_assert_eq!(serde_json::from_str::<Clock>(&row).expect("reads back"), clock);
        }
    }

    #[test]
    fn prop_after_a_takeback_it_is_as_if_the_move_had_never_been_made(
        clock in running_clock(),
        thought in 0i64..10,
        answer in 0i64..10,
        more in 0i64..20,
    ) {
        let arrival = clock.as_of() + Millis::new(thought);
        if clock.flag(arrival).is_some() {
            return Ok(());
        }
        let undone = arrival + Millis::new(answer);
        let taken_back = clock.at(arrival).rebased(undone);
        let with = taken_back.at(undone + Millis::new(more));
        let without = clock.at(arrival + Millis::new(more));
        for color in Color::BOTH {
            prop_assert_eq!(with.left(color), without.left(color));
        }
        prop_assert_eq!(with.running(), without.running());
    }

    #[test]
    fn prop_systems_that_mean_the_same_run_the_same(
        period in millis(1..12),
        periods in 1u32..5,
        main in millis(0..20),
        thoughts in prop::collection::vec(0i64..15, 1..20),
    ) {
        let pairs = [
            (
                TimeControl::PerMovePeriods { period, periods },
                TimeControl::ByoYomi { main: Millis::ZERO, period, periods },
            ),
            (
                TimeControl::PerMove { period },
                TimeControl::PerMovePeriods { period, periods: 1 },
            ),
            (
                TimeControl::Canadian { main, period, stones: 1 },
                TimeControl::ByoYomi { main, period, periods: 1 },
            ),
        ];
        for (one, other) in pairs {
            let mut clocks = [one, other].map(|settings| Clock::new(settings, at(0)).start(Color::Black, at(0)));
            let mut now = at(0);
            for &thought in &thoughts {
                now = now + Millis::new(thought);
                prop_assert_eq!(clocks[0].deadline(), clocks[1].deadline());
                let next = clocks[0].running().expect("runs").opponent();
                let [Ok(first), Ok(second)] = clocks.map(|clock| clock.moved(next, now)) else {
                    prop_assert_eq!(clocks[0].flag(now), clocks[1].flag(now));
                    break;
                };
                clocks = [first, second];
            }
        }
    }

    #[test]
    fn prop_no_stored_clock_makes_the_arithmetic_panic(
        (main, period, periods) in (any::<i64>(), any::<i64>(), any::<u32>()),
        (settings, stones) in (0usize..6, any::<u32>()),
        (as_of, now) in (any::<i64>(), any::<i64>()),
    ) {
        let (main, period) = (Millis::new(main), Millis::new(period));
        let settings = [
            TimeControl::None,
            TimeControl::PerMove { period },
            TimeControl::PerMovePeriods { period, periods },
            TimeControl::ByoYomi { main, period, periods },
            TimeControl::Fischer { initial: main, increment: period, max: Some(main) },
            TimeControl::Canadian { main, period, stones },
        ][settings];
        let clock = Clock::new(settings, at(as_of)).start(Color::Black, at(as_of));
        let later = clock.at(at(now));
        prop_assert!(later.as_of() >= clock.as_of());
        let _ = (later.deadline(), clock.moved(Color::White, at(now)), clock.rebased(at(now)));
        let _ = shows_outage(at(as_of), at(now));
        for left in [later.left(Color::Black), later.left(Color::White)] {
            let _ = (settings.time_left(left), settings.moves_left(left), settings.overtime());
        }
    }
}
