//! Results opened by other programs.

use std::path::Path;
use std::process::Command;

use crate::common::{folder, pacesim};

const SCRIPT: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../lab/scripts/open_results.py"
);

#[test]
fn results_open_in_pyarrow_duckdb_and_polars() {
    opens(&[]);
}

#[test]
fn results_of_replications_open_as_well() {
    opens(&["--replications", "3"]);
}

#[test]
fn the_tables_of_a_study_have_the_numbers_of_its_store() {
    let folder = crate::sweep::study();
    keeps_what_opens(folder.path(), &["sweep", "study.toml", "--out", "kept"]);
}

fn opens(options: &[&str]) {
    let args = ["run", "one.toml", "--set", "run.warmup=0s", "--out", "kept"];
    keeps_what_opens(folder().path(), &[&args, options].concat());
}

/// Needs Python with pyarrow, DuckDB, Polars and pandas; otherwise the script skips.
fn keeps_what_opens(folder: &Path, args: &[&str]) {
    let ran = pacesim(folder, args);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let mut python = Command::new("python3");
    let Ok(ran) = python.arg(SCRIPT).arg(folder.join("kept")).output() else {
        println!("skipped: no python3");
        return;
    };
    let said = String::from_utf8_lossy(&ran.stdout);
    print!("{said}");
    assert!(
        ran.status.success(),
        "{}",
        String::from_utf8_lossy(&ran.stderr)
    );
    assert!(
        said.contains("equal in pyarrow") || said.starts_with("skipped"),
        "{said}"
    );
}
