//! The clocks of a live run, in nanoseconds: a monotonic one drives it, kernel stamps are of another.

use nix::sys::time::{TimeSpec, TimeValLike};
use nix::time::{ClockId, ClockNanosleepFlags, clock_gettime, clock_nanosleep};
use pacesim::units::Time;

/// The monotonic clock.
pub(crate) fn now() -> i64 {
    read(ClockId::CLOCK_MONOTONIC)
}

/// Time that this thread has spent on a processor.
pub(crate) fn spent() -> i64 {
    read(ClockId::CLOCK_THREAD_CPUTIME_ID)
}

fn read(clock: ClockId) -> i64 {
    let time = clock_gettime(clock).expect("Linux has these clocks");
    time.num_nanoseconds()
}

/// Sleeps until a time of the monotonic clock.
pub(crate) fn sleep_until(time: i64) {
    let (clock, flags) = (ClockId::CLOCK_MONOTONIC, ClockNanosleepFlags::TIMER_ABSTIME);
    while now() < time {
        let _ = clock_nanosleep(clock, flags, &TimeSpec::nanoseconds(time));
    }
}

/// The clock of a run: times of the world, of the monotonic clock, and of the kernel's stamps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    /// The start of the run.
    start: i64,
    /// The real-time clock minus the monotonic one.
    offset: i64,
}

impl Clock {
    /// A clock whose run starts this long from now.
    pub(crate) fn starting_in(ns: i64) -> Clock {
        Clock {
            start: now() + ns,
            offset: offset(),
        }
    }

    /// The world's time at this time of the monotonic clock.
    pub(crate) fn in_world(&self, ns: i64) -> Time {
        Time::from_ps((ns - self.start).max(0) as u64 * 1000)
    }

    /// Nanoseconds from the start of the run to a time of the monotonic clock.
    pub(crate) fn since_start(&self, ns: i64) -> i64 {
        ns - self.start
    }

    /// The time of the monotonic clock at a time of the world, rounded up so that nothing is early.
    pub(crate) fn outside(&self, time: Time) -> i64 {
        self.start + time.as_ps().div_ceil(1000) as i64
    }

    /// The time of the monotonic clock at a stamp of the kernel.
    pub(crate) fn of_stamp(&self, stamp: i64) -> i64 {
        stamp - self.offset
    }

    /// Change of the real-time clock against the monotonic one since the start.
    pub(crate) fn step(&self) -> i64 {
        offset() - self.offset
    }
}

/// The real-time clock minus the monotonic one, from the closest of many readings.
fn offset() -> i64 {
    let reading = |_| {
        let before = now();
        let real = read(ClockId::CLOCK_REALTIME);
        let after = now();
        (after - before, real - (before + after) / 2)
    };
    let closest = (0..100).map(reading).min();
    closest.expect("there are readings").1
}
