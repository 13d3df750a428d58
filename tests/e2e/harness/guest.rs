//! Clients over HTTP, and guests: clients with an identity.

use super::{Answer, NoSocket, Server, Socket, wait_for};
use serde_json::{Value, json};
use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use ureq::http::{HeaderMap, HeaderName, HeaderValue, Method, Request};

/// The password of every account under test.
pub const PASSWORD: &str = "correct horse battery";

/// A name that no other story uses, that looks like no other, and that the language filter has nothing against.
pub fn unique(name: &str) -> String {
    static NAMES: AtomicUsize = AtomicUsize::new(0);
    let letter = |digit: u8| char::from(b"bcdfgkptvz"[usize::from(digit - b'0')]);
    loop {
        let number = NAMES.fetch_add(1, Ordering::Relaxed).to_string();
        let name = format!("{name}_{}", number.bytes().map(letter).collect::<String>());
        if hoshi::players::is_clean(&name) {
            return name;
        }
    }
}

/// Somebody who talks to a server, with the headers that he sends each time.
#[derive(Clone, Debug)]
pub struct Client {
    origin: String,
    agent: ureq::Agent,
    headers: HeaderMap,
}

/// A client with an identity.
#[derive(Clone, Debug)]
pub struct Guest {
    pub id: String,
    pub token: String,
    client: Client,
}

impl Client {
    /// A client without an identity.
    pub fn new(server: &Server) -> Client {
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .allow_non_standard_methods(true)
            // An answer may be late; none at all is what the tests of faults are to find.
            .timeout_global(Some(Duration::from_secs(60)))
            .build();
        Client {
            origin: server.origin(),
            agent: config.into(),
            headers: HeaderMap::new(),
        }
    }

    /// The same client, sending one more header.
    pub fn with(&self, name: &str, value: &str) -> Client {
        let mut client = self.clone();
        let name: HeaderName = name.parse().expect("a name");
        client
            .headers
            .insert(name, HeaderValue::from_bytes(value.as_bytes()).expect("a value"));
        client
    }

    pub fn get(&self, path: &str) -> Answer {
        self.send("GET", path, None)
    }

    pub fn delete(&self, path: &str) -> Answer {
        self.send("DELETE", path, None)
    }

    pub fn put(&self, path: &str, body: &Value) -> Answer {
        self.send("PUT", path, Some(body.to_string().as_bytes()))
    }

    pub fn patch(&self, path: &str, body: &Value) -> Answer {
        self.send("PATCH", path, Some(body.to_string().as_bytes()))
    }

    /// A deletion with a body.
    pub fn delete_with(&self, path: &str, body: &Value) -> Answer {
        self.send("DELETE", path, Some(body.to_string().as_bytes()))
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.send("POST", path, Some(body.to_string().as_bytes()))
    }

    /// A request with a body as it stands.
    pub fn send(&self, method: &str, path: &str, body: Option<&[u8]>) -> Answer {
        let sent = self.try_send(method, path, body);
        sent.unwrap_or_else(|error| panic!("{method} {path}: {error}"))
    }

    /// The same, for one that may not be answered at all.
    pub fn try_send(&self, method: &str, path: &str, body: Option<&[u8]>) -> Result<Answer, ureq::Error> {
        let method = Method::from_bytes(method.as_bytes()).expect("a method");
        let mut request = Request::new(body.unwrap_or_default());
        *request.method_mut() = method;
        *request.uri_mut() = format!("{}{path}", self.origin).parse().expect("an address");
        *request.headers_mut() = self.headers.clone();
        let response = match body {
            Some(_) => {
                let json = HeaderValue::from_static("application/json");
                request.headers_mut().entry("content-type").or_insert(json);
                self.agent.run(request)?
            }
            None => self.agent.run(request.map(|_| ()))?,
        };
        Ok(Answer::read(response)?)
    }

    /// Whether the server is there and well.
    pub fn answers(&self) -> bool {
        let sent = self.try_send("GET", "/healthz", None);
        sent.is_ok_and(|answer| answer.status == 200)
    }

    /// The table as this client sees it.
    #[track_caller]
    pub fn snapshot(&self, table: &str) -> Value {
        self.get(&format!("/api/v1/tables/{table}")).ok(200)
    }

    /// The result of a table's game, once there is one.
    #[track_caller]
    pub fn result(&self, table: &str) -> Value {
        wait_for("a result", || {
            let result = self.snapshot(table)["result"].clone();
            (!result.is_null()).then_some(result)
        })
    }

    /// A command over REST.
    pub fn command(&self, table: &str, command: &Value) -> Answer {
        self.post(&format!("/api/v1/tables/{table}/commands"), command)
    }

    /// A stone over REST.
    pub fn play(&self, table: &str, point: &str, turn: u32) -> Answer {
        self.command(table, &json!({"type": "play", "point": point, "turn": turn}))
    }

    /// A pass over REST.
    pub fn pass(&self, table: &str, turn: u32) -> Answer {
        self.command(table, &json!({"type": "pass", "turn": turn}))
    }

