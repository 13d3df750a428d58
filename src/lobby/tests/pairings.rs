use super::*;
use crate::game::{InviteCode, Opening, TableId};
use crate::rules::PerColor;

fn pairing() -> Pairing {
    let (one, other) = (search(1, 1200, 0), search(2, 1250, 1000));
    let opening = Opening {
        terms: one.terms.clone(),
        creator: one.player.clone(),
        invite: InviteCode::new(TableId::from_seed(seed(7)), [3; 26]),
        seats: PerColor {
            black: other.player.clone(),
            white: one.player.clone(),
        },
    };
    Pairing::new(&[&one, &other], opening)
}

fn ids(numbers: &[u32]) -> Vec<SearchId> {
    numbers
        .iter()
        .map(|number| SearchId::from_seed(seed(*number)))
        .collect()
}

/// What answers come to, at a stage and after so many tries.
fn heard(stage: PairingStage, answers: [Option<Claim>; 2], tries: u32) -> (Heard, PairingStage) {
    let mut pairing = Pairing { stage, ..pairing() };
    let heard = pairing.hear(&answers, tries);
    (heard, pairing.stage)
}

fn dropped(left: &[u32], away: &[u32], silent: &[u32]) -> (Heard, PairingStage) {
    let heard = Heard::Dropped {
        left: ids(left),
        away: ids(away),
        silent: ids(silent),
    };
    (heard, PairingStage::Dropped)
}

#[test]
fn l2_a_game_begins_when_both_are_still_in_both_times() {
    use Claim::{Away, No, Unknown, Yes};
    use PairingStage::{Agreed, Claiming, Committing};
    assert_eq!(heard(Claiming, [Some(Yes); 2], 0), (Heard::Further, Committing));
    assert_eq!(heard(Committing, [Some(Yes); 2], 0), (Heard::Further, Agreed));
    for stage in [Claiming, Committing] {
        for answers in [[Some(Yes), None], [None, None], [Some(Unknown), Some(Yes)]] {
            assert_eq!(heard(stage, answers, 1), (Heard::Again, stage));
        }
        assert_eq!(heard(stage, [Some(Yes), Some(No)], 0), dropped(&[2], &[], &[]));
        assert_eq!(heard(stage, [Some(Away), Some(Yes)], 0), dropped(&[], &[1], &[]));
        assert_eq!(heard(stage, [Some(No), Some(Away)], 0), dropped(&[1], &[2], &[]));
        assert_eq!(heard(stage, [None, Some(No)], 0), dropped(&[2], &[], &[1]));
        // Whose object does not answer is not asked for ever: the other one waits.
        assert_eq!(heard(stage, [Some(Yes), None], 2), dropped(&[], &[], &[2]));
    }
}

#[test]
fn l2_whoever_is_released_is_free_although_the_other_does_not_answer() {
    let mut pairing = pairing();
    let [one, other] = [0, 1].map(|place| pairing.searches[place].clone());
    assert!(!pairing.released(&one));
    assert_eq!(pairing.searches, std::slice::from_ref(&other));
    assert!(pairing.released(&other));
}

#[test]
fn l2_a_pairing_that_lasts_longer_than_its_searches_comes_to_nothing() {
    let asked = |stage, now: i64| Pairing { stage, ..pairing() }.question(at(now));
    use PairingStage::{Agreed, Claiming, Committing, Dropped};
    assert_eq!(asked(Claiming, 299_999), Question::Claim);
    assert_eq!(asked(Committing, 299_999), Question::Commit);
    for stage in [Claiming, Committing] {
        assert_eq!(
            asked(stage, 300_000),
            Question::Release,
            "nobody waits for it any more"
        );
    }
    assert_eq!(asked(Agreed, 339_999), Question::Open);
    assert_eq!(
        asked(Agreed, 340_000),
        Question::Release,
        "their promises are about to lapse"
    );
    assert_eq!(asked(Dropped, 359_999), Question::Release);
    assert_eq!(
        asked(Dropped, 360_000),
        Question::Release,
        "the other's lasts for longer"
    );
    assert_eq!(asked(Dropped, 361_000), Question::Forget);
}

#[test]
fn l2_a_pairing_of_before_they_had_a_last_moment_is_read() {
    let mut old = serde_json::to_value(pairing()).expect("serialises");
    for paired in old["searches"].as_array_mut().expect("a list") {
        paired.as_object_mut().expect("an object").remove("expires_at");
    }
    let mut read: Pairing = serde_json::from_value(old).expect("reads");
    assert_eq!(read.question(at(1_000_000)), Question::Claim);
}

#[test]
fn t3_only_a_game_with_a_clock_and_two_people_presses() {
    let pace = |pairing: &Pairing| pairing.promise(&pairing.searches[0]).pace;
    assert_eq!(pace(&pairing()), Pace::Pressing);
    let mut against_computer = pairing();
    against_computer.opening.terms = search(1, 1200, 0).stand_in_terms();
    assert_eq!(pace(&against_computer), Pace::Casual);
    let mut untimed = pairing();
    let request = json!({"ruleset": "baduk", "clock": {"system": "none"}});
    untimed.opening.terms = search_for(1, 1200, 0, request).terms;
    assert_eq!(pace(&untimed), Pace::Casual);
}

#[test]
fn each_is_told_of_the_other() {
    let pairing = pairing();
    let (one, other) = (player(1, None).id, player(2, None).id);
    assert_eq!(
        (&pairing.opponent_of(&one).id, &pairing.opponent_of(&other).id),
        (&other, &one)
    );
}
