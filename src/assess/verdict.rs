//! From evidence to a judgement: chains that live and die together, which of them are dead, and the count.

use super::bent_four::bent_fours;
use super::{Assessment, ChainStatus, Status};
use crate::rules::{Color, PerColor, Point, Position, count_area};
use crate::ruleset::Removes;

/// A group is dead when fewer than this many of 1000 playouts leave it alive. Players who move at random are kind to
/// the weak side: stones without hope live in a third of the playouts at times, while living ones hardly ever fall below
/// a half. The number is calibrated on finished games (`cargo bench --bench judge`).
const DEAD_BELOW: u32 = 450;

/// The same where only clearly dead chains go. No living chain of the finished games falls below it, and a few dead ones
/// do not.
const CLEARLY_DEAD_BELOW: u32 = 300;

/// A living chain is in seki when more than this many of 1000 playouts leave it so.
const SEKI_ABOVE: u32 = 500;

/// A bent four in the corner kills when each chain around it lives in at least this many of 1000 playouts.
const KILLERS_ABOVE: u32 = 600;

/// Chains live and die together when this many of 1000 playouts treat them alike.
const TOGETHER: u32 = 900;

/// In 1000, below which a group is dead.
fn dead_below(removes: Removes) -> u32 {
    match removes {
        Removes::Dead => DEAD_BELOW,
        Removes::ClearlyDead => CLEARLY_DEAD_BELOW,
    }
}

/// What playouts have shown of one chain.
#[derive(Clone, Debug)]
pub(super) struct Evidence {
    /// Its first stone.
    pub(super) stone: Point,
    pub(super) color: Color,
    /// A bit for each playout: whether its place remained its color's.
    survived: Vec<u64>,
    seki: u32,
}

impl Evidence {
    pub(super) fn new(stone: Point, color: Color) -> Evidence {
        Evidence {
            stone,
            color,
            survived: Vec::new(),
            seki: 0,
        }
    }

    /// Adds what a playout has shown; playouts are numbered from 0.
    pub(super) fn add(&mut self, playout: u32, status: Status) {
        let (word, bit) = (playout as usize / 64, playout % 64);
        if self.survived.len() <= word {
            self.survived.resize(word + 1, 0);
        }
        self.survived[word] |= u64::from(status != Status::Dead) << bit;
        self.seki += u32::from(status == Status::Seki);
    }

    fn survivals(&self) -> u32 {
        self.survived.iter().map(|word| word.count_ones()).sum()
    }

    fn differences(&self, other: &Evidence) -> u32 {
        let words = self.survived.iter().zip(&other.survived);
        words.map(|(one, other)| (one ^ other).count_ones()).sum()
    }
}

/// Chains that live and die together.
struct Group {
    /// Indices of the evidence.
    members: Vec<usize>,
    /// In 1000, over all of its stones.
    survival: u32,
    dead: bool,
}

/// Judges by the evidence of so many playouts. `settled` says who owns a point without condition.
pub(super) fn judge(
    position: &Position,
    removes: Removes,
    settled: &[Option<Color>],
    open: &[Evidence],
    playouts: u32,
) -> Assessment {
    let mut groups = groups(position, open, playouts);
    overrule_bent_fours(position, open, playouts, &mut groups);
    let dead = bury(position, removes, settled, open, &mut groups);
    // By first stone, so that they come out in order.
    let mut chains: Vec<Option<ChainStatus>> = position
        .points()
        .map(|point| settled_chain(position, settled, point))
        .collect();
    for group in &groups {
        for evidence in group.members.iter().map(|&member| &open[member]) {
            let seki =
                evidence.seki * 1000 > SEKI_ABOVE * playouts && has_rival(position, evidence.stone, &dead);
            let living = if seki { Status::Seki } else { Status::Alive };
            chains[evidence.stone.index()] = Some(chain_status(position, evidence, group, living));
        }
    }
    assessment(position, chains.into_iter().flatten().collect(), playouts)
}

