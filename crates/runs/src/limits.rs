//! Limits of the machine for runs: nothing of them is part of a result.

use std::fmt;
use std::time::Duration;

/// Limits of each of many runs, and the fate of those that went beyond before.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunLimits {
    /// The longest real time of one run.
    pub time: Option<Duration>,
    /// The most bytes that the program may have. Beyond it the run ends that holds the most packets.
    pub memory: Option<u64>,
    /// True if runs that such limits stopped are made again.
    pub again: bool,
}

/// The limit that a run was stopped by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Exhausted {
    /// It took longer than this.
    Time(Duration),
    /// The program took more bytes than this.
    Memory(u64),
}

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exhausted::Time(limit) => {
                let seconds = limit.as_secs_f64();
                write!(f, "it took longer than {seconds} s (--run-time)")
            }
            Exhausted::Memory(limit) => {
                let megabytes = limit / 1_000_000;
                write!(f, "memory passed {megabytes} MB (--run-memory)")
            }
        }
    }
}
