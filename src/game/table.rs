//! A table as it stands, and the one way it changes: by applying events.

use super::computer::Asking;
use super::event::{CountingReason, Event, EventKind, Forbidden, ForbiddenWhy, Seq};
use super::ids::{InviteCode, PlayerId, TableId};
use super::player::Player;
use super::rematch::RematchState;
use super::requests::{OpenRequest, Requests};
use super::result::{GameResult, PrisonersInPlay};
use super::terms::Terms;
use super::tick;
use crate::clock::{Clock, TimeLeft, Timestamp};
use crate::rules::{Color, History, Move, MoveError, PerColor, Point, Position, Setup, SetupError, Vertex};

/// A table: the replay of its events.
#[derive(Clone, Debug)]
pub struct Table {
    pub(super) id: TableId,
    pub(super) terms: Terms,
    pub(super) creator: Player,
    pub(super) invite: InviteCode,
    pub(super) created_at: Timestamp,
    pub(super) seq: Seq,
    pub(super) phase: Phase,
    /// Who plays which color, from the start on.
    pub(super) seats: Option<PerColor<Player>>,
    pub(super) started_at: Option<Timestamp>,
    pub(super) ended_at: Option<Timestamp>,
    pub(super) setup: Vec<Point>,
    pub(super) position: Position,
    pub(super) history: History,
    pub(super) moves: Vec<MoveMade>,
    pub(super) to_move: Color,
    pub(super) prisoners: PerColor<PrisonersInPlay>,
    pub(super) clock: Clock,
    /// When the newest event happened.
    pub(super) last_at: Timestamp,
    pub(super) requests: Requests,
    pub(super) rematch: RematchState,
    pub(super) asking: Asking,
    /// The newest takeback: who has not seen it means another game (T7).
    pub(super) stale_before: Seq,
    /// The players who have deleted themselves.
    pub(super) left: Vec<PlayerId>,
}

/// What a table is doing (T1).
#[derive(Clone, Debug, PartialEq)]
pub enum Phase {
    /// Its creator waits for an opponent.
    Waiting,
    /// The game goes on.
    Playing,
    /// Play has ended, and the chains are being assessed.
    Counting(CountingState),
    /// The game is over.
    Finished(Box<GameResult>),
    /// Closed before it began.
    Closed,
}

/// Where an assessment stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountingState {
    /// What ended the play.
    pub reason: CountingReason,
    /// Which try, from 1.
    pub attempt: u32,
    /// When the next try is due, if this one has failed.
    pub retry_at: Option<Timestamp>,
    /// When this try began.
    pub since: Timestamp,
}

/// A move on the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveMade {
    /// Whose.
    pub color: Color,
    /// What.
    pub made: Move,
    /// When.
    pub at: Timestamp,
    /// The event that told it.
    pub seq: Seq,
    /// Both clocks as they stood when it arrived, its time spent but nothing gained by it: what a takeback returns to
    /// (C8).
    pub arrived: Clock,
    /// What its player had left after it.
    pub left: TimeLeft,
}

/// Stored events that do not follow from one another: the storage is damaged, or older than a change of the rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The first event does not open the table, or a later one does.
    #[error("event {0:?} cannot stand there")]
    Misplaced(Seq),
    /// A number is missing or doubled.
    #[error("event {found:?} follows event {after:?}")]
    Gap {
        /// The last good one.
        after: Seq,
        /// The one that came.
        found: Seq,
    },
    /// A move that cannot be made.
    #[error("the move of event {seq:?} cannot be made: {error}")]
    BadMove {
        /// The event.
        seq: Seq,
        /// Why not.
        error: MoveError,
    },
    /// A point that the board lacks.
    #[error("the board has no point {0}")]
    OffBoard(Vertex),
    /// Handicap stones that cannot lie there.
    #[error("the start position cannot stand: {0}")]
    Setup(#[from] SetupError),
}

impl Phase {
    /// The state's name on the wire.
    pub fn name(&self) -> &'static str {
        match self {
            Phase::Waiting => "waiting",
            Phase::Playing => "playing",
            Phase::Counting(_) => "counting",
            Phase::Finished(_) => "finished",
            Phase::Closed => "closed",
        }
    }
}

impl Table {
    /// The table that these events make, oldest first.
    ///
    /// # Errors
    /// When the events do not follow from one another.
    pub fn replay(events: impl IntoIterator<Item = Event>) -> Result<Table, ReplayError> {
        let mut events = events.into_iter();
        let mut table = Table::open(&events.next().ok_or(ReplayError::Misplaced(Seq(0)))?)?;
        for event in events {
            table.apply(&event)?;
        }
        Ok(table)
    }

