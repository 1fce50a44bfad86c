//! One flow over a bottleneck of a packet a millisecond, one ACK at a time.

use std::collections::VecDeque;
use std::sync::Arc;

use pacesim_tcp::{Amount, Config, Receiver, Segment, Sender, Variant};
use pacesim_units::{Span, Time};

/// With the bottleneck, this window makes a round trip of 64 ms.
const WINDOW: u32 = 64;
const TRANSMISSION: Span = Span::from_ms(1);
const DELAY: Span = Span::from_ms(50);

pub struct Rounds {
    pub sender: Sender,
    pub receiver: Receiver,
    /// Packets on their path, with the time of arrival.
    flying: VecDeque<(Time, Segment)>,
    last_arrival: Time,
    now: Time,
    loss: Loss,
}

impl Rounds {
    /// ns-2's profile; each packet is lost with a probability of `loss_per_mille` / 1000.
    pub fn new(variant: Variant, amount: Amount, loss_per_mille: u32) -> Rounds {
        let mut config = Config::ns2(variant);
        config.window_cap = f64::from(WINDOW);
        Rounds::of(&Arc::new(config), amount, loss_per_mille)
    }

    pub fn of(config: &Arc<Config>, amount: Amount, loss_per_mille: u32) -> Rounds {
        let mut rounds = Rounds {
            sender: Sender::new(config, Span::ZERO),
            receiver: Receiver::new(config),
            flying: VecDeque::with_capacity(2 * WINDOW as usize),
            last_arrival: Time::ZERO,
            now: Time::ZERO,
            loss: Loss::new(loss_per_mille),
        };
        rounds
            .sender
            .on_data(Time::ZERO, amount)
            .expect("the first data");
        rounds.send();
        rounds
    }

    /// The next packet arrives, and its ACK at once; before that, timers that are due.
    #[inline]
    pub fn ack(&mut self) {
        while let Some(due) = self.due() {
            self.now = due;
            self.sender.on_timer(due);
            self.send();
        }
        let (now, segment) = self.flying.pop_front().expect("else a timer was due");
        self.now = now;
        let ack = self.receiver.on_data(now, segment.seq, segment.stamp);
        let ack = ack.expect("no ACK is delayed");
        self.sender.on_ack(now, &ack);
        self.send();
    }

    /// When the sender's timer ends, if that is before the next arrival.
    #[inline]
    fn due(&self) -> Option<Time> {
        let due = self.sender.next_timeout()?;
        let arrival = self.flying.front().map_or(Time::NEVER, |(at, _)| *at);
        (due < arrival).then_some(due)
    }

    #[inline]
    fn send(&mut self) {
        while let Some(segment) = self.sender.poll_transmit(self.now) {
            if !self.loss.strikes() {
                let arrival = (self.now + DELAY).max(self.last_arrival + TRANSMISSION);
                self.last_arrival = arrival;
                self.flying.push_back((arrival, segment));
            }
        }
    }
}

/// Independent losses, the same in each run (Marsaglia's xorshift).
struct Loss {
    state: u32,
    below: u32,
}

impl Loss {
    fn new(per_mille: u32) -> Loss {
        Loss {
            state: 0x9e37_79b9,
            below: u32::MAX / 1000 * per_mille,
        }
    }

    #[inline]
    fn strikes(&mut self) -> bool {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 17;
        self.state ^= self.state << 5;
        self.state < self.below
    }
}
