//! Games against the computer (T9, A2), whose seat is played by a script here.

use super::*;
use crate::ruleset::RequestKind;

/// A game of AKI's against the computer: she is Black unless the terms say otherwise.
fn game(terms: Value) -> Game {
    let mut terms = terms;
    terms["opponent"] = json!({"kind": "computer", "level": "easy"});
    terms
        .as_object_mut()
        .expect("an object")
        .entry("color")
        .or_insert(json!("black"));
    terms
        .as_object_mut()
        .expect("an object")
        .entry("board")
        .or_insert(json!("9x9"));
    Game::waiting(terms)
}

/// The computer answers what the table waits for.
fn computer_says(game: &mut Game, command: Value) -> Result<Vec<Event>, Refusal> {
    let task = game.table.computer_task().expect("a task");
    answer_to(game, task, command)
}

fn answer_to(game: &mut Game, task: ComputerTask, command: Value) -> Result<Vec<Event>, Refusal> {
    let mut message = CommandMessage::from_wire(command).expect("readable");
    message.seen = Some(task.seen);
    let spare = Spare {
        id: [4; 16],
        invite: [3; 26],
    };
    game.take(Input::Command {
        by: Player::computer(Level::Easy).id,
        message,
        spare,
    })
}

/// AKI plays, and the computer replies.
fn exchange(game: &mut Game, own: &str, reply: &str) {
    game.command(AKI, game.next_move(own)).expect("played");
    let reply = game.next_move(reply);
    computer_says(game, reply).expect("replied");
}

fn take_back(game: &mut Game) -> Result<Vec<Event>, Refusal> {
    let turn = game.table.turn();
    game.command(AKI, json!({"type": "request", "kind": "takeback", "turn": turn}))
}

#[test]
fn a2_a_game_against_the_computer_starts_at_once_without_a_clock_and_unrated() {
    let game = game(json!({"ruleset": "baduk"}));
    assert_eq!(kinds(&game.events), ["opened", "joined", "started"]);
    let snapshot = game.snapshot(&viewer(AKI));
    assert_eq!(snapshot["state"], "playing");
    assert_eq!(snapshot["you"], "black");
    assert_eq!(snapshot["seats"]["white"]["kind"], "computer");
    assert_eq!(snapshot["seats"]["white"]["name"], "Hoshi (easy)");
    assert_eq!(snapshot["clock"]["system"], "none");
    assert_eq!(snapshot["ranked"], false);
}

#[test]
fn a2_the_color_is_chosen_or_drawn() {
    for (color, you) in [("black", "black"), ("white", "white"), ("random", "white")] {
        let game = game(json!({"ruleset": "baduk", "color": color}));
        assert_eq!(game.snapshot(&viewer(AKI))["you"], you, "{color}");
    }
}

#[test]
fn a_table_waits_for_the_computer_on_its_turn_only() {
    let mut game = game(json!({"ruleset": "baduk"}));
    assert_eq!(game.table.computer_task(), None);
    game.command(AKI, game.next_move("E5")).expect("played");
    let task = game.table.computer_task().expect("a task");
    assert_eq!(
        (task.kind, task.color, task.turn),
        (TaskKind::Move, Color::White, 1)
    );
    computer_says(&mut game, json!({"type": "resign"})).expect("resigned");
    assert_eq!(game.table.computer_task(), None);
    assert_eq!(game.table.result().expect("over").sgf, "B+R");
}

#[test]
fn t9_against_the_computer_a_takeback_undoes_your_move_and_its_reply_at_once() {
    let mut game = game(json!({"ruleset": "baduk"}));
    exchange(&mut game, "A1", "A2");
    let before = game.snapshot(&viewer(AKI));
    // The reply captures: both the stone and the capture come back.
    exchange(&mut game, "J9", "B1");
    assert_eq!(game.snapshot(&viewer(AKI))["captures"]["white"], 1);
    let events = take_back(&mut game).expect("taken back");
    assert_eq!(kinds(&events), ["taken_back"]);
    let after = game.snapshot(&viewer(AKI));
    for same in ["turn", "to_move", "stones", "captures", "moves", "requests_left"] {
        assert_eq!(after[same], before[same], "{same}");
    }
    assert_eq!(Table::replay(game.events.clone()).expect("replays").turn(), 2);
}

