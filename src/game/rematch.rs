//! Playing again (T11): either player proposes, the other accepts, and a new private table starts.

use super::event::{Event, EventKind, Seq};
use super::ids::{IdSeed, InviteCode, InviteSeed, PlayerId, TableId};
use super::player::Player;
use super::refusal::Refusal;
use super::step::Answer;
use super::table::{Phase, Table};
use super::terms::{Terms, Visibility};
use crate::clock::{Clock, Millis, Timestamp};
use crate::rules::{Color, PerColor};
use crate::ruleset::ColorChoice;

/// How long after the end a rematch can be agreed on (T11).
pub(super) const WINDOW: Millis = Millis::from_secs(10 * 60);

/// Randomness for a table that a command may make. Drawn by the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spare {
    /// For its id.
    pub id: IdSeed,
    /// For its invite.
    pub invite: InviteSeed,
}

/// Where the players stand with playing again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RematchState {
    /// By color, the event of an offer that stands.
    pub(super) offers: PerColor<Option<Seq>>,
    /// By color, whether an offer was declined. Once is enough.
    pub(super) declined: PerColor<bool>,
    /// What they have agreed on, and by which event.
    pub(super) agreed: Option<(Seq, InviteCode)>,
}

/// A game that starts at once, between players who know each other.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Opening {
    /// What is played.
    pub terms: Terms,
    /// Who counts as the table's creator.
    pub creator: Player,
    /// What opens the table to others; it names the table.
    pub invite: InviteCode,
    /// Who plays which color.
    pub seats: PerColor<Player>,
}

impl Opening {
    /// A player comes to the game as he is by now.
    pub fn meet(&mut self, player: &Player) {
        let PerColor { black, white } = &mut self.seats;
        for known in [&mut self.creator, black, white] {
            if known.id == player.id {
                known.clone_from(player);
            }
        }
    }
}

/// A player proposes; or agrees, if the other has proposed. Proposing again, or after both have agreed, changes nothing.
pub(super) fn rematch(table: &Table, by: &PlayerId, spare: Spare, now: Timestamp) -> Result<Answer, Refusal> {
    let color = seat(table, by, now)?;
    if let Some((seq, _)) = table.rematch.agreed {
        return Ok(Answer::Repeats(seq));
    }
    if let Some(seq) = *table.rematch.offers.get(color) {
        return Ok(Answer::Repeats(seq));
    }
    let kind = match table.rematch.offers.get(color.opponent()) {
        // The computer always plays again.
        None if table.computer().is_some() => agreed(spare),
        None if *table.rematch.declined.get(color) => return Err(Refusal::RequestLimit),
        None => EventKind::RematchOffered { by: color },
        Some(_) => agreed(spare),
    };
    Ok(Answer::Kinds(vec![kind]))
}

fn agreed(spare: Spare) -> EventKind {
    let id = TableId::from_seed(spare.id);
    let invite = InviteCode::new(id.clone(), spare.invite);
    EventKind::Rematch { table_id: id, invite }
}

/// A player does not want to play again.
pub(super) fn decline(table: &Table, by: &PlayerId, now: Timestamp) -> Result<Answer, Refusal> {
    let color = seat(table, by, now)?;
    let open = table.rematch.agreed.is_none() && table.rematch.offers.get(color.opponent()).is_some();
    match open {
        true => Ok(Answer::Kinds(vec![EventKind::RematchDeclined { by: color }])),
        false => Err(Refusal::NoRequest),
    }
}

fn seat(table: &Table, by: &PlayerId, now: Timestamp) -> Result<Color, Refusal> {
    let ended_at = table
        .ended_at
        .filter(|_| matches!(table.phase, Phase::Finished(_)));
    if ended_at.is_none_or(|ended_at| now >= ended_at + WINDOW) {
        return Err(Refusal::WrongState);
    }
    let color = table.seat_of(by).ok_or(Refusal::Forbidden)?;
    let seats = table.seats.as_ref().ok_or(Refusal::WrongState)?;
    let left = |color| table.left.contains(&seats.get(color).id);
    if Color::BOTH.into_iter().any(left) {
        return Err(Refusal::WrongState);
    }
    match Color::BOTH
        .into_iter()
        .all(|color| table.terms.takes(seats.get(color).kind))
    {
        true => Ok(color),
        false => Err(Refusal::NeedsAccount),
    }
}

impl Table {
    /// The game that the players have agreed to play again: the same terms at a private table. In an even game they
    /// swap colors; with a handicap they keep them, and against the computer a color that was chosen.
    pub fn rematch(&self) -> Option<Opening> {
        let (_, invite) = self.rematch.agreed.as_ref()?;
        let seats = self.seats.as_ref()?;
        let computer = self.computer().is_some();
        let keep = self.terms.handicap > 0 || (computer && self.terms.color.chosen().is_some());
        let seats = match keep {
            true => seats.clone(),
            false => PerColor {
                black: seats.white.clone(),
                white: seats.black.clone(),
            },
        };
        let color = match seats.black.id == self.creator.id {
            _ if computer => self.terms.color,
            true => ColorChoice::Black,
            false => ColorChoice::White,
        };
        let visibility = Visibility::Private;
        Some(Opening {
            terms: Terms {
                color,
                visibility,
                ..self.terms.clone()
            },
            creator: self.creator.clone(),
            invite: invite.clone(),
            seats,
        })
    }
}

/// The events with which such a game begins.
pub fn open_started(opening: Opening, now: Timestamp) -> Vec<Event> {
    let Opening {
        terms,
        creator,
        invite,
        seats,
    } = opening;
    let first = terms.ruleset.first_to_move(terms.handicap);
    let clock = Clock::new(terms.clock, now).start(first, now);
    let player = match seats.black.id == creator.id {
        true => seats.white.clone(),
        false => seats.black.clone(),
    };
    let id = invite.table().clone();
    let kinds = [
        EventKind::Opened {
            id,
            terms,
            creator,
            invite,
        },
        EventKind::Joined { player },
        EventKind::Started { seats, clock },
    ];
    let numbered = (1..).zip(kinds).map(|(number, kind)| Event {
        seq: Seq(number),
        at: now,
        kind,
    });
    numbered.collect()
}
