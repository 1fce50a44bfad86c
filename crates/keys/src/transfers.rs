//! Transfers over TCP: their sizes, times and connections.

use pacesim_language::field::{Count, LinkRef, Number, Reader, Tagged};
use pacesim_language::names::Reference;
use pacesim_language::{cases, table, words};
use pacesim_model::{Carrier, Load, Pause, PauseFrom, Sizes, Tcp, TransferSizes, Transfers};
use pacesim_units::Span;

use crate::distribution::Drawn;
use crate::recorded::RecordedFile;
use crate::values::{PacketCount, Value};

table! {
    /// Transfers: each after the previous one or at its own time, separately for each flow (pause)
    /// or for all flows of the group together (arrivals).
    pub(crate) struct TransferKeys "transfers" {
        size: Option<Sizes> as Option<Drawn<Sizes>>, "The size of each transfer, in bytes of payload; a distribution is drawn for each. Or give packets.", "100KB";
        packets: Option<Value<PacketCount>>, "The size of each transfer, in full packets; a distribution is drawn for each. Or give size.", "20pkts";
        pause: Option<Pause> as Option<Drawn<Pause>>, "The wait for the next transfer; a distribution is drawn for each. By default 0s. Or give arrivals.", "1s";
        pause_from: Option<PauseFrom> as Option<PauseFromWord>, "The start of the pause; default: last_ack.", "start";
        arrivals: Option<Arrivals> as Option<Tagged<Arrivals>>, "The arrivals of the whole group's transfers, of which each flow has its share: an open loop, or users.", "{ kind = \"poisson\", every = \"10ms\" }";
        connection: Carrier as CarrierWord, (= "same"), "The connections that carry them.", "new";
        count: Option<u32> as Option<Count>, "The number of transfers of each flow; by default endless.", "10";
    }
}

/// The moment from which a pause counts.
struct PauseFromWord;

words! {
    PauseFromWord: PauseFrom {
        "last_ack" => PauseFrom::LastAck, "the last ACK of the previous transfer: users who fetch, then think";
        "start" => PauseFrom::Start, "the start of the previous transfer, which may be unfinished";
    }
}

/// The connections that carry transfers.
struct CarrierWord;

words! {
    CarrierWord: Carrier {
        "same" => Carrier::Same, "one persistent connection; a transfer that starts during another is appended to it, and waits behind it: with arrivals, new is what web pages do";
        "new" => Carrier::New, "a connection for each, with its SYN if there are any and the initial window; several may be open at once";
    }
}

table! {
    /// The rate of transfers.
    pub struct Pace "pace" {
        every: Option<Span>, "The mean time between arrivals of the whole group.", "10ms";
        load: Option<f64> as Option<Number>, "The share of a link to be filled by first transmissions, in bytes on the wire and without ACKs; the time between transfers follows. Or give every.", "0.6";
        of: Option<Reference> as Option<LinkRef>, "The link to which load refers, or a group of links of which each transfer crosses one, such as the access links of all hosts: the load is then the share of all of them together.", "core";
    }
}

table! {
    /// Transfers from a file.
    pub struct RecordedTransfers "recorded_transfers" {
        file: RecordedFile, "The file, relative to the scenario, with columns of times from the start and of sizes in bytes of payload. Its rows are assigned to the flows of the group in turn.", "arrivals.csv";
        pace: Pace, "Its rate.";
    }
}

impl Pace {
    /// True if a rate or a load is given.
    pub fn is_given(&self) -> bool {
        self.every.is_some() || self.load.is_some()
    }
}

cases! {
    /// The arrivals of independent transfers.
    pub enum Arrivals by "kind" {
        /// A Poisson process over the group.
        Poisson "poisson" (Pace)
        /// At equal intervals; the flows take turns.
        Periodic "periodic" (Pace)
        /// Users, one for each flow: each thinks for an exponential time, fetches, and thinks again
        /// after the last ACK. Its mean follows from every or load, which count the transfers of all
        /// users as if they took no time: with their own time users come less often.
        Users "users" (Pace)
        /// At times from a file; with every or load they are stretched or compressed to that
        /// rate, from the start to the last row, and sizes stay.
        Recorded "recorded" (RecordedTransfers)
    }
}

