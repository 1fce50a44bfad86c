//! Pacers: queues that decide when their head is released.
//!
//! A pacer sits in front of a port. The port offers it packets, asks when the next may leave,
//! fetches it then, and transmits it at line rate from its own FIFO. Every pacer here is a
//! [`Pacer`] and keeps the laws of [`laws`], which can be run on any pacer (see the example
//! `own_pacer` of `pacesim`).
//!
//! | pacer | rule |
//! | --- | --- |
//! | [`Unpaced`] | releases at once |
//! | [`Qlbp`] | rate linear in the queue, line rate beyond a cutoff (2011) |
//! | [`QlbpBlocking`] | the same with each pause fixed at the release before it |
//! | [`Qlbp09`] | Algorithm 1 of 2009, and its prototype's variant |
//! | [`Hull`] | least peak rate within a delay bound, one class |
//! | [`HullMulti`] | the same for arbitrary deadlines, earliest first |
//! | [`TokenBucket`], [`LeakyBucket`], [`DeadlineFraction`] | baselines |
//! | [`Policer`] | no pacer, but a gate: a token bucket that drops |
//!
//! [`offline`] has the clairvoyant optimum, [`brute_hull`] the oracle of the hull pacers,
//! [`rule_of_thumb`] the papers' parameters for QLBP.
//!
//! This crate knows no engine, no link, no protocol and no clock: time is an argument that never
//! runs backwards. The order of calls: `enqueue` at an arrival; `next_release` after every call;
//! `dequeue` at that time, repeated until it is not ready.
//!
//! ```
//! use pacesim_pacers::{Hull, HullConfig, Pacer, Pending, Release};
//! use pacesim_units::{FlowId, Span, Time};
//!
//! let mut pacer = Hull::new(&HullConfig::new(Span::from_us(10)))?;
//! let us = |n: u64| Time::from_ps(n * 1_000_000);
//! // Two packets at once: due after 10 us together, so one leaves at 5 us.
//! for key in 0..2 {
//!     pacer.enqueue(us(0), Pending::new(key, FlowId(0), 1250)).expect("unlimited");
//! }
//! assert_eq!(pacer.next_release(), Release::At(us(5)));
//! assert_eq!(pacer.dequeue(us(4)), None);
//! assert_eq!(pacer.dequeue(us(5)).map(|packet| packet.key), Some(0));
//! assert_eq!(pacer.next_release(), Release::At(us(10)));
//! # Ok::<(), pacesim_pacers::InvalidConfig>(())
//! ```

/// Passes the list of built-in pacers to a macro.
#[macro_export]
macro_rules! built_in {
    ($of_list:ident) => {
        $of_list! {
            /// No pacing: packets are released at once.
            Unpaced,
            /// Queue-length based pacing, 2011.
            Qlbp,
            /// Queue-length based pacing that blocks the queue.
            QlbpBlocking,
            /// Queue-length based pacing, 2009.
            Qlbp09,
            /// The convex-hull pacer of one delay class.
            Hull,
            /// The convex-hull pacer of many classes, those of the flows.
            HullMulti,
            /// A token bucket.
            TokenBucket,
            /// A leaky bucket.
            LeakyBucket,
            /// A fixed share of the delay bound.
            DeadlineFraction,
            /// A recorded rate.
            RecordedRate,
            /// A token bucket that drops.
            Policer,
        }
    };
}

mod any;
mod block;
pub mod brute_hull;
mod built_in;
mod config;
mod curve;
mod deadline_curve;
mod deadline_fraction;
mod fifo;
mod hull;
mod hull_multi;
pub mod laws;
mod leaky_bucket;
mod meter;
pub mod offline;
mod opportunities;
mod pacer;
mod pieces;
mod policer;
mod qlbp;
mod qlbp09;
mod qlbp_blocking;
mod rate_law;
mod recorded_rate;
mod rule_of_thumb;
mod spaced;
mod steps;
mod token_bucket;
mod unpaced;

pub use any::AnyPacer;
pub use built_in::BuiltIn;
pub use config::{ConfigProblem, InvalidConfig};
pub use deadline_fraction::{DeadlineFraction, DeadlineFractionConfig};
pub use hull::{Hull, HullConfig, ReleaseRule};
pub use hull_multi::{HullMulti, HullMultiConfig};
pub use leaky_bucket::{LeakyBucket, LeakyBucketConfig};
pub use opportunities::Opportunities;
pub use pacer::{Feedback, Pacer, Pending, Refused, Release, Use, Waiting};
pub use policer::{Policer, PolicerConfig};
pub use qlbp::{Qlbp, QlbpConfig};
pub use qlbp_blocking::QlbpBlocking;
pub use qlbp09::{PlugIn, Qlbp09, Qlbp09Config};
pub use recorded_rate::{RecordedRate, RecordedRateConfig};
pub use rule_of_thumb::rule_of_thumb;
pub use steps::{Counted, NoStepCount, Steps};
pub use token_bucket::{TokenBucket, TokenBucketConfig};
pub use unpaced::{Unpaced, UnpacedConfig};
