use super::*;
use crate::game::{ChallengeId, InviteCode, Parties, TableId, TermsRequest};
use crate::rules::Color;
use proptest::prelude::*;

const FINE: Facts = Facts {
    blocked: false,
    welcome: true,
};

fn challenge(terms: Value) -> Challenge {
    let terms: TermsRequest = wire::decode(terms).expect("terms");
    let (aki, bo) = (aki(), bo());
    let parties = Parties {
        creator: &aki,
        challenged: Some(&bo),
    };
    Challenge {
        id: ChallengeId::from_seed(seed(5)),
        from: player(1, None),
        to: player(2, None),
        terms: terms.grant(parties).expect("granted"),
        created_at: at(0),
        ended: None,
        invite: InviteCode::new(TableId::from_seed(seed(7)), [3; 26]),
        draw: Color::White,
    }
}

fn even() -> Challenge {
    challenge(json!({"ruleset": "baduk"}))
}

fn aki() -> PlayerId {
    player(1, None).id
}

fn bo() -> PlayerId {
    player(2, None).id
}

#[test]
fn l3_who_is_challenged_accepts_or_declines_and_who_challenges_withdraws() {
    let open = even();
    let by = |step, who: &PlayerId| open.step(step, Some(who), FINE, at(1));
    assert_eq!(by(ChallengeStep::Accept, &bo()), Ok(Some(ChallengeEnd::Accepted)));
    assert_eq!(
        by(ChallengeStep::Decline, &bo()),
        Ok(Some(ChallengeEnd::Declined))
    );
    assert_eq!(
        by(ChallengeStep::Withdraw, &aki()),
        Ok(Some(ChallengeEnd::Withdrawn))
    );
    for (step, who) in [
        (ChallengeStep::Accept, aki()),
        (ChallengeStep::Decline, aki()),
        (ChallengeStep::Withdraw, bo()),
        (ChallengeStep::Accept, player(3, None).id),
    ] {
        assert_eq!(by(step, &who), Err(ChallengeError::NotHis));
    }
}

#[test]
fn l3_the_servers_time_ends_it_at_one_minute_whether_anybody_has_swept_it_or_not() {
    let open = even();
    let last = open.step(ChallengeStep::Accept, Some(&bo()), FINE, at(59_999));
    assert_eq!(last, Ok(Some(ChallengeEnd::Accepted)));
    for (step, by) in [(ChallengeStep::Accept, bo()), (ChallengeStep::Withdraw, aki())] {
        assert_eq!(
            open.step(step, Some(&by), FINE, at(60_000)),
            Ok(Some(ChallengeEnd::Expired))
        );
    }
    assert_eq!(open.step(ChallengeStep::Wait, None, FINE, at(59_999)), Ok(None));
    assert_eq!(
        open.step(ChallengeStep::Wait, None, FINE, at(60_000)),
        Ok(Some(ChallengeEnd::Expired))
    );
}

#[test]
fn l3_blocks_and_preferences_are_looked_at_again_when_it_is_accepted() {
    for facts in [
        Facts {
            blocked: true,
            ..FINE
        },
        Facts {
            welcome: false,
            ..FINE
        },
    ] {
        let accepted = even().step(ChallengeStep::Accept, Some(&bo()), facts, at(1));
        assert_eq!(accepted, Ok(Some(ChallengeEnd::Blocked)));
    }
}

#[test]
fn l3_what_has_ended_stays_so_and_the_same_answer_again_is_no_error() {
    let accepted = Challenge {
        ended: Some(ChallengeEnd::Accepted),
        ..even()
    };
    let again = accepted.step(ChallengeStep::Accept, Some(&bo()), FINE, at(1_000_000));
    assert_eq!(again, Ok(Some(ChallengeEnd::Accepted)));
    let late = accepted.step(ChallengeStep::Withdraw, Some(&aki()), FINE, at(2));
    assert_eq!(late, Err(ChallengeError::Ended(ChallengeEnd::Accepted)));
}

#[test]
fn l3_who_may_challenge_whom() {
    let mut to_himself = even();
    to_himself.to = to_himself.from.clone();
    assert_eq!(to_himself.check(FINE), Err(ChallengeError::Oneself));
    let mut computer = even();
    computer.to = Player::computer(crate::game::Level::Easy);
    assert_eq!(computer.check(FINE), Err(ChallengeError::Computer));
    assert_eq!(
        even().check(Facts {
            blocked: true,
            ..FINE
        }),
        Err(ChallengeError::Blocked)
    );
    assert_eq!(
        even().check(Facts {
            welcome: false,
            ..FINE
        }),
        Err(ChallengeError::NotAccepting)
    );
    assert_eq!(even().check(FINE), Ok(()));
    let mut ranked = even();
    ranked.terms.ranked = true;
    assert_eq!(ranked.check(FINE), Err(ChallengeError::NeedsAccount));
}

#[test]
fn l3_the_color_is_the_challengers_choice() {
    let seats = |color: Value| {
        challenge(json!({"ruleset": "baduk", "color": color}))
            .opening()
            .seats
    };
    assert_eq!(seats(json!("black")).black.id, aki());
    assert_eq!(seats(json!("white")).white.id, aki());
    assert_eq!(seats(json!("random")).white.id, aki(), "as it was drawn");
}

proptest! {
    /// Whoever does whatever in whatever order, it ends once and never otherwise afterwards.
    #[test]
    fn prop_a_challenge_ends_once(steps in proptest::collection::vec((0..5usize, 1..4u32, any::<bool>(), any::<bool>(), 0..90_000i64), 0..30)) {
        let mut challenge = even();
        let mut now = 0;
        for (step, by, blocked, welcome, later) in steps {
            now += later / 6;
            let step = [ChallengeStep::Accept, ChallengeStep::Decline, ChallengeStep::Withdraw, ChallengeStep::Block, ChallengeStep::Wait][step];
            let by = player(by, None).id;
            let before = challenge.ended;
            if let Ok(end) = challenge.step(step, Some(&by), Facts { blocked, welcome }, at(now)) {
                prop_assert!(before.is_none() || end == before);
                prop_assert!(end != Some(ChallengeEnd::Accepted) || before == end || (now < 60_000 && !blocked && welcome && by == bo()));
                challenge.ended = end;
            }
        }
    }
}
