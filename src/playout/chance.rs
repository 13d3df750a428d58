//! The source of chance in playouts.

/// A generator of pseudo-random numbers that gives the same numbers for the same seed on every machine: SplitMix64
/// (G. Steele and others, "Fast Splittable Pseudorandom Number Generators", 2014).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chance {
    state: u64,
}

impl Chance {
    /// The generator with this seed.
    pub fn new(seed: u64) -> Chance {
        Chance { state: seed }
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to `end`, that itself left out; 0 if `end` is 0. The bias is less than `end` in 2³².
    pub fn below(&mut self, end: usize) -> usize {
        (((self.bits() >> 32) * end as u64) >> 32) as usize
    }

    /// Whether something happens whose probability is `chances` in 256.
    pub fn one_in_256(&mut self, chances: u16) -> bool {
        (self.bits() >> 56) < chances as u64
    }
}
