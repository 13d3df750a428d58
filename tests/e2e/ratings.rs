//! Rated games: who may play them, and what they change, once each (E1–E5, H6).

use crate::harness::{Answer, Client, Guest, Server, Stored, server, unique, wait_until};
use serde_json::{Value, json};

/// Terms of a rated game, with time enough that no test loses on it.
fn terms() -> Value {
    json!({"ruleset": "baduk", "board": "9x9", "komi": 7, "ranked": true, "color": "black",
        "clock": {"system": "fischer", "initial_ms": 3_600_000, "increment_ms": 10_000}})
}

fn new_table(guest: &Guest) -> Answer {
    // Komi 7 makes a draw possible where rated games may have it.
    guest.post("/api/v1/tables", &terms())
}

fn start(black: &Guest, white: &Guest) -> String {
    let table = new_table(black).ok(201)["id"].as_str().expect("an id").to_owned();
    white.join(&table);
    table
}

/// A rated game that `winner` wins by resignation, and that has changed their ratings.
fn beat(winner: &Guest, loser: &Guest) -> String {
    let table = start(winner, loser);
    loser.command(&table, &json!({"type": "resign"})).ok(200);
    wait_until_rated(loser, &table);
    table
}

/// Waits until a game has changed a player's rating: the table tells the index, and an answer waits for that only so long.
fn wait_until_rated(player: &Guest, table: &str) {
    wait_until("the game is rated", || {
        let games = player
            .get(&format!("/api/v1/players/{}/games", player.id))
            .ok(200);
        let games = games["items"].as_array().expect("a list");
        games
            .iter()
            .any(|game| game["id"] == table && !game["rating"].is_null())
    });
}

fn rating(server: &Server, player: &Guest) -> Value {
    let seen = Client::new(server)
        .get(&format!("/api/v1/players/{}", player.id))
        .ok(200);
    seen["ratings"]["baduk"].clone()
}

fn points(server: &Server, player: &Guest) -> f64 {
    rating(server, player)["rating"].as_f64().unwrap_or(1200.0)
}

fn accounts(server: &Server, names: [&str; 3]) -> [Guest; 3] {
    names.map(|name| Guest::account(server, &unique(name)))
}

#[test]
fn e1_e5_each_ruleset_has_ratings_and_a_leaderboard_of_its_own() {
    let [winner, loser, other] = accounts(server(), ["Nina", "Nora", "Nela"]);
    beat(&other, &winner);
    let table = winner.create_table(&json!({"ruleset": "nine", "ranked": true}));
    let table = table["id"].as_str().expect("an id").to_owned();
    loser.join(&table);
    loser.command(&table, &json!({"type": "resign"})).ok(200);
    let of = |player: &Guest| {
        let path = format!("/api/v1/players/{}", player.id);
        Client::new(server()).get(&path).ok(200)["ratings"].clone()
    };
    wait_until("the game is rated", || !of(&loser)["nine"].is_null());
    // Both begin at 1200 there, whatever they are elsewhere.
    let rated = |rating: f64| json!({"rating": rating, "games": 1, "provisional": true});
    assert_eq!(
        of(&winner),
        json!({"baduk": rated(1184.0), "nine": rated(1216.0)})
    );
    assert_eq!(of(&loser), json!({"nine": rated(1184.0)}));
    let board = |ruleset: &str| {
        let path = format!("/api/v1/leaderboards/{ruleset}?limit=100");
        let list = Client::new(server()).get(&path).ok(200);
        let ids = list["items"].as_array().expect("a list").iter();
        let place = |player: &Guest| {
            ids.clone()
                .position(|item| item["player"]["id"] == json!(player.id))
        };
        [&winner, &loser, &other].map(place)
    };
    let nine = board("nine");
    assert!(nine[0].is_some() && nine[0] < nine[1], "{nine:?}");
    assert_eq!(nine[2], None);
    assert_eq!(board("baduk")[1], None);
    Client::new(server())
        .get("/api/v1/leaderboards/aga")
        .problem(404, "not_found");
}

