//! Measure of burstiness over time scales.

use pacesim::measure::{Burstiness, Scale};
use pacesim::model::Model;
use pacesim::units::{Bytes, Time};
use pacesim_study::measure as study;

use crate::line::FittedLine;
use crate::schema::{Column, MeasureSchema, Measurement, Measuring, Watching, columns};
use crate::tap::{Meter, Tap, measured_time};
use crate::words;

impl MeasureSchema for study::Burstiness {
    fn names(&self) -> Vec<String> {
        let betas = self.lengths();
        let betas = betas.map(|length| format!("beta_{}", words::span(length)));
        let line = ["slope", "hurst"].map(str::to_owned);
        line.into_iter().chain(betas).collect()
    }

    fn columns(&self) -> &'static [Column] {
        columns! {
            "interval_s": "The length of the intervals.";
            "beta": "Standard deviation over mean of the volume per interval.";
            "log2_cv": "The binary logarithm of beta; null where that is zero.";
            "intervals": "The number of complete intervals.";
        }
    }
}

impl Measuring for study::Burstiness {
    fn probe(&self, model: &Model) -> Option<Box<dyn Watching>> {
        let (from, _) = measured_time(model);
        let meter = Spreads {
            asked: self.clone(),
            volumes: Burstiness::new(from, self.finest, self.scales)?,
        };
        Some(Box::new(Tap::new(model, &self.place, meter)?))
    }
}

pub(crate) struct Spreads {
    asked: study::Burstiness,
    volumes: Burstiness,
}

impl Spreads {
    /// Fits a least-squares line through the logarithms.
    fn line(&self, scales: &[Scale]) -> Option<FittedLine> {
        let points = scales.iter().filter_map(|scale| {
            let beta = scale.beta().filter(|beta| *beta > 0.0)?;
            let point = (libm::log(scale.interval.as_secs_f64()), libm::log(beta));
            self.asked.is_in_slope(scale.interval).then_some(point)
        });
        FittedLine::through(&points.collect::<Vec<_>>())
    }
}

impl Meter for Spreads {
    #[inline]
    fn add(&mut self, at: Time, size: Bytes) {
        self.volumes.add(at, size);
    }

    fn found(self, end: Time) -> Measurement {
        let scales = self.volumes.scales(end);
        let slope = self.line(&scales).map(|line| line.slope);
        let line = [slope, slope.map(|slope| 1.0 + slope)];
        let row = |scale: &Scale| {
            vec![
                Some(scale.interval.as_secs_f64()),
                scale.beta(),
                scale.log2_cv(),
                Some(scale.volumes.count() as f64),
            ]
        };
        let betas = scales.iter().map(Scale::beta);
        Measurement {
            numbers: line.into_iter().chain(betas).collect(),
            rows: scales.iter().map(row).collect(),
        }
    }
}
