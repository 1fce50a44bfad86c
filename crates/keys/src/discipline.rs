//! Queue disciplines, which choose a line's next packet, and the packets to drop or mark.

use pacesim_language::field::{Number, Probability, Whole};
use pacesim_language::{cases, table, words};
use pacesim_model::PortQueue;
use pacesim_model::queue::OwnQueue;
use pacesim_parts::Own;
use pacesim_queues::{
    CodelConfig, DepartureLimitConfig, DualPi2Config, FqCodelConfig, FqConfig, PieConfig,
    PriorityConfig, Profile, RedConfig, RedProfile, SlotsConfig, Step, Survivor, TbfConfig,
    TrimConfig,
};
use pacesim_units::{Bytes, Capacity, Rate, Span, Time};

cases! {
    /// A queue discipline; the limit on waiting packets is the link's buffer.
    pub enum Discipline by "kind" {
        /// First come, first served; packets that find the buffer full are dropped.
        DropTail "drop_tail"
        /// A limit that is checked at departure: packets that leave a longer queue are dropped, as
        /// in switches whose pipeline sees the queue only then. More than the limit may wait, up to
        /// the buffer.
        DepartureLimit "departure_limit" {
            limit: Capacity, "The longest queue that a packet may leave, itself included.", "20pkts";
            cost: f64 as Probability, (= "0.0"), "The share of its transmission time for which a dropped packet still occupies the line.", "0.28";
        }
        /// CoDel (RFC 8289): the head of the queue is dropped or marked once waiting times have
        /// stayed above the target for an interval.
        Codel "codel" (CodelSpec)
        /// FQ-CoDel (RFC 8290): flows take turns, new ones first, each under CoDel's control.
        FqCodel "fq_codel" (FqCodelSpec)
        /// RED: arrivals are dropped or marked at random, with a probability that grows with the
        /// mean queue.
        Red "red" (RedSpec)
        /// PIE (RFC 8033): arrivals are dropped or marked with a probability that follows the delay.
        Pie "pie" (PieSpec)
        /// DualPI2 (RFC 9332): a queue for L4S flows beside a classic one, coupled by marks and drops.
        DualPi2 "dualpi2" (DualPi2Spec)
        /// Linux's fq, as of 6.12: flows take turns, each at its own pace; classes are its
        /// priorities.
        Fq "fq" (FqSpec)
        /// A token bucket that shapes: first come, first served, at the rate of the tokens.
        Tbf "tbf" {
            rate: Rate, "The token rate, one token per byte.", "10Mbps";
            burst: Bytes, (else Bytes(1 << 30)), "The size of the bucket; larger packets are dropped.", "15KB";
        }
        /// A port without a buffer whose time is slotted, as of an optical packet switch: the packet
        /// of a slot is sent at the start of the next, and packets that arrive in the same slot
        /// contend for it. A cut-through switch differs by a constant delay. The link's buffer has
        /// no effect.
        Slots "slots" {
            packet: Bytes, "The bytes that the link sends in a slot: the largest packet. Slots begin at time 0.", "1000B";
            survivor: Survivor as SurvivorWord, (= "first"), "The packet that is sent if several arrive in a slot.", "none";
        }
        /// NDP's queue: a packet that finds the buffer full costs its payload, or that of the last that
        /// waits, if its flow allows it (traffic of kind ndp); headers and other small packets are
        /// sent first. The buffer limits packets that have their payload.
        Trim "trim" (TrimSpec)
        /// Priority by the class of flows, or by the size of transfers: the lowest waiting class is served
        /// first. A full buffer drops packets of the highest.
        StrictPriority "strict_priority" {
            sizes: Vec<Bytes>, (= "[]"), "In place of the classes of flows: the largest transfers of each class but the last. ACKs are in class 0; data without end, and those of senders other than TCP, in the last.", "[\"10KB\", \"1MB\"]";
        }
        /// The queue of pFabric (SIGCOMM 2013): the transfer with the least data left is served first,
        /// in the order of its packets; a full buffer drops the newest packet of the transfer with
        /// the most. ACKs precede all, and data without end follow.
        Pfabric "pfabric"
        /// Deficit round robin: flows take turns by bytes. A full buffer drops from the flow with
        /// the most bytes.
        Drr "drr" {
            quantum: Bytes, (= "1500B"), "The bytes that a flow may send at its turn.", "1500B";
        }
    }
    or Own(Own<OwnQueue>), "A discipline of the program's own."
}