#[test]
fn t9_while_the_computer_thinks_a_takeback_undoes_your_move_only_and_its_reply_is_stale() {
    let mut game = game(json!({"ruleset": "baduk"}));
    exchange(&mut game, "C3", "G7");
    game.command(AKI, game.next_move("E5")).expect("played");
    let task = game.table.computer_task().expect("a task");
    take_back(&mut game).expect("taken back");
    assert_eq!(game.table.turn(), 2);
    assert_eq!(game.table.computer_task(), None);
    let late = json!({"type": "play", "point": "D5", "turn": 3});
    assert_eq!(answer_to(&mut game, task, late.clone()), Err(Refusal::StaleTurn));
    // Also when the player has moved again meanwhile, and the turn fits.
    game.command(AKI, game.next_move("E4")).expect("played");
    assert_eq!(answer_to(&mut game, task, late), Err(Refusal::StaleTurn));
}

#[test]
fn t9_an_answer_of_the_computers_to_what_was_taken_back_is_stale_whatever_it_is() {
    for late in [
        json!({"type": "play", "point": "D5", "turn": 3}),
        json!({"type": "pass", "turn": 3}),
        json!({"type": "resign"}),
        json!({"type": "answer", "kind": "score", "accept": true, "turn": 3}),
    ] {
        let mut game = game(json!({"ruleset": "baduk"}));
        exchange(&mut game, "C3", "G7");
        game.command(AKI, game.next_move("E5")).expect("played");
        let task = game.table.computer_task().expect("a task");
        take_back(&mut game).expect("taken back");
        for next in [None, Some("E4")] {
            if let Some(point) = next {
                game.command(AKI, game.next_move(point)).expect("played");
            }
            let answered = answer_to(&mut game, task, late.clone());
            assert_eq!(answered, Err(Refusal::StaleTurn), "{late} after {next:?}");
            assert_eq!(game.table.phase, Phase::Playing);
        }
        // What it says to the position as it is now stands.
        computer_says(&mut game, json!({"type": "resign"})).expect("resigned");
        assert_eq!(game.table.result().expect("over").sgf, "B+R");
    }
}

#[test]
fn t9_takebacks_are_refused_when_the_table_is_full_and_moves_never() {
    let mut game = game(json!({"ruleset": "baduk"}));
    exchange(&mut game, "E5", "C3");
    game.table.seq = Seq(facts::MOST_EVENTS - 1);
    take_back(&mut game).expect("the last that has room");
    exchange(&mut game, "E5", "C3");
    assert_eq!(take_back(&mut game), Err(Refusal::NoRoom));
    exchange(&mut game, "G7", "pass");
    let turn = game.table.turn();
    game.command(AKI, json!({"type": "request", "kind": "score", "turn": turn}))
        .expect("asked");
    computer_says(
        &mut game,
        json!({"type": "answer", "kind": "score", "accept": false}),
    )
    .expect("declined");
    game.command(AKI, game.next_move("pass")).expect("passed");
    assert_eq!(game.table.phase.name(), "counting");
    game.command(AKI, json!({"type": "resign"})).expect("resigned");
}

#[test]
fn t9_a_pass_against_the_computer_is_taken_back_too() {
    let mut game = game(json!({"ruleset": "baduk"}));
    exchange(&mut game, "pass", "E5");
    take_back(&mut game).expect("taken back");
    assert_eq!(game.table.turn(), 0);
    assert_eq!(game.snapshot(&viewer(AKI))["prisoners"]["white"]["passes"], 0);
}

#[test]
fn t9_without_a_move_of_your_own_there_is_nothing_to_take_back() {
    let mut game = game(json!({"ruleset": "baduk", "color": "white"}));
    assert_eq!(take_back(&mut game), Err(Refusal::NotYourLastMove));
    let first = game.next_move("E5");
    computer_says(&mut game, first).expect("played");
    assert_eq!(take_back(&mut game), Err(Refusal::NotYourLastMove));
}

