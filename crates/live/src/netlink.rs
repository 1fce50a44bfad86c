//! Messages to the kernel that set up devices: the few that a live run needs (rtnetlink(7)).

use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};

use nix::errno::Errno;
use nix::sys::socket::{
    AddressFamily, MsgFlags, NetlinkAddr, SockFlag, SockProtocol, SockType, recv, sendto, socket,
};

const NEW_LINK: u16 = 16;
const NEW_ADDRESS: u16 = 20;
const NEW_ROUTE: u16 = 24;
const ERROR: u16 = 2;

const REQUEST: u16 = 0x1;
const ACKNOWLEDGE: u16 = 0x4;
const EXCLUSIVE: u16 = 0x200;
const CREATE: u16 = 0x400;

/// Attributes of links: if_link.h.
const LINK_ADDRESS: u16 = 1;
const LINK_NAME: u16 = 3;
const LINK_MTU: u16 = 4;
const LINK_QUEUE: u16 = 13;
const LINK_INFO: u16 = 18;
const LINK_NAMESPACE: u16 = 28;
const LINK_GSO_SEGMENTS: u16 = 40;
const INFO_KIND: u16 = 1;
const INFO_DATA: u16 = 2;
const VETH_PEER: u16 = 1;

/// Flags of devices.
const UP: u32 = 0x1;
const NO_ARP: u32 = 0x80;

/// The address of all hosts' devices: a frame then suits any of them unchanged.
const MAC: [u8; 6] = [2, 0, 0, 0, 0, 1];

/// A connection to the kernel, in the network namespace of the thread that opened it.
#[derive(Debug)]
pub(crate) struct Netlink(OwnedFd);

/// A message under construction.
struct Message(Vec<u8>);

impl Message {
    fn new(kind: u16, flags: u16) -> Message {
        let mut message = Message(vec![0; 16]);
        message.0[4..6].copy_from_slice(&kind.to_ne_bytes());
        let flags = flags | REQUEST | ACKNOWLEDGE;
        message.0[6..8].copy_from_slice(&flags.to_ne_bytes());
        message
    }

    /// Adds the record of a link (`struct ifinfomsg`).
    fn link(&mut self, index: u32, flags: u32) {
        self.0.extend([0; 4]);
        for word in [index, flags, flags] {
            self.0.extend(word.to_ne_bytes());
        }
    }

    fn attribute(&mut self, kind: u16, value: &[u8]) {
        self.nested(kind, |message| message.0.extend(value));
    }

    /// Adds an attribute whose value is what `fill` adds.
    fn nested(&mut self, kind: u16, fill: impl FnOnce(&mut Message)) {
        let start = self.0.len();
        self.0.extend([0; 4]);
        fill(self);
        let length = (self.0.len() - start) as u16;
        self.0[start..start + 2].copy_from_slice(&length.to_ne_bytes());
        self.0[start + 2..start + 4].copy_from_slice(&kind.to_ne_bytes());
        self.0.resize(self.0.len().next_multiple_of(4), 0);
    }
}

impl Netlink {
    /// Opens a connection in the namespace of this thread.
    pub(crate) fn open() -> nix::Result<Netlink> {
        let (flags, protocol) = (SockFlag::SOCK_CLOEXEC, SockProtocol::NetlinkRoute);
        let socket = socket(AddressFamily::Netlink, SockType::Raw, flags, protocol)?;
        Ok(Netlink(socket))
    }

    /// Adds a pair of devices: `name` here, `peer` in another namespace.
    pub(crate) fn add_pair(
        &self,
        name: &str,
        peer: &str,
        namespace: BorrowedFd<'_>,
    ) -> nix::Result<()> {
        let mut message = Message::new(NEW_LINK, CREATE | EXCLUSIVE);
        message.link(0, 0);
        message.attribute(LINK_NAME, &string(name));
        message.nested(LINK_INFO, |info| {
            info.attribute(INFO_KIND, b"veth");
            info.nested(INFO_DATA, |data| {
                data.nested(VETH_PEER, |other| {
                    other.link(0, 0);
                    other.attribute(LINK_NAME, &string(peer));
                    other.attribute(LINK_ADDRESS, &MAC);
                    let fd = namespace.as_raw_fd() as u32;
                    other.attribute(LINK_NAMESPACE, &fd.to_ne_bytes());
                });
            });
        });
        self.ask(message)
    }

