//! Middleboxes: parts that stand on a route, between two links or at an end.

use pacesim_units::Time;

use super::{Packet, Volume};

/// A part on routes that takes packets in and passes them on, keeps them, absorbs them or sends
/// others: a coder, a tunnel's end, a marker.
///
/// It is given the time and answers; the network schedules. The order of calls: `passes`, then
/// `arrive` for an arriving packet; after that, and at `next_wake`, `step` until it waits.
/// [`middlebox_laws`](super::middlebox_laws) states the laws that each must keep.
pub trait Middlebox {
    /// Type of the payloads in the middlebox's network: that of its [`Parts`](super::Parts).
    type Payload;

    /// Takes a packet, known by its place among those in flight, until it is passed on or absorbed.
    /// A packet is passed on unchanged: to change one, absorb it and send another. Only its header
    /// word may be written, which travels with the packet and costs no bytes: it holds the value
    /// written by the last middlebox on the way, and has no meaning before that.
    fn arrive(&mut self, now: Time, place: u32, packet: &Packet, header: &mut u32);

    /// Takes a packet with a payload, which stays with the packet.
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

    /// Takes a packet without a payload whose only effect is its immediate forwarding: `step` would
    /// pass it on, then wait, and the timer would stay as it is. `true` if taken here, in place of
    /// `arrive` and `step`. After `false`, `arrive` follows, so nothing may have been done yet. It
    /// pays for middleboxes that let most packets through; the default is right for the others.
    #[inline]
    fn passes(&mut self, now: Time, packet: &Packet, header: &mut u32) -> bool {
        let _ = (now, packet, header);
        false
    }

    /// The packets passed by [`passes`](Middlebox::passes), which the network does not count; a
    /// middlebox implements both methods or neither.
    fn passed(&self) -> Volume {
        Volume::default()
    }

    /// True if it answers each packet at once and does nothing else: it keeps none and has no
    /// timer. Its actions then follow from the packets and their times alone, and the network may
    /// deliver them ahead of time, in their order. Asked once, when the network is built.
    fn is_prompt(&self) -> bool {
        false
    }

    /// Chooses the middlebox's next action.
    fn step(&mut self, now: Time) -> Step;

    /// The payload of the packet that it has just [sent](Step::Send). Asked once after each.
    fn payload(&mut self) -> Option<Self::Payload> {
        None
    }

    /// Time of the next call if no packet arrives; a time in the past means now.
    fn next_wake(&self) -> Option<Time> {
        None
    }
}

/// A middlebox's next action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Waits: the middlebox keeps its packets, or has none.
    Wait,
    /// Sends the packet at this place on along its route.
    Pass(u32),
    /// Absorbs the packet at this place.
    Absorb(u32),
    /// Another packet starts here. Its [`Packet::hop`] names the route: that of a packet that
    /// arrived here or will arrive. If that packet's flow takes several paths, this one is of the same
    /// flow and direction.
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

/// Counters of a middlebox since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct MiddleboxCounters {
    /// Packets that arrived at the middlebox.
    pub came: Volume,
    /// Packets that the middlebox passed on.
    pub passed: Volume,
    /// Packets that arrived at the middlebox and were absorbed.
    pub absorbed: Volume,
    /// Packets that the middlebox created.
    pub created: Volume,
}

impl MiddleboxCounters {
    /// The packets that the middlebox holds.
    pub fn kept(&self) -> Volume {
        self.came - self.passed - self.absorbed
    }
}
