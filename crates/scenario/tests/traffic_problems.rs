//! Mistakes in the keys of traffic, and their messages.

use pacesim_scenario::{Problem, load};

/// The problems of one flow with this traffic, in a run of ten seconds.
fn problems(traffic: &str) -> Vec<Problem> {
    let text = format!(
        "run = {{ duration = \"10s\" }}\n\
         [[node]]\nname = \"a\"\n[[node]]\nname = \"b\"\n\
         [[link]]\nname = \"l\"\nfrom = \"a\"\nto = \"b\"\nrate = \"10Gbps\"\nbuffer = \"9pkts\"\n\
         [[flow]]\nname = \"f\"\nfrom = \"a\"\nto = \"b\"\ntraffic = {{ {traffic} }}\n"
    );
    match load("test.toml", &text, &[], &()) {
        Ok(_) => vec![],
        Err(problems) => problems.0,
    }
}

/// A line of keys with one of them replaced.
fn with(keys: &str, from: &str, to: &str) -> String {
    assert!(keys.contains(from), "{from}");
    keys.replacen(from, to, 1)
}

/// Each key, its wrong value, and a part of the message at that key.
fn refused(keys: &str, table: &[(&str, &str, &str, &str)]) {
    assert_eq!(problems(keys), [], "{keys}");
    for (from, to, key, part) in table {
        let all = problems(&with(keys, from, to));
        assert_eq!(all.len(), 1, "{to}: {all:#?}");
        let problem = &all[0];
        assert_eq!(problem.path, format!("flow[0].traffic.{key}"), "{to}");
        assert!(problem.message.contains(part), "{to}: {problem}");
        assert!(problem.help.is_some(), "{to}: {problem}");
    }
}

#[test]
fn bulks_that_cannot_be_are_refused_with_key_and_remedy() {
    refused(
        "kind = \"bulks\", rate = \"1Mbps\", size = \"1KB\", count = 5",
        &[
            ("count = 5", "count = 0", "count", "0"),
            ("count = 5", "count = 10001", "count", "10001"),
            ("rate = \"1Mbps\"", "rate = \"0Mbps\"", "rate", "zero"),
        ],
    );
}

#[test]
fn first_windows_of_ndp_that_no_run_survives_are_refused() {
    let keys = "kind = \"ndp\", window = 32768";
    let large = ("32768", "32769", "window", "sent at once");
    refused(keys, &[large, ("32768", "0", "window", "0")]);
}

#[test]
fn controls_that_lack_what_they_live_on_are_refused_with_key_and_remedy() {
    for control in ["dctcp", "prague"] {
        let keys =
            format!("kind = \"tcp\", profile = \"linux\", control = \"{control}\", ecn = true");
        let unmarked = ("ecn = true", "ecn = false", "control", "gets no marks");
        refused(&keys, &[unmarked]);
    }
    for control in ["bbr", "bbr3", "bbr3_draft", "prague"] {
        let keys = format!(
            "kind = \"tcp\", profile = \"linux\", control = \"{control}\", pacing = \"linux\""
        );
        let unpaced = ("\"linux\"", "\"off\"", "pacing", "nothing paces them");
        let linux = keys.replacen("profile = \"linux\"", "profile = 'linux'", 1);
        refused(&linux, &[unpaced]);
    }
}

const NOISE: &str = "kind = \"fractional_noise\", rate = \"4Gbps\", size = \"1250B\", hurst = 0.85, \
     burstiness = 0.3, over = \"10us\", slot = \"10us\"";

#[test]
fn noise_that_cannot_be_is_refused_with_key_and_remedy() {
    refused(
        NOISE,
        &[
            ("hurst = 0.85", "hurst = 1.0", "hurst", "not a Hurst"),
            ("hurst = 0.85", "hurst = 0.4", "hurst", "not a Hurst"),
            ("hurst = 0.85", "hurst = nan", "hurst", "out of range"),
            (
                "burstiness = 0.3",
                "burstiness = 0.0",
                "burstiness",
                "not a burstiness",
            ),
            (
                "burstiness = 0.3",
                "burstiness = 2.0",
                "burstiness",
                "empty",
            ),
            ("over = \"10us\"", "over = \"0s\"", "over", "0s"),
            ("slot = \"10us\"", "slot = \"0s\"", "slot", "no length"),
            ("slot = \"10us\"", "slot = \"1us\"", "slot", "4194304"),
            (
                "rate = \"4Gbps\"",
                "rate = \"1kbps\"",
                "slot",
                "10000 slots",
            ),
            ("size = \"1250B\"", "size = \"0B\"", "size", "0B"),
        ],
    );
}

#[test]
fn sessions_that_cannot_be_are_refused_with_key_and_remedy() {
    let sessions = "kind = \"sessions\", rate = \"100Mbps\", size = \"1KB\", hurst = 0.8, \
         burstiness = 0.3, over = \"1ms\", mean_session = \"100ms\"";
    refused(
        sessions,
        &[
            ("hurst = 0.8", "hurst = 0.5", "hurst", "not a Hurst"),
            (
                "burstiness = 0.3",
                "burstiness = 1e-4",
                "burstiness",
                "at a time",
            ),
            (
                "burstiness = 0.3",
                "burstiness = 1e6",
                "burstiness",
                "sessions of",
            ),
            (
                "burstiness = 0.3",
                "burstiness = -1.0",
                "burstiness",
                "not a burstiness",
            ),
            ("\"100ms\"", "\"0s\"", "mean_session", "0s"),
            (
                "0.3, over = \"1ms\", mean_session = \"100ms\"",
                "0.01, over = \"1ms\", mean_session = \"1ns\"",
                "mean_session",
                "so short",
            ),
        ],
    );
}

#[test]
fn on_off_sources_that_cannot_be_are_refused_with_key_and_remedy() {
    let sources = "kind = \"pareto_on_off\", sources = 100, peak = \"2Mbps\", size = \"1KB\", \
         mean_on = \"100ms\", mean_off = \"200ms\", hurst = 0.8";
    refused(
        sources,
        &[
            ("sources = 100", "sources = 0", "sources", "0"),
            (
                "sources = 100",
                "sources = 1000001",
                "sources",
                "more than a flow keeps",
            ),
            ("hurst = 0.8", "hurst = 1.5", "hurst", "not a Hurst"),
            ("\"100ms\"", "\"1ns\"", "mean_on", "so short"),
            ("\"200ms\"", "\"0s\"", "mean_off", "0s"),
        ],
    );
}
