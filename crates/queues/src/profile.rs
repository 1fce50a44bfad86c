//! The references for disciplines whose RFC and Linux differ.

use pacesim_units::Span;

/// The reference that a discipline follows in detail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// The RFC of the discipline.
    #[default]
    Rfc,
    /// Linux 6.12 (DualPI2: 6.17).
    Linux,
}

/// The length of a tick of Linux's clock for CoDel, 1024 ns.
const TICK_PS: u64 = 1_024_000;

impl Profile {
    /// The ticks of CoDel's clock in this many picoseconds: one each, or units of 1024 ns.
    #[inline]
    pub(crate) fn ticks(self, ps: u64) -> u64 {
        match self {
            Profile::Rfc => ps,
            Profile::Linux => ps / TICK_PS,
        }
    }

    /// A span in which fewer than this many ticks end for certain.
    pub(crate) fn surely_below(self, ticks: u64) -> Span {
        let within = match self {
            Profile::Rfc => ticks,
            Profile::Linux => ticks.saturating_sub(1).saturating_mul(TICK_PS),
        };
        Span::from_ps(within)
    }
}
