//! Results in other programs' hands.

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

/// Where Python is there with pyarrow, DuckDB and Polars; elsewhere the script skips.
fn opens(options: &[&str]) {
    let folder = folder();
    let args = ["run", "one.toml", "--set", "run.warmup=0s", "--out", "kept"];
    let ran = pacesim(folder.path(), &[&args, options].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let mut python = Command::new("python3");
    let Ok(ran) = python.arg(SCRIPT).arg(folder.path().join("kept")).output() else {
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