#[test]
fn t9_takebacks_against_the_computer_are_free_however_many() {
    let mut game = game(json!({"ruleset": "baduk"}));
    for _ in 0..15 {
        exchange(&mut game, "E5", "C3");
        take_back(&mut game).expect("taken back");
    }
    assert_eq!(game.snapshot(&viewer(AKI))["requests_left"]["black"], 10);
}

#[test]
fn c8_a_takeback_against_the_computer_gives_both_clocks_back() {
    let clock = json!({"system": "fischer", "initial_ms": 60000, "increment_ms": 5000});
    let mut game = game(json!({"ruleset": "baduk", "clock": clock}));
    // Two seconds for each move: one for the story's own step, one waited.
    game.wait(1000);
    exchange(&mut game, "E5", "C3");
    let events = take_back(&mut game).expect("taken back");
    let told = serde_json::to_value(&events[0]).expect("serialises");
    // Black's move arrived after two seconds; White had spent nothing then.
    assert_eq!(told["clock"]["black"]["main_ms"], 58000);
    assert_eq!(told["clock"]["white"]["main_ms"], 60000);
    assert_eq!(told["clock"]["running"], "black");
}

#[test]
fn t8_the_computer_answers_a_request_to_score_and_agrees_when_it_would_pass() {
    let mut game = game(json!({"ruleset": "baduk"}));
    exchange(&mut game, "E5", "C3");
    let turn = game.table.turn();
    let asked = json!({"type": "request", "kind": "score", "turn": turn});
    game.command(AKI, asked).expect("asked");
    let task = game.table.computer_task().expect("a task");
    assert_eq!(task.kind, TaskKind::AnswerScore);
    let agreed = json!({"type": "answer", "kind": "score", "accept": true, "turn": turn});
    let events = computer_says(&mut game, agreed).expect("agreed");
    assert_eq!(kinds(&events), ["answered", "counting"]);
}

#[test]
fn t8_a_computer_that_passes_while_it_is_asked_to_score_has_agreed() {
    let mut game = game(json!({"ruleset": "baduk"}));
    exchange(&mut game, "E5", "C3");
    game.command(AKI, game.next_move("G7")).expect("played");
    let thinking = game.table.computer_task().expect("a task");
    assert_eq!(thinking.kind, TaskKind::Move);
    let turn = game.table.turn();
    game.command(AKI, json!({"type": "request", "kind": "score", "turn": turn}))
        .expect("asked");
    let pass = game.next_move("pass");
    let events = answer_to(&mut game, thinking, pass).expect("agreed");
    assert_eq!(kinds(&events), ["answered", "counting"]);
    let told = serde_json::to_value(&events).expect("serialises");
    assert_eq!(
        (&told[0]["by"], &told[0]["accepted"], &told[1]["reason"]),
        (&json!("white"), &json!(true), &json!("score_request"))
    );
    assert_eq!(
        (game.table.turn(), kinds(&game.assess(&[]))),
        (turn, vec!["finished".to_owned()])
    );
    Table::replay(game.events.clone()).expect("replays");
}

#[test]
fn t8_a_move_makes_what_was_asked_void_unless_it_is_the_computers_yes() {
    // The computer plays on: that is no yes.
    let mut game = game(json!({"ruleset": "baduk"}));
    game.command(AKI, game.next_move("E5")).expect("played");
    let thinking = game.table.computer_task().expect("a task");
    let asked = json!({"type": "request", "kind": "score", "turn": 1});
    game.command(AKI, asked).expect("asked");
    let reply = game.next_move("C3");
    let events = answer_to(&mut game, thinking, reply).expect("played");
    assert_eq!(kinds(&events), ["played", "expired"]);
    // The asker passes himself, and so does a person who is asked: no yes either.
    let ask = |game: &mut Game| {
        let turn = game.table.turn();
        let asked = json!({"type": "request", "kind": "score", "turn": turn});
        game.command(AKI, asked).expect("asked");
    };
    ask(&mut game);
    let pass = game.next_move("pass");
    let events = game.command(AKI, pass).expect("passed");
    assert_eq!(kinds(&events), ["passed", "expired"]);
    let mut people = Game::baduk();
    people.play("E5");
    ask(&mut people);
    let events = people.command(BO, people.next_move("pass")).expect("passed");
    assert_eq!(kinds(&events), ["passed", "expired"]);
    // What ends the play comes last.
    ask(&mut people);
    let events = people.command(AKI, people.next_move("pass")).expect("passed");
    assert_eq!(kinds(&events), ["passed", "expired", "counting"]);
}

