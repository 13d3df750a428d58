use super::*;
use crate::game::{Input, InviteCode, NewTable, Outcome, Parties, Table, TableId, TermsRequest, open, step};
use crate::rules::Color;
use std::collections::BTreeSet;

fn table_id(number: u32) -> TableId {
    TableId::from_seed(seed(number))
}

/// A table that the first player has made.
fn table(number: u32, terms: Value, made: i64) -> Table {
    let terms: TermsRequest = wire::decode(terms).expect("terms");
    let aki = player(1, None).id;
    let parties = Parties {
        creator: &aki,
        challenged: None,
    };
    let new = NewTable {
        terms: terms.grant(parties).expect("granted"),
        creator: player(1, None),
        invite: InviteCode::new(table_id(number), [3; 26]),
        draw: Color::Black,
    };
    Table::replay(open(new, at(made))).expect("opens")
}

fn waiting(number: u32, made: i64) -> Table {
    table(number, json!({"ruleset": "baduk", "color": "black"}), made)
}

fn joined(table: &Table, at_millis: i64) -> Table {
    let join = Input::Join {
        player: player(2, None),
        draw: Color::Black,
    };
    after(table, join, at_millis)
}

fn after(table: &Table, input: Input, at_millis: i64) -> Table {
    let mut table = table.clone();
    match step(&table, input, at(at_millis)) {
        Ok(Outcome::Events(events)) => events
            .iter()
            .for_each(|event| table.apply(event).expect("applies")),
        other => panic!("no events: {other:?}"),
    }
    table
}

/// The first player hears of a table.
fn hear(agenda: &mut Agenda, table: &Table, now: i64) -> Effects {
    agenda.hear(table.standing(&player(1, None).id, false), at(now))
}

fn names(effects: &Effects) -> Vec<String> {
    let notices = effects.notices.iter();
    let name = |notice: &Notice| {
        serde_json::to_value(notice).expect("serialises")["type"]
            .as_str()
            .map(str::to_owned)
    };
    notices.filter_map(name).collect()
}

fn searching(since: i64) -> Agenda {
    let mut agenda = Agenda::default();
    assert!(seek(&mut agenda, search(1, 1200, since)).is_empty());
    agenda
}

/// Begins a search the moment that it says.
fn seek(agenda: &mut Agenda, search: Search) -> Effects {
    let since = search.since;
    let (effects, begun) = agenda.seek(search, since);
    assert_eq!(begun, Ok(()));
    effects
}

fn promise(search_number: u32, table: u32) -> Promise {
    Promise {
        search: SearchId::from_seed(seed(search_number)),
        table: table_id(table),
        pace: Pace::Pressing,
    }
}

/// Claims and commits a player whose tables are nowhere in doubt.
fn commit(agenda: &mut Agenda, promise: &Promise, now: i64) -> Claim {
    assert_eq!(
        agenda.claim(&promise.search, &promise.table, at(now)).0,
        Claim::Yes
    );
    agenda.commit(promise, &BTreeSet::new(), at(now)).0
}

fn leaves(search_number: u32) -> Duty {
    Duty::LeaveLobby {
        ruleset: "baduk".to_owned(),
        search: SearchId::from_seed(seed(search_number)),
    }
}

#[test]
fn l2_one_search_at_a_time() {
    let mut agenda = searching(0);
    assert_eq!(agenda.seek(search(2, 1200, 5), at(5)).1, Err(SearchError::Open));
    assert_eq!(
        agenda.seek(search(1, 1200, 5), at(5)),
        (Effects::default(), Ok(())),
        "the same again"
    );
    assert_eq!(
        agenda.pooled().map(|search| search.since),
        Some(at(0)),
        "it is the one that goes on, with the time that has been waited"
    );
    let (cancelled, outcome) = agenda.cancel(at(6));
    assert_eq!(
        (names(&cancelled), outcome),
        (vec!["search_ended".to_owned()], Ok(()))
    );
    assert_eq!(cancelled.duties, [leaves(1)].into());
    assert_eq!(agenda.cancel(at(7)).1, Err(SearchError::None));
    assert_eq!(agenda.seek(search(1, 1200, 8), at(8)).1, Err(SearchError::Over));
    seek(&mut agenda, search(2, 1200, 8));
}

#[test]
fn l2_a_search_ends_by_itself_after_five_minutes() {
    let mut agenda = searching(0);
    assert_eq!(agenda.next_deadline(), Some(at(300_000)));
    assert!(agenda.tick(at(299_999)).is_empty());
    let ended = agenda.tick(at(300_000));
    assert_eq!(
        (names(&ended), ended.duties),
        (vec!["search_ended".to_owned()], [leaves(1)].into())
    );
    assert_eq!(
        agenda.claim(&search(1, 0, 0).id, &table_id(9), at(300_000)).0,
        Claim::No
    );
}

