//! Many mistakes in one file, all reported together by every command that reads it.

use crate::common::{folder, pacesim};

/// Parts of the messages, in the order of the file.
type Planted = &'static [&'static str];

const SWEEP: Planted = &[
    "a warm-up of 20s",
    "\"Mbsp\" is not a unit",
    "1.5 is out of range",
    "unknown node \"c\"",
    "flow[1].traffic.windw: unknown key",
    "\"200%\" is not a precision",
    "a link has no number \"queue\"",
    "unknown key \"bufer\"",
    "\"fast\" is not a number",
    "\"-3KB\" is not a size",
    "sweep.except[0].bufer: there is no axis",
    "there is no link \"cor\"",
    "plot[0].x: there is no axis \"bufer\"",
    "there is no group of flows \"poison\"",
    "there is another plot \"goodput\"",
    "\"burst\" has no number \"slop\"",
    "has no value \"7pkts\"",
    "a link has no number \"utilization\"",
    "nothing is claimed",
];

const TUNE: Planted = &[
    "\"two planted\" is not a name",
    "run.sed: unknown key",
    "10ms is above the high end 1ms",
    "unknown value \"token_bukket\"",
    "unknown node \"rigth\"",
    "unknown value \"sac\"",
    "a window of 0 packets",
    "1.2 is not a Hurst parameter",
    "there is no link \"coree\"",
    "there is another measure \"h\"",
    "there is no model \"mm1q\"",
    "and these are 4 runs",
    "a search repeats its points",
    "the value \"4\" is there twice",
    "there is another axis \"pairs\"",
    "tune.search[0]: there is no axis \"bufer\"",
    "at_least is greater than at_most",
    "unknown value \"z\"",
    "are claims of their own",
    "has no number \"goodput\"",
];

fn all_together(text: &str, planted: Planted, commands: [&[&str]; 3]) {
    let folder = folder();
    std::fs::write(folder.path().join("planted.toml"), text).expect("written");
    for command in commands {
        let ran = pacesim(folder.path(), &[command, &["planted.toml"]].concat());
        assert_eq!(ran.code, 2, "{command:?}");
        for told in planted {
            assert!(
                ran.stderr.contains(told),
                "{command:?}: {told}: {}",
                ran.stderr
            );
        }
        assert!(
            ran.stderr
                .contains(&format!("\n{} problems\n", planted.len())),
            "no other: {}",
            ran.stderr
        );
        assert!(
            !folder.path().join("results").exists(),
            "nothing is written"
        );
    }
}

#[test]
fn mistakes_of_scenario_axes_measures_figures_and_claims_come_together() {
    let commands: [&[&str]; 3] = [&["check"], &["sweep"], &["sweep", "--dry-run"]];
    all_together(include_str!("planted/sweep.toml"), SWEEP, commands);
}

#[test]
fn mistakes_of_a_search_its_topology_and_its_models_come_together() {
    let commands: [&[&str]; 3] = [&["check"], &["tune"], &["run"]];
    all_together(include_str!("planted/tune.toml"), TUNE, commands);
}
