//! RDMA connections: senders by rate or window, in lossless and low-delay networks.

mod first_rate;

use std::sync::Arc;

use pacesim_datacentre::hpcc::{HpccRateConfig, HpccWindowConfig, IntFormat};
use pacesim_datacentre::swift::{SwiftConfig, SwiftHtsimConfig};
use pacesim_datacentre::{dcqcn, dctcp_rate::DctcpRateConfig, timely};
use pacesim_language::field::{Count, Keys, Probability, Reader, Record, Tagged, Whole};
use pacesim_language::form::Table;
use pacesim_language::tree::TomlTable;
use pacesim_language::{cases, table, words};
use pacesim_model::Tcp;
use pacesim_model::transport::{Opening, OwnTransport};
use pacesim_rdma::{Config, ControlConfig, NUMBERS, Recovery, Sink, Source, WindowRule};
use pacesim_tcp::{self as tcp, Profile, Variant};
use pacesim_units::{Bytes, Capacity, Rate, Span};

use crate::connection::TcpKeys;
use crate::tcp::{TcpTraffic, load_of};
use crate::transfers::TransferKeys;

/// RDMA connections, and their data.
#[derive(Clone, Debug)]
pub struct RdmaTraffic {
    keys: RdmaKeys,
    /// The transport of its connections.
    pub make: OwnTransport,
    /// Its data, and the sizes of its packets; nothing else of TCP counts.
    pub traffic: TcpTraffic,
}

/// The transport follows from the keys.
impl PartialEq for RdmaTraffic {
    fn eq(&self, other: &RdmaTraffic) -> bool {
        self.keys == other.keys
    }
}

table! {
    /// RDMA over Ethernet (RoCE): packets in order, and one answer each. The card of a host
    /// asks its connections for packets in turn, when its port is free and not paused.
    struct RdmaKeys "rdma" {
        control: RdmaControl as Tagged<RdmaControl>, (else RdmaControl::Line), "The control of its rate or window.", "{ kind = \"dcqcn\" }";
        packet_size: Bytes, (= "1048B"), "The size of a full packet on the wire.", "4096B";
        header: Bytes, (= "48B"), "The bytes of headers in each packet; telemetry (INT) takes 42 more in the simulator of HPCC's authors.", "90B";
        ack_size: Bytes, (= "60B"), "The size of an answer on the wire.", "64B";
        window: Option<Bytes>, "The most bytes of data in flight, beside the control's own window.", "100KB";
        window_by_rate: bool, (= "false"), "Make window that of the line's rate, and smaller in proportion to the rate.", "true";
        mark_gap: Option<Span>, "The least time between answers that tell of marks (CNPs); by default 50us for the DCQCN of the paper and of its authors, else none.", "50us";
        recovery: RecoveryRule, (= "go_back_n"), "The packets that are sent again after a loss.", "selective";
        nack_gap: Option<Span>, "For \"go_back_n\": the least time between refusals (NACKs) of the same packet, by default 500us.", "100us";
        timeout: Span, (= "67ms"), "The time without progress after which it sends again: all in flight, or by \"selective\" the first packet.", "1ms";
        timeout_of_few: Option<Span>, "For \"selective\": the timeout while at most three packets are in flight; by default timeout.", "100us";
        transfer: Option<Capacity>, "The amount of data to send; by default, and with \"unlimited\", data without end. Or give transfers.", "100KB";
        transfers: Option<TransferKeys>, "Many transfers: one after another, or as they arrive.", "{ size = { exponential = \"100KB\" }, pause = \"1s\" }";
    }
}

words! {
    /// The packets that an RDMA sender sends again.
    pub enum RecoveryRule {
        GoBackN "go_back_n", "all from the lost one on: the receiver keeps none out of order";
        Selective "selective", "the lost ones alone, as IRN (Mittal et al., SIGCOMM 2018): the receiver keeps the others, and refusals name the packet that caused them";
    }
}

