//! NDP connections: receivers that pull, and queues that cut payloads off.

use std::sync::Arc;

use pacesim_language::field::{Count, Keys, Reader, Record};
use pacesim_language::form::Table;
use pacesim_language::tree::TomlTable;
use pacesim_language::{table, words};
use pacesim_model::Tcp;
use pacesim_model::transport::{Opening, OwnTransport, TurnRule};
use pacesim_rdma::ndp::{Config, Sink, Source};
use pacesim_tcp::{self as tcp, Profile, Variant};
use pacesim_units::{Bytes, Capacity, Span};

use crate::connection::TcpKeys;
use crate::tcp::{TcpTraffic, load_of};
use crate::transfers::TransferKeys;

/// NDP connections, and their data.
#[derive(Clone, Debug)]
pub struct NdpTraffic {
    keys: NdpKeys,
    /// The transport of its connections.
    pub make: OwnTransport,
    /// Its data, and the sizes of its packets; nothing else of TCP counts.
    pub traffic: TcpTraffic,
}

/// The largest first window. A run ends with an error if an end sends several times as many packets at one
/// instant.
const MOST_AT_ONCE: u32 = 1 << 15;

/// The transport follows from the keys.
impl PartialEq for NdpTraffic {
    fn eq(&self, other: &NdpTraffic) -> bool {
        self.keys == other.keys
    }
}

table! {
    /// NDP (Handley et al., SIGCOMM 2017): a first window at the rate of the line, then a packet for each
    /// pull. All flows to a host share its pulls, round robin, and the card of a host asks its
    /// connections for packets in turn.
    struct NdpKeys "ndp" {
        variant: NdpVariant, (= "paper"), "The source of the clock of pulls.", "htsim";
        window: u32 as Count, (= "30"), "The first window in packets.", "12";
        packet_size: Bytes, (= "9000B"), "The size of a full packet on the wire.", "1500B";
        header: Bytes, (= "64B"), "The bytes of headers in each packet: what is left of one that is cut, as header of the queues (kind trim) has it.", "64B";
        ack_size: Bytes, (= "64B"), "The size of an answer and of a pull on the wire; queues send those no larger than their header first.", "64B";
        timeout: Span, (= "20ms"), "The time after which a packet without an answer is sent again, since its header was lost.", "50ms";
        transfer: Option<Capacity>, "The amount of data to send; by default, and with \"unlimited\", data without end. Or give transfers.", "100KB";
        transfers: Option<TransferKeys>, "Many transfers: one after another, or as they arrive.", "{ size = { exponential = \"100KB\" }, pause = \"1s\" }";
    }
}

words! {
    /// A variant of NDP.
    pub enum NdpVariant {
        Paper "paper", "the paper";
        Htsim "htsim", "htsim, whose clock of pulls sometimes sends two at once";
    }
}

impl Record for NdpTraffic {
    type Value = NdpTraffic;
    const TABLE: &'static Table = NdpKeys::TABLE;

    fn read_keys(table: &TomlTable, reader: &mut Reader<'_>) -> Option<NdpTraffic> {
        let keys = NdpKeys::read_keys(table, reader)?;
        let traffic = keys.traffic(reader);
        let config = Config {
            payload: traffic.tcp.config.payload,
            header: keys.header,
            answer: keys.ack_size,
            window: keys.window,
            timeout: Some(keys.timeout),
        };
        let make = OwnTransport::new(
            "ndp",
            move |_: Opening| Source::new(config),
            move |_: Opening| Sink::new(&config),
        );
        let rule = match keys.variant {
            NdpVariant::Paper => TurnRule::Paper,
            NdpVariant::Htsim => TurnRule::Htsim,
        };
        let make = make.pulled().trusted().taking_turns(rule);
        Some(NdpTraffic {
            make: make.described(format!("{keys:?}")),
            keys,
            traffic,
        })
    }

    fn write_keys(traffic: &NdpTraffic, keys: &mut Keys) {
        NdpKeys::write_keys(&traffic.keys, keys);
    }
}

impl NdpTraffic {
    /// The size of an answer, and of a pull.
    pub fn answer(&self) -> Bytes {
        self.keys.ack_size
    }
}

impl NdpKeys {
    /// The data, and the sizes of packets.
    fn traffic(&self, reader: &mut Reader<'_>) -> TcpTraffic {
        let mut config = tcp::Config::new(Profile::Rfc, Variant::Sack);
        let (size, header) = (self.packet_size, self.header);
        match size.0.checked_sub(header.0).filter(|payload| *payload > 0) {
            Some(payload) => config.payload = Bytes(payload),
            None => {
                let message =
                    format!("a packet of {size} carries nothing beside its header of {header}");
                let help = "give a larger packet, or header = \"64B\"".to_owned();
                reader.fault_once("packet_size", message, help);
            }
        }
        (config.header, config.syn) = (header, false);
        config.ack_size = self.ack_size;
        config.linux.ecn = false;
        for (key, small) in [("ack_size", self.ack_size), ("header", header)] {
            if small == Bytes::ZERO || small > size {
                let message = format!("{small} is not a size beside packets of {size}");
                let help = "give \"64B\", or another size up to that of packets".to_owned();
                reader.fault_once(key, message, help);
            }
        }
        if self.window > MOST_AT_ONCE {
            let message = format!("a window of {} packets is sent at once", self.window);
            let help = format!(
                "give at most {MOST_AT_ONCE}: a round trip at the rate of the line is usual"
            );
            reader.fault_once("window", message, help);
        }
        if self.timeout.is_zero() {
            let help = "give a time well above the round trip, as \"20ms\"";
            reader.fault_once("timeout", "timeout is 0".to_owned(), help.to_owned());
        }
        let of_data = TcpKeys {
            transfer: self.transfer,
            transfers: self.transfers.clone(),
            ..TcpKeys::default()
        };
        let (load, arrivals) = load_of(&of_data, reader);
        TcpTraffic {
            arrivals,
            ..Tcp::new(Arc::new(config), load).into()
        }
    }
}
