//! The event list is the truth: a table is its replay, also through the stored form.

use super::*;
use proptest::prelude::*;

/// The events as they come back from storage.
fn stored(events: &[Event]) -> Vec<Event> {
    let rows = events
        .iter()
        .map(|event| serde_json::to_string(event).expect("serialises"));
    rows.map(|row| serde_json::from_str(&row).expect("reads back"))
        .collect()
}

#[track_caller]
fn check_replay(game: &Game) {
    assert_eq!(stored(&game.events), game.events);
    let replayed = Table::replay(stored(&game.events)).expect("replays");
    let again = Game {
        table: replayed,
        events: Vec::new(),
        now: game.now,
    };
    for viewer in [viewer(AKI), viewer(BO), viewer(CHI)] {
        assert_eq!(again.snapshot(&viewer), game.snapshot(&viewer));
    }
}

#[test]
fn a_finished_game_replays_from_its_stored_events() {
    let mut game = Game::started(json!({"ruleset": "baduk", "board": "13x13", "handicap": 2}));
    game.play("C3 pass G7 pass pass");
    game.assess(&[]);
    check_replay(&game);
    let mut hex = Game::started(json!({"ruleset": "hex"}));
    hex.play("F6 F7");
    check_replay(&hex);
}

#[test]
fn events_that_do_not_follow_are_refused() {
    let mut game = Game::baduk();
    game.play("E5 D4");
    let mut missing = game.events.clone();
    missing.remove(3);
    assert_eq!(
        Table::replay(missing).err(),
        Some(ReplayError::Gap {
            after: Seq(3),
            found: Seq(5)
        })
    );
    let headless = game.events[1..].to_vec();
    assert_eq!(
        Table::replay(headless).err(),
        Some(ReplayError::Misplaced(Seq(2)))
    );
    assert_eq!(
        Table::replay(Vec::new()).err(),
        Some(ReplayError::Misplaced(Seq(0)))
    );
    let mut twice = game.events.clone();
    let mut played = twice[3].clone();
    played.seq = Seq(6);
    twice.push(played);
    assert!(matches!(
        Table::replay(twice),
        Err(ReplayError::BadMove { seq: Seq(6), .. })
    ));
}

/// Something that happens to a table; most of it is refused.
#[derive(Clone, Debug)]
enum Happening {
    /// A player, or one who watches, sends this, for a turn that may be off by one.
    Sent { by: u8, command: Value, off: i64 },
    /// Somebody says something.
    Said { by: u8 },
    /// The computer answers what the table waits for: with its nth legal play, or a pass, or not at all.
    Answered { pick: usize },
    /// So many milliseconds pass.
    Waited { millis: i64 },
    /// The assessor says that nothing is dead, or fails.
    Assessed { fails: bool },
}

fn happenings() -> impl Strategy<Value = Happening> {
    let by = || prop::sample::select(vec![AKI, BO, BO, AKI, CHI]);
    let column = prop::sample::select(vec!["A", "B", "C", "D", "E", "F"]);
    let point = (column, 1u8..7).prop_map(|(column, row)| format!("{column}{row}"));
    let point = || point.clone();
    let asked = || prop::sample::select(vec!["takeback", "score", "draw"]);
    let command = prop_oneof![
        12 => point().prop_map(|point| json!({"type": "play", "point": point, "turn": 0})),
        3 => Just(json!({"type": "pass", "turn": 0})),
        3 => asked().prop_map(|kind| json!({"type": "request", "kind": kind, "turn": 0})),
        3 => (asked(), any::<bool>())
            .prop_map(|(kind, accept)| json!({"type": "answer", "kind": kind, "accept": accept})),
        1 => asked().prop_map(|kind| json!({"type": "withdraw", "kind": kind})),
        3 => (point(), any::<bool>())
            .prop_map(|(point, dead)| json!({"type": "mark", "point": point, "dead": dead})),
        2 => (0u32..4).prop_map(|version| json!({"type": "accept_score", "marking": version})),
        2 => prop::sample::select(vec!["resume", "rematch", "decline_rematch"])
            .prop_map(|kind| json!({"type": kind})),
    ];
    // Mostly the turn that it is.
    let off = prop::sample::select(vec![0, 0, 0, 0, -1, 1]);
    let sent = (by(), command, off).prop_map(|(by, command, off)| Happening::Sent { by, command, off });
    let waits = prop::sample::select(vec![100, 1000, 29_000, 31_000, 121_000, 3_600_000]);
    prop_oneof![
        30 => sent,
        1 => by().prop_map(|by| Happening::Said { by }),
        10 => any::<usize>().prop_map(|pick| Happening::Answered { pick }),
        2 => waits.prop_map(|millis| Happening::Waited { millis }),
        2 => any::<bool>().prop_map(|fails| Happening::Assessed { fails }),
    ]
}

/// The tables to which it happens: with every way to agree on a result, with a clock, and against the computer.
fn tables() -> impl Strategy<Value = Value> {
    let canadian = json!({"system": "canadian", "main_ms": 60_000, "period_ms": 60_000, "stones": 25});
    let computer = json!({"kind": "computer", "level": "easy"});
    prop::sample::select(vec![
        json!({"ruleset": "baduk", "board": "5x5"}),
        json!({"ruleset": "baduk", "board": "5x5", "opponent": computer}),
        json!({"ruleset": "aga", "board": "9x9", "clock": canadian}),
        json!({"ruleset": "aga", "board": "9x9", "opponent": computer}),
        json!({"ruleset": "hex", "clock": {"system": "per_move", "period_ms": 60_000}}),
    ])
}

