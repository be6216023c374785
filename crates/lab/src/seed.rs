//! Seeds of games: each a number of its own, and the same every time.

/// Mixes numbers into a seed (the finaliser of SplitMix64 after each).
pub fn mixed(parts: &[u64]) -> u64 {
    parts.iter().fold(0, |seed: u64, &part| {
        let mut z = seed.wrapping_add(part).wrapping_add(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_differ() {
        let mut seeds: Vec<u64> =
            (0..20).flat_map(|a| (0..20).map(move |b| mixed(&[1, a, b]))).collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 400);
    }
}