/// Decides which groups are dead, the weakest first, and returns by point whether a dead stone lies there.
fn bury(
    position: &Position,
    removes: Removes,
    settled: &[Option<Color>],
    open: &[Evidence],
    groups: &mut [Group],
) -> Vec<bool> {
    let conquered = |point: Point| {
        let owner = settled[point.index()];
        owner.is_some() && position.stone(point) == owner.map(Color::opponent)
    };
    let mut dead: Vec<bool> = position.points().map(conquered).collect();
    let stones_of = |group: &Group| -> Vec<Point> {
        let members = group.members.iter();
        members
            .flat_map(|&member| position.chain(open[member].stone))
            .collect()
    };
    for survival in 0..dead_below(removes) {
        for group in groups.iter_mut().filter(|group| group.survival == survival) {
            let stones = stones_of(group);
            // Of two that touch one survives, or both do: what captures a chain is not captured with it.
            group.dead = !stones.iter().any(|&stone| touches_dead(position, stone, &dead));
            stones.iter().for_each(|stone| dead[stone.index()] = group.dead);
        }
    }
    for group in groups.iter_mut().filter(|group| group.dead) {
        let stones = stones_of(group);
        group.dead = stones
            .first()
            .is_some_and(|&stone| has_captor(position, stone, &dead));
        stones.iter().for_each(|stone| dead[stone.index()] = group.dead);
    }
    dead
}

fn touches_dead(position: &Position, stone: Point, dead: &[bool]) -> bool {
    let opposing = |each: &&Point| position.stone(**each) != position.stone(stone);
    let around = position.geometry().neighbours(stone).iter();
    around.filter(opposing).any(|each| dead[each.index()])
}

/// Whether a living opposing stone is left around a dead chain, past empty points and other dead stones: somebody must
/// have captured it.
fn has_captor(position: &Position, stone: Point, dead: &[bool]) -> bool {
    let mut seen = vec![false; dead.len()];
    seen[stone.index()] = true;
    let (mut reached, mut visited) = (vec![stone], 0);
    while let Some(&point) = reached.get(visited) {
        visited += 1;
        for &each in position.geometry().neighbours(point) {
            match position.stone(each) {
                Some(color) if !dead[each.index()] && Some(color) != position.stone(stone) => return true,
                Some(_) if !dead[each.index()] => {}
                _ if std::mem::replace(&mut seen[each.index()], true) => {}
                _ => reached.push(each),
            }
        }
    }
    false
}

/// Joins chains of one color that are neighbours and fare alike.
fn groups(position: &Position, open: &[Evidence], playouts: u32) -> Vec<Group> {
    let reach: Vec<Vec<Point>> = open
        .iter()
        .map(|evidence| reach(position, evidence.stone))
        .collect();
    let alike = |one: usize, other: usize| {
        let differences = open[one].differences(&open[other]);
        open[one].color == open[other].color
            && differences * 1000 <= (1000 - TOGETHER) * playouts
            && reach[one]
                .iter()
                .any(|point| reach[other].binary_search(point).is_ok())
    };
    let mut left: Vec<usize> = (0..open.len()).rev().collect();
    let mut groups = Vec::new();
    while let Some(first) = left.pop() {
        let mut members = vec![first];
        let mut visited = 0;
        while let Some(&member) = members.get(visited) {
            visited += 1;
            left.retain(|&other| {
                let joins = alike(member, other);
                if joins {
                    members.push(other);
                }
                !joins
            });
        }
        groups.push(group(position, open, playouts, members));
    }
    groups
}

/// The liberties of a chain and the opposing chains that it touches, each by one point, sorted.
fn reach(position: &Position, stone: Point) -> Vec<Point> {
    let around = position
        .chain(stone)
        .flat_map(|each| position.geometry().neighbours(each));
    let mut reach: Vec<Point> = around
        .map(|&each| position.chain_id(each).unwrap_or(each))
        .collect();
    reach.sort_unstable();
    reach.dedup();
    reach.retain(|&point| position.stone(point) != position.stone(stone));
    reach
}

fn group(position: &Position, open: &[Evidence], playouts: u32, members: Vec<usize>) -> Group {
    let weighed = members.iter().map(|&member| {
        let size = position.chain(open[member].stone).count() as u64;
        (u64::from(open[member].survivals()) * size, size)
    });
    let (sum, stones) = weighed.fold((0, 0), |sum, each| (sum.0 + each.0, sum.1 + each.1));
    Group {
        survival: (sum * 1000 / (stones * u64::from(playouts)).max(1)) as u32,
        dead: false,
        members,
    }
}

