//! The volume per interval, kept as a series: throughput, and the Hurst parameter.

use pacesim::measure::hurst::{
    Estimate, Octaves, aggregated_variance, local_whittle, rescaled_range, wavelet,
    whittle_frequencies,
};
use pacesim::measure::{Running, VolumeSeries};
use pacesim::model::Model;
use pacesim::units::{Bytes, Span, Time};
use pacesim_runs::replicate::CONFIDENCE;
use pacesim_study::measure as study;
use pacesim_study::measure::HurstMethod;

use crate::schema::{
    Cell, Column, MeasureSchema, Measurement, Measuring, Watching, columns, named,
};
use crate::tap::{Meter, Tap, measured_time};

/// The number of bytes in each complete interval.
pub(crate) struct Volumes {
    from: Time,
    pub(crate) interval: Span,
    series: VolumeSeries,
    bytes: Vec<u64>,
}

impl Volumes {
    /// A series with room for all intervals of the run.
    pub(crate) fn new(model: &Model, interval: Span) -> Option<Volumes> {
        let (from, end) = measured_time(model);
        let intervals = (end - from).as_ps().checked_div(interval.as_ps())?;
        Some(Volumes {
            from,
            interval,
            series: VolumeSeries::new(from, interval)?,
            bytes: Vec::with_capacity(usize::try_from(intervals).ok()?),
        })
    }

    /// Bytes of the series, and of the same numbers as floats.
    pub(crate) fn kept_bytes(&self) -> u64 {
        2 * 8 * self.bytes.capacity() as u64
    }

    #[inline]
    pub(crate) fn add(&mut self, at: Time, size: Bytes) {
        let bytes = &mut self.bytes;
        self.series
            .add(at, size, |_, volume| bytes.push(volume.get()));
    }

    pub(crate) fn until(mut self, end: Time) -> Vec<f64> {
        let bytes = &mut self.bytes;
        self.series
            .finish(end, |_, volume| bytes.push(volume.get()));
        self.bytes.iter().map(|bytes| *bytes as f64).collect()
    }
}

impl MeasureSchema for study::Throughput {
    fn names(&self) -> Vec<String> {
        named(["mean_bps", "cv", "min_bps", "max_bps", "intervals"])
    }

    fn columns(&self) -> &'static [Column] {
        columns! {
            "time_s": "When the interval began, from the start of the run.";
            "throughput_bps": "What passed in it, over its length.";
        }
    }
}

impl Measuring for study::Throughput {
    fn probe(&self, model: &Model) -> Option<Box<dyn Watching>> {
        let meter = Rates(Volumes::new(model, self.interval)?);
        Some(Box::new(Tap::new(model, &self.place, meter)?))
    }
}

/// The measure of throughput.
pub(crate) struct Rates(Volumes);

impl Meter for Rates {
    #[inline]
    fn add(&mut self, at: Time, size: Bytes) {
        self.0.add(at, size);
    }

    fn kept_bytes(&self) -> u64 {
        self.0.kept_bytes()
    }

    fn found(self, end: Time) -> Measurement {
        let (from, interval) = (self.0.from, self.0.interval);
        let bytes = self.0.until(end);
        let rate = |bytes: &f64| bytes * 8.0 / interval.as_secs_f64();
        let rates: Vec<f64> = bytes.iter().map(rate).collect();
        let running: Running = rates.iter().copied().collect();
        let mean = running.mean().filter(|mean| *mean > 0.0);
        let extreme = |of: fn(f64, f64) -> f64| rates.iter().copied().reduce(of);
        let row = |(i, rate): (u64, &f64)| {
            let began = from + interval * i;
            vec![Some(began.as_secs_f64()), Some(*rate)]
        };
        Measurement {
            numbers: vec![
                running.mean(),
                running
                    .std_dev()
                    .zip(mean)
                    .map(|(spread, mean)| spread / mean),
                extreme(f64::min),
                extreme(f64::max),
                Some(rates.len() as f64),
            ],
            rows: (0..).zip(&rates).map(row).collect(),
        }
    }
}

impl MeasureSchema for study::Hurst {
    fn names(&self) -> Vec<String> {
        named(["hurst", "low", "high"])
    }

    fn columns(&self) -> &'static [Column] {
        columns! {
            "interval_s": "The length of the intervals.";
            "intervals": "How many there are.";
            "hurst": "The Hurst parameter.";
            "low": "The lower end of its 95 % interval within the run, where the method has one.";
            "high": "The upper end.";
        }
    }
}

impl Measuring for study::Hurst {
    fn probe(&self, model: &Model) -> Option<Box<dyn Watching>> {
        let meter = SelfSimilarity {
            volumes: Volumes::new(model, self.interval)?,
            method: self.method,
        };
        Some(Box::new(Tap::new(model, &self.place, meter)?))
    }
}

/// The measure of the Hurst parameter.
pub(crate) struct SelfSimilarity {
    volumes: Volumes,
    method: HurstMethod,
}

impl Meter for SelfSimilarity {
    #[inline]
    fn add(&mut self, at: Time, size: Bytes) {
        self.volumes.add(at, size);
    }

    fn kept_bytes(&self) -> u64 {
        self.volumes.kept_bytes()
    }

    fn found(self, end: Time) -> Measurement {
        let interval = self.volumes.interval;
        let series = self.volumes.until(end);
        let numbers = estimate(&series, self.method);
        let of = [interval.as_secs_f64(), series.len() as f64].map(Some);
        Measurement {
            rows: vec![of.into_iter().chain(numbers).collect()],
            numbers: numbers.to_vec(),
        }
    }
}

/// The estimate, and the ends of its interval if the method has one.
fn estimate(series: &[f64], method: HurstMethod) -> [Cell; 3] {
    let with_interval = |found: Option<Estimate>| {
        let interval = found.and_then(|found| found.interval(CONFIDENCE));
        [
            found.map(|found| found.hurst),
            interval.map(|interval| interval.low),
            interval.map(|interval| interval.high),
        ]
    };
    match method {
        HurstMethod::Whittle => {
            with_interval(local_whittle(series, whittle_frequencies(series.len())))
        }
        HurstMethod::Wavelet => with_interval(wavelet(series, Octaves::default())),
        HurstMethod::Variance => [aggregated_variance(series), None, None],
        HurstMethod::RescaledRange => [rescaled_range(series), None, None],
    }
}
