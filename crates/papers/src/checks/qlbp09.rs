//! Cai, Hanay, Wolf: Practical Packet Pacing in Small-Buffer Networks.

pub(crate) mod algorithm1;
pub(crate) mod bibo;

use pacesim::units::{Bytes, Capacity, FlowId, Rate, Span, Time};
use pacesim_pacers::{Pacer, Pending, PlugIn, Qlbp09, Qlbp09Config};

use crate::{Context, Fault};

/// The prototype's pacer: mu_max = 200 Mbps, mu_min = 1.2 Mbps, as 1500 B in 10 ms, and
/// a queue of 100 packets.
fn config() -> Qlbp09Config {
    Qlbp09Config {
        d_max: Span::from_ms(10),
        s_max: Bytes(1500),
        mu_max: Rate::from_mbps(200),
        q_max: Capacity::Packets(100),
        q_lim: Capacity::Unlimited,
        plug_in: None,
        jitter: Span::ZERO,
    }
}

fn pacer(context: &Context<'_>, config: &Qlbp09Config) -> Result<Qlbp09, Fault> {
    let stream = context.stream(0, "qlbp09", "jitter");
    Ok(Qlbp09::new(config, Box::new(stream))?)
}

/// A plug-in with a scale factor and a timer of this granularity.
fn prototype(alpha_percent: u32, tick: Span) -> Qlbp09Config {
    Qlbp09Config {
        plug_in: Some(PlugIn {
            alpha_percent,
            tick,
            whole_ticks: false,
        }),
        ..config()
    }
}

/// Offers a packet of 1500 B.
fn offer(pacer: &mut Qlbp09, now: Time, key: u32) {
    let packet = Pending::new(key, FlowId(0), 1500);
    pacer.enqueue(now, packet).expect("an unlimited buffer");
}

/// mu(q) of eq. (1) in bit/s, by itself.
fn mu(packets: f64) -> f64 {
    (200e6 - 1.2e6) / 100.0 * packets.min(100.0) + 1.2e6
}

/// S/mu(q) of eq. (3) in microseconds, for 1500 B.
fn pause_us(packets: f64) -> f64 {
    1500.0 * 8.0 / mu(packets) * 1e6
}
