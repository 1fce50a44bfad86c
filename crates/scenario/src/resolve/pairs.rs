//! Which member of one group goes with which of another.

use std::ops::Range;

use crate::values::Pairing;

/// Which nodes are paired with which.
#[derive(Clone, Debug)]
pub(crate) struct Pairs {
    pub(crate) from: Range<u32>,
    pub(crate) to: Range<u32>,
    pub(crate) pair: Pairing,
    pub(crate) count: Option<u32>,
}

impl Pairs {
    fn sizes(&self) -> (u64, u64) {
        (
            u64::from(self.from.end - self.from.start),
            u64::from(self.to.end - self.to.start),
        )
    }

    /// How many there are, before any from a node to itself are left out.
    pub(crate) fn len(&self) -> u64 {
        let (n, m) = self.sizes();
        match (self.pair, self.count) {
            (Pairing::All, _) => n * m,
            (_, Some(count)) => u64::from(count),
            // Each node of from has one random partner.
            (Pairing::Random, None) => n,
            (_, None) => n.max(m),
        }
    }

    /// How many there are.
    pub(crate) fn iter_len(&self) -> u64 {
        match self.pair {
            Pairing::All => self.len() - u64::from(overlap(&self.from, &self.to)),
            _ => self.len(),
        }
    }

    /// The nodes of `from` that have a partner.
    pub(crate) fn starts(&self) -> Range<u32> {
        let used = self.len().min(self.sizes().0) as u32;
        self.from.start..self.from.start + used
    }

    /// Each pair. Random ones are drawn elsewhere; here `to` is its first node.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let (n, m) = self.sizes();
        let k = self.len();
        let all = self.pair == Pairing::All;
        (0..k)
            .map(move |i| match self.pair {
                Pairing::Cyclic => (i % n, i % m),
                Pairing::Block => (i * n / k, i * m / k),
                Pairing::All => (i / m, i % m),
                Pairing::Stride(stride) if n < m => (i / u64::from(stride) % n, i % m),
                Pairing::Stride(stride) => (i % n, i / u64::from(stride) % m),
                Pairing::Random => (i % n, 0),
            })
            .map(|(i, j)| (self.from.start + i as u32, self.to.start + j as u32))
            .filter(move |(a, b)| !all || a != b)
    }
}

/// How many nodes are on both sides.
fn overlap(a: &Range<u32>, b: &Range<u32>) -> u32 {
    a.end.min(b.end).saturating_sub(a.start.max(b.start))
}
