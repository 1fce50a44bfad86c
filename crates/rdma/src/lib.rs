//! The two ends of RDMA connections (RoCE): a [`Source`] that sends at the rate or within the window of
//! its [`Control`], and a [`Sink`] that answers each packet.
//!
//! Packets are numbered, and the sink answers each with the number that it expects; a packet beyond it
//! with a refusal (NACK). By [`Recovery::GoBackN`] the sink takes packets in order alone, and after a
//! refusal, or when its timer expires, the source goes back to the number expected. Refusals have a
//! least distance. By [`Recovery::Selective`] the sink keeps such packets, each refusal names the packet
//! that caused it, and the source sends missing packets alone.
//!
//! The source is made for a card that asks its connections in turn: it has a packet when its window is
//! open and its rate allows the next one, and never asks to be woken for a packet that is due.
//!
//! | in a packet | data | answer |
//! | --- | --- | --- |
//! | `seq` | its number | the number expected |
//! | `stamp` | its sending time | that of the packet it answers |
//! | ECE | – | the network marked a packet; for DCQCN a notification (CNP) |
//! | CWR | – | a refusal: a packet is missing |
//! | content | telemetry, if the control reads it | the telemetry of the packet it answers; in selective refusals also its number |
//!
//! Source: `RdmaHw` of alibaba-edu/High-Precision-Congestion-Control at 9f4be2a, which has no timer.
//!
//! The ends of NDP, which share nothing with these, are in [`ndp`].
//!
//! **Forbidden knowledge.** As all ends: no network, no engine, no clock.

mod config;
mod control;
mod flight;
mod holes;
pub mod ndp;
mod sink;
mod source;

pub use config::{Config, ControlConfig, Recovery, WindowRule};
pub use control::{Answer, Control};
pub use sink::Sink;
pub use source::{NUMBERS, Source};
