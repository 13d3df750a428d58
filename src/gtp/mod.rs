//! The Go Text Protocol, version 2 (G. Farnebäck, "GTP, the Go Text Protocol", draft 2): how Go programs talk to
//! engines. One line in, one answer out; reading the lines and the files is for the program around it
//! (`examples/hoshi-gtp.rs`).
//!
//! Beside the protocol's commands it knows `boardsize hex6` for hexagonal boards, whose points are named as on the wire
//! (B2), `hoshi-level` and `hoshi-seed`, and KGS's `kgs-genmove_cleanup`. Superko is positional and suicide illegal, so
//! that a play which other rules allow may be refused as illegal.
//!
//! # Example
//! ```
//! use hoshi::gtp::Engine;
//!
//! let mut engine = Engine::new(|_| None);
//! assert_eq!(engine.answer("1 protocol_version").as_deref(), Some("=1 2\n\n"));
//! assert_eq!(engine.answer("boardsize 9").as_deref(), Some("= \n\n"));
//! assert_eq!(engine.answer("play black i9").as_deref(), Some("? syntax error\n\n"));
//! assert_eq!(engine.answer("# only a comment"), None);
//! ```

mod commands;
mod game;
mod show;
#[cfg(test)]
mod tests;

use crate::bot::Level;
use commands::COMMANDS;
use game::Game;

/// Reads a file by its name, if it can.
pub type ReadFile = fn(&str) -> Option<Vec<u8>>;

/// An engine at the other end of the protocol, with its game.
#[derive(Clone, Debug)]
pub struct Engine {
    game: Game,
    level: Level,
    seed: u64,
    read_file: ReadFile,
    has_quit: bool,
}

/// Why a command failed; the texts are the protocol's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum GtpError {
    #[error("unknown command")]
    UnknownCommand,
    #[error("syntax error")]
    Syntax,
    #[error("unacceptable size")]
    Size,
    #[error("illegal move")]
    IllegalMove,
    #[error("cannot undo")]
    CannotUndo,
    #[error("cannot load file")]
    CannotLoad,
    #[error("board not empty")]
    NotEmpty,
    #[error("invalid number of stones")]
    StoneNumber,
    #[error("bad vertex list")]
    VertexList,
}

impl Engine {
    /// An engine with an empty 19x19 board, that reads the files of `loadsgf` by this function.
    pub fn new(read_file: ReadFile) -> Engine {
        Engine {
            game: Game::default(),
            level: Level::Hard,
            seed: 0,
            read_file,
            has_quit: false,
        }
    }

    /// The answer to a line, with the empty line that ends it; `None` to a line without a command.
    pub fn answer(&mut self, line: &str) -> Option<String> {
        let line = line.split('#').next().unwrap_or_default();
        let line: String = line
            .chars()
            .filter(|each| *each == '\t' || !each.is_control())
            .collect();
        let mut words: Vec<&str> = line.split_whitespace().collect();
        let is_id = |word: &&str| word.bytes().all(|each| each.is_ascii_digit());
        let id = match words.first().filter(|word| is_id(word)) {
            Some(_) => words.remove(0),
            None => "",
        };
        let (command, arguments) = words.split_first()?;
        Some(match self.run(command, arguments) {
            Ok(output) => format!("={id} {output}\n\n"),
            Err(error) => format!("?{id} {error}\n\n"),
        })
    }

    /// Whether the last command was `quit`.
    pub fn has_quit(&self) -> bool {
        self.has_quit
    }

    fn run(&mut self, command: &str, arguments: &[&str]) -> Result<String, GtpError> {
        let known = COMMANDS.iter().find(|(name, _)| *name == command);
        let (_, run) = known.ok_or(GtpError::UnknownCommand)?;
        run(self, arguments)
    }
}
