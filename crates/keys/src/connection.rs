//! The keys of a TCP connection: those that a group's members and the others among them share.

use pacesim_language::field::{Count, FlagOr, Packets, Reader, Whole};
use pacesim_language::{table, words};
use pacesim_model::{Load, Tcp};
use pacesim_tcp::{
    AckRule, AfterIdle, Amount, Clock, Config, Control, EcnEcho, Hystart, Pacing, Profile,
};
use pacesim_units::{Bytes, Capacity, Rate, Span};

use crate::control::ControlKey;
use crate::linux::{AcksWord, EchoWord, HystartWord};
use crate::transfers::{Arrivals, TransferKeys};

table! {
    /// The keys of a group's members, and of the others among them.
    pub(crate) struct TcpKeys "connection" derive(Default) {
        window: Option<f64> as Option<Packets>, "The receiver's window; default: 20 (ns2) or 10000 (rfc, linux).", "64pkts";
        max_cwnd: Option<f64> as Option<Packets>, "The maximum congestion window, independent of the receiver's window: ns-2's maxcwnd_. By default unlimited.", "32pkts";
        packet_size: Option<Bytes>, "A full data packet on the wire: payload and header together. Or give payload.", "1000B";
        payload: Option<Bytes>, "User bytes in a full data packet: packet_size minus the header. Default without packet_size: 1000B (ns2) or 1448B (rfc).", "960B";
        header: Option<Bytes>, "Bytes of headers in each data packet; \"0B\" is ns-2's useHeaders_ 0. By default 40B (ns2) or 52B (rfc).", "0B";
        ack_size: Option<Bytes>, "The size of an ACK without SACK blocks on the wire. By default 40B (ns2) or 52B (rfc).", "40B";
        sack_block_size: Option<Bytes>, "The size that each SACK block adds to an ACK; default: 8B.", "8B";
        sack_blocks: Option<u8> as Option<Whole<u8, 1, 3>>, "The most SACK blocks in an ACK; default: 3.", "3";
        syn: Option<bool>, "Send a SYN without data first, whose ACK opens the window; default: true.", "true";
        syn_size: Option<Bytes>, "The size of a SYN on the wire; default: 40B (ns2) or 60B (rfc).", "40B";
        initial_window: Option<f64> as Option<Packets>, "The initial window; default: 2 (ns2) or 10 (rfc, linux).", "2pkts";
        initial_ssthresh: Option<f64> as Option<Packets>, "The window at which the first slow start ends. By default the receiver's window (ns2), or none (rfc).", "32pkts";
        dupack_threshold: Option<u32> as Option<Count>, "The number of duplicate ACKs that count as a loss; default: 3.", "3";
        limited_transmit: Option<bool>, "Send a new packet for each of the first duplicate ACKs (RFC 3042); default: true.", "true";
        delayed_ack: Option<FlagOr<Span>>, "The maximum wait of an ACK for a second packet; true means 100ms (ns2) or 40ms (rfc). Default: false (ns2) or 40ms (rfc).", "100ms";
        delayed_ack_beat: Option<bool>, "End that wait at the next multiple of its length since the start of the run, like one timer for all connections (BSD's fast timer, ns-2's FullTcp), instead of a full length after the packet; default: false.", "true";
        tick: Option<Span>, "The step of the clock that measures round trips: ns-2's tcpTick_, RFC 6298's G. By default 10ms (ns2) or 1ms (rfc).", "10ms";
        min_rto: Option<Span>, "The minimum time-out; default: 200ms.", "200ms";
        max_rto: Option<Span>, "The maximum time-out, including back-off; default: 60s, or 120s (linux).", "60s";
        initial_rto: Option<Span>, "The initial time-out, before a round trip is measured; default: 3s (ns2) or 1s (rfc, linux).", "3s";
        after_idle: Option<AfterIdle> as Option<IdleWord>, "The congestion window after a time without packets in flight. By default one (ns2) or first (rfc, linux).", "keep";
        pacing: Option<Pacing> as Option<HostPacing>, "The sender's pacing; default: off.", "window";
        control: Option<Control> as Option<ControlKey>, "The congestion control; default: reno (ns2, rfc) or cubic (linux).", "cubic";
        ecn: Option<bool>, "Negotiate explicit congestion notification (RFC 3168). Profile linux; default: false, with dctcp and prague true.", "true";
        ecn_echo: Option<EcnEcho> as Option<EchoWord>, "The receiver's echo of marks. Profile linux, with ECN; default: rfc3168, or dctcp with the controls dctcp and prague.", "accecn";
        hystart: Option<Hystart> as Option<HystartWord>, "The end of CUBIC's slow start before a loss. Profile linux; default: linux.", "rfc9406";
        acks: Option<AckRule> as Option<AcksWord>, "The receiver's acknowledgements. Profile linux; default: linux.", "every_packet";
        timestamps: Option<bool>, "Use timestamps, which reveal spurious retransmissions. Profile linux; default: true.", "true";
        hz: Option<u32> as Option<Whole<u32, 0, 1000>>, "Ticks per second of the kernel's timers, which its timer wheel rounds up; 0 makes timers exact. Profile linux; default: 250.", "1000";
        ecn_low: Option<bool>, "Declare that the route marks early, so that BBR version 3 reacts to marks if ECN is negotiated and the round trip is below 5 ms. Profile linux; default: false.", "true";
        gso: Option<bool>, "Send bursts of at most a millisecond's worth of packets, by segmentation offload. Profile linux; default: false.", "true";
        gso_by_rtt: Option<bool>, "Bursts of `gso` are larger on short paths, as since Linux 5.18. Profile linux; default: true.", "false";
        advertise_window: Option<bool>, "Let ACKs advertise the window of Linux's receive buffer, which grows with the traffic from 128 to 6144 KiB, and the sender obey it. Profile linux; default: false, a window that never limits.", "true";
        clock_phase: Option<Span>, "The phase of ns2's coarse clock at time zero; by default drawn for each flow, within a tick.", "0ms";
        transfer: Option<Capacity>, "The amount of data to send, in bytes of payload or in packets (ns2 sends whole packets); by default, and with \"unlimited\", data without end. Or give transfers.", "100KB";
        transfers: Option<TransferKeys>, "Many transfers: one after another, or as they arrive.", "{ size = { exponential = \"100KB\" }, pause = \"1s\" }";
    }
}