/// The least time between refusals of the same packet, as in the simulator of HPCC's authors.
const REFUSAL_GAP: Span = Span::from_us(500);

cases! {
    /// The control of an RDMA sender.
    pub enum RdmaControl by "kind" {
        /// None: the rate of the line.
        Line "line"
        /// DCQCN: a rate that falls at notifications of marks and recovers by timers and bytes (Zhu
        /// et al., SIGCOMM 2015).
        Dcqcn "dcqcn" {
            variant: dcqcn::Variant as DcqcnVariant, (= "paper"), "The source of its rules and settings.", "hpcc";
            gain: Option<f64> as Option<Probability>, "The gain g of alpha.", "0.0625";
            alpha_period: Option<Span>, "The period of the alpha timer.", "55us";
            check_period: Option<Span>, "For \"hpcc\" and \"connectx\": the period of the checks by which notifications cut the rate.", "4us";
            increase_period: Option<Span>, "The period of the increase timer.", "300us";
            byte_counter: Option<Bytes>, "The bytes after which an increase comes.", "10MB";
            fast_steps: Option<u32> as Option<Count>, "The number of increases in fast recovery.", "5";
            additive: Option<Rate>, "The additive increase R_AI.", "40Mbps";
            hyper: Option<Rate>, "The hyper increase R_HAI.", "200Mbps";
            least_rate: Option<Rate>, "The least rate.", "100Mbps";
            clamp: Option<dcqcn::Clamp> as Option<ClampWord>, "The cuts that set the target to the rate.", "always";
        }
        /// HPCC: telemetry of each switch on the way gives the utilisation of the busiest port (Li et
        /// al., SIGCOMM 2019). Ports of a [[switch]] have it.
        Hpcc "hpcc" {
            variant: HpccVariant, (= "paper"), "The source of its rules.", "authors";
            round_trip: Option<Span>, "The base round trip T; by default that of the flow's packets on idle links.", "13us";
            target: f64 as Probability, (= "0.95"), "The target utilisation eta.", "0.95";
            stages: Option<u32> as Option<Whole<u32, 0, 1000>>, "The additive steps between two multiplicative ones; by default 5, for \"authors\" 0.", "5";
            additive: Option<Rate>, "The additive increase; by default 50Mbps per 25Gbps of the line.", "50Mbps";
            least_rate: Option<Rate>, "For \"authors\": the least rate, by default 1Gbps.", "100Mbps";
            rounded: Option<bool>, "For \"authors\": round telemetry as its 64 bits a hop do, by default true.", "false";
        }
        /// TIMELY: a rate by the gradient of round trips (Mittal et al., SIGCOMM 2015).
        Timely "timely" {
            variant: timely::Variant as TimelyVariant, (= "paper"), "The source of its rules and settings.", "authors";
            low: Option<Span>, "The round trip below which the rate rises.", "50us";
            high: Option<Span>, "The round trip above which the rate falls.", "500us";
            least_round_trip: Option<Span>, "The round trip to which differences relate.", "20us";
            additive: Option<Rate>, "The additive increase.", "10Mbps";
            hyper: Option<Rate>, "The increase after five in a row.", "50Mbps";
            least_rate: Option<Rate>, "The least rate.", "100Mbps";
            first_rate: Option<Rate>, "The rate at the start; by default that of the line.", "3Gbps";
        }
        /// DCTCP's law for a rate, as in the simulator of HPCC's authors.
        DctcpRate "dctcp_rate" {
            gain: f64 as Probability, (= "0.0625"), "The gain g of alpha.", "0.0625";
            additive: Rate, (= "615Mbps"), "The increase of a round trip without a cut.", "615Mbps";
            least_rate: Rate, (= "1Gbps"), "The least rate.", "100Mbps";
        }
        /// Swift: a window by delays and a target (Kumar et al., SIGCOMM 2020).
        Swift "swift" {
            variant: SwiftVariant, (= "paper"), "The source of its rules.", "htsim";
            base: Option<Span>, "The base of the target delay; by default 1.25 round trips on idle links.", "20us";
            hop: Option<Span>, "The target delay of each link on the way, by default none; for \"htsim\" base over 6.55.", "1us";
            scaling: Option<Span>, "The most that flow scaling adds to the target; by default base, for \"htsim\" 5 base.", "100us";
            first: u32 as Count, (= "10"), "The first window in packets.", "10";
        }
    }
}

