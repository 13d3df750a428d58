//! What a viewer may see (T2, T4).

use super::*;

fn with_invite(code: InviteCode) -> Viewer {
    Viewer {
        player: None,
        invite: Some(code),
        ..Viewer::default()
    }
}

#[test]
fn t4_a_public_table_is_everybodys_to_see() {
    let game = Game::baduk();
    assert!(game.table.admits(&Viewer::default()));
    assert!(game.table.admits(&viewer(CHI)));
    assert_eq!(game.snapshot(&viewer(AKI))["invite"], Value::Null);
}

#[test]
fn t2_a_private_table_is_its_players_and_its_invites() {
    let game = Game::started(json!({"ruleset": "baduk", "visibility": "private"}));
    let table = TableId::from_seed([9; 16]);
    assert!(game.table.admits(&viewer(AKI)));
    assert!(game.table.admits(&viewer(BO)));
    assert!(!game.table.admits(&viewer(CHI)));
    assert!(!game.table.admits(&Viewer::default()));
    assert!(
        game.table
            .admits(&with_invite(InviteCode::new(table.clone(), [5; 26])))
    );
    assert!(!game.table.admits(&with_invite(InviteCode::new(table, [6; 26]))));
    assert!(!game.table.admits(&with_invite(InviteCode::new(
        TableId::from_seed([8; 16]),
        [5; 26]
    ))));
}

#[test]
fn t2_s1_that_an_operator_may_look_gives_him_no_part_in_a_private_table() {
    let operator = |viewer: Viewer| Viewer {
        operator: true,
        ..viewer
    };
    let private = Game::started(json!({"ruleset": "baduk", "visibility": "private"}));
    let invite = InviteCode::new(TableId::from_seed([9; 16]), [5; 26]);
    for (looks, takes_part) in [
        (operator(viewer(CHI)), false),
        (operator(Viewer::default()), false),
        (operator(with_invite(invite.clone())), true),
        (operator(viewer(AKI)), true),
        (with_invite(invite), true),
    ] {
        assert!(private.table.admits(&looks), "{looks:?}");
        assert_eq!(private.table.lets_in(&looks), takes_part, "{looks:?}");
    }
    assert!(!private.table.lets_in(&viewer(CHI)));
    for anybody in [viewer(CHI), operator(viewer(CHI))] {
        assert!(Game::baduk().table.lets_in(&anybody));
    }
}

#[test]
fn t2_both_players_can_read_the_invite_and_watchers_cannot() {
    let game = Game::started(json!({"ruleset": "baduk", "visibility": "private"}));
    let invite = InviteCode::new(TableId::from_seed([9; 16]), [5; 26]);
    for number in [AKI, BO] {
        let shown = &game.snapshot(&viewer(number))["invite"];
        assert_eq!(shown["code"], json!(invite));
        assert_eq!(shown["url"], format!("https://hoshi.test/i/{invite}"));
    }
    assert_eq!(game.snapshot(&with_invite(invite))["invite"], Value::Null);
}

#[test]
fn the_event_with_the_invite_is_never_sent() {
    let game = Game::started(json!({"ruleset": "baduk", "visibility": "private"}));
    let shown: Vec<bool> = game
        .events
        .iter()
        .map(|event| event.is_shown(Audience::Player))
        .collect();
    assert_eq!(shown, [false, true, true]);
}

#[test]
fn a_snapshot_says_who_is_who_and_what_has_happened() {
    let mut game = Game::baduk();
    game.play("A2 A1 B1");
    let snapshot = game.snapshot(&viewer(BO));
    assert_eq!(snapshot["you"], "white");
    assert_eq!(snapshot["turn"], 3);
    assert_eq!(snapshot["to_move"], "white");
    assert_eq!(snapshot["stones"], json!({"black": ["B1", "A2"], "white": []}));
    assert_eq!(snapshot["captures"], json!({"black": 1, "white": 0}));
    assert_eq!(
        snapshot["moves"][1],
        json!({"turn": 1, "color": "white", "point": "A1", "at": 3000})
    );
    assert_eq!(snapshot["forbidden"], json!([{"point": "A1", "why": "suicide"}]));
    assert_eq!(snapshot["clock"]["running"], "white");
    assert_eq!(snapshot["seq"], 6);
    assert_eq!(game.snapshot(&viewer(CHI))["you"], Value::Null);
}

/// The members of an object, in the order of their names.
fn members(value: &Value) -> Vec<&str> {
    let members = value.as_object().expect("an object").keys();
    let mut members: Vec<&str> = members.map(String::as_str).collect();
    members.sort_unstable();
    members
}

/// What clients rely on, as the contract and `docs/api.md` have it; `decisions` is more than the contract asks for.
#[test]
fn t4_a_snapshot_has_these_members_and_no_others_at_every_stage() {
    let snapshot = [
        "appeals",
        "board",
        "captures",
        "chat",
        "clock",
        "color",
        "counting",
        "created_at",
        "creator",
        "decisions",
        "ended_at",
        "forbidden",
        "handicap",
        "handicap_receiver",
        "id",
        "invite",
        "komi",
        "marking",
        "moves",
        "opening_stones_left",
        "opponent",
        "original_result",
        "prisoners",
        "ranked",
        "rematch",
        "requests",
        "requests_left",
        "result",
        "resumptions",
        "ruleset",
        "seats",
        "seq",
        "setup",
        "spectators",
        "started_at",
        "state",
        "stones",
        "to_move",
        "turn",
        "visibility",
        "you",
    ];
    let game = Game::waiting(json!({"ruleset": "baduk", "board": "9x9", "visibility": "private"}));
    assert_eq!(members(&game.snapshot(&viewer(AKI))), snapshot);
    assert_eq!(members(&game.snapshot(&viewer(AKI))["invite"]), ["code", "url"]);
    let mut game = game.joined();
    game.play("E5");
    game.command(AKI, json!({"type": "request", "kind": "score", "turn": 1}))
        .expect("asked");
    let shown = game.snapshot(&viewer(CHI));
    assert_eq!(members(&shown), snapshot);
    assert_eq!(members(&shown["moves"][0]), ["at", "color", "point", "turn"]);
    assert_eq!(members(&shown["requests"][0]), ["by", "expires_at", "kind"]);
    assert_eq!(members(&shown["prisoners"]["black"]), ["captured", "passes"]);
    assert_eq!(
        members(&shown["seats"]["black"]),
        ["id", "kind", "name", "ratings"]
    );
    for each in ["seats", "stones", "captures", "prisoners", "requests_left"] {
        assert_eq!(members(&shown[each]), ["black", "white"], "{each}");
    }
    game.play("pass pass");
    let shown = game.snapshot(&viewer(CHI));
    assert_eq!(members(&shown["counting"]), ["attempt", "reason", "retry_at"]);
    game.assess(&[]);
    let shown = game.snapshot(&viewer(CHI));
    assert_eq!(members(&shown), snapshot);
    assert_eq!(
        members(&shown["result"]),
        ["assessed_by", "by", "margin", "score", "sgf", "winner"]
    );
}
