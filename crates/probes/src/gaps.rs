//! Measure of the gaps from one packet to the next.

use pacesim::measure::{Gaps, Histogram};
use pacesim::model::Model;
use pacesim::units::{Bytes, Time};
use pacesim_study::measure as study;

use crate::schema::{
    Cell, Column, MeasureSchema, Measurement, Measuring, Watching, columns, named, seconds,
};
use crate::tap::{Meter, Tap};

impl MeasureSchema for study::Gaps {
    fn names(&self) -> Vec<String> {
        named(["mean_s", "std_s", "cv", "min_s", "max_s", "gaps"])
    }

    fn columns(&self) -> &'static [Column] {
        columns! {
            "from_s": "Where the bin begins.";
            "to_s": "Where it ends; null of the last, which has all that is longer.";
            "gaps": "How many gaps lie in it.";
            "gaps_ratio": "Which share of all gaps.";
            "density_per_s": "The share over the width of the bin.";
        }
    }
}

impl Measuring for study::Gaps {
    fn probe(&self, model: &Model) -> Option<Box<dyn Watching>> {
        let (least, most) = (self.least.as_ps(), self.most.as_ps());
        let bins = Histogram::logarithmic(least, most, self.per_decade)?;
        let gaps = Gaps::new(bins);
        Some(Box::new(Tap::new(model, &self.place, Between(gaps))?))
    }
}

pub(crate) struct Between(Gaps);

impl Meter for Between {
    #[inline]
    fn add(&mut self, at: Time, _: Bytes) {
        self.0.add(at);
    }

    fn found(self, _: Time) -> Measurement {
        let moments = self.0.moments();
        Measurement {
            numbers: vec![
                moments.mean().map(|ps| ps / 1e12),
                moments.std_dev().map(|ps| ps / 1e12),
                moments.cv(),
                moments.min().map(seconds),
                moments.max().map(seconds),
                Some(moments.count() as f64),
            ],
            rows: rows(self.0.histogram()),
        }
    }
}

/// The bins, with one for underflow in front and one for overflow behind.
fn rows(histogram: &Histogram) -> Vec<Vec<Cell>> {
    let all = histogram.count();
    let row = |from: u64, to: Option<u64>, count: u64| {
        let share = (all > 0).then(|| count as f64 / all as f64);
        let width = to.map(|to| seconds(to - from));
        vec![
            Some(seconds(from)),
            to.map(seconds),
            Some(count as f64),
            share,
            share.zip(width).map(|(share, width)| share / width),
        ]
    };
    let bins: Vec<_> = histogram.bins().collect();
    let (first, last) = (bins.first(), bins.last());
    let below = first.map(|bin| row(0, Some(bin.from), histogram.underflow()));
    let beyond = last.map(|bin| row(bin.to, None, histogram.overflow()));
    let within = bins
        .iter()
        .map(|bin| row(bin.from, Some(bin.to), bin.count));
    below.into_iter().chain(within).chain(beyond).collect()
}
