//! Hosts: the time that they take, lumps of arrivals, stalls, their own queues.

use pacesim_language::field::{Count, Field, Reader, Record, Written};
use pacesim_language::form::{Form, Word};
use pacesim_language::tree::Item;
use pacesim_language::{table, words};
use pacesim_units::Span;

use crate::values::Value;

/// The host at a node.
#[derive(Clone, Debug, PartialEq)]
pub enum Host {
    /// An ideal host, which takes no time.
    Ideal,
    /// A host with a small noise.
    Noisy,
    /// A host by its properties.
    Made(HostKeys),
}

/// The hosts with a word of their own.
struct HostWord;

words! {
    HostWord: Host {
        "none" => Host::Ideal, "an ideal host, which takes no time";
        "linux" => Host::Noisy, "a small random time for each packet that is sent: the least that ends ties and phases";
    }
}

const WORDS: &[Word] = match HostWord::FORM {
    Form::Choice(words) => words,
    _ => &[],
};

/// The type of a key for a host.
pub(crate) struct HostKey;

impl Field for HostKey {
    type Value = Host;
    const FORM: &'static Form = &Form::WordOrTable(WORDS, HostKeys::TABLE);

    fn read(item: &Item, reader: &mut Reader<'_>) -> Option<Host> {
        match item.table() {
            Some(table) => HostKeys::read_keys(table, reader).map(Host::Made),
            None => HostWord::read(item, reader),
        }
    }

    fn write(host: &Host) -> Option<Written> {
        match host {
            Host::Made(keys) => <HostKeys as Field>::write(keys),
            word => HostWord::write(word),
        }
    }
}

table! {
    /// A host that takes time, for nodes at the ends of flows that have one link. Packets of a host
    /// keep their order.
    pub struct HostKeys "host" {
        send: Option<Value<Span>>, "The time from a data packet's turn at the host's port to its first bit on the line, drawn for each packet: it delays packets and costs no throughput. By default that of \"linux\".", "{ uniform = [\"0s\", \"5us\"] }";
        answer: Option<Value<Span>>, "The same for the answers of receivers. By default that of \"linux\".", "{ exponential = \"2us\" }";
        lumps: Option<LumpKeys>, "Interrupts: the host gets the packets that arrive in lumps.", "{ every = \"50us\" }";
        stalls: Option<StallKeys>, "Times at which the host neither sends nor receives, such as those of a busy virtual machine.", "{ every = \"1s\", length = \"5ms\" }";
        qdisc: HostQueue, (= "link"), "The queue at the host's own port.", "fifo";
    }
}

impl HostKeys {
    /// A host about which nothing is said.
    pub const NONE: HostKeys = HostKeys {
        send: None,
        answer: None,
        lumps: None,
        stalls: None,
        qdisc: HostQueue::Link,
    };
}

table! {
    /// Lumps of arrivals.
    pub struct LumpKeys "lumps" derive(Copy, Eq) {
        every: Span, "The time from the first packet of a lump to the moment at which the host gets all of it.", "50us";
        most: u32 as Count, (= "64"), "The number of packets that ends a lump earlier.", "64";
    }
}

table! {
    /// Times at which a host neither sends nor receives.
    pub struct StallKeys "stalls" {
        every: Span, "The mean time from the end of a stall to the next one, which is exponential.", "1s";
        length: Value<Span>, "The length of a stall.", "5ms";
    }
}

words! {
    /// The queue at the port of a host.
    pub enum HostQueue {
        Link "link", "the queue of its link, whose full buffer drops packets of the host as in a switch";
        Fifo "fifo", "first come, first served, and never full: Linux holds senders back (TCP small queues) and drops nothing of its own";
        Fq "fq", "flows take turns, each at its own pace, and none is dropped";
    }
}
