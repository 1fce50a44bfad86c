//! The overhead of measurement: a pacer that does nothing.

use std::hint::black_box;

use pacesim_pacers::{Pacer, Pending, Refused, Release, Waiting};
use pacesim_units::{FlowId, Time};

/// Returns a dummy packet for each arrival, and holds none.
#[derive(Default)]
pub struct Null {
    has_one: bool,
}

impl Pacer for Null {
    fn enqueue(&mut self, _now: Time, packet: Pending) -> Result<(), Refused> {
        black_box((packet.key, packet.size));
        self.has_one = true;
        Ok(())
    }

    fn dequeue(&mut self, _now: Time) -> Option<Pending> {
        self.has_one.then(|| {
            self.has_one = false;
            Pending::new(0, FlowId(0), 1)
        })
    }

    fn next_release(&self) -> Release {
        if self.has_one {
            Release::At(Time::ZERO)
        } else {
            Release::Idle
        }
    }

    fn waiting(&self) -> Waiting {
        Waiting::default()
    }
}
