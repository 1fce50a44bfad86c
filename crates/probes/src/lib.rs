//! Implementation of `[[measure]]`: probes in a run, and the numbers and the table of each; and the
//! numbers of analytic models at the points of a study.
//!
//! A kind has a file here: the names of its numbers and the columns of its table, its probe, and
//! the results at the end of the run.

pub mod among;
mod autocovariance;
mod burstiness;
mod completions;
mod delays;
mod distribution;
mod fairness;
mod gaps;
mod hops;
pub mod kinds;
mod lags;
pub mod line;
mod loads;
mod losses;
pub mod measured;
mod measurement;
pub mod mistakes;
pub mod modelled;
mod own;
mod probes;
mod queue;
mod queue_autocovariance;
mod queue_length;
pub mod schema;
mod series;
mod spectrum;
pub mod table;
mod tap;
pub mod theory;
mod times;
mod values;
mod victims;
mod volumes;
mod words;

use pacesim_study::measure::MeasureKind;

use crate::schema::Measuring;

/// A kind of measure with its probe. Every kind has its line here.
fn measuring(kind: &MeasureKind) -> &dyn Measuring {
    match kind {
        MeasureKind::Burstiness(asked) => asked,
        MeasureKind::Autocovariance(asked) => asked,
        MeasureKind::Hurst(asked) => asked,
        MeasureKind::Spectrum(asked) => asked,
        MeasureKind::Gaps(asked) => asked,
        MeasureKind::Queue(asked) => asked,
        MeasureKind::QueueAutocovariance(asked) => asked,
        MeasureKind::Delays(asked) => asked,
        MeasureKind::Throughput(asked) => asked,
        MeasureKind::Completions(asked) => asked,
        MeasureKind::Fairness(asked) => asked,
        MeasureKind::Losses(asked) => asked,
        MeasureKind::Loads(asked) => asked,
        MeasureKind::Hops(asked) => asked,
        MeasureKind::Victims(asked) => asked,
        MeasureKind::Distribution(asked) => asked,
        MeasureKind::Series(asked) => asked,
        MeasureKind::Own(asked) => asked,
    }
}
