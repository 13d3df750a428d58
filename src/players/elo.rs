//! Elo (E1, E2): ratings as whole hundredths, so that what one player gains is exactly what the other loses.

use crate::game::Rating;

/// The points at stake in a game (E1).
const K: f64 = 32.0;

/// How many points make a player ten times as likely to win as to lose.
const SCALE: f64 = 400.0;

/// A player with fewer rated games is provisional (E2).
const SETTLED: u32 = 10;

/// A rating, or a change of one, in hundredths of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Hundredths(pub i64);

impl Hundredths {
    /// What everybody starts with (E1).
    pub const START: Hundredths = Hundredths(120_000);

    /// In points.
    pub fn points(self) -> f64 {
        self.0 as f64 / 100.0
    }
}

impl std::ops::Add for Hundredths {
    type Output = Hundredths;

    fn add(self, other: Hundredths) -> Hundredths {
        Hundredths(self.0 + other.0)
    }
}

impl std::ops::Neg for Hundredths {
    type Output = Hundredths;

    fn neg(self) -> Hundredths {
        Hundredths(-self.0)
    }
}

/// What a player has got of a game, in halves: a win is two, a draw one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Share {
    /// He has won.
    Win,
    /// Nobody has won.
    Draw,
    /// He has lost.
    Loss,
}

impl Share {
    /// In halves of a game.
    pub fn halves(self) -> u8 {
        match self {
            Share::Win => 2,
            Share::Draw => 1,
            Share::Loss => 0,
        }
    }

    /// What the other has got.
    pub fn other(self) -> Share {
        match self {
            Share::Win => Share::Loss,
            Share::Draw => Share::Draw,
            Share::Loss => Share::Win,
        }
    }
}

/// What a game changes in the rating of a player: rounded once, to hundredths, halves away from zero. The opponent's rating
/// changes by the opposite.
pub fn change(own: Hundredths, opponent: Hundredths, share: Share) -> Hundredths {
    let distance = opponent.points() - own.points();
    let expected = 1.0 / (1.0 + 10f64.powf(distance / SCALE));
    let gained = f64::from(share.halves()) / 2.0 - expected;
    Hundredths((K * gained * 100.0).round() as i64)
}

/// A rating as it is shown.
pub fn shown(rating: Hundredths, games: u32) -> Rating {
    Rating {
        rating: rating.points(),
        games,
        provisional: games < SETTLED,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Plays a game between two of a pool.
    fn play(pool: &mut [Hundredths], one: usize, other: usize, share: Share) {
        let change = change(pool[one], pool[other], share);
        pool[one] = pool[one] + change;
        pool[other] = pool[other] + -change;
    }

    #[test]
    fn e1_the_worked_example() {
        let mut pool = [Hundredths::START; 3];
        play(&mut pool, 0, 1, Share::Win);
        assert_eq!((pool[0].points(), pool[1].points()), (1216.0, 1184.0));
        play(&mut pool, 0, 2, Share::Win);
        assert_eq!((pool[0].points(), pool[2].points()), (1231.26, 1184.74));
        let before = pool;
        let mut equal = [pool[0], pool[0]];
        play(&mut equal, 0, 1, Share::Draw);
        assert_eq!(equal, [before[0]; 2], "a jigo between equals changes nothing");
    }

    #[test]
    fn e2_a_player_is_provisional_before_his_tenth_game() {
        assert!(shown(Hundredths::START, 9).provisional);
        assert!(!shown(Hundredths::START, 10).provisional);
    }

    fn share() -> impl Strategy<Value = Share> {
        prop_oneof![Just(Share::Win), Just(Share::Draw), Just(Share::Loss)]
    }

    proptest! {
        #[test]
        fn prop_the_sum_of_a_pool_never_drifts(games in proptest::collection::vec((0usize..5, 0usize..5, share()), 0..200)) {
            let mut pool = [Hundredths::START; 5];
            for (one, other, share) in games {
                if one != other {
                    play(&mut pool, one, other, share);
                }
            }
            let sum: i64 = pool.iter().map(|rating| rating.0).sum();
            prop_assert_eq!(sum, 5 * Hundredths::START.0);
        }

        #[test]
        fn prop_both_sides_compute_the_same_change(one in 0i64..400_000, other in 0i64..400_000, share in share()) {
            let (one, other) = (Hundredths(one), Hundredths(other));
            let (own, opponents) = (change(one, other, share), change(other, one, share.other()));
            // Rounded once each, the two could differ by their last digit; that is why one is the other's opposite.
            prop_assert!((own.0 + opponents.0).abs() <= 1);
            prop_assert!(own.0.abs() <= 3200);
            match share {
                Share::Win => prop_assert!(own.0 >= 0),
                Share::Loss => prop_assert!(own.0 <= 0),
                Share::Draw => prop_assert!(own.0.signum() == 0 || own.0.signum() == (other.0 - one.0).signum()),
            }
        }
    }
}
