//! The length of a link's queue: over time, seen by arriving packets, and left behind by departing ones.

use pacesim::measure::{Histogram, LevelTimes, TimeWeighted};
use pacesim::model::Model;
use pacesim::units::{Bytes, Capacity, Span, Time};
use pacesim_study::measure as study;
use pacesim_study::measure::{LengthSamples, LengthUnit};

use crate::queue_length::{Followed, Keeper, Volume};
use crate::schema::{Column, MeasureSchema, Measurement, Measuring, Watching, columns};
use crate::tap::link;

/// Bins of equal width where the buffer does not limit the length in its unit.
const MANY: u64 = 10_000;
/// Largest number of bins of equal width.
const MOST: u64 = 1_000_000;

impl MeasureSchema for study::QueueLength {
    fn names(&self) -> Vec<String> {
        let unit = match self.unit {
            LengthUnit::Packets => "pkts",
            LengthUnit::Bytes => "bytes",
        };
        let shares = [
            "idle_ratio",
            "full_ratio",
            "seen_idle_ratio",
            "seen_full_ratio",
        ];
        let lengths = ["mean", "p01", "p50", "p90", "p99", "max"];
        let lengths = lengths.map(|length| format!("{length}_{unit}"));
        shares
            .map(str::to_owned)
            .into_iter()
            .chain(lengths)
            .collect()
    }

    fn columns(&self) -> &'static [Column] {
        columns! {
            "length": "A length of the queue, in the unit that is asked for.";
            shares "ccdf": "The share of time, or of departures, with that length or more.";
            shares "time_ratio": "The share of time, or of departures, with this length, up to the next.";
        }
    }
}

impl Measuring for study::QueueLength {
    fn probe(&self, model: &Model) -> Option<Box<dyn Watching>> {
        let port = &model.links[link(model, &self.link)?.index()];
        let of = |packets, bytes| match self.unit {
            LengthUnit::Packets => packets,
            LengthUnit::Bytes => bytes,
        };
        // The least length, in the buffer's own unit, at which it is full.
        let (in_bytes, full) = match port.buffer.capacity {
            Capacity::Unlimited => (false, u64::MAX),
            Capacity::Packets(n) => (false, n),
            Capacity::Bytes(Bytes(n)) => {
                (true, n.saturating_add(1).saturating_sub(self.packet.get()))
            }
        };
        let most = match port.buffer.capacity {
            Capacity::Packets(n) => of(n, MANY * u64::from(self.bin)),
            Capacity::Bytes(Bytes(n)) => of(MANY * u64::from(self.bin), n),
            Capacity::Unlimited => MANY * u64::from(self.bin),
        };
        let bins = most.div_ceil(self.bin.into()).saturating_add(1).min(MOST);
        // A discipline may hold more than the buffer, and packets have any size: no bin is the last.
        let bins = || Histogram::widening(self.bin.into(), bins as u32);
        let levels = Levels {
            in_unit: self.unit,
            times: LevelTimes::new(Time::ZERO, 0, u64::MAX, bins()?),
            weighted: TimeWeighted::new(Time::ZERO, 0),
            full: LevelTimes::new(Time::ZERO, 0, full, Histogram::linear(0, 1, 1)?),
            departures: (self.sampled == LengthSamples::Departures).then_some(Departures {
                lengths: bins()?,
                sum: 0,
                max: 0,
            }),
            in_bytes,
            rest: Span::ZERO,
            arrivals: 0,
            found_idle: 0,
            found_full: 0,
        };
        Some(Box::new(Followed::new(model, &self.link, levels)?))
    }
}

/// Times at each length of the queue.
pub(crate) struct Levels {
    in_unit: LengthUnit,
    times: LevelTimes,
    weighted: TimeWeighted,
    /// The length in the buffer's own unit.
    full: LevelTimes,
    in_bytes: bool,
    /// Time for which the line was idle.
    rest: Span,
    arrivals: u64,
    found_idle: u64,
    found_full: u64,
    /// Samples at departures, where they are asked for.
    departures: Option<Departures>,
}

