//! Runs, sweeps and figures with own parts; runs are repeated when a part changes.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::{PROGRAMS, new_part, program_of, run};

/// The number of runs that a sweep made, and that its store had.
fn swept(program: &str, of: &Path, more: &[&str]) -> (u64, u64) {
    let args = [&["sweep", "study.toml", "--json"], more].concat();
    let ran = run(program, of, &args);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let told: serde_json::Value = serde_json::from_str(&ran.stdout).expect("one document");
    let count = |key: &str| {
        told[key]
            .as_u64()
            .unwrap_or_else(|| panic!("no {key} in {told}"))
    };
    (count("made"), count("runs") - count("made"))
}

#[test]
fn each_part_runs_sweeps_and_draws_and_a_second_sweep_makes_nothing() {
    for (kind, program) in PROGRAMS {
        let folder = new_part(kind);
        let of = folder.path().join(format!("own_{kind}"));
        let short = ["--set", "run.duration=3s", "--set", "run.warmup=1s"];
        let ran = run(
            program,
            &of,
            &[&["run", "scenario.toml"][..], &short].concat(),
        );
        assert_eq!(ran.code, 0, "{kind}: {}", ran.stderr);
        assert_eq!(swept(program, &of, &short), (12, 0), "{kind}");
        assert_eq!(swept(program, &of, &short), (0, 12), "{kind}");
        let figures = of.join(format!("results/own_{kind}/figures"));
        let drawn = std::fs::read_dir(figures).expect("figures").count();
        assert!(drawn > 0, "{kind} has no figure");
    }
}

/// A copy of a program, the same code in another file: the version of a part that declares none.
fn changed(program: &str, folder: &Path) -> String {
    let changed = folder.join("changed");
    let mut bytes = std::fs::read(program).expect("the program");
    bytes.push(0);
    std::fs::write(&changed, bytes).expect("written");
    let permissions = std::fs::metadata(program).expect("a file").permissions();
    std::fs::set_permissions(&changed, permissions).expect("permissions");
    changed.display().to_string()
}

#[test]
fn a_changed_program_repeats_the_runs_of_its_parts_and_no_others() {
    for (kind, program) in PROGRAMS {
        let folder = new_part(kind);
        let of = folder.path().join(format!("own_{kind}"));
        let short = ["--set", "run.duration=3s", "--set", "run.warmup=1s"];
        assert_eq!(swept(program, &of, &short), (12, 0), "{kind}");
        let changed = changed(program, folder.path());
        // Half of the points have the part; a measure, and a source or a middlebox whose key
        // varies, is in all runs.
        let repeated = match kind {
            "pacer" | "control" | "discipline" => (6, 6),
            _ => (12, 0),
        };
        assert_eq!(swept(&changed, &of, &short), repeated, "{kind}");
        assert_eq!(swept(&changed, &of, &short), (0, 12), "{kind}");
    }
}

#[test]
fn a_scenario_is_written_with_all_keys_of_its_part_and_gives_the_same_results_again() {
    // A measure is named by its study.
    for (kind, program) in PROGRAMS.into_iter().filter(|(kind, _)| *kind != "measure") {
        let folder = new_part(kind);
        let of = folder.path().join(format!("own_{kind}"));
        let args = [
            "run",
            "scenario.toml",
            "--set",
            "run.duration=6s",
            "--out",
            "first",
        ];
        let ran = run(program, &of, &args);
        assert_eq!(ran.code, 0, "{kind}: {}", ran.stderr);
        let again = run(
            program,
            &of,
            &["run", "first/scenario.toml", "--out", "again"],
        );
        assert_eq!(again.code, 0, "{kind}: {}", again.stderr);
        let text = |run: &str| std::fs::read_to_string(of.join(run).join("scenario.toml"));
        let first = text("first").expect("a copy");
        let key = match kind {
            "control" => "kind = \"own_control\", decrease = 0.5",
            "pacer" => "kind = \"own_pacer\", gap = \"1ms\"",
            "discipline" => "kind = \"own_discipline\", patience = \"10ms\"",
            "middlebox" => "kind = \"own_middlebox\", lost = 0.3",
            "loss" => "kind = \"own_loss\", every = \"1s\", lasts = \"50ms\"",
            "end" => "kind = \"own_end\", first = \"1Mbps\"",
            "application" => "kind = \"own_application\", request = \"500B\"",
            _ => "kind = \"own_source\", packets = 5, size = \"1KB\", gap = \"8ms\"",
        };
        assert!(first.contains(key), "{kind}: {first}");
        assert_eq!(first, text("again").expect("a copy"), "{kind}");
        let compared = run(program, &of, &["compare", "first", "again"]);
        assert_eq!(compared.code, 0, "{kind}: {}", compared.stdout);
    }
}

#[test]
fn a_killed_sweep_goes_on_where_it_was_and_ends_with_the_same_numbers() {
    for kind in ["pacer", "middlebox", "measure"] {
        let name = format!("own_{kind}");
        let [killed, whole] = [new_part(kind), new_part(kind)].map(|folder| {
            let of = folder.path().join(&name);
            (folder, of)
        });
        let short = ["--set", "run.duration=4s"];
        let mut sweep = Command::new(program_of(kind));
        sweep.current_dir(&killed.1).arg("sweep").arg("study.toml");
        sweep
            .args(short)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut sweep = sweep.spawn().expect("the program starts");
        std::thread::sleep(Duration::from_millis(400));
        // It may have ended already, with nothing left to make.
        _ = sweep.kill();
        sweep.wait().expect("it ends");
        let (made, kept) = swept(program_of(kind), &killed.1, &short);
        assert_eq!(made + kept, 12, "{kind}");
        assert_eq!(swept(program_of(kind), &whole.1, &short), (12, 0), "{kind}");
        let results = |of: &Path| of.join("results").join(&name).display().to_string();
        let (of, other) = (results(&killed.1), results(&whole.1));
        let compared = run(program_of(kind), &killed.1, &["compare", &of, &other]);
        assert_eq!(
            compared.code, 0,
            "{kind}: {}{}",
            compared.stdout, compared.stderr
        );
        let verified = run(program_of(kind), &killed.1, &["verify", &of]);
        assert_eq!(
            verified.code, 0,
            "{kind}: {}{}",
            verified.stdout, verified.stderr
        );
    }
}