/// The congestion window of an idle connection; the slow-start threshold, the round trip and the
/// back-off stay in any case.
struct IdleWord;

words! {
    IdleWord: AfterIdle {
        "keep" => AfterIdle::Keep, "unchanged (ns-2 with slow_start_restart_ 0)";
        "one" => AfterIdle::One, "1 if a time-out has passed since the last ACK (ns-2)";
        "first" => AfterIdle::First, "at most the initial window if nothing was sent for a time-out (RFC 5681)";
    }
}

/// The sender's pacing.
struct HostPacing;

words! {
    HostPacing: Pacing {
        "off" => Pacing::Off, "no pacing: packets leave as ACKs and the window allow";
        "window" => Pacing::Window, "Wei's ns-2 patch: a timer spaces packets by round trip over window; an ACK while no timer runs releases one packet at once; retransmissions and limited transmit are not paced; in profile ns2, a loss halves the packets in flight";
        "window_strict" => Pacing::WindowStrict { retransmissions: false }, "packets are never closer than round trip over window; only retransmissions leave at once; a loss halves as without pacing";
        "window_all" => Pacing::WindowStrict { retransmissions: true }, "the same as window_strict, but retransmissions wait too";
        "linux" => Pacing::Linux, "as Linux's fq paces TCP: twice window over round trip in slow start, 1.2 times after; the first ten packets are free";
    }
    or rate: Rate => Pacing::Fixed, "At this rate from the first packet on. Profiles ns2 and rfc: of packets on the wire. Profile linux: SO_MAX_PACING_RATE, the most at which TCP's own timer spaces packets, of payload (8Mbps of 1448 B in packets of 1500 B take 8.29 Mbps of a link); otherwise as with linux: below it twice or 1.2 times the window over the round trip, and the first ten packets are free.", "1Mbps";
}

/// Copies the value of a key, if given, into its field.
fn set_if_given<T>(field: &mut T, said: Option<T>) {
    if let Some(said) = said {
        *field = said;
    }
}

