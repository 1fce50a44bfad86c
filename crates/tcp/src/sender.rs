//! The sending side of one flow, for every profile.

use std::sync::Arc;

use pacesim_units::{Bytes, Span, Time};

use crate::config::{Config, Profile};
use crate::event::{EventMask, SenderEvent};
use crate::packet::{Ack, Segment};
use crate::textbook::Textbook;
use crate::totals::{Counters, Limit, RttState, Standing};
use crate::transfer::{Amount, DataError};
use pacesim_tcp_linux::{Linux, LinuxState};

/// The sending side of one flow: a state machine with time as an argument.
///
/// After each input ([`on_data`](Self::on_data), [`on_ack`](Self::on_ack),
/// [`on_timer`](Self::on_timer)) call [`poll_transmit`](Self::poll_transmit) until it returns
/// `None`, take the events if any are wanted, and read [`next_timeout`](Self::next_timeout) again.
/// One wake-up is enough: `on_timer` before its time does nothing.
#[derive(Debug)]
pub struct Sender(Kind);

/// A sender's state after an input, once [`Sender::poll_transmit`] has returned `None`.
#[derive(Clone, Copy, Debug)]
pub struct Settled {
    /// The limit on sending, and all else that statistics of time distinguish.
    pub standing: Standing,
    /// True if [`Sender::poll_event`] has an event.
    pub has_events: bool,
    /// Time of the next call, as [`Sender::next_timeout`] returns it.
    pub next_timeout: Option<Time>,
}

/// The two machines: one for the RFCs and ns-2, one for Linux.
#[derive(Debug)]
#[allow(
    clippy::large_enum_variant,
    reason = "most runs have senders of the first kind: no indirection for them"
)]
enum Kind {
    Textbook(Textbook),
    Linux(Box<Linux>),
}

macro_rules! whichever {
    ($self:expr, $sender:ident => $call:expr) => {
        pacesim_units::dispatch!($self, Kind { Textbook, Linux }, $sender => $call)
    };
}

impl Sender {
    /// A sender with nothing to send. The coarse clock of ns-2's profile, and Linux's timers, tick
    /// when time plus `clock_phase` is a multiple of the tick.
    ///
    /// The configuration should be one that [`Config::validate`] accepts.
    pub fn new(config: &Arc<Config>, clock_phase: Span) -> Sender {
        Sender(match config.profile {
            Profile::Linux => Kind::Linux(Box::new(Linux::new(config, clock_phase))),
            Profile::Ns2 | Profile::Rfc => Kind::Textbook(Textbook::new(config, clock_phase)),
        })
    }

    /// Requests events of these kinds only; drops events not yet polled.
    pub fn want_events(&mut self, mask: EventMask) {
        whichever!(&mut self.0, s => s.want_events(mask));
    }

    /// The next event, oldest first.
    #[inline]
    pub fn poll_event(&mut self) -> Option<SenderEvent> {
        whichever!(&mut self.0, s => s.poll_event())
    }

    /// Opens the connection before any data. Only Linux's profile does so; the others open it with
    /// the first data.
    pub fn connect(&mut self, now: Time) {
        if let Kind::Linux(linux) = &mut self.0 {
            linux.connect(now);
        }
    }

    /// Hands over more data of the application.
    pub fn on_data(&mut self, now: Time, amount: Amount) -> Result<(), DataError> {
        whichever!(&mut self.0, s => s.on_data(now, amount))
    }

    /// The application has nothing more to send: its data are followed by an empty packet (a FIN).
    /// It is not a transfer, so it has no events. It consists of headers and so requires them.
    /// Returns its number.
    pub fn on_close(&mut self, now: Time) -> Result<u32, DataError> {
        whichever!(&mut self.0, s => s.on_close(now))
    }

    /// An acknowledgement arrived.
    // Always inlined, as `poll_transmit`.
    #[inline(always)]
    pub fn on_ack(&mut self, now: Time, ack: &Ack) {
        match &mut self.0 {
            Kind::Textbook(textbook) => textbook.on_ack(now, ack),
            Kind::Linux(linux) => {
                // A copy: the other machine then needs none in memory.
                let ack = *ack;
                linux.on_ack(now, &ack);
            }
        }
    }

    /// Takes the receiver's window from an ACK up to `next`, before the ACK itself. An ACK that is not
    /// news only widens the window, and an old one leaves it (RFC 9293, 3.10.7.4).
    pub fn on_window(&mut self, next: u32, packets: u32) {
        if let Kind::Linux(linux) = &mut self.0 {
            linux.on_window(next, packets);
        }
    }

    /// Sets the receiver's window, as advertised by the next ACK. Only Linux's profile follows it;
    /// the others have the window of their configuration.
    pub fn set_peer_window(&mut self, packets: u32) {
        if let Kind::Linux(linux) = &mut self.0 {
            linux.set_peer_window(packets);
        }
    }

    /// Handles the timer; without effect before the time of [`next_timeout`](Self::next_timeout).
    #[inline]
    pub fn on_wake(&mut self, now: Time) {
        match &mut self.0 {
            Kind::Textbook(textbook) => textbook.on_timer(now),
            Kind::Linux(linux) => linux.on_wake(now),
        }
    }

    /// Time has passed; without effect if nothing is due. Linux's timers are due from their own tick
    /// on, to which its wheel adds: a recorded one may expire at any tick from there.
    #[inline]
    pub fn on_timer(&mut self, now: Time) {
        whichever!(&mut self.0, s => s.on_timer(now));
    }

    /// The next packet to put on the wire now; call until `None`.
    // Always inlined: the program has two kinds of world, and with two callers the compiler does
    // not.
    #[inline(always)]
    pub fn poll_transmit(&mut self, now: Time) -> Option<Segment> {
        whichever!(&mut self.0, s => s.poll_transmit(now))
    }

