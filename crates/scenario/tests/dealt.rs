//! Captures in scenarios: conversations are distributed among the members of a group.

use pacesim_model::Traffic;
use pacesim_scenario::recording::Recording;
use pacesim_scenario::{Files, Problem, load};

/// A capture of raw IPv4: packets of these sizes, a millisecond apart, from these hosts.
pub(super) fn capture(packets: &[(u8, u32)]) -> Vec<u8> {
    let numbers = |all: &[u32]| all.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<_>>();
    let mut file = numbers(&[0xA1B2_C3D4, 0, 0, 0, 65535, 101]);
    for (i, (host, size)) in packets.iter().enumerate() {
        file.extend(numbers(&[7, 1000 * i as u32, 20, *size]));
        file.extend([0x45, 0, 0, 0, 0, 0, 0, 0, 64, 17, 0, 0]);
        file.extend([10, 0, 0, *host, 10, 0, 1, 1]);
    }
    file
}

struct Captured;

impl Files for Captured {
    fn text(&self, name: &str) -> Result<String, String> {
        Err(format!("no {name}"))
    }

    fn recording(&self, name: &str) -> Option<Result<Recording, String>> {
        Some(match name {
            "a.pcap" => {
                let file = capture(&[(1, 100), (2, 200), (3, 300), (1, 101), (4, 400)]);
                Recording::from_capture(&file[..]).map_err(|error| error.to_string())
            }
            _ => Recording::from_csv("t_s,size\n0,1\n").map_err(|error| error.to_string()),
        })
    }
}

fn scenario(keys: &str) -> String {
    format!(
        "run = {{ duration = \"1s\" }}\n[[node]]\nname = \"a\"\n[[node]]\nname = \"b\"\n\
         [[link]]\nname = \"l\"\nfrom = \"a\"\nto = \"b\"\nrate = \"1Gbps\"\n\
         [[flow]]\nname = \"f\"\ncount = 3\nfrom = \"a\"\nto = \"b\"\n\
         traffic = {{ kind = \"recorded\", {keys} }}\n"
    )
}

/// The times in ms and sizes sent by each member.
fn sent(keys: &str) -> Vec<Vec<(u64, u64)>> {
    let checked = load("test.toml", &scenario(keys), &[], &Captured).expect("a sound scenario");
    let flows = checked.expand(1, 0).flows.into_iter();
    let arrivals = |traffic| match traffic {
        Traffic::Recorded(arrivals) => arrivals,
        other => panic!("{other:?}"),
    };
    let row = |a: pacesim_model::Arrival| (a.at.as_ps() / 1_000_000_000, a.size.get());
    flows
        .map(|flow| arrivals(flow.traffic).iter().map(row).collect())
        .collect()
}

#[test]
fn conversations_are_dealt_in_turn_or_all_are_sent_by_each() {
    let first = vec![(0, 100), (3, 101), (4, 400)];
    let dealt = sent("file = \"a.pcap\", deal = true");
    assert_eq!(dealt, [first, vec![(1, 200)], vec![(2, 300)]]);
    let all = vec![(0, 100), (1, 200), (2, 300), (3, 101), (4, 400)];
    assert_eq!(sent("file = \"a.pcap\""), [all.clone(), all.clone(), all]);
}

#[test]
fn what_has_no_addresses_or_is_smoothed_is_not_dealt() {
    let refused = |keys: &str| -> Problem {
        let problems = load("test.toml", &scenario(keys), &[], &Captured).expect_err(keys);
        assert_eq!(problems.0.len(), 1, "{problems:#?}");
        problems.0.into_iter().next().expect("one")
    };
    let listed = refused("file = \"a.csv\", deal = true");
    assert_eq!(listed.path, "flow[0].traffic.deal");
    assert!(listed.message.contains("no addresses"), "{listed}");
    let smoothed = refused("file = \"a.pcap\", deal = true, smooth = \"10ms\"");
    assert!(smoothed.message.contains("smoothed"), "{smoothed}");
}
