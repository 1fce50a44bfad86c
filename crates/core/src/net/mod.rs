//! Packets, links with their queues, and the network that forwards.
//!
//! A [`Link`] is one direction of a wire with the port that feeds it. On a
//! work-conserving FIFO port the departure is known when a packet is accepted, so
//! queue and wire are one FIFO of packets with their arrival times at the far end,
//! and a hop costs one event. [`Network`] moves packets along their routes until
//! one has arrived or a timer is due. A port may have a [`Gate`] before its queue.

mod counters;
mod gate;
mod link;
mod loss;
mod network;
mod packet;
mod probe;
mod room;
mod script;
mod transits;

pub use counters::{Counters, Volume};
use gate::Hold;
pub use gate::{Gate, HoldCounters, NoGate};
pub use link::{Accepted, Link};
pub use loss::Loss;
pub use network::{Network, Occurrence, RouteId};
pub use packet::{Kind, Packet};
pub use probe::{DropCause, Passage, Probe};
pub use room::LinkSpec;
use room::Room;
pub use script::{Script, ScriptedDrop};
pub use transits::{Transit, Transits};