/// The profiles in which a key has a meaning.
#[derive(Clone, Copy, PartialEq, Eq)]
enum In {
    All,
    Linux,
    Others,
}

impl In {
    fn has(self, profile: Profile) -> bool {
        match self {
            In::All => true,
            In::Linux => profile == Profile::Linux,
            In::Others => profile != Profile::Linux,
        }
    }
}

/// Keys that set one field of the configuration each, with the profiles that have them.
macro_rules! fields {
    ($( $key:ident = $($field:ident).+, $profiles:ident; )*) => {
        impl TcpKeys {
            fn apply_fields(&self, config: &mut Config) {
                $( set_if_given(&mut config.$($field).+, self.$key); )*
            }

            fn of_fields(config: &Config) -> TcpKeys {
                TcpKeys {
                    $( $key: Some(config.$($field).+).filter(|_| In::$profiles.has(config.profile)), )*
                    ..TcpKeys::default()
                }
            }

            /// The keys that are given, and the profiles that have them.
            fn said_fields(&self) -> impl Iterator<Item = (&'static str, In)> {
                let all = [$( (stringify!($key), In::$profiles, self.$key.is_some()) ),*];
                all.into_iter().filter(|key| key.2).map(|key| (key.0, key.1))
            }
        }
    };
}

fields! {
    window = window_cap, All;
    header = header, All;
    ack_size = ack_size, All;
    sack_block_size = sack_block_size, All;
    sack_blocks = max_sack_blocks, All;
    syn = syn, All;
    syn_size = syn_size, All;
    initial_window = initial_window, All;
    dupack_threshold = dupack_threshold, Others;
    limited_transmit = limited_transmit, Others;
    delayed_ack_beat = delayed_ack_beat, Others;
    min_rto = min_rto, All;
    max_rto = max_rto, All;
    initial_rto = initial_rto, All;
    after_idle = after_idle, All;
    pacing = pacing, All;
    ecn = linux.ecn, Linux;
    ecn_low = linux.ecn_low, Linux;
    hystart = linux.hystart, Linux;
    acks = linux.acks, Linux;
    timestamps = linux.stamps, Linux;
    gso = linux.gso, Linux;
    gso_by_rtt = linux.gso_by_rtt, Linux;
}

impl TcpKeys {
    /// Sets all fields of a configuration except the payload; `delay` is the time of a delayed ACK
    /// given without one.
    pub(crate) fn apply(&self, config: &mut Config, delay: Span) {
        set_if_given(&mut config.control, self.control.clone());
        if matches!(config.control, Control::Dctcp | Control::Prague) {
            config.linux.ecn = true;
            if config.linux.echo == EcnEcho::UntilCwr {
                config.linux.echo = EcnEcho::Exact;
            }
        }
        set_if_given(&mut config.linux.echo, self.ecn_echo);
        set_if_given(&mut config.linux.advertises, self.advertise_window);
        self.apply_fields(config);
        set_if_given(&mut config.max_cwnd, self.max_cwnd.map(Some));
        set_if_given(
            &mut config.initial_ssthresh,
            self.initial_ssthresh.map(Some),
        );
        let delayed = self.delayed_ack.map(|delayed| match delayed {
            FlagOr::Flag(flag) => flag.then_some(delay),
            FlagOr::Value(span) => Some(span),
        });
        set_if_given(&mut config.delayed_ack, delayed);
        let (Clock::Ticks(tick) | Clock::Stamps { granularity: tick }) = &mut config.clock;
        set_if_given(tick, self.tick);
        let hz = self.hz.map(|hz| (hz > 0).then_some(hz));
        set_if_given(&mut config.linux.hz, hz);
    }

