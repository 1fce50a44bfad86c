//! quinn's ends keep the laws; the program repeats runs to the bit, and gives the numbers of the page
//! on QUIC.

use std::path::Path;
use std::process::{Command, Stdio};

use pacesim_app::laws;
use pacesim_quinn::{Control, Keys, new};

struct Ran {
    code: i32,
    stdout: String,
    stderr: String,
}

/// Runs the program on an example.
fn pacesim(args: &[&str]) -> Ran {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut command = Command::new(env!("CARGO_BIN_EXE_pacesim-quinn"));
    command
        .current_dir(examples)
        .args(args)
        .stdin(Stdio::null());
    let output = command.output().expect("the program starts");
    Ran {
        code: output.status.code().expect("it ends by itself"),
        stdout: String::from_utf8(output.stdout).expect("text"),
        stderr: String::from_utf8(output.stderr).expect("text"),
    }
}

/// A number or a text of a run's summary, the first of this name.
fn of_summary(json: &str, name: &str) -> String {
    let (_, rest) = json
        .split_once(&format!("\"{name}\": "))
        .expect("it is there");
    let end = rest.find([',', '\n']).expect("lines");
    rest[..end].trim_matches('"').to_owned()
}

#[test]
fn ends_keep_the_laws() {
    let controls = [
        Control::Cubic,
        Control::NewReno,
        Control::PacesimCubic,
        Control::PacesimReno,
    ];
    let sent = controls.map(|control| {
        laws::end(|keys: &Keys, opening| {
            let keys = Keys {
                control,
                ..keys.clone()
            };
            new(&keys, opening)
        })
    });
    let test = concat!(module_path!(), "::ends_keep_the_laws");
    laws::elsewhere::same(test, &sent.concat());
}

/// Runs a scenario and returns its summary.
fn summary(options: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("results");
    let out = out.to_str().expect("text");
    let args = [&["run", "--json", "--quiet", "--out", out], options].concat();
    let ran = pacesim(&args);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran.stdout
}

#[test]
fn every_byte_is_the_same_in_another_process() {
    for control in ["cubic", "newreno"] {
        for set in [
            "flow.own.traffic.mtu_discovery=true",
            "flow.own.traffic.transfers.size=200KB",
        ] {
            let control = format!("flow.own.traffic.control={control}");
            let options = [
                "beside-linux.toml",
                "--set",
                "run.duration=15s",
                "--set",
                &control,
                "--set",
                set,
            ];
            let once = of_summary(&summary(&options), "fingerprint");
            let again = of_summary(&summary(&options), "fingerprint");
            assert_eq!(once, again, "{control} {set}");
            let other = [&options[..], &["--seed", "2"]].concat();
            assert_ne!(once, of_summary(&summary(&other), "fingerprint"));
        }
    }
}

#[test]
fn goodputs_are_those_of_the_page() {
    for (buffer, mbps) in [(5, 8.80), (10, 9.37), (17, 9.60), (33, 9.60), (66, 9.58)] {
        let buffer = format!("topology.bottleneck.buffer={buffer}pkts");
        let summary = summary(&["one-flow.toml", "--set", &buffer]);
        let goodput: f64 = of_summary(&summary, "goodput_bps")
            .parse()
            .expect("a number");
        let difference = (goodput / 1e6 / mbps - 1.0).abs();
        assert!(difference < 0.01, "{buffer}: {goodput}");
    }
}

/// The library does not obey it: the loss falls from some 43 to some 3 % if something else does.
#[test]
fn bbr_loses_little_if_its_rate_is_obeyed() {
    let loss = |pacing: &str| {
        let pacing = format!("flow.own.traffic.pacing={pacing}");
        let options = [
            "one-flow.toml",
            "--set",
            "run.duration=30s",
            "--set",
            "topology.bottleneck.buffer=5pkts",
            "--set",
            "flow.own.traffic.control=bbr",
            "--set",
            "flow.own.traffic.irreproducible=true",
            "--set",
            &pacing,
        ];
        let loss = of_summary(&summary(&options), "loss_ratio");
        loss.parse::<f64>().expect("a number")
    };
    let (ignored, obeyed) = (loss("window"), loss("rate"));
    assert!(ignored > 0.3 && obeyed < 0.1, "{ignored} and {obeyed}");
}

#[test]
fn refusals_name_the_key() {
    for (set, told) in [
        ("flow.own.traffic.control=bbr", "which no seed reaches"),
        (
            "flow.own.traffic.pacing=rate",
            "this control computes no rate",
        ),
        (
            "flow.own.traffic.packet_size=900B",
            "QUIC takes packets of 1228",
        ),
        ("flow.own.traffic.window=20pkts", "window"),
    ] {
        let ran = pacesim(&["run", "one-flow.toml", "--set", set]);
        assert_eq!(ran.code, 2, "{set}: {}", ran.stderr);
        assert!(ran.stderr.contains(told), "{set}: {}", ran.stderr);
    }
}
