//! The random numbers of playouts: fast, seeded, with independent streams.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoroshiro128PlusPlus;

/// A stream of random numbers; the same seed and stream give the same numbers on every machine.
#[derive(Clone, Debug)]
pub struct Random(Xoroshiro128PlusPlus);

impl Random {
    /// The first stream of a seed.
    pub fn new(seed: u64) -> Random {
        Random(Xoroshiro128PlusPlus::seed_from_u64(seed))
    }

    /// Stream number `stream` of a seed. Streams are 2^64 numbers apart, so threads that take one
    /// each never share a number.
    pub fn stream(seed: u64, stream: usize) -> Random {
        let mut random = Random::new(seed);
        for _ in 0..stream {
            random.0.jump();
        }
        random
    }

    /// A number below `n`. The high half of the product is used, so the bias is below n / 2^32.
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        debug_assert!(n > 0 && n <= u32::MAX as usize);
        (((self.0.next_u64() >> 32) * n as u64) >> 32) as usize
    }

    /// Two numbers of 32 bits.
    #[inline]
    pub fn two(&mut self) -> (u32, u32) {
        let bits = self.0.next_u64();
        ((bits >> 32) as u32, bits as u32)
    }
}
