//! Lists of tables: what is shown to whom, filters, paging (T2, T4, X1).

use crate::harness::{Client, Game, Guest, server, wait_for, wait_until};
use serde_json::{Value, json};

fn items(list: &Value) -> &Vec<Value> {
    list["items"].as_array().expect("a list")
}

fn ids(list: &Value) -> Vec<String> {
    items(list)
        .iter()
        .map(|item| item["id"].as_str().expect("an id").to_owned())
        .collect()
}

/// The ids of a list, for somebody.
#[track_caller]
fn listed(client: &Client, query: &str) -> Vec<String> {
    ids(&client.get(&format!("/api/v1/tables?{query}")).ok(200))
}

/// Waits until a list has these and no more: the tables tell the index, and an answer waits for that only so long.
#[track_caller]
fn wait_until_listed(client: &Client, query: &str, expected: &[String]) {
    let sorted = |mut ids: Vec<String>| {
        ids.sort();
        ids
    };
    let expected = sorted(expected.to_vec());
    wait_until("the index knows the tables", || {
        sorted(listed(client, query)) == expected
    });
}

fn id(snapshot: &Value) -> String {
    snapshot["id"].as_str().expect("an id").to_owned()
}

#[test]
fn t2_a_waiting_public_table_is_in_the_list() {
    let aki = Guest::new(server(), "Aki");
    let nobody = Client::new(server());
    let table = id(&aki.create_table(&json!({"ruleset": "baduk", "board": "13x13", "color": "white"})));
    let item = wait_for("the table", || {
        let list = nobody.get("/api/v1/tables?state=waiting&limit=100").ok(200);
        let found = items(&list).iter().find(|item| item["id"] == table.as_str());
        found.cloned()
    });
    assert_eq!(
        (&item["ruleset"], &item["board"]),
        (&json!("baduk"), &json!("13x13"))
    );
    assert_eq!(
        (&item["state"], &item["color"]),
        (&json!("waiting"), &json!("white"))
    );
    assert_eq!(
        (&item["komi"], &item["handicap"], &item["ranked"]),
        (&json!(6.5), &json!(0), &json!(false))
    );
    assert_eq!((&item["turn"], &item["spectators"]), (&json!(0), &json!(0)));
    assert_eq!(
        (&item["creator"]["id"], &item["creator_online"]),
        (&json!(aki.id), &json!(false))
    );
    assert_eq!(
        (&item["seats"]["black"], &item["seats"]["white"]["id"]),
        (&Value::Null, &json!(aki.id))
    );
    assert_eq!(
        (&item["clock"]["system"], &item["visibility"]),
        (&json!("per_move"), &json!("public"))
    );
    assert!(item["created_at"].is_i64() && item["started_at"].is_null() && item["result"].is_null());
    assert_eq!(item["invite"], Value::Null);

    let mut socket = aki.connect(&table);
    socket.wait_for("snapshot");
    let mut watcher = nobody.connect(&table);
    watcher.wait_for("snapshot");
    wait_until("the list tells who is there", || {
        let list = nobody.get(&format!("/api/v1/tables?player={}", aki.id)).ok(200);
        let item = &items(&list)[0];
        (&item["creator_online"], &item["spectators"]) == (&json!(true), &json!(1))
    });
}

#[test]
fn t1_a_game_that_is_counted_is_listed_as_such() {
    let clock = json!({"system": "canadian", "main_ms": 3_600_000, "period_ms": 300_000, "stones": 25});
    let game = Game::start(
        server(),
        &json!({"ruleset": "aga", "board": "9x9", "clock": clock}),
    );
    let states = |client: &Client, path: &str| {
        ["waiting", "playing", "counting", "finished"].map(|state| {
            let list = client.get(&format!("{path}state={state}&limit=100")).ok(200);
            ids(&list).contains(&game.table)
        })
    };
    let of_black = format!("/api/v1/tables?player={}&", game.black.id);
    let everywhere = |expected: [bool; 4]| {
        assert_eq!(states(&Client::new(server()), &of_black), expected);
        assert_eq!(states(&game.black, "/api/v1/me/tables?"), expected);
    };
    game.play(0, "E5 D5");
    wait_until("the index knows of the game", || {
        !listed(&game.black, &format!("player={}&state=playing", game.black.id)).is_empty()
    });
    everywhere([false, true, false, false]);
    game.play(2, "pass pass");
    assert_eq!(game.snapshot()["state"], "counting");
    everywhere([false, false, true, false]);
    game.black
        .command(&game.table, &json!({"type": "resume"}))
        .ok(200);
    everywhere([false, true, false, false]);
}

#[test]
fn t4_a_private_table_is_listed_for_its_players_only() {
    let (aki, ben, eve) = (
        Guest::new(server(), "Aki"),
        Guest::new(server(), "Ben"),
        Guest::new(server(), "Eve"),
    );
    let nobody = Client::new(server());
    let made = aki.create_table(&json!({"ruleset": "hex", "visibility": "private"}));
    let table = id(&made);
    let strangers: [&Client; 3] = [&ben, &eve, &nobody];
    let of_aki = format!("player={}", aki.id);
    wait_until_listed(&aki, &of_aki, std::slice::from_ref(&table));
    for stranger in strangers {
        assert!(!listed(stranger, "limit=100").contains(&table));
        assert!(listed(stranger, &of_aki).is_empty());
    }
    assert_eq!(listed(&aki, &of_aki), [table.as_str()]);
    ben.join_by_invite(&table, made["invite"]["code"].as_str().expect("a code"));
    wait_until_listed(&ben, &format!("player={}", ben.id), std::slice::from_ref(&table));
    assert_eq!(ids(&ben.get("/api/v1/me/tables").ok(200)), [table.as_str()]);
    for stranger in [&*eve, &nobody] {
        assert!(listed(stranger, &of_aki).is_empty());
        assert!(!listed(stranger, "limit=100").contains(&table));
    }
}