#[test]
fn g7_no_preview_is_made_for_the_computer() {
    let mut game = game(json!({"ruleset": "nine"}));
    let pass = game.next_move("pass");
    let events = game.command(AKI, pass).expect("passed");
    assert_eq!(game.table.preview_after(&events), None);
    let reply = game.next_move("E5");
    computer_says(&mut game, reply).expect("played");
    game.command(AKI, game.next_move("D4")).expect("played");
    let pass = game.next_move("pass");
    let events = computer_says(&mut game, pass).expect("passed");
    assert_eq!(game.table.preview_after(&events), Some(&player(AKI).id));
}

#[test]
fn t9_takebacks_against_the_computer_need_no_takebacks_between_people() {
    let computer = terms(json!({"kind": "computer", "level": "easy"}));
    let without = ruleset_without_requests();
    let terms = Terms {
        ruleset: without,
        ..computer
    };
    assert!(terms.allow_request(RequestKind::Takeback));
    assert!(!terms.allow_request(RequestKind::Score));
    let people = Terms {
        opponent: Opponent::Anyone,
        ..terms
    };
    assert!(!people.allow_request(RequestKind::Takeback));
}

#[test]
fn t8_the_computer_declines_a_draw() {
    let mut game = game(json!({"ruleset": "baduk"}));
    let with_draws = crate::ruleset::Ruleset {
        requests: &[RequestKind::Draw],
        ..*game.table.terms.ruleset
    };
    game.table.terms.ruleset = Box::leak(Box::new(with_draws));
    let asked = json!({"type": "request", "kind": "draw", "turn": 0});
    let events = game.command(AKI, asked).expect("asked");
    assert_eq!(kinds(&events), ["requested", "answered"]);
    let told = serde_json::to_value(&events[1]).expect("serialises");
    assert_eq!((&told["by"], &told["accepted"]), (&json!("white"), &json!(false)));
    assert_eq!(game.table.phase, Phase::Playing);
}

#[test]
fn t11_the_computer_plays_again_at_once_and_a_chosen_color_is_kept() {
    for (color, again) in [("black", "black"), ("white", "white"), ("random", "black")] {
        let mut game = game(json!({"ruleset": "baduk", "color": color}));
        game.command(AKI, json!({"type": "resign"})).expect("resigned");
        let events = game.command(AKI, json!({"type": "rematch"})).expect("agreed");
        assert_eq!(kinds(&events), ["rematch"]);
        let opening = game.table.rematch().expect("a game");
        let next = Table::replay(open_started(opening, Timestamp::from_millis(0))).expect("opens");
        assert_eq!(
            next.seat_of(&player(AKI).id).map(|color| json!(color)),
            Some(json!(again)),
            "{color}"
        );
        assert_eq!(next.computer().map(|(_, level)| level), Some(Level::Easy));
    }
}

#[test]
fn a2_no_game_against_the_computer_is_rated() {
    let asked =
        json!({"ruleset": "baduk", "ranked": true, "opponent": {"kind": "computer", "level": "hard"}});
    let asked = crate::wire::decode::<TermsRequest>(asked).expect("readable");
    assert!(matches!(
        asked.grant(Challenge::new().alone()),
        Err(TermsError::NotAllowed { field: "ranked", .. })
    ));
}

fn terms(opponent: Value) -> Terms {
    let asked = json!({"ruleset": "baduk", "opponent": opponent});
    let asked = crate::wire::decode::<TermsRequest>(asked).expect("readable");
    asked.grant(Challenge::new().alone()).expect("granted")
}

fn ruleset_without_requests() -> &'static crate::ruleset::Ruleset {
    let baduk = crate::ruleset::Ruleset::by_id("baduk").expect("a ruleset");
    Box::leak(Box::new(crate::ruleset::Ruleset {
        requests: &[],
        ..*baduk
    }))
}

