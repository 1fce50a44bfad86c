//! Long TCP flows of one kind over one queue: the fixed point at which the load that they offer at
//! a share of signals equals the load that the queue passes at that share.
//!
//! | queue | what it gives |
//! | --- | --- |
//! | drop-tail | loss and wait of M/D/1/K at the load that the flows offer |
//! | RED | a share of signals by its curve at the mean queue, the link being full |
//! | PIE, PI2, CoDel | the delay, which is the target, the link being full; the share of signals follows |
//!
//! DCTCP with marks from a threshold on has separate laws ([`crate::dctcp`]).

use crate::aqm::Red;
use crate::numeric::last_where;
use crate::response::{Sender, Signal};
use crate::service::Service;
use crate::{Range, SolveError, queueing};

/// A queue that flows share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SharedQueue {
    /// A packet is dropped if it finds this number of packets in the system, including the one in
    /// transmission.
    DropTail {
        /// The places.
        places: usize,
    },
    /// RED, whose drops or marks are spread.
    Red(Red),
    /// A controller that holds the delay at its target.
    Delay {
        /// The target in seconds.
        target_s: f64,
    },
}

/// Flows of one kind over one link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flows {
    /// The rate of the link, in packets per second.
    pub packets_per_s: f64,
    /// The round trip without the queue, in seconds.
    pub rtt_s: f64,
    /// The number of flows.
    pub count: f64,
    /// The kind of all flows.
    pub sender: Sender,
    /// Congestion signal of the flows.
    pub signal: Signal,
}

/// The point at which flows and queue agree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FixedPoint {
    /// The share of packets lost or marked.
    pub share: f64,
    /// The mean wait of packets for the line, in seconds.
    pub wait_s: f64,
    /// The mean window of each flow in packets.
    pub window: f64,
    /// The utilisation of the link.
    pub utilisation: f64,
    /// The delivered packets per second of each flow.
    pub packets_per_s: f64,
}

/// The greatest load in the search for a fixed point.
const GREATEST_LOAD: f64 = 20.0;

impl Flows {
    fn check(&self) -> Result<(), SolveError> {
        Range::POSITIVE.check("rate", self.packets_per_s)?;
        Range::POSITIVE.check("rtt", self.rtt_s)?;
        Range::POSITIVE.check("flows", self.count)?;
        self.sender.check()
    }

    /// The load offered at this share of signals and this wait, as a share of the link's rate.
    fn offered(&self, share: f64, wait_s: f64) -> Result<f64, SolveError> {
        let rtt = self.rtt_s + wait_s;
        let window = self.sender.window(self.signal, share, rtt)?;
        Ok(self.count * window / rtt / self.packets_per_s)
    }

    /// The share of the offered load that is delivered.
    fn passed(&self, share: f64) -> f64 {
        match self.signal {
            Signal::Loss => 1.0 - share,
            Signal::Mark => 1.0,
        }
    }

    /// The fixed point with this queue.
    pub fn fixed_point(&self, queue: &SharedQueue) -> Result<FixedPoint, SolveError> {
        self.check()?;
        let (share, wait_s) = match queue {
            SharedQueue::DropTail { places } => self.behind_drop_tail(*places)?,
            SharedQueue::Red(red) => self.behind_red(red)?,
            SharedQueue::Delay { target_s } => {
                Range::NON_NEGATIVE.check("target", *target_s)?;
                self.held_at(*target_s)?
            }
        };
        let through = self.offered(share, wait_s)? * self.passed(share);
        Ok(FixedPoint {
            share,
            wait_s,
            window: self
                .sender
                .window(self.signal, share, self.rtt_s + wait_s)?,
            utilisation: through.min(1.0),
            packets_per_s: through.min(1.0) * self.packets_per_s / self.count,
        })
    }

    /// Loss and wait of M/D/1/K at the load that flows offer in return.
    fn behind_drop_tail(&self, places: usize) -> Result<(f64, f64), SolveError> {
        let at = |load: f64| {
            let solved = Service::Deterministic.solve(&queueing::singles(load, places))?;
            let wait = (solved.mean_customer_delay - 1.0).max(0.0);
            let loss = solved.classes[0].loss_customers;
            Ok::<_, SolveError>((loss, wait / self.packets_per_s))
        };
        at(1.0)?;
        let load = last_where(1e-3, GREATEST_LOAD, |load| {
            let again = at(load).and_then(|(loss, wait)| self.offered(loss, wait));
            again.is_ok_and(|again| again > load)
        });
        at(load)
    }

