//! NDP (Handley et al., SIGCOMM 2017): switches cut the payload off packets that find no room, and
//! receivers pull packets at the rate of their line.
//!
//! A sender sends its first window at once, and then a packet for each pull. A full
//! [`TrimmingQueue`] makes a header of the arriving packet or of its last, and sends headers first. The
//! receiver answers data with ACKs and headers with NACKs at once ([`NdpSink`]), and asks for the next
//! packet by a pull; the pulls of all flows to a host leave by one [`PullClock`], round robin. Pulls are
//! numbered by flow, and each asks for all before it, so that a lost one costs nothing. A packet
//! that got a NACK is sent first at the next pull ([`NdpSource`]).
//!
//! Source: htsim (`compositequeue.cpp`, `fairpullqueue.cpp` and `ndp.cpp` of Broadcom/csg-htsim at
//! 841d9e7). Two choices are random there, and are given to these machines by their caller: the coin of
//! a full queue, and the path of each packet. Not modelled: time-outs (only a lost header needs one) and
//! headers that are returned to their sender, which [`Fate::Lost`] reports.

mod pulls;
mod round_robin;
mod sink;
mod source;
mod trimming;

pub use pulls::{Pull, PullClock, PullClockConfig};
pub use round_robin::RoundRobin;
pub use sink::{Answer, NdpSink};
pub use source::{NdpSource, Sent};
pub use trimming::{Fate, Kind, TrimmingQueue, TrimmingQueueConfig, Trims};
