//! Records played on the engine: which moves are legal, and the position and captures that they lead to.

use super::game::Record;
use crate::rules::{History, MoveError, PerColor, Position, Setup, SetupError};

/// What playing a record's moves leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// The stones after the last move that was played.
    pub position: Position,
    /// The stones that each side has captured.
    pub captures: PerColor<u32>,
    /// How many moves were played, passes counted; all of them unless `illegal` is set.
    pub played: usize,
    /// The first move that could not be played.
    pub illegal: Option<IllegalMove>,
    /// The moves, from 1, that recreated an earlier position and were played all the same, as
    /// [`Repetition::Noted`] asks.
    pub repetitions: Vec<usize>,
}

impl Replay {
    fn new(position: Position) -> Replay {
        Replay {
            position,
            captures: PerColor::default(),
            played: 0,
            illegal: None,
            repetitions: Vec::new(),
        }
    }
}

/// A move of a record that the rules forbid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {number}: {error}")]
pub struct IllegalMove {
    /// Which move, from 1.
    pub number: usize,
    /// Why.
    pub error: MoveError,
}

/// What becomes of a move that positional superko forbids (B5). Records of other servers may have been played under
/// another rule for repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// It is illegal here: the replay ends before it.
    Forbidden,
    /// It is played and noted.
    Noted,
}

/// Plays a record's moves in their order and colors, whoever's turn it is, up to the first that is illegal. The record
/// stays as it is. Passes change nothing, also after the game would have ended.
///
/// # Errors
/// When the stones set up before the first move cannot be a position.
pub fn replay(record: &Record, repetition: Repetition) -> Result<Replay, SetupError> {
    let setup = Setup {
        board: record.board,
        stones: record.setup.clone(),
    };
    let position = Position::from_setup(&setup)?;
    let mut history = History::new(&position);
    let mut replay = Replay::new(position);
    for (number, each) in (1..).zip(&record.moves) {
        if let Some(point) = each.point {
            let prospect = match history.legal(&replay.position, point, each.color) {
                Err(MoveError::Superko) if repetition == Repetition::Noted => {
                    replay.repetitions.push(number);
                    replay
                        .position
                        .prospect(point, each.color)
                        .map_err(MoveError::from)
                }
                other => other,
            };
            match prospect {
                Ok(prospect) => {
                    let captured = replay.position.carry_out(&prospect);
                    *replay.captures.get_mut(each.color) += captured.len() as u32;
                    history.push(&replay.position);
                }
                Err(error) => {
                    replay.illegal = Some(IllegalMove { number, error });
                    break;
                }
            }
        }
        replay.played = number;
    }
    Ok(replay)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::read_sgf;

    fn replayed(text: &str, repetition: Repetition) -> Replay {
        let record = read_sgf(text.as_bytes()).expect("reads").record;
        replay(&record, repetition).expect("a position")
    }

    #[track_caller]
    fn check_illegal(text: &str, message: &str, played: usize) {
        let replay = replayed(text, Repetition::Forbidden);
        assert_eq!(
            replay.illegal.map(|illegal| illegal.to_string()).as_deref(),
            Some(message)
        );
        assert_eq!(replay.played, played);
    }

    #[test]
    fn the_first_illegal_move_is_named_and_what_came_before_is_kept() {
        check_illegal("(;SZ[9];B[ee];W[ee];B[cc])", "move 2: the point is occupied", 1);
        check_illegal(
            "(;SZ[9];B[ba];W[];B[ab];W[aa])",
            "move 4: the play would leave its own chain without a liberty",
            3,
        );
    }

    /// Black takes and is taken back at once.
    const KO: &str = "(;SZ[9]AB[ca][bb][db][cc]AW[da][eb][dc]PL[W];W[cb];B[db];W[ee])";

    #[test]
    fn b5_a_repetition_ends_the_replay_or_is_noted() {
        check_illegal(
            KO,
            "move 2: the play would recreate an earlier position of this game",
            1,
        );
        let noted = replayed(KO, Repetition::Noted);
        assert_eq!(
            (noted.illegal, noted.played, noted.repetitions),
            (None, 3, vec![2])
        );
        assert_eq!(noted.captures, PerColor { black: 1, white: 1 });
    }

    #[test]
    fn a_setup_without_liberties_is_no_position() {
        let record = read_sgf(b"(;SZ[9]AB[aa]AW[ab][ba])").expect("reads").record;
        let error = replay(&record, Repetition::Forbidden).expect_err("no position");
        assert_eq!(error.to_string(), "the chain at A9 is set up without a liberty");
    }
}
