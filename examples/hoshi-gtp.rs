//! Hoshi's engine over the Go Text Protocol, for any program that speaks it:
//! `cargo run --release --example hoshi-gtp -- [easy|normal|hard]`.

use hoshi::gtp::Engine;
use std::io::{BufRead, Write, stdin, stdout};

fn main() -> std::io::Result<()> {
    let mut engine = Engine::new(|name| std::fs::read(name).ok());
    if let Some(level) = std::env::args().nth(1) {
        let answer = engine.answer(&format!("hoshi-level {level}"));
        if answer.is_none_or(|answer| !answer.starts_with('=')) {
            eprintln!("a level is easy, normal or hard");
            std::process::exit(2);
        }
    }
    let mut output = stdout().lock();
    for line in stdin().lock().split(b'\n') {
        if let Some(answer) = engine.answer(&String::from_utf8_lossy(&line?)) {
            output.write_all(answer.as_bytes())?;
            output.flush()?;
        }
        if engine.has_quit() {
            break;
        }
    }
    Ok(())
}