#[test]
fn e1_the_worked_example() {
    let [a, b, c] = accounts(server(), ["Ada", "Bea", "Cea"]);
    assert_eq!(rating(server(), &a), Value::Null, "nothing before the first game");
    let first = beat(&a, &b);
    assert_eq!((points(server(), &a), points(server(), &b)), (1216.0, 1184.0));
    beat(&a, &c);
    assert_eq!((points(server(), &a), points(server(), &c)), (1231.26, 1184.74));
    assert_eq!(
        rating(server(), &a),
        json!({"rating": 1231.26, "games": 2, "provisional": true})
    );
    let sum: f64 = [&a, &b, &c]
        .iter()
        .map(|player| points(server(), player) * 100.0)
        .sum();
    assert_eq!(sum.round(), 360_000.0);
    // What each game has changed is kept for each player.
    let games = Client::new(server())
        .get(&format!("/api/v1/players/{}/games", b.id))
        .ok(200);
    assert_eq!(games["items"][0]["id"], json!(first));
    assert_eq!(
        games["items"][0]["rating"],
        json!({"before": 1200.0, "change": -16.0, "after": 1184.0})
    );
    let seen = a.get(&format!("/api/v1/players/{}", a.id)).ok(200);
    assert_eq!(
        seen["record"]["baduk"],
        json!({"wins": 2, "draws": 0, "losses": 0})
    );
    assert_eq!(seen["recent_games"].as_array().map(Vec::len), Some(2));
    assert_eq!(seen["recent_games"][0]["rating"]["after"], json!(1231.26));
    // A player comes to his next table with his rating, and so does his record.
    let table = start(&a, &b);
    let snapshot = a.snapshot(&table);
    assert_eq!(
        snapshot["seats"]["black"]["ratings"]["baduk"]["rating"],
        json!(1231.26)
    );
    assert_eq!(snapshot["seats"]["white"]["ratings"]["baduk"]["games"], json!(1));
    let sgf = a.get(&format!("/api/v1/tables/{table}/sgf")).body;
    assert!(sgf.contains("BR[1231]") && sgf.contains("WR[1184]"), "{sgf}");
}

#[test]
fn e1_a_jigo_between_equals_changes_nothing_and_counts() {
    let [a, b, _] = accounts(server(), ["Jia", "Jib", "Jic"]);
    let table = start(&a, &b);
    // Black 44, White 37, and komi is 7.
    let moves = "E5 F5 E4 F4 E3 F3 E2 F2 E6 F6 E7 F7 E8 F8 E9 F9 D1 E1 C3 pass pass";
    for (turn, name) in (0..).zip(moves.split(' ').filter(|name| *name != "C3")) {
        let mover = if turn % 2 == 0 { &a } else { &b };
        match name {
            "pass" => mover.pass(&table, turn).ok(200),
            point => mover.play(&table, point, turn).ok(200),
        };
    }
    assert_eq!(a.result(&table)["sgf"], "0");
    wait_until_rated(&a, &table);
    for player in [&a, &b] {
        assert_eq!(
            rating(server(), player),
            json!({"rating": 1200.0, "games": 1, "provisional": true})
        );
    }
    let seen = a.get(&format!("/api/v1/players/{}", a.id)).ok(200);
    assert_eq!(
        seen["record"]["baduk"],
        json!({"wins": 0, "draws": 1, "losses": 0})
    );
}

