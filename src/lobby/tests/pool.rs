use super::*;
use proptest::prelude::*;

fn ids(pairs: &[(SearchId, SearchId)]) -> Vec<(SearchId, SearchId)> {
    pairs.to_vec()
}

fn id(number: u32) -> SearchId {
    SearchId::from_seed(seed(number))
}

#[test]
fn l2_the_nearest_rating_is_chosen_by_whoever_has_waited_longest() {
    let pool = [
        search(1, 1500, 0),
        search(2, 1580, 10),
        search(3, 1470, 20),
        search(4, 1590, 30),
    ]
    .map(entry);
    let pairs = pair_up(&pool, &Avoid::default(), at(1000));
    assert_eq!(ids(&pairs), [(id(1), id(3)), (id(2), id(4))]);
}

#[test]
fn l2_the_window_widens_with_waiting() {
    let pool = [search(1, 1200, 0), search(2, 1700, 1000)].map(entry);
    let nobody = Avoid::default();
    let meet = next_look(&pool, &nobody).expect("a moment");
    assert_eq!(window(Millis::new(meet.as_millis() - at(0).as_millis())), 500);
    assert_eq!(pair_up(&pool, &nobody, meet + Millis::new(-1)), []);
    assert_eq!(pair_up(&pool, &nobody, meet), [(id(1), id(2))]);
    assert!(window(secs(60)) >= 1000);
}

#[test]
fn l2_guests_count_as_1200() {
    let guest = Search {
        player: player(9, None),
        ..search(9, 1500, 0)
    };
    assert_eq!(guest.rating(), 1200);
}

#[test]
fn l2_only_the_same_game_is_played() {
    let board = |number, board| {
        entry(search_for(
            number,
            1200,
            0,
            json!({"ruleset": "baduk", "board": board}),
        ))
    };
    let clock =
        json!({"ruleset": "baduk", "board": "9x9", "clock": {"system": "per_move", "period_ms": 60000}});
    let pool = [
        board(1, "9x9"),
        board(2, "13x13"),
        entry(search_for(3, 1200, 0, clock)),
        board(4, "9x9"),
    ];
    assert_eq!(pair_up(&pool, &Avoid::default(), at(290_000)), [(id(1), id(4))]);
}

#[test]
fn t6_those_who_are_kept_apart_never_meet() {
    let pool = [search(1, 1200, 0), search(2, 1200, 0), search(3, 1290, 0)].map(entry);
    let mut apart = Avoid::default();
    apart.insert(&player(2, None).id, &player(1, None).id);
    assert_eq!(pair_up(&pool, &apart, at(1)), [(id(1), id(3))]);
    assert_eq!(pair_up(&pool[..2], &apart, at(299_000)), []);
    assert_eq!(next_look(&pool[..2], &apart), Some(at(300_000)));
}

#[test]
fn l2_a_search_ends_after_five_minutes() {
    let pool = [search(1, 1200, 0), search(2, 1200, 300_000)].map(entry);
    assert_eq!(pair_up(&pool, &Avoid::default(), at(300_000)), []);
    assert_eq!(next_look(&pool, &Avoid::default()), Some(at(300_000)));
}

#[test]
fn l2_the_computer_stands_in_after_the_wait_that_was_asked_for() {
    let request = json!({"ruleset": "baduk", "computer_after_ms": 20_000});
    let patient = entry(search_for(1, 1200, 0, request));
    assert_eq!(stand_ins(std::slice::from_ref(&patient), at(19_999)), []);
    assert_eq!(stand_ins(std::slice::from_ref(&patient), at(20_000)), [id(1)]);
    assert_eq!(stand_ins(&[entry(search(2, 1200, 0))], at(299_000)), []);
    assert_eq!(
        next_look(std::slice::from_ref(&patient), &Avoid::default()),
        Some(at(20_000))
    );
    let terms = patient.search.stand_in_terms();
    assert!(terms.opponent.is_computer() && !terms.ranked && terms.clock == patient.search.terms.clock);
}

#[test]
fn who_is_away_for_a_moment_is_not_paired_then() {
    let mut pool = [search(1, 1200, 0), search(2, 1200, 0)].map(entry);
    pool[1].ready_at = at(5000);
    assert_eq!(pair_up(&pool, &Avoid::default(), at(4999)), []);
    assert_eq!(next_look(&pool, &Avoid::default()), Some(at(5000)));
    assert_eq!(pair_up(&pool, &Avoid::default(), at(5000)).len(), 1);
}

