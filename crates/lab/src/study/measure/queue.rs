//! The length of a link's queue, as time has it and as arriving packets see it.

use std::collections::VecDeque;

use pacesim::measure::{Histogram, LevelTimes, TimeWeighted};
use pacesim::model::{Counts, Model};
use pacesim::net::{DropCause, Packet, Passage, Probe};
use pacesim::units::{Bytes, Capacity, LinkId, Span, Time};
use pacesim_study::measure as study;
use pacesim_study::measure::LengthUnit;

use super::probes::Watching;
use super::tap::{link, measured_time};
use super::{Asked, Column, Found, column};

/// Bins for a queue that is not limited.
const MANY: u64 = 10_000;
/// The most bins.
const MOST: u64 = 1_000_000;

impl Asked for study::Queue {
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
        let lengths = ["mean", "p50", "p90", "p99", "max"];
        let lengths = lengths.map(|length| format!("{length}_{unit}"));
        shares
            .map(str::to_owned)
            .into_iter()
            .chain(lengths)
            .collect()
    }

    fn columns(&self) -> &'static [Column] {
        const {
            &[
                column(
                    "length",
                    "A length of the queue, in the unit that is asked for.",
                ),
                column(
                    "ccdf",
                    "The share of time in which the queue has that length or more.",
                ),
                column(
                    "time_ratio",
                    "The share of time with this length, up to the next.",
                ),
            ]
        }
    }

    fn watch(&self, model: &Model) -> Option<Watching> {
        let (from, _) = measured_time(model);
        let id = link(model, &self.link)?;
        let port = &model.links[id.index()];
        let of = |packets, bytes| match self.unit {
            LengthUnit::Packets => packets,
            LengthUnit::Bytes => bytes,
        };
        // The least length, in the buffer's own unit, at which there is no more room.
        let (in_bytes, full) = match port.buffer.capacity {
            Capacity::Unlimited => (false, u64::MAX),
            Capacity::Packets(n) => (false, n),
            Capacity::Bytes(Bytes(n)) => (true, (n + 1).saturating_sub(self.packet.get())),
        };
        let most = match port.buffer.capacity {
            Capacity::Packets(n) => of(n, MANY * u64::from(self.bin)),
            Capacity::Bytes(Bytes(n)) => of(MANY * u64::from(self.bin), n),
            Capacity::Unlimited => MANY * u64::from(self.bin),
        };
        let bins = most.div_ceil(self.bin.into()).saturating_add(1).min(MOST);
        let bins = || Histogram::linear(0, self.bin.into(), bins as u32);
        let length = Length {
            link: id,
            in_unit: self.unit,
            counts: port.buffer.counts,
            is_staged: port.queue.is_some(),
            length: Volume::default(),
            leaving: VecDeque::new(),
            times: LevelTimes::new(Time::ZERO, 0, u64::MAX, bins()?),
            weighted: TimeWeighted::new(Time::ZERO, 0),
            full: LevelTimes::new(Time::ZERO, 0, full, Histogram::linear(0, 1, 1)?),
            in_bytes,
            has_begun: false,
            from,
            free_from: Time::ZERO,
            rest: Span::ZERO,
            arrivals: 0,
            found_idle: 0,
            found_full: 0,
        };
        Some(Watching::Queue(Box::new(length)))
    }
}

#[derive(Clone, Copy, Default)]
struct Volume {
    packets: u64,
    bytes: u64,
}

pub(in crate::study) struct Length {
    link: LinkId,
    in_unit: LengthUnit,
    counts: Counts,
    /// Whether a discipline keeps the packets until their turn.
    is_staged: bool,
    length: Volume,
    /// When packets leave that leave at known times, and their sizes.
    leaving: VecDeque<(Time, u32)>,
    times: LevelTimes,
    weighted: TimeWeighted,
    /// The length in the buffer's own unit.
    full: LevelTimes,
    in_bytes: bool,
    has_begun: bool,
    from: Time,
    /// When the line has sent all that it has.
    free_from: Time,
    /// For how long the line has sent nothing.
    rest: Span,
    arrivals: u64,
    found_idle: u64,
    found_full: u64,
}

impl Length {
    /// Lets those leave who have left by now, and forgets the warm-up at its end.
    #[inline]
    fn come_to(&mut self, now: Time) {
        if !self.has_begun && now >= self.from {
            self.has_begun = true;
            self.leave(self.from);
            self.times.reset(self.from);
            self.full.reset(self.from);
            self.weighted.reset(self.from);
        }
        self.leave(now);
    }

    fn leave(&mut self, until: Time) {
        while let Some((at, size)) = self.leaving.front().copied().filter(|next| next.0 <= until) {
            self.leaving.pop_front();
            self.remove(at, size);
        }
    }

    fn join(&mut self, now: Time, size: u32) {
        self.length.packets += 1;
        self.length.bytes += u64::from(size);
        self.note(now);
    }

    fn remove(&mut self, now: Time, size: u32) {
        self.length.packets -= 1;
        self.length.bytes -= u64::from(size);
        self.note(now);
    }