impl Arrivals {
    /// The rate of the arrivals, which recorded ones need not have.
    pub fn pace(&self) -> &Pace {
        match self {
            Arrivals::Poisson(pace) | Arrivals::Periodic(pace) | Arrivals::Users(pace) => pace,
            Arrivals::Recorded(recorded) => &recorded.pace,
        }
    }

    /// Mean bytes of a transfer on the wire over such a connection, without retransmissions and
    /// ACKs.
    pub fn mean_wire_bytes(&self, tcp: &Tcp) -> f64 {
        match self {
            Arrivals::Recorded(recorded) => {
                tcp.mean_wire_bytes_of(&recorded.file.recording.arrivals)
            }
            _ => tcp.mean_wire_bytes(),
        }
    }
}

impl TransferKeys {
    /// The load described by the keys under `path`; times shared by the group are added on
    /// expansion.
    pub(crate) fn load(&self, path: &str, reader: &mut Reader<'_>) -> Load {
        if self.arrivals.is_some() {
            for (said, key) in [
                (self.pause.is_some(), "pause"),
                (self.pause_from.is_some(), "pause_from"),
            ] {
                if said {
                    exclude(path, [key, "arrivals"], reader);
                }
            }
        }
        let transfers = Transfers {
            pause: self.pause.clone().unwrap_or(Pause::Constant(Span::ZERO)),
            pause_from: self.pause_from.unwrap_or_default(),
            connection: self.connection,
            count: self.count,
            ..Transfers::new(self.sizes(path, reader))
        };
        transfers.into()
    }

    fn sizes(&self, path: &str, reader: &mut Reader<'_>) -> TransferSizes {
        let recorded = matches!(self.arrivals, Some(Arrivals::Recorded(_)));
        match (&self.size, &self.packets) {
            (Some(_), Some(_)) => exclude(path, ["size", "packets"], reader),
            (size, packets) if recorded && (size.is_some() || packets.is_some()) => {
                let message = "the sizes are those of the file".to_owned();
                let help = "leave out size and packets, or the file".to_owned();
                reader.fault_once(&format!("{path}arrivals.file"), message, help);
            }
            (None, None) if !recorded => {
                let message = "the size of the transfers is missing".to_owned();
                let help = "write size = \"100KB\" or packets = \"20pkts\"".to_owned();
                reader.fault_once(path.trim_end_matches('.'), message, help);
            }
            _ => {}
        }
        match (&self.size, &self.packets) {
            (Some(size), _) => TransferSizes::Bytes(size.clone()),
            (None, Some(Value::Constant(packets))) => TransferSizes::Packets(packets.0),
            (None, Some(Value::Drawn(distribution))) => {
                TransferSizes::DrawnPackets(distribution.clone())
            }
            (None, None) => TransferSizes::Packets(1),
        }
    }

    /// The keys of a load that consists of transfers.
    pub(crate) fn of(transfers: &Transfers, arrivals: Option<&Arrivals>) -> TransferKeys {
        let recorded = matches!(arrivals, Some(Arrivals::Recorded(_)));
        let (size, packets) = match &transfers.size {
            _ if recorded => (None, None),
            TransferSizes::Bytes(size) => (Some(size.clone()), None),
            TransferSizes::Packets(n) => (None, Some(Value::Constant(PacketCount(*n)))),
            TransferSizes::DrawnPackets(distribution) => {
                (None, Some(Value::Drawn(distribution.clone())))
            }
        };
        let alone = arrivals.is_none();
        TransferKeys {
            size,
            packets,
            pause: alone.then(|| transfers.pause.clone()),
            pause_from: alone.then_some(transfers.pause_from),
            arrivals: arrivals.cloned(),
            connection: transfers.connection,
            count: transfers.count,
        }
    }
}

/// Reports two keys of which one must be removed.
pub(crate) fn exclude(path: &str, [a, b]: [&str; 2], reader: &mut Reader<'_>) {
    let (message, help) = (
        format!("{a} and {b} exclude each other"),
        format!("keep {a} or {b}"),
    );
    reader.fault_once(&format!("{path}{b}"), message, help);
}