#[test]
fn a2_a_computer_that_does_not_answer_is_asked_again_and_then_gives_up() {
    let mut game = game(json!({"ruleset": "baduk"}));
    game.command(AKI, game.next_move("E5")).expect("played");
    let told = |events: &[Event]| serde_json::to_value(&events[0]).expect("serialises");
    let asked_at = game.now;
    assert_eq!(
        game.table.next_deadline(),
        Some(Timestamp::from_millis(asked_at + 30_000))
    );
    let first = told(&game.wait(asked_at + 30_000));
    assert_eq!(
        (&first["attempt"], &first["why"]),
        (&json!(1), &json!("timed_out"))
    );
    assert_eq!(first["retry_at"], asked_at + 31_000);
    game.now = asked_at + 31_000;
    // The second try breaks off at once.
    let task = game.table.computer_task().expect("a task");
    let second = told(&game.take(Input::ComputerFailed { task }).expect("noted"));
    assert_eq!(
        (&second["attempt"], &second["why"]),
        (&json!(2), &json!("broke_off"))
    );
    // A third failure, and the opponent has won.
    let last = game.table.computer_task().expect("a task");
    let events = game.take(Input::ComputerFailed { task: last }).expect("noted");
    assert_eq!(kinds(&events), ["computer_failed", "finished"]);
    assert_eq!(told(&events)["retry_at"], Value::Null);
    assert_eq!(game.table.result().expect("over").sgf, "B+R");
    // A failure that comes once more is no news.
    assert_eq!(game.take(Input::ComputerFailed { task }), Ok(Vec::new()));
}

#[test]
fn a2_an_answer_that_comes_after_it_was_given_up_stands() {
    let mut game = game(json!({"ruleset": "baduk"}));
    game.command(AKI, game.next_move("E5")).expect("played");
    let task = game.table.computer_task().expect("a task");
    game.wait(game.now + 30_000);
    let reply = game.next_move("C3");
    answer_to(&mut game, task, reply).expect("played");
    assert_eq!(game.table.turn(), 2);
    assert_eq!(
        Table::replay(game.events.clone())
            .expect("replays")
            .computer_task(),
        None
    );
}

#[test]
fn c9_an_outage_is_not_the_computers_failure() {
    let mut game = game(json!({"ruleset": "baduk"}));
    game.command(AKI, game.next_move("E5")).expect("played");
    let events = game.wait(game.now + 3_600_000);
    assert_eq!(kinds(&events), ["outage"]);
    assert_eq!(game.table.computer_task().expect("a task").failed, 0);
}

#[test]
fn h5_against_the_computer_either_may_receive_opening_stones() {
    let hex = |receiver: &str| {
        let terms = json!({"ruleset": "hex", "handicap": 2, "handicap_receiver": receiver,
            "opponent": {"kind": "computer", "level": "easy"}});
        Game::waiting(terms)
    };
    let own = hex(player(AKI).id.as_str());
    assert_eq!(own.table.seat_of(&player(AKI).id), Some(Color::Black));
    assert_eq!(own.table.computer_task(), None);
    let computers = hex("computer");
    assert_eq!(computers.snapshot(&viewer(AKI))["handicap_receiver"], "computer");
    assert_eq!(computers.table.seat_of(&player(AKI).id), Some(Color::White));
    assert_eq!(
        computers.table.computer_task().map(|task| task.color),
        Some(Color::Black)
    );
}

#[test]
fn t9_no_takeback_against_the_computer_reaches_across_a_resumption() {
    let mut game = Game::waiting(
        json!({"ruleset": "aga", "board": "9x9", "color": "black", "opponent": {"kind": "computer", "level": "easy"}}),
    );
    let computer = game.table.seats().expect("seats").white.id.clone();
    let mut play = |by_computer: bool, command: Value| {
        let Input::Command { by, message, spare } = input(AKI, command) else {
            panic!("a command");
        };
        let by = if by_computer { computer.clone() } else { by };
        game.take(Input::Command { by, message, spare }).expect("stands");
        game.table.turn()
    };
    play(false, json!({"type": "pass", "turn": 0}));
    play(true, json!({"type": "pass", "turn": 1}));
    let turn = play(false, json!({"type": "resume"}));
    let back = json!({"type": "request", "kind": "takeback", "turn": turn});
    assert_eq!(game.command(AKI, back), Err(Refusal::NotYourLastMove));
}

