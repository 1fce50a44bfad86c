//! The receiver of a flow: `NdpSink` of htsim.

/// An answer to send at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Number of the pull that belongs to it: it goes with the answer if the clock allows, else later.
    pub pull: u32,
    /// All packets before this one have arrived.
    pub expected: u32,
    /// True if all packets of the flow have arrived, so that its pulls are needless.
    pub is_complete: bool,
}

/// A receiver. It answers each packet.
#[derive(Clone, Debug, Default)]
pub struct NdpSink {
    pulls: u32,
    expected: u32,
    /// Packets that arrived before an earlier one, in order.
    early: Vec<u32>,
    /// The packet that ended the flow's data, as far as is known, and the greatest number that came.
    last: Option<u32>,
    furthest: u32,
}

impl NdpSink {
    /// A receiver of a flow of unknown length.
    pub fn new() -> NdpSink {
        NdpSink::default()
    }

    /// A packet has arrived whole, to be answered by an ACK.
    pub fn data(&mut self, packet: u32, is_last: bool) -> Answer {
        if packet >= self.furthest {
            self.furthest = packet;
            self.last = is_last.then_some(packet);
        }
        if packet == self.expected {
            let in_order = self.early.iter().zip(packet + 1..);
            let count = in_order.take_while(|(early, next)| *early == next).count();
            self.early.drain(..count);
            self.expected += 1 + count as u32;
        } else if packet > self.expected
            && let Err(place) = self.early.binary_search(&packet)
        {
            self.early.insert(place, packet);
        }
        self.answer()
    }

    /// True if a packet has not arrived whole before.
    pub fn is_new(&self, packet: u32) -> bool {
        packet >= self.expected && self.early.binary_search(&packet).is_err()
    }

    /// The header of a packet has arrived, to be answered by a NACK.
    pub fn header(&mut self) -> Answer {
        Answer {
            is_complete: false,
            ..self.answer()
        }
    }

    fn answer(&mut self) -> Answer {
        self.pulls += 1;
        Answer {
            pull: self.pulls,
            expected: self.expected,
            is_complete: self.last.is_some_and(|last| self.expected > last),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flow_is_complete_once_all_before_its_last_packet_have_arrived() {
        let mut sink = NdpSink::new();
        assert_eq!(sink.data(0, false).expected, 1);
        assert_eq!(sink.data(3, true).expected, 1);
        assert_eq!(sink.data(2, false).expected, 1);
        assert_eq!(sink.header().pull, 4);
        assert_eq!(sink.data(2, false).expected, 1, "twice");
        let answer = sink.data(1, false);
        let expected = Answer {
            pull: 6,
            expected: 4,
            is_complete: true,
        };
        assert_eq!(answer, expected);
    }
}
