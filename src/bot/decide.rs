//! What to do in the end: play, pass or resign.

use super::search::Search;
use super::{Choice, Ending};
use crate::assess::Assessment;
use crate::rules::{Color, HalfPoints, Move, Point};

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

/// Nor may it cost more points than this, on the average: in a game that is lost or won whatever happens all moves promise the
/// same result, and only the points tell what they are worth. In finished games of 9x9 and 13x13 the same opponent costs up
/// to so many.
const TOLERATED_POINTS: f64 = 6.0;

/// Hopeless is a chance below this.
const HOPELESS: f32 = 0.06;

/// As long as stones lie on less than one point of so many, nobody passes unasked while there is something to play, whatever a
/// pass seems to cost; nor does anybody give up. In a handicap game all seems lost, or won, from the first move on.
const UNDER_WAY: usize = 3;

/// The same for the answer to a pass. Later the opponent may well be done; before, it was a slip.
const MAY_END: usize = 4;

/// As long as more than one point of so many is nobody's, play is not over: more than the dame that beginners leave.
const MOST_NEUTRAL: usize = 8;

/// Nobody gives up a game that is close: as many points behind, at least.
const FAR_BEHIND: i32 = 10;

/// What to do next, in the end. Moves are given by their numbers at the root.
#[derive(Clone, Copy, Debug)]
pub(super) enum Next {
    /// It is decided.
    Done(Choice),
    /// The leading play looks idle: if the assessor finds the play over there, too, it is.
    Judge { leading: usize },
    /// Some more looks at a move tell whether it promises as much as another.
    Compare(Comparison),
}

/// A question to the search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comparison {
    /// The move that is looked at.
    pub(super) made: usize,
    /// The one that it is compared with.
    instead: usize,
    /// What follows if `made` is no loss, and if it is one.
    if_no_loss: Then,
    otherwise: Then,
}

/// What follows from a comparison.
#[derive(Clone, Copy, Debug)]
enum Then {
    Make(usize),
    Judge { leading: usize },
    PassUnless { better: usize },
}

/// Whether another pass after the opponent's ends the game as it should: won, with hardly anything left to be had. Where dead
/// stones stay, none that could be captured may be left.
pub(super) fn ends_well(search: &Search, assessment: &Assessment) -> bool {
    let points = search.start.terrain().points().len();
    let captured = match search.ending {
        Ending::DeadStonesGo(_) => true,
        Ending::AllStonesStay => assessment.dead.get(search.to_move.opponent()).is_empty(),
    };
    search.lead > Some(HalfPoints::ZERO)
        && has_stones_on(search, MAY_END)
        && assessment.neutral.len() * MOST_NEUTRAL <= points
        && captured
}

/// Whether stones lie on one point of so many at least.
fn has_stones_on(search: &Search, of: usize) -> bool {
    search.stones * of >= search.start.terrain().points().len()
}

/// What the search says without asking the assessor.
pub(super) fn lean(search: &Search) -> Next {
    let may_pass = search.opening_stones == 0;
    let Some(leading) = best_play(search, |_| true) else {
        return Next::Done(if may_pass { Choice::Pass } else { Choice::Resign });
    };
    if is_hopeless(search) {
        return Next::Done(Choice::Resign);
    }
    let Some(pass) = pass(search) else {
        return make(search, leading);
    };
    let edges = search.tree.edges(0);
    if has_stones_on(search, UNDER_WAY)
        && edges[pass].tries > edges[leading].tries
        && edges[pass].outcome() > edges[leading].outcome() + TOLERANCE
    {
        // Any play would do harm, as in a seki.
        return Next::Done(Choice::Pass);
    }
    let amid = edges[leading]
        .point
        .is_some_and(|point| lies_amid_the_settled(search, point));
    match (amid && has_stones_on(search, UNDER_WAY), search.ending) {
        (false, _) => make(search, leading),
        // Where dead stones stay, a pass looks bad as long as they do, and capturing them is looked at first.
        (true, Ending::AllStonesStay) => Next::Judge { leading },
        (true, Ending::DeadStonesGo(_)) => Next::Compare(Comparison {
            made: pass,
            instead: leading,
            if_no_loss: Then::Judge { leading },
            otherwise: Then::Make(leading),
        }),
    }
}

