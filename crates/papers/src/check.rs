//! Experiments other than studies: run, and stored in a results folder.

use pacesim_lab::findings::{Findings, FindingsFolder, Origin};
use pacesim_lab::{BatchMonitor, FolderError};

use crate::checks::Check;
use crate::context::Context;
use crate::origin::origin;
use crate::report::Report;
use crate::{Experiment, Fault, Options};

/// The picture of a check.
const FIGURE: &str = "figure.svg";

pub(crate) fn may_be_kept(
    experiment: &Experiment,
    options: &Options<'_>,
) -> Result<(), FolderError> {
    FindingsFolder::may_be(
        &options.folder(experiment),
        may_replace(experiment, options),
    )
}

/// Runs a check and stores its results.
pub(crate) fn run(
    experiment: &Experiment,
    check: Check,
    options: &Options<'_>,
    monitor: &dyn BatchMonitor,
) -> Result<Findings, Fault> {
    let out = options.folder(experiment);
    let folder = FindingsFolder::create(&out, may_replace(experiment, options))?;
    let began = monitor.elapsed();
    let context = Context::new(options.scale, options.seed, monitor);
    context.check_in()?;
    let report = (check.run)(&context)?;
    let findings = Findings {
        origin: Origin {
            wall_s: Some((monitor.elapsed() - began).as_secs_f64()),
            seeds: Some(format!("seed {}", context.seed())),
            ..origin(monitor)
        },
        ..findings(experiment, options, report)
    };
    folder.keep(&findings, options.command, monitor.host())?;
    Ok(findings)
}

pub(crate) fn findings(experiment: &Experiment, options: &Options<'_>, report: Report) -> Findings {
    Findings {
        id: experiment.id.clone(),
        summary: experiment.summary.clone(),
        scale: options.scale,
        seed: options.seed,
        version: pacesim_lab::VERSION.to_owned(),
        fingerprint: None,
        origin: Origin::default(),
        claims: report.claims,
        inferred: Vec::new(),
        notes: report.notes,
        figures: report.figure.iter().map(|_| FIGURE.to_owned()).collect(),
        figure: report.figure,
    }
}

/// True if the content of the folder may be replaced, as for earlier results of the same check.
fn may_replace(experiment: &Experiment, options: &Options<'_>) -> bool {
    options.force || crate::kept(experiment, options.out).is_some()
}
