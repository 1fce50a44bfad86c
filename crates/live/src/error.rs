//! Errors of live runs that a user can cause, or the machine.

use thiserror::Error;

/// A reason why a live run cannot be made.
#[derive(Debug, Error)]
pub enum LiveError {
    /// The scenario has a part that no real packet can pass.
    #[error("{0}")]
    Scenario(String),
    /// The kernel refuses a namespace.
    #[error(
        "the kernel refuses a network namespace ({0}): run as root, or allow user namespaces by the \
         settings user.max_user_namespaces, kernel.unprivileged_userns_clone and \
         kernel.apparmor_restrict_unprivileged_userns"
    )]
    Namespace(nix::Error),
    /// The kernel refuses packet sockets.
    #[error(
        "the kernel refuses packet sockets ({0}): a live run needs CAP_NET_RAW in its own network \
         namespace, and a kernel with CONFIG_PACKET"
    )]
    PacketSocket(nix::Error),
    /// The kernel lacks a congestion control.
    #[error(
        "the kernel has no congestion control \"{wanted}\" for {flow}: it has {available}; others \
         are modules, loaded by root with `modprobe tcp_{wanted}`"
    )]
    Control {
        /// Control that the flow asks for.
        wanted: String,
        /// Name of the flow.
        flow: String,
        /// Controls of this kernel.
        available: String,
    },
    /// A step of the set-up, the hosts or the loop failed.
    #[error("{step}: {reason}")]
    System {
        /// Step that failed.
        step: String,
        /// Error of the system.
        reason: String,
    },
    /// The packets come faster than this machine carries them.
    #[error(
        "this machine cannot carry these packets in real time: {0}; lower the rates of the \
         scenario, or raise its delays with them"
    )]
    TooFast(String),
}

impl LiveError {
    /// The error of a step.
    pub(crate) fn at(step: impl Into<String>, reason: impl ToString) -> LiveError {
        LiveError::System {
            step: step.into(),
            reason: reason.to_string(),
        }
    }
}