/// A variant of DCQCN.
struct DcqcnVariant;

words! {
    DcqcnVariant: dcqcn::Variant {
        "paper" => dcqcn::Variant::Paper, "the text of the paper";
        "authors" => dcqcn::Variant::Authors, "the simulator of its authors";
        "hpcc" => dcqcn::Variant::Hpcc, "the simulator of HPCC's authors";
        "connectx" => dcqcn::Variant::ConnectX, "the settings that NVIDIA documents for its cards";
    }
}

/// The condition on which a cut sets the target.
struct ClampWord;

words! {
    ClampWord: dcqcn::Clamp {
        "always" => dcqcn::Clamp::Always, "each";
        "after_increase" => dcqcn::Clamp::AfterIncrease, "those after an increase";
        "after_bytes" => dcqcn::Clamp::AfterBytes, "those after a full byte counter";
    }
}

words! {
    /// A variant of HPCC.
    pub enum HpccVariant {
        Paper "paper", "algorithm 1 of the paper: a window";
        Authors "authors", "the simulator of its authors: a rate, from which a window follows";
    }
}

/// A variant of TIMELY.
struct TimelyVariant;

words! {
    TimelyVariant: timely::Variant {
        "paper" => timely::Variant::Paper, "the text of the paper";
        "authors" => timely::Variant::Artifact, "the simulator of HPCC's authors";
        "patched" => timely::Variant::Patched, "the patch of Zhu et al. (CoNEXT 2016), by the distance from low";
    }
}

words! {
    /// A variant of Swift.
    pub enum SwiftVariant {
        Paper "paper", "algorithm 1 of the paper";
        Htsim "htsim", "htsim";
    }
}

impl Record for RdmaTraffic {
    type Value = RdmaTraffic;
    const TABLE: &'static Table = RdmaKeys::TABLE;

    fn read_keys(table: &TomlTable, reader: &mut Reader<'_>) -> Option<RdmaTraffic> {
        let keys = RdmaKeys::read_keys(table, reader)?;
        keys.idle(reader);
        let traffic = keys.traffic(reader);
        let config = keys.config(&traffic);
        let detail = format!("{keys:?}");
        let make = move |opening: Opening, is_source: bool| config(&opening, is_source);
        let make = Arc::new(make);
        let [of_source, of_sink] = [make.clone(), make];
        let make = OwnTransport::new(
            "rdma",
            move |opening| Source::new(of_source(opening, true)),
            move |opening| Sink::new(&of_sink(opening, false)),
        );
        let make = make
            .with_numbers(NUMBERS)
            .pulled()
            .trusted()
            .described(detail);
        Some(RdmaTraffic {
            keys,
            make,
            traffic,
        })
    }

    fn write_keys(traffic: &RdmaTraffic, keys: &mut Keys) {
        RdmaKeys::write_keys(&traffic.keys, keys);
    }
}

impl RdmaTraffic {
    /// True if its control reads telemetry of switches.
    pub fn reads_telemetry(&self) -> bool {
        matches!(self.keys.control, RdmaControl::Hpcc { .. })
    }
}

