//! Traffic of the program's own: sources, transports, applications.

use pacesim_language::field::{Keys, OwnKinds, Reader};
use pacesim_language::form::Table;
use pacesim_language::tree::TomlTable;
use pacesim_model::source::OwnSource;
use pacesim_parts::Own;

use crate::application::OwnDialogue;
use crate::ends::OwnEnds;

/// A source, a transport or an application of the program's own.
#[derive(Clone, Debug, PartialEq)]
pub enum OwnTraffic {
    /// A source, which hears nothing.
    Source(Own<OwnSource>),
    /// A transport, which carries the same data as TCP.
    Ends(Box<OwnEnds>),
    /// An application, over any transport.
    Dialogue(Box<OwnDialogue>),
}

impl OwnKinds for OwnTraffic {
    fn tables() -> Vec<&'static Table> {
        let sources = Own::<OwnSource>::tables().into_iter();
        let ends = OwnEnds::tables().into_iter();
        sources.chain(ends).chain(OwnDialogue::tables()).collect()
    }

    fn read_own(kind: &str, table: &TomlTable, reader: &mut Reader<'_>) -> Option<OwnTraffic> {
        let is_among = |tables: Vec<&'static Table>| tables.iter().any(|own| own.name == kind);
        if is_among(OwnEnds::tables()) {
            let ends = OwnEnds::read_own(kind, table, reader)?;
            return Some(OwnTraffic::Ends(Box::new(ends)));
        }
        if is_among(OwnDialogue::tables()) {
            let dialogue = OwnDialogue::read_own(kind, table, reader)?;
            return Some(OwnTraffic::Dialogue(Box::new(dialogue)));
        }
        Own::<OwnSource>::read_own(kind, table, reader).map(OwnTraffic::Source)
    }

    fn write_own(&self, tag: &'static str, keys: &mut Keys) {
        match self {
            OwnTraffic::Source(own) => own.write_own(tag, keys),
            OwnTraffic::Ends(ends) => ends.write_own(tag, keys),
            OwnTraffic::Dialogue(dialogue) => dialogue.write_own(tag, keys),
        }
    }
}
