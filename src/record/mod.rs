//! Games written down: SGF out, SGF in, and the results in SGF's `RE`.
//!
//! Start reading with [`Record`]; [`write_sgf`] prints one, [`read_sgf`] reads one, and [`replay`] says whether its
//! moves can be played. This module knows boards and stones and nothing of tables, clocks or storage; the rules in turn
//! know no notation.
//!
//! ```
//! use hoshi::record::{Repetition, read_sgf, replay, write_sgf};
//!
//! let imported = read_sgf(b"(;GM[1]SZ[9]KM[7,5];B[ee];W[tt];B[ee])")?;
//! assert_eq!(imported.warnings[0].kind.to_string(), "the value of KM is not in SGF's form");
//! assert!(write_sgf(&imported.record).contains("KM[7.5]"));
//! let replay = replay(&imported.record, Repetition::Forbidden)?;
//! assert_eq!(replay.illegal.map(|illegal| illegal.to_string()).as_deref(), Some("move 3: the point is occupied"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Reading
//! What is meant is read and what was wrong is warned of ([`WarningKind`]); a file is refused ([`SgfErrorKind`]) only
//! where going on would mean to guess at stones or boards. It takes a file of up to [`MAX_BYTES`] bytes, variations
//! [`MAX_DEPTH`] deep, [`MAX_NODES`] nodes, [`MAX_GAMES`] games and [`MAX_POINTS`] points in the lists of each, without
//! recursion.
//!
//! # Hexagonal boards
//! SGF has no hexagonal Go. Our records of it are of `GM[1]` without `SZ`, with the private property `HEXSIZE`: the
//! cells along one side. A cell is named by two letters on the grid of columns and rows (B2), the row from the top: on
//! `HEXSIZE[6]`, with eleven of each, `aa` is A11, `ff` the centre F6 and `ka` no cell. A pass is `[]`, never `tt`.

mod charset;
mod date;
mod error;
mod game;
mod import;
mod lexer;
mod limits;
mod numbers;
mod points;
mod replay;
mod result;
mod root;
mod text;
mod tree;
mod write;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod traps;

pub use date::{CivilDate, DateError};
pub use error::{SgfError, SgfErrorKind, Warning, WarningKind};
pub use game::{Record, RecordMove, RecordPlayer};
pub use import::{Imported, read_sgf, read_sgf_games};
pub use limits::{MAX_BYTES, MAX_DEPTH, MAX_GAMES, MAX_NODES, MAX_POINTS};
pub use numbers::{Form, KomiError, Reading, SizeError, read_komi, read_size};
pub use replay::{IllegalMove, Repetition, Replay, replay};
pub use result::{RecordResult, ResultError, WinBy};
pub use write::write_sgf;
