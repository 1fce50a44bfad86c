//! Drawn values: each within the range of its key, whatever its distribution. Values beyond the
//! range are reported, and refused if no others can be drawn.

use pacesim::World;
use pacesim::model::{Link, Model, Traffic};
use pacesim::net::{Packet, Probe};
use pacesim::scenario::{Checked, Problem, Raw, load};
use pacesim::units::{Rate, Span, Time};

/// Sixteen flows over as many links, with these keys.
fn scenario(link: &str, flow: &str) -> String {
    format!(
        r#"
run = {{ duration = "20ms" }}
topology = {{ shape = "star", leaves = 17, link = {{ {link} }} }}
[[flow]]
name = "f"
from = "leaf[0..16]"
to = "leaf[16]"
{flow}
"#
    )
}

const LINK: &str = "rate = \"100Mbps\"";
const CBR: &str = "traffic = { kind = \"cbr\", rate = \"1Mbps\", size = \"1KB\" }";

fn on_off(means: &str) -> String {
    let traffic = "kind = \"on_off\", peak = \"2Mbps\", size = \"1KB\"";
    scenario(LINK, &format!("traffic = {{ {traffic}, {means} }}"))
}

fn poisson(size: &str) -> String {
    let traffic = "kind = \"poisson\", rate = \"1Mbps\"";
    scenario(LINK, &format!("traffic = {{ {traffic}, size = {size} }}"))
}

fn checked(text: &str) -> Checked {
    load("test.toml", text, &[], &()).expect("nothing is wrong")
}

/// The only problem.
fn refused(text: &str) -> Problem {
    let mut all = load("test.toml", text, &[], &()).expect_err("wrong").0;
    assert_eq!(all.len(), 1, "{all:#?}");
    all.swap_remove(0)
}

fn warned(text: &str) -> Vec<Problem> {
    let raw = Raw::parse("test.toml", text);
    let checked = raw.check(&()).expect("nothing is wrong");
    raw.warnings(&checked)
}

/// A regression: the mean gap between packets was zero, and the program panicked.
#[test]
fn packets_whose_mean_size_is_nothing_are_of_a_byte_at_least() {
    let text = poisson("{ normal = { mean = \"0B\", std_dev = \"7B\" } }");
    let mut world = World::new(checked(&text).expand(1, 0)).expect("a world");
    world.run();
    assert!(world.packet_hops() > 0, "{:?}", world.packet_hops());
}

/// A regression: both panicked, the first for 18 of 100 seeds.
#[test]
fn a_mean_phase_that_is_drawn_as_nothing_lasts_a_picosecond() {
    let least = Span::from_ps(1);
    for off in [
        "{ normal = { mean = \"1ms\", std_dev = \"1ms\" } }",
        "{ uniform = [\"0s\", \"1ps\"] }",
    ] {
        let scenario = checked(&on_off(&format!("mean_on = \"1ms\", mean_off = {off}")));
        let mut shortest = 0;
        for seed in 0..20 {
            let model = scenario.expand(seed, 0);
            for flow in &model.flows {
                let Traffic::OnOff { mean_off, .. } = flow.traffic else {
                    panic!("ON-OFF is what was written");
                };
                assert!(mean_off >= least, "{mean_off:?} and {least:?}");
                shortest += u32::from(mean_off == least);
            }
            World::new(model).expect("a good model").run();
        }
        assert!(shortest > 20, "{shortest} of 320 for {off}");
    }
}

