//! Thresholds of quiche's simulator tests of BBR (google/quiche at f44fa9f, `bbr_sender_test.cc` and `bbr3_simulator_test.cc`) for Linux's
//! BBR, versions 1 and 3, and for version 3 by its draft where Google's kernel code has another gain.
//!
//! Networks, sizes of packets, first windows and ACKs in pairs are as there. Differences: a handshake measures the first round trip, the receiver
//! delays a single ACK by 40 ms instead of 25, a first window is paced, and the code is Linux's: pacing is 1 % below the bandwidth, version 3
//! searches for the least round trip each 5 s instead of 10, and quiche's options (in the names) do not exist.

#[path = "quiche/check.rs"]
mod check;
#[path = "quiche/net.rs"]
mod net;
#[path = "quiche/phases.rs"]
mod phases;
#[path = "quiche/rivals.rs"]
mod rivals;
#[path = "quiche/sources.rs"]
mod sources;
#[path = "quiche/transfers.rs"]
mod transfers;