#[test]
fn l2_a_promise_is_given_to_one_game_and_can_be_taken_back() {
    let mut agenda = searching(0);
    let id = search(1, 0, 0).id;
    let claim = |agenda: &mut Agenda, number| agenda.claim(&id, &table_id(number), at(10)).0;
    assert_eq!(claim(&mut agenda, 9), Claim::Yes);
    assert_eq!(
        (claim(&mut agenda, 9), claim(&mut agenda, 8)),
        (Claim::Yes, Claim::No)
    );
    assert_eq!(agenda.cancel(at(11)).1, Err(SearchError::Found));
    agenda.release(&id, &table_id(7), at(12));
    assert_eq!(
        claim(&mut agenda, 8),
        Claim::No,
        "another game's release changes nothing"
    );
    agenda.release(&id, &table_id(9), at(12));
    assert_eq!(agenda.news(), News::Searching(&id));
    assert_eq!(
        claim(&mut agenda, 9),
        Claim::No,
        "a claim that was overtaken by its release is late"
    );
    assert_eq!(claim(&mut agenda, 8), Claim::Yes);
    let found = agenda.matched(&id, &table_id(8), &player(2, None), at(13));
    assert_eq!(names(&found), ["match_found"]);
    assert!(
        agenda
            .matched(&id, &table_id(8), &player(2, None), at(14))
            .is_empty(),
        "told twice is told once"
    );
    assert_eq!(agenda.news(), News::Matched(&table_id(8)));
    // The next search begins where this one has led to a game.
    seek(&mut agenda, search(3, 1200, 20));
}

#[test]
fn l2_who_loses_his_connection_keeps_his_place_for_fifteen_seconds() {
    let mut agenda = Agenda::default();
    agenda.attend(true, at(0));
    seek(&mut agenda, search(1, 1200, 0));
    let id = search(1, 0, 0).id;
    agenda.attend(false, at(1000));
    assert_eq!(agenda.claim(&id, &table_id(9), at(2000)).0, Claim::Away);
    agenda.attend(true, at(3000));
    assert_eq!(agenda.next_deadline(), Some(at(300_000)));
    agenda.attend(false, at(4000));
    let ended = agenda.tick(at(19_000));
    let expected = Notice::SearchEnded {
        id,
        why: SearchEnd::Disconnected,
    };
    assert_eq!(ended.notices, [expected]);
    // Who never was on his channel asks from time to time, and is not missed.
    assert_eq!(
        searching(0)
            .claim(&search(1, 0, 0).id, &table_id(9), at(200_000))
            .0,
        Claim::Yes
    );
}

#[test]
fn t3_a_game_that_starts_ends_the_search_and_closes_the_other_waiting_tables_once() {
    let mut agenda = searching(0);
    let (first, second) = (waiting(10, 100), waiting(11, 200));
    hear(&mut agenda, &first, 110);
    hear(&mut agenda, &second, 210);
    let started = hear(&mut agenda, &joined(&first, 300), 310);
    assert_eq!(names(&started), ["started", "your_turn", "search_ended"]);
    let close = Duty::CloseTable { table: table_id(11) };
    assert_eq!(started.duties, [leaves(1), close.clone()].into());
    assert!(hear(&mut agenda, &joined(&first, 300), 320).is_empty());
    // A table that was made before, but is heard of only now, closes as well; one made since stays.
    assert_eq!(
        hear(&mut agenda, &waiting(12, 290), 330).duties,
        [Duty::CloseTable { table: table_id(12) }].into()
    );
    assert!(hear(&mut agenda, &waiting(13, 340), 350).duties.is_empty());
}

#[test]
fn t3_a_game_without_a_clock_or_against_the_computer_ends_nothing() {
    for terms in [
        json!({"ruleset": "baduk", "clock": {"system": "none"}}),
        json!({"ruleset": "baduk", "opponent": {"kind": "computer", "level": "easy"}}),
    ] {
        let mut agenda = searching(0);
        hear(&mut agenda, &waiting(11, 50), 60);
        let game = table(10, terms, 100);
        let game = if game.computer().is_some() {
            game
        } else {
            joined(&game, 150)
        };
        let started = hear(&mut agenda, &game, 160);
        assert_eq!(
            (&names(&started)[0], started.duties.len()),
            (&"started".to_owned(), 0)
        );
        assert!(agenda.search().is_some());
    }
}

