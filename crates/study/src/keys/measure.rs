//! `[[measure]]`: measures beyond the counters.

use pacesim_language::field::{
    Cases, Count, Field, FlowRef, Keys, Name, PartName, Perhaps, Probability, Reader, Record,
    Tagged, Whole, Written,
};
use pacesim_language::form::Form;
use pacesim_language::names::Reference;
use pacesim_language::tree::Item;
use pacesim_language::{cases, table, words};
use pacesim_parts::{Kind, Own, OwnMeasure};
use pacesim_units::{Bytes, Span};

/// A measure taken in each run.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// Name of its numbers and its table.
    pub name: String,
    /// Kind and place.
    pub kind: MeasureKind,
    /// The path of the key of a figure that asks for it, if it has no declaration of its own.
    pub asked_at: Option<String>,
}

table! {
    /// The keys that all measures share.
    struct MeasureName "measure" {
        name: String as Name, "Its name: its numbers are measure.NAME.METRIC, its table is measures/NAME.parquet.", "burst";
    }
}

impl Field for Measure {
    type Value = Measure;
    const FORM: &'static Form = <Tagged<MeasureKind> as Field>::FORM;

    fn read(item: &Item, reader: &mut Reader<'_>) -> Option<Measure> {
        let kind = MeasureKind::read_tagged(item, reader)?;
        let MeasureName { name } = MeasureName::read_keys(item.table()?, reader)?;
        Some(Measure {
            name,
            kind,
            asked_at: None,
        })
    }

    fn write(measure: &Measure) -> Option<Written> {
        let mut keys = Keys::default();
        measure.kind.write_case(&mut keys);
        keys.put::<Name>("name", &measure.name);
        Some(Written::Table(keys))
    }
}

impl Measure {
    /// The program's own part that it is, if it is one.
    pub fn own_part(&self) -> Option<PartName> {
        let mut keys = Keys::default();
        self.kind.write_case(&mut keys);
        keys.parts().first().map(|part| (*part).clone())
    }

    /// The measure as written in a file, including all defaults.
    pub fn to_toml(&self) -> String {
        let mut keys = Keys::default();
        keys.put::<Measure>("measure", self);
        keys.sections()
    }
}

/// The number of lengths, each twice the previous one.
type Scales = Whole<u32, 1, 40>;
/// The number of bins in a factor of ten.
type PerDecade = Whole<u32, 1, 1000>;
/// A distance between intervals; each costs work and memory.
type Lag = Whole<u32, 0, 10_000>;

table! {
    /// The packets that are measured, and their place. Give a link, a group of flows, or both.
    pub struct MeasuredPlace "place" {
        link: Option<String>, "The link at which packets are measured; by default the end of their route.", "core";
        at: At, (= "sent"), "The place at the link.", "offered";
        flows: Option<Reference> as Option<FlowRef>, "The group of flows whose packets are measured, or some of its flows; by default all.", "f[3]";
        packets: PacketSelection, (= "all"), "The kinds of packets.", "data";
    }
}

words! {
    /// A place at a link.
    pub enum At {
        Offered "offered", "arrival at the port, including packets that it drops";
        Released "released", "release by the pacer; the same as offered without one";
        Sent "sent", "departure of the last bit from the port";
    }
}

words! {
    /// Kinds of packets.
    pub enum PacketSelection {
        All "all", "all packets";
        Data "data", "data, without acknowledgements and packets made by middleboxes";
    }
}

words! {
    /// Unit of a queue's length.
    pub enum LengthUnit {
        Packets "pkts", "packets";
        Bytes "bytes", "bytes";
    }
}

words! {
    /// Samples of a queue's length.
    pub enum LengthSamples {
        Time "time", "the length at every time, weighted by how long it lasts";
        Departures "departures", "the packets that are behind one that leaves the queue, also behind one that is dropped there; idle times do not count, which is how switches record queues";
    }
}

words! {
    /// An estimator of the Hurst parameter.
    pub enum HurstMethod {
        Whittle "whittle", "local Whittle: the likelihood of the lowest frequencies, with an interval; up to a fifth of a standard deviation high for H near 0.9";
        Wavelet "wavelet", "the energy of wavelets by octave from the third on, the bend of exact noise taken out, with an interval; trends do not mislead it";
        Variance "variance", "the variance of the means of ever longer blocks";
        RescaledRange "rescaled_range", "R/S by the length of blocks; for trends only";
    }
}

table! {
    /// Burstiness over time scales.
    pub struct Burstiness "burstiness" {
        place: MeasuredPlace, "The packets.";
        finest: Span, "The shortest interval.", "1024us";
        scales: u32 as Scales, "The number of lengths, each twice the previous one.", "11";
        slope_from: Option<Span>, "The shortest interval for the slope; by default the finest.", "4096us";
        slope_to: Option<Span>, "The longest interval for the slope; by default the longest of all.", "1s";
    }
}

table! {
    /// Autocovariance of the volume per interval.
    pub struct Autocovariance "autocovariance" {
        place: MeasuredPlace, "The packets.";
        interval: Span, "The length of the intervals.", "1ms";
        lags: Vec<u32> as Vec<Lag>, "The lags, in intervals.", "[1, 2, 5, 10, 20, 50]";
    }
}

