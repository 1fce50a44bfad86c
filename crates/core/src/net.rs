//! Packets, links with their queues, and the network that forwards.
//!
//! A link is one direction of a wire with the port that feeds it. On a work-conserving FIFO port
//! the departure is known when a packet is accepted, so queue and wire are one FIFO of packets with
//! their arrival times at the far end. A hop costs one event, or none if all packets of a port
//! arrive over one link. [`Network`] moves packets along their routes until one arrives or a timer
//! is due.
//!
//! Features of few links and routes cost the others nothing: a port may have [`Stage`]s before its
//! line (a gate, and a queue in place of the FIFO), the ports of a node may share a [`Switch`], a
//! route may lead through [`Middlebox`]es.

mod backlog;
mod counters;
mod hold;
mod host;
mod link;
mod loss;
mod middlebox;
mod middlebox_laws;
mod network;
mod packet;
mod payloads;
mod port;
mod probe;
mod room;
mod script;
mod stage;
mod switch;
mod transits;
mod waits;
mod wire;

pub use counters::{Counters, Volume};
pub use hold::HoldCounters;
pub use host::{HostDelays, Stalls};
use link::Links;
pub use link::fingerprint_of_all;
pub use loss::{LossModel, LossProcess};
pub use middlebox::{Middlebox, MiddleboxCounters, Step};
pub use middlebox_laws::middlebox_laws;
pub use network::{
    Arrivals, ChooserId, Fittings, ForkId, Hop, Mail, MiddleboxId, Network, Occurrence, Outage,
    RouteId, Use,
};
pub use pacesim_units::port::{Line, Mark, Reason, Turn};
pub use packet::{Ecn, Flags, Kind, Packet};
pub use payloads::Telemetric;
use port::Accepted;
pub use probe::{DropCause, Passage, Probe};
pub use room::LinkConfig;
use room::Room;
pub use script::{DropRule, Script};
pub use stage::{Absent, Parts, Stage};
pub use switch::{
    Frame, HeldClasses, MemoryCounters, Moment, Offered, PauseCounters, Signal, Switch,
};
pub use transits::{Transit, Transits};
