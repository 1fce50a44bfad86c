//! Damage to stores, found by a comparison and repaired by the next sweep.

#[path = "../../sweep/tests/buffers.rs"]
mod buffers;
#[path = "../../sweep/tests/common.rs"]
mod common;
#[path = "../../sweep/tests/folders.rs"]
mod folders;

use pacesim_audit::compare::compare;
use pacesim_runs::run_monitor::Unwatched;
use pacesim_sweep::make::sweep;

use crate::buffers::{Listener, TABLES, study};
use crate::common::order;
use crate::folders::{edit, files};

#[test]
fn a_damaged_run_is_named_and_made_again_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("kept");
    // With one worker, so that runs are stored in the order of the plan.
    sweep(&order(&study(&[1]), &out, 1), &Unwatched).expect("it comes to its end");
    let before = files(TABLES, &out);
    edit(&out, "DELETE FROM numbers WHERE run = 1 AND place = 3");
    let refused = compare(&out, &out).expect_err("it is damaged");
    assert!(refused.to_string().contains("is damaged"), "{refused}");
    let listener = Listener::default();
    let outline = sweep(&order(&study(&[1]), &out, 1), &listener).expect("it is mended");
    assert_eq!(outline.made, 1, "the rest stays");
    let told = listener.0.into_inner().expect("one thread");
    assert!(
        told[0].contains("runs that have changed since they were stored: point 0, replication 0;"),
        "{told:?}"
    );
    assert!(
        files(TABLES, &out) == before,
        "the tables are those of before"
    );
}
