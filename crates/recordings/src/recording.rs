//! Recorded arrivals: times and sizes of packets, and optionally their deadlines.
//!
//! The first line of a CSV file names its columns; lines that are empty or start with `#` are
//! skipped. One column is the time since the start of the recording, with its unit in its name, one
//! the size in bytes, and one may be the deadline, on the same clock; others are ignored:
//!
//! ```csv
//! t_s,size_bytes,deadline_s
//! 0.000,1500,0.010
//! 0.0125,40,0.0225
//! ```
//!
//! | column | meaning |
//! |---|---|
//! | `t_s` `t_ms` `t_us` `t_ns` `t_ps` | time, in that unit |
//! | `time_s` ... `time_ps`, `time` | the same; `time` is in seconds |
//! | `size_bytes`, `size`, `bytes` | size, in bytes |
//! | `deadline_s` ... `deadline_ps` | latest time of transmission |
//!
//! A file has one column of each kind. Times must not decrease. Packet captures, pcap and pcapng,
//! are read as well ([`Recording::from_capture`]). A binary format supplies the same columns, as
//! `pacesim-lab` does with Parquet: [`Columns::find`], then [`Rows`].
//!
//! ```
//! use pacesim_recordings::recording::{Recording, Smooth};
//! use pacesim_units::Span;
//!
//! let burst = Recording::from_csv("t_ms,size_bytes\n0,1000\n0,1000\n0,1000\n")?;
//! let even = burst.smoothed(Smooth::Within(Span::from_ms(6)))?;
//! let at = |i: usize| even[i].at.to_string();
//! assert_eq!([at(0), at(1), at(2)], ["2ms", "4ms", "6ms"]);
//! # Ok::<(), pacesim_recordings::recording::RecordingError>(())
//! ```

mod capture;
mod columns;
mod csv;
mod pace;
mod smooth;

use std::io::{BufRead, Read};

use pacesim_model::Arrival;
use pacesim_tape::{OpenStore, Tape, TapeWriter};
use pacesim_units::{Bytes, Span};

pub use columns::{Columns, TimeColumn};
pub use smooth::Smooth;

/// A recording of packets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// Arrivals of the packets, in order of time.
    pub arrivals: Tape<Arrival>,
    /// Deadline of each packet, if recorded.
    pub deadlines: Option<Tape<Span>>,
    /// Conversation of each packet, numbered from zero in the order of their first packets, if the
    /// recording has addresses.
    pub conversations: Option<Tape<u32>>,
}

/// Reason why a recording cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordingError {
    /// The line or row, as in "line 3"; empty for the whole recording.
    pub place: String,
    /// Description of the error, and the remedy.
    pub message: String,
}

impl std::error::Error for RecordingError {}

impl std::fmt::Display for RecordingError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.place.is_empty() {
            write!(f, "{}: ", self.place)?;
        }
        f.write_str(&self.message)
    }
}

impl RecordingError {
    /// An error that concerns the whole recording.
    pub fn whole(message: impl Into<String>) -> RecordingError {
        RecordingError {
            place: String::new(),
            message: message.into(),
        }
    }

    /// An error of the line or row of this number, from one.
    pub fn at(what: &str, number: usize, message: impl Into<String>) -> RecordingError {
        RecordingError {
            place: format!("{what} {number}"),
            message: message.into(),
        }
    }
}

impl Recording {
    /// Reads a packet capture, pcap or pcapng, with one packet in memory at a time. Sizes are those
    /// on the wire, also for packets that were captured in part.
    pub fn from_capture(stream: impl Read) -> Result<Recording, RecordingError> {
        Recording::read_capture(stream, None)
    }

    /// Reads a packet capture; data too large for memory go to a store.
    pub fn read_capture(
        stream: impl Read,
        stores: Option<&OpenStore>,
    ) -> Result<Recording, RecordingError> {
        capture::read(stream, Rows::within(stores))
    }

    /// The arrivals of one member of a group of `members`: conversations are dealt to them in turn.
    pub fn dealt(&self, member: usize, members: usize) -> Option<Tape<Arrival>> {
        let conversations = self.conversations.as_ref()?;
        Some(self.arrivals.dealt(conversations, member, members))
    }

    /// Reads a CSV file from its text.
    pub fn from_csv(text: &str) -> Result<Recording, RecordingError> {
        Recording::read_csv(text.as_bytes(), None)
    }

    /// Reads a CSV file line by line; data too large for memory go to a store.
    pub fn read_csv(
        text: impl BufRead,
        stores: Option<&OpenStore>,
    ) -> Result<Recording, RecordingError> {
        csv::parse(text, Rows::within(stores))
    }
}

impl From<Vec<Arrival>> for Recording {
    fn from(arrivals: Vec<Arrival>) -> Recording {
        Recording {
            arrivals: arrivals.into(),
            deadlines: None,
            conversations: None,
        }
    }
}

/// A recording under construction, row by row.
pub struct Rows<'s> {
    arrivals: TapeWriter<'s, Arrival>,
    deadlines: TapeWriter<'s, Span>,
    conversations: TapeWriter<'s, u32>,
    last: Option<Span>,
}

impl Default for Rows<'_> {
    fn default() -> Self {
        Rows::within(None)
    }
}

impl<'s> Rows<'s> {
    /// A recording without rows; once they are too many for memory, they go to stores.
    pub fn within(stores: Option<&'s OpenStore>) -> Rows<'s> {
        Rows {
            arrivals: TapeWriter::new(stores),
            deadlines: TapeWriter::new(stores),
            conversations: TapeWriter::new(stores),
            last: None,
        }
    }

    /// Adds an arrival, or returns the reason for refusing it. Either all have a deadline, or none.
    pub fn add(&mut self, at: Span, size: u64, deadline: Option<Span>) -> Result<(), String> {
        if let Some(last) = self.last.replace(at).filter(|last| at < *last) {
            return Err(format!(
                "time {at} is before {last} of the row above it: times must not decrease"
            ));
        }
        if size == 0 || size > u64::from(u32::MAX) {
            return Err(format!(
                "a size of {size} bytes: accepted are 1 to {}",
                u32::MAX
            ));
        }
        let size = Bytes(size);
        let arrival = Arrival { at, size };
        self.arrivals.push(arrival).map_err(unkept)?;
        match deadline {
            Some(deadline) => self.deadlines.push(deadline).map_err(unkept),
            None => Ok(()),
        }
    }

    /// Sets the conversation of the last arrival, for all arrivals or for none.
    fn of_conversation(&mut self, number: u32) -> Result<(), String> {
        self.conversations.push(number).map_err(unkept)
    }

    /// Completes the recording once all its rows have been added.
    pub fn finish(self) -> Result<Recording, RecordingError> {
        if self.arrivals.is_empty() {
            let message = "no arrivals: a line of column names and at least one row are needed";
            return Err(RecordingError::whole(message));
        }
        let whole = |error| RecordingError::whole(unkept(error));
        let deadlines = self.deadlines.finish().map_err(whole)?;
        let conversations = self.conversations.finish().map_err(whole)?;
        Ok(Recording {
            arrivals: self.arrivals.finish().map_err(whole)?,
            deadlines: (!deadlines.is_empty()).then_some(deadlines),
            conversations: (!conversations.is_empty()).then_some(conversations),
        })
    }
}

/// Error of a store for data too large for memory.
pub(crate) fn unkept(error: std::io::Error) -> String {
    format!("it is too long for memory, and cannot be kept in a file meanwhile: {error}")
}
