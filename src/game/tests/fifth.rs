//! A fifth, made-up ruleset: a value, and nothing else, makes it playable.

use super::*;
use crate::clock::ClockRule;
use crate::rules::{Board, HalfPoints};
use crate::ruleset::{
    Assessor, BoardRule, ColorChoice, Counting, DeadChains, Ending, HandicapFor, HandicapKomi, HandicapRule,
    KomiChoice, KomiRule, Preview, Removes, RequestKind, Ruleset,
};

const FIVE: HalfPoints = HalfPoints::from_points(5);

static FIFTH: Ruleset = Ruleset {
    id: "fifth",
    name: "Fifth",
    record_name: "Fifth",
    boards: BoardRule {
        allowed: || Board::square(13).into_iter().collect(),
        default: "13x13",
    },
    counting: Counting::TerritoryWithPassStones,
    komi: KomiRule {
        even: KomiChoice::Always(FIVE),
        with_handicap: HandicapKomi::Any(KomiChoice::Between {
            least: HalfPoints::ZERO,
            most: HalfPoints::from_points(200),
            default: FIVE,
        }),
    },
    handicap: HandicapRule::Moves { most: 20 },
    handicap_for: HandicapFor::Black,
    ending: Ending::TwoPassesWhiteLast,
    move_limit: 1000,
    dead_chains: DeadChains::Assessor {
        assessor: Assessor::Embedded,
        removes: Removes::ClearlyDead,
    },
    preview: Preview::No,
    requests: &[RequestKind::Draw],
    clocks: ClockRule::EVERY,
    colors: &[ColorChoice::Black],
    ranked: None,
};

fn started(more: Value) -> Game {
    let mut terms = json!({"ruleset": "fifth", "clock": {"system": "none"}});
    let fields = terms.as_object_mut().expect("an object");
    fields.extend(more.as_object().expect("an object").clone());
    let asked = crate::wire::decode::<TermsRequest>(terms).expect("readable");
    let granted = asked.grant_under(&FIFTH, Challenge::new().parties());
    Game::under(granted.expect("granted")).joined()
}

#[test]
fn a_fifth_ruleset_plays_from_free_opening_stones_to_an_automatic_count() {
    let mut game = started(json!({"handicap": 4, "komi": 155}));
    assert_eq!(game.table.opening_stones_left(), 4);
    game.play("D4 K10 D10 K4 G7 pass");
    assert_eq!(
        game.table.to_move(),
        Color::White,
        "Black has passed, which ends nothing"
    );
    game.play("pass");
    assert_eq!(game.table.phase().name(), "counting");
    game.assess(&["G7"]);
    let score = game
        .table
        .result()
        .and_then(|result| result.score.clone())
        .expect("a score");
    // 169 points without four stones, a dead one, and White's pass; White holds Black's.
    assert_eq!(
        (score.black.to_string(), score.white.to_string()),
        ("167".to_owned(), "1".to_owned())
    );
    assert_eq!(game.result(), Some("B+11"));
    assert!(game.table.sgf().contains("HA[4]"));
    assert!(game.table.sgf().contains("RU[Fifth]"));
}

#[test]
fn a_fifth_ruleset_knows_jigo_and_draws() {
    let mut jigo = started(json!({"handicap": 1, "komi": 169}));
    jigo.play("D4 pass pass pass");
    jigo.assess(&[]);
    assert_eq!(jigo.result(), Some("0"));

    let mut agreed = started(json!({}));
    agreed.play("D4");
    for by in [AKI, BO] {
        agreed
            .command(by, json!({"type": "request", "kind": "draw", "turn": 1}))
            .expect("asked");
    }
    let result = agreed.table.result().expect("a result");
    assert_eq!((result.by, result.sgf.as_str()), (EndedBy::Agreement, "0"));
}
