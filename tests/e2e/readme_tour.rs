//! The README's tour works as written, with the answers that it shows.

use crate::harness::server;
use std::process::Command;

const README: &str = include_str!("../../README.md");
const TOUR: &str = "## A game in five minutes";
const BETWEEN_BLOCKS: &str = "=== end of a block ===";

/// A block of commands, with the answer shown after it; `…` stands for anything.
struct Block {
    commands: String,
    answer: String,
}

/// The blocks of the tour, in order.
fn blocks() -> Vec<Block> {
    let tour = README.split(TOUR).nth(1).expect("the tour");
    let tour = tour.split("\n## ").next().expect("its end");
    let mut blocks: Vec<Block> = Vec::new();
    for fenced in tour.split("```").skip(1).step_by(2) {
        let (language, text) = fenced.split_once('\n').expect("a block");
        match language {
            "sh" => blocks.push(Block {
                commands: text.to_owned(),
                answer: String::new(),
            }),
            _ => blocks
                .last_mut()
                .expect("commands before an answer")
                .answer
                .push_str(text),
        }
    }
    blocks
}

/// What each block prints, in one shell.
fn run(blocks: &[Block]) -> Vec<String> {
    let script: Vec<&str> = blocks.iter().map(|block| block.commands.as_str()).collect();
    let script = script.join(&format!("\necho '{BETWEEN_BLOCKS}'\n"));
    let script = script.replace("http://localhost:8787", &server().origin());
    let output = Command::new("bash")
        .arg("-euc")
        .arg(script)
        .output()
        .expect("bash");
    assert!(output.status.success(), "{output:?}");
    let printed = String::from_utf8(output.stdout).expect("UTF-8");
    printed
        .split(BETWEEN_BLOCKS)
        .map(|each| each.trim().to_owned())
        .collect()
}

/// Whether the text is what is shown, where `…` stands for anything.
fn is_as_shown(text: &str, shown: &str) -> bool {
    let Some((first, rest_shown)) = shown.trim().split_once('…') else {
        return text == shown.trim();
    };
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    let mut pieces: Vec<&str> = rest_shown.split('…').collect();
    let last = pieces.pop().unwrap_or_default();
    for piece in pieces {
        let Some((_, after)) = rest.split_once(piece) else {
            return false;
        };
        rest = after;
    }
    rest.ends_with(last)
}

#[test]
fn the_tour_works_as_written() {
    let blocks = blocks();
    let printed = run(&blocks);
    assert_eq!(printed.len(), blocks.len());
    assert!(blocks.len() > 8, "the tour is gone");
    for (block, printed) in blocks.iter().zip(printed) {
        assert!(
            is_as_shown(&printed, &block.answer),
            "{}\nprints\n{printed}\nand not\n{}",
            block.commands,
            block.answer
        );
    }
}
