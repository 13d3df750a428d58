//! What to do in the end: play, pass or resign.

use super::search::Search;
use super::{Choice, Ending};
use crate::rules::{Color, Point};

/// A point is settled when one side owns it in this share of the simulations, in 100.
const SETTLED: i32 = 90;

/// How many simulations show what a pass would lead to.
const LOOKS_AT_A_PASS: u32 = 150;

/// A pass may promise this much less than a move that looks idle, because simulations are never quite even.
const TOLERANCE: f32 = 0.05;

/// Hopeless is a chance below this.
const HOPELESS: f32 = 0.06;

/// Nobody gives up a game that is close: as many points behind, at least.
const FAR_BEHIND: i64 = 10;

pub(super) fn choose(search: &mut Search) -> Choice {
    let Some(best) = best_play(search, |_| true) else {
        return if search.opening_stones == 0 {
            Choice::Pass
        } else {
            Choice::Resign
        };
    };
    if is_hopeless(search, best) {
        return Choice::Resign;
    }
    let may_pass = search.opening_stones == 0;
    if let Some(point) = search.tree.edges(0)[best]
        .point
        .filter(|_| !may_pass || !is_idle(search, best))
    {
        return Choice::Play(point);
    }
    if search.ending == Ending::AllStonesStay {
        let captures = best_play(search, |point| takes_a_dead_stone_s_liberty(search, point));
        if let Some(point) = captures.and_then(|index| search.tree.edges(0)[index].point) {
            return Choice::Play(point);
        }
    }
    Choice::Pass
}

/// The play of the root that was tried most, by its number, among those that are wanted.
fn best_play(search: &Search, wanted: impl Fn(Point) -> bool) -> Option<usize> {
    let edges = search.tree.edges(0).iter().enumerate();
    let plays = edges.filter(|(_, edge)| edge.point.is_some_and(&wanted));
    plays.max_by_key(|(_, edge)| edge.tries).map(|(index, _)| index)
}

/// Whether a play changes nothing: it lies amid what is settled, and a pass is as good.
fn is_idle(search: &mut Search, best: usize) -> bool {
    let edges = search.tree.edges(0);
    let pass = edges.iter().position(|edge| edge.point.is_none());
    let (Some(point), Some(pass)) = (edges[best].point, pass) else {
        return false;
    };
    let tried = edges[pass].tries >= edges[best].tries;
    if !tried && !lies_amid_the_settled(search, point) {
        return false;
    }
    for _ in 0..LOOKS_AT_A_PASS {
        search.simulate_after(Some(pass));
    }
    let edges = search.tree.edges(0);
    edges[pass].mean() + TOLERANCE >= edges[best].mean()
}

fn lies_amid_the_settled(search: &Search, point: Point) -> bool {
    let owner = settled(search, point);
    let around = search.start.neighbours(point);
    owner.is_some() && around.iter().all(|&each| settled(search, each) == owner)
}

/// Who owns a point in nearly all simulations.
fn settled(search: &Search, point: Point) -> Option<Color> {
    let share = i64::from(search.ownership[point.index()]) * 100 / i64::from(search.simulations.max(1));
    // From a difference to a share: 90 of 100 against 10 is a difference of 80.
    let least = i64::from(2 * SETTLED - 100);
    match share {
        share if share >= least => Some(Color::Black),
        share if share <= -least => Some(Color::White),
        _ => None,
    }
}

/// Whether a point is a liberty of an opposing chain on ground that is settled to be ours.
fn takes_a_dead_stone_s_liberty(search: &Search, point: Point) -> bool {
    let opponent = search.to_move.opponent();
    let mut around = search.start.neighbours(point).iter();
    around.any(|&each| {
        search.start.stone(each) == Some(opponent) && settled(search, each) == Some(search.to_move)
    })
}

fn is_hopeless(search: &Search, best: usize) -> bool {
    let mean_margin = search.margins / i64::from(2 * search.simulations.max(1));
    let behind = match search.to_move {
        Color::Black => -mean_margin,
        Color::White => mean_margin,
    };
    search.tree.edges(0)[best].mean() < HOPELESS && behind >= FAR_BEHIND
}
