//! Cai, Wolf, Gong: Delaying Transmissions in Data Communication Networks to Improve
//! Transport-Layer Performance.

pub(crate) mod law;
pub(crate) mod response;

use pacesim::units::{Span, Time};
use pacesim_pacers::{Pending, Qlbp};

use super::served::{packets, serve};

/// Bits per second.
const MBPS: f64 = 1e6;

/// Departure times from a pacer of packets at a constant rate (bit/s).
fn paced(pacer: &mut Qlbp, rate: f64, size: u32, count: usize) -> Vec<(Time, Pending)> {
    let gap = Span::from_secs_f64(f64::from(size) * 8.0 / rate);
    let gap = gap.expect("a packet takes less than a second");
    let times = std::iter::successors(Some(Time::ZERO), |at| Some(*at + gap));
    let arrivals: Vec<(Time, u32)> = times.map(|at| (at, size)).take(count).collect();
    serve(pacer, &packets(&arrivals))
}
