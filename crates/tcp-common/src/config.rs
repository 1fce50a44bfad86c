//! The configuration of a flow: variant, window, clock, rules.

use pacesim_units::{Bytes, Rate, Span};

use crate::control::{Control, Halving, Setup};
pub use crate::profile::Profile;

/// The method of detecting and repairing losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Variant {
    /// Fast retransmit, then slow start from one packet, going back.
    Tahoe,
    /// Fast recovery until any new ACK.
    Reno,
    /// Fast recovery until all outstanding packets are acknowledged (RFC 6582).
    NewReno,
    /// Selective acknowledgements and a pipe estimate.
    Sack,
    /// Selective acknowledgements; packets below the forward-most are lost.
    Fack,
}

impl Variant {
    /// All variants, in the order of their declaration.
    pub const ALL: [Variant; 5] = [
        Variant::Tahoe,
        Variant::Reno,
        Variant::NewReno,
        Variant::Sack,
        Variant::Fack,
    ];

    /// True if the receiver of this variant sends SACK blocks.
    pub fn uses_sack(self) -> bool {
        matches!(self, Variant::Sack | Variant::Fack)
    }
}

/// The way in which round trips are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// One packet at a time, in ticks of a coarse clock, without timestamps (ns-2).
    Ticks(Span),
    /// Every new ACK, by its echoed timestamp; `granularity` is RFC 6298's G.
    Stamps {
        /// Lower limit on four deviations.
        granularity: Span,
    },
}

/// The way in which a flow is paced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pacing {
    /// No pacing: a packet leaves as soon as the window allows it.
    Off,
    /// Wei's ns-2 patch: a timer runs for a round trip divided by the window while more may be sent;
    /// without a running timer an acknowledgement releases a packet at once. In ns-2's profile a loss
    /// then halves the packets in flight, whatever `details.halving` says.
    Window,
    /// Packets are never closer than a round trip divided by the window, also in slow start
    /// (Aggarwal, Savage, Anderson 2000).
    WindowStrict {
        /// True if retransmissions are paced too; otherwise they leave at once.
        retransmissions: bool,
    },
    /// Linux: 200 % of window divided by round trip in slow start, otherwise 120 %; the first ten
    /// segments and up to half a gap of lateness are free.
    Linux,
    /// A fixed wire rate from the first packet.
    Fixed(Rate),
    /// The rate that the congestion controller sets, if it does.
    Controller,
}

/// The congestion window after idleness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterIdle {
    /// The window stays as it was (ns-2 with `slow_start_restart_ 0`).
    Keep,
    /// 1 once a time-out has passed since the last ACK: ns-2's timer keeps running.
    One,
    /// At most the initial window if nothing was sent for a time-out (RFC 5681 §4.1).
    First,
}

/// Details in which the profiles differ and that no RFC specifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Details {
    /// The quantity that a loss halves.
    pub halving: Halving,
    /// The ACK that ends Reno's or NewReno's recovery also opens the window.
    pub grow_on_exit: bool,
    /// The most packets per ACK in NewReno's recovery, retransmission aside.
    pub recovery_burst: Option<u32>,
    /// True if a timeout leaves Tahoe's count of duplicates as it is.
    pub tahoe_keeps_dupacks: bool,
    /// Beyond this the back-off factor is doubled only while the time-out is below its maximum.
    pub backoff_limit: u32,
    /// True if three duplicates of the first packet's ACK always count (ns-2 `bugfix_ss_`).
    pub first_ack_opens_gate: bool,
    /// ns-2's Fack narrows its window by half a packet per ACK (`rampdown_`).
    pub rampdown: bool,
}

/// The rule by which CUBIC leaves slow start before a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hystart {
    /// Slow start ends only at a loss or at the threshold.
    Off,
    /// A train of ACKs or rising round trips, as in Linux from 6.12.13 on.
    Linux,
    /// A train of ACKs or rising round trips with the rounds of Linux 6.8, which begin only once
    /// the window is 16.
    Linux68,
    /// HyStart++ (RFC 9406).
    PlusPlus,
}

/// The rule by which a receiver of Linux's profile acknowledges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AckRule {
    /// The rule of Linux: acknowledges each packet while the receive window grows or if PSH is set,
    /// otherwise pairs.
    Linux,
    /// Each packet is acknowledged at once.
    EveryPacket,
    /// Pairs of packets are acknowledged, or one packet after 40 ms.
    Pairs,
}

