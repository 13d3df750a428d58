//! A table as it stands, and the one way it changes: by applying events.

use super::appeal::Review;
use super::chat::ChatLine;
use super::computer::Asking;
use super::event::{CountingReason, Event, EventKind, Seq};
use super::ids::{InviteCode, PlayerId, TableId};
use super::marking::Marking;
use super::player::Player;
use super::rematch::RematchState;
use super::requests::{OpenRequest, Requests};
use super::result::{GameResult, PrisonersInPlay};
use super::terms::Terms;
use crate::clock::{Clock, Millis, TimeLeft, Timestamp};
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
    /// Whether the computer has agreed to some version of the present marking.
    pub(super) computer_has_accepted: bool,
    /// The newest takeback or resumption: who has not seen it means another game (T7).
    pub(super) stale_before: Seq,
    /// What was said, oldest first.
    pub(super) chat: Vec<ChatLine>,
    /// What has become of the result.
    pub(super) review: Review,
    /// Those of the table who have deleted themselves.
    pub(super) left: Vec<PlayerId>,
    /// How often play was resumed after a marking (G8).
    pub(super) resumptions: u32,
    /// The number of moves made when play was resumed last: they stand for good (T9).
    pub(super) resumed_at: u32,
    /// How long a marking lasts, if not as long as the ruleset says. Not stored.
    pub(super) marking_life: Option<Millis>,
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
    /// Play has ended, and the players mark dead chains. On the wire this is `counting`, too.
    Marking(Marking),
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
            Phase::Counting(_) | Phase::Marking(_) => "counting",
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
            computer_has_accepted: false,
            stale_before: Seq(0),
            chat: Vec::new(),
            review: Review::default(),
            left: Vec::new(),
            resumptions: 0,
            resumed_at: 0,
            marking_life: None,
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
            EventKind::Outage { clock, marking } => {
                self.clock = *clock;
                self.asking = Asking::from(event.at);
                if let Some(marking) = marking {
                    self.phase = Phase::Marking(marking.clone());
                }
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
                marking,
            } => {
                self.requests.open = PerColor::default();
                self.clock = *clock;
                self.asking = Asking::from(event.at);
                self.computer_has_accepted = false;
                self.phase = match marking {
                    Some(marking) => Phase::Marking(marking.clone()),
                    None => Phase::Counting(CountingState {
                        reason: *reason,
                        attempt: *attempt,
                        retry_at: *retry_at,
                        since: event.at,
                    }),
                };
            }
            EventKind::Marked { marking, .. } => self.phase = Phase::Marking(marking.clone()),
            EventKind::ScoreAccepted { by, marking } => {
                self.phase = Phase::Marking(marking.clone());
                self.computer_has_accepted |= self.computer().is_some_and(|(color, _)| color == *by);
            }
            EventKind::Resumed { clock, .. } => {
                self.phase = Phase::Playing;
                self.clock = *clock;
                self.resumptions += 1;
                self.resumed_at = self.turn();
                self.stale_before = event.seq;
                self.asking = Asking::from(event.at);
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
                self.apply_chat(event);
            }
            EventKind::Chat { .. } | EventKind::ChatRemoved { .. } => self.apply_chat(event),
            EventKind::Appealed { .. } | EventKind::Decided { .. } => self.apply_review(event),
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
        self.to_move = self.next_to_move(color, self.turn());
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
}