/// Phases are drawn: in too short ones, a packet took ten thousand million draws and was never
/// sent.
#[test]
fn an_on_phase_is_never_so_short_that_a_packet_takes_for_ever_to_draw() {
    let written = refused(&on_off("mean_on = \"1ps\", mean_off = \"1ps\""));
    assert_eq!(written.path, "flow[0].traffic.mean_on");
    assert!(written.help.is_some_and(|help| help.contains("400ns")));
    let drawn = "{ normal = { mean = \"1ms\", std_dev = \"1ms\" } }";
    let slow = scenario(
        LINK,
        &format!(
            "traffic = {{ kind = \"on_off\", size = \"1KB\", peak = {{ exponential = \"1bps\" }}, \
             mean_on = {drawn}, mean_off = {drawn} }}"
        ),
    );
    for text in [
        on_off(&format!("mean_on = {drawn}, mean_off = {drawn}")),
        slow,
    ] {
        let model = checked(&text).expand(1, 0);
        for flow in &model.flows {
            let Traffic::OnOff {
                peak,
                size,
                mean_on,
                ..
            } = flow.traffic
            else {
                panic!("ON-OFF is what was written");
            };
            let packet = peak.transmission_time(size).expect("a time");
            assert!(
                mean_on.as_ps() >= packet.as_ps() / 10_000,
                "{:?} and {:?}",
                mean_on.as_ps(),
                packet.as_ps() / 10_000
            );
        }
        World::new(model).expect("a good model").run();
    }
}

/// The same random numbers as without the limit: a mean one second greater keeps all above zero.
#[test]
fn an_end_of_the_range_shifts_no_other_draw() {
    let delays = |mean: &str| -> Vec<u64> {
        let delay = format!("{{ normal = {{ mean = \"{mean}\", std_dev = \"1ms\" }} }}");
        let text = scenario(&format!("{LINK}, delay = {delay}"), CBR);
        let of = |link: &Link| link.delay.as_ps();
        checked(&text).expand(1, 0).links.iter().map(of).collect()
    };
    let (near, far) = (delays("1ms"), delays("1001ms"));
    assert!(near.contains(&0), "{near:?}");
    for (near, far) in near.into_iter().zip(far) {
        let expected = far.saturating_sub(Span::from_secs(1).as_ps());
        assert!(near.abs_diff(expected) <= 1, "{near} for {expected}");
    }
}

/// Distributions that exceed every range on both sides, at every key that can be drawn.
#[test]
fn every_drawn_value_of_every_key_is_legal() {
    let (rate, span) = (
        "{ normal = { mean = \"5000000Tbps\", std_dev = \"9000000Tbps\" } }",
        "{ normal = { mean = \"1000h\", std_dev = \"4000h\" } }",
    );
    let bytes = "{ normal = { mean = \"2GB\", std_dev = \"4GB\" } }";
    let link = format!("rate = {rate}, delay = {span}, back = {{ rate = {rate}, delay = {span} }}");
    let traffics = [
        format!("kind = \"cbr\", rate = {rate}, size = \"1500B\""),
        format!("kind = \"poisson\", rate = {rate}, size = {bytes}"),
        format!(
            "kind = \"on_off\", peak = {rate}, size = \"1500B\", mean_on = {span}, mean_off = {span}"
        ),
        format!("kind = \"tcp\", transfers = {{ size = {bytes}, pause = {span} }}"),
    ];
    for traffic in traffics {
        let flow = format!("start = {span}\ntraffic = {{ {traffic} }}");
        let model = checked(&scenario(&link, &flow)).expand(1, 0);
        assert_in_range(&model);
        let is_at_an_end =
            |link: &Link| link.delay.as_ps() == i64::MAX as u64 || link.rate.as_bps() == 1;
        assert!(model.links.iter().any(is_at_an_end));
    }
}

fn assert_in_range(model: &Model) {
    let most = i64::MAX as u64;
    for link in &model.links {
        assert!(link.rate.as_bps() <= most && link.delay.as_ps() <= most);
    }
    for flow in &model.flows {
        assert!(
            flow.start.as_ps() <= most,
            "{:?} and {:?}",
            flow.start.as_ps(),
            most
        );
        match flow.traffic {
            Traffic::Cbr { rate, size } => {
                assert!(
                    rate.transmission_time(size) >= Some(Span::from_ps(1)),
                    "{:?} and {:?}",
                    rate.transmission_time(size),
                    Some(Span::from_ps(1))
                );
            }
            Traffic::OnOff {
                mean_on, mean_off, ..
            } => {
                let phases = [mean_on.as_ps(), mean_off.as_ps()];
                assert!(phases.iter().all(|ps| (1..=most).contains(ps)));
            }
            _ => (),
        }
    }
}

