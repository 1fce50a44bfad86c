//! Machine limits of runs, which never affect a result.

use std::fmt;
use std::time::Duration;

/// Limits of each of many runs, and the treatment of runs that exceeded them before.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunLimits {
    /// Longest real time that one run may take.
    pub time: Option<Duration>,
    /// The program's memory limit in bytes. Beyond it, the run that holds the most packets and
    /// samples is stopped.
    pub memory: Option<u64>,
    /// True if runs stopped by such limits are repeated.
    pub again: bool,
}

/// The limit that stopped a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Exhausted {
    /// The run took longer than this.
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