impl RdmaKeys {
    /// Reports keys that the variant does not have.
    fn idle(&self, reader: &mut Reader<'_>) {
        for (key, variants) in self.control.idle_keys() {
            let message = format!("the variant has no {key}");
            let help = format!("leave {key} out, or write variant = {variants}");
            reader.fault_once(&format!("control.{key}"), message, help);
        }
        let of_recovery = match self.recovery {
            RecoveryRule::GoBackN => ("timeout_of_few", self.timeout_of_few, "selective"),
            RecoveryRule::Selective => ("nack_gap", self.nack_gap, "go_back_n"),
        };
        if let (key, Some(_), other) = of_recovery {
            let message = format!("{key} is for recovery = \"{other}\"");
            reader.fault_once(key, message, format!("leave {key} out"));
        }
        self.times(reader);
        self.first_rate(reader);
    }

    /// Reports timeouts that cannot be.
    fn times(&self, reader: &mut Reader<'_>) {
        let help = || "give a time well above the round trip, as \"1ms\"".to_owned();
        for (key, time) in [
            ("timeout", Some(self.timeout)),
            ("timeout_of_few", self.timeout_of_few),
        ] {
            if time.is_some_and(Span::is_zero) {
                reader.fault_once(key, format!("{key} is 0"), help());
            }
        }
        if self.timeout_of_few.is_some_and(|few| few > self.timeout) {
            let message = format!("it is longer than timeout, {}", self.timeout);
            let help = "give at most timeout: few packets are soon answered".to_owned();
            reader.fault_once("timeout_of_few", message, help);
        }
    }

    fn recovery(&self) -> Recovery {
        match self.recovery {
            RecoveryRule::GoBackN => Recovery::GoBackN {
                refusal_gap: self.nack_gap.unwrap_or(REFUSAL_GAP),
            },
            RecoveryRule::Selective => Recovery::Selective {
                timeout_of_few: self.timeout_of_few.unwrap_or(self.timeout),
            },
        }
    }

    /// The data, and the sizes of packets.
    fn traffic(&self, reader: &mut Reader<'_>) -> TcpTraffic {
        let mut config = tcp::Config::new(Profile::Rfc, Variant::Sack);
        let (size, header) = (self.packet_size, self.header);
        match size.0.checked_sub(header.0).filter(|payload| *payload > 0) {
            Some(payload) => config.payload = Bytes(payload),
            None => {
                let message =
                    format!("a packet of {size} carries nothing beside its header of {header}");
                let help = "give a larger packet, or header = \"0B\"".to_owned();
                reader.fault_once("packet_size", message, help);
            }
        }
        (config.header, config.syn) = (header, false);
        config.ack_size = self.ack_size;
        config.linux.ecn = self.heeds_marks();
        if self.ack_size > size || self.ack_size == Bytes::ZERO {
            let message = format!(
                "{} is not the size of an answer to packets of {size}",
                self.ack_size
            );
            let help = "give \"60B\", or another size up to that of packets".to_owned();
            reader.fault_once("ack_size", message, help);
        }
        let of_data = TcpKeys {
            transfer: self.transfer,
            transfers: self.transfers.clone(),
            ..TcpKeys::default()
        };
        let (load, arrivals) = load_of(&of_data, reader);
        TcpTraffic {
            arrivals,
            ..Tcp::new(Arc::new(config), load).into()
        }
    }

    fn heeds_marks(&self) -> bool {
        matches!(
            self.control,
            RdmaControl::Dcqcn { .. } | RdmaControl::DctcpRate { .. }
        )
    }

    /// The settings of the ends of a connection that opens so.
    fn config(
        &self,
        traffic: &TcpTraffic,
    ) -> impl Fn(&Opening, bool) -> Config + Send + Sync + 'static {
        let keys = self.clone();
        let (payload, header) = (traffic.tcp.config.payload, self.header);
        move |opening, _| Config {
            payload,
            header,
            answer: keys.ack_size,
            line: opening.line,
            hops: opening.hops,
            ecn: keys.heeds_marks(),
            control: keys.control.in_model(opening, payload),
            window: keys.window.map(|bytes| match keys.window_by_rate {
                true => WindowRule::OfRate(bytes),
                false => WindowRule::Fixed(bytes),
            }),
            mark_gap: keys.mark_gap.unwrap_or_else(|| keys.control.mark_gap()),
            recovery: keys.recovery(),
            timeout: keys.timeout,
        }
    }
}

