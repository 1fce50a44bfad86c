//! Every value that may be drawn, in one list: its key, its range, and how often it is
//! drawn. Checks, warnings and notes all go through it.

mod check;
mod notes;
mod warnings;

use pacesim_core::random::samplers::Sampler;
use pacesim_model::range::{DELAY, LINE_RATE, MEAN_PHASE, Range, SIZE};
use pacesim_model::{Load, Pause, Sizes, Tcp};
use pacesim_units::{Bytes, Span};

pub(crate) use check::check;
pub(crate) use notes::notes;
pub(crate) use warnings::warnings;

use super::specs;
use crate::draw::source_rate;
use crate::language::{FlowGroup, LinkSpec, Scenario, TcpTraffic, Traffic};
use crate::values::{Unit, Value};

/// How often a key is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Each {
    Link,
    Flow,
    /// Once for each flow, as the mean of its exponential phases.
    FlowsMean,
    Packet,
    Transfer,
}

impl Each {
    /// The words for a sentence.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Each::Link => "once for each link",
            Each::Flow => "once for each flow",
            Each::FlowsMean => "once for each flow, as the mean of its exponential phases",
            Each::Packet => "for each packet",
            Each::Transfer => "for each transfer",
        }
    }
}

/// What is done with every value.
pub(crate) trait Visitor {
    fn visit<T: Unit>(&mut self, path: String, value: &Value<T>, range: Range<T>, each: Each);
}

/// Shows a visitor every value that may be drawn, in the order of the file.
pub(crate) fn visit(scenario: &Scenario, visitor: &mut impl Visitor) {
    for (path, spec) in specs(scenario) {
        of_links(&path, spec, visitor);
    }
    for (i, flow) in scenario.flows.iter().enumerate() {
        of_flows(&format!("flow[{i}]"), flow, visitor);
    }
}

fn of_links(path: &str, spec: &LinkSpec, visitor: &mut impl Visitor) {
    let both = [
        (path.to_owned(), Some(&spec.rate), &spec.delay),
        (
            format!("{path}.back"),
            spec.back.rate.as_ref(),
            &spec.back.delay,
        ),
    ];
    for (path, rate, delay) in both {
        if let Some(rate) = rate {
            visitor.visit(format!("{path}.rate"), rate, LINE_RATE, Each::Link);
        }
        if let Some(delay) = delay {
            visitor.visit(format!("{path}.delay"), delay, DELAY, Each::Link);
        }
    }
}

fn of_flows(path: &str, flow: &FlowGroup, visitor: &mut impl Visitor) {
    visitor.visit(format!("{path}.start"), &flow.start, DELAY, Each::Flow);
    let path = |key: &str| format!("{path}.traffic.{key}");
    let range = source_rate(&flow.traffic);
    match &flow.traffic {
        Traffic::Cbr { rate, .. } => visitor.visit(path("rate"), rate, range, Each::Flow),
        Traffic::Poisson { rate, size } => {
            visitor.visit(path("rate"), rate, range, Each::Flow);
            visitor.visit(path("size"), &of_sizes(size), SIZE, Each::Packet);
        }
        Traffic::OnOff {
            peak,
            mean_on,
            mean_off,
            ..
        } => {
            visitor.visit(path("peak"), peak, range, Each::Flow);
            visitor.visit(path("mean_on"), mean_on, MEAN_PHASE, Each::FlowsMean);
            visitor.visit(path("mean_off"), mean_off, MEAN_PHASE, Each::FlowsMean);
        }
        Traffic::Tcp(TcpTraffic { tcp, others }) => {
            of_transfers(&path("transfers"), tcp, visitor);
            let others = others.iter().filter(|others| others.tcp.load != tcp.load);
            others.for_each(|o| of_transfers(&path("others.transfers"), &o.tcp, visitor));
        }
        Traffic::Recorded(_) => (),
    }
}

fn of_transfers(path: &str, tcp: &Tcp, visitor: &mut impl Visitor) {
    if let Load::Transfers { size, pause, .. } = &tcp.load {
        let size = of_sizes(size);
        visitor.visit(format!("{path}.size"), &size, SIZE, Each::Transfer);
        let pause = match pause {
            Pause::Constant(pause) => Value::Constant(*pause),
            Pause::Drawn(distribution) => Value::Drawn(*distribution),
        };
        visitor.visit::<Span>(format!("{path}.pause"), &pause, DELAY, Each::Transfer);
    }
}

fn of_sizes(sizes: &Sizes) -> Value<Bytes> {
    match sizes {
        Sizes::Constant(size) => Value::Constant(*size),
        Sizes::Drawn(distribution) => Value::Drawn(*distribution),
    }
}

/// The probability of a value that is rounded to less than this.
fn share_below<T: Unit>(sampler: &Sampler, least: T) -> f64 {
    sampler.at_most(least.to_number() - 0.5)
}

/// The probability of a value that is rounded to more than this.
fn share_above<T: Unit>(sampler: &Sampler, most: T) -> f64 {
    1.0 - sampler.at_most(most.to_number() + 0.5)
}