#[test]
fn t3_a_search_that_began_after_the_game_goes_on() {
    let mut agenda = searching(500);
    hear(&mut agenda, &joined(&waiting(10, 100), 300), 600);
    assert!(agenda.search().is_some());
}

#[test]
fn l2_the_game_that_was_found_does_not_end_the_search_but_fulfils_it() {
    let mut agenda = searching(0);
    let id = search(1, 0, 0).id;
    agenda.claim(&id, &table_id(10), at(50));
    // The table's word may come before the lobby's.
    let told = hear(&mut agenda, &joined(&waiting(10, 100), 100), 110);
    assert_eq!(names(&told), ["match_found", "started", "your_turn"]);
    assert_eq!(agenda.news(), News::Matched(&table_id(10)));
    assert!(
        agenda
            .matched(&id, &table_id(10), &player(2, None), at(120))
            .is_empty()
    );
}

#[test]
fn l4_what_has_happened_is_told_once_however_often_and_late_it_comes() {
    let mut agenda = Agenda::default();
    let first = waiting(10, 0);
    let playing = joined(&first, 10);
    let resigned = after(
        &playing,
        Input::Command {
            by: player(2, None).id,
            message: crate::game::CommandMessage::from_wire(json!({"type": "resign"})).expect("a command"),
            spare: crate::game::Spare {
                id: [0; 16],
                invite: [0; 26],
            },
        },
        20,
    );
    let told: Vec<_> = [&playing, &first, &playing, &resigned, &playing, &resigned]
        .into_iter()
        .map(|table| names(&hear(&mut agenda, table, 30)))
        .collect();
    assert_eq!(told[0], ["started", "your_turn"]);
    assert_eq!(told[3], ["finished"]);
    assert!(
        [1, 2, 4, 5].iter().all(|index| told[*index].is_empty()),
        "{told:?}"
    );
    assert!(agenda.open_tables().is_empty());
    // What came in between is not missed when the newest alone arrives.
    let mut late = Agenda::default();
    assert_eq!(names(&hear(&mut late, &resigned, 30)), ["finished"]);
}

#[test]
fn l4_your_turn_is_told_for_tables_that_are_not_open() {
    let mut agenda = Agenda::default();
    let playing = joined(&table(10, json!({"ruleset": "baduk", "color": "white"}), 0), 10);
    hear(&mut agenda, &playing, 11);
    let play = Input::Command {
        by: player(2, None).id,
        message: crate::game::CommandMessage::from_wire(json!({"type": "play", "point": "D4", "turn": 0}))
            .expect("a command"),
        spare: crate::game::Spare {
            id: [0; 16],
            invite: [0; 26],
        },
    };
    let moved = after(&playing, play, 20);
    let open = moved.standing(&player(1, None).id, true);
    assert!(agenda.clone().hear(open, at(21)).is_empty());
    assert_eq!(names(&hear(&mut agenda, &moved, 21)), ["your_turn"]);
}

#[test]
fn l1_the_lobby_learns_whether_the_creator_of_an_open_table_is_there() {
    let mut agenda = Agenda::default();
    assert!(agenda.attend(true, at(0)).is_empty(), "he has no table yet");
    let attend = [Duty::Attend {
        ruleset: "baduk".to_owned(),
    }];
    assert_eq!(
        hear(&mut agenda, &waiting(10, 0), 1).duties,
        attend.clone().into()
    );
    assert_eq!(agenda.attend(false, at(2)).duties, attend.into());
    assert!(agenda.attend(false, at(3)).is_empty());
    let private = table(11, json!({"ruleset": "baduk", "visibility": "private"}), 4);
    let mut discreet = Agenda::default();
    discreet.attend(true, at(0));
    assert!(hear(&mut discreet, &private, 5).is_empty());
}

#[test]
fn l4_a_game_of_long_ago_is_no_news() {
    let mut agenda = Agenda::default();
    let playing = joined(&waiting(10, 0), 10);
    let resign = Input::Command {
        by: player(2, None).id,
        message: crate::game::CommandMessage::from_wire(json!({"type": "resign"})).expect("a command"),
        spare: crate::game::Spare {
            id: [0; 16],
            invite: [0; 26],
        },
    };
    let over = after(&playing, resign, 20);
    assert!(hear(&mut agenda, &over, 20 + 15 * 60 * 1000).is_empty());
    assert_eq!(agenda, Agenda::default());
}

