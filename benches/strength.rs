//! How strong the computer is: matches on 9x9 between two of its levels, or against another engine, by the Go Text
//! Protocol.
//!
//! `cargo bench --bench strength -- hard normal 200` plays 200 games, with `101` behind it those from the 101st on; instead of a level there may be the command of an
//! engine, quoted: `"gnugo --mode gtp --level 1 --chinese-rules"`. Each opening is played twice, with the colors changed.
//! The referee is Hoshi's rules; a game that ends by two passes is counted by the assessor, and the engines' own counts
//! are compared with it.

use hoshi::gtp::Engine;
use hoshi::playout::Chance;
use hoshi::rules::{Board, Color, History, Point, Position};
use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

const KOMI: &str = "7.5";

/// A game is given up as nobody's at this length.
const LONGEST: usize = 400;

/// One side of a match.
enum Side {
    Own(Box<Engine>),
    Other {
        process: Child,
        input: ChildStdin,
        output: BufReader<ChildStdout>,
    },
}

impl Side {
    fn start(name: &str) -> Result<Side, Box<dyn Error>> {
        if let Some(level) = hoshi::bot::Level::by_name(name) {
            let mut engine = Engine::new(|_| None);
            engine.answer(&format!("hoshi-level {}", level.name()));
            return Ok(Side::Own(Box::new(engine)));
        }
        let mut words = name.split_whitespace();
        let program = words.next().ok_or("an empty command")?;
        let mut process = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{program}: {error}"))?;
        let input = process.stdin.take().ok_or("no input")?;
        let output = BufReader::new(process.stdout.take().ok_or("no output")?);
        Ok(Side::Other {
            process,
            input,
            output,
        })
    }

    /// Sends a command and returns the answer's text.
    fn ask(&mut self, command: &str) -> Result<String, Box<dyn Error>> {
        let answer = match self {
            Side::Own(engine) => engine.answer(command).ok_or("no answer")?,
            Side::Other { input, output, .. } => {
                writeln!(input, "{command}")?;
                input.flush()?;
                let mut answer = String::new();
                while !answer.ends_with("\n\n") {
                    if output.read_line(&mut answer)? == 0 {
                        return Err("the engine has ended".into());
                    }
                }
                answer
            }
        };
        match answer.strip_prefix('=') {
            Some(text) => Ok(text.trim().to_owned()),
            None => Err(format!("{command}: {}", answer.trim()).into()),
        }
    }
}