/// An `aga` game in which White has a lone stone in Black's area, to the end of play: AKI is Black.
fn marking() -> (Game, Verdict) {
    let mut game = game(json!({"ruleset": "aga", "board": "9x9"}));
    exchange(&mut game, "E5", "C3");
    exchange(&mut game, "pass", "pass");
    let lone = game
        .table
        .position()
        .geometry()
        .point("C3".parse().expect("a name"));
    let verdict = Verdict {
        dead: lone.into_iter().collect(),
        assessed_by: None,
    };
    (game, verdict)
}

/// The computer says the next thing about the marking.
fn computer_marks(game: &mut Game, verdict: &Verdict) -> Vec<String> {
    let task = game.table.computer_task().expect("a task");
    let command = game.table.computer_marks(verdict).expect("something to say");
    let input = Input::Command {
        by: Player::computer(Level::Easy).id,
        message: CommandMessage {
            command,
            seen: Some(task.seen),
            id: None,
        },
        spare: Spare {
            id: [4; 16],
            invite: [3; 26],
        },
    };
    kinds(&game.take(input).expect("taken"))
}

#[test]
fn g8_the_computer_marks_what_its_assessor_calls_dead_and_accepts_that() {
    let (mut game, verdict) = marking();
    assert!(matches!(
        game.table.computer_task().expect("a task").kind,
        TaskKind::Mark { version: 0 }
    ));
    assert_eq!(computer_marks(&mut game, &verdict), ["marked"]);
    assert_eq!(computer_marks(&mut game, &verdict), ["score_accepted"]);
    assert_eq!(game.table.computer_task(), None);
    let accepted = json!({"type": "accept_score", "marking": 1});
    let events = game.command(AKI, accepted).expect("agreed");
    assert_eq!(kinds(&events), ["score_accepted", "finished"]);
    let result = game.table.result().expect("over");
    assert_eq!(result.score.as_ref().expect("counted").dead.white.len(), 1);
}

#[test]
fn g8_the_computer_accepts_no_other_marking_than_its_own() {
    let (mut game, verdict) = marking();
    computer_marks(&mut game, &verdict);
    computer_marks(&mut game, &verdict);
    // The player thinks otherwise: the computer neither agrees nor marks again.
    game.command(AKI, json!({"type": "mark", "point": "C3", "dead": false}))
        .expect("marked");
    assert_eq!(game.table.computer_marks(&verdict), None);
    // Unless the player comes round.
    game.command(AKI, json!({"type": "mark", "point": "C3", "dead": true}))
        .expect("marked");
    assert_eq!(computer_marks(&mut game, &verdict), ["score_accepted"]);
}

#[test]
fn g8_the_computer_says_nothing_more_about_a_marking_that_cannot_change() {
    let (mut game, verdict) = marking();
    let Phase::Marking(marking) = &mut game.table.phase else {
        panic!("they are marking");
    };
    marking.version = marking::MOST_CHANGES;
    assert_eq!(game.table.computer_marks(&verdict), None);
    let as_it_stands = game.table.computer_marks(&Verdict::default());
    assert_eq!(
        as_it_stands,
        Some(Command::AcceptScore {
            marking: marking::MOST_CHANGES
        })
    );
}

#[test]
fn g8_a_computer_that_cannot_judge_leaves_the_marking_to_its_end() {
    let (mut game, _) = marking();
    for _ in 0..3 {
        game.now += 5000;
        let task = game.table.computer_task().expect("a task");
        game.take(Input::ComputerFailed { task }).expect("noted");
    }
    assert_eq!(game.table.computer_task(), None);
    assert_eq!(game.table.phase().name(), "counting");
    let resumes_at = game.table.next_deadline().expect("a deadline");
    assert_eq!(kinds(&game.wait(resumes_at.as_millis())), ["resumed"]);
}
