//! The commands, each with what it does.

use super::game::Game;
use super::{Engine, GtpError, show};
use crate::assess::{Status, assess};
use crate::bot::{Choice, Ending, Level, Search};
use crate::record::read_sgf;
use crate::rules::{Board, Color, HalfPoints, Move, Point, Vertex, fixed_handicap};
use crate::ruleset::Removes;

/// The protocol knows no finer difference than dead or alive.
const DEAD_STONES_GO: Ending = Ending::DeadStonesGo(Removes::Dead);

/// More than the largest board has points, twice.
const MOST_KOMI_HALVES: f64 = 2000.0;

type Run = fn(&mut Engine, &[&str]) -> Result<String, GtpError>;

/// Every command by its name.
pub(super) const COMMANDS: [(&str, Run); 27] = [
    ("protocol_version", |_, _| Ok("2".to_owned())),
    ("name", |_, _| Ok("Hoshi".to_owned())),
    ("version", |_, _| Ok(env!("CARGO_PKG_VERSION").to_owned())),
    ("known_command", known_command),
    ("list_commands", |_, _| {
        Ok(COMMANDS.map(|(name, _)| name).join("\n"))
    }),
    ("quit", quit),
    ("boardsize", boardsize),
    ("clear_board", clear_board),
    ("komi", komi),
    ("play", play),
    ("genmove", |engine, arguments| {
        genmove(engine, arguments, DEAD_STONES_GO)
    }),
    ("reg_genmove", reg_genmove),
    ("kgs-genmove_cleanup", |engine, arguments| {
        genmove(engine, arguments, Ending::AllStonesStay)
    }),
    ("undo", undo),
    ("loadsgf", loadsgf),
    ("fixed_handicap", handicap),
    ("place_free_handicap", place_free_handicap),
    ("set_free_handicap", set_free_handicap),
    ("final_score", final_score),
    ("final_status_list", final_status_list),
    ("showboard", |engine, _| Ok(show::board(&engine.game.position))),
    ("time_settings", time_settings),
    ("time_left", time_left),
    ("query_boardsize", |engine, _| {
        Ok(engine.game.board().side().to_string())
    }),
    ("get_komi", |engine, _| Ok(engine.game.komi.to_string())),
    ("hoshi-level", level),
    ("hoshi-seed", seed),
];

fn known_command(_: &mut Engine, arguments: &[&str]) -> Result<String, GtpError> {
    let name = arguments.first().ok_or(GtpError::Syntax)?;
    Ok(COMMANDS.iter().any(|(known, _)| known == name).to_string())
}

fn quit(engine: &mut Engine, _: &[&str]) -> Result<String, GtpError> {
    engine.has_quit = true;
    Ok(String::new())
}

/// A number for a square board, or a board's name for any.
fn boardsize(engine: &mut Engine, arguments: &[&str]) -> Result<String, GtpError> {
    let size = arguments.first().ok_or(GtpError::Syntax)?;
    let board: Option<Board> = match size.parse::<u32>() {
        Ok(side) => u8::try_from(side).ok().and_then(Board::square),
        Err(_) => Some(size.parse().map_err(|_| GtpError::Syntax)?),
    };
    engine.game = Game::new(board.ok_or(GtpError::Size)?, engine.game.komi);
    Ok(String::new())
}

fn clear_board(engine: &mut Engine, _: &[&str]) -> Result<String, GtpError> {
    engine.game = Game::new(engine.game.board(), engine.game.komi);
    Ok(String::new())
}

/// Any number, as the protocol wants it: the nearest half point, within what no board can outweigh.
fn komi(engine: &mut Engine, arguments: &[&str]) -> Result<String, GtpError> {
    let number: f64 = argument(arguments, 0)?;
    if !number.is_finite() {
        return Err(GtpError::Syntax);
    }
    let halves = (number * 2.0).round().clamp(-MOST_KOMI_HALVES, MOST_KOMI_HALVES);
    engine.game.komi = HalfPoints::from_halves(halves as i32);
    Ok(String::new())
}

fn play(engine: &mut Engine, arguments: &[&str]) -> Result<String, GtpError> {
    let (color, made) = (color(arguments)?, arguments.get(1).ok_or(GtpError::Syntax)?);
    let made = if made.eq_ignore_ascii_case("pass") {
        Move::Pass
    } else {
        Move::Play(point(engine, made)?)
    };
    engine.game.make(color, made)?;
    Ok(String::new())
}

fn genmove(engine: &mut Engine, arguments: &[&str], ending: Ending) -> Result<String, GtpError> {
    let color = color(arguments)?;
    let choice = think(engine, color, ending);
    match choice {
        Choice::Play(point) => engine.game.make(color, Move::Play(point))?,
        Choice::Pass => engine.game.make(color, Move::Pass)?,
        Choice::Resign => {}
    }
    Ok(choice_name(engine, choice))
}

fn reg_genmove(engine: &mut Engine, arguments: &[&str]) -> Result<String, GtpError> {
    let choice = think(engine, color(arguments)?, DEAD_STONES_GO);
    Ok(choice_name(engine, choice))
}

fn think(engine: &Engine, color: Color, ending: Ending) -> Choice {
    let seed = engine.seed.wrapping_add(engine.game.len() as u64);
    let mut search = Search::new(&engine.game.situation(color, ending), engine.level, seed);
    loop {
        if let Some(choice) = search.work() {
            return choice;
        }
    }
}

fn choice_name(engine: &Engine, choice: Choice) -> String {
    match choice {
        Choice::Play(point) => show::points(engine.game.position.geometry(), &[point]),
        Choice::Pass => "PASS".to_owned(),
        Choice::Resign => "resign".to_owned(),
    }
}

fn undo(engine: &mut Engine, _: &[&str]) -> Result<String, GtpError> {
    engine.game.undo()?;
    Ok(String::new())
}