table! {
    /// CoDel's keys.
    pub struct CodelSpec "codel" {
        target: Span, (= "5ms"), "The acceptable standing wait.", "5ms";
        interval: Span, (= "100ms"), "The time above the target before a drop: a round trip.", "100ms";
        ecn: bool, (= "false"), "Mark packets that may be marked instead of dropping them.", "true";
        ce_threshold: Option<Span>, "Mark every packet that may be marked and has waited longer than this.", "1ms";
        l4s_threshold: Option<Span>, "Mark L4S packets, ECT(1), and no others, that have waited longer than this: Linux's ce_threshold_selector 0x1/0x3.", "1ms";
        mtu: Bytes, (= "1500B"), "The least backlog behind a dropped packet.", "1500B";
        profile: Profile as ProfileWord, (= "rfc"), "The reference that it follows in detail.", "linux";
    }
}

table! {
    /// RED's keys.
    pub struct RedSpec "red" {
        min_th: Capacity, "The mean queue at which drops begin.", "5pkts";
        max_th: Capacity, "The mean queue at which the probability is max_p, in the unit of min_th.", "15pkts";
        max_p: f64 as Probability, (= "0.1"), "The probability of a drop at max_th.", "0.1";
        weight: f64 as Probability, (= "0.002"), "The weight of a new sample in the mean; Linux rounds it down to a power of two.", "0.002";
        gentle: bool, (= "true"), "Let the probability grow to 1 at twice max_th, instead of a step; ns-2 only.", "true";
        wait: bool, (= "true"), "Spread drops evenly, none before half the mean distance; ns-2 only.", "true";
        mean_packet: Bytes, (= "500B"), "The mean packet size, for idle times.", "1000B";
        ecn: bool, (= "false"), "Mark packets that may be marked instead of dropping them.", "true";
        adaptive: bool, (= "false"), "Let max_p follow the mean queue; Linux only.", "true";
        profile: RedProfile as RedProfileWord, (= "ns2"), "The reference that it follows in detail.", "linux";
    }
}

table! {
    /// PIE's keys.
    pub struct PieSpec "pie" {
        target: Span, (= "15ms"), "The target delay.", "15ms";
        update: Span, (= "15ms"), "The time between updates of the probability; Linux rounds it up to ticks of 4 ms and adds one.", "15ms";
        alpha: f64 as Number, (= "0.125"), "The weight of the delay's distance from the target, in Hz, in sixteenths.", "0.125";
        beta: f64 as Number, (= "1.25"), "The weight of the delay's change, in Hz, in sixteenths.", "1.25";
        ecn: bool, (= "false"), "Mark packets that may be marked, while the probability is below a tenth.", "true";
        bytemode: bool, (= "false"), "Drop small packets more rarely.", "true";
        derandomize: bool, (= "true"), "Spread drops: none soon after the last one.", "false";
        mtu: Bytes, (= "1500B"), "The largest packet: nothing is dropped with less than two of them waiting.", "1500B";
        profile: Profile as ProfileWord, (= "rfc"), "The reference that it follows in detail.", "linux";
    }
}

table! {
    /// DualPI2's keys.
    pub struct DualPi2Spec "dualpi2" {
        target: Span, (= "15ms"), "The target delay of the classic queue.", "15ms";
        update: Option<Span>, "The time between two updates of the probability; by default that of the profile, 15 or 16 ms.", "16ms";
        alpha: Option<f64> as Option<Number>, "The weight of the delay's distance from the target, in Hz, in steps of 1/256; by default that of the profile.", "0.16";
        beta: Option<f64> as Option<Number>, "The weight of the delay's change, likewise.", "3.2";
        step: Option<Span>, "The time beyond which L4S packets are marked; by default that of the profile, a ramp up to 1.2 ms or a step at 1 ms.", "1ms";
        step_pkts: Option<u32> as Option<Whole<u32, 0, 1000000>>, "In place of step: mark a packet that leaves more than this number behind.", "5";
        l4s: u8 as L4sWord, (= "ect1"), "The ECN fields of packets that enter the L4S queue.", "any_ect";
        coupling: u32 as Whole<u32, 1, 255>, (= "2"), "The probability of L4S marks over the base probability.", "2";
        c_protection: u32 as Whole<u32, 0, 100>, (= "10"), "The least share of the line for the classic queue, in percent.", "10";
        drop_overload: bool, (= "true"), "Drop L4S packets under overload.", "true";
        drop_early: bool, (= "false"), "Drop or mark packets on arrival instead of on departure.", "true";
        wraps: bool, (= "false"), "Let a decrease of the probability by one or more wrap around, as in Linux.", "true";
        profile: Profile as ProfileWord, (= "rfc"), "The reference that it follows in detail.", "linux";
    }
}

table! {
    /// FQ-CoDel's keys.
    pub struct FqCodelSpec "fq_codel" {
        codel: CodelSpec, "CoDel of each flow.";
        quantum: Bytes, (= "1514B"), "The bytes that a flow may send at its turn.", "1514B";
        drop_batch: u32 as Whole<u32, 1, 1000000>, (= "64"), "The most packets dropped at once from the longest flow when the buffer is full.", "64";
        buckets: Option<u32> as Option<Whole<u32, 1, 65536>>, "The number of queues that flows share by a hash; by default each has its own.", "1024";
    }
}

