//! Recordings in the formats of other tools, written as a stream.

mod csv;
mod headers;
mod page;
mod pcapng;
mod perfetto;
mod places;
mod qlog;
mod wire;

use std::fmt;
use std::io::ErrorKind;
use std::path::Path;

use crate::trace::{Recording, TraceError};
use pacesim_measure::record::PacketRow;
use pacesim_tables::FileWriter;
use pacesim_tables::partial::around;

use page::Page;

/// Formats to export to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A packet capture, for Wireshark.
    Pcapng,
    /// One line for each event.
    Csv,
    /// Events of senders, for qvis and similar tools.
    Qlog,
    /// Tracks of flows and ports, for ui.perfetto.dev.
    Perfetto,
}

/// The place of a capture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum At {
    /// Every recorded port, each an interface, at the departure of packets.
    #[default]
    Ports,
    /// The flows' sources: data at departure, acknowledgements at arrival.
    Senders,
    /// The flows' sinks: data at arrival, acknowledgements at departure.
    Receivers,
}

/// The part of a recording to export.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Flows by name; all if empty.
    pub flows: Vec<String>,
    /// Links by name; all if empty.
    pub links: Vec<String>,
    /// The place of a packet capture.
    pub at: At,
}

/// A selection with ids in place of names.
struct Chosen {
    flows: Option<Vec<bool>>,
    links: Option<Vec<bool>>,
}

impl Chosen {
    fn of(recording: &Recording, selection: &Selection) -> Result<Chosen, TraceError> {
        let flows = selection.flows.iter().map(|name| recording.flow(name));
        let links = selection.links.iter().map(|name| recording.link(name));
        Ok(Chosen {
            flows: chosen(recording.flows.len(), flows)?,
            links: chosen(recording.links.len(), links)?,
        })
    }

    fn flow(&self, id: u32) -> bool {
        self.flows.as_ref().is_none_or(|flows| flows[id as usize])
    }

    fn link(&self, id: u32) -> bool {
        self.links.as_ref().is_none_or(|links| links[id as usize])
    }

    fn packet(&self, row: &PacketRow) -> bool {
        self.flow(row.flow_id) && self.link(row.link_id)
    }
}

fn chosen(
    all: usize,
    named: impl ExactSizeIterator<Item = Result<u32, TraceError>>,
) -> Result<Option<Vec<bool>>, TraceError> {
    if named.len() == 0 {
        return Ok(None);
    }
    let mut chosen = vec![false; all];
    for id in named {
        chosen[id? as usize] = true;
    }
    Ok(Some(chosen))
}

/// The count of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exported {
    /// Events or packets written.
    pub written: u64,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Pcapng => "pcapng",
            Format::Csv => "csv",
            Format::Qlog => "qlog",
            Format::Perfetto => "perfetto",
        })
    }
}

/// The file, in a folder that is created if it is missing.
pub(crate) fn create(to: &Path) -> Result<FileWriter, TraceError> {
    let folder = around(to);
    std::fs::create_dir_all(folder).map_err(|error| match error.kind() {
        // Not even a folder can be created where some file systems are.
        ErrorKind::NotFound => TraceError::NoSuch(format!(
            "{}: no folder can be created there; choose another place",
            folder.display()
        )),
        _ => TraceError::at(folder)(error),
    })?;
    FileWriter::create(to).map_err(TraceError::at(folder))
}

/// Exports a recording to a file that must not exist, and that gets its name only once it is
/// complete.
pub fn export(
    recording: &Recording,
    format: Format,
    selection: &Selection,
    to: &Path,
) -> Result<Exported, TraceError> {
    if to.symlink_metadata().is_ok() {
        return Err(TraceError::Exists(to.to_path_buf()));
    }
    let chosen = Chosen::of(recording, selection)?;
    let names = recording.flows.iter().map(|of| &of.name);
    let links = recording.links.iter().map(|of| &of.name);
    let mut out = Out {
        file: create(to)?,
        path: to,
        page: Page::new(names.chain(links)),
        written: 0,
    };
    match format {
        Format::Pcapng => pcapng::write(recording, &chosen, selection.at, &mut out)?,
        Format::Csv => csv::write(recording, &chosen, &mut out)?,
        Format::Qlog => qlog::write(recording, &chosen, &mut out)?,
        Format::Perfetto => perfetto::write(recording, &chosen, &mut out)?,
    }
    out.page.write(&mut out.file).map_err(TraceError::at(to))?;
    let Out { file, written, .. } = out;
    file.finish().map_err(TraceError::at(to))?;
    Ok(Exported { written })
}

/// The file being written.
struct Out<'a> {
    file: FileWriter,
    path: &'a Path,
    page: Page,
    written: u64,
}

impl Out<'_> {
    /// Ends an event, or a piece of the format's frame if `counts` is zero.
    #[inline(always)]
    fn end(&mut self, counts: u64) -> Result<(), TraceError> {
        self.written += counts;
        let written = self.page.write_if_full(&mut self.file);
        // The error has its own path, which is allocated only for it.
        written.map_err(|error| TraceError::at(self.path)(error))
    }
}
