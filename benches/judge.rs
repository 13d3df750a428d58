//! How well the assessor judges finished positions, and how fast. Beside it, in the same run, the same positions with
//! the npm package `@sabaki/deadstones`.
//!
//! `cargo bench --bench judge`; the positions are those of the shared corpora. Chains on which these have no certain
//! answer are left out on both sides. The second table is of rulesets that take only clearly dead chains off. The faults of the
//! first are listed below the tables.

#[path = "../tests/support/finished.rs"]
mod finished;

use finished::Finished;
use hoshi::assess::{Status, assess};
use hoshi::rules::{Color, Point};
use hoshi::ruleset::Removes;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::process::{Command, Stdio};
use std::time::Instant;

/// What somebody says of a position.
struct Answer {
    dead: BTreeSet<Point>,
    ms: f64,
}

/// How somebody did on some positions.
#[derive(Default)]
struct Tally {
    positions: usize,
    clean: usize,
    chains: usize,
    right: usize,
    killed: usize,
    spared: usize,
    ms: f64,
    longest: f64,
}

impl Tally {
    fn add(&mut self, position: &Finished, answer: &Answer) {
        let wrong = |dead: bool| {
            let chains = position.chains.iter();
            let wrong = chains
                .filter(|stone| answer.dead.contains(stone) == dead && position.dead.contains(stone) != dead);
            wrong.count()
        };
        let (killed, spared) = (wrong(true), wrong(false));
        self.positions += 1;
        self.clean += usize::from(killed + spared == 0);
        self.chains += position.chains.len();
        self.right += position.chains.len() - killed - spared;
        self.killed += killed;
        self.spared += spared;
        self.ms += answer.ms;
        self.longest = self.longest.max(answer.ms);
    }
}

fn main() {
    let Some(positions) = finished::finished() else {
        println!("not measured: the shared corpora are not beside this repository");
        return;
    };
    let judged = |removes| -> Vec<Answer> { positions.iter().map(|each| judge(each, removes)).collect() };
    let ours = judged(Removes::Dead);
    table("hoshi", &positions, &ours);
    table("hoshi, clearly dead", &positions, &judged(Removes::ClearlyDead));
    match peer(&positions) {
        Ok(theirs) => table("@sabaki/deadstones", &positions, &theirs),
        Err(error) => println!("@sabaki/deadstones was not measured: {error}"),
    }
    faults(&positions, &ours);
}

fn judge(finished: &Finished, removes: Removes) -> Answer {
    let began = Instant::now();
    let assessment = assess(&finished.position, removes);
    let ms = began.elapsed().as_secs_f64() * 1e3;
    let dead = assessment.dead.black.into_iter().chain(assessment.dead.white);
    Answer {
        dead: dead.collect(),
        ms,
    }
}

fn table(name: &str, positions: &[Finished], answers: &[Answer]) {
    println!("\n| {name} | positions | all right | chains | right | % | killed | spared | ms | at most |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    let mut groups: BTreeMap<&str, Tally> = BTreeMap::new();
    let mut all = Tally::default();
    for (position, answer) in positions.iter().zip(answers) {
        groups.entry(&position.group).or_default().add(position, answer);
        all.add(position, answer);
    }
    for (group, tally) in groups.iter().chain([(&"all", &all)]) {
        println!(
            "| {group} | {} | {} | {} | {} | {:.2} | {} | {} | {:.0} | {:.0} |",
            tally.positions,
            tally.clean,
            tally.chains,
            tally.right,
            tally.right as f64 * 100.0 / tally.chains.max(1) as f64,
            tally.killed,
            tally.spared,
            tally.ms / tally.positions as f64,
            tally.longest,
        );
    }
}

/// The chains that we judge wrongly.
fn faults(positions: &[Finished], answers: &[Answer]) {
    println!();
    for (finished, answer) in positions.iter().zip(answers) {
        let assessment = assess(&finished.position, Removes::Dead);
        for chain in &assessment.chains {
            let Some(stone) = chain.stones.iter().find(|stone| finished.chains.contains(stone)) else {
                continue;
            };
            let (says, is) = (answer.dead.contains(stone), finished.dead.contains(stone));
            assert_eq!(
                says,
                chain.status == Status::Dead,
                "the same position, the same answer (G4)"
            );
            if says != is {
                let name = finished.position.geometry().vertex(*stone);
                let (what, survival) = (if says { "killed" } else { "spared" }, chain.survival);
                println!(
                    "{}: {what} {} {name} of {} stones, survival {survival}",
                    finished.id,
                    chain.color,
                    chain.stones.len()
                );
            }
        }
    }
}

/// Lets `benches/peers/deadstones.mjs` judge the same positions.
fn peer(positions: &[Finished]) -> Result<Vec<Answer>, Box<dyn Error>> {
    let mut node = Command::new("node")
        .arg("benches/peers/deadstones.mjs")
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("node: {error}"))?;
    let boards: Vec<Value> = positions.iter().map(as_json).collect();
    // Reading starts only when all is written: the answer comes after everything is read.
    let stdin = node.stdin.take().ok_or("node has no input")?;
    serde_json::to_writer(stdin, &json!({ "positions": boards }))?;
    let answer: Value = serde_json::from_slice(&node.wait_with_output()?.stdout)?;
    let answers = answer["answers"]
        .as_array()
        .ok_or_else(|| answer["error"].as_str().unwrap_or("no answer").to_owned())?;
    let read = |(finished, answer): (&Finished, &Value)| {
        let geometry = finished.position.geometry();
        let vertices = answer["dead"].as_array().into_iter().flatten();
        let points = vertices.filter_map(|vertex| {
            let (column, row) = (
                vertex[0].as_u64()? as u8 + 1,
                geometry.rows() - vertex[1].as_u64()? as u8,
            );
            geometry.point_at(column, row)
        });
        Some(Answer {
            dead: points.collect(),
            ms: answer["ms"].as_f64()?,
        })
    };
    let read: Option<Vec<Answer>> = positions.iter().zip(answers).map(read).collect();
    Ok(read.ok_or("an answer without a time")?)
}

/// A position as the package takes it: rows from the top, 1 for Black and -1 for White.
fn as_json(finished: &Finished) -> Value {
    let geometry = finished.position.geometry();
    let sign = |row, column| match geometry
        .point_at(column, row)
        .and_then(|point| finished.position.stone(point))
    {
        Some(Color::Black) => 1,
        Some(Color::White) => -1,
        None => 0,
    };
    let row = |row| {
        (1..=geometry.columns())
            .map(|column| sign(row, column))
            .collect::<Vec<i32>>()
    };
    json!((1..=geometry.rows()).rev().map(row).collect::<Vec<_>>())
}
