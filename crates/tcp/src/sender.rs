//! The sending side of one flow, whatever its profile.

use std::sync::Arc;

use pacesim_units::{Bytes, Span, Time};

use crate::config::{Config, Profile};
use crate::event::{EventMask, SenderEvent};
use crate::packet::{Ack, Segment};
use crate::textbook::Textbook;
use crate::totals::{Counters, Limit, RttState};
use crate::transfer::{Amount, DataError};
use pacesim_linux::{Linux, LinuxState};

/// The sending side of one flow: a state machine that is given the time.
///
/// After each input ([`on_data`](Self::on_data), [`on_ack`](Self::on_ack),
/// [`on_timer`](Self::on_timer)) call [`poll_transmit`](Self::poll_transmit) until it
/// says `None`, take the events if any are wanted, and read
/// [`next_timeout`](Self::next_timeout) again. One wake-up is enough: `on_timer` before
/// its time does nothing.
#[derive(Debug)]
pub struct Sender(Kind);

/// The two machines: one by RFCs and ns-2, one as Linux's.
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
        match $self {
            Kind::Textbook($sender) => $call,
            Kind::Linux($sender) => $call,
        }
    };
}

impl Sender {
    /// A sender with nothing to send. The coarse clock of ns-2's profile, and Linux's timers, tick
    /// when time plus `clock_phase` is a multiple of the tick.
    ///
    /// The configuration should be one that [`Config::validate`] has no complaint about.
    pub fn new(config: &Arc<Config>, clock_phase: Span) -> Sender {
        Sender(match config.profile {
            Profile::Linux => Kind::Linux(Box::new(Linux::new(config, clock_phase))),
            Profile::Ns2 | Profile::Rfc => Kind::Textbook(Textbook::new(config, clock_phase)),
        })
    }

    /// Asks for events of these kinds, and no others; drops what was not polled.
    pub fn want_events(&mut self, mask: EventMask) {
        whichever!(&mut self.0, s => s.want_events(mask));
    }

    /// The next event, oldest first.
    #[inline]
    pub fn poll_event(&mut self) -> Option<SenderEvent> {
        whichever!(&mut self.0, s => s.poll_event())
    }

    /// Opens the connection before there are data. Only Linux's profile does so; the others open it with the
    /// first data.
    pub fn connect(&mut self, now: Time) {
        if let Kind::Linux(linux) = &mut self.0 {
            linux.connect(now);
        }
    }

    /// The application has more to send.
    pub fn on_data(&mut self, now: Time, amount: Amount) -> Result<(), DataError> {
        whichever!(&mut self.0, s => s.on_data(now, amount))
    }

    /// The application has nothing more to send: behind its data follows a packet without any (a FIN). It is
    /// no transfer, and so without events of its own. Needs headers, of which it consists. Says its number.
    pub fn on_close(&mut self, now: Time) -> Result<u32, DataError> {
        whichever!(&mut self.0, s => s.on_close(now))
    }

    /// An acknowledgement arrived.
    // Always, as `poll_transmit`.
    #[inline(always)]
    pub fn on_ack(&mut self, now: Time, ack: &Ack) {
        whichever!(&mut self.0, s => s.on_ack(now, ack));
    }

    /// The receiver's window is now so many packets, as the ACK says that comes next. Only Linux's profile
    /// follows it; the others have the window of their configuration.
    pub fn set_peer_window(&mut self, packets: u32) {
        if let Kind::Linux(linux) = &mut self.0 {
            linux.set_peer_window(packets);
        }
    }

    /// Time has passed; harmless if nothing is due.
    pub fn on_timer(&mut self, now: Time) {
        whichever!(&mut self.0, s => s.on_timer(now));
    }

    /// The next packet to put on the wire now; call until `None`.
    // Always: the program runs two kinds of world, and with two callers it is not.
    #[inline(always)]
    pub fn poll_transmit(&mut self, now: Time) -> Option<Segment> {
        whichever!(&mut self.0, s => s.poll_transmit(now))
    }

    /// From now on acknowledgements open the window no more, as in ns-2's FullTcp once the other end has closed.
    pub fn stop_growing(&mut self) {
        whichever!(&mut self.0, s => s.stop_growing());
    }

    /// When [`on_timer`](Self::on_timer) is due; `None` if nothing is waited for.
    #[inline]
    pub fn next_timeout(&self) -> Option<Time> {
        whichever!(&self.0, s => s.next_timeout())
    }

    /// When the timer would end that Linux's timer wheel rounds up; as `next_timeout` for others.
    pub fn unrounded_timeout(&self) -> Option<Time> {
        match &self.0 {
            Kind::Textbook(textbook) => textbook.next_timeout(),
            Kind::Linux(linux) => linux.unrounded_timeout(),
        }
    }

    /// When the timer was armed that [`next_timeout`](Self::next_timeout) reports: what
    /// else happens at that instant may be ordered by it.
    pub fn timeout_armed(&self) -> Time {
        whichever!(&self.0, s => s.timeout_armed())
    }

    /// The limit that keeps it from sending more, when [`poll_transmit`](Self::poll_transmit) has said
    /// `None`.
    #[inline]
    pub fn limited_by(&self) -> Limit {
        whichever!(&self.0, s => s.limited_by())
    }

    /// Data without end come to theirs with what has been sent.
    pub fn end_data(&mut self) {
        whichever!(&mut self.0, s => s.end_data());
    }

    /// The transfers that are not wholly acknowledged, oldest first: the number of each among
    /// the flow's transfers, its size, and when the application handed it over.
    pub fn pending_transfers(&self) -> impl Iterator<Item = (u32, Bytes, Time)> + '_ {
        whichever!(&self.0, s => s.transfers().pending())
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

    /// Tells the stream from which a control takes its random choices (BBR's phases).
    pub fn seed(&mut self, seed: u64) {
        if let Kind::Linux(linux) = &mut self.0 {
            linux.seed(seed);
        }
    }

    /// Choices that come before those of the stream, for the replay of a recorded run: each as a part, in 1/`of`,
    /// of all that are possible.
    pub fn plan_choices(&mut self, choices: &[u32], of: u32) {
        if let Kind::Linux(linux) = &mut self.0 {
            linux.plan_choices(choices, of);
        }
    }

    /// When Linux's profile lets the next packet leave, if it paces by itself.
    pub fn paced_at(&self) -> Option<Time> {
        match &self.0 {
            Kind::Textbook(_) => None,
            Kind::Linux(linux) => linux.next_departure(),
        }
    }

    /// The number of random choices that its control has made.
    pub fn choices_made(&self) -> u32 {
        match &self.0 {
            Kind::Textbook(_) => 0,
            Kind::Linux(linux) => linux.choices_made(),
        }
    }

    /// Totals so far.
    pub fn counters(&self) -> &Counters {
        whichever!(&self.0, s => s.counters())
    }

    /// The sender's configuration.
    pub fn config(&self) -> &Arc<Config> {
        whichever!(&self.0, s => s.config())
    }
}
