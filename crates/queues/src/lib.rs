//! Queue disciplines: which packet a port's line sends next, and which are dropped.
//!
//! A discipline stands before the line of a port, behind the pacer if there is one. The
//! port offers it each packet that comes, and asks for the next whenever its line becomes
//! free. Every discipline here is a [`Queue`] and keeps the laws of [`laws`], which can be
//! run on anybody's own (see the example `own_queue` of `pacesim`).
//!
//! | discipline | rule |
//! | --- | --- |
//! | [`DropTail`] | first come, first served; what finds the buffer full is dropped |
//! | [`WholeBulks`] | the same, but packets that come together are taken all or none |
//! | [`StepMark`] | first come, first served; packets that find too much waiting are marked |
//! | [`DepartureLimit`] | first come, first served; packets that leave too long a queue are dropped |
//! | [`Codel`] | first come, first served; the head is dropped or marked if the queue has stood above a target |
//! | [`FqCodel`] | the same for each flow, and flows take turns |
//! | [`Red`] | first come, first served; arrivals are dropped or marked at random, the more the longer the mean queue |
//! | [`Pie`] | the same, by a probability that follows the delay |
//! | [`DualPi2`] | a queue for L4S flows beside a classic one, coupled by their marks and drops |
//! | [`StrictPriority`] | lower classes first |
//! | [`Drr`] | flows take turns by bytes; a full buffer drops of the flow that holds most |
//! | [`Fq`] | flows take turns, each at its pace |
//! | [`Tbf`] | first come, first served, no faster than tokens come |
//!
//! A port without a discipline is drop-tail as well, and faster: the engine knows a packet's
//! departure when it comes. [`DropTail`] is what that must equal.
//!
//! This crate knows no engine, no link, no protocol and no clock: time is an argument that
//! never runs backwards. The order of calls: [`arrive`](Queue::arrive) for a packet that comes;
//! after that, and when the line becomes free, [`turn`](Queue::turn) until it answers to
//! hold. The packet that is let go is being sent until the line is free again.
//!
//! ```
//! use pacesim_queues::{DropTail, Line, Pending, Queue, Turn};
//! use pacesim_units::{Capacity, FlowId, Time};
//!
//! let mut queue = DropTail::new(Capacity::Packets(1), false);
//! let ms = |n: u64| Time::from_ps(n * 1_000_000_000);
//! let packet = |key| Pending::new(key, FlowId(0), 1000);
//! assert!(queue.arrive(ms(0), packet(0)).is_ok());
//! assert_eq!(queue.turn(ms(0), Line::Free), Turn::Go { key: 0, marked: false });
//! // The line sends the first, one waits, and there is room for one.
//! assert!(queue.arrive(ms(1), packet(1)).is_ok());
//! assert_eq!(queue.turn(ms(1), Line::Busy), Turn::Hold);
//! assert!(queue.arrive(ms(2), packet(2)).is_err());
//! assert_eq!(queue.turn(ms(3), Line::Free), Turn::Go { key: 1, marked: false });
//! ```

#[macro_use]
mod any;
mod bypass;
mod chance;
mod codel;
mod departure_limit;
mod drop_tail;
mod drr;
mod dualpi2;
mod fq;
mod fq_codel;
pub mod laws;
mod periods;
mod pie;
mod priority;
mod profile;
mod queue;
mod red;
mod room;
mod step_mark;
mod store;
mod tbf;
mod whole_bulks;

pub use any::PlugIn;
pub use chance::{Chance, Draws, Signal};
pub use codel::{Codel, CodelConfig};
pub use departure_limit::{DepartureLimit, DepartureLimitConfig};
pub use drop_tail::DropTail;
pub use drr::Drr;
pub use dualpi2::{DualPi2, DualPi2Config, Step};
pub use fq::{Fq, FqConfig};
pub use fq_codel::{FqCodel, FqCodelConfig};
pub use pie::{Pie, PieConfig};
pub use priority::StrictPriority;
pub use profile::Profile;
pub use queue::{Ecn, Line, Pending, Queue, Reason, State, Turn, Waiting};
pub use red::{Red, RedConfig, RedProfile};
pub use step_mark::StepMark;
pub use tbf::{Tbf, TbfConfig};
pub use whole_bulks::WholeBulks;

any_queue! {
    /// First come, first served.
    DropTail,
    /// Bulks are taken whole or not at all.
    WholeBulks,
    /// Packets are marked from a step of the queue on.
    StepMark,
    /// Packets are dropped when they leave too long a queue.
    DepartureLimit,
    /// Packets are dropped when the queue has stood.
    Codel,
    /// Flows take turns, each under CoDel's control.
    FqCodel,
    /// Packets are dropped at random, by the mean queue.
    Red,
    /// Packets are dropped at random, by the delay.
    Pie,
    /// Flows take turns, each at its pace.
    Fq,
    /// Packets leave no faster than tokens come.
    Tbf,
    /// A queue for L4S beside a classic one.
    DualPi2,
    /// Lower classes go first.
    StrictPriority,
    /// Flows take turns by bytes.
    Drr,
}