impl RdmaControl {
    /// Keys that are given and that the variant does not have, with the variants that have them.
    fn idle_keys(&self) -> Vec<(&'static str, &'static str)> {
        let given: Vec<(bool, &str, &str)> = match self {
            RdmaControl::Hpcc {
                variant: HpccVariant::Paper,
                least_rate,
                rounded,
                ..
            } => vec![
                (least_rate.is_some(), "least_rate", "\"authors\""),
                (rounded.is_some(), "rounded", "\"authors\""),
            ],
            RdmaControl::Dcqcn {
                variant: dcqcn::Variant::Paper | dcqcn::Variant::Authors,
                check_period: Some(_),
                ..
            } => vec![(true, "check_period", "\"hpcc\" or \"connectx\"")],
            RdmaControl::Timely {
                variant: timely::Variant::Patched,
                hyper: Some(_),
                ..
            } => vec![(true, "hyper", "\"paper\" or \"authors\"")],
            _ => Vec::new(),
        };
        let given = given.into_iter().filter(|(is_given, ..)| *is_given);
        given.map(|(_, key, variants)| (key, variants)).collect()
    }

    fn mark_gap(&self) -> Span {
        match self {
            RdmaControl::Dcqcn {
                variant: dcqcn::Variant::Paper | dcqcn::Variant::Authors,
                ..
            } => dcqcn::PAPER_GAP,
            _ => Span::ZERO,
        }
    }

    /// The control of a connection that opens so.
    fn in_model(&self, opening: &Opening, payload: Bytes) -> ControlConfig {
        let line = opening.line;
        match self {
            RdmaControl::Line => ControlConfig::Line,
            RdmaControl::Dcqcn { .. } => ControlConfig::Dcqcn(self.dcqcn(line)),
            RdmaControl::Hpcc { .. } => self.hpcc(opening),
            RdmaControl::Timely { .. } => ControlConfig::Timely(self.timely(line)),
            RdmaControl::DctcpRate {
                gain,
                additive,
                least_rate,
            } => ControlConfig::DctcpRate(DctcpRateConfig {
                line,
                minimum: (*least_rate).min(line),
                gain: *gain,
                additive_bps: additive.as_bps(),
                packet: payload,
            }),
            RdmaControl::Swift { .. } => self.swift(opening, payload),
        }
    }

    fn dcqcn(&self, line: Rate) -> dcqcn::Config {
        let RdmaControl::Dcqcn {
            variant,
            gain,
            alpha_period,
            check_period,
            increase_period,
            byte_counter,
            fast_steps,
            additive,
            hyper,
            least_rate,
            clamp,
        } = self
        else {
            unreachable!("the settings of another control");
        };
        let of = variant.config(line);
        let cut = match of.cut {
            dcqcn::Cut::Checked { period, after } => dcqcn::Cut::Checked {
                period: check_period.unwrap_or(period),
                after,
            },
            at_once => at_once,
        };
        let bps = |rate: &Option<Rate>, default| rate.map_or(default, Rate::as_bps);
        dcqcn::Config {
            gain: gain.unwrap_or(of.gain),
            cut,
            alpha_period: alpha_period.unwrap_or(of.alpha_period),
            increase_period: increase_period.unwrap_or(of.increase_period),
            byte_counter: byte_counter.or(of.byte_counter),
            fast_steps: fast_steps.unwrap_or(of.fast_steps),
            additive_bps: bps(additive, of.additive_bps),
            hyper_bps: bps(hyper, of.hyper_bps),
            minimum_bps: bps(least_rate, of.minimum_bps).min(line.as_bps()),
            clamp: clamp.unwrap_or(of.clamp),
            ..of
        }
    }

