//! The bent four in the corner: the one shape that playing on misjudges, since neither side wants to play it out.
//!
//! A chain without other liberties encloses three stones in a corner; whichever of its two liberties those stones take,
//! they become four around the corner, and what is left when they are captured can be killed by a ko that the killer
//! takes first. He can wait until there is no threat left, so the chain is dead.

use crate::rules::{Point, Position};

/// A stone of each chain that is dead by a bent four in the corner, if those around it live.
pub(super) fn bent_fours(position: &Position) -> Vec<Point> {
    let inside = position
        .points()
        .filter(|&point| position.chain_id(point) == Some(point));
    inside.filter_map(|chain| victim(position, chain)).collect()
}

/// The chain that three stones in a corner kill.
fn victim(position: &Position, inside: Point) -> Option<Point> {
    let stones: Vec<Point> = position.chain(inside).collect();
    let liberties = position.liberties(inside);
    if stones.len() != 3 || liberties.len() != 2 {
        return None;
    }
    let mut around = stones
        .iter()
        .flat_map(|&stone| position.geometry().neighbours(stone))
        .filter(|&&each| position.stone(each) == position.stone(inside).map(|color| color.opponent()))
        .filter_map(|&each| position.chain_id(each));
    let victim = around.next()?;
    let alone = around.all(|other| other == victim) && position.liberties(victim) == liberties;
    let bent = |&liberty: &Point| is_around_a_corner(position, [stones[0], stones[1], stones[2], liberty]);
    (alone && liberties.iter().all(bent)).then_some(victim)
}

/// Whether four points are a row that goes around a corner of the board, which lies between its ends.
fn is_around_a_corner(position: &Position, four: [Point; 4]) -> bool {
    let geometry = position.geometry();
    let joined = |point: Point| {
        four.iter()
            .filter(|&&each| geometry.neighbours(point).contains(&each))
            .count()
    };
    let joins: usize = four.iter().map(|&point| joined(point)).sum();
    let corner = |&point: &Point| geometry.neighbours(point).len() == 2 && joined(point) == 2;
    joins == 6 && four.iter().all(|&point| joined(point) < 3) && four.iter().any(corner)
}
