//! What may stand on a route, between two links or at an end.

use pacesim_units::Time;

use super::{Packet, Volume};

/// Something on routes that takes packets in, and hands them on, keeps them, absorbs them or
/// sends others: a coder, a tunnel's end, a marker.
///
/// It is given the time and answers; the network schedules. The order of calls: `passes`, then `arrive`
/// for a packet that comes; after that, and when `next_wake` has come, `step` until it waits.
/// [`middlebox_laws`](super::middlebox_laws) says what each must keep.
pub trait Middlebox {
    /// The payloads of its network's packets: those of its [`Parts`](super::Parts).
    type Payload;

    /// A packet comes: it is in the middlebox's hands, known by its place among those in
    /// flight, until it is passed on or absorbed. What is passed on is what came; who changes
    /// a packet absorbs it and sends another. Only a word beside it may be written, a header that
    /// goes with the packet and costs no bytes: it is what the last middlebox on the packet's way
    /// wrote, and means nothing before one did.
    fn arrive(&mut self, now: Time, place: u32, packet: &Packet, header: &mut u32);

    /// A packet comes that carries something, which stays with it.
    fn arrive_with_payload(
        &mut self,
        now: Time,
        place: u32,
        packet: &Packet,
        payload: &Self::Payload,
        header: &mut u32,
    ) {
        let _ = payload;
        self.arrive(now, place, packet, header);
    }

    /// A packet that carries nothing comes of which nothing follows but that it goes on at once: `step` would pass it on,
    /// then wait, and the timer stays as it is. Such packets may be taken here, without `arrive` and
    /// `step`: `true`. If the answer is `false` nothing may have been done; then comes `arrive`. For
    /// middleboxes that let most packets through; what others do is right.
    #[inline]
    fn passes(&mut self, now: Time, packet: &Packet, header: &mut u32) -> bool {
        let _ = (now, packet, header);
        false
    }

    /// The packets that [`passes`](Middlebox::passes) has let pass, which nobody else counts: who answers there
    /// answers here.
    fn passed(&self) -> Volume {
        Volume::default()
    }

    /// Whether it answers each packet at once, and nothing else: it keeps none and has no timer. What it
    /// does then follows from the packets that came and their times alone, and the network may bring
    /// them ahead of time, in their order. It is asked once, when all is built.
    fn is_prompt(&self) -> bool {
        false
    }

    /// What to do next.
    fn step(&mut self, now: Time) -> Step;

    /// The payload of the packet that it has just [sent](Step::Send). Asked once after each.
    fn payload(&mut self) -> Option<Self::Payload> {
        None
    }

    /// When to be asked again though nothing comes; a time that has passed means now.
    fn next_wake(&self) -> Option<Time> {
        None
    }
}

/// A middlebox's answer when it is asked what to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Nothing: it keeps what it has, or has nothing.
    Wait,
    /// The packet at this place goes on along its route.
    Pass(u32),
    /// The packet at this place is no more.
    Absorb(u32),
    /// Another packet goes on from here. [`Packet::hop`] says along which route: it is that of
    /// a packet that came here, or will come.
    Send(Packet),
}

impl<M: Middlebox + ?Sized> Middlebox for Box<M> {
    type Payload = M::Payload;
    fn arrive_with_payload(
        &mut self,
        now: Time,
        place: u32,
        packet: &Packet,
        payload: &M::Payload,
        header: &mut u32,
    ) {
        (**self).arrive_with_payload(now, place, packet, payload, header);
    }
    fn payload(&mut self) -> Option<M::Payload> {
        (**self).payload()
    }
    fn arrive(&mut self, now: Time, place: u32, packet: &Packet, header: &mut u32) {
        (**self).arrive(now, place, packet, header);
    }
    fn passes(&mut self, now: Time, packet: &Packet, header: &mut u32) -> bool {
        (**self).passes(now, packet, header)
    }
    fn passed(&self) -> Volume {
        (**self).passed()
    }
    fn is_prompt(&self) -> bool {
        (**self).is_prompt()
    }
    fn step(&mut self, now: Time) -> Step {
        (**self).step(now)
    }
    fn next_wake(&self) -> Option<Time> {
        (**self).next_wake()
    }
}

/// What has happened at a middlebox since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct MiddleboxCounters {
    /// The packets that came to it.
    pub came: Volume,
    /// The packets it passed on.
    pub passed: Volume,
    /// The packets that came to it and were absorbed.
    pub absorbed: Volume,
    /// The packets it sent of its own.
    pub created: Volume,
}

impl MiddleboxCounters {
    /// The packets it keeps.
    pub fn kept(&self) -> Volume {
        self.came - self.passed - self.absorbed
    }
}
