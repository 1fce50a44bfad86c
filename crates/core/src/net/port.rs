//! The port of a link: the data that each packet touches there.

use pacesim_units::{LinkId, PS_PER_SECOND, Rate, Span, Time};

use super::backlog::{Backlog, Backlogs};
use super::waits::Waits;
use super::{LinkConfig, Volume};

/// The sending end of a link, in one cache line. It is work-conserving: a packet's departure is
/// known when it is taken, and packets that have left are forgotten when that matters.
#[derive(Debug)]
#[repr(align(64))]
pub(super) struct Port {
    /// Time at which the transmission of all accepted packets ends.
    next_free: Time,
    pub(super) delay: Span,
    /// Hash of all events at the port.
    pub(super) fingerprint: u64,
    pub(super) accepted: Volume,
    /// Start of the transmission of the first packet in the port, and its size.
    first_began: Time,
    first_size: u32,
    /// Number of packets in the port. All but the first are in the backlog.
    in_port: u32,
    /// Picoseconds per byte where that is a whole number, otherwise zero, and the backlog has the
    /// clock.
    byte_ps: u32,
    /// True if a packet that finds the port idle is just transmitted: the backlog has no limit, and
    /// a byte takes whole picoseconds.
    is_plain: bool,
    /// True if the wire has packets that could have been forwarded ahead of time.
    pub(super) is_late: bool,
}

/// Schedule of a packet accepted by a port.
#[derive(Clone, Copy, Debug)]
pub(super) struct Accepted {
    /// Time at which the transmission starts.
    pub(super) began: Time,
    /// Time at which the last bit departs.
    pub(super) departure: Time,
    /// Time at which the last bit arrives at the other end.
    pub(super) arrive: Time,
}

impl Accepted {
    /// Puts off the transmission by the time that the host takes.
    pub(super) fn delay(&mut self, late: Span) {
        self.began = self.began.saturating_add(late);
        self.arrive = self.arrive.saturating_add(late);
    }
}

/// A multiplier with well-mixed bits (the fraction of the golden ratio).
const MIX: u64 = 0x9E37_79B9_7F4A_7C15;
/// The outcome of a dropped packet in a fingerprint: no departure time is odd.
const DROPPED: u64 = 1;
/// The word of a frame that belongs to no flow, in fingerprints.
const FRAME: u64 = u64::MAX;

impl Port {
    /// A port without packets.
    pub(super) fn new(spec: &LinkConfig, backlog: (&mut Backlogs, LinkId)) -> Port {
        let mut port = Port {
            next_free: Time::ZERO,
            delay: spec.delay,
            fingerprint: MIX,
            accepted: Volume::default(),
            first_began: Time::ZERO,
            first_size: 0,
            in_port: 0,
            byte_ps: 0,
            is_plain: false,
            is_late: false,
        };
        port.set_rate(backlog, spec.rate);
        port
    }

    /// Offers a packet at `now`, as the effect of an activity that started at `began`. Returns its
    /// schedule, or `None` if it was dropped. The port's backlog is looked up only if it matters.
    #[inline(always)]
    pub(super) fn offer(
        &mut self,
        (backlogs, id): (&mut Backlogs, LinkId),
        now: Time,
        began: Time,
        (size, word): (u32, u64),
    ) -> Option<Accepted> {
        if now > self.next_free && self.is_plain {
            self.leave_all(backlogs, id);
            (self.first_began, self.first_size) = (now, size);
            let span = Span::from_ps(u64::from(self.byte_ps) * u64::from(size));
            return Some(self.take(now, now, span, (size, word)));
        }
        self.offer_to_queue(backlogs.at(id), now, began, (size, word))
    }

    /// The general case of [`offer`](Self::offer): other packets, a limit, or a line of an odd
    /// rate.
    #[inline]
    fn offer_to_queue(
        &mut self,
        (backlog, waits): (&mut Backlog, &mut Waits),
        now: Time,
        began: Time,
        (size, word): (u32, u64),
    ) -> Option<Accepted> {
        self.retire((backlog, waits), now, began);
        if !backlog.has_room(self.in_port, self.first_size, size) {
            self.refuse(backlog, now, size, word);
            return None;
        }
        let rested = self.in_port == 0;
        let start = if rested {
            (self.first_began, self.first_size) = (now, size);
            now
        } else {
            let start = self.next_free;
            backlog.push(waits, now, (start, size), self.in_port);
            start
        };
        let span = self.span(backlog, size, rested);
        Some(self.take(now, start, span, (size, word)))
    }