table! {
    /// The Hurst parameter of the volume per interval.
    pub struct Hurst "hurst" {
        place: MeasuredPlace, "The packets.";
        interval: Span, "The length of the intervals.", "10ms";
        method: HurstMethod, (= "whittle"), "The estimator.", "wavelet";
    }
}

table! {
    /// The spectrum of the volume per interval.
    pub struct Spectrum "spectrum" {
        place: MeasuredPlace, "The packets.";
        interval: Span, "The length of the intervals; the spectrum ends at the frequency of two of them.", "1ms";
        per_decade: u32 as PerDecade, (= "10"), "The number of bands in a factor of ten, over each of which the periodogram is averaged.", "20";
        slope_from: Option<Span>, "The shortest period for the slope; by default two intervals.", "100ms";
        slope_to: Option<Span>, "The longest period for the slope; by default the measured time.", "10s";
    }
}

table! {
    /// Gaps from one packet to the next.
    pub struct Gaps "gaps" {
        place: MeasuredPlace, "The packets.";
        least: Span, (= "1us"), "The lower end of the histogram's first bin.", "100ns";
        most: Span, (= "1s"), "The upper end of the last bin.", "10ms";
        per_decade: u32 as PerDecade, (= "10"), "The number of bins in a factor of ten.", "20";
    }
}

table! {
    /// The length of a link's queue.
    pub struct QueueLength "queue" {
        link: String, "The link.", "core";
        unit: LengthUnit, (= "pkts"), "The unit of the length.", "bytes";
        sampled: LengthSamples, (= "time"), "The samples whose mean, percentiles and distribution are taken; the shares of time and of arriving packets do not depend on it.", "departures";
        bin: u32 as Count, (= "1"), "The width of the bins of the distribution, in this unit; beyond the buffer, or beyond 10000 bins if its size has the other unit or none, they are wider, by up to a 2000th of the length.", "1000";
        packet: Bytes, (= "1500B"), "A buffer that counts bytes is full if it has no room for a packet of this size.", "1KB";
    }
}

table! {
    /// Autocovariance of the length of a link's queue.
    pub struct QueueAutocovariance "queue_autocovariance" {
        link: String, "The link.", "core";
        unit: LengthUnit, (= "pkts"), "The unit of the length.", "bytes";
        interval: Span, "The time between two samples of the queue.", "1ms";
        lags: Vec<u32> as Vec<Lag>, "The lags, in steps.", "[1, 2, 5, 10, 20, 50]";
    }
}

words! {
    /// The end of a delay, which begins with the transmission of the data.
    pub enum DelayEnd {
        Arrival "arrival", "arrival of the packet, from its own transmission; packets that do not arrive do not count";
        Delivered "delivered", "delivery of the data, from their first transmission: the delay of data that were dropped includes the wait for their retransmission. Only for TCP, and only data delivered in the measured time; further copies of data do not count";
    }
}

words! {
    /// The values of which delays give the statistics.
    pub enum DelayValues {
        Packets "packets", "the delays of packets";
        FlowMeans "flow means", "the mean delays of single flows";
    }
}

table! {
    /// The delays of a group's data.
    pub struct Delays "delays" {
        flows: Reference as FlowRef, "The group of flows, or some of its flows.", "f";
        until: DelayEnd, (= "arrival"), "The end of a delay.", "delivered";
        of: DelayValues, (= "packets"), "The values whose mean, extremes and distribution are taken.", "flow means";
        least: Span, (= "1us"), "The first value of the distribution's table.", "1ms";
        most: Span, (= "10s"), "The last value.", "1s";
        per_decade: u32 as PerDecade, (= "10"), "The number of its rows in a factor of ten.", "20";
    }
}

table! {
    /// Throughput per interval.
    pub struct Throughput "throughput" {
        place: MeasuredPlace, "The packets.";
        interval: Span, "The length of the intervals.", "100ms";
    }
}

table! {
    /// Completion times of transfers.
    pub struct Completions "completions" {
        flows: Reference as FlowRef, "The group of flows, or some of its flows.", "f";
        classes: Vec<Bytes> as Perhaps<Vec<Bytes>>, "Sizes at which a class ends and the next begins; by default one class.", "[\"10KB\", \"100KB\", \"1MB\"]";
    }
}

table! {
    /// Equality of the goodputs of flows.
    pub struct Fairness "fairness" {
        groups: Vec<Reference> as Vec<FlowRef>, "The groups of flows, or some of their flows.", "[\"paced\", \"unpaced\"]";
    }
}

table! {
    /// Losses of single flows.
    pub struct Losses "losses" {
        flows: Reference as FlowRef, "The group of flows, or some of its flows.", "f";
        bin: f64 as Probability, (= "0.005"), "The width of the bins of the histogram.", "0.0025";
        least: f64 as Probability, (= "0"), "The least loss of the flows that within_ratio counts.", "0.01";
        most: f64 as Probability, (= "1"), "The greatest loss of these.", "0.02";
    }
}

