//! A hundred clients who search, challenge, open, join, watch, cancel and vanish at random. When they are done, every promise that was
//! answered with 2xx is kept, nobody sits twice at a table, and nothing stale is left.
//!
//! Twenty seconds, or as long as `HOSHI_CROWD_SECONDS` says; the same choices for the same `HOSHI_CROWD_SEED`, though not at the same
//! moments.

#[path = "crowd/client.rs"]
mod client;
#[path = "crowd/inspection.rs"]
mod inspection;

use crate::harness::{Guest, Server};
use client::{Crowd, Wanderer};
use inspection::Inspection;
use std::time::{Duration, Instant};

const CLIENTS: usize = 100;

fn variable(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|value| value.parse().ok())
        .unwrap_or(default)
}

#[test]
fn a_crowd_leaves_no_orphan_no_stale_entry_and_no_broken_promise() {
    let (seconds, seed) = (
        variable("HOSHI_CROWD_SECONDS", 20),
        variable("HOSHI_CROWD_SEED", 1),
    );
    let server = Server::alone("crowd");
    let guests: Vec<Guest> = (0..CLIENTS)
        .map(|number| Guest::new(&server, &format!("Wanderer {number}")))
        .collect();
    let crowd = Crowd {
        ids: guests.iter().map(|guest| guest.id.clone()).collect(),
        until: Instant::now() + Duration::from_secs(seconds),
    };
    let wanderers: Vec<Wanderer> = std::thread::scope(|scope| {
        let wandering: Vec<_> = (0..)
            .zip(&guests)
            .map(|(number, guest)| {
                let crowd = &crowd;
                scope.spawn(move || Wanderer::new(guest, crowd, seed * 1000 + number).wander())
            })
            .collect();
        wandering
            .into_iter()
            .map(|each| each.join().expect("wanders"))
            .collect()
    });
    let done = wanderers.iter().map(|each| each.done).sum::<usize>();
    assert!(done > CLIENTS, "hardly anything was done: {done}");
    eprintln!("a crowd of {CLIENTS} has done {done} things in {seconds} s (seed {seed})");
    Inspection::new(&server, &wanderers).inspect();
}