    fn hpcc(&self, opening: &Opening) -> ControlConfig {
        let RdmaControl::Hpcc {
            variant,
            round_trip,
            target,
            stages,
            additive,
            least_rate,
            rounded,
        } = self
        else {
            unreachable!("the settings of another control");
        };
        let line = opening.line;
        let round_trip = round_trip.unwrap_or(opening.round_trip);
        let additive_bps = additive.map_or(line.as_bps() / 500, Rate::as_bps);
        let seconds = round_trip.as_secs_f64();
        match variant {
            HpccVariant::Paper => ControlConfig::HpccWindow(HpccWindowConfig {
                line,
                round_trip,
                additive: additive_bps as f64 / 8.0 * seconds,
                target: *target,
                most_stages: stages.unwrap_or(5),
            }),
            HpccVariant::Authors => ControlConfig::HpccRate(HpccRateConfig {
                line,
                minimum: least_rate.unwrap_or(Rate::from_mbps(1000)).min(line),
                window: Bytes(product(line, round_trip)),
                round_trip,
                additive_bps,
                target: *target,
                most_stages: stages.unwrap_or(0),
                reacts_fast: true,
                format: match rounded.unwrap_or(true) {
                    true => IntFormat::Artifact {
                        multiple: (line.as_bps() / 25_000_000_000).max(1),
                    },
                    false => IntFormat::Exact,
                },
            }),
        }
    }

    fn timely(&self, line: Rate) -> timely::TimelyConfig {
        let RdmaControl::Timely {
            variant,
            low,
            high,
            least_round_trip,
            additive,
            hyper,
            least_rate,
            first_rate,
        } = self
        else {
            unreachable!("the settings of another control");
        };
        let of = variant.config(line);
        timely::TimelyConfig {
            low: low.unwrap_or(of.low),
            high: high.unwrap_or(of.high),
            least_round_trip: least_round_trip.unwrap_or(of.least_round_trip),
            additive_bps: additive.map_or(of.additive_bps, Rate::as_bps),
            hyper_bps: hyper.map_or(of.hyper_bps, Rate::as_bps),
            minimum: least_rate.unwrap_or(of.minimum).min(line),
            first: first_rate.unwrap_or(line).min(line),
            ..of
        }
    }

    fn swift(&self, opening: &Opening, payload: Bytes) -> ControlConfig {
        let RdmaControl::Swift {
            variant,
            base,
            hop,
            scaling,
            first,
        } = self
        else {
            unreachable!("the settings of another control");
        };
        let quarter_more = opening.round_trip.as_ps().saturating_mul(5) / 4;
        let base = base.unwrap_or(Span::from_ps(quarter_more));
        match variant {
            SwiftVariant::Paper => ControlConfig::Swift(SwiftConfig {
                additive: 1.0,
                decrease: 0.8,
                most_decrease: 0.5,
                base,
                hop: hop.unwrap_or(Span::ZERO),
                scaling: scaling.unwrap_or(base),
                scaled_from: 0.1,
                scaled_to: 100.0,
                least: 0.001,
                most: 256.0,
                first: f64::from(*first),
            }),
            SwiftVariant::Htsim => {
                let of = SwiftHtsimConfig::new(payload, base);
                let by_hop = hop.map(|hop| base.as_ps() as f64 / hop.as_ps() as f64);
                ControlConfig::SwiftHtsim(SwiftHtsimConfig {
                    first: payload * u64::from(*first),
                    scaling: scaling.unwrap_or(of.scaling),
                    hop_divisor: by_hop.unwrap_or(of.hop_divisor),
                    ..of
                })
            }
        }
    }
}

/// The bytes that a line sends within a time.
fn product(line: Rate, time: Span) -> u64 {
    let bits = u128::from(line.as_bps()) * u128::from(time.as_ps())
        / u128::from(pacesim_units::PS_PER_SECOND);
    u64::try_from(bits / 8).unwrap_or(u64::MAX)
}
