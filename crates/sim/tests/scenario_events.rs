//! Timed events in scenario files.

use pacesim::World;
use pacesim::model::change::Change;
use pacesim::scenario::{Checked, Problem, load};
use pacesim::units::{FlowId, Rate, Span, Time};

const NETWORK: &str = r#"
run = { duration = "10s" }

[[node]]
name = "a"
count = 3

[[node]]
name = "b"

[[link]]
name = "l"
from = "a"
to = "b"
rate = "10Mbps"

[[flow]]
name = "f"
from = "a"
to = "b"
traffic = { kind = "cbr", rate = "1Mbps", size = "125B" }

[[flow]]
name = "g"
from = "a[0]"
to = "b"
traffic = { kind = "cbr", rate = "1Mbps", size = "125B" }
"#;

fn with(events: &str) -> String {
    format!("{NETWORK}\n{events}\n")
}

fn sound(events: &str) -> Checked {
    load("test.toml", &with(events), &[], &()).expect("a sound scenario")
}

/// The only problem of these events.
fn refused(events: &str) -> Problem {
    let all = load("test.toml", &with(events), &[], &())
        .expect_err("a mistake")
        .0;
    assert_eq!(all.len(), 1, "{events}: {all:#?}");
    all.into_iter().next().expect("one")
}

#[test]
fn an_event_changes_the_links_it_names_and_no_others() {
    let model = sound(
        "[[event]]\nat = \"5s\"\nlinks = [\"l[1..3]\"]\nrate = \"1Mbps\"\nup = false\n\
         [[event]]\nat = \"2s\"\nlinks = [\"l.back[0]\"]\ndelay = \"1ms\"",
    )
    .expand(1, 0);
    let name = |change: &pacesim::model::change::TimedChange| {
        let link = &model.links[change.link.index()].name;
        (change.at, link.to_string(), change.change)
    };
    let at = |s| Time::ZERO + Span::from_secs(s);
    let rate = Change::Rate(Rate::from_mbps(1));
    let changes = model.changes_in_order();
    assert_eq!(
        changes.iter().map(name).collect::<Vec<_>>(),
        [
            (
                at(2),
                "l.back[0]".to_owned(),
                Change::Delay(Span::from_ms(1))
            ),
            (at(5), "l[1]".to_owned(), rate),
            (at(5), "l[1]".to_owned(), Change::Down),
            (at(5), "l[2]".to_owned(), rate),
            (at(5), "l[2]".to_owned(), Change::Down),
        ]
    );
}

