//! `pacesim live`.

#[cfg(all(feature = "live", target_os = "linux"))]
mod hosts;
mod replay;

use std::path::Path;

use super::{Ended, fail};
use crate::args::LiveArgs;
use crate::exit::Outcome;

/// Carries real hosts through a scenario, or repeats a live run.
pub(crate) fn live(args: &LiveArgs) -> Ended {
    match (&args.replay, &args.file) {
        (Some(folder), _) => replay::replay(args, folder),
        #[cfg(all(feature = "live", target_os = "linux"))]
        (None, Some(file)) => hosts::live(args, file),
        #[cfg(not(all(feature = "live", target_os = "linux")))]
        (None, Some(_)) => {
            let text = "this program cannot make live runs: they need Linux, and a build with \
                        `cargo install pacesim-cli --features live`; --replay DIR works everywhere";
            fail(args.json, Outcome::Invalid, text)
        }
        (None, None) => {
            let text = "give a scenario, or --replay DIR";
            fail(args.json, Outcome::Invalid, text)
        }
    }
}

/// Prepares the program for live runs, if it is given a folder for them: the kernel moves only programs
/// without a second thread.
pub(crate) fn before_live(reality: Option<&Path>) {
    // A machine that forbids it can still repeat recorded runs.
    #[cfg(all(feature = "live", target_os = "linux"))]
    let _ = reality.map(|_| pacesim_live::separate_user());
    #[cfg(not(all(feature = "live", target_os = "linux")))]
    let _ = reality;
}
