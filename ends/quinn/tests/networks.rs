//! Random networks over quinn: each run comes to its end, or gives up with a reason of the library's.

use pacesim_app::networks::{install, scenario, try_all};

/// The number of networks; campaigns set a larger one.
fn networks() -> u64 {
    let asked = std::env::var("PACESIM_NETWORKS").ok();
    asked.map_or(40, |count| count.parse().expect("a number of networks"))
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
    let tried = try_all(0..networks(), traffic);
    for (number, why) in &tried.gave_up {
        println!("network {number}: {why}");
        assert!(why.contains("the end of flow own["), "{why}");
    }
    println!("{} ended, {} delivered data", tried.ended, tried.delivered);
    if let Some((number, why)) = tried.faults.first() {
        let text = scenario(*number, &traffic(*number));
        panic!("network {number}: {why}\n{text}");
    }
    assert!(tried.delivered > networks() / 2);
}
