//! Rates and loads of sources that play a file.

use pacesim_model::{Flow, Load, Model, Traffic};
use pacesim_scenario::recording::Recording;
use pacesim_scenario::{Checked, Files, Problem, Problems, Raw, load};

use super::dealt::capture;
use super::loads::text;

struct OnDisk;

impl Files for OnDisk {
    fn text(&self, name: &str) -> Result<String, String> {
        let text = match name {
            // 10 KB in 8 ms: 10 Mbps.
            "bytes.csv" => "t_ms,size_bytes,deadline_ms\n0,2500,4\n2,5000,6\n8,2500,20\n",
            // The last one comes after 9 s.
            "pages.csv" => "t_s,size_bytes\n1,1448\n3,14480\n9,2896\n",
            "at_once.csv" => "t_s,size_bytes\n0,1000\n0,1000\n",
            "frames.txt" => "1000\n0\n2000\n1000\n",
            "frames_in_bits.txt" => "8000\n0\n16000\n8000\n",
            _ => return Err(format!("no {name}")),
        };
        Ok(text.to_owned())
    }

    fn recording(&self, name: &str) -> Option<Result<Recording, String>> {
        (name == "hosts.pcap").then(|| {
            let file = capture(&[(1, 300), (2, 100), (1, 300), (2, 100), (3, 200)]);
            Recording::from_capture(&file[..]).map_err(|error| error.to_string())
        })
    }
}

fn checked(traffic: &str) -> Checked {
    let checked = load("test.toml", &text(traffic), &[], &OnDisk);
    checked.unwrap_or_else(|problems| panic!("{traffic}: {problems}"))
}

fn model(traffic: &str) -> Model {
    checked(traffic).expand(1, 0)
}

fn only(traffic: &str, problems: Problems) -> Problem {
    let [problem] = &problems.0[..] else {
        panic!("{traffic}: {problems}");
    };
    problem.clone()
}

/// The times in microseconds and the sizes of a flow's packets.
fn played(flow: &Flow) -> Vec<(u64, u64)> {
    let Traffic::Recorded(arrivals) = &flow.traffic else {
        panic!("{:?}", flow.traffic);
    };
    let row = |a: pacesim_model::Arrival| (a.at.as_ps() / 1_000_000, a.size.get());
    arrivals.iter().map(row).collect()
}

