//! Simultaneous events of ends go by what the ends are, not by the places that they got in memory.

use pacesim::World;
use pacesim::scenario::load;
use pacesim::units::LinkId;

/// Two flows whose packets reach one node at the same time, over connections for one transfer each:
/// the way to `a` makes up for the answer to its SYN, which goes before the other. The delayed
/// acknowledgements leave over one line, in the order in which their timers expire.
const TWINS: &str = r#"
run = { duration = "4s" }
node = [{ name = "a" }, { name = "b" }, { name = "c" }, { name = "m" }, { name = "x" }, { name = "y" }]
link = [
    { name = "shared", from = "c", to = "m", rate = "1Mbps", delay = "1ms", duplex = false },
    { name = "left", from = "a", to = "c", rate = "1Mbps", delay = "5ms", duplex = false },
    { name = "right", from = "b", to = "c", rate = "1Mbps", delay = "5ms", duplex = false },
    { name = "to_a", from = "m", to = "a", rate = "1Mbps", delay = "1416us", duplex = false },
    { name = "to_b", from = "m", to = "b", rate = "1Mbps", delay = "1ms", duplex = false },
    { name = "elsewhere", from = "x", to = "y", rate = "1Mbps", delay = "5ms" },
]
[[flow]]
name = "f"
from = "a"
to = "c"
traffic = { kind = "tcp", profile = "rfc", transfers = { packets = "1pkts", pause = "200ms", pause_from = "start", connection = "new" } }
[[flow]]
name = "g"
from = "b"
to = "c"
traffic = { kind = "tcp", profile = "rfc", transfers = { packets = "1pkts", pause = "200ms", pause_from = "start", connection = "new" } }
"#;

/// A flow over lines of its own, whose connections come and go while the others are closed.
const ELSEWHERE: &str = r#"
[[flow]]
name = "h"
from = "x"
to = "y"
start = "150ms"
traffic = { kind = "tcp", profile = "rfc", transfers = { packets = "3pkts", pause = "200ms", pause_from = "start", connection = "new" } }
"#;

fn fingerprints(text: &str) -> [u64; 2] {
    let checked = load("identities.toml", text, &[], &());
    let checked = checked.unwrap_or_else(|problems| panic!("{problems}"));
    let mut world = World::new(checked.expand(1, 0)).expect("a world");
    world.run();
    assert!(
        world.connection_places() > 1,
        "{}",
        world.connection_places()
    );
    [0, 1].map(|link| world.link_fingerprint(LinkId(link)))
}

#[test]
fn connections_elsewhere_change_no_order_here() {
    let alone = fingerprints(TWINS);
    let beside = fingerprints(&format!("{TWINS}{ELSEWHERE}"));
    assert_eq!(alone, beside);
}
