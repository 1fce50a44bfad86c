//! `smooth`: a recording is sent according to the off-line optimum.

use pacesim::World;
use pacesim::model::{Arrival, Traffic};
use pacesim::scenario::{Files, Problem, load};

/// One file.
struct Only(&'static str);

impl Files for Only {
    fn text(&self, _: &str) -> Result<String, String> {
        Ok(self.0.to_owned())
    }
}

fn text(traffic: &str) -> String {
    format!(
        r#"
run = {{ duration = "1s" }}
topology = {{ shape = "tandem", hops = 1, link = {{ rate = "1Gbps" }} }}
[[flow]]
name = "video"
from = "node[0]"
to = "node[1]"
traffic = {{ kind = "recorded", file = "video.csv", {traffic} }}
"#
    )
}

fn sent(traffic: &str, file: &'static str) -> Vec<Arrival> {
    let model = load("x.toml", &text(traffic), &[], &Only(file)).expect("sound");
    match &model.expand(1, 0).flows[0].traffic {
        Traffic::Recorded(arrivals) => arrivals.iter().collect(),
        other => panic!("{other:?}"),
    }
}

fn problem(traffic: &str, file: &'static str) -> Problem {
    let problems = load("x.toml", &text(traffic), &[], &Only(file));
    let mut problems = problems.expect_err("cannot be smoothed").0;
    assert_eq!(problems.len(), 1, "{problems:#?}");
    problems.remove(0)
}

fn us(arrivals: &[Arrival]) -> Vec<u64> {
    let us = |arrival: &Arrival| arrival.at.as_ps() / 1_000_000;
    arrivals.iter().map(us).collect()
}

const FRAMES: &str = "t_ms,size_bytes,deadline_ms\n0,1000,4\n0,1000,4\n10,1000,50\n10,1000,50\n";

#[test]
fn without_smooth_packets_are_sent_as_they_came() {
    assert_eq!(us(&sent("smooth = false", FRAMES)), [0, 0, 10_000, 10_000]);
    assert_eq!(us(&sent("", FRAMES)), [0, 0, 10_000, 10_000]);
}

/// By hand: two packets in the 4 ms to their deadline; then two in 40 ms.
#[test]
fn smooth_true_takes_the_deadlines_of_the_file() {
    let sent = us(&sent("smooth = true", FRAMES));
    assert_eq!(sent[..2], [2_000, 4_000]);
    assert_eq!(sent[2..], [30_000, 50_000]);
}

/// By hand: four packets, two at 0 and two at 10 ms, due 10 ms later each: one rate.
#[test]
fn a_time_is_the_same_deadline_for_all() {
    assert_eq!(
        us(&sent("smooth = \"10ms\"", FRAMES)),
        [5_000, 10_000, 15_000, 20_000]
    );
    assert_eq!(us(&sent("smooth = \"0s\"", FRAMES)), [0, 0, 10_000, 10_000]);
}

#[test]
fn a_smoothed_recording_arrives_whole() {
    let scenario = load("x.toml", &text("smooth = true"), &[], &Only(FRAMES));
    let mut world = World::new(scenario.expect("sound").expand(1, 0)).expect("built");
    world.run();
    let row = &world.flow_rows()[0];
    assert_eq!((row.delivered_pkts, row.delivered_bytes), (4, 4_000));
}

#[test]
fn a_scenario_with_smooth_is_written_as_it_was_read() {
    for smooth in ["false", "true", "\"10ms\""] {
        let text = text(&format!("smooth = {smooth}"));
        let scenario = load("x.toml", &text, &[], &Only(FRAMES)).expect("sound");
        let again = load("y.toml", &scenario.scenario().to_toml(), &[], &Only(FRAMES));
        assert_eq!(again.expect("sound"), scenario, "{smooth}");
    }
}

#[test]
fn deadlines_that_nothing_can_keep_are_told_with_file_row_and_remedy() {
    let early = "t_ms,size_bytes,deadline_ms\n0,1,5\n# pause\n10,1,9\n";
    let reported = problem("smooth = true", early);
    assert_eq!(reported.path, "flow[0].traffic.smooth");
    for part in [
        "\"video.csv\", row 2:",
        "9ms",
        "10ms",
        "A(t) >= S(t) >= D(t)",
    ] {
        assert!(reported.message.contains(part), "{}", reported.message);
    }
    let help = reported.help.expect("a remedy");
    assert!(help.contains("not before its arrival"), "{help}");

    let overtaking = "t_ms,size_bytes,deadline_ms\n0,1,20\n10,1,15\n";
    let reported = problem("smooth = true", overtaking);
    assert!(
        reported
            .message
            .contains("row 2: the deadline 15ms overtakes 20ms"),
        "{}",
        reported.message
    );
    assert!(
        reported.message.contains("S(t) >= D(t)"),
        "{}",
        reported.message
    );

    let reported = problem("smooth = true", "t_ms,size_bytes\n0,1\n");
    assert!(
        reported.message.contains("no column of deadlines"),
        "{}",
        reported.message
    );
    let help = reported.help.expect("a remedy");
    assert!(help.contains("smooth = \"10ms\""), "{help}");
}

#[test]
fn deadlines_that_are_not_asked_for_may_be_impossible() {
    let early = "t_ms,size_bytes,deadline_ms\n10,1,9\n";
    assert_eq!(sent("smooth = \"1ms\"", early).len(), 1);
}