/// The way in which a receiver echoes congestion marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EcnEcho {
    /// Marks are echoed on each ACK until the sender has reported a reduced window (RFC 3168).
    UntilCwr,
    /// Marks are echoed on the ACKs of the marked packets only (DCTCP, RFC 8257).
    Exact,
    /// A count of marked packets on every ACK (AccECN, RFC 9768), which survives the loss of ACKs.
    Counted,
}

/// Rules that only the Linux profile has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LinuxDetails {
    /// Ticks per second of the kernel's timers, which its timer wheel rounds up; `None`: timers are
    /// exact.
    pub hz: Option<u32>,
    /// True if packets carry timestamps, which identify spurious retransmissions (RFC 7323, 3522).
    pub stamps: bool,
    /// The rule by which CUBIC leaves slow start before a loss.
    pub hystart: Hystart,
    /// True if both ends have agreed on ECN (RFC 3168).
    pub ecn: bool,
    /// True if the route is known to mark early, so that BBR version 3 reacts to marks (the kernel
    /// patch's `ecn_low`).
    pub ecn_low: bool,
    /// Segmentation offload: several packets leave at one time, at most a millisecond's worth.
    pub gso: bool,
    /// True if these bursts are larger on short paths, as since Linux 5.18.
    pub gso_by_rtt: bool,
    /// The way in which the receiver echoes congestion marks.
    pub echo: EcnEcho,
    /// The rule by which the receiver acknowledges.
    pub acks: AckRule,
    /// Receive memory set by the application (SO_RCVBUF); `None`: it grows with the data of a round
    /// trip.
    pub receive_buffer: Option<Bytes>,
    /// True if ACKs advertise the window of that memory, which the sender then obeys.
    pub advertises: bool,
}

/// The full configuration of a sender and its receiver; many flows share one.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Config {
    /// Profile whose rules the flow follows.
    pub profile: Profile,
    /// The method of repairing losses.
    pub variant: Variant,
    /// The congestion control; it follows the profile's rules unless it is a user's own.
    pub control: Control,
    /// Receiver's window in packets.
    pub window_cap: f64,
    /// The maximum of the congestion window, in packets, in addition to the receiver's window
    /// (ns-2's `maxcwnd_`); `None`: unlimited.
    pub max_cwnd: Option<f64>,
    /// Congestion window when the connection opens, in packets.
    pub initial_window: f64,
    /// The end of the first slow start; `None`: at the receiver's window for
    /// ns-2, never for the RFCs.
    pub initial_ssthresh: Option<f64>,
    /// True if packet 0 is a SYN without data, and its ACK opens the window.
    pub syn: bool,
    /// True if the other end's connection has opened this one as well, so that packet 0 is an
    /// ordinary data packet. Otherwise it is answered at once, SYN or not.
    pub opened_by_other: bool,
    /// Bytes of user data in a full packet.
    pub payload: Bytes,
    /// Bytes of headers in a data packet.
    pub header: Bytes,
    /// Size of a SYN on the wire in bytes.
    pub syn_size: Bytes,
    /// Size of an ACK without SACK blocks in bytes.
    pub ack_size: Bytes,
    /// Bytes that each SACK block adds to an ACK.
    pub sack_block_size: Bytes,
    /// The most SACK blocks in an ACK, up to three.
    pub max_sack_blocks: u8,
    /// The longest delay of an ACK for a second packet; `None`: no delay.
    pub delayed_ack: Option<Span>,
    /// True if that delay ends at the next multiple of its length since time zero, as by one timer
    /// for all connections (BSD's fast timer, ns-2's FullTcp).
    pub delayed_ack_beat: bool,
    /// The number of duplicates that indicate a loss.
    pub dupack_threshold: u32,
    /// True if each of the first duplicates releases a new packet (RFC 3042).
    pub limited_transmit: bool,
    /// The way in which round trips are measured.
    pub clock: Clock,
    /// The minimum time-out.
    pub min_rto: Span,
    /// The maximum time-out, back-off included.
    pub max_rto: Span,
    /// The time-out before the first round-trip sample.
    pub initial_rto: Span,
    /// The congestion window after idleness.
    pub after_idle: AfterIdle,
    /// The way in which packets are paced.
    pub pacing: Pacing,
    /// The further details in which the profiles differ.
    pub details: Details,
    /// Rules that only the Linux profile has.
    pub linux: LinuxDetails,
}

impl Config {
    /// The default configuration of a profile.
    pub fn new(profile: Profile, variant: Variant) -> Config {
        match profile {
            Profile::Ns2 => Config::ns2(variant),
            Profile::Rfc => Config::rfc(variant),
            Profile::Linux => Config::linux(variant),
        }
    }