/// A pool, who is kept apart, and a moment.
fn pools() -> impl Strategy<Value = (Vec<Entry>, Avoid, Timestamp)> {
    let one = (600..2400i32, 0..320_000i64, 0..3usize, 0..4000i64);
    let pairs = proptest::collection::vec((0..24u32, 0..24u32), 0..40);
    (proptest::collection::vec(one, 0..24), pairs, 0..400_000i64).prop_map(|(ones, pairs, now)| {
        let pool = (0..).zip(ones).map(|(number, (rating, since, board, delay))| {
            let board = ["9x9", "13x13", "19x19"][board];
            let search = search_for(number, rating, since, json!({"ruleset": "baduk", "board": board}));
            Entry {
                ready_at: search.since + Millis::new(delay),
                search,
            }
        });
        let mut apart = Avoid::default();
        for (one, other) in pairs {
            apart.insert(&player(one, None).id, &player(other, None).id);
        }
        (pool.collect(), apart, at(now))
    })
}

/// Whether two may be paired, written as the rule is spoken.
fn may_meet(one: &Entry, other: &Entry, apart: &Avoid, now: Timestamp) -> bool {
    let ready = |entry: &Entry| entry.ready_at <= now && now < entry.search.since + SEARCH_LIFE;
    let longest = one.search.since.min(other.search.since);
    let waited = Millis::new(now.as_millis() - longest.as_millis());
    ready(one)
        && ready(other)
        && one.search.fits(&other.search)
        && !apart.contains(&one.search.player.id, &other.search.player.id)
        && one.search.distance(&other.search) <= window(waited)
}

proptest! {
    #[test]
    fn prop_everybody_is_paired_at_most_once_and_as_the_rule_allows((pool, apart, now) in pools()) {
        let pairs = pair_up(&pool, &apart, now);
        let of = |id: &SearchId| pool.iter().find(|entry| entry.search.id == *id).expect("in the pool");
        let mut seen = std::collections::BTreeSet::new();
        for (one, other) in &pairs {
            prop_assert!(seen.insert(one.clone()) && seen.insert(other.clone()), "somebody is paired twice");
            prop_assert!(may_meet(of(one), of(other), &apart, now));
        }
        let left: Vec<&Entry> = pool.iter().filter(|entry| !seen.contains(&entry.search.id)).collect();
        for (index, one) in left.iter().enumerate() {
            for other in &left[index + 1..] {
                prop_assert!(!may_meet(one, other, &apart, now), "two are left who could play");
            }
        }
    }

    #[test]
    fn prop_nobody_who_came_later_gets_the_opponent_that_an_earlier_one_would_rather_have((pool, apart, now) in pools()) {
        let pairs = pair_up(&pool, &apart, now);
        let of = |id: &SearchId| pool.iter().find(|entry| entry.search.id == *id).expect("in the pool");
        // In the order of the pairs, each first one has the nearest of all who are still free.
        let mut free: Vec<&Entry> = pool.iter().collect();
        for (one, other) in &pairs {
            let (one, other) = (of(one), of(other));
            let nearest = free.iter().filter(|each| each.search.id != one.search.id && may_meet(one, each, &apart, now));
            let nearest = nearest.map(|each| one.search.distance(&each.search)).min();
            prop_assert_eq!(nearest, Some(one.search.distance(&other.search)));
            free.retain(|each| each.search.id != one.search.id && each.search.id != other.search.id);
        }
        let waits: Vec<_> = pairs.iter().map(|(one, _)| of(one).search.since).collect();
        prop_assert!(waits.is_sorted(), "those who have waited longest choose first");
    }

    #[test]
    fn prop_nothing_happens_between_two_looks((pool, apart, now) in pools()) {
        let pairs = pair_up(&pool, &apart, now);
        let rest: Vec<Entry> = pool
            .into_iter()
            .filter(|entry| now < entry.search.expires_at() && !pairs.iter().any(|(one, other)| [one, other].contains(&&entry.search.id)))
            .collect();
        if let Some(next) = next_look(&rest, &apart).filter(|next| *next > now) {
            let before = next + Millis::new(-1);
            prop_assert_eq!(pair_up(&rest, &apart, before), vec![]);
            prop_assert!(rest.iter().all(|entry| before < entry.search.expires_at()));
        }
    }
}
