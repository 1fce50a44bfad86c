//! Applications of a program's own in scenario files: over TCP and over a transport of one's own.

use crate::{Ran, new_part, program_of, run};

/// Runs a command on a scenario with an application that has these keys.
fn of_application(command: &[&str], keys: &str, more: &str) -> Ran {
    let folder = new_part("application");
    let of = folder.path().join("own_application");
    let text = format!(
        r#"
run = {{ duration = "6s" }}
topology = {{ shape = "dumbbell", pairs = 3, access = {{ rate = "100Mbps", delay = "1ms" }}, bottleneck = {{ rate = "10Mbps", delay = "9ms", buffer = "30pkts" }} }}
flow = [{{ name = "own", from = "left", to = "right", traffic = {{ kind = "own_application"{keys} }} }}]
{more}
"#
    );
    std::fs::write(of.join("own.toml"), text).expect("written");
    run(program_of("application"), &of, command)
}

#[test]
fn each_pair_has_two_flows_and_clients_have_numbers() {
    let ran = of_application(&["run", "own.toml", "--json", "--quiet"], "", "");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let summary: serde_json::Value = serde_json::from_str(&ran.stdout).expect("one document");
    let group = &summary["flows"][0];
    assert_eq!(group["flows"], 6, "{group}");
    let response = group["application"]["response_s"].as_f64();
    // A round trip of 20 ms, 5 ms of service, and 50 KB over a share of 10 Mbps.
    assert!(response > Some(0.03) && response < Some(0.5), "{group}");
    assert!(
        group["transfers"]["finished"].as_u64() > Some(100),
        "{group}"
    );
}

#[test]
fn an_answer_of_no_time_takes_what_the_line_takes() {
    // One client, and little to answer.
    let keys = ", answer = \"1B\", service = \"0s\", think = \"50ms\"";
    let ran = of_application(&["run", "own.toml", "--json", "--quiet"], keys, "");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let summary: serde_json::Value = serde_json::from_str(&ran.stdout).expect("one document");
    let response = summary["flows"][0]["application"]["response_s"].as_f64();
    assert!(
        response > Some(0.022) && response < Some(0.026),
        "{response:?}"
    );
}

#[test]
fn keys_that_are_the_applications_own_are_refused_in_its_transport() {
    for (keys, told) in [
        (
            ", over = { kind = \"tcp\", transfer = \"1KB\" }",
            "traffic.over.transfer: the application says what is sent",
        ),
        (
            ", over = { kind = \"tcp\", others = { share = 0.5, profile = \"rfc\" } }",
            "traffic.over.others: the application says what is sent",
        ),
        (", over = { kind = \"udp\" }", "unknown value \"udp\""),
        (
            ", over = { kind = \"tcp\", windw = \"1pkts\" }",
            "did you mean \"window\"",
        ),
        (
            ", over = { kind = \"tcp\", payload = \"0B\" }",
            "traffic.over.payload",
        ),
        (", transfers = { size = \"1KB\" }", "unknown key"),
    ] {
        let ran = of_application(&["check", "own.toml"], keys, "");
        assert_eq!(ran.code, 2, "{told}: {}", ran.stdout);
        assert!(ran.stderr.contains(told), "{told}: {}", ran.stderr);
    }
}

#[test]
fn no_theory_fits_a_port_with_applications() {
    let args = ["solve", "--scenario", "own.toml", "--port", "core"];
    let ran = of_application(&args, "", "");
    assert_eq!(ran.code, 2, "{}", ran.stdout);
    assert!(
        ran.stderr.contains("does not send all the time"),
        "{}",
        ran.stderr
    );
}