/// Chains that are dead by a bent four in the corner do not survive, and what kills them does: if all that lies around them is
/// alive in most playouts. Otherwise there is a fight, and the playouts have their say.
fn overrule_bent_fours(position: &Position, open: &[Evidence], playouts: u32, groups: &mut Vec<Group>) {
    for victim in bent_fours(position) {
        if !killers_live(position, open, playouts, victim) {
            continue;
        }
        let is_victim = |&member: &usize| position.chain_id(open[member].stone) == Some(victim);
        for group in groups.iter_mut() {
            group.members.retain(|member| !is_victim(member));
        }
        groups.push(Group {
            members: (0..open.len()).filter(is_victim).collect(),
            survival: 0,
            dead: false,
        });
    }
    groups.retain(|group| !group.members.is_empty());
}

/// Whether the chains around a victim live, but for the stones inside of it, which have no other liberties than its own.
fn killers_live(position: &Position, open: &[Evidence], playouts: u32, victim: Point) -> bool {
    let own = position.liberties(victim);
    let around = reach(position, victim);
    let mut killers = around.into_iter().filter(|&chain| {
        position.stone(chain).is_some() && position.liberties(chain).iter().any(|each| !own.contains(each))
    });
    killers.all(|chain| {
        let evidence = open
            .iter()
            .find(|each| position.chain_id(each.stone) == Some(chain));
        // What is not open is settled, and nothing settled as dead surrounds anybody.
        evidence.is_none_or(|evidence| evidence.survivals() * 1000 >= KILLERS_ABOVE * playouts)
    })
}

/// Whether a liberty of a chain touches an opposing stone that is not dead.
fn has_rival(position: &Position, stone: Point, dead: &[bool]) -> bool {
    let liberties = position.liberties(stone);
    let mut around = liberties
        .iter()
        .flat_map(|&liberty| position.geometry().neighbours(liberty));
    around.any(|each| {
        position
            .stone(*each)
            .is_some_and(|color| Some(color) != position.stone(stone))
            && !dead[each.index()]
    })
}

fn chain_status(position: &Position, evidence: &Evidence, group: &Group, living: Status) -> ChainStatus {
    let survival = group.survival as u16;
    ChainStatus {
        color: evidence.color,
        stones: stones_of_chain(position, evidence.stone),
        status: if group.dead { Status::Dead } else { living },
        survival,
        certainty: if group.dead { 1000 - survival } else { survival },
    }
}

/// The chain whose first stone lies on a point, if it is alive or dead without condition.
fn settled_chain(position: &Position, settled: &[Option<Color>], point: Point) -> Option<ChainStatus> {
    let (color, owner) = (position.stone(point)?, settled[point.index()]?);
    let lives = color == owner;
    let stones = stones_of_chain(position, point);
    (stones.first() == Some(&point)).then_some(ChainStatus {
        color,
        stones,
        status: if lives { Status::Alive } else { Status::Dead },
        survival: if lives { 1000 } else { 0 },
        certainty: 1000,
    })
}

fn stones_of_chain(position: &Position, stone: Point) -> Vec<Point> {
    let mut stones: Vec<Point> = position.chain(stone).collect();
    stones.sort_unstable();
    stones
}

fn assessment(position: &Position, chains: Vec<ChainStatus>, playouts: u32) -> Assessment {
    let dead = PerColor::from_fn(|color| {
        let of = chains
            .iter()
            .filter(|chain| chain.color == color && chain.status == Status::Dead);
        let mut stones: Vec<Point> = of.flat_map(|chain| chain.stones.iter().copied()).collect();
        stones.sort_unstable();
        stones
    });
    let gone: Vec<Point> = dead.black.iter().chain(&dead.white).copied().collect();
    let count = count_area(position, &gone);
    let bare = |point: &Point| position.stone(*point).is_none() || gone.contains(point);
    let owned_by = |owner: Option<Color>| {
        let points = position.points().filter(bare);
        points
            .filter(|point| count.owners[point.index()] == owner)
            .collect()
    };
    Assessment {
        territory: PerColor::from_fn(|color| owned_by(Some(color))),
        neutral: owned_by(None),
        area: count.area,
        chains,
        dead,
        playouts,
    }
}
