//! Random networks over quinn: each run comes to its end, or gives up with a reason of the library's.

use std::ops::Range;

use pacesim_app::networks::{install, scenario, try_all};

/// The numbers of the networks; campaigns set more of them, `10000`, or a part, `2000..4000`.
fn networks() -> Range<u64> {
    let Ok(asked) = std::env::var("PACESIM_NETWORKS") else {
        return 0..40;
    };
    let (from, to) = asked.split_once("..").unwrap_or(("0", &asked));
    let number = |text: &str| text.parse().expect("numbers of networks");
    number(from)..number(to)
}

fn traffic(number: u64) -> String {
    let controls = ["cubic", "newreno", "pacesim_cubic", "pacesim_reno"];
    let control = controls[number as usize % controls.len()];
    let (discovery, frequency) = (number.is_multiple_of(3), number.is_multiple_of(5));
    format!(
        "kind = \"quinn\", control = \"{control}\", mtu_discovery = {discovery}, ack_frequency = {frequency}"
    )
}

#[test]
fn random_networks_have_no_fault_of_ours() {
    install(pacesim_quinn::parts());
    let tried = try_all(networks(), traffic);
    for (number, why) in &tried.gave_up {
        println!("network {number}: {why}");
        assert!(why.contains("the end of flow own["), "{why}");
    }
    println!("{} ended, {} delivered data", tried.ended, tried.delivered);
    if let Some((number, why)) = tried.faults.first() {
        let text = scenario(*number, &traffic(*number));
        panic!("network {number}: {why}\n{text}");
    }
    let all = networks();
    assert!(tried.delivered > (all.end - all.start) / 2);
}
