//! Packets that are missing among those that have arrived, and their recovery one by one.
//!
//! Source: Mittal et al., Revisiting network support for RDMA (IRN), SIGCOMM 2018, section 3.1. A refusal
//! names the packet whose arrival caused it. The first refusal, or the timer, begins a recovery: the
//! first packet that is not acknowledged is sent again, and any later one if a packet beyond it has
//! arrived. It ends when all packets sent before it began, or
//! sent again in it, are acknowledged. A packet that is lost twice
//! waits for the timer.

use std::collections::VecDeque;

/// The arrivals beyond the first packet that is not acknowledged.
#[derive(Clone, Debug, Default)]
pub(crate) struct Holes {
    /// Number of that packet.
    first: u32,
    /// For each packet from `first` to the last that has arrived: true if it has.
    arrived: VecDeque<bool>,
    recovery: Option<Recovery>,
}

#[derive(Clone, Copy, Debug)]
struct Recovery {
    /// The packet that is taken for lost whatever has arrived.
    opening: u32,
    /// Number behind the last packet sent before it began.
    until: u32,
    /// Number of the first packet that was not looked at.
    next: u32,
}

impl Holes {
    /// All packets before this number are acknowledged.
    pub(crate) fn acknowledge(&mut self, number: u32) {
        let packets = number.wrapping_sub(self.first) as usize;
        self.arrived.drain(..packets.min(self.arrived.len()));
        self.first = number;
        let is_over = |recovery: &Recovery| recovery.until.wrapping_sub(number) as i32 <= 0;
        self.recovery = self.recovery.filter(|recovery| !is_over(recovery));
    }

    /// A refusal says that this packet has arrived; `next` is the number of the next new packet. True
    /// if a recovery begins.
    pub(crate) fn refuse(&mut self, number: u32, next: u32) -> bool {
        let place = number.wrapping_sub(self.first);
        if place >= next.wrapping_sub(self.first) {
            // Acknowledged since, or never sent.
            return false;
        }
        let place = place as usize;
        if self.arrived.len() <= place {
            self.arrived.resize(place + 1, false);
        }
        self.arrived[place] = true;
        let begins = self.recovery.is_none() && self.arrived.contains(&false);
        if begins {
            self.recover(next);
        }
        begins
    }

    /// A recovery begins.
    pub(crate) fn recover(&mut self, next: u32) {
        self.recovery = Some(Recovery {
            opening: self.first,
            until: next,
            next: self.first,
        });
    }

    /// The next packet to send again.
    pub(crate) fn next_lost(&self) -> Option<u32> {
        let recovery = self.recovery?;
        let from = (recovery.next.wrapping_sub(self.first) as i32).max(0) as usize;
        let opening = recovery.opening.wrapping_sub(self.first) as usize;
        let is_lost = |place: usize| match self.arrived.get(place) {
            Some(has_arrived) => !has_arrived,
            None => place == opening,
        };
        let place = (from..self.arrived.len().max(1)).find(|place| is_lost(*place))?;
        Some(self.first.wrapping_add(place as u32))
    }

    /// That packet is sent again, and the recovery goes on until it is acknowledged.
    pub(crate) fn sent_again(&mut self, number: u32) {
        let next = number.wrapping_add(1);
        if let Some(recovery) = &mut self.recovery {
            recovery.next = next;
            if next.wrapping_sub(recovery.until) as i32 > 0 {
                recovery.until = next;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sends all again that is to be.
    fn resent(holes: &mut Holes) -> Vec<u32> {
        let next = || {
            let number = holes.next_lost()?;
            holes.sent_again(number);
            Some(number)
        };
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn each_hole_is_sent_again_once_in_a_recovery() {
        let mut holes = Holes::default();
        // Packets 2, 4 and 9 are lost of the ten from 0 on.
        holes.acknowledge(2);
        assert!(holes.refuse(3, 10));
        assert_eq!(resent(&mut holes), [2]);
        for number in [5, 6, 7, 8] {
            assert!(!holes.refuse(number, 10), "one recovery");
        }
        assert_eq!(resent(&mut holes), [4]);
        holes.acknowledge(4);
        assert_eq!(resent(&mut holes), [0; 0]);
        holes.acknowledge(9);
        assert_eq!(
            resent(&mut holes),
            [0; 0],
            "nothing beyond the last has arrived"
        );
        holes.recover(10);
        assert_eq!(resent(&mut holes), [9], "after the timer");
        holes.acknowledge(10);
        assert_eq!(holes.next_lost(), None);
    }

    #[test]
    fn old_refusals_and_those_of_packets_never_sent_say_nothing() {
        let mut holes = Holes::default();
        holes.acknowledge(5);
        assert!(!holes.refuse(4, 10), "acknowledged since");
        assert!(!holes.refuse(10, 10), "never sent");
        assert!(!holes.refuse(5, 10), "no packet before it is missing");
        assert_eq!(holes.next_lost(), None);
    }

    #[test]
    fn a_packet_is_sent_again_once_though_it_was_sent_in_the_recovery() {
        let mut holes = Holes::default();
        assert!(holes.refuse(1, 3));
        assert_eq!(resent(&mut holes), [0]);
        holes.acknowledge(2);
        assert!(!holes.refuse(4, 5), "packet 2 is still outstanding");
        assert_eq!(resent(&mut holes), [2, 3]);
        holes.acknowledge(3);
        assert!(!holes.refuse(4, 5), "and so is 3");
        assert_eq!(resent(&mut holes), [0; 0]);
        holes.acknowledge(5);
        assert!(holes.refuse(6, 7), "another recovery");
        assert_eq!(resent(&mut holes), [5]);
    }
}
