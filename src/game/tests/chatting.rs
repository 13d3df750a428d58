//! Speech at a table: who may say what when, who hears it, and what becomes of it (S1, S2, P4, P5).

use super::*;

fn rated() -> Value {
    json!({"ruleset": "baduk", "board": "9x9", "ranked": true, "color": "black",
        "clock": {"system": "per_move", "period_ms": 60000}})
}

impl Game {
    fn say(&mut self, by: u8, text: &str) -> Result<Vec<Event>, Refusal> {
        let saying = Saying {
            speaker: Speaker::from(&player(by)),
            text: ChatText::try_from(text.to_owned()).expect("a line"),
        };
        self.take(Input::Chat { saying, seen: None })
    }

    fn heard_by(&self, viewer: &Viewer) -> Vec<String> {
        let lines = self.table.chat_until(self.table.seq(), viewer, 100);
        lines.into_iter().map(|line| line.text).collect()
    }
}

fn deaf_to(number: u8, others: &[u8]) -> Viewer {
    let mut viewer = viewer(number);
    viewer.ears.hidden = others.iter().map(|&other| player(other).id).collect();
    viewer
}

#[test]
fn s1_players_and_spectators_share_the_chat_of_a_friendly_table() {
    let mut game = Game::waiting(json!({"ruleset": "baduk", "board": "9x9"}));
    game.say(AKI, "anybody?").expect("before the start");
    game.say(CHI, "not me").expect("whoever watches");
    let mut game = game.joined();
    let said = game.say(CHI, "good luck").expect("during the game");
    let told = serde_json::to_value(&said[0]).expect("an event");
    assert_eq!(
        told,
        json!({"seq": said[0].seq, "at": said[0].at, "kind": "chat", "role": "spectator", "text": "good luck",
            "player": {"id": player(CHI).id, "name": "player 3", "kind": "guest"}})
    );
    game.command(AKI, json!({"type": "resign"})).expect("resigns");
    game.say(BO, "thanks").expect("after the end");
    assert_eq!(
        game.heard_by(&viewer(CHI)),
        ["anybody?", "not me", "good luck", "thanks"]
    );
    let lines = game.table.chat_until(game.table.seq(), &viewer(AKI), 100);
    let roles: Vec<Role> = lines.into_iter().map(|line| line.role).collect();
    assert_eq!(
        roles,
        [Role::Player, Role::Spectator, Role::Spectator, Role::Player]
    );
}

#[test]
fn s1_at_a_rated_table_those_who_watch_write_before_and_after_the_game_only() {
    let mut game = Game::waiting(rated());
    game.say(CHI, "before").expect("it has not begun");
    let account = Player {
        kind: PlayerKind::Account,
        ..player(BO)
    };
    let (player, draw) = (account, Color::Black);
    game.take(Input::Join { player, draw }).expect("joins");
    assert_eq!(game.say(CHI, "D4!"), Err(Refusal::SpectatorsListen));
    game.say(AKI, "hello").expect("players may");
    game.command(AKI, json!({"type": "pass", "turn": 0}))
        .expect("passes");
    let passed = game.command(BO, json!({"type": "pass", "turn": 1}));
    assert_eq!(kinds(&passed.expect("passes")), ["passed", "counting"]);
    assert_eq!(
        game.say(CHI, "while it is counted"),
        Err(Refusal::SpectatorsListen)
    );
    game.command(AKI, json!({"type": "resign"})).expect("resigns");
    game.say(CHI, "well played").expect("it is over");
}

#[test]
fn s1_at_a_table_that_was_closed_nobody_says_anything() {
    let mut game = Game::waiting(json!({"ruleset": "baduk"}));
    game.take(Input::Close { by: player(AKI).id }).expect("closes");
    assert_eq!(game.say(AKI, "hm"), Err(Refusal::Gone));
}

#[test]
fn s1_a_table_keeps_so_many_lines_and_shows_the_last_hundred() {
    let mut game = Game::baduk();
    for number in 0..2000 {
        game.say(AKI, &number.to_string()).expect("room");
    }
    assert_eq!(game.say(BO, "one more"), Err(Refusal::ChatFull));
    let shown = game.snapshot(&viewer(BO));
    let lines = shown["chat"].as_array().expect("lines");
    assert_eq!(
        (lines.len(), &lines[0]["text"], &lines[99]["text"]),
        (100, &json!("1900"), &json!("1999"))
    );
}

#[test]
fn s2_across_a_block_nothing_is_heard_either_way_live_or_replayed() {
    let mut game = Game::baduk();
    let said = game.say(BO, "mine").expect("says");
    game.say(CHI, "from aside").expect("says");
    // AKI and CHI have a block between them; who made it does not matter here.
    for (viewer, heard) in [
        (deaf_to(AKI, &[CHI]), vec!["mine"]),
        (deaf_to(CHI, &[AKI]), vec!["mine", "from aside"]),
        (deaf_to(BO, &[]), vec!["mine", "from aside"]),
        (deaf_to(CHI, &[BO]), vec!["from aside"]),
    ] {
        assert_eq!(game.heard_by(&viewer), heard);
        let shown = game.snapshot(&viewer);
        assert_eq!(shown["chat"].as_array().map(Vec::len), Some(heard.len()));
        let replayed = game.events.iter().filter(|event| event.is_chat());
        assert_eq!(
            replayed.filter(|event| game.table.tells(event, &viewer)).count(),
            heard.len()
        );
    }
    let mut operator = deaf_to(AKI, &[BO, CHI]);
    operator.operator = true;
    assert_eq!(game.heard_by(&operator), ["mine", "from aside"]);
    assert!(game.table.tells(&said[0], &operator));
}

