//! Memory for a large table that is read all over.
//!
//! A table of tens of megabytes in pages of 4 KB has more pages than a processor keeps addresses of,
//! and then every read costs a second one to find where the page is. Linux has pages of 2 MB for
//! those who ask; elsewhere, or where they are switched off, this is memory like any other.

use bytemuck::Pod;
use memmap2::MmapMut;

/// An immutable table.
pub(crate) struct LargeTable<T> {
    memory: Memory<T>,
}

enum Memory<T> {
    Pages(MmapMut),
    /// Small, or pages could not be had.
    Plain(Vec<T>),
}

/// Below this a table fits the cache that is nearest to large.
const LARGE: usize = 1 << 20;

impl<T: Pod> LargeTable<T> {
    pub(crate) fn new(items: Vec<T>) -> LargeTable<T> {
        let bytes: &[u8] = bytemuck::cast_slice(&items);
        let pages = (bytes.len() >= LARGE).then(|| pages(bytes)).flatten();
        LargeTable { memory: pages.map_or(Memory::Plain(items), Memory::Pages) }
    }

    /// The table; worth keeping at hand in a loop.
    #[inline(always)]
    pub(crate) fn items(&self) -> &[T] {
        match &self.memory {
            Memory::Pages(pages) => bytemuck::cast_slice(pages),
            Memory::Plain(items) => items,
        }
    }
}

/// A copy of the bytes in large pages.
fn pages(bytes: &[u8]) -> Option<MmapMut> {
    let mut pages = MmapMut::map_anon(bytes.len()).ok()?;
    #[cfg(target_os = "linux")]
    {
        // A wish; without it the memory is as good as any.
        let _ = pages.advise(memmap2::Advice::HugePage);
    }
    pages.copy_from_slice(bytes);
    Some(pages)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_is_there() {
        for len in [0, 1, 1000, 1 << 19] {
            let items: Vec<u64> = (0..len).map(|i| i * i).collect();
            assert_eq!(LargeTable::new(items.clone()).items(), items);
        }
    }
}
