//! Bulks of packets, and queues that refuse them in whole or in part.

use pacesim::World;
use pacesim::measure::mean_interval;
use pacesim::model::{Buffer, Distribution, Model, PortQueue, Sizes, Traffic};
use pacesim::units::{Capacity, FlowId, LinkId, Rate, Span};

/// A server that takes 1 ms on average (100 KB at 800 Mbps) with a limited number of places, and
/// two Poisson processes of bulks: each with its load in packets per service time and its bulk
/// size.
struct Queue {
    places: u64,
    whole: bool,
    bulks: [(f64, u32); 2],
}

impl Queue {
    fn model(&self, services: u64, replication: u64) -> Model {
        let mut model = Model::new("bulks", Span::from_ms(services));
        model.replication = replication;
        model.warmup = Span::from_ms(200);
        let (a, b) = (model.add_node("a"), model.add_node("b"));
        let line = Rate::from_mbps(800);
        let server = model.add_link(a, b, line, Span::ZERO);
        let link = model.link_mut(server);
        link.buffer = Buffer::system(Capacity::Packets(self.places));
        link.extras.queue = self.whole.then(|| PortQueue::WholeBulks);
        for (load, count) in self.bulks {
            let rate = Rate::from_bps((8e8 * load) as u64).expect("above zero");
            let size = Sizes::Drawn(Distribution::Exponential { mean: 1e5 });
            model.add_flow(a, b, Traffic::Bulks { rate, size, count });
        }
        model
    }

    /// The loss ratio of each flow.
    fn losses(&self, services: u64, replication: u64) -> [f64; 2] {
        let mut world = World::new(self.model(services, replication)).expect("a sound model");
        world.run();
        [0, 1].map(|flow| {
            let flow = world.flow(FlowId(flow));
            flow.dropped.packets as f64 / flow.sent.packets as f64
        })
    }

    /// The loss ratios from the balance of flow across each cut of the chain, up by whole bulks and
    /// down by single packets.
    fn theory(&self) -> [f64; 2] {
        let places = self.places as usize;
        let taken = |n: usize, count: usize| match self.whole {
            true if n + count > places => 0,
            _ => count.min(places - n),
        };
        let mut p = vec![1.0];
        for cut in 0..places {
            let up = self.bulks.iter().map(|(load, count)| {
                let count = *count as usize;
                let over = (0..=cut).filter(|n| n + taken(*n, count) > cut);
                load / count as f64 * over.map(|n| p[n]).sum::<f64>()
            });
            let up = up.sum();
            p.push(up);
        }
        let total: f64 = p.iter().sum();
        self.bulks.map(|(_, count)| {
            let lost = |n: usize| 1.0 - taken(n, count as usize) as f64 / f64::from(count);
            (0..=places).map(|n| lost(n) * p[n]).sum::<f64>() / total
        })
    }
}

#[test]
fn losses_are_those_of_the_chain_of_bulks() {
    let bulks = [(0.05, 1), (0.45, 5)];
    let queues = [(12, true), (12, false), (6, true), (3, true)];
    for (places, whole) in queues {
        let queue = Queue {
            places,
            whole,
            bulks,
        };
        let runs: Vec<_> = (0..12).map(|r| queue.losses(50_000, r)).collect();
        for (flow, theory) in queue.theory().into_iter().enumerate() {
            let losses: Vec<f64> = runs.iter().map(|run| run[flow]).collect();
            // Eight statements jointly at 99.9 %.
            let interval = mean_interval(&losses, 1.0 - 0.001 / 8.0).expect("several runs");
            let holds = interval.contains(theory) || losses.iter().all(|loss| *loss == theory);
            assert!(holds, "{places} {whole} {flow}: {theory} {interval:?}");
        }
    }
}

#[test]
fn a_bulk_is_refused_whole_or_not_at_all() {
    let queue = Queue {
        places: 7,
        whole: true,
        bulks: [(0.1, 1), (0.9, 5)],
    };
    let mut model = queue.model(2_000, 0);
    model.warmup = Span::ZERO;
    let mut world = World::new(model).expect("a sound model");
    world.run();
    let flow = world.flow(FlowId(1));
    assert_eq!(flow.dropped.packets % 5, 0);
    assert!(flow.dropped.packets > 0 && flow.delivered.packets > 0);
    let link = world.link(LinkId(0));
    assert_eq!(
        link.dropped.packets,
        flow.dropped.packets + world.flow(FlowId(0)).dropped.packets
    );
}
