//! Random models for property tests.

use pacesim::model::self_similar::{Burstiness, FractionalNoise, ParetoOnOff, Sessions};
use pacesim::model::{
    Arrival, Buffer, Distribution, Loss, Model, Phase, PortPacer, Sizes, Traffic,
};
use pacesim::units::{Bytes, Capacity, NodeId, Rate, Span, Time};
use proptest::prelude::*;

pub(crate) mod hosts;
pub(crate) mod pacers;
use pacers::pacers;

/// A small connected network with all kinds of links and traffic, run for 20 ms.
pub(crate) fn models() -> impl Strategy<Value = Model> {
    let links = prop::collection::vec((0u32..6, 0u32..6, any_link()), 1..10);
    let ring = prop::collection::vec(any_link(), 6);
    let flows = prop::collection::vec((0u32..6, 1u32..6, any_traffic(), 0u64..5), 1..8);
    (ring, links, flows, any::<u32>()).prop_map(|(ring, links, flows, seed)| {
        let mut model = Model::new("random", Span::from_ms(20));
        model.seed = u64::from(seed);
        for i in 0..6 {
            model.add_node(format!("node[{i}]"));
        }
        let around = ring
            .into_iter()
            .enumerate()
            .map(|(i, link)| (i as u32, (i as u32 + 1) % 6, link));
        for (from, to, link) in around.chain(links) {
            if from != to {
                add_link(&mut model, from, to, link);
            }
        }
        for (from, step, traffic, start) in flows {
            let flow = model.add_flow(NodeId(from), NodeId((from + step) % 6), traffic);
            model.flow_mut(flow).start = Time::ZERO + Span::from_ms(start);
        }
        model
    })
}

type AnyLink = (u64, u64, Buffer, Option<Loss>, Option<PortPacer>);

fn add_link(model: &mut Model, from: u32, to: u32, (bps, delay_ns, buffer, loss, pacer): AnyLink) {
    let rate = Rate::from_bps(bps).expect("not zero");
    let link = model.add_link(NodeId(from), NodeId(to), rate, Span::from_ns(delay_ns));
    model.link_mut(link).buffer = buffer;
    model.link_mut(link).extras.loss = loss;
    model.link_mut(link).extras.pacer = pacer;
}

fn any_link() -> impl Strategy<Value = AnyLink> {
    // Round rates and delays make event times coincide.
    let rate = prop_oneof![
        Just(8_000_000u64),
        Just(80_000_000),
        1_000_000u64..200_000_000
    ];
    let delay = prop_oneof![Just(0u64), Just(1_000_000), 0u64..3_000_000];
    let capacity = prop_oneof![
        Just(Capacity::Unlimited),
        (1u64..6).prop_map(Capacity::Packets),
        (1_000u64..6_000).prop_map(|n| Capacity::Bytes(Bytes(n))),
    ];
    let buffer = (capacity, any::<bool>()).prop_map(|(c, system)| {
        if system {
            Buffer::system(c)
        } else {
            Buffer::waiting(c)
        }
    });
    let loss = prop_oneof![
        4 => Just(None),
        1 => (0.0..0.3f64).prop_map(|probability| Some(Loss::Bernoulli { probability })),
        1 => Just(Some(Loss::GilbertElliott {
            to_bad: 0.1, to_good: 0.3, loss_good: 0.0, loss_bad: 0.8,
        })),
    ];
    (
        rate,
        delay,
        buffer,
        loss,
        prop::option::weighted(0.3, any_pacer()),
    )
}

/// Every pacer, slow enough to hold packets.
pub(crate) fn any_pacer() -> impl Strategy<Value = PortPacer> {
    let capacity = prop_oneof![
        Just(Capacity::Unlimited),
        (3u64..20).prop_map(Capacity::Packets)
    ];
    (0usize..8, 1u64..3000, capacity)
        .prop_map(|(kind, us, capacity)| pacers(Span::from_us(us), capacity).swap_remove(kind))
}

fn self_similar() -> impl Strategy<Value = Traffic> {
    let size = Bytes(500);
    let kinds = move |(kind, n, percent): (u8, u64, u32)| {
        let (rate, mean) = (Rate::from_mbps(n), Span::from_us(200 * n));
        let hurst = 0.5 + f64::from(percent) / 200.0;
        let burstiness = Burstiness {
            beta: f64::from(percent) / 100.0,
            over: Span::from_ms(1),
        };
        match kind {
            0 => Traffic::FractionalNoise(FractionalNoise {
                rate,
                size,
                hurst,
                burstiness,
                slot: Span::from_ms(1),
                lasts: Span::from_secs(1),
            }),
            1 => Traffic::Sessions(Sessions {
                rate,
                size,
                hurst,
                burstiness,
                mean,
            }),
            _ => Traffic::ParetoOnOff(ParetoOnOff {
                sources: percent,
                peak: rate,
                size,
                mean_on: mean,
                mean_off: Span::from_us(600 * n),
                hurst,
            }),
        }
    };
    (0u8..3, 1u64..20, 5u32..95).prop_map(kinds)
}

fn any_traffic() -> impl Strategy<Value = Traffic> {
    let mbps = Rate::from_mbps;
    prop_oneof![
        (1u64..20).prop_map(move |n| Traffic::Cbr {
            rate: mbps(n),
            size: Bytes(1000)
        }),
        (1u64..20).prop_map(move |n| Traffic::Poisson {
            rate: mbps(n),
            size: Sizes::Drawn(Distribution::Uniform {
                low: 40.0,
                high: 1500.0
            }),
        }),
        (1u64..40).prop_map(move |n| Traffic::OnOff {
            peak: mbps(n),
            size: Bytes(500),
            mean_on: Span::from_ms(1),
            mean_off: Span::from_ms(2),
            phase: Phase::Random,
        }),
        self_similar(),
        (1u64..20, 1u32..9).prop_map(move |(n, count)| Traffic::Bulks {
            rate: mbps(n),
            size: Sizes::Constant(Bytes(500)),
            count,
        }),
        prop::collection::vec((0u64..2000, 40u64..1500), 0..40).prop_map(|mut arrivals| {
            arrivals.sort_unstable();
            let arrival = |(us, size)| Arrival {
                at: Span::from_us(us),
                size: Bytes(size),
            };
            Traffic::Recorded(arrivals.into_iter().map(arrival).collect())
        }),
    ]
}