    /// The table that a first event opens.
    ///
    /// # Errors
    /// When it is another kind of event, or its terms are none that could be granted.
    pub fn open(event: &Event) -> Result<Table, ReplayError> {
        let EventKind::Opened {
            id,
            terms,
            creator,
            invite,
        } = &event.kind
        else {
            return Err(ReplayError::Misplaced(event.seq));
        };
        let setup = terms.ruleset.setup(terms.board, terms.handicap);
        let stones = PerColor {
            black: setup.clone(),
            white: Vec::new(),
        };
        let position = Position::from_setup(&Setup {
            board: terms.board,
            stones,
        })?;
        Ok(Table {
            id: id.clone(),
            terms: terms.clone(),
            creator: creator.clone(),
            invite: invite.clone(),
            created_at: event.at,
            seq: event.seq,
            phase: Phase::Waiting,
            seats: None,
            started_at: None,
            ended_at: None,
            history: History::new(&position),
            position,
            setup,
            moves: Vec::new(),
            to_move: terms.ruleset.first_to_move(terms.handicap),
            prisoners: PerColor::default(),
            clock: Clock::new(terms.clock, event.at),
            last_at: event.at,
            requests: Requests::default(),
            rematch: RematchState::default(),
            asking: Asking::from(event.at),
            stale_before: Seq(0),
            left: Vec::new(),
        })
    }

    /// Changes the table as an event says: the only way that a table changes.
    ///
    /// # Errors
    /// When the event does not follow from those before it. The table is then to be thrown away.
    pub fn apply(&mut self, event: &Event) -> Result<(), ReplayError> {
        if event.seq != self.seq.next() {
            return Err(ReplayError::Gap {
                after: self.seq,
                found: event.seq,
            });
        }
        match &event.kind {
            EventKind::Opened { .. } => return Err(ReplayError::Misplaced(event.seq)),
            EventKind::Joined { .. } => {}
            EventKind::Started { seats, clock } => {
                self.seats = Some(seats.clone());
                self.phase = Phase::Playing;
                self.started_at = Some(event.at);
                self.asking = Asking::from(event.at);
                self.clock = *clock;
            }
            EventKind::Played {
                color, point, clock, ..
            } => self.apply_play(event, *color, *point, clock)?,
            EventKind::Passed { color, clock, .. } => {
                self.prisoners.get_mut(color.opponent()).passes += 1;
                self.record_move(event, *color, Move::Pass, clock);
            }
            EventKind::Requested {
                request,
                by,
                expires_at,
            } => {
                let (kind, expires_at) = (*request, *expires_at);
                *self.requests.open.get_mut(*by) = Some(OpenRequest { kind, expires_at });
                *self.requests.used.get_mut(*by) += 1;
                self.asking = Asking::from(event.at);
            }
            EventKind::Answered { by, .. } => *self.requests.open.get_mut(by.opponent()) = None,
            EventKind::Withdrawn { by, .. } | EventKind::Expired { by, .. } => {
                *self.requests.open.get_mut(*by) = None;
            }
            EventKind::TakenBack { turn, clock, .. } => {
                while self.turn() > *turn {
                    self.undo_last_move();
                }
                self.requests.open = PerColor::default();
                self.stale_before = event.seq;
                self.clock = *clock;
                self.asking = Asking::from(event.at);
            }
            EventKind::Outage { clock } => {
                self.clock = *clock;
                self.asking = Asking::from(event.at);
            }
            EventKind::ComputerFailed {
                attempt, retry_at, ..
            } => {
                self.asking = Asking {
                    failed: *attempt,
                    since: retry_at.unwrap_or(event.at),
                };
            }
            EventKind::Counting {
                reason,
                attempt,
                retry_at,
                clock,
            } => {
                let (reason, attempt, retry_at) = (*reason, *attempt, *retry_at);
                self.requests.open = PerColor::default();
                self.phase = Phase::Counting(CountingState {
                    reason,
                    attempt,
                    retry_at,
                    since: event.at,
                });
                self.clock = *clock;
            }
            EventKind::Finished { result, clock } => {
                self.requests.open = PerColor::default();
                self.phase = Phase::Finished(Box::new(result.clone()));
                self.ended_at = Some(event.at);
                self.clock = *clock;
            }
            EventKind::RematchOffered { by } => *self.rematch.offers.get_mut(*by) = Some(event.seq),
            EventKind::RematchDeclined { by } => {
                *self.rematch.offers.get_mut(by.opponent()) = None;
                *self.rematch.declined.get_mut(by.opponent()) = true;
            }
            EventKind::Rematch { invite, .. } => self.rematch.agreed = Some((event.seq, invite.clone())),
            EventKind::Closed {} => {
                self.phase = Phase::Closed;
                self.ended_at = Some(event.at);
            }
            EventKind::Renamed { player } => self.call(player),
            EventKind::Left { player } => {
                self.call(player);
                self.left.push(player.id.clone());
            }
        }
        self.seq = event.seq;
        self.last_at = event.at;
        Ok(())
    }

    fn apply_play(
        &mut self,
        event: &Event,
        color: Color,
        vertex: Vertex,
        clock: &Clock,
    ) -> Result<(), ReplayError> {
        let point = self
            .position
            .geometry()
            .point(vertex)
            .ok_or(ReplayError::OffBoard(vertex))?;
        let played = self.history.play(&mut self.position, point, color);
        let captured = played.map_err(|error| ReplayError::BadMove {
            seq: event.seq,
            error,
        })?;
        self.prisoners.get_mut(color).captured += captured.len() as u32;
        self.record_move(event, color, Move::Play(point), clock);
        Ok(())
    }

