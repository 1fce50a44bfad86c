//! Doors: packet sockets at the world's end of the hosts' devices, with the kernel's stamps.

use std::io::IoSliceMut;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};

use nix::cmsg_space;
use nix::errno::Errno;
use nix::sys::socket::{
    AddressFamily, ControlMessageOwned, MsgFlags, MultiHeaders, SockFlag, SockProtocol, SockType,
    recvmmsg, send, setsockopt, socket, sockopt,
};
use nix::sys::time::{TimeSpec, TimeValLike};

use crate::error::LiveError;
use crate::slab::SLOT;
use crate::sys;

/// Frames that are read by one call.
const BATCH: usize = 32;
/// Room for packets that come while the loop is late.
const ROOM: usize = 64 << 20;

/// The world's end of a host's device.
#[derive(Debug)]
pub(crate) struct Door {
    socket: OwnedFd,
    frames: Vec<[u8; SLOT]>,
    /// Packets that the socket had no room for, or that it did not take.
    pub(crate) drops: u64,
}

/// A frame that came, with the kernel's stamp in nanoseconds of the real-time clock.
pub(crate) type Came<'a> = (i64, &'a [u8]);

impl Door {
    /// Opens the door at a device of this thread's namespace, which is not started yet.
    pub(crate) fn open(index: u32, name: &str) -> Result<Door, LiveError> {
        let flags = SockFlag::SOCK_CLOEXEC | SockFlag::SOCK_NONBLOCK;
        let all = SockProtocol::EthAll;
        let socket = socket(AddressFamily::Packet, SockType::Raw, flags, all)
            .map_err(LiveError::PacketSocket)?;
        let set = || {
            sys::switch_off_offloads(socket.as_fd(), name)?;
            sys::ignore_outgoing(socket.as_fd())?;
            if setsockopt(&socket, sockopt::RcvBufForce, &ROOM).is_err() {
                setsockopt(&socket, sockopt::RcvBuf, &ROOM)?;
            }
            setsockopt(&socket, sockopt::ReceiveTimestampns, &true)?;
            sys::bind_to_device(socket.as_fd(), index)
        };
        set().map_err(LiveError::PacketSocket)?;
        Ok(Door {
            socket,
            frames: vec![[0; SLOT]; BATCH],
            drops: 0,
        })
    }

    pub(crate) fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }

    /// Reads the frames that have come, up to a batch, and hands them out in their order. Returns
    /// their number.
    pub(crate) fn read(&mut self, mut take: impl FnMut(Came<'_>)) -> nix::Result<usize> {
        let space = cmsg_space!(TimeSpec);
        let mut headers = MultiHeaders::<()>::preallocate(BATCH, Some(space));
        let frames = self.frames.iter_mut();
        let mut slices: Vec<_> = frames.map(|frame| [IoSliceMut::new(frame)]).collect();
        let (fd, flags) = (self.socket.as_raw_fd(), MsgFlags::MSG_DONTWAIT);
        let received = match recvmmsg(fd, &mut headers, slices.iter_mut(), flags, None) {
            Ok(received) => received,
            Err(Errno::EAGAIN | Errno::EINTR | Errno::ENETDOWN) => return Ok(0),
            Err(error) => return Err(error),
        };
        let mut number = 0;
        for message in received {
            number += 1;
            let stamp = message.cmsgs()?.find_map(|control| match control {
                ControlMessageOwned::ScmTimestampns(time) => Some(time.num_nanoseconds()),
                _ => None,
            });
            let frame = message.iovs().next().unwrap_or_default();
            take((stamp.ok_or(Errno::EPROTO)?, frame));
        }
        Ok(number)
    }

    /// Writes a frame to the host.
    pub(crate) fn write(&mut self, frame: &[u8]) {
        let written = send(self.socket.as_raw_fd(), frame, MsgFlags::MSG_DONTWAIT);
        if written != Ok(frame.len()) {
            self.drops += 1;
        }
    }

    /// Adds the packets that the socket had no room for to the drops.
    pub(crate) fn count_drops(&mut self) -> nix::Result<()> {
        self.drops += u64::from(sys::packet_drops(self.socket.as_fd())?);
        Ok(())
    }
}
