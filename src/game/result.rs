//! How a game ended (G9), and the count behind it (G1, G3).

use crate::record::{RecordResult, WinBy};
use crate::rules::{Color, Geometry, HalfPoints, PerColor, Point, Position, Vertex, count_area};
use crate::ruleset::Counting;
use serde::{Deserialize, Serialize};

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameResult {
    /// Who won; nobody in a draw.
    pub winner: Option<Color>,
    /// By what.
    pub by: EndedBy,
    /// By how many points, when they were counted; 0 in a jigo.
    pub margin: Option<HalfPoints>,
    /// The result as SGF's `RE` writes it: `B+3.5`, `W+R`, `0`.
    pub sgf: String,
    /// The count, when there was one.
    pub score: Option<Score>,
    /// Who assessed the chains; nobody where nothing was counted, where the players agreed on what is dead, and where every
    /// chain counted as alive.
    pub assessed_by: Option<AssessedBy>,
    /// What it was before an operator corrected it (G11).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corrected: Option<Corrected>,
}

/// That a result is not the one that was counted at first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Corrected {
    /// The first result, as SGF writes it.
    pub from: String,
    /// The operator's reason.
    pub reason: String,
}

/// What decided a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndedBy {
    /// The count.
    Score,
    /// A player resigned.
    Resignation,
    /// A player's time ran out.
    Time,
    /// The players agreed on a draw.
    Agreement,
    /// Nothing: the table was closed before the game began.
    None,
}

/// What a count found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// Black's points.
    pub black: HalfPoints,
    /// White's points, without komi.
    pub white: HalfPoints,
    /// What White has besides.
    pub komi: HalfPoints,
    /// The points without a living stone, by whose they are.
    pub territory: Territory,
    /// The dead stones.
    pub dead: PerColor<Vec<Vertex>>,
    /// What each side holds of the other's stones. In area counting shown only.
    pub prisoners: PerColor<PrisonerCount>,
}

/// Points without a living stone.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Territory {
    /// Black's.
    pub black: Vec<Vertex>,
    /// White's.
    pub white: Vec<Vertex>,
    /// Nobody's.
    pub neutral: Vec<Vertex>,
}

/// The prisoners that one side holds at the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrisonerCount {
    /// Stones that it captured in play.
    pub captured: u32,
    /// Opposing stones that were removed as dead.
    pub dead: u32,
    /// The opponent's passes.
    pub passes: u32,
}

/// Which judge said what is dead.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AssessedBy {
    /// The program.
    pub engine: String,
    /// Its network, if it has one.
    pub network: Option<String>,
    /// The program's version.
    pub version: String,
    /// How sure it was of the least certain chain, 0 to 1.
    pub certainty: f64,
    /// Whether it stood in for another that failed.
    pub fallback: bool,
}

/// What an assessor says of a final position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    /// A stone of each dead chain at least.
    pub dead: Vec<Point>,
    /// Who says so.
    pub assessed_by: Option<AssessedBy>,
}

/// The prisoners that a game has brought so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PrisonersInPlay {
    pub captured: u32,
    pub passes: u32,
}

impl GameResult {
    /// The loser's opponent wins because the loser resigned.
    pub fn resignation(loser: Color) -> GameResult {
        GameResult::new(Some(loser.opponent()), EndedBy::Resignation, None)
    }

    /// The loser's opponent wins because the loser's time ran out.
    pub fn on_time(loser: Color) -> GameResult {
        GameResult::new(Some(loser.opponent()), EndedBy::Time, None)
    }

    /// The players agreed that nobody wins.
    pub fn agreed_draw() -> GameResult {
        GameResult::new(None, EndedBy::Agreement, None)
    }

    /// The table was closed before the game began.
    pub fn no_result() -> GameResult {
        GameResult::new(None, EndedBy::None, None)
    }