#[test]
fn an_event_starts_and_stops_flows() {
    let model = sound(
        "[[event]]\nat = \"5s\"\nstart = [\"g\"]\nstop = [\"f[1]\", \"f[2]\"]\n\
         [[event]]\nat = \"6s\"\nstop = [\"g\"]",
    )
    .expand(1, 0);
    let mut world = World::new(model).expect("a sound model");
    world.run();
    let sent = [0, 1, 2, 3].map(|flow| world.flow(FlowId(flow)).sent.packets);
    // One per millisecond: from 0 to 10 s, to 5 s, to 5 s, and from 5 to 6 s.
    assert_eq!(sent, [10_001, 5_000, 5_000, 1_000]);
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn events_that_cannot_be_are_refused_with_key_and_remedy() {
    let table = [
        (
            "at = \"10s\"\nlinks = [\"l\"]\nup = true",
            "at",
            "the run ends at 10s",
        ),
        ("at = \"1s\"\nlinks = [\"m\"]\nup = true", "links[0]", "m"),
        (
            "at = \"1s\"\nlinks = [\"l[3]\"]\nup = true",
            "links[0]",
            "l",
        ),
        ("at = \"1s\"\nrate = \"1Mbps\"", "links", "no link"),
        ("at = \"1s\"\nlinks = [\"l\"]", "links", "nothing"),
        ("at = \"1s\"", "at", "nothing happens"),
        ("at = \"1s\"\nstart = [\"h\"]", "start[0]", "h"),
        (
            "at = \"1s\"\nstop = [\"f\"]\n[[event]]\nat = \"2s\"\nstop = [\"f[1]\"]",
            "stop",
            "another event",
        ),
        (
            "at = \"1s\"\nlinks = [\"l\"]\nup = true\npackets = \"kept\"",
            "packets",
            "down",
        ),
        (
            "at = \"1s\"\nlinks = [\"l\"]\nloss = { bernoulli = 1.5 }",
            "loss",
            "1.5",
        ),
        (
            "at = \"1s\"\nlinks = [\"l\"]\nrate = \"1Mbps\"\nreroute = true",
            "reroute",
            "no route changes",
        ),
        (
            "at = \"1s\"\nlinks = [\"l\"]\ndelay = \"1ms\"\nreroute = true",
            "reroute",
            "no route changes",
        ),
        (
            "at = \"1s\"\nreroute = true\nstop = [\"g\"]",
            "reroute",
            "no route changes",
        ),
        (
            "at = \"1s\"\nlinks = [\"l\"]\nup = false\nreroute = true\n\
             [[fec]]\ningress = \"a\"\negress = \"b\"\nblock = 3",
            "reroute",
            "coders of [[fec]] are on routes",
        ),
        (
            "at = \"1s\"\nlinks = [\"l\"]\nraet = \"1Mbps\"\nup = true",
            "raet",
            "unknown key",
        ),
    ];
    for (event, key, part) in table {
        let problem = refused(&format!("[[event]]\n{event}"));
        assert!(problem.path.starts_with("event["), "{event}: {problem}");
        assert!(problem.path.contains(key), "{event}: {problem}");
        assert!(problem.message.contains(part), "{event}: {problem}");
        assert!(
            problem.help.is_some() && problem.line > 0,
            "{event}: {problem}"
        );
    }
}

/// A detour that packets take only while the short path is down.
const ROUND: &str = r#"
[[node]]
name = "c"
[[link]]
name = "round"
from = "a[0]"
to = "c"
rate = "10Mbps"
[[link]]
name = "narrow"
from = "c"
to = "b"
rate = "10Mbps"
buffer = "100B"
"#;

#[test]
fn packets_must_fit_the_links_that_they_may_come_to() {
    let event = "[[event]]\nat = \"1s\"\nlinks = [\"l[0]\"]\nup = false";
    sound(&format!("{ROUND}{event}"));
    let problems = load(
        "test.toml",
        &with(&format!("{ROUND}{event}\nreroute = true")),
        &[],
        &(),
    );
    let problems = problems.expect_err("125 B into 100 B").0;
    let told: Vec<_> = problems.iter().map(|p| p.path.as_str()).collect();
    assert_eq!(told, ["flow[0].traffic.size", "flow[1].traffic.size"]);
    assert!(problems[0].message.contains("link narrow"), "{problems:?}");
}

#[test]
fn an_event_sends_flows_another_way_and_back() {
    let wide = ROUND.replace("buffer = \"100B\"", "");
    let model = sound(&format!(
        "{wide}[[event]]\nat = \"2s\"\nlinks = [\"l[0]\"]\nup = false\nreroute = true\n\
         [[event]]\nat = \"5s\"\nlinks = [\"l[0]\"]\nup = true\nreroute = true\n"
    ))
    .expand(1, 0);
    let mut world = World::new(model).expect("a sound model");
    world.run();
    let of = |name: &str| {
        let links = &world.model().links;
        let link = links.iter().position(|link| link.name == name);
        let id = pacesim::units::LinkId(link.expect("it is there") as u32);
        world.link(id).accepted.packets
    };
    // Two flows of one packet per millisecond each, rerouted for three seconds.
    assert_eq!((of("round"), of("narrow")), (6_000, 6_000));
    let lost: u64 = [0, 3]
        .map(|flow| world.flow(FlowId(flow)).lost.packets)
        .iter()
        .sum();
    assert!(lost <= 2, "only what was on the link: {lost}");
}