    /// The packets that wait before one that arrives at `now`, if it fits.
    pub(super) fn waiting_for(
        &mut self,
        (backlog, waits): (&mut Backlog, &mut Waits),
        (now, began): (Time, Time),
        size: u32,
    ) -> Option<Volume> {
        self.retire((backlog, waits), now, began);
        let has_room = backlog.has_room(self.in_port, self.first_size, size);
        has_room.then(|| Volume {
            packets: u64::from(self.in_port.saturating_sub(1)),
            bytes: backlog.waiting_bytes(),
        })
    }

    /// Packets in the port that are not known to have left.
    pub(super) fn in_port(&self) -> u32 {
        self.in_port
    }

    /// Forgets all packets of the port once they have left.
    #[inline(always)]
    fn leave_all(&mut self, backlogs: &mut Backlogs, id: LinkId) {
        if self.in_port > 1 {
            let (backlog, waits) = backlogs.at(id);
            backlog.clear(waits);
        }
        self.in_port = 0;
    }

    /// Transmits at `now` a packet that arrived at `came` and waited in a queue elsewhere. The line
    /// is free: since the last departure, which is now, or it `rested` before.
    pub(super) fn send_at_once(
        &mut self,
        backlog: &mut Backlog,
        now: Time,
        came: Time,
        (size, word): (u32, u64),
        rested: bool,
    ) -> Accepted {
        debug_assert!(
            now >= self.next_free,
            "the line sends until {}",
            self.next_free
        );
        self.in_port = 0;
        (self.first_began, self.first_size) = (now, size);
        let span = self.span(backlog, size, rested);
        self.take(came, now, span, (size, word))
    }

    /// Transmits at `now` a frame that is no packet of any flow. The line is free.
    pub(super) fn send_frame(
        &mut self,
        backlog: &mut Backlog,
        now: Time,
        size: u32,
        rested: bool,
    ) -> Accepted {
        debug_assert!(now >= self.next_free, "the line is free");
        self.in_port = 0;
        let span = self.span(backlog, size, rested);
        let departure = now.saturating_add(span);
        self.next_free = departure;
        self.note(now, departure.as_ps() << 1, FRAME);
        Accepted {
            began: now,
            departure,
            arrive: departure.saturating_add(self.delay),
        }
    }

    /// Transmission time of a packet on a line that may have `rested`.
    #[inline]
    fn span(&self, backlog: &mut Backlog, size: u32, rested: bool) -> Span {
        match self.byte_ps {
            0 => backlog.send(size, rested),
            byte_ps => Span::from_ps(u64::from(byte_ps) * u64::from(size)),
        }
    }

    /// Takes a packet that arrived at `came` and is transmitted from `start` on.
    #[inline(always)]
    fn take(&mut self, came: Time, start: Time, span: Span, (size, word): (u32, u64)) -> Accepted {
        let departure = start.saturating_add(span);
        self.next_free = departure;
        self.in_port += 1;
        self.accepted.add(size);
        self.note(came, departure.as_ps() << 1, word);
        Accepted {
            began: start,
            departure,
            arrive: departure.saturating_add(self.delay),
        }
    }

    /// Drops a packet, whatever is waiting.
    #[cold]
    #[inline(never)]
    pub(super) fn refuse(&mut self, backlog: &mut Backlog, now: Time, size: u32, word: u64) {
        backlog.dropped.add(size);
        self.note(now, DROPPED, word);
    }

    /// Notes that a packet was lost on the wire.
    pub(super) fn note_loss(&mut self, now: Time, word: u64) {
        self.note(now, DROPPED, word);
    }

    /// Sets the rate of packets taken from now on.
    pub(super) fn set_rate(&mut self, (backlogs, id): (&mut Backlogs, LinkId), rate: Rate) {
        self.byte_ps = whole_ps_per_byte(rate);
        if self.byte_ps == 0 {
            backlogs.at(id).0.set_rate(rate);
        }
        self.is_plain = self.byte_ps > 0 && !backlogs.is_bounded(id);
    }

    /// Rate of the line.
    pub(super) fn rate(&self, (backlogs, id): (&Backlogs, LinkId)) -> Rate {
        match self.byte_ps {
            0 => backlogs.odd_rate(id),
            byte_ps => Rate::from_bps(8 * PS_PER_SECOND / u64::from(byte_ps)).expect("not zero"),
        }
    }

