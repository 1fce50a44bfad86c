//! Jobs: transfers between the flows of a group that wait for each other.

use std::sync::Arc;

use pacesim_language::field::{Count, Field, FileName, Reader, Written};
use pacesim_language::form::Form;
use pacesim_language::tree::Item;
use pacesim_language::{cases, table};
use pacesim_recordings::transfers::{self, ListedTransfer};
use pacesim_units::{Bytes, Span};

cases! {
    /// Transfers that wait for the arrival of others: all bytes, in order, at the receiver. Each pair
    /// of nodes has one connection. The job says which flows there are, so leave out count and pair.
    pub enum Job by "kind" {
        /// All-reduce over a ring. Each node sends to the next; the data are cut into as many pieces
        /// as there are nodes, and go round twice, piece by piece.
        Ring "ring" (Collective)
        /// All-reduce over a binary tree: sums go up to the first node, each when those from below
        /// have arrived, and the result comes down.
        Tree "tree" (Collective)
        /// Each node sends to each other one, to one after the other: first all to the next node, and
        /// a node goes on when its data have arrived and those of its turn are there.
        AllToAll "all_to_all" (Collective)
        /// All nodes of from send to the one of to; the next round begins when all have arrived.
        Incast "incast" {
            size: Bytes, "The payload from each node.", "64KB";
            rounds: u32 as Count, (= "1"), "The number of rounds.", "100";
            think: Span, (= "0s"), "The time between the last arrival of a round and the next.", "1ms";
            jitter: Span, (= "0s"), "The time over which the nodes' starts spread in each round, uniformly.", "10us";
        }
        /// Transfers from a file, which may wait for each other. Each row has a flow of its own.
        List "list" {
            file: ListFile, "A CSV file with columns start_s (or _ms, _us, _ns, _ps), from and to (places in these groups, from 0) and size_bytes; optionally after (rows, from 0, that must have arrived, separated by spaces; the start counts from the last of them) and path (as in a flow). Or a connection matrix of htsim (.cm, .tm).", "transfers.csv";
        }
    }
}

table! {
    /// A collective operation.
    pub struct Collective "collective" derive(Eq) {
        size: Bytes, "The payload that each node contributes; in all_to_all, that for each other node.", "1MB";
        rounds: u32 as Count, (= "1"), "The number of operations, each after the one before.", "10";
        think: Span, (= "0s"), "The time between two operations, at each node.", "5ms";
    }
}

/// A file of transfers.
#[derive(Clone, Debug, PartialEq)]
pub struct ListFile {
    /// Name of the file, as written in the scenario.
    pub name: String,
    /// Its rows.
    pub rows: Arc<[ListedTransfer]>,
}

impl Field for ListFile {
    type Value = ListFile;
    const FORM: &'static Form = FileName::FORM;

    fn read(item: &Item, reader: &mut Reader<'_>) -> Option<ListFile> {
        let name = FileName::read(item, reader)?;
        let text = reader.files.stream(&name);
        let rows = text.and_then(|text| transfers::parse(text).map_err(|error| error.to_string()));
        let form = "a CSV file with the header start_s,from,to,size_bytes, or a connection matrix of htsim";
        let rows = reader.content(&name, rows, form)?;
        Some(ListFile { name, rows })
    }

    fn write(file: &ListFile) -> Option<Written> {
        Some(Written::File(file.name.clone()))
    }
}
