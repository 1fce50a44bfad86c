//! quinn, a QUIC library, as a transport of pacesim's flows: both ends run unchanged in simulated
//! time, with a [cryptography](null_crypto) that protects nothing and draws no random number.
//!
//! A run repeats to the bit, in another process as well. Every source of randomness of the library
//! is closed or fed from the flow's stream; [`Control::Bbr`] has one that no seed reaches.

mod end;
mod guest;
mod keys;
pub mod null_crypto;
mod streams;

pub use end::QuicEnd;
pub use keys::{Control, Keys, Pacing};
use pacesim_app::Parts;
use pacesim_app::end::{Made, Opening};

/// Names of the numbers of a sending end.
pub const NUMBERS: &[&str] = &[
    "lost_pkts",
    "congestion_events",
    "black_holes",
    "mtu_bytes",
    "pacing_rate_bps",
];

/// The studies of `pacesim-quinn reproduce beyond/quic`, and the measurements beside them.
const STUDIES: &[(&str, &str)] = &[
    (
        "beyond/quic/beside-linux.study.toml",
        include_str!("../studies/beside-linux.study.toml"),
    ),
    (
        "beyond/quic/one-flow.study.toml",
        include_str!("../studies/one-flow.study.toml"),
    ),
    (
        "beyond/quic/ten-flows.study.toml",
        include_str!("../studies/ten-flows.study.toml"),
    ),
    (
        "beyond/quic/ten-flows.csv",
        include_str!("../studies/ten-flows.csv"),
    ),
];

/// The parts of the program.
pub fn parts() -> Parts {
    Parts::new().transport(NUMBERS, new).studies(STUDIES)
}

/// An end of a connection.
///
/// # Errors
///
/// The packets must hold the smallest datagram of QUIC.
pub fn new(keys: &Keys, opening: Opening) -> Made {
    Ok(Box::new(QuicEnd::new(keys, opening)?))
}

/// FNV-1a over bytes.
pub(crate) fn fnv(hash: u64, data: &[u8]) -> u64 {
    data.iter().fold(hash, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
