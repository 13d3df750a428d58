use super::*;
use crate::game::{InviteCode, Opening, TableId};
use crate::rules::PerColor;

fn pairing() -> Pairing {
    let (one, other) = (search(1, 1200, 0), search(2, 1250, 0));
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

#[test]
fn l2_a_game_begins_when_both_are_still_in() {
    let decide = |answers: [Option<Claim>; 2]| pairing().decide(&answers);
    let dropped = |left: &[u32], away: &[u32]| Decision::Dropped {
        left: ids(left),
        away: ids(away),
    };
    use Claim::{Away, No, Yes};
    assert_eq!(decide([Some(Yes), Some(Yes)]), Decision::Agreed);
    assert_eq!(decide([Some(Yes), None]), Decision::Unknown);
    assert_eq!(decide([None, None]), Decision::Unknown);
    assert_eq!(decide([Some(Yes), Some(No)]), dropped(&[2], &[]));
    assert_eq!(decide([Some(Away), Some(Yes)]), dropped(&[], &[1]));
    assert_eq!(decide([Some(No), Some(Away)]), dropped(&[1], &[2]));
    assert_eq!(decide([None, Some(No)]), dropped(&[2], &[]));
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