#[test]
fn a_recording_is_played_at_its_rate() {
    let flows = model(r#"kind = "recorded", file = "bytes.csv", rate = "5Mbps""#).flows;
    for flow in &flows {
        assert_eq!(played(flow), [(0, 2500), (4000, 5000), (16000, 2500)]);
        assert_eq!(flow.traffic.mean_bps(), Some(5e6));
    }
    let own = model(r#"kind = "recorded", file = "bytes.csv""#).flows;
    assert_eq!(own[0].traffic.mean_bps(), Some(10e6));
}

#[test]
fn a_load_of_recordings_and_videos_becomes_the_rate_that_it_means() {
    for keys in [
        r#"kind = "recorded", file = "bytes.csv""#,
        r#"kind = "video", file = "frames.txt", frame_rate = 25.0"#,
        r#"kind = "video", file = "frames_in_bits.txt", sizes_in = "bits", frame_rate = 25.0"#,
    ] {
        let by_load = checked(&format!("{keys}, load = 0.6, of = \"core\""));
        let by_rate = checked(&format!("{keys}, rate = \"1500kbps\""));
        assert_eq!(by_load, by_rate, "{keys}");
        let means = by_load.expand(1, 0).flows.into_iter();
        let sum: f64 = means.filter_map(|flow| flow.traffic.mean_bps()).sum();
        assert!((sum - 6e6).abs() < 1.0, "{keys}: {sum}");
        let written = by_load.scenario().to_toml();
        let again = load("test.toml", &written, &[], &OnDisk).expect("what was written");
        assert_eq!(again.scenario().to_toml(), written);
        assert!(!written.contains("load"), "{written}");
    }
}

#[test]
fn a_formula_of_the_load_gives_the_same() {
    let by_formula = model(r#"kind = "recorded", file = "bytes.csv", rate = "= 0.6 * load(core)""#);
    let by_load = model(r#"kind = "recorded", file = "bytes.csv", load = 0.6, of = "core""#);
    let of = |model: &Model| model.flows.iter().map(played).collect::<Vec<_>>();
    assert_eq!(of(&by_formula), of(&by_load));
}

#[test]
fn a_dealt_recording_fills_its_share_of_the_link_once() {
    let keys = r#"kind = "recorded", file = "hosts.pcap", deal = true, load = 0.5, of = "core""#;
    let flows = model(keys).flows;
    let all: Vec<_> = flows.iter().flat_map(played).collect();
    let bytes: u64 = all.iter().map(|(_, size)| size).sum();
    assert_eq!(bytes, 1000);
    // 1000 bytes at 5 Mbps.
    assert_eq!(all.iter().map(|(at, _)| *at).max(), Some(1600));
    // The first access link has 600 of the 1000 bytes, and none has as many.
    let keys = keys.replace("core", "left[0]");
    let problems = load("test.toml", &text(&keys), &[], &OnDisk).expect_err("other flows");
    assert!(only(&keys, problems).message.contains("does not cross"));
}

#[test]
fn smoothing_comes_after_stretching() {
    let keys = r#"kind = "recorded", file = "bytes.csv", rate = "5Mbps", smooth = true"#;
    let flows = model(keys).flows;
    // Deadlines are stretched as well, twice: 8, 12 and 40 ms.
    let sent = played(&flows[0]);
    assert!(
        sent[0].0 <= 8000 && (4000..=12000).contains(&sent[1].0),
        "{sent:?}"
    );
    assert!((16000..=40000).contains(&sent[2].0), "{sent:?}");
}

#[test]
fn frames_are_multiplied_and_keep_their_times() {
    let keys = r#"kind = "video", file = "frames.txt", frame_rate = 25.0, rate = "1Mbps""#;
    let Traffic::Video(video) = model(keys).flows[0].traffic.clone() else {
        panic!("a video");
    };
    // 5000 bytes a frame instead of 1000.
    let frames: Vec<u32> = video.frames.iter().collect();
    assert_eq!(frames, [5000, 0, 10000, 5000]);
    assert_eq!(video.gap.to_string(), "40ms");
}

/// The times of all transfers, in milliseconds.
fn transfers(traffic: &str) -> Vec<u64> {
    let flows = model(traffic).flows;
    let mut times: Vec<u64> = flows
        .iter()
        .flat_map(|flow| match &flow.traffic {
            Traffic::Tcp(tcp) => match &tcp.load {
                Load::Scheduled(all) => all.list.iter().map(|(at, _)| at.as_ps() / 1_000_000_000),
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        })
        .collect();
    times.sort_unstable();
    times
}

#[test]
fn recorded_transfers_come_at_their_pace() {
    let of = |keys: &str| {
        let arrivals = format!("arrivals = {{ kind = \"recorded\", file = \"pages.csv\"{keys} }}");
        format!("kind = \"tcp\", profile = \"rfc\", transfers = {{ {arrivals} }}")
    };
    assert_eq!(transfers(&of("")), [1000, 3000, 9000]);
    assert_eq!(transfers(&of(", every = \"1s\"")), [333, 1000, 3000]);
    // 18 824 bytes in 13 packets with headers of 52 bytes are 19 500 bytes, which take 0.0312 s at
    // half of 10 Mbps.
    assert_eq!(transfers(&of(", load = 0.5, of = \"core\"")), [3, 10, 31]);
    let said = checked(&of(", load = 0.5, of = \"core\"")).arrivals();
    let sentence = &said[0].1;
    assert!(sentence.contains("5.000 Mbps are offered"), "{sentence}");
}

/// Traffic, the key at fault, part of the message and part of the remedy.
const REFUSED: [(&str, &str, &str, &str); 13] = [
    (
        r#"kind = "recorded", file = "bytes.csv", rate = "1Mbps", load = 0.5, of = "core""#,
        "load",
        "rate and load exclude each other",
        "keep rate or load",
    ),
    (
        r#"kind = "recorded", file = "bytes.csv", load = 0.5"#,
        "of",
        "this key is missing, for there is a load",
        "write of = \"core\"",
    ),
    (
        r#"kind = "recorded", file = "bytes.csv", of = "core""#,
        "of",
        "there is no load that would be of it",
        "leave it out",
    ),
    (
        r#"kind = "recorded", file = "bytes.csv", load = 0, of = "core""#,
        "load",
        "a load of 0 is nothing",
        "give more than 0",
    ),
    (
        r#"kind = "recorded", file = "bytes.csv", load = 0.5, of = "cor""#,
        "of",
        "there is no link of the name \"cor\"",
        "did you mean \"core\"?",
    ),
    (
        r#"kind = "recorded", file = "at_once.csv", rate = "1Mbps""#,
        "rate",
        "all packets come at the start",
        "leave it out",
    ),
    (
        r#"kind = "video", file = "frames.txt", frame_rate = 25.0, rate = "100bps""#,
        "rate",
        "less than a byte for each frame",
        "give a higher rate",
    ),
    (
        r#"kind = "video", file = "frames.txt", frame_rate = 25.0, rate = "10Gbps""#,
        "rate",
        "the largest frame takes 100MB",
        "give a lower rate: frames have at most",
    ),
    (
        r#"kind = "tcp", load = 0.5, of = "core""#,
        "load",
        "unknown key",
        "TCP sends what its path allows; give transfers",
    ),
    (
        r#"kind = "tcp", transfers = { arrivals = { kind = "recorded", file = "pages.csv", of = "core" } }"#,
        "transfers.arrivals.of",
        "there is no load that refers to it",
        "give load = 0.6",
    ),
    (
        r#"kind = "tcp", transfers = { arrivals = { kind = "recorded", file = "pages.csv", load = 0.5 } }"#,
        "transfers.arrivals.of",
        "this key is missing, for there is a load",
        "write of = \"core\"",
    ),
    (
        r#"kind = "tcp", transfers = { arrivals = { kind = "recorded", file = "pages.csv", every = "1s", load = 0.5, of = "core" } }"#,
        "transfers.arrivals.load",
        "every and load exclude each other",
        "keep every or load",
    ),
    (
        r#"kind = "tcp", transfers = { arrivals = { kind = "recorded", file = "at_once.csv", every = "1s" } }"#,
        "transfers.arrivals.every",
        "all packets come at the start",
        "leave it out",
    ),
];

#[test]
fn mistakes_have_their_key_their_line_and_a_remedy() {
    for (keys, key, message, help) in REFUSED {
        let problems = load("test.toml", &text(keys), &[], &OnDisk).expect_err(keys);
        let problem = only(keys, problems);
        assert_eq!(problem.path, format!("flow[0].traffic.{key}"), "{keys}");
        assert_eq!(problem.line, 13, "{keys}");
        assert!(problem.message.contains(message), "{keys}: {problem}");
        let told = problem.help.as_deref().unwrap_or_default();
        assert!(told.contains(help), "{keys}: {problem}");
    }
}

#[test]
fn a_recording_that_ends_before_its_flows_is_suspicious() {
    let warned = |keys: &str| {
        let mut raw = Raw::parse("test.toml", &text(keys));
        raw.apply_sets(&["link.core.rate=1kbps"]);
        let checked = raw
            .check(&OnDisk)
            .unwrap_or_else(|problems| panic!("{keys}: {problems}"));
        let all = raw.warnings(&checked).into_iter();
        let ended = all.filter(|warning| warning.message.contains("the recording ends at"));
        ended.map(|warning| warning.path).collect::<Vec<_>>()
    };
    let slow = r#"kind = "recorded", file = "bytes.csv", load = 0.5, of = "core""#;
    assert_eq!(warned(slow), [""; 0]);
    let fast = r#"kind = "recorded", file = "bytes.csv", load = 50, of = "core""#;
    assert_eq!(warned(fast), ["flow[0].traffic.file"]);
    let as_recorded = r#"kind = "recorded", file = "bytes.csv""#;
    assert_eq!(warned(as_recorded), [""; 0]);
    let pages = r#"kind = "tcp", transfers = { arrivals = { kind = "recorded", file = "pages.csv", load = 50, of = "core" } }"#;
    assert_eq!(warned(pages), ["flow[0].traffic.transfers.arrivals.file"]);
}
