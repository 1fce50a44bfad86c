//! Helpers shared by the tests of the hull pacers.

use pacesim_pacers::{Pacer, Pending, Release};
use pacesim_units::Time;

/// A packet with its arrival and deadline, in picoseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Job {
    pub(crate) key: u32,
    pub(crate) arrival: u64,
    pub(crate) deadline: u64,
    pub(crate) size: u32,
}

/// Releases of a pacer that is served punctually, as (time, key).
pub(crate) fn play(pacer: &mut impl Pacer, packets: &[(u64, Pending)]) -> Vec<(u64, u32)> {
    let mut releases = Vec::new();
    for &(at, packet) in packets {
        serve(pacer, at, &mut releases);
        pacer
            .enqueue(Time::from_ps(at), packet)
            .expect("an unlimited pacer and sound deadlines");
        serve(pacer, at, &mut releases);
    }
    serve(pacer, u64::MAX, &mut releases);
    releases
}

fn serve(pacer: &mut impl Pacer, until: u64, releases: &mut Vec<(u64, u32)>) {
    while let Release::At(at) = pacer.next_release()
        && at.as_ps() <= until
    {
        let packet = pacer.dequeue(at).expect("its time has come");
        releases.push((at.as_ps(), packet.key));
    }
}
