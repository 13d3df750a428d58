//! What to do in the end: play, pass or resign.

use super::search::Search;
use super::{Choice, Ending};
use crate::assess::Assessment;
use crate::rules::{Color, Point};

/// A point is settled when one side owns it in this share of the simulations, in 100. Players who move at random lose
/// much of what they own, so this is not more.
const SETTLED: i64 = 70;

/// How many simulations show at least what a move leads to that the search may not have looked at, and which part of all
/// that there were.
const LEAST_LOOKS: u32 = 100;
const PART_OF_LOOKS: u32 = 8;

/// A pass may promise this much less than a move that looks idle: an opponent who moves twice in a row at random does some
/// harm everywhere.
const TOLERANCE: f32 = 0.1;

/// Hopeless is a chance below this.
const HOPELESS: f32 = 0.06;

/// Nobody gives up a game that is close: as many points behind, at least.
const FAR_BEHIND: i64 = 10;

/// What a finished search says so far.
pub(super) enum Leaning {
    /// It is decided.
    Decided(Choice),
    /// The leading play looks idle: if the assessor finds the play over there, too, it is.
    Idle(usize),
}

/// What the search says without asking the assessor.
pub(super) fn lean(search: &mut Search) -> Leaning {
    let may_pass = search.opening_stones == 0;
    let Some(best) = best_play(search, |_| true) else {
        return Leaning::Decided(if may_pass { Choice::Pass } else { Choice::Resign });
    };
    if is_hopeless(search) {
        return Leaning::Decided(Choice::Resign);
    }
    let Some(pass) = search.tree.edges(0).iter().position(|edge| edge.point.is_none()) else {
        return Leaning::Decided(play(search, best));
    };
    let edges = search.tree.edges(0);
    if edges[pass].tries > edges[best].tries && edges[pass].outcome() > edges[best].outcome() + TOLERANCE {
        // Any play would do harm, as in a seki.
        return Leaning::Decided(Choice::Pass);
    }
    let amid = edges[best]
        .point
        .is_some_and(|point| lies_amid_the_settled(search, point));
    // Where dead stones stay, a pass looks bad as long as they do, and capturing them is looked at first.
    let idle = amid && (search.ending == Ending::AllStonesStay || is_no_loss(search, pass, best));
    match idle {
        true => Leaning::Idle(best),
        false => Leaning::Decided(play(search, best)),
    }
}

/// What to do when the leading play looks idle, given what the assessor says of the position.
pub(super) fn settle(search: &mut Search, best: usize, assessment: &Assessment) -> Choice {
    let is_dame = |point| assessment.neutral.binary_search(&point).is_ok();
    if search.tree.edges(0)[best].point.is_some_and(is_dame) {
        return play(search, best);
    }
    if search.ending == Ending::AllStonesStay {
        let dead = assessment.dead.get(search.to_move.opponent());
        let start = &search.start;
        let captures = |point: Point| {
            start
                .neighbours(point)
                .iter()
                .any(|each| dead.binary_search(each).is_ok())
        };
        if let Some(capture) = best_play(search, captures) {
            let chosen = if is_no_loss(search, capture, best) {
                capture
            } else {
                best
            };
            return play(search, chosen);
        }
    }
    let free = |point| is_dame(point) && search.start.outlook(point, search.to_move).liberties > 1;
    let pass = search.tree.edges(0).iter().position(|edge| edge.point.is_none());
    match (best_play(search, free), pass) {
        // Points that nobody has yet, unless it takes a seki apart.
        (Some(dame), Some(pass)) if is_no_loss(search, dame, pass) => play(search, dame),
        (_, Some(pass)) if search.ending == Ending::DeadStonesGo || is_no_loss(search, pass, best) => {
            Choice::Pass
        }
        _ => play(search, best),
    }
}

fn play(search: &Search, edge: usize) -> Choice {
    search.tree.edges(0)[edge]
        .point
        .map_or(Choice::Pass, Choice::Play)
}

/// The play of the root that was tried most, by its number, among those that are wanted.
fn best_play(search: &Search, wanted: impl Fn(Point) -> bool) -> Option<usize> {
    let edges = search.tree.edges(0).iter().enumerate();
    let plays = edges.filter(|(_, edge)| edge.point.is_some_and(&wanted));
    plays.max_by_key(|(_, edge)| edge.tries).map(|(index, _)| index)
}

/// Whether a move promises as much as another, after some more looks at it; both by their numbers at the root.
fn is_no_loss(search: &mut Search, made: usize, instead: usize) -> bool {
    for _ in 0..LEAST_LOOKS.max(search.simulations / PART_OF_LOOKS) {
        search.simulate_after(Some(made));
    }
    let edges = search.tree.edges(0);
    edges[made].outcome() + TOLERANCE >= edges[instead].outcome()
}

fn lies_amid_the_settled(search: &Search, point: Point) -> bool {
    let owner = settled(search, point);
    let around = search.start.neighbours(point);
    owner.is_some() && around.iter().all(|&each| settled(search, each) == owner)
}

/// Who owns a point in most of the simulations.
fn settled(search: &Search, point: Point) -> Option<Color> {
    let share = i64::from(search.ownership[point.index()]) * 100 / i64::from(search.simulations.max(1));
    // From a share to a difference: 70 of 100 against 30 is a difference of 40.
    let least = 2 * SETTLED - 100;
    match share {
        share if share >= least => Some(Color::Black),
        share if share <= -least => Some(Color::White),
        _ => None,
    }
}

fn is_hopeless(search: &Search) -> bool {
    let mean_margin = search.margins / i64::from(2 * search.simulations.max(1));
    let behind = match search.to_move {
        Color::Black => -mean_margin,
        Color::White => mean_margin,
    };
    search.results < HOPELESS * search.simulations as f32 && behind >= FAR_BEHIND
}
