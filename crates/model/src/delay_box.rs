//! A delay box: packets of each flow wait for a time of its own, or are lost at a rate of its own.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use pacesim_core::net::{Kind, Middlebox, Packet, Step};
use pacesim_core::random::{Stream, unit_below_one};
use pacesim_units::{FlowId, Span, Time};

/// What a delay box does with the packets of a flow.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Detour {
    /// How long each waits, in either direction.
    pub delay: Span,
    /// The probability that a data packet is lost.
    pub data_loss: f64,
    /// The probability that an acknowledgement is lost.
    pub ack_loss: f64,
}

/// A middlebox that delays packets, and loses some.
#[derive(Debug)]
pub struct DelayBox {
    first: FlowId,
    detours: Arc<[Detour]>,
    stream: Stream,
    /// By the times at which they go on, and those that go at one time as they came.
    held: BinaryHeap<Reverse<(Time, u64, u32)>>,
    came: u64,
    lost: Vec<u32>,
}

impl DelayBox {
    /// A box for the flows from `first` on, one for each of the detours.
    pub fn new(first: FlowId, detours: Arc<[Detour]>, stream: Stream) -> DelayBox {
        DelayBox {
            first,
            detours,
            stream,
            held: BinaryHeap::new(),
            came: 0,
            lost: Vec::new(),
        }
    }
}

impl Middlebox for DelayBox {
    fn arrive(&mut self, now: Time, place: u32, packet: &Packet, _: &mut u32) {
        let detour = self.detours[packet.flow.index() - self.first.index()];
        let loss = match packet.kind {
            Kind::Ack => detour.ack_loss,
            Kind::Data | Kind::Auxiliary => detour.data_loss,
        };
        if loss > 0.0 && unit_below_one(&mut self.stream) < loss {
            return self.lost.push(place);
        }
        let goes = now.saturating_add(detour.delay);
        self.held.push(Reverse((goes, self.came, place)));
        self.came += 1;
    }

    fn step(&mut self, now: Time) -> Step {
        if let Some(place) = self.lost.pop() {
            return Step::Absorb(place);
        }
        match self.next_wake().filter(|goes| *goes <= now) {
            None => Step::Wait,
            Some(_) => {
                let Reverse((_, _, place)) = self.held.pop().expect("one that may go");
                Step::Pass(place)
            }
        }
    }

    fn next_wake(&self) -> Option<Time> {
        self.held.peek().map(|Reverse((goes, _, _))| *goes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pacesim_core::net::middlebox_laws;
    use pacesim_core::random::Streams;

    fn a_box(detours: &[Detour]) -> DelayBox {
        let streams = Streams {
            seed: 1,
            replication: 0,
        };
        let stream = streams.stream("a delay box", "loss");
        DelayBox::new(FlowId(3), detours.into(), stream)
    }

    fn packets(flows: &[u32]) -> Vec<(Span, Packet)> {
        let packet = |flow: &u32| Packet {
            flow: FlowId(*flow),
            ..Packet::default()
        };
        let gap = Span::from_us(10);
        flows.iter().map(|flow| (gap, packet(flow))).collect()
    }

    #[test]
    fn packets_of_each_flow_wait_for_its_time_and_may_overtake_those_of_another() {
        let delayed = |us| Detour {
            delay: Span::from_us(us),
            ..Detour::default()
        };
        let detours = [delayed(100), delayed(0)];
        let steps = middlebox_laws(|| a_box(&detours), &packets(&[3, 3, 4])).expect("it obeys");
        let passed: Vec<(u64, u32)> = steps
            .iter()
            .filter_map(|(at, step)| match step {
                Step::Pass(place) => Some((at.as_ps() / 1_000_000, *place)),
                _ => None,
            })
            .collect();
        assert_eq!(passed, [(30, 2), (110, 0), (120, 1)]);
    }

    #[test]
    fn data_and_acknowledgements_are_lost_at_their_own_rates() {
        let detours = [Detour {
            data_loss: 0.2,
            ..Detour::default()
        }];
        let mut packets = packets(&[3; 20_000]);
        let (data, acks) = packets.split_at_mut(10_000);
        acks.iter_mut()
            .for_each(|(_, packet)| packet.kind = Kind::Ack);
        let steps = middlebox_laws(|| a_box(&detours), &[data, acks].concat()).expect("it obeys");
        let lost = |step: &&(Time, Step)| matches!(step.1, Step::Absorb(_));
        let lost = steps.iter().filter(lost).count();
        // Four standard deviations of 40.
        assert!(lost.abs_diff(2_000) < 160, "{lost} of 10000");
    }
}
