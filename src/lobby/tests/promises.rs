//! Random stories of players who search, open tables and sit down at others while lobbies pair them, and messages are late, lost and
//! doubled: nobody is given a game while another one begins for him, and nobody is kept for one that never comes (L2, T3).

use super::*;
use crate::game::{
    Input, InviteCode, NewTable, Opening, Outcome, Parties, Stage, Standing, Table, TableId, TermsRequest,
    open, open_started, step,
};
use crate::rules::{Color, PerColor};
use proptest::prelude::*;
use std::collections::BTreeSet;

const PLAYERS: u32 = 4;

/// How long a call that somebody has sent may be on its way at most.
const LONGEST_CALL: i64 = 15_000;

/// What becomes of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Luck {
    Answered,
    /// It has come, but its answer has not.
    AnswerLost,
    /// It has not come; it may come much later.
    Lost,
}

/// Something that a player has begun at a table, of which his own object knows.
#[derive(Clone, Debug)]
struct Call {
    player: u32,
    table: TableId,
    opens: bool,
    began: i64,
}

/// A player's object that is committing him.
#[derive(Clone, Debug)]
struct Committing {
    promise: Promise,
    doubts: Vec<TableId>,
    settled: BTreeSet<TableId>,
}

#[derive(Clone, Debug)]
struct Kept {
    pairing: Pairing,
    attempts: u32,
    /// The answers of the round so far, by search.
    answers: Vec<(SearchId, Option<Claim>)>,
    committing: Option<Committing>,
}

/// All objects, as they are stored, and what is on its way between them.
struct World {
    now: i64,
    ids: u32,
    agendas: Vec<Agenda>,
    tables: BTreeMap<TableId, Table>,
    /// When each game began that a lobby has opened.
    found: BTreeMap<TableId, i64>,
    pool: Vec<Search>,
    pairings: Vec<Kept>,
    words: Vec<(u32, Standing)>,
    calls: Vec<Call>,
    late_claims: Vec<(u32, SearchId, TableId)>,
}

fn id_of(number: u32) -> PlayerId {
    player(number, None).id
}

fn number_of(id: &PlayerId) -> u32 {
    (0..PLAYERS)
        .find(|number| id_of(*number) == *id)
        .expect("one of them")
}

impl World {
    fn new() -> World {
        World {
            now: 0,
            ids: 100,
            agendas: vec![Agenda::default(); PLAYERS as usize],
            tables: BTreeMap::new(),
            found: BTreeMap::new(),
            pool: Vec::new(),
            pairings: Vec::new(),
            words: Vec::new(),
            calls: Vec::new(),
            late_claims: Vec::new(),
        }
    }

    fn fresh(&mut self) -> u32 {
        self.ids += 1;
        self.ids
    }

    fn fresh_table(&mut self) -> TableId {
        TableId::from_seed(seed(self.fresh()))
    }

    fn agenda(&mut self, player: u32) -> &mut Agenda {
        &mut self.agendas[player as usize]
    }

    /// What a player's object wants done elsewhere.
    fn follow(&mut self, player: u32, effects: Effects) {
        for duty in effects.duties {
            match duty {
                Duty::LeaveLobby { search, .. } => self.pool.retain(|other| other.id != search),
                Duty::CloseTable { table } => self.close(player, &table),
                Duty::Attend { .. } => {}
            }
        }
    }

    fn close(&mut self, player: u32, table: &TableId) {
        let waits = self
            .tables
            .get(table)
            .is_some_and(|table| table.waits_for(&id_of(player)));
        if waits {
            self.change(table, Input::Close { by: id_of(player) });
        }
    }

    /// Gives a table an input, and has its word on the way to its people. Says whether it was taken.
    fn change(&mut self, id: &TableId, input: Input) -> bool {
        let now = at(self.now);
        let Some(table) = self.tables.get_mut(id) else {
            return false;
        };
        let Ok(Outcome::Events(events)) = step(table, input, now) else {
            return false;
        };
        for event in &events {
            table.apply(event).expect("applies");
        }
        self.spread(id);
        true
    }

    fn spread(&mut self, id: &TableId) {
        let table = &self.tables[id];
        let words = table.concerns().into_iter();
        let words = words.map(|player| (number_of(&player.id), table.standing(&player.id, false)));
        let words: Vec<(u32, Standing)> = words.collect();
        self.words.extend(words);
    }

    fn seek(&mut self, player_number: u32) {
        let id = SearchId::from_seed(seed(self.fresh()));
        let fresh = search(player_number, 1200, self.now);
        let now = at(self.now);
        let (effects, begun) = self.agenda(player_number).seek(Search { id, ..fresh }, now);
        self.follow(player_number, effects);
        if begun.is_ok() {
            let entered = self.agenda(player_number).pooled().cloned();
            self.pool.extend(entered);
        }
    }

