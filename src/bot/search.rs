//! The search for a move, in steps.

use super::decide::{self, Comparison, Next};
use super::prior::Lines;
use super::tree::Tree;
use super::{Choice, Ending, Level, Situation};
use crate::assess::{Assessment, Assessor, pass_alive};
use crate::playout::{Chance, FastBoard, Owners, Player};
use crate::rules::{Color, HalfPoints, Move, Point, Position, count_area};
use crate::ruleset::Removes;

/// How many moves of playouts make a step: some ten milliseconds in WebAssembly.
const MOVES_A_STEP: u32 = 12_000;

/// A search for a move in one situation.
///
/// # Example
/// ```
/// use hoshi::bot::{Choice, Ending, Level, Search, Situation};
/// use hoshi::rules::{Board, Color, HalfPoints, History, Position};
/// use hoshi::ruleset::Removes;
///
/// let board: Board = "9x9".parse()?;
/// let position = Position::empty(board.geometry());
/// let situation = Situation {
///     position: &position,
///     history: &History::new(&position),
///     to_move: Color::Black,
///     komi: HalfPoints::from_halves(13),
///     last: None,
///     white_passes_last: false,
///     opening_stones: 0,
///     ending: Ending::DeadStonesGo(Removes::Dead),
/// };
/// let mut search = Search::new(&situation, Level::Easy, 1);
/// let choice = loop {
///     // In a server: let others have their turn.
///     if let Some(choice) = search.work() {
///         break choice;
///     }
/// };
/// assert!(matches!(choice, Choice::Play(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Search {
    pub(super) start: FastBoard,
    pub(super) board: FastBoard,
    pub(super) to_move: Color,
    pub(super) komi: HalfPoints,
    pub(super) last: Option<Move>,
    pub(super) white_passes_last: bool,
    pub(super) opening_stones: u8,
    pub(super) ending: Ending,
    pub(super) player: Player,
    pub(super) owners: Owners,
    pub(super) chance: Chance,
    pub(super) lines: Lines,
    pub(super) tree: Tree,
    /// The nodes and the numbers of the moves of the present simulation.
    pub(super) path: Vec<(u32, usize)>,
    /// By point, who played there first in the present simulation.
    pub(super) first_at: Vec<Option<Color>>,
    /// By point, how much more often Black owned it at the end than White.
    pub(super) ownership: Vec<i32>,
    /// The sum of Black's margins, in half points, komi included.
    pub(super) margins: i64,
    /// By number of the move at the root, the same of the simulations that began with it.
    pub(super) margins_after: Vec<i64>,
    /// How many stones there are on the board.
    pub(super) stones: usize,
    /// By how much the side that is to move would win if play ended now, once that is known.
    pub(super) lead: Option<HalfPoints>,
    /// The sum of the results for the side that is to move.
    pub(super) results: f32,
    pub(super) simulations: u32,
    pub(super) moves: u32,
    budget: u32,
    position: Position,
    stage: Stage,
}

/// What the search is at.
#[derive(Clone, Debug)]
enum Stage {
    /// Has the position judged as another pass would end the game.
    JudgingTheEnd(Box<Assessor>),
    /// Looks ahead.
    Thinking,
    /// Looks more closely at a move, so many times more.
    Comparing(Comparison, u32),
    /// Has the position judged, since the leading play looks idle.
    Judging { leading: usize, assessor: Box<Assessor> },
    /// Knows what to do.
    Done(Choice),
}

impl Search {
    /// Begins to look for a move. The same situation, level and seed lead to the same move.
    pub fn new(situation: &Situation, level: Level, seed: u64) -> Search {
        let start = FastBoard::new(situation.position);
        let points = start.terrain().points().len();
        let closed = closed(situation);
        let mut search = Search {
            board: start.clone(),
            to_move: situation.to_move,
            komi: situation.komi,
            last: situation.last,
            white_passes_last: situation.white_passes_last,
            opening_stones: situation.opening_stones,
            ending: situation.ending,
            player: Player::new(&start, closed),
            owners: Owners::new(points),
            chance: Chance::new(seed ^ situation.position.hash()),
            lines: Lines::new(&start),
            start,
            tree: Tree::default(),
            path: Vec::new(),
            first_at: vec![None; points],
            ownership: vec![0; points],
            margins: 0,
            margins_after: Vec::new(),
            stones: stones_on(situation.position),
            lead: None,
            results: 0.0,
            simulations: 0,
            moves: 0,
            budget: level.moves(points),
            position: situation.position.clone(),
            stage: Stage::Thinking,
        };
        search.add_root(situation);
        search.consider_the_end(situation);
        search
    }

