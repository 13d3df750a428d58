//! `GET /rulesets` is enough to build the form for a new table: whatever it offers is taken (T1).

use crate::harness::{Client, Guest, server};
use serde_json::{Value, json};

fn rulesets() -> Vec<Value> {
    let told = Client::new(server()).get("/api/v1/rulesets").ok(200);
    told["items"].as_array().expect("a list").clone()
}

/// What is taken when nothing is asked for, and the values at the edges of what may be asked for.
fn edges(choice: &Value) -> Vec<Value> {
    match &choice["one_of"] {
        Value::Array(values) => values.clone(),
        _ => vec![
            choice["least"].clone(),
            choice["most"].clone(),
            choice["default"].clone(),
        ],
    }
}

#[test]
fn t1_every_ruleset_is_described_with_all_its_options() {
    let told = rulesets();
    let ids: Vec<&str> = told.iter().filter_map(|ruleset| ruleset["id"].as_str()).collect();
    assert_eq!(ids, ["baduk", "hex", "aga", "nine"]);
    let documented = include_str!("../../docs/api.md");
    for ruleset in &told {
        let options = [
            "id",
            "name",
            "boards",
            "komi",
            "handicap",
            "handicap_rule",
            "handicap_for",
            "counting",
            "ending",
            "move_limit",
            "dead_chains",
            "preview",
            "repetition",
            "suicide",
            "requests",
            "clocks",
            "colors",
            "ranked",
            "ranked_rule",
            "visibility",
            "opponents",
            "against_computer",
        ];
        let mut expected = options.to_vec();
        expected.sort_unstable();
        let mut told: Vec<&str> = ruleset
            .as_object()
            .expect("options")
            .keys()
            .map(String::as_str)
            .collect();
        told.sort_unstable();
        assert_eq!(told, expected, "{}", ruleset["id"]);
        for option in options {
            assert!(
                documented.contains(&format!("`{option}`")),
                "docs/api.md says nothing of {option}"
            );
        }
    }
}

#[test]
fn t1_whatever_the_description_offers_is_granted() {
    let aki = Guest::new(server(), "Aki");
    for ruleset in rulesets() {
        let named = ruleset["handicap_for"] == "named_player";
        let boards = ruleset["boards"]["allowed"].as_array().expect("boards").iter();
        // The smallest, the usual one and the largest.
        let (least, most) = (boards.clone().next(), boards.last());
        let boards = [least, Some(&ruleset["boards"]["default"]), most];
        for board in boards.into_iter().flatten() {
            let handicaps = ruleset["handicap"][board.as_str().expect("a name")]
                .as_array()
                .expect("a list");
            for handicap in handicaps.iter().filter(|handicap| !named || **handicap == 0) {
                let komi = match handicap.as_u64() {
                    Some(0) => &ruleset["komi"]["even"],
                    _ => &ruleset["komi"]["with_handicap"][handicap.to_string()],
                };
                for komi in edges(komi) {
                    let terms =
                        json!({"ruleset": ruleset["id"], "board": board, "handicap": handicap, "komi": komi});
                    let made = aki.create_table(&terms);
                    assert_eq!((&made["komi"], &made["handicap"]), (&komi, handicap), "{terms}");
                }
            }
        }
        for color in ruleset["colors"]["allowed"].as_array().expect("a list") {
            let terms =
                json!({"ruleset": ruleset["id"], "color": color, "clock": ruleset["clocks"]["default"]});
            assert_eq!(aki.create_table(&terms)["color"], *color);
        }
    }
}

#[test]
fn t1_what_is_left_out_is_as_the_description_says() {
    let aki = Guest::new(server(), "Aki");
    for ruleset in rulesets() {
        let made = aki.create_table(&json!({"ruleset": ruleset["id"]}));
        assert_eq!(made["board"], ruleset["boards"]["default"]);
        assert_eq!(made["komi"], ruleset["komi"]["even"]["default"]);
        assert_eq!(made["clock"]["settings"], ruleset["clocks"]["default"]);
        assert_eq!(made["color"], ruleset["colors"]["default"]);
        let name = made["board"].as_str().expect("a name");
        let board = Client::new(server())
            .get(&format!("/api/v1/boards/{name}"))
            .ok(200);
        assert_eq!(board["board"], made["board"]);
    }
}

#[test]
fn b2_the_stars_of_hexagonal_boards_lie_on_the_six_spokes() {
    for (board, center, distance) in [("hex6", (6, 6), 3), ("hex8", (8, 8), 4), ("hex12", (12, 12), 8)] {
        let told = Client::new(server())
            .get(&format!("/api/v1/boards/{board}"))
            .ok(200);
        let points = told["points"].as_array().expect("a list").iter();
        let starred = points.filter(|point| point["star"] == true);
        let mut names: Vec<&str> = starred.filter_map(|point| point["name"].as_str()).collect();
        let (column, row) = center;
        let spokes = [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)];
        let mut expected: Vec<String> = spokes
            .map(|(right, up)| {
                let letters = "ABCDEFGHJKLMNOPQRSTUVWXYZ".as_bytes();
                let column: i32 = column + distance * right;
                format!("{}{}", letters[column as usize - 1] as char, row + distance * up)
            })
            .into();
        names.sort_unstable();
        expected.sort_unstable();
        assert_eq!(names, expected, "{board}");
    }
}