table! {
    /// Loads, queues and losses of the links of a group.
    pub struct Loads "loads" {
        links: String, "The group of links, both directions together, or one of them, as uplink.there or uplink.back; or one link.", "trunk";
    }
}

table! {
    /// Links that packets cross.
    pub struct Hops "hops" {
        flows: Reference as FlowRef, "The group of flows, or some of its flows.", "f";
    }
}

table! {
    /// Packets that pauses hold.
    pub struct Victims "victims" {
        flows: Reference as FlowRef, "The group of flows, or some of its flows.", "f";
    }
}

words! {
    /// Quantities with many values in a run.
    pub enum Values {
        Delays "delays", "the delays of data packets";
        Completions "completions", "the times of transfers from start to end";
        Gaps "gaps", "the gaps from one packet to the next, at the end of their route or behind a link";
        Goodputs "goodputs", "the goodputs of single flows";
    }
}

table! {
    /// The distribution of values within a run.
    pub struct Distribution "distribution" {
        of: Values, "The values.", "completions";
        flows: Option<Reference> as Option<FlowRef>, "The group of flows, or some of its flows.", "f";
        link: Option<String>, "The link, for gaps behind it.", "core";
    }
}

table! {
    /// A number over time.
    pub struct Series "series" {
        flows: Option<String>, "The group of flows; the values of several flows are added.", "f";
        link: Option<String>, "The link.", "core";
        metric: String, "One of the metrics of series.", "queue_pkts";
        every: Option<Span>, "The interval; by default a 500th of the run.", "100ms";
    }
}

cases! {
    /// Something that is measured in each run, from the end of the warm-up on.
    pub enum MeasureKind by "kind" with MeasureName {
        /// Burstiness: beta(s), the standard deviation of the volume per interval over its mean,
        /// and its logarithm, at interval lengths s that double; and the slope of one logarithm
        /// against the other.
        Burstiness "burstiness" (Burstiness)
        /// Autocovariance and autocorrelation of the volume per interval, at some lags.
        Autocovariance "autocovariance" (Autocovariance)
        /// The Hurst parameter of the volume per interval.
        Hurst "hurst" (Hurst)
        /// The spectrum of the volume per interval: its periodogram over bands of frequencies, the
        /// strongest frequency, and the slope of one logarithm against the other, which is 1 - 2H
        /// for self-similar traffic.
        Spectrum "spectrum" (Spectrum)
        /// The gaps from one packet to the next: mean, variation and histogram.
        Gaps "gaps" (Gaps)
        /// The length of a link's queue: shares of time, and of arriving packets, with an idle
        /// link or a full buffer, and the distribution in between. As for the buffer, the
        /// length counts the waiting packets, or also the one in transmission.
        Queue "queue" (QueueLength)
        /// Autocovariance and autocorrelation of the length of a link's queue, at some lags: the
        /// memory of the queue.
        QueueAutocovariance "queue_autocovariance" (QueueAutocovariance)
        /// The distribution of the delays of a group's data.
        Delays "delays" (Delays)
        /// Throughput per interval.
        Throughput "throughput" (Throughput)
        /// Completion times of transfers, by their size. Only transfers that begin after the warm-up count.
        Completions "completions" (Completions)
        /// Jain's index of the goodputs of flows, within groups and between the means of groups.
        Fairness "fairness" (Fairness)
        /// The loss of single flows: the share of a flow's data that is dropped or lost and not
        /// repaired.
        Losses "losses" (Losses)
        /// A group of links, such as a tier of a fabric: utilisation, the most utilised over the
        /// mean (imbalance), queues and loss.
        Loads "loads" (Loads)
        /// The links that the data packets of a group cross, for each that arrives.
        Hops "hops" (Hops)
        /// The data packets of a group that wait at paused ports (PFC), and the victims among them: those
        /// whose next port had no packet waiting at some time since a pause held them, and so was not the
        /// congested one.
        Victims "victims" (Victims)
        /// The distribution of a quantity with many values in a run: the share of values in each
        /// bin, with 40 bins per factor of ten.
        Distribution "distribution" (Distribution)
        /// A number of a link or a group of flows over time, as in series.parquet, from the start of
        /// the run.
        Series "series" (Series)
    }
    or Own(Own<OwnMeasure>), "A measure of the program's own."
}

/// The names of the built-in measures.
pub fn built_in() -> Vec<(Kind, &'static str)> {
    let declared = MeasureKind::CASES.declared.iter();
    declared.map(|table| (Kind::Measure, table.name)).collect()
}

impl MeasureKind {
    /// The place at which it measures packets, if the file chooses that.
    pub fn place(&self) -> Option<&MeasuredPlace> {
        match self {
            MeasureKind::Burstiness(asked) => Some(&asked.place),
            MeasureKind::Autocovariance(asked) => Some(&asked.place),
            MeasureKind::Hurst(asked) => Some(&asked.place),
            MeasureKind::Spectrum(asked) => Some(&asked.place),
            MeasureKind::Gaps(asked) => Some(&asked.place),
            MeasureKind::Throughput(asked) => Some(&asked.place),
            _ => None,
        }
    }
}
