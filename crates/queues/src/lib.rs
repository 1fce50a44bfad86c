//! Queue disciplines: they choose the next packet of a port's line, and the packets to drop or
//! mark.
//!
//! A discipline precedes the line of a port, and follows the pacer if there is one. The port offers
//! it each arriving packet, and requests the next whenever its line becomes free. Every discipline
//! here is a [`Queue`] and keeps the laws of [`laws`], which can be run on any discipline (see the
//! example `own_queue` of `pacesim`).
//!
//! | discipline | rule |
//! | --- | --- |
//! | [`DropTail`] | first come, first served; packets that find the buffer full are dropped |
//! | [`WholeBulks`] | the same, but packets of a bulk are accepted all or none |
//! | [`StepMark`] | first come, first served; packets that find too much waiting are marked |
//! | [`DepartureLimit`] | first come, first served; packets that leave too long a queue are dropped |
//! | [`Codel`] | first come, first served; the head is dropped or marked once waiting times have exceeded a target for an interval |
//! | [`FqCodel`] | the same for each connection, and connections take turns |
//! | [`Red`] | first come, first served; arrivals are dropped or marked at random, with a probability that grows with the mean queue |
//! | [`Pie`] | the same, with a probability that follows the delay |
//! | [`DualPi2`] | a queue for L4S flows beside a classic one, coupled by their marks and drops |
//! | [`StrictPriority`] | lower classes first |
//! | [`Pfabric`] | the connection with the least data left of its transfer first; a full buffer drops from the one with the most |
//! | [`Drr`] | connections take turns by bytes; a full buffer drops from the one with the most bytes |
//! | [`Fq`] | connections take turns, each at its own pace |
//! | [`Tbf`] | first come, first served, at the rate of tokens |
//! | [`Trim`] | packets that find the buffer full lose their payload; headers first |
//! | [`Slots`] | no buffer: packets that arrive in the same slot contend for the next |
//!
//! A port without a discipline is drop-tail as well, and faster: the engine knows a packet's
//! departure on its arrival. [`DropTail`] is its reference.
//!
//! This crate knows no engine, no link, no protocol and no clock: time is an argument that never
//! runs backwards. The order of calls: [`arrive`](Queue::arrive) for an arriving packet; after
//! that, and when the line becomes free, [`turn`](Queue::turn) until it answers to hold. A released
//! packet is in transmission until the line is free again.
//!
//! ```
//! use pacesim_queues::{DropTail, Line, Pending, Queue, Turn};
//! use pacesim_units::{Capacity, FlowId, Time};
//!
//! let mut queue = DropTail::new(Capacity::Packets(1), false);
//! let ms = |n: u64| Time::from_ps(n * 1_000_000_000);
//! let packet = |key| Pending::new(key, FlowId(0), 1000);
//! assert!(queue.arrive(ms(0), packet(0)).is_ok());
//! assert_eq!(queue.turn(ms(0), Line::Free), Turn::Go { key: 0, mark: None });
//! // The line sends the first, one waits, and there is room for one.
//! assert!(queue.arrive(ms(1), packet(1)).is_ok());
//! assert_eq!(queue.turn(ms(1), Line::Busy), Turn::Hold);
//! assert!(queue.arrive(ms(2), packet(2)).is_err());
//! assert_eq!(queue.turn(ms(3), Line::Free), Turn::Go { key: 1, mark: None });
//! ```

#[macro_use]
mod any;
mod built_in;
mod bypass;
mod chance;
mod codel;
mod departure_limit;
mod drop_tail;
mod drr;
mod dualpi2;
mod fate;
mod fq;
mod fq_codel;
pub mod laws;
mod periods;
mod pfabric;
mod pie;
mod places;
mod priority;
mod profile;
mod queue;
mod red;
mod room;
mod slots;
mod step_mark;
mod store;
mod tbf;
mod trim;
mod whole_bulks;

pub use built_in::{BuiltIn, Site};
pub use chance::{Chance, Draws, Signal};
pub use codel::{Codel, CodelConfig};
pub use departure_limit::{DepartureLimit, DepartureLimitConfig};
pub use drop_tail::DropTail;
pub use drr::Drr;
pub use dualpi2::{DualPi2, DualPi2Config, Step};
pub use fq::{Fq, FqConfig};
pub use fq_codel::{FqCodel, FqCodelConfig};
pub use pfabric::Pfabric;
pub use pie::{Pie, PieConfig};
pub use priority::{PriorityConfig, StrictPriority};
pub use profile::Profile;
pub use queue::{Ecn, Line, Mark, Pending, Queue, Reason, State, Turn, Waiting};
pub use red::{Red, RedConfig, RedProfile};
pub use slots::{Slots, SlotsConfig, Survivor};
pub use step_mark::StepMark;
pub use tbf::{Tbf, TbfConfig};
pub use trim::{Trim, TrimConfig};
pub use whole_bulks::WholeBulks;

/// Passes the list of built-in disciplines to a macro: first those without parameters.
#[macro_export]
macro_rules! built_in {
    ($of_list:ident) => {
        $of_list! {
            plain {
                /// First come, first served: like a port without a discipline, which costs less.
                DropTail,
                /// First come, first served, but the packets of a bulk are accepted all or none.
                WholeBulks,
                /// pFabric: the transfer with the least data left first; a full buffer drops from
                /// the one with the most.
                Pfabric,
            }
            with parameters {
                /// Lower classes first.
                StrictPriority,
                /// First come, first served, with marks for packets that find this much waiting.
                StepMark,
                /// First come, first served, with a limit that is checked when packets leave.
                DepartureLimit,
                /// CoDel: packets are dropped once waiting times have exceeded a target for an
                /// interval.
                Codel,
                /// FQ-CoDel: flows take turns, each under CoDel's control.
                FqCodel,
                /// RED: packets are dropped at random, depending on the mean queue.
                Red,
                /// PIE: packets are dropped at random, depending on the delay.
                Pie,
                /// DualPI2: a queue for L4S flows beside a classic one.
                DualPi2,
                /// Linux's fq: flows take turns, each at its pace.
                Fq,
                /// A token bucket shaper.
                Tbf,
                /// Slotted time and no buffer: packets that arrive in the same slot contend for the
                /// next.
                Slots,
                /// NDP's trimming: packets that find the buffer full lose their payload, and headers
                /// come first.
                Trim,
                /// Deficit round robin: flows take turns with this quantum in bytes.
                Drr,
            }
        }
    };
}

built_in!(any_queue);