    /// The mean queue at which RED's curve fills the link.
    fn behind_red(&self, red: &Red) -> Result<(f64, f64), SolveError> {
        red.check()?;
        let wait = |mean: f64| mean / self.packets_per_s;
        let mean = last_where(0.0, 2.0 * red.max_th, |mean| {
            self.overfills(red.share(mean), wait(mean))
        });
        Ok((red.share(mean), wait(mean)))
    }

    /// The share of signals at which the link is just filled with this wait; `None` of either if
    /// windows do not fill it.
    fn held_at(&self, wait_s: f64) -> Result<(f64, f64), SolveError> {
        if !self.overfills(0.0, wait_s) {
            return Ok((0.0, 0.0));
        }
        self.offered(1.0, wait_s)?;
        let share = last_where(0.0, 1.0, |share| self.overfills(share, wait_s));
        Ok((share, wait_s))
    }

    /// True if more is delivered than the link can carry.
    fn overfills(&self, share: f64, wait_s: f64) -> bool {
        let offered = self.offered(share, wait_s);
        offered.is_ok_and(|offered| offered * self.passed(share) > 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::response::{Control, cubic_window};

    const RENO: Flows = Flows {
        packets_per_s: 1000.0,
        rtt_s: 0.085,
        count: 5.0,
        sender: Sender {
            control: Control::Reno,
            packets_per_ack: 1.0,
            timeout_s: 1e-12,
            max_window: 1e6,
        },
        signal: Signal::Mark,
    };

    #[test]
    fn a_held_delay_gives_the_share_of_the_closed_form() {
        // 100 packets in flight at 15 ms of delay: 20 for each flow, and 3/2 divided by its square.
        let reno = RENO
            .fixed_point(&SharedQueue::Delay { target_s: 0.015 })
            .unwrap();
        assert!((reno.share - 1.5 / 400.0).abs() < 1e-12, "{reno:?}");
        assert!((reno.window - 20.0).abs() < 1e-9 && reno.utilisation > 1.0 - 1e-9);
        let of = |control| Flows {
            sender: Sender {
                control,
                ..RENO.sender
            },
            ..RENO
        };
        let dctcp = of(Control::Dctcp).fixed_point(&SharedQueue::Delay { target_s: 0.015 });
        assert!((dctcp.unwrap().share - 0.1).abs() < 1e-12);
        let few = Flows {
            count: 0.1,
            ..of(Control::Cubic)
        };
        let cubic = few
            .fixed_point(&SharedQueue::Delay { target_s: 0.015 })
            .unwrap();
        assert!(
            (cubic_window(cubic.share, 0.1) / 1000.0 - 1.0).abs() < 1e-9,
            "{cubic:?}"
        );
    }

    #[test]
    fn windows_that_do_not_fill_the_link_meet_neither_delay_nor_signals() {
        let small = Flows {
            sender: Sender {
                max_window: 10.0,
                ..RENO.sender
            },
            ..RENO
        };
        let point = small
            .fixed_point(&SharedQueue::Delay { target_s: 0.015 })
            .unwrap();
        assert_eq!((point.share, point.wait_s), (0.0, 0.0));
        assert!((point.utilisation - 50.0 / 85.0).abs() < 1e-12, "{point:?}");
    }

    #[test]
    fn red_meets_flows_where_its_curve_does() {
        let red = Red {
            min_th: 5.0,
            max_th: 15.0,
            max_p: 0.1,
        };
        let point = RENO.fixed_point(&SharedQueue::Red(red)).unwrap();
        let old = crate::aqm::Flows {
            packets_per_s: 1000.0,
            rtt_s: 0.085,
            count: 5.0,
        };
        let mean = red.mean_with(&old).unwrap();
        assert!(
            (point.wait_s * 1000.0 - mean).abs() < 1e-6,
            "{point:?} {mean}"
        );
    }

    #[test]
    fn a_drop_tail_buffer_is_at_the_load_that_flows_offer_at_its_loss() {
        let lossy = Flows {
            signal: Signal::Loss,
            ..RENO
        };
        let mut before = 0.0;
        for places in [2, 6, 21, 101] {
            let point = lossy
                .fixed_point(&SharedQueue::DropTail { places })
                .unwrap();
            let load = lossy.offered(point.share, point.wait_s).unwrap();
            let loss = queueing::md1k_loss(load, places).unwrap();
            assert!(
                (loss / point.share - 1.0).abs() < 1e-6,
                "{places}: {point:?}"
            );
            assert!(point.utilisation > before, "{places}: {point:?}");
            before = point.utilisation;
        }
        // A buffer of 100 packets is as long as the path.
        assert!(before > 0.99, "{before}");
    }
}
