//! Pacers, which hold packets before they join a port's queue.

use pacesim_language::field::{
    Cases, Field, FileName, Keys, Number, Probability, Reader, Record, Tagged, Whole, Written,
};
use pacesim_language::form::Form;
use pacesim_language::tree::Item;
use pacesim_language::{cases, table, words};
use pacesim_model::pacer::{OwnPacer, PortPacer};
use pacesim_pacers::{
    DeadlineFractionConfig, HullConfig, HullMultiConfig, InvalidConfig, LeakyBucketConfig, PlugIn,
    PolicerConfig, Qlbp09Config, QlbpConfig, RecordedRateConfig, ReleaseRule, TokenBucketConfig,
    UnpacedConfig, rule_of_thumb,
};
use pacesim_parts::Own;
use pacesim_tape::Tape;
use pacesim_units::{Bytes, Capacity, Rate, Span};

use crate::share::chosen_evenly;
use pacesim_recordings::opportunities;

/// The pacers of a group of links.
#[derive(Clone, Debug, PartialEq)]
pub struct PacerSpec {
    /// Kind of the pacers.
    pub kind: PacerKind,
    /// The share of links that have one, 0 to 1, rounded to whole links.
    pub share: f64,
}

table! {
    /// The keys shared by all pacers.
    struct Share "share" {
        share: f64 as Probability, (= "1.0"), "The share of the group's links that have the pacer: the nearest whole number, spread evenly, as for others in tcp.", "0.3";
    }
}

impl Field for PacerSpec {
    type Value = PacerSpec;
    const FORM: &'static Form = <Tagged<PacerKind> as Field>::FORM;

    fn read(item: &Item, reader: &mut Reader<'_>) -> Option<PacerSpec> {
        let kind = PacerKind::read_tagged(item, reader)?;
        let Share { share } = Share::read_keys(item.table()?, reader)?;
        Some(PacerSpec { kind, share })
    }

    fn write(pacer: &PacerSpec) -> Option<Written> {
        let mut keys = Keys::default();
        pacer.kind.write_case(&mut keys);
        keys.put::<Probability>("share", &pacer.share);
        Some(Written::Table(keys))
    }
}

