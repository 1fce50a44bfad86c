//! A pacer by itself, served punctually.

use pacesim::units::{FlowId, Time};
use pacesim_pacers::{Pacer, Pending, Release};

/// A packet that went through a pacer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Passed {
    /// Its place among the arrivals.
    pub(super) key: u32,
    pub(super) arrival: Time,
    pub(super) release: Time,
    pub(super) size: u32,
}

/// Plain packets of these sizes.
pub(super) fn packets(arrivals: &[(Time, u32)]) -> Vec<(Time, Pending)> {
    let packet = |(key, &(at, size)): (u32, &(Time, u32))| (at, Pending::new(key, FlowId(0), size));
    (0..).zip(arrivals).map(packet).collect()
}

/// Offers the packets to a pacer with room for all, and fetches each as its time has
/// come: what passed, in the order of release.
pub(super) fn serve(pacer: &mut impl Pacer, packets: &[(Time, Pending)]) -> Vec<Passed> {
    let mut passed = Vec::with_capacity(packets.len());
    for &(at, packet) in packets {
        fetch(pacer, at, packets, &mut passed);
        pacer.enqueue(at, packet).expect("there is room for all");
    }
    fetch(pacer, Time::NEVER, packets, &mut passed);
    passed
}

fn fetch(
    pacer: &mut impl Pacer,
    until: Time,
    packets: &[(Time, Pending)],
    passed: &mut Vec<Passed>,
) {
    while let Release::At(at) = pacer.next_release()
        && at <= until
    {
        let packet = pacer.dequeue(at).expect("its time has come");
        passed.push(Passed {
            key: packet.key,
            arrival: packets[packet.key as usize].0,
            release: at,
            size: packet.size,
        });
    }
}
