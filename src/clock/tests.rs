//! The systems, case by case. Black is the one who thinks; White answers at once.

use super::*;
use crate::rules::Color::{self, Black, White};

fn secs(seconds: i64) -> Millis {
    Millis::from_secs(seconds)
}

fn at(millis: i64) -> Timestamp {
    Timestamp::from_millis(millis)
}

fn byoyomi(main: i64, period: i64, periods: u32) -> TimeControl {
    TimeControl::ByoYomi {
        main: secs(main),
        period: secs(period),
        periods,
    }
}

fn canadian(main: i64, period: i64, stones: u32) -> TimeControl {
    TimeControl::Canadian {
        main: secs(main),
        period: secs(period),
        stones,
    }
}

fn fischer(initial: i64, increment: i64, max: Option<i64>) -> TimeControl {
    TimeControl::Fischer {
        initial: secs(initial),
        increment: secs(increment),
        max: max.map(secs),
    }
}

const HALF_A_MINUTE: TimeControl = TimeControl::PerMove {
    period: Millis::from_secs(30),
};

fn started(settings: TimeControl) -> Clock {
    Clock::new(settings, at(0)).start(Black, at(0))
}

/// The running side thinks for so many milliseconds and moves.
fn think(clock: Clock, millis: i64) -> Result<Clock, FlagFall> {
    let next = clock.running().map_or(Black, Color::opponent);
    clock.moved(next, clock.as_of() + Millis::new(millis))
}

/// Black's moves take so many milliseconds; White's none.
#[track_caller]
fn play(settings: TimeControl, thoughts: &[i64]) -> Clock {
    let mut clock = started(settings);
    for &thought in thoughts {
        clock = think(clock, thought).expect("Black is in time");
        clock = think(clock, 0).expect("White is in time");
    }
    clock
}

fn periods(clock: Clock) -> (i64, i64, u32) {
    let left = clock.left(Black);
    (left.main.get(), left.period.get(), left.periods)
}

fn quota(clock: Clock) -> (i64, i64, u32) {
    let left = clock.left(Black);
    (left.main.get(), left.period.get(), left.stones)
}

#[test]
fn c2_every_move_has_the_same_time_whatever_was_used_before() {
    let clock = play(HALF_A_MINUTE, &[29_999, 1, 29_999]);
    assert_eq!(clock.left(Black).period, secs(30));
    assert_eq!(clock.left(White).period, secs(30));
    assert!(think(clock, 30_000).is_err());
}

#[test]
fn c3_a_period_whose_time_is_exactly_zero_is_consumed() {
    let clock = started(byoyomi(10, 5, 3));
    assert_eq!(periods(clock.at(at(9_999))), (1, 5_000, 3));
    assert_eq!(periods(clock.at(at(10_000))), (0, 5_000, 3));
    assert_eq!(periods(clock.at(at(14_999))), (0, 1, 3));
    assert_eq!(periods(clock.at(at(15_000))), (0, 5_000, 2));
    assert_eq!(periods(clock.at(at(24_999))), (0, 1, 1));
    assert_eq!(periods(clock.at(at(25_000))), (0, 0, 0));
}

#[test]
fn traps_13_a_move_after_17_s_leaves_two_periods_after_24_and_a_half_one_and_25_s_lose() {
    let settings = byoyomi(10, 5, 3);
    assert_eq!(periods(play(settings, &[17_000])), (0, 5_000, 2));
    assert_eq!(periods(play(settings, &[24_500])), (0, 5_000, 1));
    let fall = FlagFall {
        color: Black,
        at: at(25_000),
    };
    assert_eq!(think(started(settings), 25_000), Err(fall));
    assert_eq!(think(started(settings), 99_000), Err(fall));
}

#[test]
fn traps_13_a_last_period_lasts_for_any_number_of_moves_within_it() {
    let settings = byoyomi(0, 5, 1);
    assert_eq!(periods(play(settings, &[4_000; 200])), (0, 5_000, 1));
    assert_eq!(periods(play(settings, &[4_999; 200])), (0, 5_000, 1));
}

#[test]
fn c3_main_time_that_is_left_is_kept_to_the_millisecond() {
    assert_eq!(
        periods(play(byoyomi(10, 5, 3), &[3_217, 4_000])),
        (2_783, 5_000, 3)
    );
}

