//! Counting more kinds of things than memory holds, without losing one that is frequent.
//!
//! A count-min sketch (Cormode and Muthukrishnan 2005) with conservative update (Estan and Varghese
//! 2002): a thing has three of the counters, and its count is at most the least of them. The three
//! lie in one cache line. Counts are never too low, only rarely too high; who wants them exact
//! counts again, but only the things that may be frequent.

/// Counters of a cache line.
const LINE: usize = 32;

/// Counters for things named by well mixed 64-bit numbers.
pub(crate) struct Sketch {
    lines: Vec<[u16; LINE]>,
}

impl Sketch {
    /// A sketch of about this many bytes.
    pub(crate) fn new(bytes: usize) -> Sketch {
        Sketch { lines: vec![[0; LINE]; (bytes / (2 * LINE)).max(1)] }
    }

    #[inline]
    fn places(&self, id: u64) -> (usize, [usize; 3]) {
        // The upper bits choose the region, so the line is taken from those below.
        let line = ((id >> 16 & 0xffff_ffff) * self.lines.len() as u64) >> 32;
        let place = |shift: u32| (id >> shift) as usize % LINE;
        (line as usize, [place(0), place(5), place(10)])
    }

    /// Counts a thing some more times, up to 65,535.
    #[inline]
    pub(crate) fn add(&mut self, id: u64, times: u32) {
        let (line, places) = self.places(id);
        let line = &mut self.lines[line];
        let least = places.iter().map(|&i| line[i]).min().unwrap_or_default();
        let sum = (least as u32 + times).min(u16::MAX as u32) as u16;
        for i in places {
            line[i] = line[i].max(sum);
        }
    }

    /// The count of a thing, or more.
    #[inline]
    pub(crate) fn count(&self, id: u64) -> u32 {
        let (line, places) = self.places(id);
        let line = &self.lines[line];
        places.iter().map(|&i| line[i]).min().unwrap_or_default() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goban::zobrist::mix;

    #[test]
    fn counts_are_never_too_low() {
        let mut sketch = Sketch::new(1 << 12);
        let times = |n: u64| if n < 20 { 300 } else { 1 + (n % 3) as u32 };
        for n in 0..3000 {
            sketch.add(mix(n), times(n));
        }
        assert!((0..3000).all(|n| sketch.count(mix(n)) >= times(n)));
        // And not useless: most of the rare are known to be rare.
        let taken = (20..3000).filter(|&n| sketch.count(mix(n)) >= 300).count();
        assert!(taken < 100, "{taken} of 2980 rare things look frequent");
        sketch.add(7, u32::MAX / 2);
        assert_eq!(sketch.count(7), 65_535);
    }
}
