//! Connections whose two ends answer each other.

use pacesim_language::field::{Field, FileName, NodeRef, Reader, Written};
use pacesim_language::form::Form;
use pacesim_language::names::Reference;
use pacesim_language::tree::Item;
use pacesim_language::{table, words};

use pacesim_recordings::vectors::{self, Vectors};

table! {
    /// Recorded connections whose two ends answer each other (Tmix; Weigle et al. 2006). Each is
    /// two flows of the group: f[2k] has the data of the k-th connection's initiator, at from,
    /// f[2k+1] those of its acceptor. Windows and segment sizes are those of the file, if it has
    /// them; a window limits the data in flight from its own end, as in ns-2's player.
    pub struct Exchanges "exchanges" {
        file: VectorFile, "The file of connection vectors (.cvec), in the original or the alternate format, relative to the scenario.", "web.cvec";
        handshake: Handshake as HandshakeWord, (= "shared"), "The opening of a connection.", "each";
        closes: Closes as ClosesWord, (= "fin"), "The closing of connections that are opened once for both directions. Those opened separately in each direction stay open.", "never";
        delay_box: Option<Reference> as Option<NodeRef>, "The node, on the path of every connection, at which packets wait for half of their connection's round trip in each direction, and are lost at its rates. By default the round trips and losses of the file are ignored.", "router";
        lossless: bool, (= "false"), "Let the delay box lose nothing.", "true";
    }
}

impl Exchanges {
    /// True if connections end with FINs.
    pub fn are_closed(&self) -> bool {
        self.handshake == Handshake::Shared && self.closes != Closes::Never
    }
}

/// The close of a connection that was opened once for both directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Closes {
    /// Each end sends a FIN.
    #[default]
    Fin,
    /// By a FIN of each end, with ns-2's peculiarities.
    Ns2,
    /// The connection stays open.
    Never,
}

/// The close of a connection.
struct ClosesWord;

words! {
    ClosesWord: Closes {
        "fin" => Closes::Fin, "the end that finishes last sends a packet without data (FIN) after its closing wait, the other its own when all of its data has arrived; each is acknowledged at once";
        "ns2" => Closes::Ns2, "the same, with two peculiarities of ns-2: after a FIN, acknowledgements no longer open the receiving end's window, and the delay box forgets that direction: packets that it holds are lost, and later ones pass at once";
        "never" => Closes::Never, "they stay open";
    }
}

/// The opening of a connection whose ends answer each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Handshake {
    /// One handshake serves both directions.
    #[default]
    Shared,
    /// Each direction has its own handshake.
    Each,
}

/// The opening of a connection.
struct HandshakeWord;

words! {
    HandshakeWord: Handshake {
        "shared" => Handshake::Shared, "by the end that sends first, for both directions; by both ends if they do not take turns (ns-2's two-way agents)";
        "each" => Handshake::Each, "separately in each direction, with its first unit of data (ns-2's one-way agents)";
    }
}

/// A file of connection vectors.
#[derive(Clone, Debug, PartialEq)]
pub struct VectorFile {
    /// Name of the file, as written in the scenario.
    pub name: String,
    /// Connection vectors that the file contains.
    pub vectors: Vectors,
}

impl Field for VectorFile {
    type Value = VectorFile;
    const FORM: &'static Form = FileName::FORM;

    fn read(item: &Item, reader: &mut Reader<'_>) -> Option<VectorFile> {
        let name = FileName::read(item, reader)?;
        let text = reader.files.stream(&name);
        let vectors = text.and_then(vectors::parse);
        let form = "a file of Tmix connection vectors";
        let vectors = reader.content(&name, vectors, form)?;
        Some(VectorFile { name, vectors })
    }

    fn write(file: &VectorFile) -> Option<Written> {
        Some(Written::File(file.name.clone()))
    }
}
