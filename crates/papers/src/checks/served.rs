//! A pacer alone, served punctually.

use pacesim::units::{FlowId, Time};
use pacesim_pacers::{Pacer, Pending, Release};

/// Packets of these sizes, in order.
pub(super) fn packets(arrivals: &[(Time, u32)]) -> Vec<(Time, Pending)> {
    let packet = |(key, &(at, size)): (u32, &(Time, u32))| (at, Pending::new(key, FlowId(0), size));
    (0..).zip(arrivals).map(packet).collect()
}

/// Offers the packets to a pacer with room for all, and fetches each at its release time; returns
/// the departures in order.
pub(super) fn serve(pacer: &mut impl Pacer, packets: &[(Time, Pending)]) -> Vec<(Time, Pending)> {
    let mut passed = Vec::with_capacity(packets.len());
    for &(at, packet) in packets {
        passed.extend(fetch(pacer, at));
        pacer.enqueue(at, packet).expect("there is room for all");
    }
    passed.extend(fetch(pacer, Time::NEVER));
    passed
}

/// Fetches the packets that leave by a time.
pub(super) fn fetch(
    pacer: &mut impl Pacer,
    until: Time,
) -> impl Iterator<Item = (Time, Pending)> + '_ {
    std::iter::from_fn(move || match pacer.next_release() {
        Release::At(at) if at <= until => Some((at, pacer.dequeue(at).expect("its time has come"))),
        _ => None,
    })
}
