use super::*;
use crate::game::Conduct;

/// How these two would meet, of whom each does not hear the given ones, and the second is suspended from play until a moment.
fn met(hidden: [&[u32]; 2], until: Option<i64>) -> Meeting {
    let conduct = |hidden: &[u32], until: Option<i64>| Conduct {
        hidden: hidden.iter().map(|number| player(*number, None).id).collect(),
        play_until: until.map(at),
        ..Conduct::default()
    };
    let (one, other) = (player(1, None).id, player(2, None).id);
    let [first, second] = hidden;
    meeting(
        (&one, &conduct(first, None)),
        (&other, &conduct(second, until)),
        at(1000),
    )
}

#[test]
fn t6_who_has_blocked_or_is_blocked_is_not_met() {
    assert_eq!(met([&[], &[]], None), Meeting::Fine);
    assert_eq!(met([&[3], &[4]], None), Meeting::Fine);
    assert_eq!(met([&[2], &[]], None), Meeting::Apart);
    assert_eq!(met([&[], &[1]], None), Meeting::Apart);
}

#[test]
fn s4_who_is_suspended_while_he_searches_is_not_met() {
    assert_eq!(
        met([&[], &[]], Some(1001)),
        Meeting::Barred(vec![player(2, None).id])
    );
    assert_eq!(
        met([&[2], &[]], Some(1001)),
        Meeting::Barred(vec![player(2, None).id])
    );
    assert_eq!(met([&[], &[]], Some(1000)), Meeting::Fine, "it is over");
}
