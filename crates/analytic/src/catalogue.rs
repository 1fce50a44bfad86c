//! Every model as data: its name, its parameters, its results.
//!
//! A program that knows nothing of queues can list the models, parse their parameters from strings,
//! and print, store or draw the result of [`solve`].
//!
//! ```
//! use pacesim_analytic::catalogue;
//!
//! let solution = catalogue::solve("md1k", &[("load", "0.9"), ("places", "10")])?;
//! assert!((solution.value("loss").unwrap() - 0.01663175).abs() < 1e-8);
//!
//! let error = catalogue::solve("md1k", &[("laod", "0.9")]).unwrap_err();
//! assert!(error.to_string().contains("did you mean \"load\"?"));
//! # Ok::<(), pacesim_analytic::SolveError>(())
//! ```

mod anomaly;
mod aqm;
mod fabric;
mod fec;
mod pacing;
mod param;
mod queues;
mod rules;
mod solution;
mod tcp;

pub use fabric::fair_shares;
pub use param::{Param, ParamKind, Values};
pub use solution::{Column, Scalar, Scale, Solution, Table};

use crate::SolveError;

/// One model of the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    /// The name for look-ups.
    pub name: &'static str,
    /// Result of the model, in one line.
    pub summary: &'static str,
    /// The paper or textbook of its origin.
    pub source: &'static str,
    /// Parameters of the model.
    pub params: &'static [Param],
    run: fn(&Values) -> Result<Solution, SolveError>,
}

/// All models, the queues first.
pub const MODELS: &[Model] = &[
    queues::BULK,
    queues::BULK_DET,
    queues::BULK_BYTES,
    queues::MM1K,
    queues::MD1K,
    queues::MG1,
    anomaly::ANOMALY,
    fec::FEC,
    fec::FEC_NETWORK,
    pacing::QLBP,
    pacing::WAVES,
    pacing::EDGE,
    rules::BUFFER,
    rules::TCP,
    tcp::RESPONSE,
    tcp::TCP_PORT,
    tcp::DCTCP,
    tcp::BBR_SHARE,
    aqm::CODEL,
    aqm::PI2,
    aqm::RED,
    fabric::SHARED_BUFFER,
    fabric::ECMP,
    fabric::HEADROOM,
    fabric::HPCC,
    queues::SRPT,
];

impl Model {
    /// Parses strings over the defaults: unknown names, malformed strings and values out of range
    /// are errors. The last of two values with one name applies.
    pub fn values(&self, given: &[(&str, &str)]) -> Result<Values, SolveError> {
        Values::read(self.name, self.params, given)
    }

    /// Solves it for values parsed by the same model. Panics for another model's.
    pub fn solve(&self, values: &Values) -> Result<Solution, SolveError> {
        Ok(Solution {
            params: values.texts(),
            ..(self.run)(values)?
        })
    }
}

/// A model by name.
pub fn model(name: &str) -> Result<&'static Model, SolveError> {
    let found = MODELS.iter().find(|m| m.name == name);
    found.ok_or_else(|| SolveError::UnknownModel {
        name: name.to_owned(),
        nearest: nearest(name, MODELS.iter().map(|m| m.name)),
    })
}

/// Solves a model for parameters given as strings.
pub fn solve(name: &str, given: &[(&str, &str)]) -> Result<Solution, SolveError> {
    let model = model(name)?;
    model.solve(&model.values(given)?)
}

/// The most similar name, if any is similar enough.
fn nearest(name: &str, names: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let likeness = |n: &str| strsim::jaro_winkler(name, n);
    let best = names.max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    (likeness(best) > 0.6).then_some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_solves_with_its_defaults_to_finite_numbers() {
        for model in MODELS {
            let solution = solve(model.name, &[]).unwrap_or_else(|e| panic!("{}: {e}", model.name));
            assert!(!solution.scalars.is_empty(), "{}", model.name);
            for scalar in &solution.scalars {
                assert!(scalar.value.is_finite(), "{} {}", model.name, scalar.name);
            }
            for table in &solution.tables {
                assert!(
                    table.columns.len() >= 2 && table.rows() > 0,
                    "{}",
                    table.name
                );
                for column in &table.columns {
                    assert_eq!(column.values.len(), table.rows(), "{}", column.name);
                    assert!(
                        column.values.iter().all(|x| x.is_finite()),
                        "{}",
                        column.name
                    );
                }
            }
            assert_eq!(solution.params.len(), model.params.len());
        }
    }

    #[test]
    fn names_are_unique_and_defaults_are_in_range() {
        let mut names: Vec<&str> = MODELS.iter().map(|m| m.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|w| w[0] != w[1]));
        for model in MODELS {
            for (i, param) in model.params.iter().enumerate() {
                param.read(param.default).unwrap();
                assert!(!model.params[..i].iter().any(|p| p.name == param.name));
            }
        }
    }

    #[test]
    fn headlines_are_the_papers() {
        let anomaly = solve("anomaly", &[]).unwrap();
        assert_eq!(anomaly.value("anomaly_from_bytes"), Some(8_000.0));
        assert_eq!(anomaly.value("anomaly_to_bytes"), Some(30_000.0));
        let network = solve(
            "fec_network",
            &[("loads", "0.11"), ("method", "exhaustive")],
        )
        .unwrap();
        let blocks = ["heuristic_k1", "heuristic_k2", "heuristic_k3"];
        assert_eq!(
            blocks.map(|k| network.value(k)),
            [Some(19.0), Some(4.0), Some(2.0)]
        );
        let edge = solve("edge", &[("loads", "0.9,0.95")]).unwrap();
        assert_eq!(edge.value("rises_from_start_at_load_0.9"), Some(1.0));
        assert_eq!(edge.value("rises_from_start_at_load_0.95"), Some(0.0));
        let seconds = solve("bulk_bytes", &[("service", "deterministic")]).unwrap();
        assert_eq!(seconds.value("unit_of_work_bytes"), Some(200.0));
    }

    #[test]
    fn mistakes_teach() {
        let reported =
            |model: &str, given: &[(&str, &str)]| solve(model, given).unwrap_err().to_string();
        assert_eq!(
            reported("anomly", &[]),
            "there is no model \"anomly\"; did you mean \"anomaly\"?"
        );
        assert_eq!(
            reported("mm1k", &[("placs", "3")]),
            "model mm1k has no parameter \"placs\"; did you mean \"places\"?"
        );
        assert_eq!(
            reported("mg1", &[("load", "1.5")]),
            "load = 1.5 is not admissible: load must be above 0 and below 1"
        );
        assert!(
            reported("qlbp", &[("capacity", "10")])
                .contains("a rate with its unit, such as 10Mbps"),
            "{}",
            reported("qlbp", &[("capacity", "10")])
        );
        let bulk = reported("bulk", &[("places", "4"), ("classes", "0.1x5")]);
        assert!(
            bulk.contains("1 <= bulk size <= places") && bulk.contains("bulks of 1 to 4"),
            "{bulk:?}"
        );
        assert!(
            reported("bulk", &[("classes", "-0.1x5")]).contains("rate must be at least 0"),
            "{}",
            reported("bulk", &[("classes", "-0.1x5")])
        );
        assert!(
            reported("zzz", &[]).ends_with("\"zzz\""),
            "{}",
            reported("zzz", &[])
        );
    }
}
