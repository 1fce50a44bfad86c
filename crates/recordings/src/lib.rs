//! Readers of recordings named in scenarios, line by line or packet by packet.
//!
//! | module | reads |
//! | --- | --- |
//! | [`recording`] | arrivals in CSV, and packet captures (pcap, pcapng) |
//! | [`transfers`] | lists of transfers that may wait for each other |
//! | [`vectors`] | Tmix connection vectors, in both formats |
//! | [`frames`] | frame sizes of videos: text files, and binary traces of ns-2 |
//! | [`opportunities`] | rates of links, as Mahimahi records them |
//! | [`curve`] | distributions point by point in CSV |
//! | [`edges`] | links between routers in CSV |
//! | [`csv`] | lines of any CSV file |
//!
//! Records go to tapes, which may be longer than memory. This crate opens no file and has no
//! scenarios: it reads a stream, and errors name the faulty line or packet and the reason.
//!
//! ```
//! use pacesim_recordings::recording::Recording;
//!
//! let burst = Recording::from_csv("t_ms,size_bytes\n0,1000\n2,40\n")?;
//! assert_eq!(burst.arrivals.len(), 2);
//! # Ok::<(), pacesim_recordings::recording::RecordingError>(())
//! ```

pub mod csv;
pub mod curve;
pub mod edges;
pub mod frames;
mod lines;
pub mod opportunities;
pub mod recording;
pub mod transfers;
pub mod vectors;