table! {
    /// Keys of fq, the fair queue of Linux.
    pub struct FqSpec "fq" {
        flow_limit: u32 as Whole<u32, 1, 10000000>, (= "100"), "The most waiting packets of a flow.", "100";
        quantum: Bytes, (= "3000B"), "The bytes that a flow may send at its turn.", "3000B";
        initial_quantum: Bytes, (= "15000B"), "The bytes that a new flow may send at once.", "15000B";
        max_rate: Option<Rate>, "The maximum rate of a flow.", "10Mbps";
        ce_threshold: Option<Span>, "Mark every packet that may be marked and has waited longer than this.", "5ms";
    }
}

table! {
    /// Keys of a trimming queue.
    pub struct TrimSpec "trim" {
        variant: TrimVariant, (= "paper"), "The source of its other keys' defaults.", "htsim";
        header: u16 as Whole<u16, 1, 9000>, (= "64"), "The bytes of a header; packets no larger have no payload.", "64";
        headers: Option<Capacity>, "The most headers that wait; by default 1125pkts, for \"htsim\" 2250pkts.", "100pkts";
        headers_per_packet: Option<u32> as Option<Whole<u32, 1, 1000000>>, "The headers that pass for each packet while both wait; by default 10, for \"htsim\" 100000.", "10";
        arriving: f64 as Probability, (= "0.5"), "The probability that the arriving packet is cut, and not the last that waits.", "1.0";
    }
}

words! {
    /// A variant of the trimming queue.
    pub enum TrimVariant {
        Paper "paper", "the paper: ten headers pass for a packet";
        Htsim "htsim", "htsim: headers first";
    }
}

/// The bits of the ECN field by which DualPI2 recognises L4S packets.
struct L4sWord;

words! {
    L4sWord: u8 {
        "ect1" => 1, "ECT(1) and CE (RFC 9331)";
        "any_ect" => 3, "ECT(0) as well, as Linux's any_ect";
    }
}

/// The outcome of a contention.
struct SurvivorWord;

words! {
    SurvivorWord: Survivor {
        "first" => Survivor::First, "the first";
        "none" => Survivor::Nobody, "none of them";
    }
}

/// The reference of disciplines with an RFC.
struct ProfileWord;

words! {
    ProfileWord: Profile {
        "rfc" => Profile::Rfc, "its RFC, with real numbers";
        "linux" => Profile::Linux, "Linux 6.12, DualPI2 as in 6.17, in its integers";
    }
}

/// The reference of RED.
struct RedProfileWord;

words! {
    RedProfileWord: RedProfile {
        "ns2" => RedProfile::Ns2, "ns-2.35";
        "linux" => RedProfile::Linux, "Linux 6.12, with the table for idle times computed by its tc";
    }
}

/// The number of a threshold, and true if it is in bytes.
fn threshold(threshold: Capacity) -> (f64, bool) {
    match threshold {
        Capacity::Packets(packets) => (packets as f64, false),
        Capacity::Bytes(bytes) => (bytes.get() as f64, true),
        Capacity::Unlimited => (f64::INFINITY, false),
    }
}

/// A weight in steps of this many per Hz.
fn steps(hertz: f64, of: f64) -> u32 {
    (hertz * of + 0.5) as u32
}

fn size(bytes: Bytes) -> u32 {
    u32::try_from(bytes.get()).unwrap_or(u32::MAX)
}

impl Discipline {
    /// The largest packet that it can send, if it has a limit of its own.
    pub fn largest_packet(&self) -> Option<Bytes> {
        match self {
            Discipline::Tbf { burst, .. } => Some(*burst),
            Discipline::Slots { packet, .. } => Some(*packet),
            Discipline::DepartureLimit {
                limit: Capacity::Bytes(limit),
                ..
            } => Some(*limit),
            _ => None,
        }
    }

