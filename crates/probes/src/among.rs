//! Counts of the values of which numbers are quantiles.

use pacesim_runs::marks::quantile_in;
use pacesim_runs::metrics::values_of;
use pacesim_study::{NumberName, Study};

use crate::kinds::asked;
use crate::schema::OF;

/// The quantile that a number is within a run, and the number that counts the values of which it is
/// one; `None` for numbers that are no quantile of counted values.
pub fn among(study: &Study, name: &NumberName) -> Option<(f64, NumberName)> {
    let quantile = quantile_in(&name.metric)?;
    let counted = match name.of.as_str() {
        OF => {
            let mut measures = study.measures.iter();
            let measure = measures.find(|measure| measure.name == name.entity)?;
            asked(&measure.kind).among(&name.metric)?
        }
        of => values_of(of, &name.metric)?.to_owned(),
    };
    let metric = counted;
    Some((
        quantile,
        NumberName {
            metric,
            ..name.clone()
        },
    ))
}
