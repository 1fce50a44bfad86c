//! Packet loss on a wire or at a port, random or scripted.

use std::fmt;
use std::sync::Arc;

use pacesim_core::net::{LossModel, Packet};
use pacesim_units::{FlowId, Time};

use crate::port::Port;

/// A scripted drop on arrival at a port; counts are from one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScriptedDrop {
    /// The k-th packet to arrive at the port.
    Packet {
        /// The packet's number in order of arrival, from one.
        k: u64,
    },
    /// The k-th arrival of a data packet of this flow with this sequence number.
    Sequence {
        /// Flow of the packet.
        flow: FlowId,
        /// Sequence number of the packet.
        seq: u32,
        /// Number of the arrival of this packet, from one.
        k: u32,
    },
    /// The k-th arrival of an acknowledgement of this flow with this number.
    Ack {
        /// Flow of the acknowledgement.
        flow: FlowId,
        /// Number that is acknowledged.
        ack: u32,
        /// Number of the arrival of this acknowledgement, from one.
        k: u32,
    },
}

/// Random loss on a wire.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Loss {
    /// Losses that are independent from packet to packet.
    Bernoulli {
        /// Probability of a loss, from 0 to 1.
        probability: f64,
    },
    /// A two-state chain that takes one step per packet.
    GilbertElliott {
        /// Probability of a change from good to bad, per packet.
        to_bad: f64,
        /// Probability of a change from bad to good, per packet.
        to_good: f64,
        /// Loss probability in the good state.
        loss_good: f64,
        /// Loss probability in the bad state.
        loss_bad: f64,
    },
}

/// A user's loss model: its name, and its constructor for the wire behind a port.
#[derive(Clone)]
pub struct OwnLoss {
    name: String,
    make: Arc<dyn Fn(Port) -> Box<dyn LossModel> + Send + Sync>,
}

impl OwnLoss {
    /// A loss model of this name, constructed for each link and replication.
    pub fn new<M: LossModel + 'static>(
        name: impl Into<String>,
        make: impl Fn(Port) -> M + Send + Sync + 'static,
    ) -> OwnLoss {
        OwnLoss {
            name: name.into(),
            make: Arc::new(move |port| Box::new(make(port))),
        }
    }

    /// Name of the loss model.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Builds the model for the wire behind this port.
    pub fn build(&self, port: Port) -> Box<dyn LossModel> {
        (self.make)(port)
    }
}

/// Loss models are equal only if they are copies of the same one.
impl PartialEq for OwnLoss {
    fn eq(&self, other: &OwnLoss) -> bool {
        Arc::ptr_eq(&self.make, &other.make)
    }
}

impl fmt::Debug for OwnLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// Parameters of a loss of every n-th packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PeriodicLoss {
    /// The number of packets, the last of which is lost.
    pub every: u32,
}

/// A loss model that loses every n-th packet.
#[derive(Debug)]
struct Periodic {
    every: u32,
    passed: u32,
}

impl PeriodicLoss {
    /// The periodic loss as a part of a model.
    pub fn part(self) -> OwnLoss {
        let PeriodicLoss { every } = self;
        OwnLoss::new("periodic", move |_| Periodic { every, passed: 0 })
    }
}

impl LossModel for Periodic {
    fn loses(&mut self, _: Time, _: &Packet) -> bool {
        let is_last = self.passed + 1 >= self.every;
        self.passed = if is_last { 0 } else { self.passed + 1 };
        is_last
    }
}
