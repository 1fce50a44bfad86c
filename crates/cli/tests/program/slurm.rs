//! A small study on a real Slurm, if available: `scripts/slurm.sh` starts one and stops it.

use std::process::Command;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/slurm.sh");

#[test]
fn a_killed_task_and_a_drained_node_lose_nothing_on_slurm() {
    let mut script = Command::new("bash");
    let script = script.args([SCRIPT, "6", "120", "1"]);
    let script = script.env("PACESIM", env!("CARGO_BIN_EXE_pacesim"));
    let Ok(ran) = script.env("PACESIM_DURATION", "20s").output() else {
        println!("skipped: there is no bash");
        return;
    };
    let said = String::from_utf8_lossy(&ran.stdout);
    print!("{said}");
    let failed = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{said}\n{failed}");
    let last = said.lines().last().unwrap_or_default();
    assert!(last == "passed" || said.contains("skipped: "), "{said}");
}