    /// Stops the growth of the window by acknowledgements, as in ns-2's FullTcp once the other end
    /// has closed.
    pub fn stop_growing(&mut self) {
        whichever!(&mut self.0, s => s.stop_growing());
    }

    /// Time at which [`on_timer`](Self::on_timer) is due; `None` if no timer runs.
    #[inline]
    pub fn next_timeout(&self) -> Option<Time> {
        whichever!(&self.0, s => s.next_timeout())
    }

    /// Expiry of the timer before Linux's timer wheel rounds it up; for others the same as
    /// `next_timeout`.
    pub fn unrounded_timeout(&self) -> Option<Time> {
        match &self.0 {
            Kind::Textbook(textbook) => textbook.next_timeout(),
            Kind::Linux(linux) => linux.unrounded_timeout(),
        }
    }

    /// Time at which the timer of [`next_timeout`](Self::next_timeout) was armed, which may order
    /// simultaneous events.
    pub fn timeout_armed(&self) -> Time {
        whichever!(&self.0, s => s.timeout_armed())
    }

    /// The current limit on sending, once [`poll_transmit`](Self::poll_transmit) has returned
    /// `None`.
    pub fn limited_by(&self) -> Limit {
        whichever!(&self.0, s => s.limited_by())
    }

    /// All that is read after each input, at the cost of one reading.
    #[inline(always)]
    pub fn settled(&self) -> Settled {
        whichever!(&self.0, s => Settled {
            standing: s.standing(),
            has_events: s.has_events(),
            next_timeout: s.next_timeout(),
        })
    }

    /// Ends endless data with the last packet sent.
    pub fn end_data(&mut self) {
        whichever!(&mut self.0, s => s.end_data());
    }

    /// The transfers not fully acknowledged, oldest first: the number of each among the flow's
    /// transfers, its size, and the time at which the application handed it over.
    pub fn pending_transfers(&self) -> impl Iterator<Item = (u32, Bytes, Time)> + '_ {
        whichever!(&self.0, s => s.transfers().pending())
    }

    /// Bytes of user data from packet `seq` to the end of its transfer; `None` for endless data.
    pub fn remaining(&self, seq: u32) -> Option<u64> {
        let payload = self.config().payload.get() as u32;
        whichever!(&self.0, s => s.transfers().remaining(seq, payload))
    }

    /// The size of the transfer that packet `seq` belongs to; `None` for endless data.
    pub fn transfer_size(&self, seq: u32) -> Option<Bytes> {
        whichever!(&self.0, s => s.transfers().size(seq))
    }

    /// The congestion window in packets.
    pub fn cwnd(&self) -> f64 {
        whichever!(&self.0, s => s.cwnd())
    }

    /// The window at which slow start ends, in packets.
    pub fn ssthresh(&self) -> f64 {
        whichever!(&self.0, s => s.ssthresh())
    }

    /// Packets sent and not cumulatively acknowledged.
    pub fn outstanding(&self) -> u32 {
        whichever!(&self.0, s => s.outstanding())
    }

    /// The first packet not acknowledged.
    pub fn acknowledged(&self) -> u32 {
        whichever!(&self.0, s => s.acknowledged())
    }

    /// True if all data handed over have been acknowledged.
    pub fn is_done(&self) -> bool {
        whichever!(&self.0, s => s.is_done())
    }

    /// True while holes are repaired.
    pub fn is_recovering(&self) -> bool {
        whichever!(&self.0, s => s.is_recovering())
    }

    /// The smoothed round trip; zero before the first sample.
    pub fn srtt(&self) -> Span {
        whichever!(&self.0, s => s.srtt())
    }

    /// The time-out in force, back-off included.
    pub fn rto(&self) -> Span {
        whichever!(&self.0, s => s.rto())
    }

    /// The round-trip estimator's state in its own units.
    pub fn rtt_state(&self) -> RttState {
        whichever!(&self.0, s => s.rtt_state())
    }

    /// Linux's state of congestion and its counts of packets; `None` in other profiles.
    pub fn linux_state(&self) -> Option<LinuxState> {
        match &self.0 {
            Kind::Textbook(_) => None,
            Kind::Linux(linux) => Some(linux.state()),
        }
    }

    /// Sets the seed of a control's random choices (BBR's phases).
    pub fn seed(&mut self, seed: u64) {
        if let Kind::Linux(linux) = &mut self.0 {
            linux.seed(seed);
        }
    }

    /// Sets choices to be made before those of the stream, for the replay of a recorded run: each
    /// as a fraction, in 1/`of`, of the possible ones.
    pub fn plan_choices(&mut self, choices: &[u32], of: u32) {
        if let Kind::Linux(linux) = &mut self.0 {
            linux.plan_choices(choices, of);
        }
    }

    /// Time at which Linux's internal pacing, if used, lets the next packet leave.
    pub fn paced_at(&self) -> Option<Time> {
        match &self.0 {
            Kind::Textbook(_) => None,
            Kind::Linux(linux) => linux.next_departure(),
        }
    }

    /// Number of random choices that the control has made.
    pub fn choices_made(&self) -> u32 {
        match &self.0 {
            Kind::Textbook(_) => 0,
            Kind::Linux(linux) => linux.choices_made(),
        }
    }

    /// Totals of the sender so far.
    pub fn counters(&self) -> &Counters {
        whichever!(&self.0, s => s.counters())
    }

    /// The sender's configuration.
    pub fn config(&self) -> &Arc<Config> {
        whichever!(&self.0, s => s.config())
    }
}