/// A regression: they passed the check and ran to the end, and only then could not be written.
#[test]
fn written_values_that_no_table_holds_are_refused() {
    let link = |more: &str| scenario(&format!("{LINK}, {more}"), CBR);
    let rate = "9223372036854775808bps";
    for (text, path) in [
        (link("delay = \"2600h\""), "topology.link.delay"),
        (
            link("back = { delay = \"2600h\" }"),
            "topology.link.back.delay",
        ),
        (
            link(&format!("back = {{ rate = \"{rate}\" }}")),
            "topology.link.back.rate",
        ),
        (
            scenario(&format!("rate = \"{rate}\""), CBR),
            "topology.link.rate",
        ),
        (
            scenario(LINK, &format!("start = \"2600h\"\n{CBR}")),
            "flow[0].start",
        ),
        (
            scenario(
                LINK,
                "traffic = { kind = \"tcp\", transfers = { size = \"1KB\", pause = \"2600h\" } }",
            ),
            "flow[0].traffic.transfers.pause",
        ),
    ] {
        let problem = refused(&text);
        assert_eq!(problem.path, path);
        assert!(problem.message.contains("too much"), "{problem:?}");
        let help = problem.help.expect("what is accepted");
        assert!(help.contains("9223372"), "{help}");
    }
    let most =
        link("delay = \"9223372036854775807ps\", back = { rate = \"9223372036854775807bps\" }");
    checked(&most);
    let bytes = |n: &str| format!("traffic = {{ kind = \"tcp\", transfer = \"{n}\" }}");
    let transfer = refused(&scenario(LINK, &bytes("9223372036854775808B")));
    assert_eq!(transfer.path, "flow[0].traffic.transfer");
    checked(&scenario(LINK, &bytes("9223372036854775807B")));
    let long = scenario(LINK, CBR).replace("20ms", "2600h");
    assert_eq!(refused(&long).path, "run.duration");
}

#[test]
fn a_distribution_of_which_nothing_is_legal_is_refused() {
    for (means, path) in [
        (
            "mean_on = \"1ms\", mean_off = { uniform = [\"0s\", \"0s\"] }",
            "mean_off",
        ),
        (
            "mean_on = { normal = { mean = \"0s\", std_dev = \"0s\" } }, mean_off = \"1ms\"",
            "mean_on",
        ),
        (
            "mean_on = { uniform = [\"3000h\", \"4000h\"] }, mean_off = \"1ms\"",
            "mean_on",
        ),
    ] {
        let problem = refused(&on_off(means));
        assert_eq!(problem.path, format!("flow[0].traffic.{path}"));
        assert!(
            problem.message.starts_with("all values of this"),
            "{problem:?}"
        );
    }
}

#[test]
fn how_often_values_are_put_to_an_end_is_reported() {
    let normal = |mean: &str| {
        let off = format!("{{ normal = {{ mean = \"{mean}\", std_dev = \"1ms\" }} }}");
        warned(&on_off(&format!("mean_on = \"1ms\", mean_off = {off}")))
    };
    let reported = normal("1ms");
    assert_eq!(reported.len(), 1, "{reported:#?}");
    assert_eq!(reported[0].path, "flow[0].traffic.mean_off");
    let message = "16 % of the values drawn here are below 1ps and become 1ps";
    assert_eq!(reported[0].message, message);
    assert!(
        normal("3ms")[0].message.starts_with("0.1 % of"),
        "{}",
        normal("3ms")[0].message
    );
    assert_eq!(normal("5ms"), []);
    let slow = scenario(
        "rate = \"100Mbps\", delay = { exponential = \"2000h\" }",
        CBR,
    );
    let reported = warned(&slow);
    assert!(
        reported[0]
            .message
            .contains("28 % of the values drawn here are above"),
        "{reported:#?}"
    );
}