    /// The lobby of a ruleset, and what it says first.
    #[track_caller]
    pub fn lobby(&self, ruleset: &str) -> (Socket, Value) {
        let opened = self.open(&format!("/api/v1/lobby/socket?ruleset={ruleset}"));
        let mut socket =
            opened.unwrap_or_else(|answer| panic!("no lobby: {} {}", answer.status, answer.body));
        let tables = socket.wait_for("tables");
        (socket, tables)
    }

    /// A socket of a table.
    #[track_caller]
    pub fn connect(&self, table: &str) -> Socket {
        self.connect_with(table, "")
    }

    /// A socket of a table, with parameters: `?since=4`.
    #[track_caller]
    pub fn connect_with(&self, table: &str, query: &str) -> Socket {
        let opened = self.try_connect(table, query);
        opened.unwrap_or_else(|answer| panic!("no socket: {} {}", answer.status, answer.body))
    }

    /// A socket of a table, or why there is none.
    pub fn try_connect(&self, table: &str, query: &str) -> Result<Socket, Answer> {
        self.open(&format!("/api/v1/tables/{table}/socket{query}"))
    }

    /// Any socket, or why there is none.
    pub fn open(&self, path: &str) -> Result<Socket, Answer> {
        self.reach(path).map_err(|none| match none {
            NoSocket::Refused(answer) => answer,
            NoSocket::Away(error) => panic!("no answer to {path}: {error}"),
        })
    }

    /// The same, where there may be no server at all.
    pub fn reach(&self, path: &str) -> Result<Socket, NoSocket> {
        Socket::open(&self.origin, path, &self.headers)
    }
}

impl Guest {
    /// A new guest.
    #[track_caller]
    pub fn new(server: &Server, name: &str) -> Guest {
        let made = Client::new(server)
            .post("/api/v1/guests", &json!({"name": name}))
            .ok(201);
        Guest::from_answer(server, &made)
    }

    /// A new account, which never was a guest.
    #[track_caller]
    pub fn account(server: &Server, name: &str) -> Guest {
        let body = json!({"name": name, "password": PASSWORD});
        Guest::from_answer(
            server,
            &Client::new(server).post("/api/v1/accounts", &body).ok(201),
        )
    }

    /// A new operator.
    #[allow(dead_code, reason = "the benches share this file, and have no operators")]
    #[track_caller]
    pub fn operator(server: &Server) -> Guest {
        let name = unique("Operator");
        let operator = Guest::account(server, &name);
        server.make_operator(&name);
        operator
    }

    /// The player of an answer that brings an identity.
    #[track_caller]
    pub fn from_answer(server: &Server, made: &Value) -> Guest {
        let token = made["token"].as_str().expect("a token").to_owned();
        Guest {
            id: made["player"]["id"].as_str().expect("an id").to_owned(),
            client: Client::new(server).with("authorization", &format!("Bearer {token}")),
            token,
        }
    }

    /// Becomes an account; brings the answer.
    #[track_caller]
    pub fn save_as(&self, name: &str) -> Value {
        let body = json!({"name": name, "password": PASSWORD});
        self.post("/api/v1/accounts", &body).ok(201)
    }

    /// Signs in once more, as from another device.
    #[track_caller]
    pub fn sign_in(server: &Server, name: &str) -> Guest {
        let body = json!({"name": name, "password": PASSWORD});
        Guest::from_answer(
            server,
            &Client::new(server).post("/api/v1/sessions", &body).ok(201),
        )
    }

    /// Makes a table and brings its snapshot.
    #[track_caller]
    pub fn create_table(&self, terms: &Value) -> Value {
        self.post("/api/v1/tables", terms).ok(201)
    }

    /// His own channel, and what it says first.
    #[track_caller]
    pub fn channel(&self) -> (Socket, Value) {
        let opened = self.open("/api/v1/me/socket");
        let mut socket =
            opened.unwrap_or_else(|answer| panic!("no channel: {} {}", answer.status, answer.body));
        let hello = socket.wait_for("hello");
        (socket, hello)
    }

    /// Searches for an opponent.
    pub fn seek(&self, request: &Value) -> Answer {
        self.post("/api/v1/seeks", request)
    }

    /// Challenges somebody, and brings the challenge.
    #[track_caller]
    pub fn challenge(&self, to: &Guest, terms: &Value) -> Value {
        let mut body = terms.clone();
        body["to"] = json!(to.id);
        self.post("/api/v1/challenges", &body).ok(201)
    }

    /// Accepts a challenge.
    pub fn accept(&self, challenge: &Value) -> Answer {
        let id = challenge["id"].as_str().expect("an id");
        self.post(&format!("/api/v1/challenges/{id}/accept"), &json!({}))
    }

    /// Takes the free seat and brings the snapshot.
    #[track_caller]
    pub fn join(&self, table: &str) -> Value {
        self.post(&format!("/api/v1/tables/{table}/join"), &json!({}))
            .ok(200)
    }

    /// Takes the free seat of a table that one is invited to.
    #[track_caller]
    pub fn join_by_invite(&self, table: &str, code: &str) -> Value {
        let path = format!("/api/v1/tables/{table}/join");
        self.post(&path, &json!({"invite": code})).ok(200)
    }
}

/// A guest calls as any client does.
impl Deref for Guest {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}
