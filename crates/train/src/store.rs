//! Numbers as bytes and back, little-endian: what a checkpoint and the state of a method are made of.

/// Writes one after the other.
#[derive(Default)]
pub(crate) struct Writer(pub(crate) Vec<u8>);

impl Writer {
    pub(crate) fn number(&mut self, n: u64) {
        self.0.extend(n.to_le_bytes());
    }

    /// In full: a number that is read back must not differ in its last bit.
    pub(crate) fn real(&mut self, x: f64) {
        self.number(x.to_bits());
    }

    /// Numbers whose count the reader knows.
    pub(crate) fn floats<'a>(&mut self, xs: impl IntoIterator<Item = &'a f32>) {
        self.0.extend(xs.into_iter().flat_map(|x| x.to_le_bytes()));
    }

    /// Bytes after their count.
    pub(crate) fn block(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend(bytes);
    }
}

/// Reads what a [`Writer`] wrote; nothing where bytes are missing.
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let (head, tail) = self.0.split_at_checked(n)?;
        self.0 = tail;
        Some(head)
    }

    pub(crate) fn number(&mut self) -> Option<u64> {
        let (head, tail) = self.0.split_first_chunk()?;
        self.0 = tail;
        Some(u64::from_le_bytes(*head))
    }

    /// A number that counts something in memory.
    pub(crate) fn count(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    pub(crate) fn flag(&mut self) -> Option<bool> {
        match self.number()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    pub(crate) fn real(&mut self) -> Option<f64> {
        self.number().map(f64::from_bits)
    }

    pub(crate) fn floats(&mut self, n: usize) -> Option<Vec<f32>> {
        let bytes = self.take(n.checked_mul(4)?)?;
        let float = |b: &[u8]| f32::from_le_bytes(b.try_into().expect("four bytes"));
        Some(bytes.chunks_exact(4).map(float).collect())
    }

    pub(crate) fn block(&mut self) -> Option<&'a [u8]> {
        let n = self.count()?;
        self.take(n)
    }

    /// Nothing may follow.
    pub(crate) fn end(self) -> Option<()> {
        self.0.is_empty().then_some(())
    }
}
