//! Signals that must not end the program in the middle of its work.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts;
use signal_hook::flag::register;

/// The signals by which a user, a terminal or a system asks for an end.
#[cfg(unix)]
const STOP: &[i32] = &[consts::SIGINT, consts::SIGTERM, consts::SIGHUP];
#[cfg(not(unix))]
const STOP: &[i32] = &[consts::SIGINT, consts::SIGTERM];

/// Sets the flag when somebody wants the program to stop.
pub(crate) fn on_stop(flag: &Arc<AtomicBool>) {
    for signal in STOP {
        // Without a handler the signal ends the program at once, which is safe as well:
        // results have their name only when they are complete.
        let _ = register(*signal, Arc::clone(flag));
    }
}

/// Makes a file that grows beyond the limit of its user (`ulimit -f`) an error of writing,
/// as a full disk is. Left alone, the signal would end the program without a word.
pub(crate) fn outlive_file_limits() {
    #[cfg(unix)]
    let _ = register(consts::SIGXFSZ, Arc::default());
}
