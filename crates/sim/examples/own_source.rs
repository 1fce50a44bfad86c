//! A user-defined source of traffic in one file, in a flow.
//!
//!     cargo run --release -p pacesim --example own_source

use pacesim::model::{Buffer, Model, Traffic};
use pacesim::random::{Distribution, Stream, Streams, samplers::Exponential};
use pacesim::source::{Emission, OwnSource, Source, laws};
use pacesim::units::{Capacity, FlowId, Rate, Span};
use pacesim::{BuildError, World};

/// Back-to-back bursts of packets, at exponential gaps.
struct Bursts {
    length: u32,
    left: u32,
    gap_ps: Exponential,
    random: Stream,
}

impl Bursts {
    fn new(length: u32, mean_gap: Span, random: Stream) -> Bursts {
        let gap_ps = Exponential::with_mean(mean_gap.as_ps() as f64);
        Bursts {
            length,
            left: 0,
            gap_ps: gap_ps.expect("a positive gap"),
            random,
        }
    }
}

impl Source for Bursts {
    fn next(&mut self) -> Option<Emission> {
        let gap = match self.left {
            0 => Span::from_ps_f64(self.gap_ps.sample(&mut self.random))?,
            _ => Span::ZERO,
        };
        self.left = self.left.checked_sub(1).unwrap_or(self.length - 1);
        Some(Emission { gap, size: 1000 })
    }
}

fn model(traffic: Traffic) -> Model {
    let mut model = Model::new("bursts at a small buffer", Span::from_secs(20));
    let (a, b) = (model.add_node("a"), model.add_node("b"));
    let port = model.add_link(a, b, Rate::from_mbps(10), Span::from_ms(1));
    model.link_mut(port).buffer = Buffer::waiting(Capacity::Packets(8));
    model.add_flow(a, b, traffic);
    model
}

fn main() -> Result<(), BuildError> {
    // The laws that every source keeps: the same random stream yields the same packets.
    let streams = Streams {
        seed: 1,
        replication: 0,
    };
    let make = || Bursts::new(5, Span::from_ms(8), streams.stream("bursts", "gaps"));
    if let Err(violation) = laws::check(make, 10_000) {
        panic!("the source breaks a law: {violation}");
    }

    // 5 Mbps on average, in bursts of 5 to 20 packets.
    let mut before = 0.0;
    for length in [5, 10, 20] {
        let gap = Span::from_us(1600) * u64::from(length);
        let bursts = OwnSource::new("bursts", move |feed| Bursts::new(length, gap, feed.stream));
        let mut world = World::new(model(Traffic::Own(bursts)))?;
        world.run();
        let sent = world.flow(FlowId(0)).sent.packets;
        let loss = world.link_rows()[0].loss_ratio.expect("packets arrive");
        println!(
            "bursts of {length}: {sent} packets, {:.2} % lost",
            100.0 * loss
        );
        assert!(loss > before, "longer bursts lose more");
        before = loss;
    }
    Ok(())
}

#[test]
fn runs() {
    main().expect("a good model");
}