    fn record_move(&mut self, event: &Event, color: Color, made: Move, clock: &Clock) {
        self.moves.push(MoveMade {
            color,
            made,
            at: event.at,
            seq: event.seq,
            arrived: self.clock.at(event.at),
            left: clock.left(color),
        });
        self.to_move = color.opponent();
        self.clock = *clock;
        self.asking = Asking::from(event.at);
    }

    /// Undoes the last move: its stone and its captures, the position in the history, a pass's prisoner. Nothing when
    /// there is no move. Leaves the clock alone.
    pub(super) fn undo_last_move(&mut self) -> Option<MoveMade> {
        let undone = self.moves.pop()?;
        self.to_move = undone.color;
        match undone.made {
            Move::Pass => self.prisoners.get_mut(undone.color.opponent()).passes -= 1,
            Move::Play(_) => {
                self.history.pop();
                self.replay_board();
            }
        }
        Some(undone)
    }

    /// Makes the stones and the captures those of the moves that are left.
    fn replay_board(&mut self) {
        let stones = PerColor {
            black: self.setup.clone(),
            white: Vec::new(),
        };
        let board = self.terms.board;
        let Ok(mut position) = Position::from_setup(&Setup { board, stones }) else {
            return;
        };
        let mut captured = PerColor { black: 0, white: 0 };
        for made in &self.moves {
            if let Move::Play(point) = made.made {
                *captured.get_mut(made.color) +=
                    position.play(point, made.color).map_or(0, |stones| stones.len());
            }
        }
        self.position = position;
        for color in Color::BOTH {
            self.prisoners.get_mut(color).captured = *captured.get(color) as u32;
        }
    }

    /// The table's id.
    pub fn id(&self) -> &TableId {
        &self.id
    }

    /// What is played.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Who made the table.
    pub fn creator(&self) -> &Player {
        &self.creator
    }

    /// What the table is doing.
    pub fn phase(&self) -> &Phase {
        &self.phase
    }

    /// The number of the newest event.
    pub fn seq(&self) -> Seq {
        self.seq
    }

    /// The number of moves made.
    pub fn turn(&self) -> u32 {
        self.moves.len() as u32
    }

    /// Whose turn it is, or would be.
    pub fn to_move(&self) -> Color {
        self.to_move
    }

    /// The stones on the board.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The moves made, oldest first.
    pub fn moves(&self) -> &[MoveMade] {
        &self.moves
    }

    /// Who plays which color; `None` before the start.
    pub fn seats(&self) -> Option<&PerColor<Player>> {
        self.seats.as_ref()
    }

    /// When the table was made, when the game began, and when it ended or the table closed.
    pub fn times(&self) -> (Timestamp, Option<Timestamp>, Option<Timestamp>) {
        (self.created_at, self.started_at, self.ended_at)
    }

    /// The color that a player plays, from the start on.
    pub fn seat_of(&self, player: &PlayerId) -> Option<Color> {
        let seats = self.seats.as_ref()?;
        Color::BOTH
            .into_iter()
            .find(|&color| seats.get(color).id == *player)
    }

    /// Where `color` may not play now, with why (B6).
    pub(super) fn forbidden(history: &History, position: &Position, color: Color) -> Vec<Forbidden> {
        let geometry = position.geometry();
        let points = history.forbidden(position, color).into_iter();
        let named = points.filter_map(|(point, error)| {
            Some(Forbidden {
                point: geometry.vertex(point),
                why: ForbiddenWhy::from_error(error)?,
            })
        });
        named.collect()
    }

    /// When the table wants to be looked at, whatever comes before: a flag falls, a request becomes void, or the chains
    /// are to be assessed.
    pub fn next_deadline(&self) -> Option<Timestamp> {
        [self.assessment_due(), tick::next_deadline(self)]
            .into_iter()
            .flatten()
            .min()
    }

    /// Events with the next numbers, all at one moment; but none before an event that is stored already, if the server's
    /// time has stepped back.
    pub(super) fn number(&self, kinds: Vec<EventKind>, at: Timestamp) -> Vec<Event> {
        let at = at.max(self.last_at);
        let numbered = kinds.into_iter().scan(self.seq, |seq, kind| {
            *seq = seq.next();
            Some(Event { seq: *seq, at, kind })
        });
        numbered.collect()
    }

    /// Whether the table waits for an assessor's verdict, and the time has come to ask for it.
    pub fn wants_verdict(&self, now: Timestamp) -> bool {
        self.assessment_due().is_some_and(|due| due <= now)
    }

    fn assessment_due(&self) -> Option<Timestamp> {
        match &self.phase {
            Phase::Counting(counting) => Some(counting.retry_at.unwrap_or(counting.since)),
            Phase::Waiting | Phase::Playing | Phase::Finished(_) | Phase::Closed => None,
        }
    }
}