    fn cancel(&mut self, player: u32) {
        let now = at(self.now);
        let (effects, _) = self.agenda(player).cancel(now);
        self.follow(player, effects);
    }

    /// A player begins to open a table, or to sit down at the one of another.
    fn begin_call(&mut self, player: u32, choice: usize, opens: bool) {
        let others = self.tables.iter().filter(|(_, table)| {
            table.phase().stage() == Stage::Waiting && table.creator().id != id_of(player)
        });
        let others: Vec<TableId> = others.map(|(id, _)| id.clone()).collect();
        let table = match opens {
            true => self.fresh_table(),
            false if others.is_empty() => return,
            false => others[choice % others.len()].clone(),
        };
        let now = at(self.now);
        let (effects, seated) = self.agenda(player).sit_down(&table, now);
        self.follow(player, effects);
        if seated.is_ok() {
            let began = self.now;
            self.calls.push(Call {
                player,
                table,
                opens,
                began,
            });
        }
    }

    /// It comes to the table, or never does.
    fn land(&mut self, choice: usize, luck: Luck) {
        if self.calls.is_empty() {
            return;
        }
        let call = self.calls.remove(choice % self.calls.len());
        if luck == Luck::Lost {
            return;
        }
        let taken = match call.opens {
            true => self.open_table(&call),
            false => self.join(&call),
        };
        if !taken && luck == Luck::Answered {
            let now = at(self.now);
            let effects = self.agenda(call.player).stand_up(&call.table, now);
            self.follow(call.player, effects);
        }
    }

    fn open_table(&mut self, call: &Call) -> bool {
        let terms: TermsRequest = wire::decode(json!({"ruleset": "baduk", "board": "9x9"})).expect("terms");
        let creator = id_of(call.player);
        let parties = Parties {
            creator: &creator,
            challenged: None,
        };
        let new = NewTable {
            terms: terms.grant(parties).expect("granted"),
            creator: player(call.player, None),
            invite: InviteCode::new(call.table.clone(), [3; 26]),
            draw: Color::Black,
        };
        let table = Table::replay(open(new, at(self.now))).expect("opens");
        self.tables.insert(call.table.clone(), table);
        self.spread(&call.table);
        true
    }

    fn join(&mut self, call: &Call) -> bool {
        let input = Input::Join {
            player: player(call.player, None),
            draw: Color::Black,
        };
        if !self.change(&call.table, input) {
            return false;
        }
        let table = &self.tables[&call.table];
        let (creator, created) = (
            table.creator().id.clone(),
            table.standing(&id_of(call.player), false).created_at,
        );
        self.check_not_found_since(&creator, created, &call.table);
        self.check_not_found_since(&id_of(call.player), at(call.began), &call.table);
        true
    }

    /// Nothing that somebody had begun at a table becomes a game once a lobby has opened another for him.
    fn check_not_found_since(&self, player: &PlayerId, since: Timestamp, here: &TableId) {
        for (table, opened) in &self.found {
            let his = self.tables[table].seat_of(player).is_some();
            assert!(
                !his || at(*opened) < since,
                "{player} was given {table}, and {here} begins, which he had begun before"
            );
        }
    }

    /// A table's word comes to one of its people; perhaps it comes again.
    fn deliver(&mut self, choice: usize, again: bool) {
        if self.words.is_empty() {
            return;
        }
        let place = choice % self.words.len();
        let (player, standing) = self.words[place].clone();
        if !again {
            self.words.remove(place);
        }
        self.hear(player, standing);
    }

    fn hear(&mut self, player: u32, standing: Standing) {
        let now = at(self.now);
        let effects = self.agenda(player).hear(standing, now);
        self.follow(player, effects);
    }

    /// The lobby pairs two who are free by what it knows.
    fn pair(&mut self, one: usize, other: usize) {
        let held: BTreeSet<SearchId> = self
            .pairings
            .iter()
            .flat_map(|kept| &kept.pairing.searches)
            .map(|paired| paired.search.clone())
            .collect();
        let now = at(self.now);
        let free = self
            .pool
            .iter()
            .filter(|search| !held.contains(&search.id) && now < search.expires_at());
        let free: Vec<Search> = free.cloned().collect();
        if free.len() < 2 {
            return;
        }
        let (one, other) = (&free[one % free.len()], &free[other % free.len()]);
        if one.player.id == other.player.id {
            return;
        }
        let opening = Opening {
            terms: one.terms.clone(),
            creator: one.player.clone(),
            invite: InviteCode::new(self.fresh_table(), [3; 26]),
            seats: PerColor {
                black: one.player.clone(),
                white: other.player.clone(),
            },
        };
        self.pairings.push(Kept {
            pairing: Pairing::new(&[one, other], opening),
            attempts: 0,
            answers: Vec::new(),
            committing: None,
        });
    }

