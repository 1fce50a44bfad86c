//! A delay box: a middlebox with a separate delay and loss rate for each flow.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::sync::Arc;

use pacesim_core::net::{Kind, Middlebox, Packet, Step};
use pacesim_core::random::{Stream, unit_below_one};
use pacesim_units::{FlowId, Span, Time};

use crate::Payload;

/// The treatment of a flow's packets in a delay box.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Detour {
    /// Delay in either direction.
    pub delay: Span,
    /// The probability that a data packet is lost.
    pub data_loss: f64,
    /// The probability that an acknowledgement is lost.
    pub ack_loss: f64,
    /// For a flow that is one direction of an exchange: size of its FIN, if the box is to forget
    /// the direction with its FIN as ns-2's does. The packets it then holds in that direction are
    /// lost, and later ones pass at once.
    pub forgotten_with: Option<u32>,
}

/// A middlebox that delays packets, and loses some.
#[derive(Debug)]
pub struct DelayBox {
    first: FlowId,
    detours: Arc<[Detour]>,
    stream: Stream,
    /// Held packets by the time of their release, then by arrival.
    held: BinaryHeap<Reverse<DelayedPacket>>,
    came: u64,
    lost: Vec<u32>,
    /// Numbers of the directions that have been forgotten.
    forgotten: BTreeSet<u32>,
}

/// A held packet: time of its release, order of arrival, place, and passage.
type DelayedPacket = (Time, u64, u32, Passage);

/// The effect of a packet's release, with the number of its direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Passage {
    /// The packet passes if its direction is known.
    Plain(u32),
    /// The packet passes, and its direction is forgotten.
    Last(u32),
    /// The packet passes; its direction has been forgotten.
    Free,
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
            forgotten: BTreeSet::new(),
        }
    }

    /// The passage of a packet: acknowledgements belong to the direction of the other end's data,
    /// which is its neighbour in a pair.
    fn passage(&self, packet: &Packet) -> Passage {
        let flow = (packet.flow.index() - self.first.index()) as u32;
        let detour = self.detours[flow as usize];
        let (is_ack, other) = (packet.kind() == Kind::Ack, flow ^ 1);
        match if is_ack { other } else { flow } {
            way if self.forgotten.contains(&way) => Passage::Free,
            way if !is_ack && detour.forgotten_with == Some(packet.size) && packet.seq > 0 => {
                Passage::Last(way)
            }
            way => Passage::Plain(way),
        }
    }
}

impl Middlebox for DelayBox {
    type Payload = Payload;

    fn arrive(&mut self, now: Time, place: u32, packet: &Packet, _: &mut u32) {
        let passage = self.passage(packet);
        let detour = match passage {
            Passage::Free => Detour::default(),
            _ => self.detours[packet.flow.index() - self.first.index()],
        };
        let loss = match packet.kind() {
            Kind::Ack => detour.ack_loss,
            Kind::Data | Kind::Auxiliary => detour.data_loss,
        };
        if loss > 0.0 && unit_below_one(&mut self.stream) < loss {
            return self.lost.push(place);
        }
        let goes = now.saturating_add(detour.delay);
        self.held.push(Reverse((goes, self.came, place, passage)));
        self.came += 1;
    }

    fn step(&mut self, now: Time) -> Step {
        if let Some(place) = self.lost.pop() {
            return Step::Absorb(place);
        }
        match self.next_wake().filter(|goes| *goes <= now) {
            None => Step::Wait,
            Some(_) => {
                let Reverse((.., place, passage)) = self.held.pop().expect("one that may go");
                match passage {
                    Passage::Plain(way) if self.forgotten.contains(&way) => Step::Absorb(place),
                    Passage::Last(way) if !self.forgotten.insert(way) => Step::Absorb(place),
                    _ => Step::Pass(place),
                }
            }
        }
    }

    fn next_wake(&self) -> Option<Time> {
        self.held.peek().map(|Reverse((goes, ..))| *goes)
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
    fn a_way_may_be_forgotten_with_its_last_packet() {
        let detour = Detour {
            delay: Span::from_us(100),
            forgotten_with: Some(40),
            ..Detour::default()
        };
        let packet = |flow, kind: Kind, seq, size| Packet {
            flow: FlowId(flow),
            flags: kind.into(),
            seq,
            size,
            ..Packet::default()
        };
        let gaps = [10, 10, 10, 10, 90, 10, 10].map(Span::from_us);
        let packets = [
            packet(3, Kind::Data, 0, 40),
            packet(3, Kind::Data, 1, 40),
            // Behind it in its direction, and in the other one.
            packet(4, Kind::Ack, 1, 40),
            packet(3, Kind::Ack, 1, 40),
            // Later.
            packet(4, Kind::Ack, 2, 40),
            packet(3, Kind::Data, 1, 40),
            packet(4, Kind::Data, 3, 900),
        ];
        let packets: Vec<_> = gaps.into_iter().zip(packets).collect();
        let steps = middlebox_laws(|| a_box(&[detour; 2]), &packets).expect("it obeys");
        let done: Vec<(u64, Option<u32>)> = steps
            .iter()
            .filter_map(|(at, step)| match step {
                Step::Pass(place) => Some((at.as_ps() / 1_000_000, Some(*place))),
                Step::Absorb(_) => Some((at.as_ps() / 1_000_000, None)),
                _ => None,
            })
            .collect();
        let passed = |at, place| (at, Some(place));
        let expected = [
            passed(110, 0),
            passed(120, 1),
            (130, None),
            passed(130, 4),
            passed(140, 3),
            passed(140, 5),
            passed(250, 6),
        ];
        assert_eq!(done, expected);
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
            .for_each(|(_, packet)| packet.flags = Kind::Ack.into());
        let steps = middlebox_laws(|| a_box(&detours), &[data, acks].concat()).expect("it obeys");
        let lost = |step: &&(Time, Step)| matches!(step.1, Step::Absorb(_));
        let lost = steps.iter().filter(lost).count();
        // Four standard deviations of 40.
        assert!(lost.abs_diff(2_000) < 160, "{lost} of 10000");
    }
}
