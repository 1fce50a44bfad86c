//! Measure of the autocovariance of the volume per interval.

use pacesim::measure::{Autocovariance, VolumeSeries};
use pacesim::model::Model;
use pacesim::units::{Bytes, Time};
use pacesim_study::measure as study;

use crate::lags;
use crate::schema::{Column, MeasureSchema, Measurement, Measuring, Watching, columns};
use crate::tap::{Meter, Tap, measured_time};

impl MeasureSchema for study::Autocovariance {
    fn names(&self) -> Vec<String> {
        lags::names(&self.lags, "bytes2")
    }

    fn columns(&self) -> &'static [Column] {
        columns! {
            "lag": "How many intervals apart.";
            "lag_s": "How long apart.";
            "autocovariance_bytes2": "Of the bytes per interval: the sum over pairs, divided by their number.";
            "autocorrelation": "Over that at lag 0; null without variance.";
        }
    }
}

impl Measuring for study::Autocovariance {
    fn probe(&self, model: &Model) -> Option<Box<dyn Watching>> {
        let (from, _) = measured_time(model);
        let most = self.lags.last().copied().unwrap_or(0) as usize;
        let meter = Products {
            asked: self.clone(),
            series: VolumeSeries::new(from, self.interval)?,
            products: Autocovariance::new(most),
        };
        Some(Box::new(Tap::new(model, &self.place, meter)?))
    }
}

pub(crate) struct Products {
    asked: study::Autocovariance,
    series: VolumeSeries,
    products: Autocovariance,
}

impl Meter for Products {
    #[inline]
    fn add(&mut self, at: Time, size: Bytes) {
        let products = &mut self.products;
        self.series
            .add(at, size, |_, volume| products.add(volume.get() as f64));
    }

    fn found(mut self, end: Time) -> Measurement {
        let products = &mut self.products;
        self.series
            .finish(end, |_, volume| products.add(volume.get() as f64));
        lags::found(&self.products, &self.asked.lags, self.asked.interval)
    }
}
