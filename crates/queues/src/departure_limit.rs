//! A FIFO that checks its limit when packets leave, as in switches whose pipeline sees the queue
//! only then.

use pacesim_units::{Capacity, Rate, Span, Time};

use crate::built_in::{BuiltIn, Site};
use crate::drop_tail::DropTail;
use crate::queue::{Line, Pending, Queue, Reason, Turn, Waiting};

/// Parameters of a limit that applies at departure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DepartureLimitConfig {
    /// Limit on waiting packets at any time.
    pub capacity: Capacity,
    /// True if the packet in transmission counts towards the limit.
    pub counts_sending: bool,
    /// A packet that leaves a longer queue than this is dropped; it counts itself.
    pub limit: Capacity,
    /// The share of its transmission time for which a dropped packet occupies the line.
    pub cost: f64,
    /// Rate of the line.
    pub rate: Rate,
}

/// A FIFO whose packets are dropped at their turn, at the cost of a share of their transmission
/// time.
#[derive(Clone, Debug)]
pub struct DepartureLimit {
    fifo: DropTail,
    config: DepartureLimitConfig,
    /// The time per byte on the line.
    byte_ps: f64,
    /// Time at which the last dropped packet's time on the line ends.
    idle_until: Time,
}

impl DepartureLimit {
    /// A queue without packets.
    pub fn new(config: &DepartureLimitConfig) -> DepartureLimit {
        DepartureLimit {
            fifo: DropTail::new(config.capacity, config.counts_sending),
            config: *config,
            byte_ps: 8e12 / config.rate.as_bps() as f64,
            idle_until: Time::ZERO,
        }
    }

    fn is_too_long(&self) -> bool {
        let waiting = self.fifo.waiting();
        match self.config.limit {
            Capacity::Packets(most) => waiting.packets > most,
            Capacity::Bytes(most) => waiting.bytes > most,
            Capacity::Unlimited => false,
        }
    }

    /// Drops the head, which still occupies the line for its share.
    fn drop(&mut self, now: Time) -> Option<Turn> {
        let packet = self.fifo.drop_head()?;
        let ps = f64::from(packet.size) * self.byte_ps * self.config.cost;
        self.idle_until = now.saturating_add(Span::from_ps_f64(ps).unwrap_or(Span::MAX));
        Some(Turn::Drop(packet.key, Reason::Early))
    }
}

impl BuiltIn for DepartureLimit {
    type Config = DepartureLimitConfig;
    const NAME: &'static str = "departure_limit";

    fn at(site: Site, config: &Self::Config) -> DepartureLimit {
        let config = DepartureLimitConfig {
            capacity: site.capacity,
            counts_sending: site.counts_sending,
            rate: site.rate,
            ..*config
        };
        DepartureLimit::new(&config)
    }
}

impl Queue for DepartureLimit {
    fn arrive(&mut self, now: Time, packet: Pending) -> Result<(), Reason> {
        self.fifo.arrive(now, packet)
    }

    fn turn(&mut self, now: Time, line: Line) -> Turn {
        if line == Line::Busy || now < self.idle_until {
            return Turn::Hold;
        }
        if self.is_too_long() {
            self.drop(now).unwrap_or(Turn::Hold)
        } else {
            self.fifo.turn(now, line)
        }
    }

    fn next_turn(&self) -> Option<Time> {
        (self.fifo.waiting().packets > 0).then_some(self.idle_until)
    }

    fn waiting(&self) -> Waiting {
        self.fifo.waiting()
    }
}

#[cfg(test)]
mod tests {
    use pacesim_units::FlowId;

    use super::*;

    fn us(n: u64) -> Time {
        Time::from_ps(n * 1_000_000)
    }

    #[test]
    fn a_packet_that_leaves_too_long_a_queue_is_dropped_at_a_part_of_its_time() {
        let mut queue = DepartureLimit::new(&DepartureLimitConfig {
            capacity: Capacity::Packets(5),
            counts_sending: false,
            limit: Capacity::Packets(2),
            cost: 0.25,
            rate: Rate::from_mbps(8),
        });
        for key in 0..6 {
            let taken = queue.arrive(us(0), Pending::new(key, FlowId(0), 1000));
            assert_eq!(taken.is_ok(), key < 5, "packet {key}");
        }
        // A packet takes 1000 us, a dropped one 250 us.
        for (at, key) in [(0, 0), (250, 1), (500, 2)] {
            assert_eq!(queue.next_turn(), Some(us(at)), "packet {key}");
            let turn = queue.turn(us(at), Line::Free);
            assert_eq!(turn, Turn::Drop(key, Reason::Early));
            assert_eq!(queue.turn(us(at + 249), Line::Free), Turn::Hold);
        }
        let go = Turn::go;
        assert_eq!(queue.turn(us(750), Line::Free), go(3));
        assert_eq!(queue.turn(us(1750), Line::Free), go(4));
        assert_eq!(queue.next_turn(), None);
    }
}
