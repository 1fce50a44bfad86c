//! The division of a run among threads, in words.

use pacesim_lab::{Cut, Schedule, Uncut};

use crate::numbers::count;

/// A line for a division among at most this many threads.
pub(super) fn sentence(cut: &Result<Cut, Uncut>, threads: u32) -> String {
    match cut {
        Err(reason) => format!("one thread: {reason}\n"),
        Ok(cut) if cut.parts() < threads => {
            let parts = cut.parts();
            format!("{parts} of {threads} threads, as more would gain nothing: {cut}\n")
        }
        Ok(cut) => format!("{} threads: {cut}\n", cut.parts()),
    }
}

/// A line for the counts of a run in parts.
pub(super) fn counted(of: &Schedule) -> String {
    format!(
        "{} of {} packet-hops, {:.0} % of them on the critical path, and {:.1} packets cross: {:.1} times \
         the speed of one thread is expected on as many cores, and at most {:.1}\n",
        count(of.rounds as f64, "rounds"),
        of.packet_hops / of.rounds.max(1),
        100.0 / of.bound(),
        of.crossings as f64 / of.rounds.max(1) as f64,
        of.speed_up(),
        of.bound(),
    )
}
