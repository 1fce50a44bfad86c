//! Deterministic packet-level network simulation as a library.
//!
//! A [`Model`](model::Model) describes a network and its traffic; a [`World`] runs it to the end
//! ([`World::run`]), until a time ([`World::run_until`]) or step by step ([`World::step`]). Read
//! its counters afterwards ([`World::link_rows`], [`World::flow_rows`]). A [`Probe`](net::Probe)
//! observes every packet on its path. There is no global state: worlds can run side by side on any
//! threads.
//!
//! The crate depends on no result format, no clock and no terminal.
//!
//! ```
//! use pacesim::World;
//! use pacesim::model::{Buffer, Model, Sizes, Traffic};
//! use pacesim::net::{DropCause, Packet, Probe};
//! use pacesim::units::{Bytes, Capacity, LinkId, Rate, Span, Time};
//!
//! #[derive(Default)]
//! struct Drops(u64);
//!
//! impl Probe for Drops {
//!     fn dropped(&mut self, _: Time, _: LinkId, _: &Packet, _: DropCause) {
//!         self.0 += 1;
//!     }
//! }
//!
//! let mut model = Model::new("one port", Span::from_secs(1));
//! let (a, b) = (model.add_node("a"), model.add_node("b"));
//! let port = model.add_link(a, b, Rate::from_mbps(10), Span::from_ms(5));
//! model.link_mut(port).buffer = Buffer::waiting(Capacity::Packets(8));
//! let (rate, size) = (Rate::from_mbps(12), Sizes::Constant(Bytes(1000)));
//! model.add_flow(a, b, Traffic::Poisson { rate, size });
//!
//! let mut world = World::watched(model, Drops::default())?;
//! world.run();
//! assert_eq!(world.link_rows()[0].dropped_pkts, world.probe().0);
//! assert!(world.link_rows()[0].utilisation > 0.95);
//! # Ok::<(), pacesim::BuildError>(())
//! ```
//!
//! To start from the text of a scenario: [`scenario::load`], then [`scenario::Checked::expand`].

mod cut;
pub mod delays;
mod lanes;
pub mod source;
mod world;

pub use cut::{Cut, Uncut};
pub use pacesim_core::{net, random};
pub use pacesim_fec as fec;
pub use pacesim_measure as measure;
pub use pacesim_model as model;
pub use pacesim_model::{middlebox, pacer, queue};
pub use pacesim_pacers as pacers;
pub use pacesim_queues as queues;
pub use pacesim_scenario as scenario;
pub use pacesim_scenario::recording;
pub use pacesim_tcp as tcp;
pub use pacesim_transport as transport;
pub use pacesim_units as units;
pub use world::{
    Amounts, BuildError, Divisible, Excess, Exit, Exits, Fate, FlowReading, FlowTally, GaveUp,
    Outside, Schedule, SendersReading, World,
};
