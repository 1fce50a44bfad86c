//! The calls of the system for which `nix` has no safe form. All unsafe code of the crate is here.

#![allow(unsafe_code)]

use std::os::fd::{AsRawFd, BorrowedFd};

use std::os::unix::process::CommandExt;
use std::process::Command;

use nix::errno::Errno;
use nix::libc;
use nix::sys::prctl::set_pdeathsig;
use nix::sys::signal::Signal;

/// Hands out only those packets that come in, not those that the socket itself sends.
const PACKET_IGNORE_OUTGOING: libc::c_int = 23;
/// `SIOCETHTOOL` of linux/sockios.h.
const SIOCETHTOOL: libc::Ioctl = 0x8946;
/// Commands of linux/ethtool.h that set: checksums of received and of sent packets, TSO, GSO, GRO.
const OFFLOADS: [u32; 5] = [0x15, 0x17, 0x1f, 0x24, 0x2c];

/// The argument of the commands above (`struct ethtool_value`).
#[repr(C)]
struct EthtoolValue {
    command: u32,
    data: u32,
}

/// Binds a packet socket to all protocols of a device.
pub(crate) fn bind_to_device(socket: BorrowedFd<'_>, index: u32) -> nix::Result<()> {
    // SAFETY: all bytes zero is a valid `sockaddr_ll`, a struct of integers.
    let mut address: libc::sockaddr_ll = unsafe { std::mem::zeroed() };
    address.sll_family = libc::AF_PACKET as u16;
    address.sll_protocol = (libc::ETH_P_ALL as u16).to_be();
    address.sll_ifindex = index as i32;
    let length = size_of_val(&address) as libc::socklen_t;
    let address = (&raw const address).cast();
    // SAFETY: `address` points to `length` initialised bytes that live until the call returns.
    Errno::result(unsafe { libc::bind(socket.as_raw_fd(), address, length) })?;
    Ok(())
}

/// Makes a packet socket ignore its own packets.
pub(crate) fn ignore_outgoing(socket: BorrowedFd<'_>) -> nix::Result<()> {
    let on: libc::c_int = 1;
    let (level, name) = (libc::SOL_PACKET, PACKET_IGNORE_OUTGOING);
    let length = size_of_val(&on) as libc::socklen_t;
    let fd = socket.as_raw_fd();
    // SAFETY: the option's value is `length` bytes that live until the call returns.
    Errno::result(unsafe { libc::setsockopt(fd, level, name, (&raw const on).cast(), length) })?;
    Ok(())
}

/// Packets that a packet socket had no room for since the last call.
pub(crate) fn packet_drops(socket: BorrowedFd<'_>) -> nix::Result<u32> {
    let mut counts = [0u32; 2];
    let mut length = size_of_val(&counts) as libc::socklen_t;
    let (level, name) = (libc::SOL_PACKET, libc::PACKET_STATISTICS);
    let (fd, value) = (socket.as_raw_fd(), counts.as_mut_ptr().cast());
    // SAFETY: the kernel writes at most `length` bytes, the size of `counts`, for which any bits are
    // valid.
    Errno::result(unsafe { libc::getsockopt(fd, level, name, value, &mut length) })?;
    Ok(counts[1])
}

/// Lets a command end when the thread that starts it does, by whatever cause.
pub(crate) fn die_with_parent(command: &mut Command) {
    let set = || Ok(set_pdeathsig(Signal::SIGKILL)?);
    // SAFETY: between fork and exec it makes one call of the system, and allocates nothing.
    unsafe { command.pre_exec(set) };
}

/// Gives this thread a real-time priority (SCHED_FIFO).
pub(crate) fn set_priority(priority: u32) -> nix::Result<()> {
    // SAFETY: all bytes zero is a valid `sched_param`, a struct of integers.
    let mut parameters: libc::sched_param = unsafe { std::mem::zeroed() };
    parameters.sched_priority = priority as libc::c_int;
    // SAFETY: the parameters live until the call returns.
    let set = unsafe { libc::sched_setscheduler(0, libc::SCHED_FIFO, &raw const parameters) };
    Errno::result(set)?;
    Ok(())
}

/// Bytes of a TCP connection that have not been acknowledged.
pub(crate) fn unacknowledged(socket: BorrowedFd<'_>) -> nix::Result<u64> {
    let mut bytes: libc::c_int = 0;
    // SAFETY: the call writes one integer, which lives until it returns.
    let read = unsafe { libc::ioctl(socket.as_raw_fd(), libc::TIOCOUTQ, &raw mut bytes) };
    Errno::result(read)?;
    Ok(bytes as u64)
}

/// Switches off checksum and segmentation offloads of a device, in the namespace of the socket.
pub(crate) fn switch_off_offloads(socket: BorrowedFd<'_>, device: &str) -> nix::Result<()> {
    for command in OFFLOADS {
        let mut value = EthtoolValue { command, data: 0 };
        // SAFETY: all bytes zero is a valid `ifreq`: integers, and a union of such and a pointer.
        let mut request: libc::ifreq = unsafe { std::mem::zeroed() };
        let room = request.ifr_name.len() - 1;
        for (to, from) in request.ifr_name.iter_mut().zip(device.bytes().take(room)) {
            *to = from as libc::c_char;
        }
        request.ifr_ifru.ifru_data = (&raw mut value).cast();
        // SAFETY: the request names its device by a string that ends with zero, and points to a value
        // of the size that the command reads; both live until the call returns.
        let done = unsafe { libc::ioctl(socket.as_raw_fd(), SIOCETHTOOL, &raw mut request) };
        Errno::result(done)?;
    }
    Ok(())
}
