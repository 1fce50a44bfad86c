//! Axes that change nothing: a study tells them at its end.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use pacesim_claims::spread::Spread;
use pacesim_runs::manifest::Digest;
use pacesim_study::{Axis, NumberName, Study};

/// The runs of a point, as far as axes may change them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointRuns {
    /// Fingerprints of the runs, one after the other.
    fingerprints: String,
    /// The numbers shown.
    shown: Vec<Spread>,
    /// Digest of all numbers but those of links that no packet crossed.
    numbers: Digest,
}

impl PointRuns {
    /// The runs with these fingerprints, the numbers shown of them, and all their numbers.
    pub(crate) fn of(
        fingerprints: &str,
        shown: Vec<Spread>,
        all: &[(&NumberName, Spread)],
    ) -> PointRuns {
        let links = all.iter().filter(|(name, spread)| {
            (&*name.of, &*name.metric) == ("link", "arrived_pkts") && spread.mean == Some(0.0)
        });
        let idle: BTreeSet<&str> = links.map(|(name, _)| &*name.entity).collect();
        let mut numbers = Digest::default();
        let crossed = all
            .iter()
            .filter(|(name, _)| name.of != "link" || !idle.contains(&*name.entity));
        for (name, spread) in crossed {
            let values = (spread.n, spread.mean, spread.std_dev);
            numbers.add(format!("{name}={values:?};").as_bytes());
        }
        PointRuns {
            fingerprints: fingerprints.to_owned(),
            shown,
            numbers,
        }
    }

    /// True if the runs are the same: packet by packet and in the numbers shown, or in all numbers,
    /// since other nodes and links beside the same packets have another fingerprint.
    fn are_like(&self, other: &PointRuns) -> bool {
        let are_same = self.fingerprints == other.fingerprints && self.shown == other.shown;
        are_same || self.numbers == other.numbers
    }
}

/// The names of the axes along which the runs of all points are alike.
pub(crate) fn idle_axes(study: &Study, points: &[(u64, &PointRuns)]) -> Vec<String> {
    let axes = study.axes.iter().enumerate();
    let axes = axes.filter(|(_, axis)| axis.changes_scenarios());
    let idle = axes.filter(|(place, _)| is_idle(study, *place, points));
    idle.map(|(_, axis): (usize, &Axis)| axis.name.clone())
        .collect()
}

/// True if there are points that differ on this axis alone, and all such points are alike. Points
/// whose runs are missing are like no others.
fn is_idle(study: &Study, axis: usize, points: &[(u64, &PointRuns)]) -> bool {
    let mut firsts: BTreeMap<Vec<usize>, &PointRuns> = BTreeMap::new();
    let mut is_compared = false;
    for (point, runs) in points {
        let mut others = study.choice(*point).expect("a point of the study");
        others.remove(axis);
        match firsts.entry(others) {
            _ if runs.fingerprints.is_empty() => return false,
            Entry::Vacant(place) => {
                place.insert(runs);
            }
            Entry::Occupied(first) if !first.get().are_like(runs) => return false,
            Entry::Occupied(_) => is_compared = true,
        }
    }
    is_compared
}