#[test]
fn p4_nothing_is_left_when_its_player_leaves_nor_comes_afterwards() {
    let mut agenda = searching(0);
    hear(&mut agenda, &waiting(10, 100), 110);
    agenda.attend(true, at(120));
    assert_eq!(agenda.leave().duties, [leaves(1)].into());
    assert_eq!((agenda.news(), agenda.next_deadline()), (News::None, None));
    assert!(hear(&mut agenda, &joined(&waiting(11, 100), 200), 210).is_empty());
    assert!(agenda.tables().is_empty());
    assert_eq!(
        agenda.seek(search(2, 1200, 220), at(220)).1,
        Err(SearchError::Over)
    );
    assert!(agenda.attendance().online, "his sockets close by themselves");
}

#[test]
fn an_agenda_reads_as_it_is_written_with_its_tables_beside_it() {
    let mut agenda = searching(0);
    hear(&mut agenda, &joined(&waiting(10, 100), 300), 310);
    seek(&mut agenda, search(2, 1200, 320));
    agenda.claim(&search(2, 0, 0).id, &table_id(9), at(330));
    let _ = agenda.sit_down(&table_id(12), at(340));
    let written = serde_json::to_value(&agenda).expect("serialises");
    assert_eq!(written["tables"], Value::Null);
    let read: Agenda = serde_json::from_value(written).expect("reads");
    let read = read.with_tables(agenda.tables().values().cloned());
    assert_eq!(read, agenda);
}

#[test]
fn an_agenda_of_before_tables_were_stored_beside_it_is_read() {
    let table =
        serde_json::to_value(waiting(10, 0).standing(&player(1, None).id, false)).expect("serialises");
    let id = table["table_id"].as_str().expect("an id").to_owned();
    let old = json!({"search": null, "last_search": null, "tables": {id: table}, "attendance": {"online": false, "rank": 3}});
    let read: Agenda = serde_json::from_value(old).expect("reads");
    assert_eq!(read.tables().len(), 1);
}

#[test]
fn t3_a_game_that_begins_elsewhere_breaks_a_claim() {
    let mut agenda = searching(0);
    let promise = promise(1, 9);
    let first = waiting(10, 50);
    hear(&mut agenda, &first, 60);
    assert_eq!(
        agenda.claim(&promise.search, &promise.table, at(100)).0,
        Claim::Yes
    );
    let started = hear(&mut agenda, &joined(&first, 110), 120);
    assert_eq!(names(&started), ["started", "your_turn", "search_ended"]);
    assert_eq!(agenda.commit(&promise, &BTreeSet::new(), at(130)).0, Claim::No);
}

#[test]
fn t3_who_waits_at_a_table_is_committed_only_when_that_is_closed() {
    let mut agenda = searching(0);
    let promise = promise(1, 9);
    let untimed = table(12, json!({"ruleset": "baduk", "clock": {"system": "none"}}), 40);
    let open = waiting(10, 50);
    for table in [&open, &untimed] {
        hear(&mut agenda, table, 60);
    }
    agenda.claim(&promise.search, &promise.table, at(100));
    let doubts = agenda.doubts(&promise);
    assert_eq!(
        doubts,
        [table_id(10)].into(),
        "a game without a clock goes with any other"
    );
    assert_eq!(
        agenda.commit(&promise, &BTreeSet::new(), at(110)).0,
        Claim::Unknown
    );
    let closed = after(
        &open,
        Input::Close {
            by: player(1, None).id,
        },
        120,
    );
    hear(&mut agenda, &closed, 130);
    assert_eq!(agenda.commit(&promise, &doubts, at(140)).0, Claim::Yes);
    assert_eq!(
        agenda.commit(&promise, &BTreeSet::new(), at(150)).0,
        Claim::Yes,
        "asked again"
    );
    // From here on his game is the one that was found, whatever else he has begun.
    hear(&mut agenda, &joined(&waiting(11, 60), 160), 170);
    assert!(agenda.search().is_some());
    let casual = Promise {
        pace: Pace::Casual,
        ..promise
    };
    assert!(agenda.doubts(&casual).is_empty());
}

