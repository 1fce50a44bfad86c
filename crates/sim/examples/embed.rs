//! A model built in code, a run, its numbers, and a probe that counts drops by flow.
//!
//!     cargo run --release -p pacesim --example embed

use pacesim::model::{Buffer, Model, Sizes, Traffic};
use pacesim::net::{DropCause, Packet, Probe};
use pacesim::units::{Bytes, Capacity, LinkId, Rate, Span, Time};
use pacesim::{BuildError, World};

#[derive(Default)]
struct DropsByFlow([u64; 2]);

impl Probe for DropsByFlow {
    fn dropped(&mut self, _: Time, _: LinkId, packet: &Packet, _: DropCause) {
        self.0[packet.flow.index()] += 1;
    }
}

fn main() -> Result<(), BuildError> {
    let mut model = Model::new("two flows, one port", Span::from_secs(10));
    let (a, b) = (model.add_node("a"), model.add_node("b"));
    let port = model.add_link(a, b, Rate::from_mbps(10), Span::from_ms(5));
    model.link_mut(port).buffer = Buffer::waiting(Capacity::Packets(8));
    let (rate, size) = (Rate::from_mbps(5), Bytes(1000));
    model.add_flow(a, b, Traffic::Cbr { rate, size });
    model.add_flow(
        a,
        b,
        Traffic::Poisson {
            rate,
            size: Sizes::Constant(size),
        },
    );

    let mut world = World::watched(model, DropsByFlow::default())?;
    world.run_until(Time::ZERO + Span::from_secs(1));
    println!("after {}: {} packet-hops", world.now(), world.packet_hops());
    world.run();
    let row = &world.link_rows()[port.index()];
    println!(
        "utilisation {:.3}, mean queue {:.2} packets",
        row.utilisation, row.queue_mean_pkts
    );
    println!(
        "dropped: {} of cbr, {} of poisson",
        world.probe().0[0],
        world.probe().0[1]
    );
    Ok(())
}