    /// A pairing goes on by one message.
    fn carry(&mut self, choice: usize, luck: Luck) {
        if self.pairings.is_empty() {
            return;
        }
        let place = choice % self.pairings.len();
        let mut kept = self.pairings.remove(place);
        let question = kept.pairing.question(at(self.now));
        let goes_on = match question {
            Question::Claim | Question::Commit => {
                self.ask(&mut kept, question, luck);
                true
            }
            Question::Open => self.open_game(&kept.pairing, luck),
            Question::Release => self.release(&mut kept.pairing, luck),
            Question::Forget => false,
        };
        if goes_on {
            self.pairings.insert(place, kept);
        }
    }

    /// The next of the two is asked, or his object goes on with committing him; when both have been, their answers are heard.
    fn ask(&mut self, kept: &mut Kept, question: Question, luck: Luck) {
        let asked = kept.answers.len();
        if let Some(paired) = kept.pairing.searches.get(asked).cloned() {
            let player = number_of(&paired.player);
            let now = at(self.now);
            let promise = kept.pairing.promise(&paired);
            if question == Question::Claim {
                let claim = match luck {
                    Luck::Lost => {
                        self.late_claims
                            .push((player, paired.search.clone(), promise.table));
                        None
                    }
                    _ => {
                        let (claim, effects) = self.agenda(player).claim(&paired.search, &promise.table, now);
                        self.follow(player, effects);
                        (luck == Luck::Answered).then_some(claim)
                    }
                };
                kept.answers.push((paired.search, claim));
            } else {
                self.commit_by_one(kept, (player, promise), luck);
            }
        }
        if kept.answers.len() == kept.pairing.searches.len() {
            self.hear_answers(kept);
        }
    }

    fn hear_answers(&mut self, kept: &mut Kept) {
        let answers: Vec<Option<Claim>> = kept.answers.drain(..).map(|(_, claim)| claim).collect();
        match kept.pairing.hear(&answers, kept.attempts) {
            Heard::Further => kept.attempts = 0,
            Heard::Again => kept.attempts += 1,
            Heard::Dropped { left, .. } => self.pool.retain(|search| !left.contains(&search.id)),
        }
    }

    /// A player's object does the next thing for committing him.
    fn commit_by_one(&mut self, kept: &mut Kept, (player, promise): (u32, Promise), luck: Luck) {
        let now = at(self.now);
        let Some(committing) = &mut kept.committing else {
            if luck == Luck::Lost {
                kept.answers.push((promise.search, None));
                return;
            }
            let doubts = self.agenda(player).doubts(&promise).into_iter().collect();
            kept.committing = Some(Committing {
                promise,
                doubts,
                settled: BTreeSet::new(),
            });
            return;
        };
        if let Some(table) = committing.doubts.pop() {
            if luck == Luck::Lost {
                return;
            }
            self.close(player, &table);
            if luck == Luck::AnswerLost {
                return;
            }
            let concerned = self
                .tables
                .get(&table)
                .filter(|table| table.belongs_to(Some(&id_of(player))));
            if let Some(standing) = concerned.map(|table| table.standing(&id_of(player), false)) {
                self.hear(player, standing);
            }
            if let Some(committing) = &mut kept.committing {
                committing.settled.insert(table);
            }
            return;
        }
        let (promise, settled) = (committing.promise.clone(), committing.settled.clone());
        let (claim, effects) = self.agenda(player).commit(&promise, &settled, now);
        self.follow(player, effects);
        kept.committing = None;
        kept.answers
            .push((promise.search, (luck == Luck::Answered).then_some(claim)));
    }

    /// Opens the game, and tells its players; says whether that is still to be done.
    fn open_game(&mut self, pairing: &Pairing, luck: Luck) -> bool {
        if luck == Luck::Lost {
            return true;
        }
        let table = pairing.table().clone();
        if !self.tables.contains_key(&table) {
            self.check_nothing_has_begun(pairing);
            let events = open_started(pairing.opening.clone(), at(self.now));
            self.tables
                .insert(table.clone(), Table::replay(events).expect("opens"));
            self.found.insert(table.clone(), self.now);
            self.spread(&table);
        }
        if luck == Luck::AnswerLost {
            return true;
        }
        let now = at(self.now);
        for paired in &pairing.searches {
            let number = number_of(&paired.player);
            let opponent = pairing.opponent_of(&paired.player);
            let effects = self.agenda(number).matched(&paired.search, &table, opponent, now);
            self.follow(number, effects);
            self.pool.retain(|search| search.id != paired.search);
        }
        false
    }