/// The lengths behind departing packets.
struct Departures {
    lengths: Histogram,
    sum: u64,
    max: u64,
}

impl Departures {
    fn mean(&self) -> Option<f64> {
        let all = self.lengths.count();
        (all > 0).then(|| self.sum as f64 / all as f64)
    }
}

impl Levels {
    fn in_unit(&self, length: Volume) -> u64 {
        match self.in_unit {
            LengthUnit::Packets => length.packets,
            LengthUnit::Bytes => length.bytes,
        }
    }
}

impl Keeper for Levels {
    fn begin(&mut self, from: Time) {
        self.times.reset(from);
        self.full.reset(from);
        self.weighted.reset(from);
    }

    fn set(&mut self, now: Time, length: Volume) {
        let own = if self.in_bytes {
            length.bytes
        } else {
            length.packets
        };
        let length = self.in_unit(length);
        self.times.set(now, length);
        self.weighted.set(now, length);
        self.full.set(now, own);
    }

    fn left(&mut self, behind: Volume) {
        let length = self.in_unit(behind);
        if let Some(departures) = &mut self.departures {
            departures.lengths.add(length);
            departures.sum += length;
            departures.max = departures.max.max(length);
        }
    }

    fn arrived(&mut self, found_idle: bool) {
        self.arrivals += 1;
        self.found_idle += u64::from(found_idle);
    }

    fn refused(&mut self) {
        self.found_full += 1;
    }

    fn rested(&mut self, rest: Span) {
        self.rest += rest;
    }

