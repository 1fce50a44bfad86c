//! Parts of a scenario that are live, and what cannot be.

use pacesim_scenario::{LiveParts, Raw, load};
use pacesim_units::FlowId;

const NETWORK: &str = r#"
run = { duration = "2s" }

[topology]
shape = "dumbbell"
pairs = 2
access = { rate = "1Gbps", delay = "0ms" }
bottleneck = { rate = "10Mbps", delay = "10ms", buffer = "20pkts" }
"#;

/// A scenario with this flow, which is live, and these tables.
fn text(traffic: &str, tables: &str) -> String {
    format!(
        "{NETWORK}\n[[flow]]\nname = \"f\"\nfrom = \"left\"\nto = \"right\"\nlive = true\n\
         traffic = {{ {traffic} }}\n{tables}"
    )
}

/// The path and message of the only problem.
fn problem(traffic: &str, tables: &str) -> String {
    let text = text(traffic, tables);
    let problems = Raw::parse("live.toml", &text)
        .check(&())
        .expect_err("it is refused")
        .0;
    let [problem] = &problems[..] else {
        panic!("{problems:?}");
    };
    assert!(problem.line > 0, "{problem}");
    assert!(problem.help.is_some(), "{problem}");
    format!("{}: {}", problem.path, problem.message)
}

const LINUX: &str = r#"kind = "tcp", profile = "linux""#;

#[test]
fn only_traffic_of_a_kernel_is_live() {
    let of = |traffic| problem(traffic, "");
    assert_eq!(
        of(r#"kind = "tcp""#),
        "flow[0].live: the kernel's TCP is Linux's"
    );
    let poisson = r#"kind = "poisson", rate = "1Mbps", size = "1KB""#;
    assert!(of(poisson).starts_with("flow[0].live: only traffic of kind tcp and cbr"));
    let large = r#"kind = "cbr", rate = "1Mbps", size = "9KB""#;
    assert_eq!(
        of(large),
        "flow[0].live: a host does not send datagrams of 9KB"
    );
    let others = r#"kind = "tcp", profile = "linux", others = { share = 0.5, control = "reno" }"#;
    assert!(
        of(others).starts_with("flow[0].live: its members differ"),
        "{}",
        of(others)
    );
}

#[test]
fn hosts_and_commands_are_found_or_refused() {
    let of = |keys: &str| problem(LINUX, &format!("[live]\n{keys}\n"));
    let hosts = r#"hosts = { client = "left[0]", server = "right[0]" }"#;
    assert_eq!(
        of(r#"hosts = { client = "left", server = "right[0]" }"#),
        "live.hosts.client: \"left\" are 2 nodes"
    );
    assert_eq!(
        of(r#"hosts = { client = "left[0]", server = "left[0]" }"#),
        "live.hosts.server: the host \"client\" stands at this node"
    );
    assert_eq!(
        of(r#"hosts = { client = "left[0]" }"#),
        "live.hosts: one host has no other to send to"
    );
    assert_eq!(
        of(&format!("{hosts}\ncommands = {{ cleint = \"ls\" }}")),
        "live.commands.cleint: there is no host \"cleint\""
    );
    assert_eq!(
        of(&format!("{hosts}\ncommands = {{ client = \" \" }}")),
        "live.commands.client: an empty command"
    );
    assert_eq!(
        of("late = \"50\""),
        "live.late: \"50\" is neither a share nor a time"
    );
    assert!(of("priority = 100").starts_with("live.priority: "));
}

#[test]
fn coders_that_adapt_are_refused() {
    let fec =
        "[[fec]]\ningress = \"L\"\negress = \"R\"\nblock = 3\nadaptive = { aim = \"goodput\" }\n";
    let text = text(LINUX, fec);
    let problems = Raw::parse("live.toml", &text)
        .check(&())
        .expect_err("it is refused")
        .0;
    let paths: Vec<&str> = problems
        .iter()
        .map(|problem| problem.path.as_str())
        .collect();
    assert!(
        paths.iter().any(|path| path.starts_with("fec[0].adaptive")),
        "{problems:?}"
    );
}

#[test]
fn live_parts_are_those_that_say_so_and_change_no_simulation() {
    let hosts = "[live]\nhosts = { client = \"left[1]\", hub = \"L\" }\n";
    let checked = load("live.toml", &text(LINUX, hosts), &[], &()).expect("a good scenario");
    let model = checked.expand(1, 0);
    let parts = checked.live_parts(&model);
    assert_eq!(parts.flows, [FlowId(0), FlowId(1)]);
    let names = parts.hosts.iter();
    let names: Vec<(&str, String)> = names
        .map(|(name, node)| (name.as_str(), model.nodes[node.index()].name.to_string()))
        .collect();
    assert_eq!(
        names,
        [("client", "left[1]".to_owned()), ("hub", "L".to_owned())]
    );

    let plain = text(LINUX, "").replace("live = true\n", "");
    let plain = load("plain.toml", &plain, &[], &()).expect("a good scenario");
    assert_eq!(plain.live_parts(&plain.expand(1, 0)), LiveParts::default());
    assert_eq!(format!("{:?}", plain.expand(1, 0)), format!("{model:?}"));
    let again = load("again.toml", &checked.scenario().to_toml(), &[], &());
    assert_eq!(
        again.expect("it was written").scenario(),
        checked.scenario()
    );
}
