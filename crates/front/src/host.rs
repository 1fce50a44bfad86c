//! Information that only the program and the Python module may obtain: the clock, the memory, the machine.

use std::fs;
use std::time::Duration;

use pacesim_lab::{Digest, Host};

/// A clock that starts when it is made.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(clock::Instant);

/// The only wall clock of the project.
mod clock {
    #[allow(clippy::disallowed_types)]
    pub(super) type Instant = std::time::Instant;
}

impl Stopwatch {
    /// Starts it.
    pub fn start() -> Stopwatch {
        Stopwatch(clock::Instant::now())
    }

    /// Real time since the start.
    pub fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// The program's peak memory, if the system reports it (Linux).
pub fn peak_rss_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

/// The program's current memory, if the system reports it (Linux).
pub fn rss_bytes() -> Option<u64> {
    // Total and resident pages. Nearly all machines have pages of 4 KiB; on the others the result
    // is too small by a constant factor.
    let pages = fs::read_to_string("/proc/self/statm").ok()?;
    let resident: u64 = pages.split_whitespace().nth(1)?.parse().ok()?;
    Some(resident * 4096)
}

/// The limit on memory that this program should use: most of the free or allowed memory; `None` if
/// the system does not report it (other than Linux).
pub fn sensible_memory() -> Option<u64> {
    let free = available_bytes()?.saturating_add(rss_bytes()?);
    let of_group = [
        "/sys/fs/cgroup/memory.max",
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
    ]
    .iter()
    .filter_map(|path| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok())
    .min();
    let physical = free.min(of_group.unwrap_or(u64::MAX)) / 10 * 8;
    // A growing vector moves to a block of twice the size, and both occupy addresses for a while.
    let of_addresses = address_space().map(|bytes| bytes / 10 * 3);
    Some(physical.min(of_addresses.unwrap_or(u64::MAX)))
}

fn available_bytes() -> Option<u64> {
    let memory = fs::read_to_string("/proc/meminfo").ok()?;
    let line = memory
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

/// The limit of `ulimit -v`, if any.
fn address_space() -> Option<u64> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Processor time of this thread, if the system reports it (Linux).
pub fn processor_time() -> Option<Duration> {
    let schedule = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = schedule.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

/// The digest of the file of this program; empty if it cannot be read.
pub fn program_digest() -> String {
    let mut digest = Digest::default();
    let read = std::env::current_exe().and_then(|program| digest.add_file(&program));
    read.map_or_else(|_| String::new(), |_| digest.to_string())
}

/// This machine.
pub fn host() -> Host {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let name = name.or_else(|| std::env::var("HOSTNAME").ok());
    Host {
        name: name.unwrap_or_default().trim().to_owned(),
        os: std::env::consts::OS,
        arch: std::env::consts::ARCH,
        cpus: std::thread::available_parallelism().map_or(1, |n| n.get() as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn a_thread_that_sleeps_has_no_processor() {
        let began = processor_time();
        std::thread::sleep(Duration::from_millis(50));
        let spent = processor_time().zip(began).map(|(now, then)| now - then);
        // A kernel may be built without this accounting.
        assert!(spent.is_none_or(|spent| spent < Duration::from_millis(50)));
    }
}
