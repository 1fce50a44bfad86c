//! Commands at hosts, each in a namespace of processes that ends with it.

use std::os::fd::AsFd;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use nix::sched::{CloneFlags, unshare};

use crate::clock::now;
use crate::namespace::Host;
use crate::plan::Plan;
use crate::sys;

/// Time between two looks at a command.
const LOOK: Duration = Duration::from_millis(2);

/// The end of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Name of its host.
    pub host: String,
    /// Its text, with the addresses of hosts.
    pub text: String,
    /// Its exit code; none if the run ended it, or a signal did.
    pub code: Option<i32>,
    /// Time from the start of the run, in nanoseconds, until it ended or was ended.
    pub after_ns: i64,
    /// The reason why the run has failed by it.
    pub failure: Option<String>,
}

/// The times of a command's run, in nanoseconds of the monotonic clock.
#[derive(Clone, Copy)]
pub(crate) struct Limits<'a> {
    pub(crate) start: i64,
    /// Time by which it must have ended.
    pub(crate) timeout: Option<i64>,
    /// True once the run is over.
    pub(crate) is_over: &'a AtomicBool,
    /// Set when the run has failed, which then ends.
    pub(crate) has_failed: &'a AtomicBool,
}

/// The text of a command with the addresses of hosts in place of their names in braces.
pub(crate) fn addressed(text: &str, plan: &Plan, hosts: &[Host]) -> String {
    let named = plan.names.iter().zip(hosts);
    named.fold(text.to_owned(), |text, (name, host)| {
        let address = std::net::Ipv4Addr::from(host.address).to_string();
        text.replace(&format!("{{{name}}}"), &address)
    })
}

/// Runs a command in the host of this thread until it ends, or until the run does.
pub(crate) fn run(name: &str, text: String, must_end: bool, limits: Limits<'_>) -> Ended {
    let mut ended = Ended {
        host: name.to_owned(),
        text,
        code: None,
        after_ns: 0,
        failure: None,
    };
    match start(&ended.text) {
        Ok(child) => watch(child, &mut ended, must_end, limits),
        Err(reason) => ended.failure = Some(format!("cannot be started: {reason}")),
    }
    ended.after_ns = now() - limits.start;
    if ended.failure.is_some() {
        limits.has_failed.store(true, Ordering::Relaxed);
    }
    ended
}

/// Starts a command as the first process of a namespace: all that it starts ends with it, and it ends
/// with this program.
fn start(text: &str) -> Result<Child, String> {
    let failed = |error: &dyn ToString| error.to_string();
    unshare(CloneFlags::CLONE_NEWPID).map_err(|error| failed(&error))?;
    let to_errors = std::io::stderr().as_fd().try_clone_to_owned();
    let to_errors = to_errors.map_err(|error| failed(&error))?;
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", text])
        .stdin(Stdio::null())
        .stdout(to_errors);
    sys::die_with_parent(&mut command);
    command.spawn().map_err(|error| failed(&error))
}

fn watch(mut child: Child, ended: &mut Ended, must_end: bool, limits: Limits<'_>) {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return note(status, ended),
            Ok(None) => {}
            Err(error) => {
                ended.failure = Some(error.to_string());
                return;
            }
        }
        let is_late = limits.timeout.is_some_and(|timeout| now() > timeout);
        if is_late || limits.is_over.load(Ordering::Relaxed) {
            if is_late {
                ended.failure = Some("did not end before the time-out".to_owned());
            } else if must_end && !limits.has_failed.load(Ordering::Relaxed) {
                ended.failure = Some("had not ended at the end of the run".to_owned());
            }
            // It may have ended by itself just now.
            let _ = child.kill();
            let _ = child.wait();
            return;
        }
        std::thread::sleep(LOOK);
    }
}

fn note(status: ExitStatus, ended: &mut Ended) {
    ended.code = status.code();
    ended.failure = match status.code() {
        Some(0) => None,
        Some(127) => Some("was not found (exit code 127)".to_owned()),
        Some(code) => Some(format!("ended with exit code {code}")),
        None => Some(format!("was ended: {status}")),
    };
}