    /// The side with more points wins; a tie is a draw (jigo).
    pub fn by_score(score: Score, assessed_by: Option<AssessedBy>) -> GameResult {
        let lead = score.black - score.white - score.komi;
        let winner = match lead.cmp(&HalfPoints::ZERO) {
            std::cmp::Ordering::Greater => Some(Color::Black),
            std::cmp::Ordering::Less => Some(Color::White),
            std::cmp::Ordering::Equal => None,
        };
        let result = GameResult::new(winner, EndedBy::Score, Some(lead.abs()));
        GameResult {
            score: Some(score),
            assessed_by,
            ..result
        }
    }

    fn new(winner: Option<Color>, by: EndedBy, margin: Option<HalfPoints>) -> GameResult {
        let sgf = record_result(winner, by, margin).to_string();
        GameResult {
            winner,
            by,
            margin,
            sgf,
            score: None,
            assessed_by: None,
            corrected: None,
        }
    }

    /// The result as a record tells it.
    pub(super) fn record_result(&self) -> RecordResult {
        record_result(self.winner, self.by, self.margin)
    }
}

fn record_result(winner: Option<Color>, by: EndedBy, margin: Option<HalfPoints>) -> RecordResult {
    let Some(winner) = winner else {
        return match by {
            EndedBy::None => RecordResult::Void,
            EndedBy::Score | EndedBy::Resignation | EndedBy::Time | EndedBy::Agreement => RecordResult::Draw,
        };
    };
    let by = match by {
        EndedBy::Score => margin.map_or(WinBy::Unstated, WinBy::Points),
        EndedBy::Resignation => WinBy::Resignation,
        EndedBy::Time => WinBy::Time,
        EndedBy::Agreement | EndedBy::None => WinBy::Unstated,
    };
    RecordResult::Win { winner, by }
}

/// What a position is counted with, besides itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct CountedBy {
    pub counting: Counting,
    pub komi: HalfPoints,
    pub prisoners: PerColor<PrisonersInPlay>,
}

/// The count of a position with these dead chains taken off (G1, G2).
pub(super) fn score(position: &Position, dead: &[Point], by: CountedBy) -> Score {
    let geometry = position.geometry();
    let mut dead: Vec<Point> = dead.iter().flat_map(|&point| position.chain(point)).collect();
    dead.sort_unstable();
    dead.dedup();
    let count = count_area(position, &dead);
    let dead_of = |color| {
        let stones = dead.iter().copied();
        stones.filter(move |&point| position.stone(point) == Some(color))
    };
    let open = |owner: Option<Color>| -> Vec<Point> {
        let is_open = |point: &Point| {
            let living = position.stone(*point).is_some() && dead.binary_search(point).is_err();
            count.owners[point.index()] == owner && !living
        };
        position.points().filter(is_open).collect()
    };
    let prisoners = PerColor::from_fn(|color| {
        let PrisonersInPlay { captured, passes } = *by.prisoners.get(color);
        let dead = dead_of(color.opponent()).count() as u32;
        PrisonerCount {
            captured,
            dead,
            passes,
        }
    });
    let territory = PerColor::from_fn(|color| open(Some(color)));
    let points = |color| {
        let points = match by.counting {
            Counting::Area => *count.area.get(color),
            Counting::TerritoryWithPassStones => {
                territory.get(color).len() as u32 + prisoners.get(color).total()
            }
        };
        HalfPoints::from_points(points as i32)
    };
    Score {
        black: points(Color::Black),
        white: points(Color::White),
        komi: by.komi,
        dead: PerColor::from_fn(|color| names(geometry, dead_of(color))),
        prisoners,
        territory: Territory {
            black: names(geometry, territory.black.iter().copied()),
            white: names(geometry, territory.white.iter().copied()),
            neutral: names(geometry, open(None)),
        },
    }
}

impl PrisonerCount {
    /// All of them.
    fn total(self) -> u32 {
        self.captured + self.dead + self.passes
    }
}

/// The names of points, in the order given.
pub(super) fn names(geometry: &Geometry, points: impl IntoIterator<Item = Point>) -> Vec<Vertex> {
    points.into_iter().map(|point| geometry.vertex(point)).collect()
}
