//! The table of packets at ports: its rows and columns.

crate::row! {
    /// A packet's passage through one port.
    PacketRow in "packets" {
        t_ps: u64, "ps", "When it came to the port.";
        release_ps: Option<u64>, "ps", "When the port's pacer let it into the queue; missing without a pacer, or if it refused it.";
        departure_ps: Option<u64>, "ps", "When its transmission ended; missing if it was dropped.";
        link_id: u32, "", "The link behind the port: its row in links.parquet has its name.";
        flow_id: u32, "", "The flow: its row in flows.parquet has its group.";
        seq: u64, "", "Its sequence number in the flow.";
        size_bytes: u32, "byte", "Its size on the wire.";
        kind: u8, "", "What it is: 0 data, 1 acknowledgement, 2 made on the way, such as forward error correction.";
        outcome: u8, "", "What became of it: 0 sent, 1 dropped at a full queue, 2 dropped by a script, 3 lost on the wire, 4 refused by a full pacer, 5 refused by a queue discipline that had room, 6 taken by it and dropped later.";
        retransmission: bool, "", "Whether it repeats an earlier packet.";
        repaired: bool, "", "Whether it was lost before, and forward error correction repaired it.";
        ecn: u8, "", "ECN field as it left the port: 0 none, 1 ECT(1), 2 ECT(0), 3 CE (marked); plus 4 with TCP's CWR, plus 8 in an acknowledgement with ECE.";
    }
}

/// The meanings of [`PacketRow::kind`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum PacketKind {
    /// A packet of data.
    Data = 0,
    /// An acknowledgement.
    Ack = 1,
    /// Created on the path for another place on it, such as the repair packet of an FEC block.
    Auxiliary = 2,
}

/// The meanings of [`PacketRow::outcome`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum PacketOutcome {
    /// It was transmitted.
    Sent = 0,
    /// It was dropped at a full queue.
    DroppedFull = 1,
    /// It was dropped by a script.
    DroppedScript = 2,
    /// It was transmitted and lost on the wire.
    LostWire = 3,
    /// The port's pacer refused it for lack of room.
    RefusedPacer = 4,
    /// The port's queue discipline refused it, although it had room.
    DroppedEarly = 5,
    /// The port's queue discipline took it, and dropped it later.
    DroppedLater = 6,
}

impl PacketKind {
    /// The number that stands for it in the column.
    pub fn code(self) -> u8 {
        self as u8
    }
}

impl PacketOutcome {
    /// The number that stands for it in the column.
    pub fn code(self) -> u8 {
        self as u8
    }
}
