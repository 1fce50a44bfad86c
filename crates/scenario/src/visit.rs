//! Visits of values that may be drawn.

use pacesim_keys::{Unit, Value};
use pacesim_model::range::Range;

/// The frequency with which a key is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Each {
    Link,
    Flow,
    /// Once for each flow, as the mean of its exponential phases.
    FlowsMean,
    Packet,
    Transfer,
    Stall,
}

impl Each {
    /// Words for use in a sentence.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Each::Link => "once for each link",
            Each::Flow => "once for each flow",
            Each::FlowsMean => "once for each flow, as the mean of its exponential phases",
            Each::Packet => "for each packet",
            Each::Transfer => "for each transfer",
            Each::Stall => "for each stall",
        }
    }
}

/// A function of every value.
pub(crate) trait Visitor {
    fn visit<T: Unit>(&mut self, path: String, value: &Value<T>, range: Range<T>, each: Each);
}
