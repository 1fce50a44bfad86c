//! A user-defined pacer in one file, in front of a port.
//!
//!     cargo run --release -p pacesim --example own_pacer

use std::collections::VecDeque;

use pacesim::model::{Buffer, Distribution, Model, PortPacer, Sizes, Traffic};
use pacesim::pacer::OwnPacer;
use pacesim::pacers::{Pacer, Pending, Refused, Release, Waiting, laws};
use pacesim::units::{Bytes, Capacity, Rate, Span, Time};
use pacesim::{BuildError, World};

/// Keeps a minimum gap between packets.
struct Spacer {
    gap: Span,
    free_at: Time,
    queue: VecDeque<Pending>,
    bytes: u64,
    next: Release,
}

impl Spacer {
    fn new(gap: Span) -> Spacer {
        Spacer {
            gap,
            free_at: Time::ZERO,
            queue: VecDeque::new(),
            bytes: 0,
            next: Release::Idle,
        }
    }

    fn schedule(&mut self, now: Time) {
        self.next = if self.queue.is_empty() {
            Release::Idle
        } else {
            Release::At(self.free_at.max(now))
        };
    }
}

impl Pacer for Spacer {
    fn enqueue(&mut self, now: Time, packet: Pending) -> Result<(), Refused> {
        self.queue.push_back(packet);
        self.bytes += u64::from(packet.size);
        self.schedule(now);
        Ok(())
    }

    fn dequeue(&mut self, now: Time) -> Option<Pending> {
        if !self.next.is_ready(now) {
            return None;
        }
        let packet = self.queue.pop_front()?;
        self.bytes -= u64::from(packet.size);
        self.free_at = now + self.gap;
        self.schedule(now);
        Some(packet)
    }

    fn next_release(&self) -> Release {
        self.next
    }

    fn waiting(&self) -> Waiting {
        Waiting {
            packets: self.queue.len() as u64,
            bytes: Bytes(self.bytes),
        }
    }
}

/// A fast line, optionally paced, before a slow one with room for four packets.
fn model(pacer: Option<PortPacer>) -> Model {
    let mut model = Model::new("a spacer before a small buffer", Span::from_secs(20));
    let nodes = ["host", "edge", "sink"].map(|name| model.add_node(name));
    let fast = model.add_link(nodes[0], nodes[1], Rate::from_mbps(100), Span::from_ms(1));
    let slow = model.add_link(nodes[1], nodes[2], Rate::from_mbps(10), Span::from_ms(1));
    model.link_mut(fast).extras.pacer = pacer;
    model.link_mut(slow).buffer = Buffer::waiting(Capacity::Packets(4));
    let size = Sizes::Drawn(Distribution::Uniform {
        low: 500.0,
        high: 1500.0,
    });
    let rate = Rate::from_mbps(8);
    model.add_flow(nodes[0], nodes[2], Traffic::Poisson { rate, size });
    model
}

fn main() -> Result<(), BuildError> {
    // The laws that every pacer keeps.
    let gap = Span::from_us(900);
    let operations = laws::random_operations(1, 5000);
    if let Err(violation) = laws::check(Spacer::new(gap), laws::Promise::NONE, &operations) {
        panic!("the spacer breaks a law: {violation}");
    }

    let spacer = OwnPacer::new("spacer", move |_port| Spacer::new(gap));
    for pacer in [None, Some(spacer.into())] {
        let name = pacer
            .as_ref()
            .map_or("no pacer", PortPacer::name)
            .to_owned();
        let mut world = World::new(model(pacer))?;
        world.run();
        let rows = world.link_rows();
        let held_ms = rows[0].pacing_delay_mean_s.unwrap_or(0.0) * 1e3;
        let loss = 100.0 * rows[1].loss_ratio.expect("packets arrive");
        println!("{name}: {loss:.2} % lost at the small buffer, held {held_ms:.2} ms on average");
    }
    Ok(())
}

#[test]
fn runs() {
    main().expect("a good model");
}
