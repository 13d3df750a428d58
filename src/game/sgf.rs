//! A table's game as a record (T12).

use super::player::Player;
use super::table::{MoveMade, Table};
use crate::record::{CivilDate, Record, RecordMove, RecordPlayer, write_sgf};
use crate::rules::{Move, PerColor, Point, Vertex};

/// Where games on this server are played, as a record's `PC` says.
const PLACE: &str = "Hoshi";

impl Table {
    /// The game so far as SGF text, with the result once there is one. What SGF cannot say of a hexagonal board is in
    /// the form that [`crate::record`] describes.
    pub fn sgf(&self) -> String {
        write_sgf(&self.record())
    }

    /// The game so far as a record.
    pub fn record(&self) -> Record {
        let began = self.started_at.unwrap_or(self.created_at);
        let players = match &self.seats {
            Some(seats) => seats.map(|player| self.record_player(player)),
            None => PerColor::default(),
        };
        let result = self.result();
        let territory = result
            .and_then(|result| result.score.as_ref())
            .map(|score| PerColor {
                black: self.points(&score.territory.black),
                white: self.points(&score.territory.white),
            });
        Record {
            rules: Some(self.terms.ruleset.record_name.to_owned()),
            komi: Some(self.terms.komi),
            handicap: self.terms.handicap,
            players,
            date: CivilDate::from_unix_ms(began.as_millis()),
            place: Some(PLACE.to_owned()),
            main_time: self.terms.clock.main_time(),
            overtime: self.terms.clock.overtime(),
            result: result.map(|result| result.record_result()),
            setup: PerColor {
                black: self.setup_by_index(),
                white: Vec::new(),
            },
            first: self.terms.ruleset.first_to_move(self.terms.handicap),
            moves: self.moves.iter().map(|made| self.move_on_record(made)).collect(),
            territory: territory.unwrap_or_default(),
            comment: self.remark(),
            ..Record::new(self.terms.board)
        }
    }

    /// A rating under the table's ruleset stands for a rank.
    fn record_player(&self, player: &Player) -> RecordPlayer {
        let rating = player.ratings.get(self.terms.ruleset.id);
        RecordPlayer {
            name: Some(player.name.clone()),
            rank: rating.map(|rating| format!("{:.0}", rating.rating)),
        }
    }

    fn setup_by_index(&self) -> Vec<Point> {
        let mut setup = self.setup.clone();
        setup.sort_unstable();
        setup
    }

    fn points(&self, vertices: &[Vertex]) -> Vec<Point> {
        let geometry = self.position.geometry();
        vertices
            .iter()
            .filter_map(|&vertex| geometry.point(vertex))
            .collect()
    }

    /// A move with what its player had left after it.
    fn move_on_record(&self, made: &MoveMade) -> RecordMove {
        let point = match made.made {
            Move::Play(point) => Some(point),
            Move::Pass => None,
        };
        RecordMove {
            time_left: self.terms.clock.time_left(made.left),
            moves_left: self.terms.clock.moves_left(made.left),
            ..RecordMove::new(made.color, point)
        }
    }
}