    /// The default configuration of ns-2 2.35.
    pub fn ns2(variant: Variant) -> Config {
        Config {
            profile: Profile::Ns2,
            variant,
            control: Control::Reno,
            window_cap: 20.0,
            max_cwnd: None,
            initial_window: 2.0,
            initial_ssthresh: None,
            syn: true,
            opened_by_other: false,
            payload: Bytes(1000),
            header: Bytes(40),
            syn_size: Bytes(40),
            ack_size: Bytes(40),
            sack_block_size: Bytes(8),
            max_sack_blocks: 3,
            delayed_ack: None,
            delayed_ack_beat: false,
            dupack_threshold: 3,
            limited_transmit: true,
            clock: Clock::Ticks(Span::from_ms(10)),
            min_rto: Span::from_ms(200),
            max_rto: Span::from_secs(60),
            initial_rto: Span::from_secs(3),
            after_idle: AfterIdle::One,
            pacing: Pacing::Off,
            details: Details {
                halving: Halving::Window,
                grow_on_exit: true,
                recovery_burst: Some(2),
                tahoe_keeps_dupacks: true,
                backoff_limit: 64,
                first_ack_opens_gate: true,
                rampdown: false,
            },
            linux: LinuxDetails {
                hz: Some(250),
                stamps: true,
                hystart: Hystart::Linux,
                ecn: false,
                ecn_low: false,
                gso: false,
                gso_by_rtt: true,
                echo: EcnEcho::UntilCwr,
                acks: AckRule::Linux,
                receive_buffer: None,
                advertises: false,
            },
        }
    }

    /// RFC 5681, 6582, 6675, 6298, 3042, 6928; timestamps; minimum RTO 200 ms as in Linux (RFC
    /// 6298 itself asks for 1 s).
    pub fn rfc(variant: Variant) -> Config {
        Config {
            profile: Profile::Rfc,
            window_cap: 10_000.0,
            initial_window: 10.0,
            payload: Bytes(1448),
            header: Bytes(52),
            syn_size: Bytes(60),
            ack_size: Bytes(52),
            delayed_ack: Some(Span::from_ms(40)),
            clock: Clock::Stamps {
                granularity: Span::from_ms(1),
            },
            initial_rto: Span::from_secs(1),
            after_idle: AfterIdle::First,
            details: Details {
                halving: Halving::Flight,
                grow_on_exit: false,
                recovery_burst: None,
                tahoe_keeps_dupacks: false,
                backoff_limit: 64,
                first_ack_opens_gate: false,
                rampdown: false,
            },
            ..Config::ns2(variant)
        }
    }

    /// The defaults of Linux 6.12: CUBIC, RACK, tail loss probes, 1448 B of payload with
    /// timestamps. SACK, or NewReno where the variant has none.
    pub fn linux(variant: Variant) -> Config {
        Config {
            profile: Profile::Linux,
            control: Control::Cubic,
            max_rto: Span::from_secs(120),
            ..Config::rfc(variant)
        }
    }

    /// The rules and initial values for a congestion control with this initial window.
    pub fn setup(&self, window: f64) -> Setup {
        Setup {
            profile: self.profile,
            window,
            ssthresh: self.first_ssthresh(),
            halving: self.halving(),
        }
    }

    /// The quantity that a loss halves.
    fn halving(&self) -> Halving {
        if self.is_paced_ns2() {
            Halving::Flight
        } else {
            self.details.halving
        }
    }

    /// True for ns-2 with Wei's patch.
    pub fn is_paced_ns2(&self) -> bool {
        self.profile == Profile::Ns2 && self.pacing == Pacing::Window
    }

    /// The end of the first slow start.
    fn first_ssthresh(&self) -> f64 {
        match (self.initial_ssthresh, self.profile) {
            (Some(packets), _) => packets,
            (None, Profile::Ns2) => self.window_cap.floor(),
            (None, Profile::Rfc | Profile::Linux) => f64::INFINITY,
        }
    }

    /// True for ns-2's Fack, where the ACK of a SYN and the end of the idle timer change the window
    /// differently.
    pub fn is_ns2_fack(&self) -> bool {
        (self.profile, self.variant) == (Profile::Ns2, Variant::Fack)
    }

    /// True if round trips are counted in ticks.
    pub fn clock_is_coarse(&self) -> bool {
        matches!(self.clock, Clock::Ticks(_))
    }

    /// The size on the wire of an ACK with n SACK blocks.
    pub fn ack_wire_size(&self, sack_blocks: usize) -> Bytes {
        Bytes(self.ack_size.get() + self.sack_block_size.get() * sack_blocks as u64)
    }
}