    fn note(&mut self, now: Time) {
        let length = match self.in_unit {
            LengthUnit::Packets => self.length.packets,
            LengthUnit::Bytes => self.length.bytes,
        };
        self.times.set(now, length);
        self.weighted.set(now, length);
        let own = match self.in_bytes {
            true => self.length.bytes,
            false => self.length.packets,
        };
        self.full.set(now, own);
    }

    /// A packet comes to the queue.
    fn arrive(&mut self, now: Time) {
        if now >= self.from {
            self.arrivals += 1;
            self.found_idle += u64::from(self.free_from <= now);
        }
    }

    /// The line sends from `began` to `departure`.
    fn send(&mut self, began: Time, departure: Time) {
        self.rest += self.resting(began);
        self.free_from = departure;
    }

    /// For how long the line has rested by then since it was last free.
    fn resting(&self, until: Time) -> Span {
        until.saturating_since(self.free_from.max(self.from))
    }

    pub(super) fn found(mut self, end: Time) -> Found {
        self.come_to(end);
        let span = end - self.from;
        let idle = (self.rest + self.resting(end)).as_secs_f64() / span.as_secs_f64();
        let seen = |n: u64| (self.arrivals > 0).then(|| n as f64 / self.arrivals as f64);
        let tail = self.times.tail(end);
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
            self.weighted.mean(end),
            quantile(0.5),
            quantile(0.9),
            quantile(0.99),
            Some(self.weighted.max() as f64),
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
        Found {
            rows: all.map(row).collect(),
            numbers,
        }
    }
}

impl Probe for Length {
    #[inline]
    fn accepted(&mut self, now: Time, link: LinkId, packet: &Packet, passage: Passage) {
        if link != self.link {
            return;
        }
        self.come_to(now);
        let began = match self.is_staged {
            true => now,
            false => self.free_from.max(now),
        };
        if !self.is_staged {
            self.arrive(now);
        }
        let leaves = match self.counts {
            Counts::Waiting => began,
            Counts::System => passage.departure,
        };
        if !self.is_staged && leaves > now {
            self.join(now, packet.size);
        }
        match (self.is_staged, leaves > now) {
            (_, true) => self.leaving.push_back((leaves, packet.size)),
            (true, false) => self.remove(now, packet.size),
            (false, false) => (),
        }
        self.send(began, passage.departure);
    }

    #[inline]
    fn queued(&mut self, now: Time, link: LinkId, packet: &Packet) {
        if link == self.link {
            self.come_to(now);
            self.arrive(now);
            self.join(now, packet.size);
        }
    }

    #[inline]
    fn dropped(&mut self, now: Time, link: LinkId, packet: &Packet, cause: DropCause) {
        if link != self.link {
            return;
        }
        self.come_to(now);
        match cause {
            DropCause::Full { .. } | DropCause::Early { .. } => {
                self.arrive(now);
                let is_full = matches!(cause, DropCause::Full { .. }) && now >= self.from;
                self.found_full += u64::from(is_full);
            }
            DropCause::PushedOut { .. } | DropCause::Departure { .. } => {
                self.remove(now, packet.size);
            }
            DropCause::Gate | DropCause::Script | DropCause::Wire => (),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::measured;
    use super::*;
    use crate::run::Supervisor;
    use pacesim::model::PortQueue;
    use pacesim::scenario::load;
    use pacesim_study::measure::{Measure, MeasureKind};
    use std::time::Duration;

    struct Patient;

    impl Supervisor for Patient {
        fn elapsed(&self) -> Duration {
            Duration::from_secs(1)
        }
    }

    /// A short buffer that often is full, measured in packets and in bytes.
    fn found(buffer: &str, queue: Option<PortQueue>) -> Vec<Found> {
        let text = r#"
            run = { duration = "5s", warmup = "1s" }
            node = [{ name = "a" }, { name = "b" }]
            link = [{ name = "core", from = "a", to = "b", rate = "1Mbps", BUFFER }]
            flow = [{ name = "f", from = "a", to = "b", traffic = { kind = "poisson", rate = "1Mbps", size = { uniform = ["100B", "1900B"] } } }]
        "#;
        let text = text.replace("BUFFER", buffer);
        let checked = load("queue.toml", &text, &[], &()).expect("it is sound");
        let mut model = checked.expand(1, 0);
        model.links[0].queue = queue;
        let asked = |unit| Measure {
            name: "q".to_owned(),
            kind: MeasureKind::Queue(study::Queue {
                link: "core".to_owned(),
                unit,
                bin: 1,
                packet: Bytes(1500),
            }),
        };
        let measures = [LengthUnit::Packets, LengthUnit::Bytes].map(asked);
        let measured = measured(model, &measures, &mut Patient);
        measured.unwrap_or_else(|error| panic!("{error}")).1
    }

    #[test]
    fn a_queue_that_is_a_stage_of_its_own_is_measured_as_the_plain_one_is() {
        for buffer in [
            r#"buffer = "4pkts""#,
            r#"buffer = "4pkts", buffer_counts = "system""#,
            r#"buffer = "5KB""#,
        ] {
            let plain = found(buffer, None);
            assert_eq!(found(buffer, Some(PortQueue::DropTail)), plain, "{buffer}");
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
}
