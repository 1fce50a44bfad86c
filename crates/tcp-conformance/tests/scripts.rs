//! Scripted cases of Linux's sender. Their stimuli are our own; the responses follow from Linux's rules
//! (the window of slow start, RACK, PRR with 0.7 of the window, the restart after idleness), and from
//! the sender that repeats recorded flows of the kernel packet by packet.

use std::path::Path;

use pacesim_tcp::{Config, Control, Variant};
use pacesim_tcp_conformance::script::Script;

fn cases() -> Vec<(String, Script)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let files = std::fs::read_dir(folder).expect("the folder of cases");
    let mut cases: Vec<_> = files
        .map(|file| {
            let path = file.expect("an entry").path();
            let text = std::fs::read_to_string(&path).expect("a readable file");
            let script =
                Script::parse(&text).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
            (path.display().to_string(), script)
        })
        .collect();
    cases.sort_by(|a, b| a.0.cmp(&b.0));
    cases
}

#[test]
fn linux_s_sender_meets_each_case() {
    let cases = cases();
    assert!(cases.len() >= 12, "{} cases", cases.len());
    for (name, script) in cases {
        assert!(!script.title().is_empty(), "{name} has a title");
        assert_eq!(script.play(script.config()), Ok(()), "{name}");
    }
}

/// As a number an echo was read as none.
#[test]
fn flags_may_be_numbers() {
    let text = include_str!("../cases/ecn-echo.json").replace("true", "1");
    let script = Script::parse(&text).expect("a valid script");
    assert_eq!(script.play(script.config()), Ok(()));
    let script = Script::parse(&text.replace(r#""ece": 1"#, r#""ece": 0"#));
    let script = script.expect("a valid script");
    assert!(
        script.play(script.config()).is_err(),
        "no echo, no reduction"
    );
}

/// Segments count only as a whole.
#[test]
fn ranges_to_sack_may_be_bytes() {
    let text = include_str!("../cases/sack-one-hole.json");
    let played = |less| {
        let script = Script::parse(&in_bytes(text, less)).expect("a valid script");
        script.play(script.config())
    };
    assert_eq!(played(0), Ok(()));
    assert!(played(1).is_err(), "the last segment is not whole");
}

/// The script with its ranges to SACK in bytes, each some bytes short of its last segment.
fn in_bytes(text: &str, less: u64) -> String {
    let mut case: serde_json::Value = serde_json::from_str(text).expect("JSON");
    let payload = case["mss_bytes"].as_u64().expect("bytes");
    let events = case["events"].as_array_mut().expect("events");
    let ranges = events.iter_mut().filter_map(|event| event.get_mut("sack"));
    for range in ranges.flat_map(|ranges| ranges.as_array_mut().expect("ranges")) {
        let segment = |n: usize| range[n].as_u64().expect("a segment");
        let (from, to) = (payload * (segment(0) - 1), payload * segment(1) - less);
        *range = serde_json::json!(["bytes", from, to]);
    }
    case.to_string()
}

#[test]
fn another_control_breaks_those_with_a_reduction() {
    let broken = cases().into_iter().filter(|(_, script)| {
        let mut config = script.config();
        config.control = Control::Reno;
        script.play(config).is_err()
    });
    let broken: Vec<String> = broken
        .map(|(_, script)| script.title().to_owned())
        .collect();
    assert_eq!(
        broken.len(),
        6,
        "half of the window instead of 0.7: {broken:#?}"
    );
}

#[test]
fn what_a_script_cannot_say_is_refused() {
    let refused = |text: &str| Script::parse(text).expect_err("refused").to_string();
    assert!(refused("{").contains("EOF"));
    assert!(refused(r#"{"mss_bytes": 1000, "event": []}"#).contains("no key event; it has"));
    assert!(refused(r#"{"mss_bytes": 1000}"#).contains("needs events"));
    assert!(refused(r#"{"events": []}"#).contains("needs mss_bytes"));
    let misspelt = r#"{"mss_bytes": 1000, "events": [{"t": 0, "apps": 10}]}"#;
    assert!(refused(misspelt).contains("an event has no key apps"));
    let event = |event: &str| format!(r#"{{"mss_bytes": 1000, "events": [{event}]}}"#);
    let local = event(r#"{"t": 5, "local_queue": "drops everything"}"#);
    assert!(refused(&local).contains("an event has no key local_queue"));
    let ece = event(r#"{"t": 5, "ack": 2, "ece": 2}"#);
    assert!(refused(&ece).contains("ece of an event is true or false, or 1 or 0, not 2"));
    let ack = event(r#"{"t": 5, "ack": "2"}"#);
    assert!(refused(&ack).contains("ack of an event is a number"));
    let range = event(r#"{"t": 5, "ack": 0, "sack": [[2]]}"#);
    assert!(refused(&range).contains("[2] is no range to SACK"));
    let bits = event(r#"{"t": 5, "ack": 0, "sack": [["bits", 2, 3]]}"#);
    assert!(refused(&bits).contains(r#"["bits",2,3] is no range to SACK"#));
    let peer = r#"{"mss_bytes": 1000, "start": {"peer": {"sack": "no"}}, "events": []}"#;
    assert!(refused(peer).contains("sack of peer is true or false"));
    let timeless = r#"{"mss_bytes": 1000, "events": [{"app": 10}]}"#;
    assert!(refused(timeless).contains("no time"));
}

#[test]
fn a_mismatch_names_the_segment_and_the_time() {
    let script = Script::parse(
        r#"{"mss_bytes": 1000, "start": {}, "events": [{"t": 0, "app": 10, "sends": [[1, 11]]}]}"#,
    );
    let mismatch = {
        let script = script.expect("a valid script");
        script.play(script.config()).expect_err("ten leave")
    };
    assert_eq!(mismatch.to_string(), "segment 11 does not leave by 4 ms");
}

#[test]
fn a_script_that_cannot_be_played_is_no_panic() {
    let played = |event: &str, config: Option<Config>| {
        let text = format!(r#"{{"mss_bytes": 1000, "start": {{}}, "events": [{event}]}}"#);
        let script = Script::parse(&text).expect("known keys");
        let config = config.unwrap_or_else(|| script.config());
        script.play(config).expect_err("not playable").to_string()
    };
    let odd = r#"{"t": 0, "app": 1, "sends": ["all"]}"#;
    assert_eq!(played(odd, None), "\"all\" is no pair of numbers");
    let short = r#"{"t": 0, "acks": {"from": 1}}"#;
    assert!(played(short, None).ends_with("needs to, a number"));
    let other = Some(Config::rfc(Variant::Sack));
    let state = r#"{"t": 0, "app": 1, "cwnd": 10}"#;
    assert!(played(state, other).contains("Linux's profile"));
}
