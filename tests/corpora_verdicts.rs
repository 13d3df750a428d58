//! The assessor on every finished position of the shared corpora, where these are at hand (G3).

#[path = "support/finished.rs"]
mod finished;

use finished::Finished;
use hoshi::assess::{Status, assess};
use hoshi::rules::Point;
use hoshi::ruleset::Removes;

/// What the assessor gets wrong of one position: living chains that it calls dead, and dead ones that it spares.
struct Faults {
    chains: usize,
    killed: Vec<Point>,
    spared: Vec<Point>,
}

fn faults(finished: &Finished) -> Faults {
    let assessment = assess(&finished.position, Removes::Dead);
    let with = |dead: bool| {
        let says = |stone: &Point| {
            let mut chains = assessment.chains.iter();
            chains.any(|chain| chain.stones.contains(stone) && chain.status == Status::Dead)
        };
        let chains = finished.chains.iter().copied();
        chains
            .filter(|stone| says(stone) == dead && finished.dead.contains(stone) != dead)
            .collect()
    };
    Faults {
        chains: finished.chains.len(),
        killed: with(true),
        spared: with(false),
    }
}

#[test]
fn g3_finished_positions_are_judged_as_people_and_programs_agree() {
    let Some(positions) = finished::finished() else {
        println!("skipped: the shared corpora are not beside this repository");
        return;
    };
    assert!(positions.len() > 100);
    let half = positions.len() / 2;
    let judge = |positions: &[Finished]| positions.iter().map(faults).collect::<Vec<_>>();
    let all: Vec<Faults> = std::thread::scope(|scope| {
        let other = scope.spawn(|| judge(&positions[half..]));
        let one = judge(&positions[..half]);
        one.into_iter().chain(other.join().expect("no panic")).collect()
    });
    let chains: usize = all.iter().map(|faults| faults.chains).sum();
    let killed: usize = all.iter().map(|faults| faults.killed.len()).sum();
    let spared: usize = all.iter().map(|faults| faults.spared.len()).sum();
    let clean = all
        .iter()
        .filter(|faults| faults.killed.len() + faults.spared.len() == 0)
        .count();
    println!(
        "{chains} chains: {killed} killed, {spared} spared; {clean} of {} positions all right",
        all.len()
    );
    assert!((killed + spared) * 1000 <= chains * 15, "98.5 % of chains");
    assert!(clean * 10 >= all.len() * 9, "nine positions in ten");
    assert!(killed <= 5, "living chains called dead");
}
