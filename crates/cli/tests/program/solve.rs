//! `pacesim solve`: models by name, and for a port of a scenario.

use std::path::{Path, PathBuf};
use std::process::Command;

use pacesim_lab::tables::TableReader;
use serde_json::Value;

struct Ran {
    code: i32,
    stdout: String,
    stderr: String,
}

fn solve(folder: &Path, args: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pacesim"));
    let output = command.current_dir(folder).arg("solve").args(args).output();
    let output = output.expect("the program starts");
    Ran {
        code: output.status.code().expect("it ends by itself"),
        stdout: String::from_utf8(output.stdout).expect("text"),
        stderr: String::from_utf8(output.stderr).expect("text"),
    }
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

fn shipped(name: &str) -> String {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    root.join(name).display().to_string()
}

fn json(ran: &Ran) -> Value {
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).expect("JSON")
}

#[test]
fn the_list_names_models_and_params_say_what_they_take() {
    let folder = folder();
    let list = solve(folder.path(), &["--list"]);
    assert_eq!(list.code, 0);
    for name in ["bulk ", "anomaly ", "fec_network ", "qlbp "] {
        assert!(list.stdout.lines().any(|l| l.starts_with(name)), "{name}");
    }
    let params = solve(folder.path(), &["mg1", "--params"]).stdout;
    assert!(params.contains("load = 0.8"), "{params}");
    assert!(params.contains("above 0 and below 1"), "{params}");
}

#[test]
fn json_has_model_params_and_results() {
    let folder = folder();
    let args = ["mm1k", "--json", "--set", "load=0.8", "--set", "places=5"];
    let document = json(&solve(folder.path(), &args));
    assert_eq!(document["model"], "mm1k");
    assert_eq!(document["params"]["places"], "5");
    let results = &document["results"];
    let loss = results["scalars"]["loss"].as_f64().expect("a number");
    // (1 - r) r^K / (1 - r^(K+1)) at r = 0.8 and K = 5.
    let fifth = 0.8_f64 * 0.8 * 0.8 * 0.8 * 0.8;
    let theory = 0.2 * fifth / (1.0 - 0.8 * fifth);
    assert!((loss - theory).abs() < 1e-14, "{loss} {theory}");
    let places = &results["tables"]["loss"]["columns"]["places"];
    assert_eq!(places, &serde_json::json!([1.0, 2.0, 4.0, 5.0]));
}

#[test]
fn wrong_names_and_values_teach_and_write_nothing() {
    let folder = folder();
    let keep = ["--plot", "a.svg", "--parquet", "a.parquet"];
    for (args, reported) in [
        (&["anomly"][..], "did you mean \"anomaly\"?"),
        (&["mm1k", "--set", "placs=3"], "did you mean \"places\"?"),
        (&["mg1", "--set", "load=2"], "above 0 and below 1"),
        (&["mm1k", "--set", "load"], "write name=value"),
        (&["qlbp", "--table", "stp"], "it gives rate_law, steady"),
        (&["bulk", "--set", "places=4"], "bulks of 1 to 4"),
    ] {
        let ran = solve(folder.path(), &[args, &keep].concat());
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{args:?}");
        assert!(ran.stderr.contains(reported), "{args:?}: {}", ran.stderr);
    }
    let left = std::fs::read_dir(folder.path()).expect("listed").count();
    assert_eq!(left, 0);
}

