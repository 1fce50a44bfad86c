//! The references where an RFC and Linux differ.

/// The reference that a discipline follows in detail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// Its RFC.
    #[default]
    Rfc,
    /// Linux 6.12 (DualPI2: 6.17).
    Linux,
}

impl Profile {
    /// The ticks of CoDel's clock in so many picoseconds: each of them, or units of 1024 ns.
    #[inline]
    pub(crate) fn ticks(self, ps: u64) -> u64 {
        match self {
            Profile::Rfc => ps,
            Profile::Linux => ps / 1_024_000,
        }
    }
}
