//! A memory that the ports of a node share.

use pacesim::World;
use pacesim::model::{Model, OwnSwitch, PortQueue, Sizes, Traffic};
use pacesim::net::{Offered, Reason, Switch};
use pacesim::units::{Bytes, FlowId, LinkId, Rate, Span, Time};

/// So many bytes for all ports together, those in transmission included.
#[derive(Debug)]
struct Pool {
    size: u64,
    used: u64,
    refused: bool,
}

impl Switch for Pool {
    fn admit(&mut self, _now: Time, offered: &Offered<'_>) -> Result<(), Reason> {
        let size = u64::from(offered.packet.size);
        self.refused = self.used + size > self.size;
        if self.refused {
            return Err(Reason::Full);
        }
        self.used += size;
        Ok(())
    }

    fn left(&mut self, _now: Time, offered: &Offered<'_>) {
        self.used -= u64::from(offered.packet.size);
    }
}

/// Two inputs of 100 Mbps, a switch, and two outputs of 10 Mbps; a flow over each pair, of which the
/// second has this rate.
fn model(second: Rate, pool: Option<u64>) -> Model {
    let mut model = Model::new("switch", Span::from_secs(2));
    let [a, b, switch, c, d] = ["a", "b", "s", "c", "d"].map(|name| model.add_node(name));
    let delay = Span::from_ms(1);
    for (from, to, mbps) in [
        (a, switch, 100),
        (b, switch, 100),
        (switch, c, 10),
        (switch, d, 10),
    ] {
        model.add_link(from, to, Rate::from_mbps(mbps), delay);
    }
    let size = Sizes::Constant(Bytes(1000));
    for (from, to, rate) in [(a, c, Rate::from_mbps(12)), (b, d, second)] {
        let size = size.clone();
        model.add_flow(from, to, Traffic::Poisson { rate, size });
    }
    match pool {
        Some(size) => model.add_switch(
            switch,
            OwnSwitch::new("pool", move |_, ports| {
                assert_eq!(ports, [LinkId(2), LinkId(3)]);
                Pool {
                    size,
                    used: 0,
                    refused: false,
                }
            }),
        ),
        None => {
            for link in [2, 3] {
                model.links[link].extras.queue = Some(PortQueue::DropTail);
            }
        }
    }
    model
}

fn ran(model: Model) -> World {
    let mut world = World::new(model).expect("a world");
    world.run();
    world
}

#[test]
fn a_switch_that_refuses_nothing_changes_nothing() {
    let rate = Rate::from_mbps(8);
    let (plain, shared) = (ran(model(rate, None)), ran(model(rate, Some(u64::MAX))));
    assert_eq!(plain.fingerprint(), shared.fingerprint());
    assert!(plain.link(LinkId(2)).dropped.packets == 0, "unlimited");
}

#[test]
fn a_port_takes_what_the_other_leaves_of_the_memory() {
    // The first output is overloaded and takes all memory there is: 40 packets, or 40 less those
    // of the other, which then loses packets although it is not overloaded itself.
    let alone = ran(model(Rate::from_bps(1000).expect("not zero"), Some(40_000)));
    let beside = ran(model(Rate::from_mbps(8), Some(40_000)));
    let longest = |world: &World, link| {
        world
            .queued(LinkId(link))
            .expect("a stage")
            .max_held_packets
    };
    assert_eq!(longest(&alone, 2), 39, "and one in transmission");
    assert!(longest(&beside, 2) <= 39, "{}", longest(&beside, 2));
    let lost = beside.flow(FlowId(1)).dropped.packets;
    assert!(lost > 0, "{lost}");
}
