//! ACK thinning: of several ACKs in a row only the last goes on (ACK filtering, RFC 3449,
//! section 5.2).

use std::collections::VecDeque;

use pacesim_core::net::{Kind, Middlebox, Packet, Step};
use pacesim_units::{FlowId, Span, Time};

use super::OwnMiddlebox;
use crate::Payload;

/// Parameters of the thinning of ACKs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AckThinning {
    /// The number of consecutive ACKs, only the last of which is forwarded.
    pub every: u32,
    /// The maximum time for which an ACK waits for a later one to replace it.
    pub hold: Span,
}

/// A middlebox that absorbs ACKs which a later one replaces: an ACK of the same connection that
/// acknowledges more and has the same flags. ACKs with other information, such as duplicates and
/// those with SACK blocks, pass at once, behind the one held; so do all other packets.
#[derive(Debug)]
pub struct Thinner {
    config: AckThinning,
    /// The ACKs held for each flow, one for each of its connections.
    held: Vec<Vec<HeldAck>>,
    /// Connections, by their flow and their packets' tag, and the time at which their ACK leaves;
    /// those whose ACK has already left are skipped.
    due: VecDeque<(Time, FlowId, u32)>,
    /// Actions to be taken now.
    ready: VecDeque<Step>,
}

/// An ACK that a later one may replace.
#[derive(Clone, Copy, Debug)]
struct HeldAck {
    place: u32,
    packet: Packet,
    /// Number of ACKs of this row so far.
    count: u32,
    due: Time,
}

impl HeldAck {
    /// True if an ACK carries all the information of this one.
    fn is_covered_by(&self, ack: &Packet) -> bool {
        ack.flags == self.packet.flags && ack.seq > self.packet.seq
    }
}

impl AckThinning {
    /// Name of the middlebox in scenarios.
    pub const NAME: &'static str = "ack_thinning";

    /// Builds the middlebox.
    pub fn build(self) -> Thinner {
        Thinner {
            config: self,
            held: Vec::new(),
            due: VecDeque::new(),
            ready: VecDeque::new(),
        }
    }

    /// The middlebox as a part of a model.
    pub fn part(self) -> OwnMiddlebox {
        OwnMiddlebox::new(AckThinning::NAME, move |_| self.build())
    }
}

impl Thinner {
    /// Takes out the ACK held for a connection, if it is due at this time.
    fn take_out(&mut self, flow: FlowId, tag: u32, due: Option<Time>) -> Option<HeldAck> {
        let held = self.held.get_mut(flow.index())?;
        let is_it =
            |held: &HeldAck| held.packet.tag == tag && due.is_none_or(|due| held.due == due);
        let at = held.iter().position(is_it)?;
        Some(held.swap_remove(at))
    }

    fn hold(&mut self, held: HeldAck) {
        let flow = held.packet.flow.index();
        if self.held.len() <= flow {
            self.held.resize_with(flow + 1, Vec::new);
        }
        self.held[flow].push(held);
    }

    /// Takes an ACK without SACK blocks.
    fn take(&mut self, now: Time, place: u32, packet: &Packet) {
        let before = self.take_out(packet.flow, packet.tag, None);
        let (count, due) = match before {
            Some(held) if held.is_covered_by(packet) => {
                self.ready.push_back(Step::Absorb(held.place));
                (held.count + 1, held.due)
            }
            Some(held) => {
                self.ready.push_back(Step::Pass(held.place));
                // It is not an ACK of a row: it acknowledges nothing new, or carries other
                // information.
                return self.ready.push_back(Step::Pass(place));
            }
            None => {
                let due = now.saturating_add(self.config.hold);
                self.due.push_back((due, packet.flow, packet.tag));
                (1, due)
            }
        };
        if count >= self.config.every {
            return self.ready.push_back(Step::Pass(place));
        }
        self.hold(HeldAck {
            place,
            packet: *packet,
            count,
            due,
        });
    }
}

impl Middlebox for Thinner {
    type Payload = Payload;

    fn arrive(&mut self, now: Time, place: u32, packet: &Packet, _: &mut u32) {
        match packet.kind() {
            Kind::Ack => self.take(now, place, packet),
            Kind::Data | Kind::Auxiliary => self.ready.push_back(Step::Pass(place)),
        }
    }

    fn arrive_with_payload(
        &mut self,
        _: Time,
        place: u32,
        packet: &Packet,
        _: &Payload,
        _: &mut u32,
    ) {
        if packet.kind() == Kind::Ack
            && let Some(held) = self.take_out(packet.flow, packet.tag, None)
        {
            self.ready.push_back(Step::Pass(held.place));
        }
        self.ready.push_back(Step::Pass(place));
    }

