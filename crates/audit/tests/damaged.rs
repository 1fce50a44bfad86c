//! Damage to stores, found by a comparison and repaired by the next sweep.

#[path = "../../sweep/tests/buffers.rs"]
mod buffers;
#[path = "../../sweep/tests/common.rs"]
mod common;
#[path = "../../sweep/tests/folders.rs"]
mod folders;

use pacesim_audit::compare::compare;
use pacesim_audit::verified::Again;
use pacesim_audit::verify::verify;
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

#[test]
fn tables_that_are_not_as_they_were_written_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("kept");
    sweep(&order(&study(&[1]), &out, 1), &Unwatched).expect("it comes to its end");
    let problems = || {
        let verified = verify(&out, Again::default(), &Unwatched).expect("a study");
        assert!(verified.files > TABLES.len() as u64, "{}", verified.files);
        verified.problems
    };
    assert_eq!(problems(), [""; 0]);
    let wide = out.join("wide.parquet");
    let mut bytes = std::fs::read(&wide).expect("a table");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&wide, bytes).expect("it is edited");
    assert_eq!(
        problems(),
        ["wide.parquet has changed since it was written"]
    );
    std::fs::remove_file(&wide).expect("it is there");
    assert_eq!(problems(), ["wide.parquet is missing"]);
}
