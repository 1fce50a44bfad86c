//! The rules by which flows choose among paths of equal cost, from the keys of [run].

use pacesim_keys::{Multipath, Run};
use pacesim_model::{Flow, Hashed, PathRule};
use pacesim_units::Span;

/// The pause that begins a flowlet if the file gives none.
const FLOWLET_GAP: Span = Span::from_us(100);

/// The links that a switch draws for each packet in files, beside that of the packet before: DRILL(2, 1).
const CHOICES: u32 = 2;

/// Gives each flow without a path of its own the rule of the scenario.
pub(crate) fn choose(run: &Run, flows: &mut [Flow]) {
    for (number, flow) in (0..).zip(flows) {
        if flow.path == PathRule::First {
            flow.path = rule(run, number);
        }
    }
}

fn rule(run: &Run, number: u32) -> PathRule {
    match run.multipath {
        Multipath::None => PathRule::First,
        Multipath::Flow => PathRule::Hashed(Hashed::Connection(number)),
        Multipath::Hosts => PathRule::Hashed(Hashed::Hosts),
        Multipath::Packet => PathRule::Sprayed(run.spray.unwrap_or_default()),
        Multipath::Least => PathRule::LeastLoaded(CHOICES),
        Multipath::Flowlet => PathRule::Flowlets(run.flowlet_gap.unwrap_or(FLOWLET_GAP)),
    }
}
