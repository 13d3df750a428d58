//! Every refusal: its code and status, the same over REST and a socket, and nothing changed (B8, X5).

use crate::harness::{Client, Game, Guest, Socket, play_all, server};
use serde_json::{Value, json};

/// A game in which commands are about to be refused.
struct Table<'a> {
    game: &'a Game,
    black: Socket,
    white: Socket,
}

impl<'a> Table<'a> {
    fn of(game: &'a Game) -> Table<'a> {
        let (mut black, mut white) = (game.black.connect(&game.table), game.white.connect(&game.table));
        black.wait_for("snapshot");
        white.wait_for("snapshot");
        Table { game, black, white }
    }

    /// The command is refused to this side with this code, over REST and over the socket, and nothing changes.
    #[track_caller]
    fn refuses(&mut self, side: &str, command: &Value, status: u16, code: &str) -> Value {
        let (player, socket) = match side {
            "black" => (&self.game.black, &mut self.black),
            _ => (&self.game.white, &mut self.white),
        };
        let before = player.snapshot(&self.game.table);
        let problem = player.command(&self.game.table, command).problem(status, code);
        assert_eq!(
            (&problem["seq"], &problem["turn"]),
            (&before["seq"], &before["turn"]),
            "{problem}"
        );
        let mut frame = command.clone();
        frame["id"] = json!("mine");
        socket.send(&frame);
        let refused = socket.next_but_spectators();
        assert_eq!(refused["type"], "refused", "{refused}");
        assert_eq!(refused["id"], "mine");
        for member in ["code", "detail", "field", "seq", "turn"] {
            assert_eq!(refused[member], problem[member], "{member}");
        }
        assert_eq!(player.snapshot(&self.game.table), before);
        problem
    }
}

fn play(point: &str, turn: u32) -> Value {
    json!({"type": "play", "point": point, "turn": turn})
}

#[test]
fn b8_illegal_moves_have_a_code_each() {
    let game = play_all(server(), "A2 A1 B1");
    let mut table = Table::of(&game);
    table.refuses("white", &play("A1", 3), 409, "suicide");
    table.refuses("white", &play("A2", 3), 409, "occupied");
    for point in ["K1", "A10", "Z25", "T19"] {
        table.refuses("white", &play(point, 3), 409, "off_board");
    }
    table.refuses("black", &play("C3", 3), 409, "not_your_turn");
    table.refuses("black", &json!({"type": "pass", "turn": 3}), 409, "not_your_turn");
    table.refuses("white", &play("C3", 2), 409, "stale_turn");
    table.refuses("white", &play("C3", 4), 409, "stale_turn");
    table.refuses("white", &json!({"type": "pass", "turn": 1}), 409, "stale_turn");

    let ko = play_all(server(), "D6 E6 C5 F5 D4 E4 E5 D5");
    Table::of(&ko).refuses("black", &play("E5", 8), 409, "superko");
}

#[test]
fn b8_the_checks_come_in_order() {
    // Each command is wrong in the way that is told, and in every way that is checked later too.
    let game = play_all(server(), "A2 A1 B1 pass");
    let eve = Guest::new(server(), "Eve");
    let mut table = Table::of(&game);
    eve.play(&game.table, "A2", 9).problem(403, "forbidden");
    table.refuses("white", &play("A2", 0), 409, "stale_turn");
    table.refuses("white", &play("Z25", 4), 409, "not_your_turn");
    table.refuses("white", &play("A2", 4), 409, "not_your_turn");
    // A repeat succeeds although its turn is over and it is not the sender's turn.
    let repeated = game.white.pass(&game.table, 3).ok(200);
    assert_eq!(
        (&repeated["repeated"], &repeated["turn"]),
        (&json!(true), &json!(4))
    );
}

#[test]
fn b8_after_the_end_and_before_the_start_nothing_can_be_played() {
    let game = play_all(server(), "A2 pass pass");
    let eve = Guest::new(server(), "Eve");
    let mut table = Table::of(&game);
    for side in ["black", "white"] {
        table.refuses(side, &play("C3", 3), 409, "wrong_state");
        table.refuses(side, &json!({"type": "pass", "turn": 2}), 409, "wrong_state");
        table.refuses(side, &json!({"type": "resign"}), 409, "wrong_state");
    }
    // The state comes before the seat.
    eve.play(&game.table, "C3", 3).problem(409, "wrong_state");

    let waiting = game.black.create_table(&json!({"ruleset": "baduk"}));
    let table = waiting["id"].as_str().expect("an id");
    game.black.play(table, "D4", 0).problem(409, "wrong_state");
    game.black
        .command(table, &json!({"type": "resign"}))
        .problem(409, "wrong_state");
    eve.play(table, "D4", 0).problem(409, "wrong_state");
}

#[test]
fn b8_spectators_cannot_play() {
    let game = play_all(server(), "A2");
    let eve = Guest::new(server(), "Eve");
    let nobody = Client::new(server());
    for command in [
        play("D4", 1),
        json!({"type": "pass", "turn": 1}),
        json!({"type": "resign"}),
    ] {
        let problem = eve.command(&game.table, &command).problem(403, "forbidden");
        assert_eq!(
            (&problem["turn"], &problem["seq"]),
            (&json!(1), &game.snapshot()["seq"])
        );
        nobody
            .command(&game.table, &command)
            .problem(401, "unauthenticated");
        for (client, code) in [(&*eve, "forbidden"), (&nobody, "unauthenticated")] {
            let mut socket = client.connect(&game.table);
            socket.send(&command);
            assert_eq!(socket.wait_for("refused")["code"], code);
        }
    }
    assert_eq!(game.snapshot()["turn"], 1);
}

#[test]
fn t5_the_seats_of_a_table_belong_to_two_players() {
    let game = Game::on_9x9(server());
    let join = format!("/api/v1/tables/{}/join", game.table);
    Guest::new(server(), "Eve")
        .post(&join, &json!({}))
        .problem(409, "seat_taken");
    game.black.post(&join, &json!({})).problem(409, "same_player");
    game.white.post(&join, &json!({})).problem(409, "same_player");
    Client::new(server())
        .post(&join, &json!({}))
        .problem(401, "unauthenticated");
    let waiting = game.black.create_table(&json!({"ruleset": "baduk"}));
    let own = format!("/api/v1/tables/{}/join", waiting["id"].as_str().expect("an id"));
    game.black.post(&own, &json!({})).problem(409, "same_player");
}

#[test]
fn x5_commands_that_are_none_name_the_field() {
    let game = play_all(server(), "A2");
    let mut table = Table::of(&game);
    let cases = [
        (json!({"turn": 1}), "type"),
        (json!({"type": "jump"}), "type"),
        (json!({"type": null}), "type"),
        (json!({"type": "play", "turn": 1}), "point"),
        (json!({"type": "play", "point": "I5", "turn": 1}), "point"),
        (json!({"type": "play", "point": "5E", "turn": 1}), "point"),
        (json!({"type": "play", "point": null, "turn": 1}), "point"),
        (json!({"type": "play", "point": ["D4"], "turn": 1}), "point"),
        (json!({"type": "play", "point": "D4", "turn": "1"}), "turn"),
        (json!({"type": "play", "point": "D4", "turn": 1.5}), "turn"),
        (
            json!({"type": "play", "point": "D4", "turn": 4_294_967_296_u64}),
            "turn",
        ),
        (json!({"type": "play", "point": "D4", "turn": -1}), "turn"),
        (
            json!({"type": "play", "point": "D4", "turn": 1, "color": "white"}),
            "color",
        ),
        (json!({"type": "pass"}), "turn"),
        (json!({"type": "pass", "turn": 1, "point": "D4"}), "point"),
        (json!({"type": "resign", "seq": "1"}), "seq"),
    ];
    for (command, field) in cases {
        let problem = table.refuses("white", &command, 400, "bad_request");
        assert_eq!(problem["field"], field, "{command}");
    }
    // A client cannot have seen what has not happened.
    let future = json!({"type": "play", "point": "D4", "turn": 1, "seq": 4_000_000});
    assert_eq!(
        table.refuses("white", &future, 400, "bad_request")["field"],
        "seq"
    );
}

#[test]
fn t1_what_a_ruleset_lacks_is_refused_by_field() {
    let aki = Guest::new(server(), "Aki");
    let cases = [
        (json!({"ruleset": "baduk", "board": "hex6"}), "board"),
        (json!({"ruleset": "baduk", "board": "26x26"}), "board"),
        (json!({"ruleset": "hex", "board": "9x9"}), "board"),
        (json!({"ruleset": "hex", "komi": 7}), "komi"),
        (json!({"ruleset": "baduk", "komi": 100}), "komi"),
        (json!({"ruleset": "baduk", "komi": -100}), "komi"),
        (
            json!({"ruleset": "baduk", "board": "9x9", "handicap": 10}),
            "handicap",
        ),
        (
            json!({"ruleset": "baduk", "board": "5x5", "handicap": 2}),
            "handicap",
        ),
        (json!({"ruleset": "baduk", "handicap": 1}), "handicap"),
        (json!({"ruleset": "hex", "handicap": 2}), "handicap_receiver"),
        (
            json!({"ruleset": "hex", "handicap": 2, "handicap_receiver": aki.id}),
            "opponent",
        ),
        (json!({"ruleset": "hex", "handicap": 6}), "handicap"),
        (
            json!({"ruleset": "baduk", "handicap": 2, "handicap_receiver": aki.id}),
            "handicap_receiver",
        ),
        (json!({"ruleset": "aga", "board": "11x11"}), "board"),
        (json!({"ruleset": "aga", "komi": 7}), "komi"),
        (json!({"ruleset": "aga", "handicap": 2, "komi": 6.5}), "komi"),
        (
            json!({"ruleset": "aga", "clock": {"system": "none"}}),
            "clock.system",
        ),
        (json!({"ruleset": "aga", "ranked": true}), "ranked"),
        (json!({"ruleset": "nine", "board": "13x13"}), "board"),
        (json!({"ruleset": "nine", "handicap": 2}), "handicap"),
        (json!({"ruleset": "nine", "komi": 6.5}), "komi"),
        (json!({"ruleset": "nine", "color": "white"}), "color"),
        (
            json!({"ruleset": "nine", "clock": {"system": "per_move", "period_ms": 60000}}),
            "clock.period_ms",
        ),
        (
            json!({"ruleset": "baduk", "ranked": true, "board": "11x11"}),
            "board",
        ),
        (
            json!({"ruleset": "baduk", "ranked": true, "handicap": 2}),
            "handicap",
        ),
        (json!({"ruleset": "baduk", "ranked": true, "komi": 8}), "komi"),
        (
            json!({"ruleset": "baduk", "ranked": true, "clock": {"system": "none"}}),
            "clock.system",
        ),
    ];
    for (terms, field) in cases {
        let answer = aki.post("/api/v1/tables", &terms);
        // A board that no ruleset has is not understood at all.
        match terms["board"] == "26x26" {
            true => answer.problem_of(400, "bad_request", field),
            false => answer.problem_of(422, "not_allowed_by_ruleset", field),
        };
    }
    // Rated games are between accounts.
    aki.post("/api/v1/tables", &json!({"ruleset": "baduk", "ranked": true}))
        .problem(403, "needs_account");
    aki.post("/api/v1/tables", &json!({"ruleset": "chess"}))
        .problem_of(400, "bad_request", "ruleset");
    assert_eq!(aki.get("/api/v1/me/tables").ok(200)["items"], json!([]));
}

#[test]
fn x1_other_paths_and_methods_are_told_apart() {
    let nobody = Client::new(server());
    for path in [
        "/nothing",
        "/api/v1",
        "/api/v1/",
        "/api/v2/tables",
        "/api/v1/tables/",
        "/api/v1/me/nothing",
    ] {
        nobody.get(path).problem(404, "not_found");
    }
    for (method, path) in [
        ("GET", "/api/v1/guests"),
        ("PUT", "/api/v1/tables"),
        ("PATCH", "/api/v1/tables/2222222222222222"),
        ("DELETE", "/healthz"),
        ("POST", "/"),
        ("DELETE", "/api/v1/tables/2222222222222222/commands"),
    ] {
        nobody.send(method, path, None).problem(405, "method_not_allowed");
    }
    for path in ["/api/v1/me", "/api/v1/me/tables"] {
        let answer = nobody.get(path);
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
        answer.problem(401, "unauthenticated");
    }
    nobody
        .post("/api/v1/tables", &json!({"ruleset": "baduk"}))
        .problem(401, "unauthenticated");
    nobody
        .post("/api/v1/socket-tickets", &json!({}))
        .problem(401, "unauthenticated");
    let plain = nobody.get("/api/v1/tables/2222222222222222/socket");
    plain.problem(400, "bad_request");
}
