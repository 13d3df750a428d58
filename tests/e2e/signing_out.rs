//! Signing out: sessions end, and with them every socket (P3, X4).

use crate::harness::{Client, Game, Guest, Server, Socket, server, unique};
use serde_json::json;

fn connect(client: &Client, table: &str) -> Socket {
    let mut socket = client.connect(table);
    socket.wait_for("snapshot");
    socket
}

/// Waits until the index knows that so many sessions of a player are at tables.
fn wait_for_presence(server: &Server, player: &str, count: usize) {
    let sql = format!("select count(*) from presence where player_id = '{player}'");
    crate::harness::wait_until("the index knows of the sockets", || {
        crate::harness::Stored::of(server).ask(&sql) == Some(count.to_string())
    });
}

#[test]
fn p3_signing_out_ends_this_session_and_its_sockets_only() {
    let name = unique("Leaves");
    let here = Guest::account(server(), &name);
    let there = Guest::sign_in(server(), &name);
    let game = Game::on_9x9(server());
    let mut sockets = [connect(&here, &game.table), connect(&there, &game.table)];
    wait_for_presence(server(), &here.id, 2);
    let answer = here.delete("/api/v1/sessions/current");
    assert_eq!(answer.status, 204);
    let cookie = answer.header("set-cookie").expect("a cookie that forgets");
    assert!(
        cookie.starts_with("hoshi_session=; Path=/; Max-Age=0;"),
        "{cookie}"
    );
    sockets[0].wait_for("signed_out");
    sockets[0].wait_for_close();
    here.get("/api/v1/me").problem(401, "unauthenticated");
    assert!(here.try_connect(&game.table, "").is_err());
    there.get("/api/v1/me").ok(200);
    game.play(0, "E5");
    sockets[1].wait_for_event("played");
}

#[test]
fn p3_signing_out_everywhere_closes_the_sockets_of_every_table() {
    let game = Game::on_9x9(server());
    let watched = Game::on_9x9(server());
    let name = unique("Everywhere");
    game.black.save_as(&name);
    let elsewhere = Guest::sign_in(server(), &name);
    let mut his = [
        connect(&game.black, &game.table),
        connect(&elsewhere, &game.table),
        connect(&elsewhere, &watched.table),
    ];
    let ticket = elsewhere.post("/api/v1/socket-tickets", &json!({})).ok(201);
    let mut others = connect(&game.white, &game.table);
    wait_for_presence(server(), &game.black.id, 3);
    assert_eq!(elsewhere.delete("/api/v1/sessions").status, 204);
    for socket in &mut his {
        socket.wait_for("signed_out");
        socket.wait_for_close();
    }
    for session in [&game.black, &elsewhere] {
        session.get("/api/v1/me").problem(401, "unauthenticated");
    }
    // A ticket of an ended session opens nothing.
    let query = format!("?ticket={}", ticket["ticket"].as_str().expect("a ticket"));
    let refused = Client::new(server())
        .try_connect(&game.table, &query)
        .err()
        .expect("no socket");
    assert_eq!(refused.status, 401);
    // The game goes on: he signs in again and is at his seat.
    let back = Guest::sign_in(server(), &name);
    back.play(&game.table, "E5", 0).ok(200);
    assert_eq!(others.wait_for_event("played")["point"], "E5");
}

#[test]
fn a_socket_that_closes_by_itself_is_forgotten() {
    let game = Game::on_9x9(server());
    let socket = connect(&game.black, &game.table);
    wait_for_presence(server(), &game.black.id, 1);
    socket.cut();
    wait_for_presence(server(), &game.black.id, 0);
}

#[test]
fn p3_a_table_that_is_away_hears_of_it_later() {
    let server = Server::alone("signed-out-later");
    let game = Game::on_9x9(&server);
    let mut socket = connect(&game.black, &game.table);
    wait_for_presence(&server, &game.black.id, 1);
    // The row of the session goes, and nobody tells the table.
    crate::harness::Stored::of(&server).change(&format!(
        "insert into errands (table_id, kind, subject, player_id, due)
           select table_id, 'signed_out', session_id, player_id, 0 from presence;
         delete from sessions where player_id = '{}'",
        game.black.id
    ));
    server.tick();
    socket.wait_for("signed_out");
    socket.wait_for_close();
    let left = crate::harness::Stored::of(&server).ask("select count(*) from errands");
    assert_eq!(left.as_deref(), Some("0"));
}
