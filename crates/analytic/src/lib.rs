//! Theory for comparison with simulation: closed forms and exact solvers for small buffers, pacing,
//! FEC and TCP.
//!
//! **Purpose.** It is the oracle that judges the simulator, so it shares no code with it: this
//! crate may depend on units and mathematics, but not on events, packets in flight, or the
//! simulator's crates. It reads no clock, draws no random numbers, and gives the same bits on every
//! machine (all transcendental functions are libm's).
//!
//! **Layout.**
//!
//! | question | module |
//! | --- | --- |
//! | loss and queue of a finite buffer with bulks | [`bulk`], with deterministic service [`bulk_det`] |
//! | any other chain with short steps | [`markov`] |
//! | why UDP loses more in a larger buffer | [`anomaly`] |
//! | FEC over one link, over a network | [`fec`], [`fec_network`] |
//! | QLBP pacing: delays, filter, covariance | [`qlbp`] |
//! | what edge pacing does to TCP | [`edge`] |
//! | how much buffer, how much TCP throughput | [`buffer`], [`throughput`] |
//! | windows against loss and marks | [`response`], of DCTCP [`dctcp`], of BBR beside others [`bbr_share`] |
//! | long TCP flows over one queue | [`tcp_port`], equilibria of active queues [`aqm`] |
//! | M/M/1, M/D/1, M/G/1, with and without limit | [`queueing`] |
//! | all of them by name, for a program | [`catalogue`] |
//!
//! **Order of calls.** Fill a plain struct (or call a constructor, which checks), then query it.
//! Users' mistakes are returned as a [`SolveError`] that names the violated condition and the
//! admissible range. A program that lists models and parses strings needs only
//! [`catalogue::solve`].
//!
//! **Sources.** *zerobuf*: Sivaraman, Vishwanath, Thottan, Dovrolis, "Routers and
//! Networks with Near-Zero Buffers". *qlbp11*: Cai, Wolf, Gong, "Delaying
//! Transmissions in Data Communication Networks to Improve Transport-Layer
//! Performance", JSAC 2011. *impact*: Cai, Hanay, Wolf, "A Study of the Impact of
//! Network Traffic Pacing from Network and End-User Perspectives". *edge*: Habibi
//! Gharakheili, Vishwanath, Sivaraman, "Edge versus Host Pacing of TCP Traffic in
//! Small Buffer Networks".
//!
//! ```
//! use pacesim_analytic::anomaly::Anomaly;
//! use pacesim_analytic::catalogue;
//! use pacesim_units::Bytes;
//!
//! // As a library: UDP loss at 8 KB beside TCP (zerobuf Fig. 10).
//! let solution = Anomaly::default().solve(Bytes(8_000))?;
//! assert!((solution.classes[0].loss_customers - 1.8551626e-4).abs() < 1e-10);
//!
//! // As a program would ask: by name, with texts.
//! let fec = catalogue::solve("fec", &[("loads", "0.3")])?;
//! assert_eq!(fec.value("best_k_at_load_0.3"), Some(3.0));
//! # Ok::<(), pacesim_analytic::SolveError>(())
//! ```

pub mod anomaly;
pub mod aqm;
pub mod bbr_share;
pub mod buffer;
pub mod bulk;
pub mod bulk_det;
pub mod catalogue;
pub mod dctcp;
pub mod edge;
mod error;
pub mod fabric;
pub mod fec;
pub mod fec_network;
pub mod markov;
mod numeric;
pub mod qlbp;
pub mod queueing;
pub mod response;
mod service;
pub mod srpt;
mod stationary;
pub mod tcp_port;
pub mod throughput;

pub use error::{Range, SolveError};
pub use service::Service;
pub use stationary::Stationary;