    /// The discipline as the model has it.
    pub fn in_model(&self) -> PortQueue {
        match self {
            Discipline::DropTail => PortQueue::DropTail,
            Discipline::DepartureLimit { limit, cost } => {
                PortQueue::DepartureLimit(DepartureLimitConfig {
                    capacity: Capacity::Unlimited,
                    counts_sending: false,
                    limit: *limit,
                    cost: *cost,
                    rate: Rate::from_mbps(1),
                })
            }
            Discipline::Codel(spec) => PortQueue::Codel(spec.in_model()),
            Discipline::FqCodel(spec) => PortQueue::FqCodel(spec.in_model()),
            Discipline::Red(spec) => PortQueue::Red(spec.in_model()),
            Discipline::Pie(spec) => PortQueue::Pie(spec.in_model()),
            Discipline::DualPi2(spec) => PortQueue::DualPi2(spec.in_model()),
            Discipline::Fq(spec) => PortQueue::Fq(FqConfig {
                flow_limit: spec.flow_limit as usize,
                quantum: size(spec.quantum),
                initial_quantum: size(spec.initial_quantum),
                max_rate: spec.max_rate,
                ce_threshold: spec.ce_threshold,
                ..FqConfig::default()
            }),
            Discipline::Tbf { rate, burst } => PortQueue::Tbf(TbfConfig {
                capacity: Capacity::Unlimited,
                rate: *rate,
                burst: *burst,
                peak: None,
            }),
            Discipline::Slots { packet, survivor } => PortQueue::Slots(SlotsConfig {
                packet: size(*packet),
                survivor: *survivor,
                rate: Rate::from_mbps(1),
            }),
            Discipline::Trim(spec) => PortQueue::Trim(spec.in_model()),
            Discipline::StrictPriority { sizes } => PortQueue::StrictPriority(PriorityConfig {
                sizes: sizes.iter().map(|bytes| size(*bytes)).collect(),
            }),
            Discipline::Pfabric => PortQueue::Pfabric,
            Discipline::Own(own) => own.make.clone().into(),
            Discipline::Drr { quantum } => PortQueue::Drr(size(*quantum)),
        }
    }
}

impl TrimSpec {
    fn in_model(&self) -> TrimConfig {
        let of = match self.variant {
            TrimVariant::Paper => TrimConfig::PAPER,
            TrimVariant::Htsim => TrimConfig::HTSIM,
        };
        TrimConfig {
            header: self.header,
            headers: self.headers.unwrap_or(of.headers),
            headers_per_packet: self.headers_per_packet.unwrap_or(of.headers_per_packet),
            arriving: self.arriving,
        }
    }
}

impl CodelSpec {
    fn in_model(&self) -> CodelConfig {
        CodelConfig {
            target: self.target,
            interval: self.interval,
            ecn: self.ecn,
            ce_threshold: self.ce_threshold,
            l4s_threshold: self.l4s_threshold,
            mtu: self.mtu,
            profile: self.profile,
            ..CodelConfig::default()
        }
    }
}

impl FqCodelSpec {
    fn in_model(&self) -> FqCodelConfig {
        FqCodelConfig {
            codel: self.codel.in_model(),
            quantum: size(self.quantum),
            drop_batch: self.drop_batch,
            buckets: self.buckets,
            seed: 0,
        }
    }
}

impl RedSpec {
    fn in_model(&self) -> RedConfig {
        let (min_th, in_bytes) = threshold(self.min_th);
        RedConfig {
            in_bytes,
            max_p: self.max_p,
            weight: self.weight,
            gentle: self.gentle,
            wait: self.wait,
            mean_packet: size(self.mean_packet),
            ecn: self.ecn,
            adaptive: self.adaptive,
            profile: self.profile,
            ..RedConfig::of(min_th, threshold(self.max_th).0, Rate::from_mbps(1))
        }
    }
}

impl PieSpec {
    fn in_model(&self) -> PieConfig {
        let config = PieConfig {
            target: self.target,
            update: self.update,
            first_update: Time::ZERO + self.update,
            alpha: steps(self.alpha, 16.0),
            beta: steps(self.beta, 16.0),
            ecn: self.ecn,
            bytemode: self.bytemode,
            derandomize: self.derandomize,
            mtu: self.mtu,
            ..PieConfig::default()
        };
        match self.profile {
            Profile::Rfc => config,
            Profile::Linux => config.linux(self.update),
        }
    }
}

impl DualPi2Spec {
    fn in_model(&self) -> DualPi2Config {
        let standard = match self.profile {
            Profile::Rfc => DualPi2Config::default(),
            Profile::Linux => DualPi2Config::linux(),
        };
        let update = self.update.unwrap_or(standard.update);
        let weight = |hertz: Option<f64>, or| hertz.map_or(or, |hertz| steps(hertz, 256.0));
        let by_time = self.step.map_or(standard.step, Step::Sojourn);
        DualPi2Config {
            target: self.target,
            update,
            first_update: Time::ZERO + update,
            alpha: weight(self.alpha, standard.alpha),
            beta: weight(self.beta, standard.beta),
            step: self.step_pkts.map_or(by_time, Step::Packets),
            ecn_mask: self.l4s,
            coupling: self.coupling,
            c_protection: self.c_protection as u8,
            drop_overload: self.drop_overload,
            drop_early: self.drop_early,
            wraps: self.wraps,
            ..standard
        }
    }
}
