//! `pacesim reproduce` from outside.

use serde_json::Value;

use crate::common::{folder, names, pacesim};

#[test]
fn the_list_has_every_id_once() {
    let folder = folder();
    let list = pacesim(folder.path(), &["reproduce", "--list"]);
    assert_eq!((list.code, list.stderr.as_str()), (0, ""));
    for id in ["qlbp11/law ", "qlbp11/table2 ", "edge/fig9 "] {
        let count = list.stdout.lines().filter(|l| l.starts_with(id)).count();
        assert_eq!(count, 1, "{id}");
    }
    let of_quinn = |line: &&str| line.starts_with("beyond/quic ") && line.contains("pacesim-quinn");
    assert_eq!(list.stdout.lines().filter(of_quinn).count(), 1);
    let document = pacesim(folder.path(), &["reproduce", "--list", "--json"]);
    let document: Value = serde_json::from_str(&document.stdout).expect("JSON");
    assert_eq!(document["elsewhere"][0]["program"], "pacesim-quinn");
    let all = document["experiments"].as_array().expect("a list");
    assert!(all.iter().all(|e| e["id"].is_string()), "{document}");
    assert_eq!(names(folder.path()), ["one.toml"]);
}

#[test]
fn an_experiment_prints_its_claims_and_keeps_its_results() {
    let folder = folder();
    let ran = pacesim(folder.path(), &["reproduce", "qlbp11/law"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("verdict") && ran.stdout.contains("paper"));
    assert!(ran.stdout.contains("mu(Q_max), Mbps"), "{}", ran.stdout);
    assert!(
        ran.stderr.contains("results/reproduce/qlbp11-law"),
        "{}",
        ran.stderr
    );
    let kept = names(&folder.path().join("results/reproduce/qlbp11-law"));
    assert!(kept.contains(&"figure.svg".to_owned()), "{kept:?}");
}

#[test]
fn other_results_are_replaced_by_force_only() {
    let folder = folder();
    let law = |more: &[&str]| {
        let args = ["reproduce", "qlbp11/law", "--out", "here"];
        pacesim(folder.path(), &[&args, more].concat())
    };
    assert_eq!(law(&[]).code, 0);
    assert_eq!(law(&[]).code, 0, "its own");
    let run = ["run", "one.toml", "--out", "here/qlbp11-law", "--force"];
    assert_eq!(pacesim(folder.path(), &run).code, 0);
    let again = law(&[]);
    assert_eq!((again.code, again.stdout.as_str()), (2, ""));
    assert!(
        again.stderr.contains("--force replaces them"),
        "{}",
        again.stderr
    );
    assert_eq!(law(&["--force"]).code, 0);
    assert_eq!(names(folder.path()), ["here", "one.toml"]);
}

#[test]
fn a_study_is_shown_run_and_found_again() {
    let folder = folder();
    let shown = pacesim(
        folder.path(),
        &["reproduce", "edge/fig3", "--show", "files"],
    );
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    assert!(
        shown.stdout.contains("edge/fig3.study.toml"),
        "{}",
        shown.stdout
    );
    let check = pacesim(folder.path(), &["check", "files/edge/fig3.study.toml"]);
    assert_eq!(check.code, 0, "{}", check.stderr);
    let none = pacesim(
        folder.path(),
        &["reproduce", "qlbp11/law", "--show", "files"],
    );
    assert_eq!(none.code, 2);
    assert!(none.stderr.contains("not a study"), "{}", none.stderr);

    let run = |more: &[&str]| {
        let args = ["reproduce", "edge/fig3", "--out", "all"];
        pacesim(folder.path(), &[&args, &SHORT[..], more].concat())
    };
    let dry = run(&["--dry-run"]);
    assert!(dry.stdout.contains("edge/fig3"), "{}", dry.stderr);
    assert!(
        !folder.path().join("all").exists(),
        "a dry run writes nothing"
    );
    let ran = run(&[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(run(&["--quiet"]).stdout, ran.stdout);
    let list = pacesim(folder.path(), &["reproduce", "--list", "--out", "all"]);
    assert!(
        list.stdout.contains("last run, at scale 0.0001: "),
        "{}",
        list.stdout
    );
}

#[test]
fn an_experiment_is_added_by_its_file_alone() {
    let folder = folder();
    let study = "title = \"Mine\"\nscenario = \"../one.toml\"\n\
        expect = [{ claim = \"busy\", y = \"link.core.utilisation\", at_least = 0.1 }]\n";
    std::fs::create_dir(folder.path().join("mine")).expect("made");
    std::fs::write(folder.path().join("mine/queue.study.toml"), study).expect("written");
    let args = ["reproduce", "queue", "--catalogue", "mine"];
    let ran = pacesim(folder.path(), &args);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stdout.contains("queue: Mine") && ran.stdout.contains("busy"),
        "{}",
        ran.stdout
    );
    let wrong = study.replace("at_least", "at_leest");
    std::fs::write(folder.path().join("mine/queue.study.toml"), wrong).expect("written");
    let ran = pacesim(folder.path(), &args);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("at_least"), "{}", ran.stderr);
}

#[test]
fn the_page_is_written_from_what_is_kept() {
    let folder = folder();
    assert_eq!(pacesim(folder.path(), &["reproduce", "qlbp11/law"]).code, 0);
    let page = || pacesim(folder.path(), &["reproduce", "--report", "page.md"]);
    let written = page();
    assert_eq!(written.code, 0, "{}", written.stderr);
    assert!(
        written.stderr.contains("1 experiment in page.md"),
        "{}",
        written.stderr
    );
    assert_eq!(page().code, 0, "nothing has changed");
    assert_eq!(
        names(&folder.path().join("page")),
        ["qlbp11-law-figure.svg"]
    );
}

#[test]
fn a_page_keeps_its_checks_without_their_store() {
    let folder = folder();
    let page = |ids: &[&str], out: &str| {
        let report = ["reproduce", "--report", "page.md", "--force", "--out", out];
        let written = pacesim(folder.path(), &[&report[..], ids].concat());
        assert_eq!(written.code, 0, "{}", written.stderr);
        std::fs::read_to_string(folder.path().join("page.md")).expect("a page")
    };
    page(&["qlbp11/law"], "first");
    let page = page(&["qlbp11/response"], "second");
    for id in ["qlbp11/law", "qlbp11/response"] {
        assert!(page.contains(&format!("### {id}")), "{id} is lost: {page}");
    }
    assert_eq!(
        names(&folder.path().join("second")),
        ["qlbp11-law", "qlbp11-response"]
    );
}

#[test]
fn a_folder_that_is_taken_is_told_before_anything_is_run() {
    let folder = folder();
    let args = ["reproduce", "qlbp11/law", "edge/fig9", "--out", "all"];
    std::fs::create_dir_all(folder.path().join("all/qlbp11-law/mine")).expect("made");
    let ran = pacesim(folder.path(), &[&args[..], &["--force"]].concat());
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{}", ran.stderr);
    assert_eq!(names(&folder.path().join("all")), ["qlbp11-law"]);
}

/// The shortest possible simulations.
const SHORT: [&str; 2] = ["--scale", "0.0001"];

#[test]
fn several_have_folders_of_their_own() {
    let folder = folder();
    let args = [
        "reproduce",
        "qlbp11/law",
        "impact",
        "--out",
        "all",
        "--quiet",
    ];
    let ran = pacesim(folder.path(), &[&args[..], &SHORT].concat());
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let kept = names(&folder.path().join("all"));
    assert!(kept.contains(&"impact-fig2".to_owned()), "{kept:?}");
    assert!(kept.contains(&"qlbp11-law".to_owned()), "{kept:?}");
    assert!(ran.stdout.contains("impact/fig7"), "{}", ran.stdout);
}

#[test]
fn json_is_one_document() {
    let folder = folder();
    let json = |args: &[&str]| -> Value {
        let ran = pacesim(
            folder.path(),
            &[&["reproduce", "--json", "--quiet"], args].concat(),
        );
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        serde_json::from_str(&ran.stdout).expect("JSON")
    };
    let one = json(&["qlbp11/law"]);
    assert_eq!(one["id"], "qlbp11/law");
    assert_eq!(one["scale"], 1.0);
    assert_eq!(one["claims"][0]["verdict"], "PASS");
    let all = json(&[&["edge", "--out", "edge"], &SHORT[..]].concat());
    let all = all["experiments"].as_array().expect("a list");
    let verdict_of = |id: &str| {
        let one = all.iter().find(|one| one["id"] == id).expect(id);
        one["claims"][0]["verdict"].clone()
    };
    assert_eq!(verdict_of("edge/fig9"), "PASS");
    assert_eq!(verdict_of("edge/fig3"), "NOT RUN");
}

#[test]
fn an_unknown_id_names_the_nearest_and_ends_with_2() {
    let folder = folder();
    let ran = pacesim(
        folder.path(),
        &["reproduce", "qlbp11/law", "zerobuf/fig255"],
    );
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(
        ran.stderr.contains("did you mean \"zerobuf/fig25\"?"),
        "{}",
        ran.stderr
    );
    for id in ["beyond/quic", "beyond/quic/one-flow"] {
        let ran = pacesim(folder.path(), &["reproduce", id]);
        let told = format!("\"{id}\" takes the program pacesim-quinn: cd ends/quinn && cargo run");
        assert_eq!(ran.code, 2);
        assert!(ran.stderr.contains(&told), "{}", ran.stderr);
    }
    let near = pacesim(folder.path(), &["reproduce", "beyond/quicker"]);
    assert!(near.stderr.contains("did you mean"), "{}", near.stderr);
    let ran = pacesim(folder.path(), &["reproduce"]);
    assert_eq!(ran.code, 2);
    for scale in ["0", "-1", "nan", "inf", "1e9", "fast"] {
        let ran = pacesim(folder.path(), &["reproduce", "all", "--scale", scale]);
        assert_eq!(ran.code, 2, "{scale}");
    }
    assert_eq!(names(folder.path()), ["one.toml"]);
}

#[test]
fn differences_end_with_1_only_if_asked() {
    let folder = folder();
    let ran = pacesim(folder.path(), &["reproduce", "qlbp09/millisecond"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("DIFFERS"), "{}", ran.stdout);
    let strict = pacesim(
        folder.path(),
        &["reproduce", "qlbp09/millisecond", "--strict"],
    );
    assert_eq!(strict.code, 1, "{}", strict.stderr);
    let strict = pacesim(folder.path(), &["reproduce", "qlbp11/law", "--strict"]);
    assert_eq!(strict.code, 0, "{}", strict.stderr);
}

#[test]
fn an_experiment_may_be_run_of_a_recording() {
    let folder = folder();
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("written");
    };
    write(
        "own.cvec",
        "SEQ 1000 1 1 1\nw 29200 29200\nr 50000\nl 0 0\n> 245\nt 10\n< 5100\n",
    );
    write("broken.cvec", "SEQ 1000 1 1 1\n> 5 kB\n");
    write("frames.txt", "15600\n3000\n");
    let of = |id: &str, file: &str| {
        let args = ["reproduce", id, "--input", file, "--dry-run"];
        pacesim(folder.path(), &args)
    };
    for (id, file, runs) in [
        ("qlbp11/fig16", "own.cvec", "24"),
        ("zerobuf/fig6", "frames.txt", "120"),
    ] {
        let ran = of(id, file);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert!(ran.stdout.contains(runs), "{}", ran.stdout);
    }
    let broken = of("qlbp11/fig16", "broken.cvec");
    assert_eq!(broken.code, 2);
    assert!(
        broken
            .stderr
            .contains("line 2: \"> 5 kB\" is not understood"),
        "{}",
        broken.stderr
    );
    for (id, file, message) in [
        (
            "qlbp11/law",
            "own.cvec",
            "takes no --input; qlbp11/fig16 and zerobuf/fig6 do",
        ),
        ("qlbp11", "own.cvec", "--input is of one experiment"),
        ("qlbp11/fig16", "nowhere.cvec", "nowhere.cvec: "),
    ] {
        let refused = of(id, file);
        assert_eq!(
            (refused.code, refused.stdout.as_str()),
            (2, ""),
            "{id} {file}"
        );
        assert!(refused.stderr.contains(message), "{}", refused.stderr);
    }
}
