//! The origin of findings.

use pacesim_lab::BatchMonitor;
use pacesim_lab::findings::Origin;

/// The commit, if given to the build: `PACESIM_COMMIT=$(git rev-parse HEAD) cargo build --profile ship`.
const COMMIT: Option<&str> = option_env!("PACESIM_COMMIT");

/// This program on this machine.
pub(crate) fn origin(monitor: &dyn BatchMonitor) -> Origin {
    let host = monitor.host();
    let machine = match host.cpus {
        0 => None,
        cpus => Some(format!("{} {}, {cpus} processors", host.os, host.arch)),
    };
    Origin {
        commit: COMMIT.map(str::to_owned),
        machine,
        ..Origin::default()
    }
}
