//! Sources against their laws, and user-defined sources in a world.

use pacesim::World;
use pacesim::model::self_similar::{Burstiness, FractionalNoise, ParetoOnOff, Sessions};
use pacesim::model::{Arrival, Distribution, Model, Phase, Sizes, Traffic};
use pacesim::random::{Stream, Streams, unit_below_one};
use pacesim::source::{AnySource, Emission, OwnSource, Source, laws};
use pacesim::units::{Bytes, FlowId, NodeId, Rate, Span, Time};

/// Every built-in kind of traffic that has a source.
fn zoo() -> Vec<Traffic> {
    let (rate, size) = (Rate::from_mbps(8), Bytes(1000));
    let arrival = |n: u64| Arrival {
        at: Span::from_us(n / 3),
        size: Bytes(40 + n),
    };
    let drawn = Sizes::Drawn(Distribution::Uniform {
        low: 40.0,
        high: 1500.0,
    });
    let on_off = |phase| Traffic::OnOff {
        peak: rate,
        size,
        mean_on: Span::from_ms(1),
        mean_off: Span::from_ms(2),
        phase,
    };
    let burstiness = Burstiness {
        beta: 0.4,
        over: Span::from_ms(1),
    };
    vec![
        Traffic::Cbr { rate, size },
        Traffic::Bulks {
            rate,
            size: drawn.clone(),
            count: 5,
        },
        Traffic::FractionalNoise(FractionalNoise {
            rate,
            size,
            hurst: 0.85,
            burstiness,
            slot: Span::from_ms(1),
            lasts: Span::from_secs(10),
        }),
        Traffic::Sessions(Sessions {
            rate,
            size,
            hurst: 0.85,
            burstiness,
            mean: Span::from_ms(10),
        }),
        Traffic::ParetoOnOff(ParetoOnOff {
            sources: 20,
            peak: rate,
            size,
            mean_on: Span::from_ms(10),
            mean_off: Span::from_ms(50),
            hurst: 0.85,
        }),
        Traffic::Poisson { rate, size: drawn },
        on_off(Phase::Random),
        on_off(Phase::Off),
        Traffic::Recorded((0..500).map(arrival).collect()),
        Traffic::Recorded([].into()),
    ]
}

#[test]
fn every_built_in_source_keeps_the_laws() {
    for traffic in zoo() {
        for seed in 0..10 {
            let streams = Streams {
                seed,
                replication: 0,
            };
            let make = || AnySource::new(&traffic, &streams, "flow/test[0]");
            let packets = laws::check(make, 1000).expect("it keeps the laws");
            match &traffic {
                Traffic::Recorded(arrivals) => assert_eq!(packets.len(), arrivals.len()),
                _ => assert_eq!(packets.len(), 1000),
            }
        }
    }
}

/// A packet per millisecond, ten in all, with a fault.
struct Faulty {
    fault: &'static str,
    sent: u32,
    number: u32,
}

impl Source for Faulty {
    fn next(&mut self) -> Option<Emission> {
        self.sent += 1;
        let n = self.sent;
        let ended = n > 10 && self.fault != "progress";
        if ended && !(self.fault == "the end" && n == 13) {
            return None;
        }
        let gap = match self.fault {
            "progress" => Span::ZERO,
            "repeatable" => Span::from_ms(1 + u64::from(self.number)),
            _ => Span::from_ms(1),
        };
        let size = if self.fault == "sizes" && n == 7 {
            0
        } else {
            100
        };
        Some(Emission { gap, size })
    }
}

#[test]
fn the_laws_find_every_planted_fault() {
    let check = |fault| {
        let mut number = 0;
        let make = || {
            number += 1;
            Faulty {
                fault,
                sent: 0,
                number,
            }
        };
        laws::check(make, 2 * laws::MOST_AT_ONCE)
    };
    assert_eq!(check("none").map(|packets| packets.len()), Ok(10));
    for law in ["sizes", "progress", "the end", "repeatable"] {
        assert_eq!(check(law).expect_err("a planted fault").law, law);
    }
}

