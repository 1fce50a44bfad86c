//! TCP's rate under random loss against the formulas of Mathis and of Padhye (PFTK), within their
//! stated validity: a factor of 1.5, and hardly any time-outs for the first.

use std::sync::Arc;

use pacesim::World;
use pacesim::model::{Load, Loss, Model, Tcp, Traffic};
use pacesim::tcp::{Config, Variant};
use pacesim::units::{Bytes, FlowId, Rate, Span};

const ROUND_TRIP: f64 = 0.1;
/// The minimum time-out of the ns-2 profile.
const TIMEOUT: f64 = 0.2;

/// Packets per second that one endless flow delivers over 100 ms and random loss.
fn rate(variant: Variant, probability: f64, window: f64) -> f64 {
    let seconds = 2000;
    let mut model = Model::new("random loss", Span::from_secs(seconds));
    let (a, b) = (model.add_node("a"), model.add_node("b"));
    let there = model.add_link(a, b, Rate::from_mbps(10_000), Span::from_ms(50));
    model.add_link(b, a, Rate::from_mbps(10_000), Span::from_ms(50));
    model.link_mut(there).extras.loss = Some(Loss::Bernoulli { probability });
    let mut config = Config::ns2(variant);
    config.window_cap = window;
    config.payload = Bytes(1000);
    config.header = Bytes(0);
    let config = Arc::new(config);
    let tcp = Tcp {
        config,
        load: Load::Endless,
        clock_phase: None,
        transport: None,
    };
    model.add_flow(a, b, Traffic::Tcp(tcp));
    let mut world = World::new(model).expect("a good model");
    world.run();
    let delivered = world
        .tcp_receiver(FlowId(0))
        .expect("the flow is TCP")
        .delivered();
    f64::from(delivered) / seconds as f64
}

/// Mathis, Semke, Mahdavi, Ott 1997, with every packet acknowledged.
fn mathis(p: f64) -> f64 {
    1.22 / (ROUND_TRIP * p.sqrt())
}

/// Padhye, Firoiu, Towsley, Kurose 1998, eq. (30), one packet per ACK.
fn pftk(p: f64, window: f64) -> f64 {
    let lost = 3.0 * (3.0 * p / 8.0).sqrt();
    let timeouts = TIMEOUT * lost.min(1.0) * p * (1.0 + 32.0 * p * p);
    (window / ROUND_TRIP).min(1.0 / (ROUND_TRIP * (2.0 * p / 3.0).sqrt() + timeouts))
}

fn within_half(what: &str, ours: f64, law: f64) {
    let ratio = ours / law;
    assert!(
        (1.0 / 1.5..=1.5).contains(&ratio),
        "{what}: {ours:.1} against {law:.1} packets/s"
    );
}

#[test]
fn rates_follow_mathis_where_time_outs_are_rare() {
    for variant in [Variant::Reno, Variant::NewReno, Variant::Sack] {
        for p in [0.0005, 0.001, 0.003, 0.01] {
            let ours = rate(variant, p, 10_000.0);
            within_half(&format!("Mathis, {variant:?} at {p}"), ours, mathis(p));
        }
    }
}

#[test]
fn rates_follow_pftk_with_time_outs_and_a_window_limit() {
    for variant in [Variant::Reno, Variant::NewReno, Variant::Sack] {
        for (p, window) in [
            (0.003, 10_000.0),
            (0.01, 10_000.0),
            (0.03, 10_000.0),
            (0.0005, 16.0),
        ] {
            let ours = rate(variant, p, window);
            within_half(
                &format!("PFTK, {variant:?} at {p}, window {window}"),
                ours,
                pftk(p, window),
            );
        }
    }
}

#[test]
fn four_times_the_loss_halves_the_rate() {
    let ratio = rate(Variant::Sack, 0.0005, 10_000.0) / rate(Variant::Sack, 0.002, 10_000.0);
    assert!((1.8..2.2).contains(&ratio), "{ratio}");
}
