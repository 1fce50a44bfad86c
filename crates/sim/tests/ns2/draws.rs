//! The delays and rates that ns-2 drew for its seeds: with a dozen of them, the draw moves a mean
//! by more than its deviation between seeds.

use pacesim::model::Model;
use pacesim::units::{Rate, Span};

/// ns-2's generator, MRG32k3a (L'Ecuyer 1999), with its whole state set to the seed.
struct Generator {
    first: [i64; 3],
    second: [i64; 3],
}

impl Generator {
    fn seeded(seed: u64) -> Generator {
        let state = [seed as i64; 3];
        Generator {
            first: state,
            second: state,
        }
    }

    /// A uniform draw between two values.
    fn uniform(&mut self, low: f64, high: f64) -> f64 {
        const M: [i64; 2] = [4_294_967_087, 4_294_944_443];
        let step = |state: &mut [i64; 3], sum: i64, m: i64| {
            let next = sum.rem_euclid(m);
            *state = [state[1], state[2], next];
            next
        };
        let sum = 1_403_580 * self.first[1] - 810_728 * self.first[0];
        let a = step(&mut self.first, sum, M[0]);
        let sum = 527_612 * self.second[2] - 1_370_589 * self.second[0];
        let b = step(&mut self.second, sum, M[1]);
        let difference = if a > b { a - b } else { a - b + M[0] };
        // ns-2 goes through 31 bits.
        let bits = (difference as f64 * 2.328_306_549_295_728e-10 * 2_147_483_648.0).floor();
        low + bits / 2_147_483_647.0 * (high - low)
    }
}

/// Applies ns-2's draws for a seed to a model: the access routers, the tree, or sources at the
/// core.
pub(crate) fn apply(model: &mut Model, seed: u64) {
    let mut draws = Generator::seeded(seed);
    let has = |name: &str| model.links.iter().any(|link| link.name == name);
    match (has("near[0]"), has("edge[0]")) {
        (true, _) => routers(model, &mut draws),
        (_, true) => tree(model, &mut draws),
        _ => sources(model, &mut draws),
    }
}

/// Draws for sources that each have their own link to the core.
fn sources(model: &mut Model, draws: &mut Generator) {
    for i in 0..2000 {
        let rate = draws.uniform(8e6, 12e6);
        let delay = draws.uniform(0.004, 0.010);
        set(model, "access", i, Some(rate), delay);
        draws.uniform(0.0, 10.0); // Start of the flow.
    }
}

fn routers(model: &mut Model, draws: &mut Generator) {
    for (name, count) in [("exit", 10), ("outer", 20)] {
        for i in 0..count {
            let delay = draws.uniform(0.001, 0.010);
            set(model, name, i, None, delay);
        }
    }
}

fn tree(model: &mut Model, draws: &mut Generator) {
    for i in 0..10 {
        for name in ["edge", "edge_out"] {
            let delay = draws.uniform(0.005, 0.015);
            set(model, name, i, None, delay);
        }
    }
    for i in 0..1000 {
        for name in ["access", "exit"] {
            let rate = draws.uniform(8e6, 12e6);
            let delay = draws.uniform(0.001, 0.005);
            set(model, name, i, Some(rate), delay);
        }
        draws.uniform(0.0, 10.0); // Start of the user.
    }
}

/// Sets both directions of the link with this number.
fn set(model: &mut Model, name: &str, i: usize, rate: Option<f64>, delay: f64) {
    let names = [format!("{name}[{i}]"), format!("{name}.back[{i}]")];
    let links = model.links.iter_mut();
    let mut found = 0;
    for link in links.filter(|link| names.iter().any(|name| link.name == *name)) {
        link.delay = Span::from_secs_f64(delay).expect("a delay");
        if let Some(rate) = rate {
            link.rate = Rate::from_bps(rate as u64).expect("a rate");
        }
        found += 1;
    }
    assert_eq!(found, 2, "{names:?}");
}

#[test]
fn the_generator_gives_what_ns2_printed() {
    // A thousandth of the tick phase of the first connection with seed 1.
    let drawn = Generator::seeded(1).uniform(0.0, 0.01);
    assert!(
        (drawn / 3.395_769_746_692_744e-6 - 1.0).abs() < 1e-12,
        "{drawn}"
    );
}
