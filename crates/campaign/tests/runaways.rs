//! Merges of sweeps in which runs were stopped.

use std::path::{Path, PathBuf};

use pacesim_campaign::merge::{Merge, Merged, merge};
use pacesim_sweep::outline::Outline;

use crate::overload::{Machine, SHORT, healthy, study, swept};

#[test]
fn a_finished_run_takes_the_place_of_a_stopped_one_in_a_merge() {
    let folder = tempfile::tempdir().expect("a folder");
    let study = study(r#""5Mbps", "100Mbps""#, "", "");
    let [whole, stopped, both, alone] =
        ["whole", "stopped", "both", "alone"].map(|name| folder.path().join(name));
    let expected = healthy(&study, &whole);
    let short = swept(&study, &stopped, SHORT, None);
    assert!(!short.abandoned.is_empty());
    for folders in [[&stopped, &whole], [&whole, &stopped]] {
        let merged = united(&folders.map(Clone::clone), &both);
        assert_eq!(merged.abandoned, []);
        assert_eq!(merged.fingerprint, expected.fingerprint);
        assert_eq!(merged.gave_up, expected.gave_up);
    }
    let merged = united(&[stopped], &alone);
    assert_eq!(
        merged.abandoned, short.abandoned,
        "nobody has finished them"
    );
}

fn united(folders: &[PathBuf], into: &Path) -> Outline {
    let order = Merge {
        folders,
        into,
        plan: None,
    };
    match merge(&order, &Machine::default()).expect("they belong together") {
        Merged::Whole(outline) => *outline,
        Merged::Incomplete(gaps) => panic!("{gaps:?}"),
    }
}