    /// The packets that leave after `now`: the start of each one's transmission, and its size.
    /// Reading changes nothing: a later arrival at the same instant may come before a departure.
    pub(super) fn still_in_port<'a>(
        &self,
        (backlogs, id): (&'a Backlogs, LinkId),
        now: Time,
    ) -> impl Iterator<Item = (Time, u32)> + use<'a> {
        let waiting = backlogs.waiting(id, self.in_port.saturating_sub(1));
        let waiting = waiting.map(|waiting| (waiting.start, waiting.size));
        let first = (self.in_port > 0).then_some((self.first_began, self.first_size));
        // A packet leaves when the one behind it starts.
        let departures = waiting.clone().map(|(start, _)| start);
        let departures = departures.chain([self.next_free]);
        let all = first.into_iter().chain(waiting).zip(departures);
        all.filter(move |(_, leaves)| *leaves > now)
            .map(|(packet, _)| packet)
    }

    /// The line's time for this many bytes, in picoseconds.
    pub(super) fn line_ps(&self, (backlogs, id): (&Backlogs, LinkId), bytes: u64) -> u128 {
        let bytes = u128::from(bytes);
        match self.byte_ps {
            0 => {
                let bit_ps = bytes * 8 * u128::from(PS_PER_SECOND);
                bit_ps.div_ceil(u128::from(backlogs.odd_rate(id).as_bps()))
            }
            byte_ps => bytes * u128::from(byte_ps),
        }
    }

    /// The time after `now` for which the line has work; `None` if that is beyond the last time that
    /// can be written.
    pub(super) fn given_ps(&self, now: Time) -> Option<u128> {
        let is_known = self.next_free < Time::NEVER;
        is_known.then(|| self.next_free.saturating_since(now).as_ps().into())
    }

    /// Forgets packets that left before an event that happens at `now` and began at `began`. A
    /// departure began when its transmission did; at equal times the earlier beginning comes first,
    /// and departures come before arrivals if both began together.
    #[inline]
    fn retire(&mut self, (backlog, waits): (&mut Backlog, &mut Waits), now: Time, began: Time) {
        if now > self.next_free {
            if self.in_port > 1 {
                backlog.clear(waits);
            }
            self.in_port = 0;
        } else if self.in_port > 0 {
            self.retire_some((backlog, waits), now, began);
        }
    }

    #[inline]
    fn retire_some(
        &mut self,
        (backlog, waits): (&mut Backlog, &mut Waits),
        now: Time,
        began: Time,
    ) {
        while self.in_port > 0 {
            let departure = match self.in_port {
                1 => self.next_free,
                _ => backlog.next_start(waits),
            };
            if departure > now || (departure == now && self.first_began > began) {
                return;
            }
            if self.in_port > 1 {
                let next = backlog.pop(waits);
                (self.first_began, self.first_size) = (next.start, next.size);
            }
            self.in_port -= 1;
        }
    }

    /// Mixes the outcome of a packet and its time into the fingerprint: a bijection of the former
    /// value, so no earlier event is forgotten.
    #[inline]
    fn note(&mut self, now: Time, outcome: u64, word: u64) {
        let mixed = (self.fingerprint ^ now.as_ps() ^ word).wrapping_mul(MIX);
        self.fingerprint = mixed.rotate_left(29) ^ outcome;
    }
}

/// Picoseconds per byte, or zero where that is not a whole number, or is so large that a packet's
/// time might overflow.
fn whole_ps_per_byte(rate: Rate) -> u32 {
    let byte = 8 * PS_PER_SECOND;
    match byte % rate.as_bps() {
        0 => u32::try_from(byte / rate.as_bps()).unwrap_or(0),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_is_one_line_of_the_cache() {
        assert_eq!(size_of::<Port>(), 64);
    }

    #[test]
    fn only_whole_times_of_a_byte_are_kept() {
        let of = |bps| whole_ps_per_byte(Rate::from_bps(bps).expect("not zero"));
        assert_eq!(of(10_000_000), 800_000);
        assert_eq!(of(400_000_000_000), 20);
        assert_eq!(of(15_000_000), 0);
        assert_eq!(of(1), 0, "times of large packets would not fit");
    }
}