    /// No game with a clock against a person has begun for one of these two since he searches.
    fn check_nothing_has_begun(&self, pairing: &Pairing) {
        for paired in &pairing.searches {
            let since = self.agendas[number_of(&paired.player) as usize]
                .search()
                .filter(|search| search.id == paired.search)
                .map(|search| search.since)
                .expect("he is promised");
            for (id, table) in &self.tables {
                let standing = table.standing(&paired.player, false);
                let began = standing
                    .started_at
                    .filter(|_| standing.is_pressing() && table.seat_of(&paired.player).is_some());
                assert!(
                    began.is_none_or(|began| began < since),
                    "{} is given {} although {id} has begun",
                    paired.player,
                    pairing.table()
                );
            }
        }
    }

    fn release(&mut self, pairing: &mut Pairing, luck: Luck) -> bool {
        let Some(paired) = pairing.searches.first().cloned() else {
            return false;
        };
        if luck == Luck::Lost {
            pairing.searches.rotate_left(1);
            return true;
        }
        let now = at(self.now);
        let player = number_of(&paired.player);
        let effects = self.agenda(player).release(&paired.search, pairing.table(), now);
        self.follow(player, effects);
        luck == Luck::AnswerLost || !pairing.released(&paired)
    }

    fn claim_late(&mut self, choice: usize) {
        if self.late_claims.is_empty() {
            return;
        }
        let (player, search, table) = self.late_claims.remove(choice % self.late_claims.len());
        let now = at(self.now);
        let (_, effects) = self.agenda(player).claim(&search, &table, now);
        self.follow(player, effects);
    }

    fn wait(&mut self, millis: i64) {
        self.now += millis;
        let now = at(self.now);
        for player in 0..PLAYERS {
            let effects = self.agenda(player).tick(now);
            self.follow(player, effects);
        }
        self.calls.retain(|call| self.now < call.began + LONGEST_CALL);
        self.late_claims.clear();
        // A player's object that took so long has been given up by the lobby.
        for kept in &mut self.pairings {
            if let Some(committing) = kept.committing.take_if(|_| millis > 5000) {
                kept.answers.push((committing.promise.search, None));
            }
        }
    }

    /// Everything that is on its way arrives, and every pairing comes to its end.
    fn calm_down(&mut self) {
        for _ in 0..200 {
            self.now += 1;
            while !self.words.is_empty() {
                self.deliver(0, false);
            }
            for place in 0..self.pairings.len() {
                self.carry(place, Luck::Answered);
            }
        }
        self.wait(20_000);
        for _ in 0..200 {
            self.now += 1;
            for place in 0..self.pairings.len() {
                self.carry(place, Luck::Answered);
            }
        }
    }

    fn check_nobody_is_kept(&self) {
        assert!(self.pairings.is_empty(), "{:?}", self.pairings);
        for agenda in &self.agendas {
            let kept = agenda.search().is_some() && agenda.pooled().is_none();
            assert!(!kept, "somebody is kept for a game that never comes: {agenda:?}");
        }
        for table in self.found.keys() {
            let playing = self.tables[table].concerns().len();
            assert_eq!(playing, 2);
        }
    }

    /// One thing happens.
    fn go_on(&mut self, (what, who, choice, luck): (u8, u32, usize, u8)) {
        self.now += 1;
        let luck = match luck {
            0..=6 => Luck::Answered,
            7 | 8 => Luck::AnswerLost,
            _ => Luck::Lost,
        };
        match what {
            0..=2 => self.seek(who),
            3 => self.cancel(who),
            4 => self.begin_call(who, choice, true),
            5 | 6 => self.begin_call(who, choice, false),
            7..=9 => self.land(choice, luck),
            10 | 11 => self.deliver(choice, luck != Luck::Answered),
            12 | 13 => self.pair(choice, choice / 7),
            14..=25 => self.carry(choice, luck),
            26 => self.claim_late(choice),
            27 => self.wait(500),
            28 => self.wait(6_000),
            _ => self.wait(100_000),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn prop_l2_t3_nobody_is_in_two_games_at_once_and_nobody_is_kept_for_none(
        story in proptest::collection::vec((0..30u8, 0..PLAYERS, 0..1000usize, 0..10u8), 0..200)
    ) {
        let mut world = World::new();
        for event in story {
            world.go_on(event);
        }
        world.calm_down();
        world.check_nobody_is_kept();
    }
}

#[test]
fn l2_the_stories_do_lead_to_games() {
    let mut world = World::new();
    for player in [0, 1] {
        world.go_on((0, player, 0, 0));
    }
    world.go_on((12, 0, 1, 0));
    for _ in 0..20 {
        world.go_on((14, 0, 0, 0));
    }
    assert_eq!(world.found.len(), 1);
    assert!(matches!(world.agendas[0].news(), News::Matched(_)));
    world.calm_down();
    world.check_nobody_is_kept();
}
