//! Senders of lossless and low-delay networks, and the memories of their switches, as state machines.
//!
//! | module | sender or switch | variants |
//! | --- | --- | --- |
//! | [`dcqcn`] | rate from congestion notification packets (CNPs) | paper, its authors' code, the code of HPCC's authors, ConnectX |
//! | [`hpcc`] | rate or window from telemetry of each hop (INT) | the paper's window, its authors' rate |
//! | [`timely`] | rate from round trips | paper, the code of HPCC's authors |
//! | [`dctcp_rate`] | rate from the share of marked ACKs | the code of HPCC's authors |
//! | [`swift`] | window from delays | paper, htsim |
//! | [`ndp`] | packets by pulls of the receiver; queues that cut payloads off | paper, htsim |
//! | [`mmu`] | memory of a switch that pauses its inputs (PFC) | the code of HPCC's authors |
//! | [`headroom`] | bytes that may arrive after a pause | |
//!
//! Simulators disagree about these algorithms under one name. Each variant here has a name, follows
//! one source at a commit, and is replayed from recordings of it (`docs/datacentre.md` of the
//! project). Differences are data where they are numbers, and named rules where they are not.
//!
//! This crate knows no engine, no network and no packets: an end or a switch feeds the machines
//! with acknowledgements, marks and the time, and reads rates, windows and times of wake-ups. No
//! machine allocates per event. Rates are integers of bits per second where the source has
//! integers; real numbers use nothing beyond `libm` and the square root, and are equal everywhere.
//!
//! The order of calls, for a sender with timers: [`dcqcn::Dcqcn::cnp`] or
//! [`dcqcn::Dcqcn::sent`], and at [`dcqcn::Dcqcn::next_wake`] [`dcqcn::Dcqcn::wake`] until it
//! returns none.
//!
//! ```
//! use pacesim_datacentre::dcqcn::{Dcqcn, Variant};
//! use pacesim_units::{Rate, Span, Time};
//!
//! let mut sender = Dcqcn::new(Variant::Paper.config(Rate::from_mbps(40_000)));
//! sender.cnp(Time::ZERO);
//! assert_eq!(sender.rate(), Rate::from_mbps(20_000));
//!
//! let later = Time::ZERO + Span::from_us(55);
//! assert_eq!(sender.next_wake(), Some(later));
//! while sender.wake(later).is_some() {}
//! assert_eq!(sender.rate(), Rate::from_mbps(30_000));
//! ```

pub mod dcqcn;
pub mod dctcp_rate;
pub mod headroom;
pub mod hpcc;
pub mod mmu;
pub mod ndp;
pub mod swift;
pub mod timely;
