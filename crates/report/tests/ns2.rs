//! Runs compared with flows that ns-2 recorded.

use std::fs;
use std::path::{Path, PathBuf};

use pacesim_report::diff::diff_trace;
use serde_json::Value;

use crate::common::Runs;

/// Recordings of single flows; the README beside them names their origin.
fn trace(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tcp/tests/ns2");
    folder.join(name).with_extension("json")
}

fn read(path: &Path) -> Value {
    let text = fs::read_to_string(path).expect("a trace");
    serde_json::from_str(&text).expect("JSON")
}

fn word(value: &Value) -> &str {
    value.as_str().expect("text")
}

fn picoseconds(seconds: &Value) -> u64 {
    (seconds.as_f64().expect("a time") * 1e12).round() as u64
}

/// The key `drops` of a link: a packet or an acknowledgement, and which of its passages.
fn drops(key: &str, drops: &Value) -> String {
    let drops = drops.as_array().expect("a list").iter();
    let tables =
        drops.map(|drop| format!("{{ flow = \"f\", {key} = {}, k = {} }}", drop[0], drop[1]));
    tables.collect::<Vec<_>>().join(", ")
}

/// The flow's keys, from ns-2's own parameters.
fn traffic(trace: &Value, load: &str) -> String {
    let tcp = |key: &str| trace["tcp_params"][key].as_f64().expect("a number");
    let span = |key: &str| format!("\"{}ps\"", picoseconds(&trace["tcp_params"][key]));
    let sink = &trace["sink_params"];
    let delayed = if word(&trace["sink"]).ends_with("DelAck") {
        format!("\"{}ps\"", picoseconds(&sink["interval_"]))
    } else {
        "false".to_owned()
    };
    let keys = [
        ("variant", format!("{}", trace["variant"])),
        ("window", format!("\"{}pkts\"", tcp("window_"))),
        ("initial_window", format!("\"{}pkts\"", tcp("windowInit_"))),
        ("payload", format!("\"{}B\"", tcp("packetSize_"))),
        ("header", format!("\"{}B\"", 40.0 * tcp("useHeaders_"))),
        ("syn", format!("{}", tcp("syn_") != 0.0)),
        ("limited_transmit", format!("{}", tcp("singledup_") != 0.0)),
        ("dupack_threshold", format!("{}", tcp("numdupacks_"))),
        ("tick", span("tcpTick_")),
        ("min_rto", span("minrto_")),
        ("max_rto", span("maxrto_")),
        ("initial_rto", span("rtxcur_init_")),
        (
            "clock_phase",
            format!("\"{}ps\"", picoseconds(&trace["boot_time"])),
        ),
        ("delayed_ack", delayed),
    ];
    let keys = keys.map(|(key, value)| format!("{key} = {value}"));
    let pacing = match is_paced(trace) {
        true => "pacing = \"window\", ",
        false => "",
    };
    format!("{{ kind = \"tcp\", {pacing}{}, {load} }}", keys.join(", "))
}

/// True for a sender that paces by Wei's patch.
fn is_paced(trace: &Value) -> bool {
    trace["paced"].as_bool() == Some(true)
}

/// The amount of data: at once, or as ns-2's application gave it.
fn load(trace: &Value, runs: &Runs) -> String {
    let packets = &trace["npkts"];
    let Some(later) = trace["more_data"].as_array() else {
        return format!("transfer = \"{packets}pkts\"");
    };
    let size = trace["tcp_params"]["packetSize_"].as_u64().expect("bytes");
    let mut rows = format!(
        "time_s,bytes\n0,{}\n",
        packets.as_u64().expect("a count") * size
    );
    for more in later {
        rows += &format!(
            "{},{}\n",
            more[0],
            more[1].as_u64().expect("a count") * size
        );
    }
    let file = runs.path(&format!("{}.csv", word(&trace["name"])));
    fs::write(&file, rows).expect("written");
    format!(
        "transfers = {{ arrivals = {{ kind = \"recorded\", file = {:?} }} }}",
        file.display()
    )
}

/// The scenario of a recording.
fn scenario(trace: &Value, runs: &Runs) -> String {
    let path = &trace["topology"];
    let rate = |value: &Value| word(value).replace('b', "bps");
    let waiting = |key: &str| format!("\"{}pkts\"", path[key].as_u64().expect("a limit") - 1);
    let rate_back = path.get("rate_back").unwrap_or(&path["rate2"]);
    let back = waiting("qlimit_reverse_pkts");
    format!(
        "run = {{ duration = \"{end}s\" }}\n\
         node = [{{ name = \"s\" }}, {{ name = \"r\" }}, {{ name = \"d\" }}]\n\
         output = {{ packets = {{}} }}\n\
         [[link]]\nname = \"first\"\nfrom = \"s\"\nto = \"r\"\nrate = \"{rate1}\"\ndelay = \"{delay1}\"\n\
         buffer = {first}\nduplex = true\nback = {{ buffer = {back}, drops = [{ack_drops}] }}\n\
         [[link]]\nname = \"core\"\nfrom = \"r\"\nto = \"d\"\nrate = \"{rate2}\"\ndelay = \"{delay2}\"\n\
         buffer = {core}\ndrops = [{drops}]\nduplex = true\n\
         back = {{ buffer = {back}, rate = \"{rate_back}\" }}\n\
         [[flow]]\nname = \"f\"\nfrom = \"s\"\nto = \"d\"\ntraffic = {traffic}\n",
        end = trace["end"],
        rate1 = rate(&path["rate1"]),
        delay1 = word(&path["delay1"]),
        first = waiting("qlimit_SR_pkts"),
        ack_drops = drops("ack", &trace["ack_drops"]),
        rate2 = rate(&path["rate2"]),
        delay2 = word(&path["delay2"]),
        core = waiting("qlimit_RD_pkts"),
        drops = drops("seq", &trace["drops"]),
        rate_back = rate(rate_back),
        traffic = traffic(trace, &load(trace, runs)),
    )
}

