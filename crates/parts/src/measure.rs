//! A program's own measures, taken in the runs of studies.

use std::fmt;
use std::sync::Arc;

use pacesim_core::net::Packet;
use pacesim_model::Model;
use pacesim_units::{LinkId, Time};

/// A measure of the packets of a run, from the end of its warm-up on. Calls come in the order of
/// time.
pub trait Measure: Send {
    /// A port's line took a packet, whose last bit departs then. The call comes at the packet's arrival
    /// where the port is plain, and at the start of its transmission where a stage holds packets: a
    /// discipline, or the queue of a link that an event changes.
    fn accepted(&mut self, now: Time, link: LinkId, packet: &Packet, departs: Time) {
        let _ = (now, link, packet, departs);
    }

    /// A packet was dropped at a port, or lost on its wire.
    fn dropped(&mut self, now: Time, link: LinkId, packet: &Packet) {
        let _ = (now, link, packet);
    }

    /// A packet reached the end of its route.
    fn delivered(&mut self, now: Time, packet: &Packet) {
        let _ = (now, packet);
    }

    /// The numbers at the end of the run, in the order of their names; `None` for one without a
    /// value.
    fn numbers(&self, end: Time) -> Vec<Option<f64>>;
}

type Make = dyn Fn(&Model) -> Box<dyn Measure> + Send + Sync;

/// A user's measure: its name, the names of its numbers, and its constructor.
#[derive(Clone)]
pub struct OwnMeasure {
    name: &'static str,
    numbers: &'static [&'static str],
    make: Arc<Make>,
}

impl OwnMeasure {
    /// A measure of this name with these numbers, constructed for each run.
    pub fn new<M: Measure + 'static>(
        name: &'static str,
        numbers: &'static [&'static str],
        make: impl Fn(&Model) -> M + Send + Sync + 'static,
    ) -> OwnMeasure {
        OwnMeasure {
            name,
            numbers,
            make: Arc::new(move |model| Box::new(make(model))),
        }
    }

    /// Names of the numbers of the measure.
    pub fn numbers(&self) -> &'static [&'static str] {
        self.numbers
    }

    /// The measure of a run of this model.
    pub fn build(&self, model: &Model) -> Box<dyn Measure> {
        (self.make)(model)
    }
}

impl fmt::Debug for OwnMeasure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