    fn found(self, from: Time, end: Time) -> Measurement {
        let idle = self.rest.as_secs_f64() / (end - from).as_secs_f64();
        let seen = |n: u64| (self.arrivals > 0).then(|| n as f64 / self.arrivals as f64);
        let (tail, mean, max) = match &self.departures {
            Some(left) => (left.lengths.tail(), left.mean(), left.max),
            None => (
                self.times.tail(end),
                self.weighted.mean(end),
                self.weighted.max(),
            ),
        };
        let quantile = |q: f64| {
            let beyond = tail.iter().find(|point| point.share <= 1.0 - q)?;
            let at = tail
                .iter()
                .take_while(|point| point.from < beyond.from)
                .last();
            Some(at.map_or(0.0, |point| point.from as f64))
        };
        let numbers = vec![
            Some(idle).filter(|idle| idle.is_finite()),
            self.full.full(end),
            seen(self.found_idle),
            seen(self.found_full),
            mean,
            quantile(0.01),
            quantile(0.5),
            quantile(0.9),
            quantile(0.99),
            Some(max as f64),
        ];
        let next = tail.iter().skip(1).map(|point| point.share).chain([0.0]);
        let all = tail.iter().zip(next).filter(|(point, _)| point.share > 0.0);
        let row = |(point, next): (&pacesim::measure::Tail, f64)| {
            vec![
                Some(point.from as f64),
                Some(point.share),
                Some(point.share - next),
            ]
        };
        Measurement {
            rows: all.map(row).collect(),
            numbers,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measured;
    use pacesim::model::PortQueue;
    use pacesim::queues::FqConfig;
    use pacesim::scenario::load;
    use pacesim_runs::run_monitor::Unwatched;
    use pacesim_study::measure::{Measure, MeasureKind};

    /// A short buffer that is often full, measured in packets and in bytes.
    fn found(buffer: &str, sampled: LengthSamples, queue: Option<PortQueue>) -> Vec<Measurement> {
        let text = r#"
            run = { duration = "5s", warmup = "1s" }
            node = [{ name = "a" }, { name = "b" }]
            link = [{ name = "core", from = "a", to = "b", rate = "1Mbps", BUFFER }]
            flow = [{ name = "f", from = "a", to = "b", traffic = { kind = "poisson", rate = "1Mbps", size = { uniform = ["100B", "1900B"] } } }]
        "#;
        let text = text.replace("BUFFER", buffer);
        let checked = load("queue.toml", &text, &[], &()).expect("it is sound");
        let mut model = checked.expand(1, 0);
        model.links[0].extras.queue = queue;
        let asked = |unit| Measure {
            asked_at: None,
            name: "q".to_owned(),
            kind: MeasureKind::Queue(study::QueueLength {
                link: "core".to_owned(),
                unit,
                sampled,
                bin: 1,
                packet: Bytes(1500),
            }),
        };
        let measures = [LengthUnit::Packets, LengthUnit::Bytes].map(asked);
        let measured = measured::measured(model, &measures, &mut Unwatched);
        measured.unwrap_or_else(|error| panic!("{error}")).1
    }

    #[test]
    fn a_queue_that_is_a_stage_of_its_own_is_measured_as_the_plain_one_is() {
        for buffer in [
            r#"buffer = "4pkts""#,
            r#"buffer = "4pkts", buffer_counts = "system""#,
            r#"buffer = "5KB""#,
        ] {
            let plain = found(buffer, LengthSamples::Time, None);
            for sampled in [LengthSamples::Time, LengthSamples::Departures] {
                let [plain, staged] =
                    [None, Some(PortQueue::DropTail)].map(|queue| found(buffer, sampled, queue));
                assert_eq!(staged, plain, "{buffer}");
            }
            let [idle, full, _, seen_full] = plain[0].numbers[..4] else {
                panic!("four shares");
            };
            for share in [idle, full, seen_full] {
                assert!(
                    share.is_some_and(|share| share > 0.01),
                    "{buffer}: {share:?}"
                );
            }
        }
    }

    #[test]
    fn bins_cover_every_length_in_either_unit() {
        let fq = FqConfig {
            limit: 100,
            ..FqConfig::default()
        };
        for (buffer, queue) in [
            (r#"buffer = "20pkts""#, None),
            (r#"buffer = "20KB""#, None),
            (r#"buffer = "unlimited""#, None),
            (r#"buffer = "3pkts""#, Some(PortQueue::Fq(fq))),
        ] {
            for measured in found(buffer, LengthSamples::Time, queue) {
                let numbers = &measured.numbers[4..];
                assert!(numbers.iter().all(Option::is_some), "{buffer}: {numbers:?}");
                let (rows, max) = (&measured.rows, numbers[5].expect("a greatest length"));
                let last = rows.last().and_then(|row| row[0]).expect("a row");
                assert!(
                    last <= max && max - last <= max / 2000.0,
                    "{buffer}: {last} of {max}"
                );
                assert_eq!(rows[0][1], Some(1.0));
                let time: f64 = rows.iter().filter_map(|row| row[2]).sum();
                assert!((time - 1.0).abs() < 1e-9, "{buffer}: {time}");
            }
        }
    }

    #[test]
    fn departures_leave_an_empty_system_as_often_as_arrivals_find_one() {
        // Level crossings: up from zero as often as down to it, whatever the traffic.
        let buffer = r#"buffer = "1000pkts", buffer_counts = "system""#;
        let sampled = |sampled| found(buffer, sampled, None).swap_remove(0);
        let [timed, departures] = [LengthSamples::Time, LengthSamples::Departures].map(sampled);
        assert_eq!(departures.numbers[..4], timed.numbers[..4]);
        assert_ne!(departures.rows, timed.rows);
        let seen_idle = departures.numbers[2].expect("packets arrive");
        let left_idle = departures.rows[0][2].expect("packets leave");
        assert!(
            (left_idle - seen_idle).abs() < 0.01,
            "{left_idle}, found by arrivals {seen_idle}"
        );
        let mean = departures.numbers[4].expect("packets leave");
        let of_rows = departures
            .rows
            .iter()
            .filter_map(|row| Some(row[0]? * row[2]?));
        assert!((of_rows.sum::<f64>() - mean).abs() < 1e-9, "{mean}");
    }
}
