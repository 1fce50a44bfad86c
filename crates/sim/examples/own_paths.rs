//! A user-defined choice of paths in one file: two choices and a memory, as in DRILL (Ghorbani et al.,
//! SIGCOMM 2017).
//!
//! DRILL chooses in the switch; here the sender does, when its host sends a packet. Its host is near and
//! fast, so that it sees what its switch would see. With hosts as slow and as far as the other links all
//! senders take the path that was empty when they looked, and more waits than with random paths.
//!
//!     cargo run --release -p pacesim --example own_paths

use pacesim::model::path_choice::{OwnPathChoice, PathChoice, Ways};
use pacesim::model::{Model, PathRule, Sizes, Spray, Traffic};
use pacesim::random::{Rng, Stream};
use pacesim::units::{Bytes, NodeId, Rate, Span, Time};
use pacesim::{BuildError, World};

/// The least loaded of two random paths and of the best one of the packet before.
struct TwoChoices {
    best: Option<usize>,
    stream: Stream,
}

impl PathChoice for TwoChoices {
    fn pick(&mut self, _now: Time, ways: &Ways<'_>) -> usize {
        let count = ways.paths.len();
        let mut random = || (self.stream.next_u64() % count as u64) as usize;
        let drawn = [random(), random()];
        // After a change of routes there may be fewer paths.
        let before = self.best.filter(|best| *best < count);
        let candidates = drawn.into_iter().chain(before);
        let best = candidates.min_by_key(|path| ways.waiting_on(*path));
        self.best = best;
        best.unwrap_or(0)
    }
}

const SPINES: u32 = 4;
const HOSTS: u32 = 4;

/// Two leaves with four spines; each host of the first sends to one of the second at random times, so that
/// the lines between carry 90 %.
fn fabric(path: PathRule) -> Model {
    let fabric = (Rate::from_mbps(10_000), Span::from_us(1));
    let access = (Rate::from_mbps(100_000), Span::ZERO);
    let mut model = Model::new("two choices", Span::from_ms(50));
    model.warmup = Span::from_ms(5);
    let leaves = [0, 1].map(|i| model.add_node(format!("leaf[{i}]")));
    let wire = |model: &mut Model, from: NodeId, to: NodeId, (rate, delay): (Rate, Span)| {
        model.add_link(from, to, rate, delay);
        model.add_link(to, from, rate, delay);
    };
    for i in 0..SPINES {
        let spine = model.add_node(format!("spine[{i}]"));
        for leaf in leaves {
            wire(&mut model, leaf, spine, fabric);
        }
    }
    for i in 0..HOSTS {
        let [from, to] = [0, 1].map(|side| {
            let host = model.add_node(format!("host[{}]", side * HOSTS + i));
            wire(&mut model, host, leaves[side as usize], access);
            host
        });
        let size = Sizes::Constant(Bytes(1500));
        let rate = Rate::from_mbps(9000);
        let flow = model.add_flow(from, to, Traffic::Poisson { rate, size });
        model.flows[flow.index()].path = path;
    }
    let choice = |stream| TwoChoices { best: None, stream };
    model.path_choice = Some(OwnPathChoice::new("two choices", choice));
    model
}

/// The mean number of bytes waiting at the ports between leaves and spines.
fn queued(path: PathRule) -> Result<f64, BuildError> {
    let mut world = World::new(fabric(path))?;
    world.run();
    let rows = world.link_rows();
    let is_between = |name: &str| name.starts_with("leaf") || name.starts_with("spine");
    let between = rows
        .iter()
        .filter(|row| is_between(&row.from) && is_between(&row.to));
    Ok(between.map(|row| row.queue_mean_bytes).sum())
}

fn main() -> Result<(), BuildError> {
    for (name, path) in [
        ("random spray", PathRule::Sprayed(Spray::Random)),
        ("permuted spray", PathRule::Sprayed(Spray::Permuted)),
        ("two choices", PathRule::Own),
    ] {
        println!(
            "{name}: {:.0} bytes wait between leaves and spines",
            queued(path)?
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_choices_and_a_memory_leave_less_waiting_than_random_spray() -> Result<(), BuildError> {
        let [random, chosen] = [PathRule::Sprayed(Spray::Random), PathRule::Own].map(queued);
        let (random, chosen) = (random?, chosen?);
        assert!(chosen < 0.5 * random, "{chosen} for {random}");
        Ok(())
    }

    #[test]
    fn runs_are_repeated_to_the_bit() -> Result<(), BuildError> {
        let run = || -> Result<u64, BuildError> {
            let mut world = World::new(fabric(PathRule::Own))?;
            world.run();
            Ok(world.fingerprint())
        };
        assert_eq!(run()?, run()?);
        Ok(())
    }

    #[test]
    fn a_choice_that_is_missing_is_refused() {
        let mut model = fabric(PathRule::Own);
        model.path_choice = None;
        let refused = World::new(model).err().map(|error| error.to_string());
        let text = "flow 0 leaves its paths to the model's own choice, which is missing";
        assert_eq!(refused.as_deref(), Some(text));
    }
}