#[test]
fn t3_who_is_about_to_sit_down_is_given_no_game_until_it_is_known_what_became_of_that() {
    let mut agenda = searching(0);
    let (found, there) = (promise(1, 9), table_id(10));
    assert_eq!(agenda.sit_down(&there, at(10)).1, Ok(()));
    let claim = |agenda: &mut Agenda, now| agenda.claim(&found.search, &found.table, at(now)).0;
    assert_eq!(claim(&mut agenda, 20), Claim::Away);
    agenda.stand_up(&there, at(30));
    assert_eq!(claim(&mut agenda, 40), Claim::Yes);
    assert_eq!(
        agenda.doubts(&found),
        [there.clone()].into(),
        "he may have sent two calls"
    );
    // In between the two questions.
    assert_eq!(agenda.sit_down(&there, at(50)).1, Ok(()));
    let none = BTreeSet::new();
    assert_eq!(agenda.commit(&found, &none, at(60)).0, Claim::Away);
    // Nobody has said what became of it: the table is asked.
    assert_eq!(agenda.doubts(&found), [there.clone()].into());
    assert_eq!(agenda.commit(&found, &none, at(15_050)).0, Claim::Unknown);
    assert_eq!(
        agenda.commit(&found, &[there.clone()].into(), at(15_060)).0,
        Claim::Yes
    );
    assert_eq!(agenda.sit_down(&there, at(15_070)).1, Err(SearchError::Found));
    assert_eq!(agenda.sit_down(&found.table, at(15_070)).1, Ok(()));
}

#[test]
fn l2_a_search_that_could_not_be_entered_may_begin_again_but_a_promise_stands() {
    let mut agenda = searching(0);
    let id = search(1, 0, 0).id;
    assert_eq!(
        agenda.give_up(&id),
        (
            Effects {
                duties: [leaves(1)].into(),
                ..Effects::default()
            },
            true
        )
    );
    seek(&mut agenda, search(1, 1200, 10));
    let promise = promise(1, 9);
    for now in [20, 30] {
        match now {
            20 => assert_eq!(agenda.claim(&id, &promise.table, at(now)).0, Claim::Yes),
            _ => assert_eq!(commit(&mut agenda, &promise, now), Claim::Yes),
        }
        assert_eq!(
            agenda.give_up(&id),
            (Effects::default(), false),
            "the lobby has it"
        );
        assert!(agenda.search().is_some() && agenda.pooled().is_none());
    }
}

#[test]
fn l2_what_the_time_has_brought_happens_though_the_answer_is_a_refusal() {
    let mut agenda = searching(0);
    let (ended, outcome) = agenda.cancel(at(300_000));
    assert_eq!(outcome, Err(SearchError::None));
    assert_eq!(
        (names(&ended), ended.duties),
        (vec!["search_ended".to_owned()], [leaves(1)].into())
    );
    let mut agenda = searching(0);
    let (ended, outcome) = agenda.seek(search(1, 1200, 300_000), at(300_000));
    assert_eq!(
        (names(&ended), outcome),
        (vec!["search_ended".to_owned()], Err(SearchError::Over))
    );
}

#[test]
fn s4_a_suspension_ends_the_search_until_its_game_is_being_opened() {
    let mut agenda = searching(0);
    let suspended = agenda.suspend();
    let why = SearchEnd::Suspended;
    assert_eq!(
        suspended.notices,
        [Notice::SearchEnded {
            id: search(1, 0, 0).id,
            why
        }]
    );
    assert_eq!(suspended.duties, [leaves(1)].into());
    let mut agenda = searching(0);
    let promise = promise(1, 9);
    agenda.claim(&promise.search, &promise.table, at(10));
    assert_eq!(names(&agenda.clone().suspend()), ["search_ended"]);
    assert_eq!(commit(&mut agenda, &promise, 20), Claim::Yes);
    assert!(agenda.suspend().is_empty());
}

#[test]
fn l4_a_greeting_has_the_games_that_want_their_player_most() {
    let mut agenda = Agenda::default();
    let timed = joined(&waiting(10, 0), 10);
    hear(&mut agenda, &timed, 20);
    for number in 11..15 {
        let untimed = table(
            number,
            json!({"ruleset": "baduk", "clock": {"system": "none"}}),
            i64::from(number),
        );
        hear(&mut agenda, &untimed, 30);
    }
    let shown = |most| {
        agenda
            .greeting(most)
            .into_iter()
            .map(|table| table.table_id.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(shown(2), [table_id(10), table_id(14)]);
    assert_eq!(shown(100).len(), 5);
}

#[test]
fn t3_a_table_that_was_asked_before_it_was_opened_is_in_doubt_still() {
    let mut agenda = searching(0);
    let found = promise(1, 9);
    assert_eq!(agenda.claim(&found.search, &found.table, at(10)).0, Claim::Yes);
    let _ = agenda.sit_down(&table_id(10), at(20));
    let settled = agenda.doubts(&found);
    assert_eq!(settled, [table_id(10)].into());
    hear(&mut agenda, &waiting(10, 30), 40);
    assert_eq!(agenda.commit(&found, &settled, at(50)).0, Claim::Unknown);
}
