//! Drawing of a study's figures from the stored runs.

use pacesim_plot::Figure;
use pacesim_runs::workers::BatchMonitor;
use pacesim_store::database::Store;
use pacesim_store::sweep::Sweep;

use crate::error::SweepError;
use crate::known::as_known;
use crate::samples::Samples;
use crate::{figures, tune};

/// The figures of a study by name, from the runs in its store.
pub fn draw(
    sweep: &Sweep<'_>,
    monitor: &dyn BatchMonitor,
) -> Result<Vec<(String, Figure)>, SweepError> {
    let Some(store) = Store::open(sweep.out, &sweep.study.name)? else {
        return Err(SweepError::NoRuns(sweep.out.to_path_buf()));
    };
    let samples = match &sweep.study.tune {
        Some(tune) => tune::found_before(sweep, tune, &store, monitor)?,
        None => {
            let (plan, _) = as_known(sweep, Some(&store), monitor)?;
            Samples::read(sweep.study, &plan, &mut store.reader()?)?
        }
    };
    if samples.are_missing() {
        return Err(SweepError::NoRuns(sweep.out.to_path_buf()));
    }
    Ok(figures::all(sweep.study, &samples))
}