    /// Starts a device. A host's one resolves no addresses, and its packets are not joined into
    /// segments: the network carries packets.
    pub(crate) fn start(&self, index: u32, is_host: bool) -> nix::Result<()> {
        let mut message = Message::new(NEW_LINK, 0);
        message.link(index, if is_host { UP | NO_ARP } else { UP });
        message.attribute(LINK_MTU, &1500u32.to_ne_bytes());
        message.attribute(LINK_QUEUE, &10_000u32.to_ne_bytes());
        if is_host {
            message.attribute(LINK_GSO_SEGMENTS, &1u32.to_ne_bytes());
        }
        self.ask(message)
    }

    /// Starts the loopback device.
    pub(crate) fn start_loopback(&self) -> nix::Result<()> {
        let mut message = Message::new(NEW_LINK, 0);
        message.link(1, UP);
        self.ask(message)
    }

    /// Gives a device an address, whose network is all hosts of a run.
    pub(crate) fn add_address(&self, index: u32, address: [u8; 4]) -> nix::Result<()> {
        const INET: u8 = 2;
        const LOCAL: u16 = 2;
        const ADDRESS: u16 = 1;
        let mut message = Message::new(NEW_ADDRESS, CREATE | EXCLUSIVE);
        message.0.extend([INET, 16, 0, 0]);
        message.0.extend(index.to_ne_bytes());
        message.attribute(LOCAL, &address);
        message.attribute(ADDRESS, &address);
        self.ask(message)
    }

    /// Adds a route to all hosts of a run, with the congestion control of connections that choose none.
    pub(crate) fn add_route(&self, index: u32, control: &str) -> nix::Result<()> {
        const INET: u8 = 2;
        // The table main, a static route, to the link, for single addresses.
        const RECORD: [u8; 8] = [INET, 17, 0, 0, 254, 4, 253, 1];
        const DESTINATION: u16 = 1;
        const DEVICE: u16 = 4;
        const METRICS: u16 = 8;
        const CONTROL: u16 = 16;
        let mut message = Message::new(NEW_ROUTE, CREATE | EXCLUSIVE);
        message.0.extend(RECORD);
        message.0.extend([0; 4]);
        // More specific than the route that came with the address.
        message.attribute(DESTINATION, &[10, 77, 0, 0]);
        message.attribute(DEVICE, &index.to_ne_bytes());
        message.nested(METRICS, |metrics| {
            metrics.attribute(CONTROL, &string(control));
        });
        self.ask(message)
    }

    /// Sends a message and waits for its answer.
    fn ask(&self, mut message: Message) -> nix::Result<()> {
        let length = message.0.len() as u32;
        message.0[..4].copy_from_slice(&length.to_ne_bytes());
        let kernel = NetlinkAddr::new(0, 0);
        let fd = self.0.as_raw_fd();
        sendto(fd, &message.0, &kernel, MsgFlags::empty())?;
        let mut answer = [0; 4096];
        let length = recv(fd, &mut answer, MsgFlags::empty())?;
        let kind = u16::from_ne_bytes([answer[4], answer[5]]);
        if length < 20 || kind != ERROR {
            return Err(Errno::EPROTO);
        }
        let code = [answer[16], answer[17], answer[18], answer[19]];
        match i32::from_ne_bytes(code) {
            0 => Ok(()),
            error => Err(Errno::from_raw(-error)),
        }
    }
}

fn string(text: &str) -> Vec<u8> {
    [text.as_bytes(), &[0]].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_nest_and_end_at_multiples_of_four() {
        let mut message = Message::new(NEW_LINK, 0);
        message.nested(7, |inner| inner.attribute(8, &[1, 2, 3, 4, 5]));
        let expected = [16u16, 7, 9, 8].map(u16::to_ne_bytes).concat();
        assert_eq!(message.0[16..24], expected);
        assert_eq!(message.0[24..], [1, 2, 3, 4, 5, 0, 0, 0]);
    }
}
