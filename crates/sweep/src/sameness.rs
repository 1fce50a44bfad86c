//! Replications that are the same to the packet, since nothing is drawn at random.

use pacesim::model::Model;
use pacesim::model::change::Change;
use pacesim_store::database::StoredRun;
use pacesim_study::Study;

/// The likeness of the replications of a point.
#[derive(Debug, Default)]
pub(crate) struct Sameness {
    runs: u64,
    fingerprint: String,
    differs: bool,
}

impl Sameness {
    /// Adds a replication. Windows of one run share its fingerprint, and are not the same.
    pub(crate) fn add(&mut self, run: &StoredRun) {
        if self.runs == 0 {
            self.fingerprint.clone_from(&run.fingerprint);
        }
        self.differs |= self.fingerprint != run.fingerprint || run.window > 0;
        self.runs += 1;
    }

    /// True for two replications or more that are the same to the packet, unless by chance: few
    /// packets may all escape a random loss.
    pub(crate) fn are_identical(&self, study: &Study, point: u64) -> bool {
        let is_same = self.runs > 1 && !self.differs;
        is_same
            && study.scenario(point).is_ok_and(|scenario| {
                let seed = scenario.scenario().run.seed;
                !may_lose_at_random(&scenario.expand(seed, 0))
            })
    }
}

/// True if packets may be lost at random.
fn may_lose_at_random(model: &Model) -> bool {
    let mut links = model.links.iter().map(|link| &link.extras);
    let changes = model.changes.iter().map(|timed| &timed.change);
    let mut losses = changes.filter(|change| matches!(change, Change::Loss(Some(_))));
    let is_lossy = links.any(|extras| extras.may_lose() || !extras.middleboxes.is_empty());
    is_lossy || losses.next().is_some() || !model.middleboxes.is_empty()
}
