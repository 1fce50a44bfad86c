//! Means at the points of a study, read from its store: tables beside it may have changed.

use std::collections::BTreeSet;

use pacesim_claims::spread::{Spread, Students};
use pacesim_store::database::Reader;
use pacesim_store::plan::SweepPlan;
use pacesim_study::{NumberName, Study};

use crate::error::SweepError;
use crate::gathered::Gathered;

/// The means of some numbers of a study at each point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Means {
    /// Names of the numbers that some run has.
    pub names: Vec<NumberName>,
    /// Points in the order of the plan.
    pub points: Vec<PointMeans>,
}

/// The means at a point.
#[derive(Clone, Debug, PartialEq)]
pub struct PointMeans {
    /// Number of the point.
    pub number: u64,
    /// Value of the point on each axis.
    pub values: Vec<String>,
    /// Mean and half width of the interval of each number, if the point has it.
    pub spreads: Vec<Option<(Option<f64>, Option<f64>)>>,
}

/// The number of a point, its values, and its spreads.
type Found = (u64, Vec<String>, Vec<(NumberName, Spread)>);

impl Means {
    pub(crate) fn read(
        study: &Study,
        plan: &SweepPlan,
        reader: &mut Reader<'_>,
        wanted: &BTreeSet<NumberName>,
    ) -> Result<Means, SweepError> {
        let (mut gathered, mut numbers) = (Gathered::of(study, &[]), Vec::new());
        let mut students = Students::default();
        let mut found: Vec<Found> = Vec::new();
        for planned in &plan.points {
            gathered.clear();
            for repetition in planned.repetitions() {
                if let Some(run) = reader.run(planned.scenario, repetition)? {
                    reader.numbers(&run, &mut numbers)?;
                    gathered.add(&run, reader.names(&run), &numbers);
                }
            }
            let spreads = gathered.spreads(planned.number, &mut students).into_iter();
            let spreads = spreads.filter(|(name, _)| wanted.contains(name));
            let spreads = spreads.map(|(name, spread)| (name.clone(), spread));
            let point = planned.at(study);
            let values = point.values.iter().map(|value| value.shown().into_owned());
            found.push((planned.number, values.collect(), spreads.collect()));
        }
        let names = found.iter().flat_map(|(_, _, spreads)| spreads);
        let names: BTreeSet<NumberName> = names.map(|(name, _)| name.clone()).collect();
        let names: Vec<NumberName> = names.into_iter().collect();
        let point = |(number, values, spreads): (u64, Vec<String>, Vec<(NumberName, Spread)>)| {
            let of = |name: &NumberName| {
                let spread = spreads.iter().find(|(known, _)| known == name);
                spread.map(|(_, spread)| (spread.mean, spread.half_width()))
            };
            PointMeans {
                number,
                values,
                spreads: names.iter().map(of).collect(),
            }
        };
        let points = found.into_iter().map(point).collect();
        Ok(Means { names, points })
    }
}
