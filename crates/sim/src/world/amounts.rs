//! The data of a TCP flow and their times, for applications outside the world.

use pacesim_core::random::Streams;
use pacesim_tcp::Amount;
use pacesim_units::Time;

use super::application::Application;
use crate::model::{Carrier, Flow, Model, Tcp, Traffic};

/// The amounts that the application of a TCP flow hands over, drawn as for a simulated one.
///
/// The order of calls: [`next`](Amounts::next) at the first time, then [`started`](Amounts::started);
/// if that gives no time, [`acknowledged`](Amounts::acknowledged) once the amount is.
pub struct Amounts {
    application: Application,
    start: Time,
    carrier: Carrier,
    payload: u64,
}

impl Amounts {
    /// The amounts of a flow of a model, and the time of the first; none if it is not TCP.
    pub fn of(model: &Model, flow: &Flow) -> Option<(Amounts, Time)> {
        let Traffic::Tcp(tcp) = &flow.traffic else {
            return None;
        };
        let streams = Streams {
            seed: model.seed,
            replication: model.replication,
        };
        let name = format!("flow/{}[{}]", flow.group, flow.index);
        let tcp: &Tcp = tcp;
        let (application, first) = Application::new(tcp, flow.start, &streams, &name);
        let amounts = Amounts {
            application,
            start: flow.start,
            carrier: tcp.load.carrier(),
            payload: tcp.config.payload.0,
        };
        Some((amounts, flow.start.saturating_add(first)))
    }

    /// The connections that carry them.
    pub fn carrier(&self) -> Carrier {
        self.carrier
    }

    /// Takes the next amount in bytes; the inner value is missing if it has no end.
    #[expect(
        clippy::should_implement_trait,
        reason = "its time decides when it is called"
    )]
    pub fn next(&mut self) -> Option<Option<u64>> {
        Some(match self.application.next()? {
            Amount::Endless => None,
            Amount::Packets(packets) => Some(u64::from(packets) * self.payload),
            Amount::Bytes(bytes) => Some(bytes.0),
        })
    }

    /// Time of the amount after one that was handed over now, unless it waits for the end of that.
    pub fn started(&mut self, now: Time) -> Option<Time> {
        self.application.after_start(self.start, now)
    }

    /// Time of the amount after one that is acknowledged now, if it waited for that.
    pub fn acknowledged(&mut self, now: Time) -> Option<Time> {
        self.application.after_last_ack(now)
    }
}
