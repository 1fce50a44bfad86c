//! Results in other programs' hands.

use std::process::Command;

use crate::common::{folder, pacesim};

const SCRIPT: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../lab/scripts/open_results.py"
);

/// Where Python is there with pyarrow, DuckDB and Polars; elsewhere the script skips.
#[test]
fn results_open_in_pyarrow_duckdb_and_polars() {
    let folder = folder();
    let args = ["run", "one.toml", "--set", "run.warmup=0s", "--out", "kept"];
    assert_eq!(pacesim(folder.path(), &args).code, 0);
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
