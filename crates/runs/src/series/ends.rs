//! Time series of the numbers that users' own transports and applications declare.

use std::ops::Range;
use std::sync::Arc;

use pacesim::World;
use pacesim::measure::record::SeriesRow;
use pacesim::net::Probe;
use pacesim::units::FlowId;
use pacesim_parts::own_metrics;
use pacesim_tables::TableError;

use crate::series::rows::Rows;
use crate::series::sheet::Moment;

/// The numbers of the sending ends of entities, each one flow or several.
pub(super) struct EndSheet {
    of: &'static str,
    members: Vec<(Arc<str>, Range<u32>)>,
    /// Previous values in the order of rows; NaN if missing.
    before: Vec<f64>,
}

impl EndSheet {
    /// A sheet of these entities; those whose transports declare no numbers take no place.
    pub(super) fn new(of: &'static str, members: Vec<(Arc<str>, Range<u32>)>) -> EndSheet {
        EndSheet {
            of,
            before: vec![f64::NAN; members.len() * own_metrics().len()],
            members,
        }
    }

    /// Writes the values that have changed.
    pub(super) fn write<P: Probe>(
        &mut self,
        world: &World<P>,
        moment: Moment,
        rows: &mut Rows,
    ) -> Result<(), TableError> {
        let metrics = own_metrics();
        let mut places = self.before.iter_mut();
        for (name, flows) in &self.members {
            for &metric in metrics {
                let before = places.next().expect("a place for each number");
                let value = mean(world, flows.clone(), metric);
                let is_news = moment.with_unchanged || value != *before;
                *before = value;
                if is_news && !value.is_nan() {
                    rows.push(SeriesRow {
                        t_ps: moment.end_ps,
                        of: self.of,
                        entity: name.clone(),
                        metric,
                        value,
                    })?;
                }
            }
        }
        Ok(())
    }
}

/// The mean of a number over those of these flows that have it; NaN if none has.
fn mean<P: Probe>(world: &World<P>, flows: Range<u32>, metric: &str) -> f64 {
    let (of_application, name) = match metric.strip_prefix("app_") {
        Some(name) => (true, name),
        None => (false, metric.strip_prefix("end_").unwrap_or(metric)),
    };
    let (mut sum, mut count) = (0.0, 0);
    for flow in flows.map(FlowId) {
        let numbers = match of_application {
            true => world.application_numbers(flow),
            false => world.end_numbers(flow),
        };
        let value = numbers.iter().find(|(of, _)| *of == name);
        if let Some(value) = value.and_then(|(_, value)| *value) {
            (sum, count) = (sum + value, count + 1);
        }
    }
    // Without any, zero by zero.
    sum / f64::from(count)
}