#[test]
fn p5_whoever_does_not_want_to_hear_spectators_hears_players_and_himself() {
    let mut game = Game::baduk();
    game.say(BO, "player").expect("says");
    game.say(CHI, "spectator").expect("says");
    let hiding = |number| {
        let mut viewer = viewer(number);
        viewer.ears.hide_spectators = true;
        viewer
    };
    assert_eq!(game.heard_by(&hiding(AKI)), ["player"]);
    assert_eq!(game.heard_by(&hiding(CHI)), ["player", "spectator"]);
}

#[test]
fn s4_a_removed_line_is_replaced_everywhere_and_once() {
    let mut game = Game::baduk();
    let line = game.say(BO, "bad words").expect("says")[0].seq;
    game.say(AKI, "hm").expect("says");
    let unknown = Input::RemoveChat { line: Seq(1) };
    assert_eq!(game.take(unknown), Err(Refusal::NoSuchLine));
    let removed = game.take(Input::RemoveChat { line }).expect("removed");
    assert_eq!(removed[0].kind, EventKind::ChatRemoved { line });
    assert_eq!(removed[0].erases(), Some(Erasure::Line(line)));
    assert_eq!(game.heard_by(&viewer(AKI)), ["(removed)", "hm"]);
    let shown = game.snapshot(&viewer(AKI));
    assert_eq!(shown["chat"][0]["removed"], "by_operator");
    assert_eq!(game.take(Input::RemoveChat { line }), Ok(vec![]));
}

#[test]
fn p4_whoever_has_deleted_himself_says_nothing_any_more() {
    let mut game = Game::started(json!({"ruleset": "baduk", "board": "9x9"}));
    game.say(CHI, "from aside").expect("whoever watches");
    for number in [AKI, CHI] {
        let gone = Player {
            name: "(deleted)".to_owned(),
            ..player(number)
        };
        game.take(Input::Leave { player: gone }).expect("leaves");
        assert_eq!(game.say(number, "still here"), Err(Refusal::HasLeft));
    }
    game.say(BO, "who was that?").expect("he stays");
    let stored = serde_json::to_string(&game.events).expect("events");
    assert!(!stored.contains("still here"), "{stored}");
}

#[test]
fn p4_the_lines_of_whoever_deletes_himself_are_blank_also_if_he_only_watched() {
    let mut game = Game::baduk();
    game.say(CHI, "secret").expect("says");
    game.say(BO, "mine").expect("says");
    let gone = |number| Player {
        name: "(deleted)".to_owned(),
        ..player(number)
    };
    let left = game.take(Input::Leave { player: gone(CHI) }).expect("leaves");
    assert_eq!(kinds(&left), ["left"]);
    assert_eq!(left[0].erases(), Some(Erasure::Author(player(CHI).id)));
    assert_eq!(game.heard_by(&viewer(AKI)), ["", "mine"]);
    let shown = game.snapshot(&viewer(AKI));
    assert_eq!(shown["chat"][0]["player"]["name"], "(deleted)");
    // The game is none of his, and goes on; a second time there is nothing to do.
    assert_eq!(shown["state"], "playing");
    assert_eq!(game.take(Input::Leave { player: gone(CHI) }), Ok(vec![]));
    game.command(AKI, json!({"type": "resign"})).expect("resigns");
    game.command(AKI, json!({"type": "rematch"}))
        .expect("the two are still there");
}

#[test]
fn s1_the_first_words_of_each_are_noticed() {
    let mut game = Game::baduk();
    for (by, first) in [(AKI, true), (AKI, false), (CHI, true), (AKI, false), (CHI, false)] {
        let said = game.say(by, "x").expect("says");
        assert_eq!(game.table.first_words(&said[0]).is_some(), first);
    }
}

#[test]
fn p2_whoever_is_of_the_table_speaks_under_the_name_that_it_has_for_him() {
    let named = |number| Player {
        name: format!("account {number}"),
        kind: PlayerKind::Account,
        ..player(number)
    };
    let mut game = Game::waiting(json!({"ruleset": "baduk", "board": "9x9"}));
    game.take(Input::Rename { player: named(AKI) }).expect("renamed");
    // The socket over which they speak still has the old names.
    game.say(AKI, "the creator").expect("says");
    let mut game = game.joined();
    game.take(Input::Rename { player: named(BO) }).expect("renamed");
    for by in [AKI, BO, CHI] {
        game.say(by, "now").expect("says");
    }
    let lines = game.table.chat_until(game.table.seq(), &viewer(AKI), 100);
    let speakers: Vec<(&str, PlayerKind)> = lines
        .iter()
        .map(|line| (line.player.name.as_str(), line.player.kind))
        .collect();
    assert_eq!(
        speakers,
        [
            ("account 1", PlayerKind::Account),
            ("account 1", PlayerKind::Account),
            ("account 2", PlayerKind::Account),
            // He is not of the table, which knows him by what he says only.
            ("player 3", PlayerKind::Guest),
        ]
    );
}
