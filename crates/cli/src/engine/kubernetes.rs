//! Kubernetes: the manifest of a study, for `kubectl`.

use pacesim_lab::study::campaign::check_campaign;
use pacesim_lab::study::engine::error::EngineError;
use pacesim_lab::study::engine::kubernetes::{Manifest, StudyFiles};
use pacesim_lab::study::{Identity, Sweep};

use super::options;
use crate::args::SweepArgs;
use crate::monitor::TerminalMonitor;

const NO_IMAGE: &str = "say with --image IMAGE in which image the program is; docs/clusters.md says how \
    one is built";
const NO_NUMBER: &str = "into how many shards? Say it with --shards N";

/// The manifest with the jobs that make all shards of a study, and merge them.
pub(crate) fn manifest(
    args: &SweepArgs,
    sweep: &Sweep<'_>,
    watch: &TerminalMonitor,
) -> Result<String, EngineError> {
    let campaign = &args.campaign;
    if !campaign.print {
        return Err(EngineError::invalid(
            "pacesim talks to no cluster of Kubernetes itself: add --print, and give what it prints to \
             kubectl apply -f -",
        ));
    }
    if !campaign.engine_options.is_empty() {
        return Err(EngineError::invalid(
            "--on kubernetes takes no options after --: change the printed manifest",
        ));
    }
    let missing = |what: &str| EngineError::invalid(what);
    let image = campaign.image.clone();
    let image = image.ok_or_else(|| missing(NO_IMAGE))?;
    let shards = campaign.shards.map(u64::from);
    let shards = shards.ok_or_else(|| missing(NO_NUMBER))?;
    check_campaign(sweep, shards, watch)?;
    let manifest = Manifest {
        study: sweep.study.name.clone(),
        image,
        claim: campaign.claim.clone(),
        files: StudyFiles::of(sweep, &args.scenario.file)?,
        options: options(args),
        plan: Identity::of(sweep).digest().to_string(),
        shards,
        jobs: args.work.jobs.map_or(1, usize::from),
    };
    Ok(manifest.to_yaml())
}
