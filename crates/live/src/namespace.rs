//! Namespaces: those of a run's hosts, and that of a program without root's rights.
//!
//! A network namespace lives as long as a thread is in it or a descriptor of it is open, and a veth
//! pair as long as both of its namespaces: when the program ends, by whatever cause, nothing is left.

use std::fs::{self, File};
use std::os::fd::AsFd;

use nix::net::if_::if_nametoindex;
use nix::sched::{CloneFlags, setns, unshare};
use nix::sys::socket::{AddressFamily, SockFlag, SockType, socket};
use nix::unistd::{getegid, geteuid};

use crate::door::Door;
use crate::error::LiveError;
use crate::netlink::Netlink;
use crate::sys;

/// Settings of a host's namespace: the largest windows do not limit a sender, connections learn
/// nothing from earlier ones, and no chatter of IPv6 comes up.
const SETTINGS: [(&str, &str); 5] = [
    ("ipv4/tcp_no_metrics_save", "1"),
    ("ipv4/tcp_wmem", "4096 16384 134217728"),
    ("ipv4/tcp_rmem", "4096 131072 134217728"),
    ("ipv6/conf/all/disable_ipv6", "1"),
    ("ipv6/conf/default/disable_ipv6", "1"),
];

/// Moves this program into a user namespace in which it may make network namespaces, if it is not
/// root. Call it before the first thread is started.
pub fn separate_user() -> Result<(), LiveError> {
    let (user, group) = (geteuid(), getegid());
    if user.is_root() {
        return Ok(());
    }
    unshare(CloneFlags::CLONE_NEWUSER).map_err(LiveError::Namespace)?;
    let write = |path: &str, text: String| {
        fs::write(path, text).map_err(|error| LiveError::at(format!("cannot write {path}"), error))
    };
    write("/proc/self/setgroups", "deny".to_owned())?;
    write("/proc/self/uid_map", format!("0 {user} 1"))?;
    write("/proc/self/gid_map", format!("0 {group} 1"))
}

/// Moves this thread into a network namespace of its own.
pub(crate) fn separate_network() -> Result<(), LiveError> {
    unshare(CloneFlags::CLONE_NEWNET).map_err(LiveError::Namespace)?;
    settle();
    Ok(())
}

/// Writes the settings of a namespace. Some machines mount them read-only, or have no IPv6; a run is
/// then made with the kernel's own.
fn settle() {
    for (name, value) in SETTINGS {
        let _ = fs::write(format!("/proc/sys/net/{name}"), value);
    }
}

/// The address of a host.
fn address(number: usize) -> [u8; 4] {
    let (high, low) = ((number + 1) / 250, (number + 1) % 250 + 1);
    [10, 77, high as u8, low as u8]
}

/// The number of the host with an address.
pub(crate) fn host_of([a, b, high, low]: [u8; 4]) -> Option<usize> {
    let place = usize::from(high) * 250 + usize::from(low.checked_sub(1)?);
    let number = place.checked_sub(1)?;
    (address(number) == [a, b, high, low]).then_some(number)
}

/// A host: a network namespace with one device.
#[derive(Debug)]
pub(crate) struct Host {
    namespace: File,
    /// Address of its device.
    pub(crate) address: [u8; 4],
}

impl Host {
    /// Makes a host and its door, which is in the namespace of this thread.
    pub(crate) fn new(number: usize, control: Option<&str>) -> Result<(Host, Door), LiveError> {
        let namespace = std::thread::scope(|scope| {
            let made = scope.spawn(|| {
                separate_network()?;
                let path = "/proc/thread-self/ns/net";
                File::open(path)
                    .map_err(|error| LiveError::at(format!("cannot open {path}"), error))
            });
            made.join().expect("the thread returns its errors")
        })?;
        let address = address(number);
        let host = Host { namespace, address };
        let name = format!("door{number}");
        let failed = |step: &str| {
            let step = format!("cannot {step} of host {number}");
            move |error: nix::Error| LiveError::at(step, error)
        };
        let netlink = Netlink::open().map_err(failed("set up the device"))?;
        let pair = netlink.add_pair(&name, "eth0", host.namespace.as_fd());
        pair.map_err(failed("add the device"))?;
        let index = if_nametoindex(name.as_str()).map_err(failed("find the door"))?;
        let door = Door::open(index, &name)?;
        netlink
            .start(index, false)
            .map_err(failed("start the door"))?;
        host.inside(|| host.set_up(control))?
            .map_err(failed("set up the device"))?;
        Ok((host, door))
    }

    /// Moves this thread into the host.
    pub(crate) fn enter(&self) -> Result<(), LiveError> {
        let entered = setns(&self.namespace, CloneFlags::CLONE_NEWNET);
        entered.map_err(|error| LiveError::at("cannot enter a host", error))
    }

    /// Calls a function in the host, in a thread of its own.
    pub(crate) fn inside<T: Send>(&self, call: impl FnOnce() -> T + Send) -> Result<T, LiveError> {
        std::thread::scope(|scope| {
            let thread = scope.spawn(|| {
                self.enter()?;
                Ok(call())
            });
            thread.join().expect("the call returns its errors")
        })
    }

    /// Sets up the device, in the host.
    fn set_up(&self, control: Option<&str>) -> nix::Result<()> {
        let netlink = Netlink::open()?;
        let index = if_nametoindex("eth0")?;
        let flags = SockFlag::SOCK_CLOEXEC;
        let any = socket(AddressFamily::Inet, SockType::Datagram, flags, None)?;
        sys::switch_off_offloads(any.as_fd(), "eth0")?;
        netlink.start_loopback()?;
        netlink.add_address(index, self.address)?;
        netlink.start(index, true)?;
        match control {
            Some(control) => netlink.add_route(index, control),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_found_by_its_address() {
        for number in 0..1000 {
            assert_eq!(host_of(address(number)), Some(number));
        }
        for other in [
            [10, 77, 0, 0],
            [10, 77, 0, 1],
            [10, 78, 0, 2],
            [10, 77, 1, 251],
        ] {
            assert_eq!(host_of(other), None, "{other:?}");
        }
    }
}