#[test]
fn files_that_cannot_be_are_reported() {
    let folder = folder();
    let ran = solve(folder.path(), &["mm1k", "--plot", ".."]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    let ran = solve(folder.path(), &["mm1k", "--plot", "no/such/a.svg"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("no/such/a.svg"), "{}", ran.stderr);
}

#[cfg(feature = "pictures")]
#[test]
fn the_suffix_says_the_kind_of_picture() {
    let folder = folder();
    for (name, begins) in [
        ("a.svg", &b"<svg"[..]),
        ("a.png", b"\x89PNG"),
        ("a.PDF", b"%PDF-"),
    ] {
        let ran = solve(folder.path(), &["mm1k", "--plot", name]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let picture = std::fs::read(folder.path().join(name)).expect("a picture");
        assert!(picture.starts_with(begins), "{name}");
    }
    for name in ["a.jpeg", "a", "a.svg.gz"] {
        let ran = solve(folder.path(), &["mm1k", "--plot", name]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{name}");
        let named = format!("--plot {name}: ");
        assert!(ran.stderr.contains(&named), "{}", ran.stderr);
        assert!(
            ran.stderr.contains(".svg, .png, .pdf or .tex"),
            "{}",
            ran.stderr
        );
        assert!(!folder.path().join(name).exists());
    }
}

#[test]
fn files_that_exist_are_replaced_by_force_only() {
    let folder = folder();
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name));
    for (option, name) in [("--plot", "a.svg"), ("--parquet", "a.parquet")] {
        for mine in [name.to_owned(), format!("{name}.partial")] {
            std::fs::write(folder.path().join(mine), "mine").expect("written");
        }
        let ran = solve(folder.path(), &["mm1k", option, name]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
        let reported = format!("{name} exists already; --force replaces it");
        assert!(ran.stderr.contains(&reported), "{}", ran.stderr);
        assert_eq!(read(name).expect("there"), "mine");

        let ran = solve(folder.path(), &["mm1k", option, name, "--force"]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let length = folder.path().join(name).metadata().expect("there").len();
        assert!(length > 100, "{length}");
        assert_eq!(read(&format!("{name}.partial")).expect("there"), "mine");
    }
    assert_eq!(std::fs::read_dir(folder.path()).expect("listed").count(), 4);
}

#[test]
fn pictures_are_svg_with_title_units_and_legend() {
    let folder = folder();
    let ran = solve(
        folder.path(),
        &["qlbp", "--table", "steady", "--plot", "a.svg"],
    );
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let picture = std::fs::read_to_string(folder.path().join("a.svg")).expect("a picture");
    assert!(picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>"));
    for text in [
        "qlbp11 Fig. 5",
        "input (Mbps)",
        "delay (ms)",
        "packet delay",
    ] {
        assert!(picture.contains(text), "{text}");
    }
}

#[test]
fn parquet_holds_every_number() {
    let folder = folder();
    let ran = solve(folder.path(), &["fec", "--json", "--parquet", "a.parquet"]);
    let document = json(&ran);
    let table = TableReader::open(&folder.path().join("a.parquet")).expect("it opens");
    assert_eq!(table.column_names(), ["table", "row", "column", "value"]);
    let results = &document["results"];
    let scalars = results["scalars"].as_object().expect("a map").len();
    // k and three loads, for each k up to 100.
    assert_eq!(table.rows(), scalars as u64 + 4 * 100);
    let model = ("pacesim.model".to_owned(), "fec".to_owned());
    assert!(table.notes().contains(&model), "{:?}", table.notes());
}

#[test]
fn a_port_is_solved_by_the_model_that_fits() {
    let folder = folder();
    let at = |file: &str, port: &str, more: &[&str]| {
        let file = shipped(file);
        let args = ["--json", "--scenario", &file, "--port", port];
        json(&solve(folder.path(), &[&args, more].concat()))
    };
    let document = at("theory/mm1k.toml", "server", &[]);
    assert_eq!(document["model"], "mm1k");
    let scalars = &document["results"]["scalars"];
    let loss = scalars["loss"].as_f64().expect("a number");
    assert!((loss - 0.0888).abs() < 5e-5, "{loss}");
    // A mean packet takes 1 ms.
    let services = scalars["mean_delay_services"].as_f64().expect("a number");
    let seconds = scalars["mean_delay_s"].as_f64().expect("a number");
    assert!(
        (seconds - services * 1e-3).abs() < 1e-12,
        "{:?} and {:?}",
        seconds,
        services * 1e-3
    );
    let assumptions = document["origin"]["assumptions"].as_array();
    assert!(assumptions.is_some_and(|list| list.len() >= 2));
    assert_eq!(at("theory/md1k.toml", "server", &[])["model"], "md1k");
    assert_eq!(at("theory/mg1.toml", "server", &[])["model"], "mg1");
    let bytes = at(
        "theory/md1k.toml",
        "server",
        &["--set", "link[0].buffer=500KB"],
    );
    assert_eq!(bytes["model"], "bulk_bytes");
}

#[test]
fn a_paced_port_is_solved_as_its_pacer() {
    let folder = folder();
    let solved = |file: &str, set: &str| {
        let file = shipped(file);
        let args = [
            "--json",
            "--scenario",
            &file,
            "--port",
            "paced",
            "--set",
            set,
        ];
        solve(folder.path(), &args)
    };
    let table_2 = json(&solved("papers/qlbp11/table2.toml", "run.seed=1"));
    assert_eq!(table_2["model"], "qlbp");
    assert_eq!(table_2["params"]["q_max"], "10000B");
    let bound = &table_2["results"]["scalars"]["delay_bound_s"];
    assert!(
        (bound.as_f64().expect("a number") - 0.008).abs() < 1e-12,
        "{:?}",
        bound.as_f64().expect("a number")
    );
    let on_off = json(&solved("papers/qlbp11/autocov.toml", "run.seed=1"));
    let alpha = &on_off["results"]["scalars"]["alpha_per_s"];
    assert!(
        (alpha.as_f64().expect("a number") - 5.0).abs() < 1e-9,
        "{:?}",
        alpha.as_f64().expect("a number")
    );
    let ran = solved("papers/zerobuf/fig18.toml", "run.seed=1");
    assert_eq!(ran.code, 2);
    assert!(
        ran.stdout.contains("it has a pacer, hull"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_port_that_no_model_fits_says_why() {
    let folder = folder();
    let file = shipped("theory/mm1k.toml");
    let ran = solve(folder.path(), &["--scenario", &file, "--port", "servr"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(
        ran.stderr.contains("did you mean \"server\"?"),
        "{}",
        ran.stderr
    );
    let set = "link[0].buffer=500KB";
    let ran = solve(
        folder.path(),
        &["--scenario", &file, "--port", "server", "--set", set],
    );
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("needs constant sizes"),
        "{}",
        ran.stderr
    );
}