    /// Does a step of the work, some ten milliseconds of it, and returns the choice when it was the last. Asked again
    /// after that, it returns the same.
    pub fn work(&mut self) -> Option<Choice> {
        let pause = self.moves + MOVES_A_STEP;
        let next = match &mut self.stage {
            Stage::Done(choice) => return Some(*choice),
            Stage::JudgingTheEnd(assessor) => {
                let assessment = assessor.work()?;
                self.count(&assessment);
                self.stage = match decide::ends_well(self, &assessment) {
                    true => Stage::Done(Choice::Pass),
                    false => Stage::Thinking,
                };
                return None;
            }
            Stage::Judging { leading, assessor } => {
                let leading = *leading;
                let assessment = assessor.work()?;
                self.count(&assessment);
                decide::judged(self, leading, &assessment)
            }
            Stage::Comparing(comparison, left) => {
                let (comparison, left) = (*comparison, *left);
                let left = self.look_at(comparison.made, left, pause);
                if left > 0 {
                    self.stage = Stage::Comparing(comparison, left);
                    return None;
                }
                decide::compared(self, comparison)
            }
            Stage::Thinking => {
                while self.moves < self.budget && !self.is_clear() {
                    if self.moves >= pause {
                        return None;
                    }
                    self.simulate();
                }
                decide::lean(self)
            }
        };
        self.stage = self.stage_for(next);
        match self.stage {
            Stage::Done(choice) => Some(choice),
            _ => None,
        }
    }

    fn stage_for(&self, next: Next) -> Stage {
        match next {
            Next::Done(choice) => Stage::Done(choice),
            Next::Compare(comparison) => Stage::Comparing(comparison, decide::looks(self)),
            Next::Judge { leading } => Stage::Judging {
                leading,
                assessor: Box::new(Assessor::new(&self.position, self.removes())),
            },
        }
    }

    /// Looks at a move of the root up to so many times, and returns how often is left to look when it is time for a pause.
    fn look_at(&mut self, made: usize, looks: u32, pause: u32) -> u32 {
        for left in (1..=looks).rev() {
            if self.moves >= pause {
                return left;
            }
            self.simulate_after(Some(made));
        }
        0
    }

    /// After the opponent's pass, another one may end the game: then the count is looked at first.
    fn consider_the_end(&mut self, situation: &Situation) {
        let ends = situation.last == Some(Move::Pass)
            && (self.to_move == Color::White || !self.white_passes_last)
            && self.opening_stones == 0;
        if !ends {
            return;
        }
        let assessor = Assessor::new(situation.position, self.removes());
        self.stage = Stage::JudgingTheEnd(Box::new(assessor));
    }

    /// What an assessor is to take off. Where dead stones stay, he tells which could be captured.
    fn removes(&self) -> Removes {
        match self.ending {
            Ending::DeadStonesGo(removes) => removes,
            Ending::AllStonesStay => Removes::Dead,
        }
    }

    /// Notes who would win if play ended now.
    fn count(&mut self, assessment: &Assessment) {
        let area = match self.ending {
            Ending::DeadStonesGo(_) => assessment.area,
            Ending::AllStonesStay => count_area(&self.position, &[]).area,
        };
        let lead = HalfPoints::from_points(area.black as i32 - area.white as i32) - self.komi;
        self.lead = Some(match self.to_move {
            Color::Black => lead,
            Color::White => HalfPoints::ZERO - lead,
        });
    }

    /// The moves of the root: those that are legal in the game, superko included.
    fn add_root(&mut self, situation: &Situation) {
        let mut edges = self.candidates(self.to_move, self.opening_stones == 0);
        edges.retain(|edge| {
            let legal = |point| {
                situation
                    .history
                    .legal(situation.position, point, self.to_move)
                    .is_ok()
            };
            edge.point.is_none_or(legal)
        });
        if edges.is_empty() {
            // Black has opening stones to play and no sensible point: any legal one will do.
            let any = situation.position.points().find(|&point| {
                situation
                    .history
                    .legal(situation.position, point, self.to_move)
                    .is_ok()
            });
            edges.push(self.edge_for(any));
        }
        self.margins_after = vec![0; edges.len()];
        // The tree is empty, so there is room.
        self.tree.add(&mut edges);
    }

    fn edge_for(&self, point: Option<Point>) -> super::tree::Edge {
        match point {
            Some(point) => self.lines.play(&self.board, point, self.to_move, &[]),
            None => self.lines.pass(),
        }
    }

    /// Whether more work would not change the choice: no other move can catch up with the leading one.
    fn is_clear(&self) -> bool {
        if self.simulations < 64 || !self.simulations.is_multiple_of(64) {
            return false;
        }
        let left =
            u64::from(self.budget - self.moves) * u64::from(self.simulations) / u64::from(self.moves.max(1));
        let (mut most, mut second) = (0, 0);
        for edge in self.tree.edges(0) {
            if edge.tries > most {
                (most, second) = (edge.tries, most);
            } else {
                second = second.max(edge.tries);
            }
        }
        u64::from(most - second) > left
    }
}

fn stones_on(position: &Position) -> usize {
    let stones = position.points().filter(|&point| position.stone(point).is_some());
    stones.count()
}

/// By point, whether nobody needs to play there any more. Stones that are dead without condition stay on the board only
/// where they need not be captured.
fn closed(situation: &Situation) -> Vec<bool> {
    let owners = pass_alive(situation.position);
    let decided = |point: Point| match (situation.ending, owners[point.index()]) {
        (_, None) => false,
        (Ending::DeadStonesGo(_), Some(_)) => true,
        (Ending::AllStonesStay, Some(_)) => false,
    };
    situation.position.points().map(decided).collect()
}