cases! {
    /// The kinds of pacers.
    pub enum PacerKind by "kind" with Share {
        /// No pacing: packets pass at once.
        None "none"
        /// Queue-length based pacing: the rate rises with the held queue q, from mu_min at q = 0 to
        /// mu_max at q_max, and is the line's rate beyond; each arrival reschedules the next
        /// release.
        Qlbp "qlbp" {
            mu_min: Option<Rate>, "The rate of an empty queue; omit it for zero, since q includes the waiting packet.", "1Mbps";
            mu_max: Option<Rate>, "The rate at q_max; by default the line's.", "100Mbps";
            q_max: Capacity, "Q_max, the held queue at which the rate has risen to mu_max.", "100pkts";
            q_lim: Capacity, (= "unlimited"), "Q_lim, the most that the pacer can hold, in the unit of q_max.", "1000pkts";
        }
        /// Queue-length based pacing as in a prototype that blocks its queue: a departing packet
        /// blocks it for S/mu(q), where S is its size and q includes it; mu is that of qlbp, and
        /// arrivals do not change the pause.
        QlbpBlocking "qlbp_blocking" {
            mu_min: Option<Rate>, "The rate of an empty queue; omit it for zero, since q includes the departing packet.", "1Mbps";
            mu_max: Option<Rate>, "The rate at q_max; by default the line's.", "100Mbps";
            q_max: Capacity, "Q_max, the held queue at which the rate has risen to mu_max.", "100pkts";
            q_lim: Capacity, (= "unlimited"), "Q_lim, the most that the pacer can hold, in the unit of q_max.", "1000pkts";
        }
        /// Queue-length based pacing by Algorithm 1 of 2009: after each release a pause of
        /// S/mu(q), where mu rises from s_max/d_max at q = 0 to mu_max at q_max and stays there;
        /// the first packet is not held.
        Qlbp09 "qlbp09" {
            d_max: Span, "D_max, the longest pause.", "10ms";
            s_max: Bytes, (= "1518B"), "S_max, the largest packet.", "1518B";
            mu_max: Option<Rate>, "The rate from q_max on; by default the line's.", "200Mbps";
            q_max: Capacity, "Q_max, the held queue at which the rate has risen to mu_max.", "100pkts";
            q_lim: Capacity, (= "unlimited"), "Q_lim, the most that the pacer can hold, in the unit of q_max.", "1000pkts";
            plug_in: Option<PlugIn> as Option<PlugInKeys>, "The variant of the prototype: no pause at all above q_max.", "{ alpha = 5.0, tick = \"1ms\" }";
            jitter: Span, (= "0s"), "The maximum random extension of a pause.", "100us";
        }
        /// Qlbp with mu_max = (1 + utilisation)/2 and mu_min = utilisation/2 of the line's rate,
        /// and q_max = d_max * mu_max in bytes.
        RuleOfThumb "rule_of_thumb" {
            utilisation: f64 as Probability, (else 1.0), "The average share of the line's rate in use.", "0.8";
            d_max: Span, "The maximum delay in steady state.", "4ms";
            q_lim: Capacity, (= "unlimited"), "Q_lim, the most that the pacer can hold, in bytes, at least d_max * mu_max.", "1MB";
        }
        /// The convex-hull pacer of one delay class: the smoothest releases that hold no packet
        /// longer than the delay.
        Hull "hull" (HullConfig as HullKeys)
        /// The convex-hull pacer of several delay classes, earliest deadline first; the key class
        /// of a flow gives its class.
        HullMulti "hull_multi" (HullMultiConfig as HullMultiKeys)
        /// A bucket of tokens, one per byte, initially full: a packet leaves once there are as many
        /// tokens as it has bytes.
        TokenBucket "token_bucket" (TokenBucketConfig as TokenBucketKeys)
        /// Releases at most at this rate, packet by packet.
        LeakyBucket "leaky_bucket" (LeakyBucketConfig as LeakyBucketKeys)
        /// Holds every packet for the same part of the delay.
        DeadlineFraction "deadline_fraction" (DeadlineFractionConfig as DeadlineFractionKeys)
        /// A policer instead of a pacer: a bucket of tokens, one per byte, initially full; a packet
        /// passes at once if there are as many tokens as it has bytes, and is dropped otherwise.
        Policer "policer" (PolicerConfig as PolicerKeys)
        /// A recorded rate in Mahimahi's format: a file with one line per opportunity to send, in
        /// milliseconds, for 1504 bytes of one or several packets; the file repeats after its last
        /// line. The link's own rate still applies: set one that is high enough not to matter.
        RecordedRate "recorded_rate" {
            file: OpportunityFile, "The file, relative to the scenario.", "cellular.trace";
            buffer: Capacity, (= "unlimited"), "The most that may wait for opportunities.", "100pkts";
        }
    }
    or Own(Own<OwnPacer>), "A pacer of the program's own."
}

const UNPACED: UnpacedConfig = UnpacedConfig {
    capacity: Capacity::Unlimited,
};

table! {
    /// The prototype's variant.
    for PlugIn as PlugInKeys "plug_in" {
        alpha_percent "alpha": u32 as Hundredths, (= "1.0"), "The factor by which all pauses are scaled, 1 or more, in hundredths.", "5.0";
        tick: Span, (= "0s"), "The granularity of the timer; 0s for an ideal one.", "1ms";
        whole_ticks: bool, (= "false"), "Count in whole ticks: the time of a release and each pause are truncated to ticks.", "true";
    }
}

/// A factor in hundredths.
struct Hundredths;

impl Field for Hundredths {
    type Value = u32;
    const FORM: &'static Form = &Form::Number {
        low: 0.0,
        high: 1e6,
    };

    fn read(item: &Item, reader: &mut Reader<'_>) -> Option<u32> {
        Some((Number::read(item, reader)? * 100.0 + 0.5) as u32)
    }

    fn write(hundredths: &u32) -> Option<Written> {
        Number::write(&(f64::from(*hundredths) / 100.0))
    }
}

