//! Keys of `[[flow]]` and its traffic.

use pacesim_language::field::{Count, Name, NodeRef, Number, Perhaps, Tagged, Whole};
use pacesim_language::names::Reference;
use pacesim_language::{cases, table, words};
use pacesim_model::transport::OwnTransport;
use pacesim_model::{MOST_PATHS, Phase, Sizes};
use pacesim_units::port::Ecn;
use pacesim_units::{Bytes, Rate, Span};

use crate::distribution::Drawn;
use crate::ndp::NdpTraffic;
use crate::offered::{FixedRate, MeanRate, Peak};
use crate::own_traffic::OwnTraffic;
use crate::rdma::RdmaTraffic;
use crate::recorded::RecordedTraffic;
use crate::self_similar::{NoiseTraffic, ParetoOnOffTraffic, SessionTraffic};
use crate::tcp::TcpTraffic;
use crate::values::{Pairing, Value};
use crate::video::VideoTraffic;

table! {
    /// Traffic from one node to another, or from each of a group: name[0], name[1]...
    pub struct FlowGroup "flow" {
        name: String as Name, "The name used in references; the members of a group are name[0], name[1]...", "left";
        count: Option<u32> as Option<Whole<u32, 0, { u32::MAX as u64 }>>, "The number of flows; by default one for each node of the larger of from and to. 0 switches the group off, as a value of an axis.", "100";
        from: Reference as NodeRef, "The node or group that sends.", "left";
        to: Reference as NodeRef, "The node or group that receives.", "right";
        pair: Pairing as FlowPairing, (= "cyclic"), "The pairing of the nodes of from (n of them) and to (m).", "cyclic";
        racks: Vec<Vec<f64>> as Vec<Vec<Number>>, (= "[]"), "In place of pair: draw each pair by weights between racks, the weight of pairs from the i-th rack to the j-th in row i and column j. Racks are the nodes that hosts are linked to, in their order.", "[[0, 3], [1, 0]]";
        bundle: u32 as Count, (= "1"), "With pair = \"across\" or hops: the number of consecutive flows between the same two edges, the nodes to which from and to are linked; each uses other nodes there, in turn.", "8";
        distinct: bool, (= "false"), "With pair = \"across\" or hops: let no two flows have the same nodes, and no two bundles the same edges.", "true";
        start: Value<Span>, (= "0s"), "The time at which its source starts.", "{ uniform = [\"0s\", \"10s\"] }";
        stop: Option<Span>, "The time at which its source stops, if before the end of the run.", "50s";
        class: u16 as Whole<u16, 0, { u16::MAX as u64 }>, (= "0"), "Its class, for pacers and queue disciplines with several classes.", "1";
        path: Option<u32> as Option<Whole<u32, 0, { MOST_PATHS as u64 - 1 }>>, "The place of its path among those of equal cost, from 0 in the order of their links: the sender's choice, also for ACKs on the way back, in place of multipath.", "3";
        back_path: Option<u32> as Option<Whole<u32, 0, { MOST_PATHS as u64 - 1 }>>, "With path: the place of the path of its ACKs, if it is another.", "1";
        ecn: Option<Ecn> as Option<EcnWord>, "The ECN field of its data packets, which lets queues mark them. By default ect0 for TCP with ecn; other packets are not marked.", "ect1";
        live: bool as Perhaps<bool>, "In pacesim live, and in studies: let this machine's kernel be its ends, TCP of profile linux or UDP of kind cbr. Other commands simulate it.", "true";
        traffic: Traffic as Tagged<Traffic>, (else harmless()), "The traffic of its source.", "{ kind = \"cbr\", rate = \"1Mbps\", size = \"1KB\" }";
    }
}

/// The ECN field of packets.
struct EcnWord;

words! {
    EcnWord: Ecn {
        "ect0" => Ecn::Ect0, "ECT(0): a mark means the same as a loss (RFC 3168)";
        "ect1" => Ecn::Ect1, "ECT(1): marks are frequent and mild, and DualPI2 puts the packets into its L4S queue (RFC 9331)";
    }
}

/// The pairing of flows.
struct FlowPairing;

words! {
    FlowPairing: Pairing {
        "cyclic" => Pairing::Cyclic, "member i joins from[i mod n] and to[i mod m]";
        "block" => Pairing::Block, "consecutive members share nodes: of k members, i joins from[i*n div k] and to[i*m div k]";
        "all" => Pairing::All, "every node of from with every other node of to";
        "random" => Pairing::Random, "from[i mod n] with a random other node of to";
        "permutation" => Pairing::Permutation, "each node of from with a node of to of its own, by a random permutation that leaves no node to itself; from and to have equally many";
        "across" => Pairing::Across, "as random, but never with a node behind the same router; in shapes with trunks (nsfnet, us24, edge_list)";
    }
    or stride: Count => Pairing::Stride, "As cyclic, but the shorter side advances only after this number of members of the longer side: from n nodes to m, with n < m, member i joins from[(i div stride) mod n] and to[i mod m]; else from[i mod n] and to[(i div stride) mod m].", "10";
    or hops: Count => Pairing::Hops, "As across, but with routers that are this number of trunks apart on the shortest path; nodes of from without such a router are skipped.", "2";
}

