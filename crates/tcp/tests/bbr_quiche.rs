//! Thresholds of quiche's simulator tests of BBR (google/quiche at f44fa9f, `bbr_sender_test.cc` and `bbr3_simulator_test.cc`) for Linux's
//! BBR, versions 1 and 3, and for version 3 by its draft where Google's kernel code has another gain.
//!
//! Networks, sizes of packets, first windows and ACKs are as there. Differences: a handshake
//! measures the first round trip, TCP's recovery ends with the data outstanding at its start, and
//! the code is Linux's: pacing is 1 % below the bandwidth, windows have room for three bursts,
//! version 3 searches for the least round trip every 5 s instead of 10, and quiche's options (in
//! the names) do not exist. `docs/linux-agreement.md` has the limits that do not hold, with
//! reasons.

mod check;
mod net;
mod phases;
mod rivals;
mod sources;
mod transfers;
