//! One flow: a sender and a receiver under observation.

use std::sync::Arc;

use pacesim_tcp::{Amount, Config, Receiver, Segment, Sender};
use pacesim_units::{Span, Time};

use crate::laws::Watch;
use crate::report::Violation;

/// A flow to run.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) config: Arc<Config>,
    pub(crate) rtt: Span,
    pub(crate) start: Time,
    pub(crate) amount: Amount,
    /// Copies that the network makes of each acknowledgement.
    pub(crate) copies: u32,
}

/// A flow that runs.
#[derive(Debug)]
pub(crate) struct Flow {
    pub(crate) plan: Plan,
    pub(crate) sender: Sender,
    pub(crate) receiver: Receiver,
    pub(crate) has_started: bool,
    pub(crate) done: Option<Time>,
    /// Packets delivered before the measurement began.
    pub(crate) before: u32,
    watch: Watch,
}

impl Flow {
    pub(crate) fn new(plan: Plan, number: u64) -> Flow {
        // Clocks of different hosts are not in phase.
        let phase = Span::from_us(3217 * number % 10_000);
        let mut sender = Sender::new(&plan.config, phase);
        sender.seed(number);
        Flow {
            sender,
            receiver: Receiver::new(&plan.config),
            watch: Watch::new(&plan.config),
            has_started: false,
            done: None,
            before: 0,
            plan,
        }
    }

    pub(crate) fn start(&mut self, now: Time) {
        self.has_started = true;
        let accepted = self.sender.on_data(now, self.plan.amount);
        accepted.expect("a new sender takes data");
    }

    /// The next packet to leave now.
    pub(crate) fn transmit(&mut self, now: Time) -> Option<Segment> {
        let segment = self.sender.poll_transmit(now)?;
        self.watch.sent(now, &segment, &self.sender);
        Some(segment)
    }

    /// Checks the laws once all packets have left.
    pub(crate) fn settle(&mut self, now: Time) {
        self.watch.settled(now, &self.sender, &self.receiver);
        let is_over = self.has_started && self.done.is_none() && self.sender.is_done();
        if is_over && self.plan.amount != Amount::Endless {
            self.done = Some(now);
            self.watch.done(now, &self.sender, &self.receiver);
        }
    }

    /// The next time at which a timer is due.
    pub(crate) fn next_timeout(&self) -> Option<Time> {
        let timers = [self.sender.next_timeout(), self.receiver.next_timeout()];
        timers.into_iter().flatten().min()
    }

    /// The first broken law.
    pub(crate) fn violation(&self) -> Option<&Violation> {
        self.watch.violation.as_ref()
    }

    /// A digest of all departures.
    pub(crate) fn digest(&self) -> u64 {
        self.watch.digest
    }
}
