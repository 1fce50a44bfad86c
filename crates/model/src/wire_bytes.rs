//! Mean number of bytes that transfers take on the wire.

use pacesim_tape::Tape;
use pacesim_tcp::Profile;
use pacesim_units::Bytes;

use crate::distribution::Sizes;
use crate::pieces::pieces;
use crate::range::{SIZE, Unit};
use crate::transfers::{Carrier, Load, TransferSizes};
use crate::{Arrival, Tcp};

/// The most packets of a transfer: some of them fit the sequence numbers of a connection.
pub const MOST_PACKETS: u32 = 1_000_000_000;

impl Tcp {
    /// Mean bytes of a transfer on the wire, without retransmissions and ACKs.
    pub fn mean_wire_bytes(&self) -> f64 {
        let Load::Transfers(transfers) = &self.load else {
            return 0.0;
        };
        let payload = self.config.payload.0;
        let (bytes, packets) = match &transfers.size {
            TransferSizes::Packets(n) => (f64::from(*n) * payload as f64, f64::from(*n)),
            TransferSizes::DrawnPackets(distribution) => {
                let packets = pieces(distribution, 1, f64::from(MOST_PACKETS));
                (packets * payload as f64, packets)
            }
            TransferSizes::Bytes(Sizes::Constant(size)) => self.pieces_of(*size),
            TransferSizes::Bytes(Sizes::Drawn(distribution)) => {
                let most = SIZE.most.to_number();
                let packets = pieces(distribution, payload, most);
                (pieces(distribution, 1, most), packets)
            }
        };
        self.on_wire(transfers.connection, (bytes, packets))
    }

    /// Mean bytes of recorded transfers on the wire, which have sizes of their own.
    pub fn mean_wire_bytes_of(&self, recorded: &Tape<Arrival>) -> f64 {
        let Load::Transfers(transfers) = &self.load else {
            return 0.0;
        };
        let add = |(n, sum): (f64, f64), size: Bytes| {
            let wire = self.on_wire(transfers.connection, self.pieces_of(size));
            (n + 1.0, sum + wire)
        };
        let sizes = recorded.iter().map(|transfer| transfer.size);
        let (n, sum) = sizes.fold((0.0, 0.0), add);
        sum / f64::max(n, 1.0)
    }

    /// Bytes of payload, and packets.
    fn pieces_of(&self, size: Bytes) -> (f64, f64) {
        let packets = size.0.div_ceil(self.config.payload.0.max(1));
        (size.0 as f64, packets as f64)
    }

    fn on_wire(&self, connection: Carrier, (bytes, packets): (f64, f64)) -> f64 {
        let config = &self.config;
        let bytes = match config.profile {
            Profile::Ns2 => packets * config.payload.0 as f64,
            Profile::Rfc | Profile::Linux => bytes,
        };
        let syn = match connection {
            Carrier::New if config.syn => config.syn_size.0 as f64,
            _ => 0.0,
        };
        bytes + packets * config.header.0 as f64 + syn
    }
}