    /// Reports keys that have no meaning in the profile.
    pub(crate) fn fit(&self, profile: Profile, path: &str, reader: &mut Reader<'_>) {
        let others = [
            ("delayed_ack", In::Others, self.delayed_ack.is_some()),
            ("tick", In::Others, self.tick.is_some()),
            ("max_cwnd", In::Others, self.max_cwnd.is_some()),
            ("hz", In::Linux, self.hz.is_some()),
            ("ecn_echo", In::Linux, self.ecn_echo.is_some()),
            (
                "advertise_window",
                In::Linux,
                self.advertise_window.is_some(),
            ),
        ];
        let others = others.into_iter().filter(|key| key.2);
        let said = self.said_fields().chain(others.map(|key| (key.0, key.1)));
        for (key, _) in said.filter(|(_, profiles)| !profiles.has(profile)) {
            let (message, help) = match profile {
                Profile::Linux => (
                    format!("{key} means nothing in profile linux"),
                    unknown_to_linux(key),
                ),
                Profile::Ns2 | Profile::Rfc => (
                    format!("{key} means something in profile linux only"),
                    "leave it out, or give profile = \"linux\"",
                ),
            };
            reader.fault_once(&format!("{path}{key}"), message, help.to_owned());
        }
    }

    /// Reports a control that sets a rate if pacing is off.
    pub(crate) fn fit_pacing(&self, path: &str, reader: &mut Reader<'_>) {
        let sets_rate = self.control.as_ref().is_some_and(Control::sets_rate);
        if sets_rate && self.pacing == Some(Pacing::Off) {
            let message =
                "the control sets the rate at which packets leave, and nothing paces them";
            let help = "leave pacing out: TCP then paces by its own timer; or give \"linux\", the host's fq queue";
            reader.fault_once(
                &format!("{path}pacing"),
                message.to_owned(),
                help.to_owned(),
            );
        }
    }

    /// Every key of a connection, defaults included.
    pub(crate) fn of(tcp: &Tcp, arrivals: Option<&Arrivals>) -> TcpKeys {
        let config = &tcp.config;
        let (Clock::Ticks(tick) | Clock::Stamps { granularity: tick }) = config.clock;
        let (transfer, transfers) = written_load(&tcp.load, arrivals);
        let is_other = config.profile != Profile::Linux;
        let delayed = config
            .delayed_ack
            .map_or(FlagOr::Flag(false), FlagOr::Value);
        TcpKeys {
            max_cwnd: config.max_cwnd,
            payload: Some(config.payload),
            initial_ssthresh: config.initial_ssthresh,
            delayed_ack: is_other.then_some(delayed),
            tick: is_other.then_some(tick),
            control: match &config.control {
                Control::Own(own) if own.keys().is_none() => None,
                Control::Reno if is_other => None,
                of_the_house => Some(of_the_house.clone()),
            },
            ecn_echo: Some(config.linux.echo)
                .filter(|echo| !is_other && *echo != default_echo(&config.control)),
            hz: (!is_other).then_some(config.linux.hz.unwrap_or(0)),
            advertise_window: config.linux.advertises.then_some(true),
            clock_phase: tcp.clock_phase,
            pacing: Some(config.pacing)
                .filter(|said| *said != Pacing::Off || !config.control.sets_rate()),
            transfer,
            transfers,
            ..TcpKeys::of_fields(config)
        }
    }
}

/// The echo that a control needs.
fn default_echo(control: &Control) -> EcnEcho {
    match control {
        Control::Dctcp | Control::Prague => EcnEcho::Exact,
        _ => EcnEcho::UntilCwr,
    }
}

/// The remedy for a key without use in Linux's profile.
fn unknown_to_linux(key: &str) -> &'static str {
    match key {
        "delayed_ack" | "delayed_ack_beat" => {
            "leave it out, or give acks = \"every_packet\" or \"pairs\""
        }
        "tick" => "leave it out, or give hz",
        "dupack_threshold" | "limited_transmit" => "leave it out: RACK finds losses by time",
        _ => "leave it out",
    }
}

/// The keys of a load.
fn written_load(
    load: &Load,
    arrivals: Option<&Arrivals>,
) -> (Option<Capacity>, Option<TransferKeys>) {
    let amount = match load {
        Load::Transfers(transfers) => return (None, Some(TransferKeys::of(transfers, arrivals))),
        // `check` refuses it, so no key is needed.
        Load::Scheduled(_) | Load::Exchange(_) | Load::Tasks(_) | Load::Messages(_) => {
            return (None, None);
        }
        Load::Endless | Load::Once(Amount::Endless) => Capacity::Unlimited,
        Load::Once(Amount::Packets(n)) => Capacity::Packets(u64::from(*n)),
        Load::Once(Amount::Bytes(bytes)) => Capacity::Bytes(*bytes),
    };
    (Some(amount), None)
}