    fn step(&mut self, now: Time) -> Step {
        while self.ready.is_empty()
            && let Some((due, flow, tag)) = self.due.front().copied()
            && due <= now
        {
            self.due.pop_front();
            if let Some(held) = self.take_out(flow, tag, Some(due)) {
                self.ready.push_back(Step::Pass(held.place));
            }
        }
        self.ready.pop_front().unwrap_or(Step::Wait)
    }

    fn next_wake(&self) -> Option<Time> {
        self.due.front().map(|(due, ..)| *due)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pacesim_core::net::middlebox_laws;
    use pacesim_core::random::{Streams, unit_below_one};
    use pacesim_units::FlowId;

    fn ack(flow: u32, seq: u32, ece: bool) -> Packet {
        Packet {
            flow: FlowId(flow),
            seq,
            flags: pacesim_core::net::Flags::from(Kind::Ack).with_ece(ece),
            ..Packet::default()
        }
    }

    const THIRD: AckThinning = AckThinning {
        every: 3,
        hold: Span::from_ms(10),
    };

    /// The milliseconds at which packets pass (`true`) or are absorbed.
    fn steps(packets: &[(Span, Packet)]) -> Vec<(u32, u64, bool)> {
        let steps = middlebox_laws(|| THIRD.build(), packets).expect("it obeys the laws");
        let told = steps.iter().filter_map(|(at, step)| {
            let ms = at.as_ps() / 1_000_000_000;
            match step {
                Step::Pass(place) => Some((*place, ms, true)),
                Step::Absorb(place) => Some((*place, ms, false)),
                _ => None,
            }
        });
        told.collect()
    }

    #[test]
    fn the_last_of_three_passes_and_no_ack_waits_for_longer_than_is_said() {
        let packets = [1, 2, 3, 4].map(|seq| (Span::from_ms(1), ack(0, seq, false)));
        let expected = [(0, 2, false), (1, 3, false), (2, 3, true), (3, 14, true)];
        assert_eq!(steps(&packets), expected);
    }

    #[test]
    fn acks_that_tell_something_else_pass_behind_the_one_held() {
        let acks = [
            ack(0, 1, false),
            ack(0, 1, false),
            ack(0, 2, false),
            ack(0, 3, true),
        ];
        let packets = acks.map(|ack| (Span::from_ms(1), ack));
        // The second is a duplicate, the fourth echoes a mark.
        let expected = [(0, 2, true), (1, 2, true), (2, 4, true), (3, 4, true)];
        assert_eq!(steps(&packets), expected);
    }

    /// Over random ACKs of three flows: each is passed on or absorbed, each flow keeps its order, and
    /// the greatest number acknowledged so far comes out at most the time of holding later.
    #[test]
    fn no_news_is_lost_or_late() {
        for seed in 0..50 {
            let replication = 0;
            let streams = Streams { seed, replication };
            let mut dice = streams.stream("acks", "test");
            let mut next = [0_u32; 3];
            let mut packet = |_| {
                let mut below = |limit: f64| (unit_below_one(&mut dice) * limit) as u32;
                let (flow, gap) = (below(3.0), below(4000.0));
                next[flow as usize] += below(3.0);
                let ack = ack(flow, next[flow as usize], below(10.0) == 0);
                (Span::from_us(u64::from(gap)), ack)
            };
            let packets: Vec<_> = (0..400).map(&mut packet).collect();
            let steps = middlebox_laws(|| THIRD.build(), &packets).expect("it obeys the laws");
            check(&packets, &steps);
        }
    }

    fn check(packets: &[(Span, Packet)], steps: &[(Time, Step)]) {
        let (mut now, mut passed, mut gone) = (Time::ZERO, vec![Vec::new(); 3], 0);
        let came = packets.iter().map(|(gap, _)| {
            now += *gap;
            now
        });
        let came: Vec<Time> = came.collect();
        for (at, step) in steps {
            gone += usize::from(matches!(step, Step::Pass(_) | Step::Absorb(_)));
            if let Step::Pass(place) = step {
                passed[packets[*place as usize].1.flow.index()].push((*place, *at));
            }
        }
        assert_eq!(gone, packets.len(), "each is passed on or absorbed");
        for of_flow in &passed {
            assert!(
                of_flow.is_sorted_by_key(|(place, _)| *place),
                "the order stays"
            );
        }
        for ((_, ack), came) in packets.iter().zip(&came) {
            let news = passed[ack.flow.index()].iter();
            let told = news.filter(|(place, _)| packets[*place as usize].1.seq >= ack.seq);
            let first = told.map(|(_, at)| *at).min().expect("it is told");
            assert!(
                first <= *came + THIRD.hold,
                "{ack:?} of {came} is told at {first}"
            );
        }
    }
}
