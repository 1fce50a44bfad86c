//! Measures that the program itself adds.

use pacesim::model::Model;
use pacesim::net::{DropCause, Packet, Passage, Probe};
use pacesim::units::{LinkId, Time};
use pacesim_parts::{Measure, Own, OwnMeasure};

use crate::schema::{Column, MeasureSchema, Measurement, Measuring, Watching, columns};
use crate::tap::measured_time;

impl MeasureSchema for Own<OwnMeasure> {
    fn names(&self) -> Vec<String> {
        let names = self.make.numbers().iter();
        names.map(|name| (*name).to_owned()).collect()
    }

    fn columns(&self) -> &'static [Column] {
        columns! {
            "place": "The place of a number among those of the measure, from 0.";
            "value": "The number.";
        }
    }
}

impl Measuring for Own<OwnMeasure> {
    fn probe(&self, model: &Model) -> Option<Box<dyn Watching>> {
        let (from, _) = measured_time(model);
        let measure = self.make.build(model);
        Some(Box::new(Watched { measure, from }))
    }
}

/// A measure at work in a run.
struct Watched {
    measure: Box<dyn Measure>,
    /// Time at which the warm-up ends.
    from: Time,
}

impl Probe for Watched {
    fn accepted(&mut self, now: Time, link: LinkId, packet: &Packet, passage: Passage) {
        if now >= self.from {
            self.measure.accepted(now, link, packet, passage.departure);
        }
    }

    fn dropped(&mut self, now: Time, link: LinkId, packet: &Packet, _: DropCause) {
        if now >= self.from {
            self.measure.dropped(now, link, packet);
        }
    }

    fn delivered(&mut self, now: Time, packet: &Packet) {
        if now >= self.from {
            self.measure.delivered(now, packet);
        }
    }
}

impl Watching for Watched {
    fn found(self: Box<Self>, end: Time) -> Measurement {
        let numbers = self.measure.numbers(end);
        let row = |(place, value): (usize, &Option<f64>)| vec![Some(place as f64), *value];
        let rows = numbers.iter().enumerate().map(row).collect();
        Measurement { numbers, rows }
    }
}