table! {
    /// The convex-hull pacer of one delay class.
    for HullConfig as HullKeys "hull" {
        delay: Span, "The maximum time for which a packet is held.", "10ms";
        rule "release": ReleaseRule as ReleaseWord, (= "last_byte"), "The point of the exit curve at which a packet is released.", "last_byte";
        capacity "buffer": Capacity, (= "unlimited"), "The most that the pacer itself can hold.", "2000pkts";
    }
}

table! {
    /// The convex-hull pacer of many delay classes.
    for HullMultiConfig as HullMultiKeys "hull_multi" {
        delays: Vec<Span>, "The maximum times for which packets of class 0, 1, 2... are held.", "[\"1ms\", \"10ms\"]";
        rule "release": ReleaseRule as ReleaseWord, (= "last_byte"), "The point of the exit curve at which a packet is released.", "last_byte";
        capacity "buffer": Capacity, (= "unlimited"), "The most that the pacer itself can hold.", "2000pkts";
    }
}

/// The point at which a packet is released.
struct ReleaseWord;

words! {
    ReleaseWord: ReleaseRule {
        "last_byte" => ReleaseRule::LastByte, "when the exit curve passes the packet's last byte: a lone packet is held for the whole delay";
        "first_byte" => ReleaseRule::FirstByte, "when it passes the first byte: a lone packet is not held";
    }
}

table! {
    /// A bucket of tokens.
    for TokenBucketConfig as TokenBucketKeys "token_bucket" {
        rate: Rate, "The token rate.", "5Mbps";
        // A missing bucket causes no complaint about the sizes of packets.
        burst: Bytes, (else Bytes(u64::MAX)), "The number of tokens that the bucket holds; larger packets are dropped.", "15KB";
        capacity "buffer": Capacity, (= "unlimited"), "The most that the pacer itself can hold.", "2000pkts";
    }
}

table! {
    /// A bucket of tokens that drops.
    for PolicerConfig as PolicerKeys "policer" {
        rate: Rate, "The token rate.", "5Mbps";
        burst: Bytes, (else Bytes(u64::MAX)), "The number of tokens that the bucket holds; larger packets are dropped.", "15KB";
    }
}

table! {
    /// A bucket that leaks.
    for LeakyBucketConfig as LeakyBucketKeys "leaky_bucket" {
        rate: Rate, "The rate at which it leaks.", "5Mbps";
        capacity "buffer": Capacity, (= "unlimited"), "The most that the pacer itself can hold.", "2000pkts";
    }
}

/// A file of opportunities to send.
#[derive(Clone, Debug, PartialEq)]
pub struct OpportunityFile {
    /// Name of the file, as written in the scenario.
    pub name: String,
    /// Times of the opportunities, in milliseconds.
    pub opportunities_ms: Tape<u64>,
}

impl Field for OpportunityFile {
    type Value = OpportunityFile;
    const FORM: &'static Form = FileName::FORM;

    fn read(item: &Item, reader: &mut Reader<'_>) -> Option<OpportunityFile> {
        let name = FileName::read(item, reader)?;
        let text = reader.files.stream(&name);
        let opportunities_ms =
            text.and_then(|text| opportunities::parse(text, reader.files.stores()));
        let form = "a file of opportunities to send, one a line in milliseconds";
        let opportunities_ms = reader.content(&name, opportunities_ms, form)?;
        Some(OpportunityFile {
            name,
            opportunities_ms,
        })
    }

    fn write(file: &OpportunityFile) -> Option<Written> {
        Some(Written::File(file.name.clone()))
    }
}

table! {
    /// A part of a delay.
    for DeadlineFractionConfig as DeadlineFractionKeys "deadline_fraction" {
        delay: Span, "The maximum time for which a packet is held.", "10ms";
        percent: u32 as Whole<u32, 0, 100>, (= "100"), "The part of the delay for which packets are held, in percent.", "50";
        capacity "buffer": Capacity, (= "unlimited"), "The most that the pacer itself can hold.", "2000pkts";
    }
}

impl From<PacerKind> for PacerSpec {
    fn from(kind: PacerKind) -> PacerSpec {
        PacerSpec { kind, share: 1.0 }
    }
}

