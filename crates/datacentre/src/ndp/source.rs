//! The sender of a flow: `NdpSrc` of htsim. Packets are numbered from 0.

/// A packet to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    /// Its number.
    pub packet: u32,
    /// True if it was sent before.
    pub is_again: bool,
}

/// A sender: its first window at once, then a packet for each pull.
#[derive(Clone, Debug)]
pub struct NdpSource {
    packets: u32,
    next: u32,
    /// Packets of the first window.
    window: u32,
    /// Packets that got a NACK, the highest number first.
    again: Vec<u32>,
    /// Pulls that were answered by a packet, and the highest number of a pull.
    answered: u32,
    pulled: u32,
}

impl NdpSource {
    /// A flow of so many packets, with a first window.
    pub fn new(packets: u32, window: u32) -> NdpSource {
        NdpSource {
            packets,
            next: 0,
            window,
            again: Vec::new(),
            answered: 0,
            pulled: 0,
        }
    }

    /// For a flow whose end is not known: the packet behind the last one sent can be sent, or cannot.
    pub fn set_more(&mut self, more: bool) {
        self.packets = self.next.saturating_add(more.into());
    }

    /// A packet has arrived, and need not be sent again.
    pub fn ack(&mut self, packet: u32) {
        if let Ok(place) = self.place(packet) {
            self.again.remove(place);
        }
    }

    /// The place of a packet among those to be sent again.
    fn place(&self, packet: u32) -> Result<usize, usize> {
        self.again.binary_search_by(|other| packet.cmp(other))
    }

    /// A pull has arrived, by itself or with an ACK.
    pub fn pull(&mut self, number: u32) {
        self.pulled = self.pulled.max(number);
    }

    /// A NACK has arrived, with the number of a pull if it carries one. The packet is sent first at
    /// the next pull, or now if a pull found nothing to send.
    pub fn nack(&mut self, packet: u32, pull: Option<u32>) {
        if let Err(place) = self.place(packet) {
            self.again.insert(place, packet);
        }
        self.pull(pull.unwrap_or(0));
    }

    /// The next packet to send. To be called until it returns none, at the start and after each pull
    /// or NACK: first the lowest that got a NACK, then new ones.
    pub fn transmit(&mut self) -> Option<Sent> {
        let is_first = self.next < self.window.min(self.packets);
        if !is_first && self.answered >= self.pulled {
            return None;
        }
        let again = if is_first { None } else { self.again.pop() };
        let sent = match again {
            Some(packet) => Sent {
                packet,
                is_again: true,
            },
            None if self.next < self.packets => {
                self.next += 1;
                Sent {
                    packet: self.next - 1,
                    is_again: false,
                }
            }
            None => return None,
        };
        if !is_first {
            self.answered += 1;
        }
        Some(sent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(source: &mut NdpSource) -> Vec<u32> {
        std::iter::from_fn(|| source.transmit())
            .map(|sent| sent.packet)
            .collect()
    }

    #[test]
    fn packets_leave_by_pulls_and_those_with_a_nack_first() {
        let mut source = NdpSource::new(6, 3);
        assert_eq!(sent(&mut source), [0, 1, 2]);
        for packet in [2, 0, 2] {
            source.nack(packet, None);
        }
        assert!(sent(&mut source).is_empty());
        source.pull(1);
        assert_eq!(sent(&mut source), [0]);
        source.pull(3);
        assert_eq!(sent(&mut source), [2, 3], "pull 2 was lost");
        source.pull(2);
        assert!(sent(&mut source).is_empty());
        source.pull(9);
        assert_eq!(sent(&mut source), [4, 5]);
        source.nack(4, None);
        assert_eq!(sent(&mut source), [4], "a pull is left over");
    }
}