fn loadsgf(engine: &mut Engine, arguments: &[&str]) -> Result<String, GtpError> {
    let name = arguments.first().ok_or(GtpError::Syntax)?;
    let before = arguments
        .get(1)
        .map(|number| number.parse().map_err(|_| GtpError::Syntax))
        .transpose()?;
    let bytes = (engine.read_file)(name).ok_or(GtpError::CannotLoad)?;
    let imported = read_sgf(&bytes).map_err(|_| GtpError::CannotLoad)?;
    engine.game = Game::load(&imported.record, before, engine.game.komi)?;
    Ok(String::new())
}

fn handicap(engine: &mut Engine, arguments: &[&str]) -> Result<String, GtpError> {
    let stones = u8::try_from(argument::<u32>(arguments, 0)?).ok();
    let stones = stones.and_then(|stones| fixed_handicap(engine.game.board(), stones));
    set_handicap(engine, stones.ok_or(GtpError::StoneNumber)?)
}

/// The fixed pattern, with as many stones as it has up to the number asked for, which the protocol allows. Where there is
/// none, the board's stars and what lies beside them.
fn place_free_handicap(engine: &mut Engine, arguments: &[&str]) -> Result<String, GtpError> {
    let most = argument::<u32>(arguments, 0)? as usize;
    let geometry = engine.game.position.geometry();
    if !(2..geometry.len()).contains(&most) {
        return Err(GtpError::StoneNumber);
    }
    let pattern = (2..=most.min(9) as u8)
        .rev()
        .find_map(|stones| fixed_handicap(engine.game.board(), stones));
    let spread = || {
        let mut points: Vec<Point> = geometry.points().collect();
        points.sort_by_key(|&point| !geometry.is_star(point));
        points.truncate(most);
        points
    };
    set_handicap(engine, pattern.unwrap_or_else(spread))
}

fn set_free_handicap(engine: &mut Engine, arguments: &[&str]) -> Result<String, GtpError> {
    let stones: Result<Vec<Point>, GtpError> = arguments.iter().map(|name| point(engine, name)).collect();
    let stones = stones
        .ok()
        .filter(|stones| stones.len() >= 2)
        .ok_or(GtpError::VertexList)?;
    set_handicap(engine, stones)?;
    Ok(String::new())
}

fn set_handicap(engine: &mut Engine, stones: Vec<Point>) -> Result<String, GtpError> {
    let names = show::points(engine.game.position.geometry(), &stones);
    engine.game.set_handicap(stones)?;
    Ok(names)
}

/// The area count without the stones that the assessor calls dead.
fn final_score(engine: &mut Engine, _: &[&str]) -> Result<String, GtpError> {
    let area = assess(&engine.game.position, Removes::Dead).area;
    let lead = HalfPoints::from_points(area.black as i32 - area.white as i32) - engine.game.komi;
    Ok(match lead.cmp(&HalfPoints::ZERO) {
        std::cmp::Ordering::Greater => format!("B+{lead}"),
        std::cmp::Ordering::Less => format!("W+{}", lead.abs()),
        std::cmp::Ordering::Equal => "0".to_owned(),
    })
}

/// The chains with a status, one a line.
fn final_status_list(engine: &mut Engine, arguments: &[&str]) -> Result<String, GtpError> {
    let wanted = match *arguments.first().ok_or(GtpError::Syntax)? {
        "dead" => Status::Dead,
        "alive" => Status::Alive,
        "seki" => Status::Seki,
        _ => return Err(GtpError::Syntax),
    };
    let geometry = engine.game.position.geometry();
    let assessment = assess(&engine.game.position, Removes::Dead);
    let chains = assessment.chains.iter().filter(|chain| chain.status == wanted);
    let lines: Vec<String> = chains
        .map(|chain| show::points(geometry, &chain.stones))
        .collect();
    Ok(lines.join("\n"))
}

/// Accepted; the engine's work does not depend on clocks.
fn time_settings(_: &mut Engine, arguments: &[&str]) -> Result<String, GtpError> {
    (0..3).try_for_each(|index| argument::<u32>(arguments, index).map(|_| ()))?;
    Ok(String::new())
}

fn time_left(_: &mut Engine, arguments: &[&str]) -> Result<String, GtpError> {
    color(arguments)?;
    (1..3).try_for_each(|index| argument::<i32>(arguments, index).map(|_| ()))?;
    Ok(String::new())
}

fn level(engine: &mut Engine, arguments: &[&str]) -> Result<String, GtpError> {
    engine.level = arguments
        .first()
        .and_then(|name| Level::by_name(name))
        .ok_or(GtpError::Syntax)?;
    Ok(String::new())
}

fn seed(engine: &mut Engine, arguments: &[&str]) -> Result<String, GtpError> {
    engine.seed = argument(arguments, 0)?;
    Ok(String::new())
}

fn argument<T: std::str::FromStr>(arguments: &[&str], index: usize) -> Result<T, GtpError> {
    arguments
        .get(index)
        .and_then(|text| text.parse().ok())
        .ok_or(GtpError::Syntax)
}

fn color(arguments: &[&str]) -> Result<Color, GtpError> {
    match arguments.first().map(|name| name.to_ascii_lowercase()).as_deref() {
        Some("b" | "black") => Ok(Color::Black),
        Some("w" | "white") => Ok(Color::White),
        _ => Err(GtpError::Syntax),
    }
}

fn point(engine: &Engine, name: &str) -> Result<Point, GtpError> {
    let vertex: Vertex = name.to_ascii_uppercase().parse().map_err(|_| GtpError::Syntax)?;
    engine
        .game
        .position
        .geometry()
        .point(vertex)
        .ok_or(GtpError::Syntax)
}