#[test]
fn x1_filters_agree_with_every_field_given() {
    let aki = Guest::new(server(), "Aki");
    let made = [
        json!({"ruleset": "baduk", "board": "9x9"}),
        json!({"ruleset": "baduk", "board": "19x19"}),
        json!({"ruleset": "hex", "board": "hex6"}),
        json!({"ruleset": "hex", "board": "hex12"}),
    ]
    .map(|terms| id(&aki.create_table(&terms)));
    let closed = id(&aki.create_table(&json!({"ruleset": "hex", "board": "hex8"})));
    aki.delete(&format!("/api/v1/tables/{closed}")).ok(204);
    let nobody = Client::new(server());
    wait_until_listed(&nobody, &format!("player={}", aki.id), &made);
    let of_closed = format!("player={}&state=closed", aki.id);
    wait_until_listed(&nobody, &of_closed, std::slice::from_ref(&closed));
    let of_aki = |query: &str| {
        let mut found = listed(&Client::new(server()), &format!("player={}&{query}", aki.id));
        found.reverse();
        found
    };
    assert_eq!(of_aki(""), made);
    assert_eq!(of_aki("ruleset=hex"), made[2..]);
    assert_eq!(of_aki("board=9x9"), made[..1]);
    assert_eq!(
        of_aki("ruleset=baduk&board=19x19&state=waiting&ranked=false"),
        made[1..2]
    );
    assert_eq!(of_aki("ruleset=baduk&board=hex6"), [""; 0]);
    assert_eq!(of_aki("ranked=true"), [""; 0]);
    assert_eq!(of_aki("state=playing"), [""; 0]);
    assert_eq!(of_aki("state=closed"), [closed.as_str()]);
}

#[test]
fn x1_pages_have_no_gaps_and_no_repeats() {
    let aki = Guest::new(server(), "Aki");
    let terms = json!({"ruleset": "baduk"});
    // Made at once, so that some share the millisecond by which they are sorted.
    let mut made: Vec<String> = std::thread::scope(|scope| {
        let calls: Vec<_> = (0..7)
            .map(|_| scope.spawn(|| id(&aki.create_table(&terms))))
            .collect();
        calls.into_iter().map(|call| call.join().expect("made")).collect()
    });
    wait_until_listed(&aki, &format!("player={}", aki.id), &made);
    for path in [
        format!("/api/v1/tables?player={}&limit=3", aki.id),
        "/api/v1/me/tables?limit=3".to_owned(),
    ] {
        let (mut found, mut sizes, mut cursor) = (Vec::new(), Vec::new(), String::new());
        loop {
            let page = aki.get(&format!("{path}{cursor}")).ok(200);
            sizes.push(items(&page).len());
            found.extend(ids(&page));
            let Some(next) = page["next_cursor"].as_str() else {
                break;
            };
            cursor = format!("&cursor={next}");
            // What is made meanwhile is newer than the pages to come.
            if sizes.len() == 1 {
                let newer = id(&aki.create_table(&terms));
                aki.delete(&format!("/api/v1/tables/{newer}")).ok(204);
            }
        }
        assert_eq!(sizes, [3, 3, 1]);
        found.sort();
        made.sort();
        assert_eq!(found, made);
    }
}

#[test]
fn my_tables_say_where_it_is_my_turn() {
    let game = Game::on_9x9(server());
    let mine = |guest: &Guest, query: &str| guest.get(&format!("/api/v1/me/tables{query}")).ok(200);
    for (turn, point) in (0..).zip(["", "D4", "E5"]) {
        if !point.is_empty() {
            game.play(turn - 1, point);
        }
        let blacks = mine(&game.black, "?state=playing");
        let whites = mine(&game.white, "");
        assert_eq!((items(&blacks).len(), items(&whites).len()), (1, 1));
        assert_eq!(
            (&blacks["items"][0]["your_turn"], &whites["items"][0]["your_turn"]),
            (&json!(turn % 2 == 0), &json!(turn % 2 == 1))
        );
        assert_eq!(blacks["items"][0]["turn"], turn);
        assert_eq!(whites["items"][0]["seats"]["black"]["id"], game.black.id.as_str());
    }
    game.black
        .command(&game.table, &json!({"type": "resign"}))
        .ok(200);
    let item = &wait_for("the game is over", || {
        let over = mine(&game.white, "?state=finished");
        items(&over).first().cloned()
    });
    assert_eq!(
        (&item["your_turn"], &item["result"]["sgf"]),
        (&json!(false), &json!("W+R"))
    );
    assert_eq!((&item["turn"], item["ended_at"].is_i64()), (&json!(2), true));
    assert_eq!(items(&mine(&game.white, "?state=playing")).len(), 0);
}
