//! Signals that must not end the program in the middle of its work.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts;
use signal_hook::flag::register;

/// The signals by which a user, a terminal or a system requests a stop.
#[cfg(unix)]
const STOP: &[i32] = &[consts::SIGINT, consts::SIGTERM, consts::SIGHUP];
#[cfg(not(unix))]
const STOP: &[i32] = &[consts::SIGINT, consts::SIGTERM];

/// Sets the flag on a request to stop.
pub(crate) fn on_stop(flag: &Arc<AtomicBool>) {
    for signal in STOP {
        // Without a handler the signal ends the program at once, which is safe as well: results get
        // their name only when they are complete.
        let _ = register(*signal, Arc::clone(flag));
    }
}

/// Turns writing beyond the user's file size limit (`ulimit -f`) into an ordinary error, like a
/// full disk. By default the signal would end the program silently.
pub(crate) fn outlive_file_limits() {
    #[cfg(unix)]
    let _ = register(consts::SIGXFSZ, Arc::default());
}