#[test]
fn c1_byo_yomi_from_the_first_move_has_no_main_time() {
    let settings = TimeControl::PerMovePeriods {
        period: secs(5),
        periods: 2,
    };
    assert_eq!(periods(play(settings, &[4_999])), (0, 5_000, 2));
    assert_eq!(periods(play(settings, &[5_000])), (0, 5_000, 1));
    assert!(think(started(settings), 10_000).is_err());
}

#[test]
fn traps_14_the_move_during_which_main_time_ends_is_the_first_of_the_block() {
    let settings = canadian(10, 60, 3);
    assert_eq!(quota(play(settings, &[9_999])), (1, 60_000, 3));
    assert_eq!(quota(play(settings, &[12_000])), (0, 58_000, 2));
    assert_eq!(quota(play(settings, &[10_000])), (0, 60_000, 2));
    assert_eq!(quota(play(settings, &[12_000, 1_000])), (0, 57_000, 1));
}

#[test]
fn traps_14_completing_the_quota_on_the_last_instant_renews_the_block() {
    let settings = canadian(0, 60, 3);
    let clock = play(settings, &[20_000, 20_000]);
    assert_eq!(quota(clock), (0, 20_000, 1));
    let renewed = think(clock, 19_999).expect("in time");
    assert_eq!(quota(renewed), (0, 60_000, 3));
    assert!(think(clock, 20_000).is_err());
}

#[test]
fn c5_time_that_is_not_used_in_a_block_is_not_added() {
    assert_eq!(quota(play(canadian(0, 60, 2), &[1, 1])), (0, 60_000, 2));
}

#[test]
fn traps_15_the_cap_limits_what_an_increment_gives() {
    let settings = fischer(60, 10, Some(60));
    let clock = play(settings, &[2_000]);
    assert_eq!(clock.left(Black).main, secs(60));
    assert_eq!(play(settings, &[2_000, 25_000]).left(Black).main, secs(45));
}

#[test]
fn c4_reaching_zero_before_the_increment_loses() {
    let clock = started(fischer(60, 10, None));
    assert!(think(clock, 60_000).is_err());
    assert_eq!(
        think(clock, 59_999).expect("in time").left(Black).main,
        Millis::new(10_001)
    );
    assert_eq!(play(fischer(60, 10, None), &[0, 0]).left(Black).main, secs(80));
}

#[test]
fn traps_16_a_move_100_ms_before_the_deadline_stands_and_one_at_it_loses() {
    for settings in [
        HALF_A_MINUTE,
        byoyomi(10, 5, 3),
        fischer(60, 10, None),
        canadian(10, 60, 3),
    ] {
        let clock = started(settings);
        let deadline = clock.deadline().expect("a deadline");
        assert!(think(clock, deadline.as_millis() - 100).is_ok());
        assert_eq!(
            think(clock, deadline.as_millis()),
            Err(FlagFall {
                color: Black,
                at: deadline
            })
        );
        let stopped = clock.stop(deadline);
        assert_eq!(stopped.deadline(), None);
        assert_eq!(stopped.left(Black).main, Millis::ZERO);
        assert_eq!(stopped.left(Black).period, Millis::ZERO);
        assert_eq!(stopped.left(White), clock.left(White));
    }
}

#[test]
fn c1_without_a_clock_nobody_ever_loses_on_time() {
    let clock = started(TimeControl::None);
    assert_eq!(clock.deadline(), None);
    assert_eq!(clock.flag(at(i64::MAX)), None);
    assert!(think(clock, i64::MAX).is_ok());
}

#[test]
fn traps_16b_a_move_after_17_s_taken_back_leaves_13_s_running_at_once() {
    let clock = started(HALF_A_MINUTE);
    let arrived = clock.at(at(17_000));
    let moved = clock.moved(White, at(17_000)).expect("in time");
    assert_eq!(moved.left(Black).period, secs(30));
    assert_eq!(moved.at(at(26_000)).left(White).period, secs(21));
    let taken_back = arrived.rebased(at(26_000));
    assert_eq!(taken_back.running(), Some(Black));
    assert_eq!(taken_back.left(Black).period, secs(13));
    assert_eq!(taken_back.left(White).period, secs(30));
    assert_eq!(taken_back.deadline(), Some(at(39_000)));
}

