//! What only the program may know: the clock, the memory, the machine.

use std::fs;
use std::time::Duration;

use pacesim_lab::Host;

/// A clock that starts when it is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch(clock::Instant);

/// The only wall clock of the project.
mod clock {
    #[allow(clippy::disallowed_types)]
    pub(super) type Instant = std::time::Instant;
}

impl Stopwatch {
    /// Starts it.
    pub(crate) fn start() -> Stopwatch {
        Stopwatch(clock::Instant::now())
    }

    /// Real time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// The most memory this program has had, where the system says so (Linux).
pub(crate) fn peak_rss_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

/// This machine.
pub(crate) fn host() -> Host {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let name = name.or_else(|| std::env::var("HOSTNAME").ok());
    Host {
        name: name.unwrap_or_default().trim().to_owned(),
        os: std::env::consts::OS,
        arch: std::env::consts::ARCH,
        cpus: std::thread::available_parallelism().map_or(1, |n| n.get() as u64),
    }
}
