//! A program's own kinds of pacers, disciplines, sources, transports, applications, middleboxes and loss models, as the
//! scenario language reads and writes them.

use pacesim_language::field::{Keys, OwnKinds, Reader};
use pacesim_language::form::Table;
use pacesim_language::tree::TomlTable;
use pacesim_model::OwnLoss;
use pacesim_model::application::OwnApplication;
use pacesim_model::middlebox::OwnMiddlebox;
use pacesim_model::pacer::OwnPacer;
use pacesim_model::queue::OwnQueue;
use pacesim_model::source::OwnSource;
use pacesim_model::transport::OwnTransport;

use crate::measure::OwnMeasure;
use crate::own::Own;
use crate::part::Part;
use crate::registry::registry;

fn tables<M>(parts: &[Part<M>]) -> Vec<&'static Table> {
    parts.iter().map(|part| part.table).collect()
}

fn read<M>(
    parts: &[Part<M>],
    kind: &str,
    table: &TomlTable,
    reader: &mut Reader<'_>,
) -> Option<Own<M>> {
    let part = parts.iter().find(|part| part.table.name == kind)?;
    let (keys, make) = part.read(table, reader)?;
    Some(Own {
        name: part.name(),
        keys,
        make,
    })
}

macro_rules! own_kinds {
    ($($part:ty, $list:ident;)+) => { $(
        impl OwnKinds for Own<$part> {
            fn tables() -> Vec<&'static Table> {
                tables(&registry().parts.$list)
            }

            fn read_own(kind: &str, table: &TomlTable, reader: &mut Reader<'_>) -> Option<Self> {
                read(&registry().parts.$list, kind, table, reader)
            }

            fn write_own(&self, tag: &'static str, keys: &mut Keys) {
                self.write(tag, keys);
            }
        }
    )+ };
}

own_kinds! {
    OwnPacer, pacers;
    OwnQueue, disciplines;
    OwnSource, sources;
    OwnTransport, transports;
    OwnApplication, applications;
    OwnMiddlebox, middleboxes;
    OwnLoss, losses;
    OwnMeasure, measures;
}
