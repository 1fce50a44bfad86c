//! The programs of hosts for UDP, each a thread in its host's namespace, and what all programs know.

use std::io::IoSliceMut;
use std::net::{Ipv4Addr, SocketAddrV4, UdpSocket};
use std::os::fd::AsRawFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use nix::cmsg_space;
use nix::sys::prctl::set_timerslack;
use nix::sys::socket::{ControlMessageOwned, MsgFlags, recvmsg, setsockopt, sockopt};
use nix::sys::time::{TimeSpec, TimeValLike};
use pacesim::units::{Rate, Time};

use crate::clock::{Clock, now, sleep_until};
use crate::plan::UDP_HEADERS;

/// The longest time for which a host's thread does not look at the clock.
pub(crate) const PATIENCE: Duration = Duration::from_millis(20);

/// A datagram that arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// Number that its sender gave it, from zero.
    pub number: u64,
    /// Time of the run at which the kernel stamped it, in nanoseconds.
    pub at_ns: i64,
}

/// Everything that a receiver got.
#[derive(Clone, Debug, Default)]
pub struct Received {
    /// Bytes of data.
    pub bytes: u64,
    /// Bytes of data after the warm-up.
    pub measured_bytes: u64,
    /// Datagrams after the warm-up, for UDP.
    pub measured_datagrams: u64,
    /// True if all bytes were those that the sender wrote, in their order.
    pub intact: bool,
    /// The datagrams of UDP.
    pub datagrams: Vec<Arrival>,
    /// The transfers of TCP.
    pub transfers: Vec<Transfer>,
}

/// An amount of data that a sender handed to the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// Its bytes.
    pub bytes: u64,
    /// Time of the run at which the sender handed it over, in nanoseconds.
    pub start_ns: i64,
    /// Time at which the receiver had all of it, if it did.
    pub end_ns: Option<i64>,
    /// Port of its connection, and the bytes of that up to its end.
    pub(crate) connection: (u16, u64),
}

/// The times of a run, for the threads of hosts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Times<'a> {
    pub(crate) clock: Clock,
    /// The end of the warm-up, and of the run.
    pub(crate) window: [i64; 2],
    /// True once nothing more leaves the world.
    pub(crate) is_over: &'a AtomicBool,
}

impl Times<'_> {
    pub(crate) fn is_past(&self) -> bool {
        self.is_over.load(Ordering::Relaxed) || now() >= self.window[1]
    }
}

/// Sends datagrams at a constant rate from `start` on, before `stop`: each is numbered. Returns their
/// number.
pub(crate) fn send_udp(
    from: Ipv4Addr,
    to: SocketAddrV4,
    rate: Rate,
    size: u64,
    [start, stop]: [i64; 2],
    times: Times<'_>,
) -> Result<u64, String> {
    let failed = |error: std::io::Error| error.to_string();
    let socket = UdpSocket::bind((from, 0)).map_err(failed)?;
    socket.connect(to).map_err(failed)?;
    let mut data = vec![0; (size - UDP_HEADERS) as usize];
    let gap = u128::from(size) * 8_000_000_000;
    let due = |number: u64| {
        let after = gap * u128::from(number) / u128::from(rate.as_bps());
        start.saturating_add(after as i64)
    };
    let _ = set_timerslack(1);
    let mut number = 0;
    while due(number) < stop && !times.is_past() {
        sleep_until(due(number));
        data[..8].copy_from_slice(&number.to_le_bytes());
        socket.send(&data).map_err(failed)?;
        number += 1;
    }
    Ok(number)
}

/// Receives datagrams with the kernel's stamps until nothing more comes.
pub(crate) fn receive_udp(socket: &UdpSocket, times: Times<'_>) -> Result<Received, String> {
    let mut received = Received {
        intact: true,
        ..Received::default()
    };
    let failed = |error: &dyn ToString| error.to_string();
    let set = socket.set_read_timeout(Some(PATIENCE));
    set.map_err(|error| failed(&error))?;
    let (mut buffer, mut space) = (vec![0; 2048], cmsg_space!(TimeSpec));
    let start = times.clock.outside(Time::ZERO);
    loop {
        let mut slices = [IoSliceMut::new(&mut buffer)];
        let flags = MsgFlags::empty();
        let fd = socket.as_raw_fd();
        let (length, stamp) = match recvmsg::<()>(fd, &mut slices, Some(&mut space), flags) {
            Ok(message) => {
                let mut controls = message.cmsgs().map_err(|error| failed(&error))?;
                let stamp = controls.find_map(|control| match control {
                    ControlMessageOwned::ScmTimestampns(time) => Some(time.num_nanoseconds()),
                    _ => None,
                });
                (message.bytes, stamp.ok_or("a datagram has no stamp")?)
            }
            Err(nix::Error::EAGAIN | nix::Error::EINTR) => {
                if times.is_over.load(Ordering::Relaxed) {
                    return Ok(received);
                }
                continue;
            }
            Err(error) => return Err(failed(&error)),
        };
        let (number, rest) = buffer[..length].split_at(8);
        received.intact &= rest.iter().all(|byte| *byte == 0);
        let at = times.clock.of_stamp(stamp);
        received.datagrams.push(Arrival {
            number: u64::from_le_bytes(number.try_into().expect("it is eight bytes")),
            at_ns: at - start,
        });
        received.bytes += length as u64;
        if (times.window[0]..times.window[1]).contains(&at) {
            received.measured_bytes += length as u64;
            received.measured_datagrams += 1;
        }
    }
}

/// A socket that receives datagrams, with stamps and with room for what comes while it is late.
pub(crate) fn listen_udp(at: SocketAddrV4) -> Result<UdpSocket, String> {
    let socket = UdpSocket::bind(at).map_err(|error| error.to_string())?;
    let room = 16 << 20;
    if setsockopt(&socket, sockopt::RcvBufForce, &room).is_err() {
        setsockopt(&socket, sockopt::RcvBuf, &room).map_err(|error| error.to_string())?;
    }
    let stamps = setsockopt(&socket, sockopt::ReceiveTimestampns, &true);
    stamps.map_err(|error| error.to_string())?;
    Ok(socket)
}
