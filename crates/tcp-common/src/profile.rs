//! The rules that a flow follows.

/// The rules that a flow follows; PROFILES.md has the table of differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// ns-2 2.35, packet for packet.
    Ns2,
    /// The RFCs, with today's defaults.
    Rfc,
    /// Linux 6.12, packet for packet.
    Linux,
}
