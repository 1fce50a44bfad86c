//! Packet loss on a wire or at a port, random or scripted.

use pacesim_units::FlowId;

/// A scripted drop on arrival at a port; counts are from one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScriptedDrop {
    /// The k-th packet to arrive.
    Packet {
        /// The packet's number in order of arrival, from one.
        k: u64,
    },
    /// The k-th arrival of a data packet of this flow with this sequence number.
    Sequence {
        /// The flow.
        flow: FlowId,
        /// Its packet's sequence number.
        seq: u32,
        /// The number of the arrival of this packet, from one.
        k: u32,
    },
    /// The k-th arrival of an acknowledgement of this flow with this number.
    Ack {
        /// The flow.
        flow: FlowId,
        /// The number acknowledged.
        ack: u32,
        /// The number of the arrival of this acknowledgement, from one.
        k: u32,
    },
}

/// Random loss on a wire.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Loss {
    /// Each packet independently.
    Bernoulli {
        /// The probability, 0 to 1.
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
