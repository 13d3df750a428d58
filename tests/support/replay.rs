//! Replaying a record on the engine.

use super::records::GameRecord;
use hoshi::rules::{Color, History, MoveError, PerColor, Position, count_area};

/// Plays a record and compares all that it says about the end: stones, captures, area and refused plays.
#[track_caller]
pub fn check(record: &GameRecord) {
    let id = &record.id;
    let mut position = record.start();
    let mut history = History::new(&position);
    let mut captures = PerColor::<u32>::default();
    for (number, &(color, vertex)) in record.moves.iter().enumerate() {
        let Some(vertex) = vertex else { continue };
        let played = history.play(&mut position, record.point(vertex), color);
        let captured = played.unwrap_or_else(|error| panic!("{id}, move {}: {error}", number + 1));
        *captures.get_mut(color) += captured.len() as u32;
    }
    assert_eq!(captures, record.captures, "{id}: captures");
    for color in Color::BOTH {
        let mut expected = record.final_stones.get(color).clone();
        expected.sort_by_key(|&vertex| record.point(vertex));
        assert_eq!(vertices(&position, color), expected, "{id}: {color} stones");
    }
    if let Some(area) = record.area_all_alive {
        assert_eq!(count_area(&position, &[]).area, area, "{id}: area");
    }
    for &(color, vertex, why) in &record.refused {
        let refused: Option<MoveError> = history.legal(&position, record.point(vertex), color).err();
        assert_eq!(refused, Some(why), "{id}: {color} {vertex}");
    }
}

fn vertices(position: &Position, color: Color) -> Vec<hoshi::rules::Vertex> {
    let stones = position.stones_of(color);
    stones.map(|point| position.geometry().vertex(point)).collect()
}