impl PacerSpec {
    /// The links that have the pacer, of `count`.
    pub fn chosen(&self, count: usize) -> Vec<bool> {
        chosen_evenly(self.share, count)
    }
}

impl PacerKind {
    /// True if the pacer depends on the line's rate.
    pub fn asks_for_line(&self) -> bool {
        match self {
            PacerKind::Qlbp { .. }
            | PacerKind::QlbpBlocking { .. }
            | PacerKind::RuleOfThumb { .. } => true,
            PacerKind::Qlbp09 { mu_max, .. } => mu_max.is_none(),
            _ => false,
        }
    }

    /// The largest packet that it can take, if it is limited.
    pub fn largest_packet(&self) -> Option<Bytes> {
        let (capacity, burst) = match self {
            PacerKind::None | PacerKind::Own(_) => return None,
            PacerKind::Qlbp { q_lim, .. }
            | PacerKind::QlbpBlocking { q_lim, .. }
            | PacerKind::Qlbp09 { q_lim, .. }
            | PacerKind::RuleOfThumb { q_lim, .. } => (*q_lim, None),
            PacerKind::Hull(config) => (config.capacity, None),
            PacerKind::HullMulti(config) => (config.capacity, None),
            PacerKind::TokenBucket(config) => (config.capacity, Some(config.burst)),
            PacerKind::Policer(config) => (Capacity::Unlimited, Some(config.burst)),
            PacerKind::LeakyBucket(config) => (config.capacity, None),
            PacerKind::DeadlineFraction(config) => (config.capacity, None),
            PacerKind::RecordedRate { buffer, .. } => (*buffer, None),
        };
        let room = match capacity {
            Capacity::Bytes(room) => Some(room),
            Capacity::Packets(_) | Capacity::Unlimited => None,
        };
        room.into_iter().chain(burst).min()
    }

    /// The pacer for a line of this rate.
    pub fn for_line(&self, line_rate: Rate) -> Result<PortPacer, InvalidConfig> {
        let qlbp = |mu_min, mu_max: Option<Rate>, q_max, q_lim| QlbpConfig {
            mu_min,
            mu_max: mu_max.unwrap_or(line_rate),
            q_max,
            q_lim,
            line_rate,
        };
        Ok(match self.clone() {
            PacerKind::None => PortPacer::Unpaced(UNPACED),
            PacerKind::Own(own) => own.make.into(),
            PacerKind::Qlbp {
                mu_min,
                mu_max,
                q_max,
                q_lim,
            } => PortPacer::Qlbp(qlbp(mu_min, mu_max, q_max, q_lim)),
            PacerKind::QlbpBlocking {
                mu_min,
                mu_max,
                q_max,
                q_lim,
            } => PortPacer::QlbpBlocking(qlbp(mu_min, mu_max, q_max, q_lim)),
            PacerKind::Qlbp09 {
                d_max,
                s_max,
                mu_max,
                q_max,
                q_lim,
                plug_in,
                jitter,
            } => PortPacer::Qlbp09(Qlbp09Config {
                d_max,
                s_max,
                mu_max: mu_max.unwrap_or(line_rate),
                q_max,
                q_lim,
                plug_in,
                jitter,
            }),
            PacerKind::RuleOfThumb {
                utilisation,
                d_max,
                q_lim,
            } => PortPacer::Qlbp(QlbpConfig {
                q_lim,
                ..rule_of_thumb(utilisation, line_rate, d_max)?
            }),
            PacerKind::Hull(config) => PortPacer::Hull(config),
            PacerKind::HullMulti(config) => PortPacer::HullMulti(config),
            PacerKind::TokenBucket(config) => PortPacer::TokenBucket(config),
            PacerKind::Policer(config) => PortPacer::Policer(config),
            PacerKind::LeakyBucket(config) => PortPacer::LeakyBucket(config),
            PacerKind::DeadlineFraction(config) => PortPacer::DeadlineFraction(config),
            PacerKind::RecordedRate { file, buffer } => {
                PortPacer::RecordedRate(RecordedRateConfig {
                    opportunities_ms: file.opportunities_ms,
                    capacity: buffer,
                })
            }
        })
    }
}
