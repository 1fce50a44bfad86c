//! Measure of the spectrum of the volume per interval.

use pacesim::measure::{Band, Spectrum};
use pacesim::model::Model;
use pacesim::units::{Bytes, Time};
use pacesim_study::measure as study;

use crate::schema::{Column, MeasureSchema, Measurement, Measuring, Watching, columns, named};
use crate::tap::{Meter, Tap};
use crate::volumes::Volumes;

impl MeasureSchema for study::Spectrum {
    fn names(&self) -> Vec<String> {
        named(["slope", "hurst", "peak_hz", "peak_ratio"])
    }

    fn columns(&self) -> &'static [Column] {
        columns! {
            "frequency_hz": "The geometric mean of a band's frequencies.";
            "density_bytes2_per_hz": "The mean of the periodogram in the band, of the bytes per interval: the densities times the widths of their bands add up to the variance.";
            "frequencies": "How many frequencies the band has.";
        }
    }
}

impl Measuring for study::Spectrum {
    fn probe(&self, model: &Model) -> Option<Box<dyn Watching>> {
        let meter = Frequencies {
            asked: self.clone(),
            volumes: Volumes::new(model, self.interval)?,
        };
        Some(Box::new(Tap::new(model, &self.place, meter)?))
    }
}

/// The measure of the spectrum.
pub(crate) struct Frequencies {
    asked: study::Spectrum,
    volumes: Volumes,
}

impl Meter for Frequencies {
    #[inline]
    fn add(&mut self, at: Time, size: Bytes) {
        self.volumes.add(at, size);
    }

    fn kept_bytes(&self) -> u64 {
        self.volumes.kept_bytes()
    }

    fn found(self, end: Time) -> Measurement {
        let asked = self.asked;
        let volumes = self.volumes.until(end);
        let Some(spectrum) = Spectrum::of(&volumes, asked.interval, asked.per_decade) else {
            return Measurement::default();
        };
        let slope = spectrum.slope(|hz| asked.is_in_slope(hz));
        let row = |band: &Band| {
            [band.hz, band.density, band.frequencies as f64]
                .map(Some)
                .to_vec()
        };
        Measurement {
            numbers: vec![
                slope,
                slope.map(|slope| (1.0 - slope) / 2.0),
                Some(spectrum.peak_hz),
                Some(spectrum.peak_ratio),
            ],
            rows: spectrum.bands.iter().map(row).collect(),
        }
    }
}