#[test]
fn a_packet_size_without_an_end_is_refused_and_with_one_keeps_its_mean() {
    let problem = refused(&poisson("{ pareto = { mean = \"1KB\", shape = 1.2 } }"));
    assert_eq!(problem.path, "flow[0].traffic.size");
    let help = problem.help.expect("a remedy");
    assert!(help.contains("max = \"9000B\""), "{help}");
    let bounded = "{ pareto = { mean = \"1KB\", shape = 1.2, max = \"9KB\" } }";
    assert_eq!(warned(&poisson(bounded)), []);
    let text = poisson(bounded).replace("20ms", "20s");
    let mut world = World::new(checked(&text).expand(1, 0)).expect("a good model");
    world.run();
    let (mut packets, mut bytes) = (0, 0);
    for row in world.flow_rows() {
        packets += row.sent_pkts;
        bytes += row.sent_bytes;
    }
    // 40 000 sizes with a standard deviation of 1366 bytes, and as many gaps.
    let mean = bytes as f64 / packets as f64;
    assert!((mean - 1000.0).abs() < 30.0, "{mean}");
    assert!((bytes as f64 / 40e6 - 1.0).abs() < 0.03, "{bytes}");
    // A tail may be unlimited where it may be long.
    let delay = scenario(
        &format!("{LINK}, delay = {{ pareto = {{ mean = \"1ms\", shape = 1.2 }} }}"),
        CBR,
    );
    checked(&delay);
    let wrong = refused(&poisson(
        "{ pareto = { mean = \"1KB\", shape = 1.2, max = \"900B\" } }",
    ));
    assert!(
        wrong
            .message
            .contains("1KB is not below the greatest value 900B"),
        "{wrong:?}"
    );
}

#[test]
fn packets_that_no_network_has_are_reported() {
    let mut reported = warned(&poisson("\"1585384B\""));
    reported.retain(|warning| warning.kind != "slow_source");
    assert_eq!(reported.len(), 1, "{reported:#?}");
    assert_eq!(reported[0].path, "flow[0].traffic.size");
    assert!(
        reported[0]
            .message
            .contains("a packet of 1.585384MB: IP has none above 64 KB"),
        "{}",
        reported[0].message
    );
    let reported = warned(&poisson("{ exponential = \"10KB\" }"));
    assert!(
        reported[0].message.starts_with("0.1 % of the packets"),
        "{reported:#?}"
    );
    assert_eq!(warned(&poisson("{ exponential = \"1KB\" }")), []);
    let mut greatest = warned(&poisson("\"65535B\""));
    greatest.retain(|warning| warning.kind != "slow_source");
    assert_eq!(greatest, []);
}

#[test]
fn what_is_drawn_for_what_is_reported() {
    let text = scenario(
        "rate = { uniform = [\"8Mbps\", \"12Mbps\"] }",
        r#"traffic = { kind = "poisson", rate = "1Mbps", size = { uniform = ["40B", "1500B"] } }
[[flow]]
name = "g"
from = "leaf[0]"
to = "leaf[1]"
traffic = { kind = "on_off", peak = "1Mbps", size = "1KB", mean_on = { pareto = { mean = "1s", shape = 1.5 } }, mean_off = "1s" }
[[flow]]
name = "h"
from = "leaf[0]"
to = "leaf[1]"
start = { exponential = "1ms" }
traffic = { kind = "tcp", transfers = { size = { pareto = { mean = "10KB", shape = 1.2 } } } }"#,
    );
    let draws = checked(&text).draws();
    let expected = [
        ("topology.link.rate", "once for each link"),
        ("flow[0].traffic.size", "for each packet"),
        (
            "flow[1].traffic.mean_on",
            "once for each flow, as the mean of its exponential phases",
        ),
        ("flow[2].start", "once for each flow"),
        ("flow[2].traffic.transfers.size", "for each transfer"),
    ];
    let draws: Vec<_> = draws
        .iter()
        .map(|(path, each)| (path.as_str(), *each))
        .collect();
    assert_eq!(draws, expected);
    // Phases would be heavy-tailed in other simulators.
    let mut reported = warned(&text);
    reported.retain(|warning| warning.kind == "drawn_means");
    assert_eq!(reported.len(), 1, "{reported:#?}");
    assert_eq!(reported[0].path, "flow[1].traffic.mean_on");
    assert!(
        reported[0].message.contains("its phases stay exponential"),
        "{}",
        reported[0].message
    );
}