#[test]
fn e1_guests_play_no_rated_games_by_any_road() {
    let guest = Guest::new(server(), "Guest");
    let account = Guest::account(server(), &unique("Rated"));
    new_table(&guest).problem(403, "needs_account");
    let table = new_table(&account).ok(201)["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    let join = format!("/api/v1/tables/{table}/join");
    guest.post(&join, &json!({})).problem(403, "needs_account");
    assert_eq!(account.snapshot(&table)["state"], "waiting");
    // Once he has an account he may, by the same session.
    guest.save_as(&unique("Joined"));
    guest.post(&join, &json!({})).ok(200);
    // Of a rematch: it is rated again.
    guest.command(&table, &json!({"type": "resign"})).ok(200);
    wait_until_rated(&guest, &table);
    account.command(&table, &json!({"type": "rematch"})).ok(200);
    let agreed = guest.command(&table, &json!({"type": "rematch"})).ok(200);
    let next = agreed["events"][0]["table_id"]
        .as_str()
        .expect("an id")
        .to_owned();
    let snapshot = guest.snapshot(&next);
    assert_eq!(snapshot["ranked"], json!(true));
    // With the ratings that the first game has left.
    assert_eq!(
        snapshot["seats"]["white"]["ratings"]["baduk"]["rating"],
        json!(1216.0)
    );
}

#[test]
fn e3_friendly_games_never_count_and_early_resignations_do() {
    let [a, b, _] = accounts(server(), ["Fra", "Frb", "Frc"]);
    let friendly = json!({"ruleset": "baduk", "board": "9x9", "clock": {"system": "none"}});
    let table = a.create_table(&friendly)["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    b.join(&table);
    b.command(&table, &json!({"type": "resign"})).ok(200);
    wait_until("the game is listed as over", || {
        let games = a.get(&format!("/api/v1/players/{}/games", a.id)).ok(200);
        let game = &games["items"][0];
        assert_eq!(game["rating"], Value::Null);
        game["id"] == json!(table) && game["state"] == "finished"
    });
    assert_eq!(rating(server(), &a), Value::Null);
    beat(&a, &b);
    assert_eq!(rating(server(), &a)["games"], 1);
}

#[test]
fn e4_a_result_that_is_told_again_and_again_counts_once() {
    let server = Server::alone("mute-database");
    let [a, b, _] = accounts(&server, ["Mua", "Mub", "Muc"]);
    let table = start(&a, &b);
    let mut socket = b.connect(&table);
    socket.wait_for("snapshot");
    let switch = |fault: &str| {
        let _ = Client::new(&server).with("x-hoshi-fault", fault).get("/healthz");
    };
    // The database takes the result and nobody hears that it did, so it is told again.
    switch("database_mute");
    socket.send(&json!({"type": "resign"}));
    socket.wait_for_event("finished");
    let rated = || Stored::of(&server).ask("select count(*) from rated_games");
    wait_until("the result is there", || rated().as_deref() == Some("2"));
    switch("database_back");
    beat(&a, &b);
    wait_until("both results are there", || rated().as_deref() == Some("4"));
    let owed = || Stored::of(&server).places_of("\"owed\":\"summary\"");
    wait_until("nothing is owed any more", || owed().is_empty());
    assert_eq!(rating(&server, &a)["games"], 2);
    assert_eq!((points(&server, &a), points(&server, &b)), (1230.53, 1169.47));
}

#[test]
fn e4_a_database_that_takes_its_time_gets_the_result_once_and_nothing_stays_owed() {
    let server = Server::alone("slow-database");
    let [a, b, _] = accounts(&server, ["Sla", "Slb", "Slc"]);
    let table = start(&a, &b);
    let mut socket = b.connect(&table);
    socket.wait_for("snapshot");
    let switch = |fault: &str| {
        let _ = Client::new(&server).with("x-hoshi-fault", fault).get("/healthz");
    };
    // Each query takes a second, so what is owed takes longer than anybody waits for it.
    switch("database_slow");
    socket.send(&json!({"type": "resign"}));
    socket.wait_for_event("finished");
    let owed = || Stored::of(&server).places_of("\"owed\":\"summary\"");
    let rated = || Stored::of(&server).ask("select count(*) from rated_games");
    wait_until("the result is there and nothing is owed any more", || {
        rated().as_deref() == Some("2") && owed().is_empty()
    });
    switch("database_back");
    assert_eq!((points(&server, &a), points(&server, &b)), (1216.0, 1184.0));
    assert_eq!(rating(&server, &a)["games"], 1);
}

#[test]
fn e4_games_of_one_player_that_end_together_all_count() {
    let a = Guest::account(server(), &unique("Many"));
    let opponents: Vec<Guest> = (0..4).map(|_| Guest::account(server(), &unique("Opp"))).collect();
    let tables: Vec<String> = opponents.iter().map(|other| start(&a, other)).collect();
    std::thread::scope(|scope| {
        for (table, other) in tables.iter().zip(&opponents) {
            scope.spawn(move || other.command(table, &json!({"type": "resign"})).ok(200));
        }
    });
    wait_until("all are rated", || rating(server(), &a)["games"] == 4);
    let sum: f64 = opponents
        .iter()
        .chain([&a])
        .map(|player| points(server(), player) * 100.0)
        .sum();
    assert_eq!(sum.round(), 600_000.0, "nothing is lost and nothing won");
    // Each began where another had left off.
    let games = a.get(&format!("/api/v1/players/{}/games", a.id)).ok(200);
    let mut steps: Vec<(f64, f64)> = games["items"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|game| {
            (
                game["rating"]["before"].as_f64().expect("a rating"),
                game["rating"]["after"].as_f64().expect("a rating"),
            )
        })
        .collect();
    steps.sort_by(|one, other| one.0.total_cmp(&other.0));
    assert_eq!(steps[0].0, 1200.0);
    for pair in steps.windows(2) {
        assert_eq!(pair[0].1, pair[1].0);
    }
    assert_eq!(steps[3].1, points(server(), &a));
}

#[test]
fn e5_the_leaderboard_is_in_order_and_its_pages_fit_together() {
    let server = Server::alone("leaderboard");
    let nobody = Client::new(&server);
    assert_eq!(
        nobody.get("/api/v1/leaderboards/baduk").ok(200),
        json!({"items": [], "next_cursor": null})
    );
    let players: Vec<Guest> = ["Lea", "Lib", "Loc", "Lud", "Lye"]
        .iter()
        .map(|name| Guest::account(&server, &unique(name)))
        .collect();
    let idle = Guest::account(&server, &unique("Idle"));
    beat(&players[0], &players[1]);
    beat(&players[0], &players[2]);
    beat(&players[3], &players[4]);
    let whole = nobody.get("/api/v1/leaderboards/baduk").ok(200);
    let items = whole["items"].as_array().expect("a list");
    let ids: Vec<&str> = items
        .iter()
        .filter_map(|item| item["player"]["id"].as_str())
        .collect();
    assert_eq!(ids.len(), 5);
    assert!(!ids.contains(&idle.id.as_str()), "only who has played");
    let ratings: Vec<f64> = items.iter().filter_map(|item| item["rating"].as_f64()).collect();
    assert_eq!(ratings, [1231.26, 1216.0, 1184.74, 1184.0, 1184.0]);
    let ranks: Vec<u64> = items.iter().filter_map(|item| item["rank"].as_u64()).collect();
    assert_eq!(ranks, [1, 2, 3, 4, 4]);
    assert_eq!(
        (&items[0]["provisional"], &items[0]["wins"], &items[0]["games"]),
        (&json!(true), &json!(2), &json!(2))
    );
    // Page by page it is the same, whatever the pages' length.
    for limit in 1..=4 {
        let (mut paged, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = nobody
                .get(&format!("/api/v1/leaderboards/baduk?limit={limit}{cursor}"))
                .ok(200);
            paged.extend(page["items"].as_array().expect("a list").clone());
            match page["next_cursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => break,
            }
        }
        assert_eq!(&paged, items, "pages of {limit}");
    }
    for (path, status, code) in [
        ("/api/v1/leaderboards/chess", 404, "not_found"),
        ("/api/v1/leaderboards/baduk?limit=0", 400, "bad_request"),
        ("/api/v1/leaderboards/baduk?cursor=1;drop", 400, "bad_request"),
    ] {
        nobody.get(path).problem(status, code);
    }
    // Whoever deletes himself leaves it, and the others keep what they have won.
    let body = json!({"password": crate::harness::PASSWORD});
    assert_eq!(players[0].delete_with("/api/v1/me", &body).status, 204);
    let rest = nobody.get("/api/v1/leaderboards/baduk").ok(200);
    let ratings: Vec<f64> = rest["items"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|item| item["rating"].as_f64())
        .collect();
    assert_eq!(ratings, [1216.0, 1184.74, 1184.0, 1184.0]);
}
