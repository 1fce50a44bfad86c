//! Cai, Hanay, Wolf: Practical Packet Pacing in Small-Buffer Networks.

pub(crate) mod algorithm1;
pub(crate) mod bibo;

use pacesim::units::{Bytes, Capacity, FlowId, Rate, Span, Time};
use pacesim_pacers::{Pacer, Pending, Qlbp09, Qlbp09Config};

use crate::{Context, Fault};

/// The prototype's pacer: mu_max = 200 Mbps, mu_min = 1.2 Mbps, that is 1500 B in 10 ms, and a
/// queue of 100 packets.
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

/// Offers packets of 1500 B.
fn offer(pacer: &mut Qlbp09, now: Time, keys: impl IntoIterator<Item = u32>) {
    for key in keys {
        let packet = Pending::new(key, FlowId(0), 1500);
        pacer.enqueue(now, packet).expect("an unlimited buffer");
    }
}