impl Drop for Side {
    fn drop(&mut self) {
        if let Side::Other { process, input, .. } = self {
            // An engine that does not take the hint is ended.
            let _ = writeln!(input, "quit");
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

/// The time and the number of one side's moves.
#[derive(Default)]
struct Thinking {
    spent: Duration,
    longest: Duration,
    moves: u32,
}

fn main() -> Result<(), Box<dyn Error>> {
    // `cargo bench` adds a flag of its own.
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|each| each != "--bench")
        .collect();
    let (one, other, games, first) = match arguments.as_slice() {
        [one, other, games] => (one, other, games.parse::<u64>()?, 0),
        [one, other, games, first] => (one, other, games.parse()?, first.parse::<u64>()? - 1),
        _ => {
            println!("not played: cargo bench --bench strength -- ONE OTHER GAMES [FIRST]");
            return Ok(());
        }
    };
    let mut sides = [Side::start(one)?, Side::start(other)?];
    let mut thinking = [Thinking::default(), Thinking::default()];
    let (mut points, mut wins_as_black, mut disputes) = (0.0, 0, 0);
    for game in first..first + games {
        let black = (game % 2) as usize;
        let result = play(&mut sides, black, game, &mut thinking)?;
        disputes += u32::from(result.disputed);
        let score = match result.winner {
            None => 0.5,
            Some(Color::Black) => f64::from(u8::from(black == 0)),
            Some(Color::White) => f64::from(u8::from(black == 1)),
        };
        points += score;
        wins_as_black += u32::from(black == 0 && score == 1.0);
        println!(
            "game {}: {} is Black, {}; {points} of {}",
            game + 1,
            [one, other][black],
            result.how,
            game + 1 - first
        );
    }
    println!(
        "\n{one} : {other}  {points} of {games} = {:.1} %, {wins_as_black} wins as Black",
        100.0 * points / games as f64
    );
    println!("{disputes} games where the engines count differently");
    for (name, thinking) in [one, other].into_iter().zip(&thinking) {
        let mean = thinking.spent.as_secs_f64() / f64::from(thinking.moves.max(1));
        println!(
            "{name}: {mean:.3} s a move, {:.3} s at most",
            thinking.longest.as_secs_f64()
        );
    }
    Ok(())
}

struct Ended {
    winner: Option<Color>,
    how: String,
    disputed: bool,
}

/// Plays one game; `black` says which side has Black.
fn play(
    sides: &mut [Side; 2],
    black: usize,
    game: u64,
    thinking: &mut [Thinking; 2],
) -> Result<Ended, Box<dyn Error>> {
    let board = Board::square(9).ok_or("no such board")?;
    let mut position = Position::empty(board.geometry());
    let mut history = History::new(&position);
    for side in sides.iter_mut() {
        side.ask("boardsize 9")?;
        side.ask("clear_board")?;
        side.ask(&format!("komi {KOMI}"))?;
        if matches!(side, Side::Own(_)) {
            side.ask(&format!("hoshi-seed {}", game * 1000))?;
        }
    }
    let mut turns = Color::BOTH.into_iter().cycle();
    for (point, color) in opening(game / 2, &position).into_iter().zip(turns.by_ref()) {
        history.play(&mut position, point, color)?;
        let name = board.geometry().vertex(point);
        sides
            .iter_mut()
            .try_for_each(|side| side.ask(&format!("play {color} {name}")).map(|_| ()))?;
    }
    let mut color = if history.len() % 2 == 1 {
        Color::Black
    } else {
        Color::White
    };
    let mut passes = 0;
    for _ in 0..LONGEST {
        let mover = if color == Color::Black { black } else { 1 - black };
        let began = Instant::now();
        let answer = sides[mover].ask(&format!("genmove {color}"))?.to_uppercase();
        let spent = began.elapsed();
        thinking[mover].spent += spent;
        thinking[mover].longest = thinking[mover].longest.max(spent);
        thinking[mover].moves += 1;
        match answer.as_str() {
            "RESIGN" => {
                return Ok(Ended {
                    winner: Some(color.opponent()),
                    how: format!("{color} resigns"),
                    disputed: false,
                });
            }
            "PASS" => passes += 1,
            name => {
                passes = 0;
                let point = board.geometry().point(name.parse()?).ok_or("no such point")?;
                if history.play(&mut position, point, color).is_err() {
                    // An engine without superko may play what is illegal here; it loses.
                    let how = format!("{color} plays {name}, which is illegal");
                    return Ok(Ended {
                        winner: Some(color.opponent()),
                        how,
                        disputed: false,
                    });
                }
            }
        }
        sides[1 - mover].ask(&format!("play {color} {answer}"))?;
        if passes == 2 {
            return count(sides);
        }
        color = color.opponent();
    }
    Ok(Ended {
        winner: None,
        how: "too long".to_owned(),
        disputed: false,
    })
}

/// Counts by the assessor, and compares with the engines' own counts.
fn count(sides: &mut [Side; 2]) -> Result<Ended, Box<dyn Error>> {
    let counts = [sides[0].ask("final_score")?, sides[1].ask("final_score")?];
    let own = usize::from(!matches!(sides[0], Side::Own(_)));
    let winner = match counts[own].chars().next() {
        Some('B') => Some(Color::Black),
        Some('W') => Some(Color::White),
        _ => None,
    };
    let disputed = counts[0].chars().next() != counts[1].chars().next();
    Ok(Ended {
        winner,
        how: counts.join(" or "),
        disputed,
    })
}

/// Opening `number`: two to four plays near the center, the same on every machine.
fn opening(number: u64, start: &Position) -> Vec<Point> {
    let geometry = start.geometry();
    let inner: Vec<Point> = start
        .points()
        .filter(|&point| {
            let vertex = geometry.vertex(point);
            (3..=7).contains(&vertex.column()) && (3..=7).contains(&vertex.row())
        })
        .collect();
    let mut chance = Chance::new(number);
    let mut chosen = Vec::new();
    while chosen.len() < 2 + 2 * (number % 2) as usize {
        let point = inner[chance.below(inner.len())];
        if !chosen.contains(&point) {
            chosen.push(point);
        }
    }
    chosen
}
