//! The division of a run among threads, as far as a scenario gives it.

use crate::problems::only;
use pacesim_scenario::load;
use pacesim_units::NodeId;

const PAIR: &str = r#"
run = { duration = "1s" }
[[node]]
name = "left"
count = 3
[[node]]
name = "hub"
[[link]]
name = "up"
from = "left"
to = "hub"
rate = "10Mbps"
delay = "1ms"
duplex = true
[[flow]]
name = "f"
from = "left[0]"
to = "left[1]"
traffic = { kind = "tcp" }
"#;

fn with(threads: &str) -> String {
    format!("{PAIR}{threads}")
}

#[test]
fn nodes_are_given_to_threads_by_name() {
    let text = with("[[thread]]\nnodes = [\"left[0..2]\"]\n[[thread]]\nnodes = [\"hub\"]\n");
    let checked = load("threads.toml", &text, &[], &()).expect("it is sound");
    let division = checked.expand(1, 0).division;
    assert_eq!(division.sets, [vec![NodeId(0), NodeId(1)], vec![NodeId(3)]]);
    assert_eq!(division.most(), 2);
    let more = load("threads.toml", &text, &["run.threads=3"], &()).expect("it is sound");
    assert_eq!(more.expand(1, 0).division.most(), 3);
}

#[test]
fn a_node_has_one_thread() {
    let text = with("[[thread]]\nnodes = [\"left\"]\n[[thread]]\nnodes = [\"hub\", \"left[1]\"]\n");
    let problem = only(&text);
    assert_eq!(problem.path, "thread[1].nodes");
    assert_eq!(
        problem.message,
        "left[1] runs on the thread of thread[0] already"
    );
}

#[test]
fn fewer_threads_than_sets_are_refused() {
    let sets = "[[thread]]\nnodes = [\"left\"]\n[[thread]]\nnodes = [\"hub\"]\n";
    let text = with(sets).replace("\"1s\" }", "\"1s\", threads = 1 }");
    let problem = only(&text);
    assert_eq!(problem.path, "run.threads");
    assert_eq!(
        problem.message,
        "1 is too few for the nodes of 2 [[thread]]"
    );
}

#[test]
fn a_link_without_delay_is_on_one_thread() {
    let sets = "[[thread]]\nnodes = [\"left\"]\n[[thread]]\nnodes = [\"hub\"]\n";
    let text = with(sets).replace("delay = \"1ms\"", "");
    let problem = only(&text);
    assert_eq!(problem.path, "thread[1].nodes");
    assert_eq!(
        problem.message,
        "the link up has no delay, and its ends left[0] and hub are on two threads"
    );
}