/// A few packets of one size, at random times within a millisecond of each other.
struct Few {
    left: u32,
    size: u32,
    random: Stream,
}

impl Source for Few {
    fn next(&mut self) -> Option<Emission> {
        self.left = self.left.checked_sub(1)?;
        let gap = Span::from_ns((1e6 * unit_below_one(&mut self.random)) as u64);
        let size = self.size;
        Some(Emission { gap, size })
    }
}

fn few(left: u32, size: u32) -> OwnSource {
    OwnSource::new("few", move |feed| Few {
        left,
        size,
        random: feed.stream,
    })
}

fn model(traffic: Traffic) -> Model {
    let mut model = Model::new("one link", Span::from_secs(1));
    let (a, b) = (model.add_node("a"), model.add_node("b"));
    model.add_link(a, b, Rate::from_mbps(10), Span::from_ms(5));
    model.add_flow(a, b, traffic);
    model
}

#[test]
fn a_models_own_source_is_made_anew_for_each_flow_and_replication() {
    let run = |replication| {
        let mut model = model(Traffic::Own(few(100, 500)));
        model.replication = replication;
        model.add_flow(NodeId(0), NodeId(1), Traffic::Own(few(100, 500)));
        let mut world = World::new(model).expect("a good model");
        world.run();
        let delay = |flow| {
            let tally = world.flow(FlowId(flow));
            assert_eq!(tally.delivered.packets, 100);
            tally.delay_ps.mean().expect("packets")
        };
        (world.fingerprint(), delay(0), delay(1))
    };
    assert_eq!(run(0), run(0));
    assert_ne!(run(0).0, run(1).0);
    assert_ne!(run(0).1, run(0).2, "flows have streams of their own");
}

#[test]
fn a_source_is_replaced_before_the_run_and_starts_with_its_flow() {
    let (rate, size) = (Rate::from_mbps(8), Bytes(1000));
    let mut model = model(Traffic::Cbr { rate, size });
    model.flows[0].start = Time::ZERO + Span::from_ms(100);
    model.flows[0].stop = Some(Time::ZERO + Span::from_ms(103));
    let mut world = World::new(model).expect("a good model");
    // One per millisecond, ten in all: those at 100, 101 and 102 ms precede the flow's stop.
    let faultless = Faulty {
        fault: "none",
        sent: 1,
        number: 0,
    };
    world.set_source(FlowId(0), Box::new(AtOnce(faultless, true)));
    world.run_until(Time::ZERO + Span::from_us(99_999));
    assert_eq!(world.flow(FlowId(0)).sent.packets, 0);
    world.run_until(Time::ZERO + Span::from_ms(100));
    assert_eq!(world.flow(FlowId(0)).sent.packets, 1);
    world.run();
    assert_eq!(world.flow(FlowId(0)).sent.bytes, 300);
    assert_eq!(world.flow(FlowId(0)).delivered.packets, 3);
}

/// The packets of [`Faulty`], the first one at once.
struct AtOnce(Faulty, bool);

impl Source for AtOnce {
    fn next(&mut self) -> Option<Emission> {
        let mut emission = self.0.next()?;
        if std::mem::take(&mut self.1) {
            emission.gap = Span::ZERO;
        }
        Some(emission)
    }
}

#[test]
#[should_panic(expected = "a source is replaced before the run")]
fn a_source_is_not_replaced_under_way() {
    let (rate, size) = (Rate::from_mbps(8), Bytes(1000));
    let mut world = World::new(model(Traffic::Cbr { rate, size })).expect("a good model");
    world.run_until(Time::ZERO + Span::from_ms(1));
    let source = AtOnce(
        Faulty {
            fault: "none",
            sent: 0,
            number: 0,
        },
        false,
    );
    world.set_source(FlowId(0), Box::new(source));
}
