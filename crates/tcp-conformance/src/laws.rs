//! The laws of a sender on any path, checked at every step.
//!
//! 1. *Window*: it is finite and at least one packet, and new data stay within it, except for limited
//!    transmit and tail loss probes.
//! 2. *Receiver's window*: no packet lies beyond it.
//! 3. *Timers*: data outstanding imply a timer.
//! 4. *Pacing*: a paced sender leaves no more than a burst above its rate.
//! 5. *Delivery*: everything arrives once, in order, and is acknowledged.

use pacesim_tcp::{Config, Pacing, Profile, Receiver, Segment, Sender};
use pacesim_units::Time;

use crate::report::Violation;

/// Packets beyond the window that limited transmit sends (RFC 3042).
const LIMITED_TRANSMIT: f64 = 2.0;
/// Packets that a paced sender may send at once: Linux's first ten, and a burst.
const BURST: f64 = 12.0;

/// The observer of a flow.
#[derive(Debug)]
pub(crate) struct Watch {
    config: Config,
    pub(crate) violation: Option<Violation>,
    pub(crate) digest: u64,
    delivered: u32,
    /// Packets that the pacing rate allows to leave at once.
    credit: f64,
    last: Time,
    /// The greatest pacing rate since the last departure, in bytes per second.
    rate: u64,
}

impl Watch {
    pub(crate) fn new(config: &Config) -> Watch {
        Watch {
            config: config.clone(),
            violation: None,
            digest: 0xCBF2_9CE4_8422_2325,
            delivered: 0,
            credit: BURST,
            last: Time::ZERO,
            rate: 0,
        }
    }

    fn broken(&mut self, law: &'static str, at: Time, what: String) {
        self.violation.get_or_insert(Violation { law, at, what });
    }

    pub(crate) fn sent(&mut self, now: Time, segment: &Segment, sender: &Sender) {
        for word in [now.as_ps(), u64::from(segment.seq)] {
            self.digest = (self.digest ^ word).wrapping_mul(0x0100_0000_01B3);
        }
        let beyond = segment.seq.saturating_sub(sender.acknowledged());
        if f64::from(beyond) >= self.config.window_cap {
            let cap = self.config.window_cap;
            self.broken(
                "the receiver's window",
                now,
                format!("packet {beyond} of {cap} leaves"),
            );
        }
        let limit = sender.cwnd() + LIMITED_TRANSMIT;
        // Linux's window limits the packets in flight, which exclude those SACKed.
        let is_textbook = self.config.profile != Profile::Linux;
        let is_new = !segment.retransmission && !sender.is_recovering();
        if is_textbook && is_new && f64::from(beyond + 1) > limit {
            let what = format!(
                "packet {beyond} beyond the acknowledgement leaves at a window of {limit}, limited transmit included"
            );
            self.broken("the window", now, what);
        }
        self.pace(now, segment, sender);
    }

    fn pace(&mut self, now: Time, segment: &Segment, sender: &Sender) {
        let Some(rate) = pacing_rate(&self.config, sender) else {
            return;
        };
        let bytes = f64::from(segment.payload.max(1));
        let earned = now.saturating_since(self.last).as_secs_f64() * rate.max(self.rate) as f64;
        self.credit = (self.credit + earned / bytes).min(BURST) - 1.0;
        (self.last, self.rate) = (now, rate);
        if self.credit < -1.0 {
            let what = format!(
                "a packet leaves {:.1} packets ahead of its rate",
                -self.credit
            );
            self.broken("pacing", now, what);
        }
    }

    pub(crate) fn settled(&mut self, now: Time, sender: &Sender, receiver: &Receiver) {
        if let Some(rate) = pacing_rate(&self.config, sender) {
            self.rate = self.rate.max(rate);
        }
        let window = sender.cwnd();
        if !(1.0..f64::INFINITY).contains(&window) {
            self.broken("the window", now, format!("it is {window}"));
        }
        if sender.outstanding() > 0 && sender.next_timeout().is_none() {
            let what = format!(
                "none runs, with {} packets outstanding",
                sender.outstanding()
            );
            self.broken("timers", now, what);
        }
        let delivered = receiver.delivered();
        if delivered < self.delivered {
            self.broken("delivery", now, "it goes back".to_owned());
        }
        self.delivered = delivered;
    }

    pub(crate) fn done(&mut self, now: Time, sender: &Sender, receiver: &Receiver) {
        let (acknowledged, delivered) = (sender.acknowledged(), receiver.delivered());
        if acknowledged != delivered || receiver.out_of_order() > 0 {
            let what = format!("{acknowledged} packets acknowledged, {delivered} delivered");
            self.broken("delivery", now, what);
        }
    }
}

/// The rate that a sender promises, in bytes of payload per second.
fn pacing_rate(config: &Config, sender: &Sender) -> Option<u64> {
    if config.pacing == Pacing::Off {
        return None;
    }
    sender.linux_state().map(|state| state.pacing_rate)
}
