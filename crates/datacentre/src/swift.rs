//! Swift (Kumar et al., SIGCOMM 2020): a window from delays and a target.
//!
//! target = base + hops · h + max(0, min(a / √cwnd + b, range)), with a = range / (1/√fs_min − 1/√fs_max)
//! and b = −a / √fs_max: small windows, which mean many flows, have more room. An ACK with a delay below
//! the target adds ai · acked / cwnd packets, or ai · acked below one packet; one at or above it cuts, once
//! per round trip, by max(1 − β (delay − target) / delay, 1 − max_mdf). A window below one packet is a
//! packet each RTT / cwnd.
//!
//! [`Swift`] is the paper's algorithm 1 with its windows in packets, for one of its two windows: the
//! fabric's and the endpoint's are two of these, and the lesser counts. [`SwiftHtsim`] is the one of
//! htsim, with bytes and picoseconds in integers.

mod htsim;
mod paper;

pub use htsim::{SwiftHtsim, SwiftHtsimConfig};
pub use paper::{MOST_TIMEOUTS, Swift, SwiftConfig};

/// The part of the target that depends on the window.
#[derive(Clone, Copy, Debug)]
struct Scaling {
    slope: f64,
    offset: f64,
    range: f64,
}

impl Scaling {
    /// Scaling by at most `range`, in any unit of time, between windows of `least` and `most`
    /// packets.
    fn new(range: f64, least: f64, most: f64) -> Scaling {
        let slope = range / (1.0 / least.sqrt() - 1.0 / most.sqrt());
        Scaling {
            slope,
            offset: -slope / most.sqrt(),
            range,
        }
    }

    /// The addition to the target at a window of so many packets; without any it is infinite, and
    /// so the range.
    fn at(&self, packets: f64) -> f64 {
        let addition = self.slope / packets.sqrt() + self.offset;
        addition.min(self.range).max(0.0)
    }
}