/// What to do when the leading play looks idle, given what the assessor says of the position.
pub(super) fn judged(search: &Search, leading: usize, assessment: &Assessment) -> Next {
    let is_dame = |point| assessment.neutral.binary_search(&point).is_ok();
    if search.tree.edges(0)[leading].point.is_some_and(is_dame) {
        return make(search, leading);
    }
    if search.ending == Ending::AllStonesStay {
        let dead = assessment.dead.get(search.to_move.opponent());
        let start = &search.start;
        let captures = |point: Point| {
            let mut around = start.neighbours(point).iter();
            around.any(|each| dead.binary_search(each).is_ok())
        };
        if let Some(capture) = best_play(search, captures) {
            return Next::Compare(Comparison {
                made: capture,
                instead: leading,
                if_no_loss: Then::Make(capture),
                otherwise: Then::Make(leading),
            });
        }
    }
    let free = |point| is_dame(point) && search.start.outlook(point, search.to_move).liberties > 1;
    match (best_play(search, free), pass(search)) {
        // Points that nobody has yet, unless it takes a seki apart.
        (Some(dame), Some(pass)) => Next::Compare(Comparison {
            made: dame,
            instead: pass,
            if_no_loss: Then::Make(dame),
            otherwise: Then::PassUnless { better: leading },
        }),
        _ => pass_unless(search, leading),
    }
}

/// What a comparison has led to, after the looks that it wanted.
pub(super) fn compared(search: &Search, comparison: Comparison) -> Next {
    let edges = search.tree.edges(0);
    let Comparison { made, instead, .. } = comparison;
    let no_loss = edges[made].outcome() + TOLERANCE >= edges[instead].outcome()
        && points_after(search, made) + TOLERATED_POINTS >= points_after(search, instead);
    let then = match no_loss {
        true => comparison.if_no_loss,
        false => comparison.otherwise,
    };
    match then {
        Then::Make(edge) => make(search, edge),
        Then::Judge { leading } => Next::Judge { leading },
        Then::PassUnless { better } => pass_unless(search, better),
    }
}

/// How many looks a comparison wants.
pub(super) fn looks(search: &Search) -> u32 {
    LEAST_LOOKS.max(search.simulations / PART_OF_LOOKS)
}

/// Passes, unless the search believes in a pass that the count says is lost; where dead stones stay, only if that promises
/// as much as a play. Whoever is far behind gives up rather than pass on and on.
fn pass_unless(search: &Search, better: usize) -> Next {
    let Some(pass) = pass(search) else {
        return make(search, better);
    };
    let is_asked = search.last == Some(Move::Pass);
    let lead = search.lead.unwrap_or(HalfPoints::ZERO);
    if is_asked && lead < HalfPoints::ZERO && search.tree.edges(0)[pass].outcome() > 0.5 {
        return make(search, better);
    }
    match search.ending {
        Ending::DeadStonesGo(_) if !is_asked && lead <= HalfPoints::from_points(-FAR_BEHIND) => {
            Next::Done(Choice::Resign)
        }
        Ending::DeadStonesGo(_) => Next::Done(Choice::Pass),
        Ending::AllStonesStay => Next::Compare(Comparison {
            made: pass,
            instead: better,
            if_no_loss: Then::Make(pass),
            otherwise: Then::Make(better),
        }),
    }
}

/// By how many points the side to move leads at the end, on the average, if it begins with this move.
fn points_after(search: &Search, edge: usize) -> f64 {
    let tries = search.tree.edges(0)[edge].tries.max(1);
    let black = search.margins_after[edge] as f64 / f64::from(2 * tries);
    match search.to_move {
        Color::Black => black,
        Color::White => -black,
    }
}

fn make(search: &Search, edge: usize) -> Next {
    let point = search.tree.edges(0)[edge].point;
    Next::Done(point.map_or(Choice::Pass, Choice::Play))
}

fn pass(search: &Search) -> Option<usize> {
    search.tree.edges(0).iter().position(|edge| edge.point.is_none())
}

/// The play of the root that was tried most, by its number, among those that are wanted.
fn best_play(search: &Search, wanted: impl Fn(Point) -> bool) -> Option<usize> {
    let edges = search.tree.edges(0).iter().enumerate();
    let plays = edges.filter(|(_, edge)| edge.point.is_some_and(&wanted));
    plays.max_by_key(|(_, edge)| edge.tries).map(|(index, _)| index)
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
    if !has_stones_on(search, UNDER_WAY) {
        return false;
    }
    let mean_margin = search.margins / i64::from(2 * search.simulations.max(1));
    let behind = match search.to_move {
        Color::Black => -mean_margin,
        Color::White => mean_margin,
    };
    search.results < HOPELESS * search.simulations as f32 && behind >= i64::from(FAR_BEHIND)
}