/// A game in which AKI is Black, with BO or the computer at the table.
fn begun(mut terms: Value) -> Game {
    terms["color"] = json!("black");
    let game = Game::waiting(terms);
    match game.table.computer() {
        Some(_) => game,
        None => game.joined(),
    }
}

impl Game {
    fn go_on(&mut self, happening: Happening) {
        if let Happening::Waited { millis } = happening {
            self.wait(self.now + millis);
            return;
        }
        let Some(input) = self.read(happening) else {
            return;
        };
        let before = self.table.seq();
        match step(&self.table, input, Timestamp::from_millis(self.now)) {
            Ok(Outcome::Events(events)) => {
                for event in events {
                    self.table.apply(&event).expect("follows");
                    self.events.push(event);
                }
            }
            Ok(Outcome::Repeated(seq)) => assert!(seq <= before),
            Err(_) => {}
        }
    }

    /// What happens as the table's input; `None` where there is nothing to answer.
    fn read(&self, happening: Happening) -> Option<Input> {
        match happening {
            Happening::Sent { by, mut command, off } => {
                if let Some(turn) = command.get_mut("turn") {
                    *turn = json!((i64::from(self.table.turn()) + off).max(0));
                }
                // Most points are empty: a mark is made on a stone where there is one.
                let stones = self.table.stones_shown();
                if command["type"] == "mark"
                    && let Some(stone) = stones.black.first().or(stones.white.first())
                {
                    command["point"] = json!(stone);
                }
                Some(input(by, command))
            }
            Happening::Said { by } => Some(Input::Chat {
                saying: Saying {
                    speaker: Speaker::from(&player(by)),
                    text: ChatText::try_from("atari".to_owned()).expect("a line"),
                },
                seen: None,
            }),
            Happening::Answered { pick } => self.computers_answer(pick),
            Happening::Waited { .. } => None,
            Happening::Assessed { fails } => {
                let now = Timestamp::from_millis(self.now);
                let WantedVerdict { turn, attempt, .. } = self.table.wanted_verdict(now)?;
                let verdict = Verdict::default();
                Some(match fails {
                    true => Input::AssessmentFailed { attempt },
                    false => Input::Assessed {
                        turn,
                        attempt,
                        verdict,
                    },
                })
            }
        }
    }

    fn computers_answer(&self, pick: usize) -> Option<Input> {
        let task = self.table.computer_task()?;
        let turn = task.turn;
        let legal = super::limits::legal_points(&self.table);
        let command = match task.kind {
            _ if pick.is_multiple_of(17) => return Some(Input::ComputerFailed { task }),
            TaskKind::AnswerScore => {
                json!({"type": "answer", "kind": "score", "accept": pick.is_multiple_of(2), "turn": turn})
            }
            TaskKind::Mark { version } => json!({"type": "accept_score", "marking": version}),
            TaskKind::Move => match legal.get(pick % (legal.len() + 1)) {
                Some(point) => json!({"type": "play", "point": point, "turn": turn}),
                None => json!({"type": "pass", "turn": turn}),
            },
        };
        let Input::Command { message, spare, .. } = input(AKI, command) else {
            return None;
        };
        let by = Player::computer(Level::Easy).id;
        Some(Input::Command { by, message, spare })
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn prop_whatever_happens_leaves_a_table_that_its_events_replay(
        terms in tables(),
        happenings in prop::collection::vec(happenings(), 1..120),
    ) {
        let mut game = begun(terms);
        happenings.into_iter().for_each(|happening| game.go_on(happening));
        prop_assert_eq!(game.events.len(), game.table.seq().0 as usize);
        check_replay(&game);
    }
}

/// The random games above are of use only if they come to everything that a game can come to.
#[test]
fn random_happenings_come_to_every_kind_of_event_of_a_game() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..300 {
        let drawn = (tables(), prop::collection::vec(happenings(), 120)).new_tree(&mut runner);
        let (terms, happenings) = drawn.expect("nothing is filtered out").current();
        let mut game = begun(terms);
        happenings.into_iter().for_each(|happening| game.go_on(happening));
        seen.extend(kinds(&game.events));
    }
    for kind in [
        "played",
        "passed",
        "requested",
        "answered",
        "withdrawn",
        "expired",
        "taken_back",
        "outage",
        "counting",
        "marked",
        "score_accepted",
        "resumed",
        "computer_failed",
        "finished",
        "chat",
        "rematch_offered",
        "rematch_declined",
        "rematch",
    ] {
        assert!(seen.contains(kind), "{kind} never happens: {seen:?}");
    }
}

#[test]
fn a_game_that_has_travelled_comes_to_the_same_board() {
    let mut game = Game::started(json!({"ruleset": "baduk", "board": "9x9", "handicap": 2}));
    game.play("A2 J9 A1 B1 J8 pass B2");
    let so_far = game.table.so_far();
    let sent = serde_json::to_string(&so_far).expect("serialises");
    let arrived: GameSoFar = serde_json::from_str(&sent).expect("readable");
    assert_eq!(arrived, so_far);
    let board = arrived.board().expect("plays");
    assert_eq!(&board.position, game.table.position());
    assert_eq!(board.moves.len(), game.table.moves().len());
    let forbidden =
        |history: &crate::rules::History| history.forbidden(&board.position, game.table.to_move());
    assert_eq!(forbidden(&board.history), forbidden(&game.table.history));
}
