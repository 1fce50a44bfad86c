//! Autocovariance of the length of a link's queue, sampled in equal steps of time.

use pacesim::measure::Autocovariance;
use pacesim::model::Model;
use pacesim::units::Time;
use pacesim_study::measure as study;
use pacesim_study::measure::LengthUnit;

use crate::lags;
use crate::queue_length::{Followed, Keeper, Volume};
use crate::schema::{Column, MeasureSchema, Measurement, Measuring, Watching, columns};

impl MeasureSchema for study::QueueAutocovariance {
    fn names(&self) -> Vec<String> {
        let unit = match self.unit {
            LengthUnit::Packets => "pkts2",
            LengthUnit::Bytes => "bytes2",
        };
        lags::names(&self.lags, unit)
    }

    fn columns(&self) -> &'static [Column] {
        columns! {
            "lag": "How many steps apart.";
            "lag_s": "How long apart.";
            "autocovariance": "Of the lengths, in the square of their unit: the sum over pairs, divided by their number.";
            "autocorrelation": "Over that at lag 0; null without variance.";
        }
    }
}

impl Measuring for study::QueueAutocovariance {
    fn probe(&self, model: &Model) -> Option<Box<dyn Watching>> {
        let most = self.lags.last().copied().unwrap_or(0) as usize;
        let looks = Looks {
            asked: self.clone(),
            length: 0,
            next: None,
            lengths: Autocovariance::new(most),
        };
        Some(Box::new(Followed::new(model, &self.link, looks)?))
    }
}

/// Samples of the length.
pub(crate) struct Looks {
    asked: study::QueueAutocovariance,
    length: u64,
    /// Time of the next sample; never before the end of the warm-up.
    next: Option<Time>,
    lengths: Autocovariance,
}

impl Looks {
    /// Samples the length, which has not changed before now.
    fn look_until(&mut self, now: Time) {
        while let Some(next) = self.next.filter(|next| *next < now) {
            self.lengths.add(self.length as f64);
            self.next = next.checked_add(self.asked.interval);
        }
    }
}

impl Keeper for Looks {
    fn begin(&mut self, from: Time) {
        self.next = Some(from);
    }

    fn set(&mut self, now: Time, length: Volume) {
        self.look_until(now);
        self.length = match self.asked.unit {
            LengthUnit::Packets => length.packets,
            LengthUnit::Bytes => length.bytes,
        };
    }

    fn found(mut self, _: Time, end: Time) -> Measurement {
        self.look_until(end);
        lags::found(&self.lengths, &self.asked.lags, self.asked.interval)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measured;
    use pacesim::scenario::load;
    use pacesim::units::Span;
    use pacesim_runs::run_monitor::Unwatched;
    use pacesim_study::measure::{Measure, MeasureKind};

    /// M/M/1/1: idle or busy, a two-state chain whose autocovariance decays at the sum of its
    /// rates.
    #[test]
    fn a_single_place_forgets_as_a_chain_of_two_states_does() {
        let text = r#"
            run = { duration = "2001s", warmup = "1s" }
            node = [{ name = "a" }, { name = "b" }]
            link = [{ name = "core", from = "a", to = "b", rate = "1Mbps", buffer = "1pkts", buffer_counts = "system" }]
            flow = [{ name = "f", from = "a", to = "b", traffic = { kind = "poisson", rate = "1Mbps", size = { exponential = "1250B" } } }]
        "#;
        let checked = load("queue.toml", text, &[], &()).expect("it is sound");
        let asked = Measure {
            asked_at: None,
            name: "q".to_owned(),
            kind: MeasureKind::QueueAutocovariance(study::QueueAutocovariance {
                link: "core".to_owned(),
                unit: LengthUnit::Packets,
                interval: Span::from_ms(1),
                lags: vec![0, 2, 5, 10],
            }),
        };
        let measured = measured::measured(checked.expand(1, 0), &[asked], &mut Unwatched);
        let found = &measured.unwrap_or_else(|error| panic!("{error}")).1[0];
        // Both rates are 100 per second: half of the time idle, and a decay of e^(-200 t).
        for row in &found.rows {
            let [_, lag_s, covariance, correlation] = row[..] else {
                panic!("four columns");
            };
            let memory = libm::exp(-200.0 * lag_s.expect("a time"));
            let apart = (correlation.expect("it varies") - memory).abs();
            assert!(apart < 0.01, "{row:?} {memory}");
            let apart = (covariance.expect("it varies") - 0.25 * memory).abs();
            assert!(apart < 0.003, "{row:?}");
        }
    }
}