cases! {
    /// The traffic of sources.
    pub enum Traffic by "kind" {
        /// Constant bit rate: equal packets at equal gaps, the first at the start.
        Cbr "cbr" {
            rate: Value<Rate> as MeanRate, "The rate.";
            size: Bytes, "The size of each packet on the wire.", "1KB";
        }
        /// Poisson arrivals, the first after one exponential gap.
        Poisson "poisson" {
            rate: Value<Rate> as MeanRate, "The mean rate.";
            size: Sizes as Drawn<Sizes>, "The size of the packets on the wire; a distribution is drawn for each packet.", "1KB";
        }
        /// Poisson arrivals of bulks, each of several packets at one instant. A full queue refuses
        /// single packets, or the whole bulk: see bulks of a link.
        Bulks "bulks" {
            rate: Rate as FixedRate, "The mean rate of all packets.";
            size: Sizes as Drawn<Sizes>, "The size of the packets on the wire; a distribution is drawn for each packet.", "1KB";
            count: u32 as Whole<u32, 1, 10_000>, "The number of packets in a bulk.", "5";
        }
        /// Markov ON-OFF: exponential phases, a constant rate while ON.
        OnOff "on_off" {
            peak: Value<Rate> as Peak, "The rate while ON.";
            size: Bytes, "The size of each packet on the wire.", "1KB";
            mean_on: Value<Span>, "The mean length of an ON phase.", "100ms";
            mean_off: Value<Span>, "The mean length of an OFF phase.", "200ms";
            phase: Phase as FirstPhase, (= "random"), "The phase at the start.", "random";
        }
        /// Fractional Gaussian noise, exact: the volume of each slot is normal and long-range
        /// dependent (Norros 1994), sent at a steady rate within the slot. Volumes are clipped at
        /// zero; the normal distribution is chosen so that mean and burstiness are right after
        /// clipping.
        FractionalNoise "fractional_noise" (NoiseTraffic)
        /// Sessions that begin as a Poisson process and send at one steady rate for a
        /// Pareto-distributed time: M/G/infinity (Cox 1984). Their number and rate follow from rate
        /// and burstiness.
        Sessions "sessions" (SessionTraffic)
        /// Independent sources with Pareto-distributed phases, together one flow (Willinger et al.
        /// 1997).
        ParetoOnOff "pareto_on_off" (ParetoOnOffTraffic)
        /// Arrivals from a packet capture (.pcap, .pcapng, .cap), whose packets have their sizes on
        /// the wire, or from a CSV or Parquet file with a column of times from the flow's start
        /// (t_s, t_ms, t_us, t_ns, t_ps; or time_s...), a column of sizes (size_bytes) and
        /// optionally one of deadlines (deadline_s...).
        Recorded "recorded" (RecordedTraffic)
        /// A video: frames of recorded sizes at a steady rate, cut into packets that are spread over
        /// the time to the next frame or sent at once.
        Video "video" (VideoTraffic)
        /// TCP: a sender at from, a receiver at to that answers over the route back; pkts are
        /// full data packets.
        Tcp "tcp" (TcpTraffic)
        /// RDMA over Ethernet (RoCE): a sender by rate or window, go-back-N, an answer to each packet.
        Rdma "rdma" (RdmaTraffic)
        /// NDP: a first window at the rate of the line, then a packet for each pull of the receiver; ports
        /// with a queue of kind trim cut payloads off instead of dropping packets.
        Ndp "ndp" (NdpTraffic)
    }
    or Own(OwnTraffic), "A source, a transport or an application of the program's own."
}

/// Valid traffic, for tests and stand-ins.
fn harmless() -> Traffic {
    Traffic::Cbr {
        rate: Rate::from_mbps(1_000).into(),
        size: Bytes(1),
    }
}

/// The phase at the start.
struct FirstPhase;

words! {
    FirstPhase: Phase {
        "random" => Phase::Random, "drawn from the stationary distribution";
        "on" => Phase::On, "the ON phase, in which it sends";
        "off" => Phase::Off, "the OFF phase, in which it is silent";
    }
}

impl FlowGroup {
    /// A flow from one node to another, or for each pair of two groups, from the
    /// start to the end.
    pub fn new(
        name: &str,
        from: impl Into<Reference>,
        to: impl Into<Reference>,
        traffic: Traffic,
    ) -> FlowGroup {
        FlowGroup {
            name: name.to_owned(),
            count: None,
            from: from.into(),
            to: to.into(),
            pair: Pairing::Cyclic,
            racks: Vec::new(),
            bundle: 1,
            distinct: false,
            start: Span::ZERO.into(),
            stop: None,
            class: 0,
            path: None,
            back_path: None,
            ecn: None,
            live: false,
            traffic,
        }
    }
}

impl Traffic {
    /// The connections of a closed loop: TCP's, or those of another transport.
    pub fn connections(&self) -> Option<&TcpTraffic> {
        match self {
            Traffic::Tcp(traffic) => Some(traffic),
            Traffic::Own(OwnTraffic::Ends(ends)) => Some(&ends.traffic),
            Traffic::Own(OwnTraffic::Dialogue(dialogue)) => Some(dialogue.over.connections()),
            Traffic::Rdma(rdma) => Some(&rdma.traffic),
            Traffic::Ndp(ndp) => Some(&ndp.traffic),
            _ => None,
        }
    }

    /// The transport in TCP's place, if there is one.
    pub fn transport(&self) -> Option<&OwnTransport> {
        match self {
            Traffic::Own(OwnTraffic::Ends(ends)) => Some(&ends.own.make),
            Traffic::Own(OwnTraffic::Dialogue(dialogue)) => dialogue.over.transport(),
            Traffic::Rdma(rdma) => Some(&rdma.make),
            Traffic::Ndp(ndp) => Some(&ndp.make),
            _ => None,
        }
    }
}
