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
    let game = Game::nine();
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
    let mut game = Game::nine();
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
