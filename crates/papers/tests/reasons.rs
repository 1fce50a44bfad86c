//! Reasons of differences and lengths of runs, as given in studies.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use pacesim_lab::input::study_from_file;
use pacesim_papers::{Catalogue, Experiment, ExperimentKind};
use pacesim_study::{Because as Reason, Study};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The shipped studies, each with its experiment and its text.
fn studies() -> Vec<(Experiment, Study, String)> {
    let catalogue = Catalogue::shipped();
    let read = |experiment: &Experiment| {
        let ExperimentKind::Shipped(file) = &experiment.kind else {
            return None;
        };
        let path = root().join("scenarios/papers").join(file);
        let text = fs::read_to_string(&path).expect("it ships");
        let input = study_from_file(&path, &[]);
        let input = input.unwrap_or_else(|rejected| panic!("{:?}", rejected.problems));
        Some((experiment.clone(), input.study, text))
    };
    catalogue.experiments().iter().filter_map(read).collect()
}

/// A reason copied to several claims was written for only one of them.
#[test]
fn no_two_claims_share_a_reason() {
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    for (experiment, study, _) in studies() {
        for claim in &study.expectations {
            if let Some(Reason::Variant { shows, .. }) = &claim.because {
                let here = format!("{}: {}", experiment.id, claim.claim);
                let other = known.insert(shows.clone(), here.clone());
                assert_eq!(other, None, "{here}: {shows}");
            }
        }
    }
}

/// A reader learns the length of a paper's runs, and the reason if pacesim's are shorter.
#[test]
fn every_study_that_runs_says_how_long() {
    let silent: Vec<String> = studies()
        .into_iter()
        .filter(|(_, study, text)| !study.is_of_models_alone && !text.contains("\n# Length: "))
        .map(|(experiment, ..)| experiment.id)
        .collect();
    assert_eq!(silent, [""; 0]);
}
