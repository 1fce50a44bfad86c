//! Fluid traffic cut into packets.

use pacesim_units::Span;

use super::{Emission, Source};

/// An interval of constant rate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) length: Span,
    /// Volume of the interval, in packets.
    pub(super) packets: f64,
}

/// Fluid traffic as a sequence of intervals.
pub(super) trait Fluid: Send {
    /// The next interval; `None` after the last.
    fn next(&mut self) -> Option<Piece>;
}

/// Sends a packet each time the cumulative volume reaches a whole number of packets, at the exact
/// time when it does.
#[derive(Debug)]
pub struct Packetised<F> {
    fluid: F,
    size: u32,
    piece: Piece,
    /// Volume of the current piece already consumed, and the time that took.
    used: f64,
    passed: Span,
    /// Volume still missing for the next packet.
    needed: f64,
}

impl<F> Packetised<F> {
    /// Packets of this size, the first after `first` of a packet's volume.
    pub(super) fn new(fluid: F, size: u32, first: f64) -> Packetised<F> {
        Packetised {
            fluid,
            size,
            piece: EMPTY,
            used: 0.0,
            passed: Span::ZERO,
            needed: first,
        }
    }

    #[cfg(test)]
    pub(super) fn into_fluid(self) -> F {
        self.fluid
    }
}

const EMPTY: Piece = Piece {
    length: Span::ZERO,
    packets: 0.0,
};

impl<F: Fluid> Source for Packetised<F> {
    fn next(&mut self) -> Option<Emission> {
        let mut gap = Span::ZERO;
        while self.needed > self.piece.packets - self.used {
            self.needed -= self.piece.packets - self.used;
            gap = gap.checked_add(self.piece.length - self.passed)?;
            (self.piece, self.used, self.passed) = (EMPTY, 0.0, Span::ZERO);
            self.piece = self.fluid.next()?;
        }
        self.used += self.needed;
        self.needed = 1.0;
        let share = self.used / self.piece.packets;
        let at = Span::from_ps_f64(share * self.piece.length.as_ps() as f64)?;
        let at = at.clamp(self.passed, self.piece.length);
        gap = gap.checked_add(at - self.passed)?;
        self.passed = at;
        Some(Emission {
            gap,
            size: self.size,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Listed(std::vec::IntoIter<(u64, f64)>);

    impl Fluid for Listed {
        fn next(&mut self) -> Option<Piece> {
            let (us, packets) = self.0.next()?;
            let length = Span::from_us(us);
            Some(Piece { length, packets })
        }
    }

    #[test]
    fn packets_leave_when_the_volume_passes_a_whole_number() {
        // Half a packet in 10 us, silence for 5 us, then two and a half packets in 10 us.
        let pieces = vec![(10, 0.5), (5, 0.0), (10, 2.5)];
        let mut source = Packetised::new(Listed(pieces.into_iter()), 100, 1.0);
        let gaps: Vec<_> = std::iter::from_fn(|| source.next().map(|p| p.gap)).collect();
        let ns = [17_000, 4_000, 4_000].map(Span::from_ns);
        assert_eq!(gaps, ns);
        assert_eq!(source.next(), None, "the end is the end");
    }
}