#[test]
fn a_source_sends_no_two_packets_in_a_picosecond() {
    let rate = "{ uniform = [\"9000000Tbps\", \"9000001Tbps\"] }";
    let cbr = format!("traffic = {{ kind = \"cbr\", rate = {rate}, size = \"1KB\" }}");
    assert!(
        refused(&scenario(LINK, &cbr))
            .message
            .contains("are above 8000Tbps"),
        "{}",
        refused(&scenario(LINK, &cbr)).message
    );
    let rate = "{ uniform = [\"1Tbps\", \"9000000Tbps\"] }";
    let cbr = format!("traffic = {{ kind = \"cbr\", rate = {rate}, size = \"1KB\" }}");
    for flow in checked(&scenario(LINK, &cbr)).expand(1, 0).flows {
        assert!(
            matches!(flow.traffic, Traffic::Cbr { rate, .. } if rate <= Rate::from_mbps(8_000_000_000))
        );
    }
}

/// Mostly small packets, and large ones of two kinds.
const MIXED: &str = "{ mixture = [{ weight = 6, value = \"40B\" }, { weight = 3, value = \"1500B\" }, { weight = 1, value = { uniform = [\"500B\", \"600B\"] } }] }";

#[test]
fn a_mixture_has_each_part_by_its_weight() {
    #[derive(Default)]
    struct Sizes([u64; 3]);
    impl Probe for Sizes {
        fn delivered(&mut self, _: Time, packet: &Packet) {
            let kind = match packet.size {
                40 => 0,
                1500 => 1,
                500..=600 => 2,
                size => panic!("{size} B is of no part"),
            };
            self.0[kind] += 1;
        }
    }
    let text = poisson(MIXED).replace("20ms", "2s");
    let mut world = World::watched(checked(&text).expand(1, 0), Sizes::default()).expect("a world");
    world.run();
    let counts = world.probe().0;
    let all: u64 = counts.iter().sum();
    for (count, share) in counts.into_iter().zip([0.6, 0.3, 0.1]) {
        let expected = share * all as f64;
        let deviation = (expected * (1.0 - share)).sqrt();
        assert!(
            (count as f64 - expected).abs() < 4.0 * deviation,
            "{counts:?}"
        );
    }
}

#[test]
fn a_mixture_is_written_as_it_was_read() {
    let written = checked(&poisson(MIXED)).scenario().to_toml();
    let part = "{ weight = 1.0, value = { uniform = [\"500B\", \"600B\"] } }";
    assert!(written.contains(part), "{written}");
    assert_eq!(checked(&written).scenario().to_toml(), written);
}

#[test]
fn a_mixture_that_cannot_be_is_refused_for_its_part() {
    for (parts, message) in [
        ("", "a mixture of nothing"),
        (
            "{ weight = 0, value = \"40B\" }",
            "weight must be above zero",
        ),
        (
            "{ weight = 1, value = \"40B\" }, { weight = 1, value = { uniform = [\"2B\", \"1B\"] } }",
            "the low end 2B is above the high end 1B",
        ),
        (
            "{ weight = 1, value = { pareto = { mean = \"1KB\", shape = 1.5 } } }",
            "the tail of this Pareto has no end",
        ),
        ("{ weight = 1, value = { mixture = [] } }", "unknown key"),
        ("{ weight = 1 }", "this key is missing"),
    ] {
        let problem = refused(&poisson(&format!("{{ mixture = [{parts}] }}")));
        assert!(problem.message.contains(message), "{problem:?}");
    }
}
