//! Jobs: their flows, lists from files, and mistakes in them.

use pacesim_model::{Load, PathRule, Traffic};
use pacesim_scenario::{Raw, load};
use pacesim_units::{Bytes, Span};

const STAR: &str = r#"
run = { duration = "1s" }
[topology]
shape = "star"
leaves = 5
link = { rate = "1Gbps", delay = "1us" }
[[flow]]
name = "job"
from = "leaf"
to = "leaf"
traffic = { kind = "tcp", job = { kind = "ring", size = "100kB" } }
"#;

const LIST: &str = "start_us,from,to,size_bytes,after,path\n\
    5,0,3,1000,,\n\
    2,3,1,500,0,\n\
    0,1,4,700,0 1,0\n";

/// Files that all have this text.
fn files(list: &str) -> impl Fn(&str) -> Result<String, String> + use<> {
    let list = list.to_owned();
    move |_| Ok(list.clone())
}

fn listed() -> String {
    let ring = "{ kind = \"ring\", size = \"100kB\" }";
    STAR.replace(ring, "{ kind = \"list\", file = \"list.csv\" }")
}

/// The path and the message of the only mistake.
fn only(text: &str, list: &str) -> (String, String) {
    let problems = Raw::parse("job.toml", text).check(&files(list));
    let problems = problems.expect_err(text).0;
    assert_eq!(problems.len(), 1, "{problems:#?}");
    assert!(problems[0].help.is_some(), "{problems:#?}");
    (problems[0].path.clone(), problems[0].message.clone())
}

#[test]
fn a_list_has_a_flow_for_each_row_with_its_ends_its_wait_and_its_path() {
    let checked = load("job.toml", &listed(), &[], &files(LIST)).expect("it is sound");
    let model = checked.expand(1, 0);
    let names = model
        .flows
        .iter()
        .map(|flow| [flow.from, flow.to].map(|node| model.nodes[node.index()].name.to_string()));
    let names: Vec<[String; 2]> = names.collect();
    assert_eq!(names[1], ["leaf[3]", "leaf[1]"]);
    let tasks = model.flows.iter().map(|flow| match &flow.traffic {
        Traffic::Tcp(tcp) => match &tcp.load {
            Load::Tasks(tasks) => tasks[0],
            _ => panic!("no task"),
        },
        _ => panic!("not TCP"),
    });
    let tasks: Vec<_> = tasks
        .map(|task| (task.size, task.wait, task.after))
        .collect();
    let expected = [
        (Bytes(1000), Span::from_us(5), None),
        (Bytes(500), Span::from_us(2), Some(0)),
        (Bytes(700), Span::ZERO, Some(1)),
    ];
    assert_eq!(tasks, expected);
    let needs = model.barriers.iter().map(|barrier| barrier.needs.len());
    assert_eq!(needs.collect::<Vec<_>>(), [1, 2]);
    assert_eq!(model.flows[2].path, PathRule::Nth(0));
    // Written and read again, it is the same.
    let again = checked.scenario().to_toml();
    let again = load("job.toml", &again, &[], &files(LIST)).expect("it is sound");
    assert_eq!(again.scenario(), checked.scenario());
}

#[test]
fn rows_that_cannot_be_are_reported() {
    for (list, part) in [
        (LIST.replace("5,0,3", "5,0,5"), "row 0"),
        (LIST.replace("2,3,1", "2,9,1"), "node 9 of from"),
        (LIST.replace("2,3,1", "2,3,3"), "from a node to itself"),
        (
            LIST.replace("1000,,", "1000,2,"),
            "waits, over others, for itself",
        ),
        (LIST.replace(",0 1,", ",7,"), "waits for row 7"),
        (
            LIST.replace(",0 1,0", ",0 1,3"),
            "row 2: leaf[1] has one path",
        ),
        (LIST.replace("700", "0"), "0 bytes"),
        ("start_s\n1\n".to_owned(), "\"from\""),
    ] {
        let (path, message) = only(&listed(), &list);
        assert_eq!(path, "flow[0].traffic.job.file", "{message}");
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn jobs_that_cannot_be_are_reported() {
    let ends = "from = \"leaf\"\nto = \"leaf\"";
    let incast = |size: &str| format!("{{ kind = \"incast\", size = \"{size}\" }}");
    let ring = "{ kind = \"ring\", size = \"100kB\" }";
    let at_incast = |ends: &str| {
        STAR.replace(ring, &incast("1kB"))
            .replace("from = \"leaf\"\nto = \"leaf\"", ends)
    };
    for (text, path) in [
        (
            STAR.replace(ends, "from = \"leaf[0..3]\"\nto = \"leaf\""),
            "flow[0].to",
        ),
        (
            STAR.replace(ends, "from = \"leaf[1]\"\nto = \"leaf[1]\""),
            "flow[0].from",
        ),
        (
            STAR.replace(ends, &format!("{ends}\ncount = 3")),
            "flow[0].count",
        ),
        (
            STAR.replace(ends, &format!("{ends}\npair = \"all\"")),
            "flow[0].pair",
        ),
        (STAR.replace("100kB", "0B"), "flow[0].traffic.job.size"),
        (STAR.replace("100kB", "90000GB"), "flow[0].traffic.job.size"),
        (
            STAR.replace("\"100kB\"", "\"100kB\", rounds = 4000000"),
            "flow[0].traffic.job.rounds",
        ),
        (at_incast(ends), "flow[0].to"),
        (at_incast("from = \"leaf\"\nto = \"leaf[2]\""), "flow[0].to"),
        (
            STAR.replace("kind = \"tcp\"", "kind = \"tcp\", transfer = \"1kB\""),
            "flow[0].traffic.job",
        ),
    ] {
        let (found, message) = only(&text, LIST);
        assert_eq!(found, path, "{message}");
    }
}