#[test]
fn c8_a_takeback_returns_increment_period_and_quota_and_what_the_opponent_spent() {
    // Black's move arrives after 12 s and is completed; White spends 3 s on her answer; then Black takes back.
    let taken_back = |settings| {
        let arrived = started(settings).at(at(12_000));
        let completed = arrived.moved(White, at(12_000)).expect("in time");
        let asked = completed.at(at(15_000));
        assert_ne!(
            asked.left(Black),
            arrived.left(Black),
            "the move brought him something"
        );
        assert_ne!(asked.left(White), arrived.left(White), "she has spent something");
        let back = arrived.rebased(at(15_000));
        assert_eq!(back.running(), Some(Black));
        assert_eq!(back.left(White), started(settings).left(White));
        back
    };
    assert_eq!(taken_back(fischer(60, 10, None)).left(Black).main, secs(48));
    assert_eq!(periods(taken_back(byoyomi(0, 5, 3))), (0, 3_000, 1));
    assert_eq!(quota(taken_back(canadian(10, 60, 1))), (0, 58_000, 1));
    assert_eq!(quota(taken_back(canadian(10, 60, 3))), (0, 58_000, 3));
}

#[test]
fn traps_17_after_a_takeback_the_clock_that_runs_can_still_run_out() {
    let taken_back = started(HALF_A_MINUTE).at(at(17_000)).rebased(at(26_000));
    assert!(taken_back.moved(White, at(38_999)).is_ok());
    assert_eq!(taken_back.flag(at(39_000)).map(|fall| fall.color), Some(Black));
}

#[test]
fn h4_opening_stones_are_completed_moves_on_one_players_clock() {
    let clock = started(fischer(60, 10, None));
    let second = clock.moved(Black, at(5_000)).expect("in time");
    assert_eq!(second.running(), Some(Black));
    assert_eq!(second.left(Black).main, secs(65));
    let white = second.moved(White, at(10_000)).expect("in time");
    assert_eq!(white.left(Black).main, secs(70));
    assert_eq!(second.flag(at(70_000)).map(|fall| fall.at), Some(at(70_000)));
}

#[test]
fn c7_the_ending_pass_is_completed_before_the_clocks_stop() {
    let moved = started(fischer(60, 10, None))
        .moved(White, at(20_000))
        .expect("in time");
    let stopped = moved.stop(at(20_000));
    assert_eq!(stopped.running(), None);
    assert_eq!(stopped.left(Black).main, secs(50));
    assert_eq!(stopped.at(at(500_000)).left(Black).main, secs(50));
}

#[test]
fn g8_after_a_resumption_the_clocks_are_as_they_stood_at_the_ending_pass() {
    let ended = started(byoyomi(10, 5, 3))
        .moved(White, at(17_000))
        .expect("in time");
    let resumed = ended.stop(at(17_000)).start(Black, at(137_000));
    assert_eq!(periods(resumed), (0, 5_000, 2));
    assert_eq!(resumed.deadline(), Some(at(147_000)));
}

#[test]
fn c9_after_an_outage_the_game_goes_on_with_the_time_of_the_last_event() {
    let clock = started(HALF_A_MINUTE).moved(White, at(17_000)).expect("in time");
    let deadline = clock.deadline().expect("a deadline");
    assert!(!shows_outage(deadline, deadline + secs(10)));
    let back = deadline + Millis::new(10_001);
    assert!(shows_outage(deadline, back));
    let goes_on = clock.rebased(back);
    assert_eq!(goes_on.running(), Some(White));
    assert_eq!(goes_on.deadline(), Some(back + secs(30)));
}

#[test]
fn a_time_that_steps_back_costs_and_gives_nothing() {
    let clock = started(fischer(60, 0, None))
        .moved(White, at(5_000))
        .expect("in time");
    let moved = clock.moved(Black, at(4_000)).expect("in time");
    assert_eq!(moved.left(White).main, secs(60));
    assert_eq!(moved.at(at(6_000)).left(Black).main, secs(54));
}