#[test]
fn runs_send_what_ns2_sent_to_the_end() {
    let folder = trace("any");
    let files = fs::read_dir(folder.parent().expect("a folder")).expect("traces");
    let mut names: Vec<String> = files
        .filter_map(|file| file.expect("a file").file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".json").map(str::to_owned))
        .collect();
    names.sort();
    let runs = Runs::new();
    let (mut same, mut sendings, mut paced) = (0, 0, 0);
    for name in names {
        let recorded = read(&trace(&name));
        let run = runs.run(&name, &scenario(&recorded, &runs), &[]);
        let parting = diff_trace(&run, &trace(&name), None, None).expect("comparable");
        // Scenarios have no key for ns-2's `rampdown_`.
        if name == "two-fack-rampdown" {
            assert!(
                parting.text.to_string().contains("at sending 133,"),
                "{}",
                parting.text
            );
            continue;
        }
        let sent = recorded["events"]["data_tx"].as_array().map_or(0, Vec::len);
        let words = format!("the run and the trace are the same: {sent} sendings\n");
        assert_eq!(parting.text.to_string(), words, "{name}");
        assert_eq!(parting.at_ps, None, "{name}");
        if is_paced(&recorded) {
            paced += 1;
        } else {
            (same, sendings) = (same + 1, sendings + sent);
        }
    }
    // The counts of the cookbook's page, without paced ones.
    assert_eq!((same, sendings), (77, 25_307));
    assert_eq!(paced, 32);
}

#[test]
fn a_run_that_stops_before_ns2_does_differs() {
    let runs = Runs::new();
    let recorded = read(&trace("idle-reno"));
    // ns-2's application gave 50 packets at first, and more after 3 s.
    let mut first = recorded.clone();
    first["more_data"] = Value::Null;
    let scenario = scenario(&first, &runs);
    let compared = |name: &str, sets: &[&str]| {
        let run = runs.run(name, &scenario, sets);
        let parting = diff_trace(&run, &trace("idle-reno"), None, None).expect("comparable");
        (parting.at_ps, parting.text.to_string())
    };
    let (at_ps, text) = compared("whole", &[]);
    assert_eq!(at_ps, Some(3_000_000_000_000), "{text}");
    assert!(
        text.contains("at sending 51, 3.000 s after the first"),
        "{text}"
    );
    assert!(
        text.contains("The run sends nothing more until its end."),
        "{text}"
    );
    // A run or a recording that ends before cannot show it.
    for (name, set) in [
        ("short", "run.duration=2.9s"),
        ("cut", "output.packets.to=2s"),
    ] {
        let (at_ps, text) = compared(name, &[set]);
        assert_eq!(at_ps, None, "{text}");
        assert!(
            text.contains("same: 51 sendings; the trace has 50 more"),
            "{text}"
        );
    }
}

#[test]
fn a_run_that_goes_on_where_ns2_stops_differs() {
    let runs = Runs::new();
    let mut recorded = read(&trace("tail-reno"));
    let run = runs.run("run", &scenario(&recorded, &runs), &[]);
    // The retransmissions after the time-out are left out; ns-2 counts them from 0.818 s on.
    let sent = recorded["events"]["data_tx"]
        .as_array_mut()
        .expect("a list");
    let again = sent
        .iter()
        .position(|row| row[2] == 1)
        .expect("a retransmission");
    let (at, missing) = (sent[again][0].as_f64().expect("a time"), sent.len() - again);
    sent.truncate(again);
    let file = runs.path("short.json");
    let compared = |recorded: &Value| {
        fs::write(&file, recorded.to_string()).expect("written");
        let parting = diff_trace(&run, &file, None, None).expect("comparable");
        (parting.at_ps, parting.text.to_string())
    };
    let (at_ps, text) = compared(&recorded);
    let at_ps = at_ps.unwrap_or_else(|| panic!("{text}"));
    assert!(at_ps.abs_diff((at * 1e12) as u64) < 1_000_000, "{text}");
    assert!(
        text.contains("The trace has nothing more until its end."),
        "{text}"
    );
    // A trace without an end may have been cut.
    recorded["end"] = Value::Null;
    let (at_ps, text) = compared(&recorded);
    assert_eq!(at_ps, None, "{text}");
    assert!(
        text.contains(&format!("; the run has {missing} more\n")),
        "{text}"
    );
}

#[test]
fn the_cookbooks_recording_is_that_of_ns2() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/cookbook");
    let (short, whole) = (read(&docs.join("ns2.json")), read(&trace("rexlost-sack")));
    for key in [
        "format",
        "simulator",
        "topology",
        "npkts",
        "end",
        "boot_time",
        "drops",
    ] {
        assert!(!whole[key].is_null(), "{key}");
        assert_eq!(short[key], whole[key], "{key}");
    }
    assert_eq!(short["events"]["data_tx"], whole["events"]["data_tx"]);
    let runs = Runs::new();
    let scenario = fs::read_to_string(docs.join("ns2.toml")).expect("a scenario");
    let against = |name: &str, sets: &[&str]| {
        let run = runs.run(name, &scenario, sets);
        let parting = diff_trace(&run, &docs.join("ns2.json"), None, None).expect("comparable");
        (parting.at_ps, parting.text.to_string())
    };
    let (at_ps, text) = against("same", &[]);
    assert_eq!(at_ps, None, "{text}");
    assert!(text.contains("the same: 253 sendings\n"), "{text}");
}
