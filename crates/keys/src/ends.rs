//! Transports of the program's own, whose two ends answer each other.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};

use pacesim_language::field::{Keys, OwnKinds, Reader, Record};
use pacesim_language::form::{Row, Table};
use pacesim_language::table;
use pacesim_language::tree::TomlTable;
use pacesim_model::Tcp;
use pacesim_model::transport::{Opening, OwnTransport};
use pacesim_parts::Own;
use pacesim_tcp::{Config, Profile, Variant};
use pacesim_units::{Bytes, Capacity, FlowId, Rate, Span, Time};

use crate::connection::TcpKeys;
use crate::tcp::{TcpTraffic, load_of};
use crate::transfers::TransferKeys;

/// A transport of the program's own with its data.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnEnds {
    /// The transport with its own keys.
    pub own: Own<OwnTransport>,
    /// Its data, and the sizes of its packets; nothing else of TCP counts.
    pub traffic: TcpTraffic,
}

table! {
    /// The keys that all transports of the program's own have.
    struct EndKeys "ends" {
        packet_size: Bytes, (= "1500B"), "The largest packet that either end may send, on the wire.", "1280B";
        header: Bytes, (= "40B"), "Bytes of headers in a full packet, by which loads and ideal times of transfers are counted.", "52B";
        ecn: bool, (= "false"), "Let its ends send packets that queues may mark.", "true";
        transfer: Option<Capacity>, "The amount of data to send; by default, and with \"unlimited\", data without end. Or give transfers.", "100KB";
        transfers: Option<TransferKeys>, "Many transfers: one after another, or as they arrive.", "{ size = { exponential = \"100KB\" }, pause = \"1s\" }";
    }
}

impl OwnKinds for OwnEnds {
    fn tables() -> Vec<&'static Table> {
        static ENDS: OnceLock<Vec<Table>> = OnceLock::new();
        const COMMON: &[Row] = &[Row::KeysOf(EndKeys::TABLE)];
        let with_common = |table: &'static Table| Table {
            name: table.name,
            doc: table.doc,
            rows: table.rows,
            common: COMMON,
        };
        let ends = ENDS.get_or_init(|| {
            let tables = Own::<OwnTransport>::tables().into_iter();
            tables.map(with_common).collect()
        });
        ends.iter().collect()
    }

    fn read_own(kind: &str, table: &TomlTable, reader: &mut Reader<'_>) -> Option<OwnEnds> {
        let own = Own::<OwnTransport>::read_own(kind, table, reader);
        let keys = EndKeys::read_keys(table, reader);
        let (own, keys) = (own?, keys?);
        let traffic = keys.traffic(reader);
        Some(OwnEnds { own, traffic })
    }

    fn write_own(&self, tag: &'static str, keys: &mut Keys) {
        self.own.write_own(tag, keys);
        EndKeys::write_keys(&EndKeys::of(&self.traffic), keys);
    }
}

impl EndKeys {
    /// The data, and the sizes of packets.
    fn traffic(self, reader: &mut Reader<'_>) -> TcpTraffic {
        let mut config = Config::new(Profile::Rfc, Variant::Sack);
        let (size, header) = (self.packet_size, self.header);
        match size.0.checked_sub(header.0).filter(|payload| *payload > 0) {
            Some(payload) => config.payload = Bytes(payload),
            None => {
                let message =
                    format!("a packet of {size} carries nothing beside its header of {header}");
                let help = "give a larger packet, or header = \"0B\"".to_owned();
                reader.fault_once("packet_size", message, help);
            }
        }
        (config.header, config.syn) = (header, false);
        config.ack_size = Bytes(config.ack_size.0.min(size.0));
        config.linux.ecn = self.ecn;
        let of_data = TcpKeys {
            transfer: self.transfer,
            transfers: self.transfers,
            ..TcpKeys::default()
        };
        let (load, arrivals) = load_of(&of_data, reader);
        TcpTraffic {
            arrivals,
            ..Tcp::new(Arc::new(config), load).into()
        }
    }

    fn of(traffic: &TcpTraffic) -> EndKeys {
        let config = &traffic.tcp.config;
        let of_data = TcpKeys::of(&traffic.tcp, traffic.arrivals.as_ref());
        EndKeys {
            packet_size: Bytes(config.payload.0.saturating_add(config.header.0)),
            header: config.header,
            ecn: config.linux.ecn,
            transfer: of_data.transfer,
            transfers: of_data.transfers,
        }
    }
}

impl OwnEnds {
    /// The reason why its ends refuse their keys or the size of their packets, if they do.
    pub fn refusal(&self) -> Option<String> {
        let config = &self.traffic.tcp.config;
        let size = config.payload.0.saturating_add(config.header.0);
        let mut both = [true, false].into_iter();
        both.find_map(|is_source| {
            let opening = Opening {
                flow: FlowId(0),
                call: 0,
                at: Time::ZERO,
                seed: 0,
                is_source,
                packet_size: u32::try_from(size).unwrap_or(u32::MAX),
                header: u32::try_from(config.header.0).unwrap_or(u32::MAX),
                line: Rate::from_mbps(10_000),
                round_trip: Span::from_us(100),
                hops: 3,
                ecn: config.linux.ecn,
            };
            let made = catch_unwind(AssertUnwindSafe(|| self.own.make.end(opening)));
            made.unwrap_or_else(|panic| {
                let text = text_of(&*panic);
                Err(format!("their constructor panicked: {text}"))
            })
            .err()
        })
    }
}

/// The text of a panic.
fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
    text.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use pacesim_parts::OF_TRANSPORTS;

    use super::*;

    #[test]
    fn parts_cannot_declare_the_common_keys() {
        for key in EndKeys::TABLE.keys() {
            assert!(OF_TRANSPORTS.contains(&key.name), "{}", key.name);
        }
    }
}
