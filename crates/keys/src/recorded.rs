//! Traffic that replays recorded arrivals.

use pacesim_language::field::{Field, FileName, FlagOr, Reader, Written};
use pacesim_language::form::Form;
use pacesim_language::table;
use pacesim_language::tree::Item;
use pacesim_units::{Rate, Span};

use crate::files;
use crate::offered::PlayedRate;
use pacesim_recordings::recording::{Recording, RecordingError, Smooth};

table! {
    /// Arrivals from a file.
    pub struct RecordedTraffic "recorded" {
        file: RecordedFile, "The file, relative to the scenario.", "arrivals.csv";
        rate: Option<Rate> as PlayedRate, "The mean rate.";
        deal: bool, (= "false"), "Distribute the conversations of a capture (each with one pair of addresses, pair of ports and protocol) among the members of the group in turn, in the order of their first packets. By default each member sends all packets.", "true";
        smooth: Option<Smooth> as Smoothing, (= "false"), "Send packets as the off-line optimum does, each at most this long after its arrival: on the shortest path between arrivals and deadlines, with the lowest peak and the least variable rate (Salehi et al. 1998). true uses the deadlines in the file.", "10ms";
    }
}

impl RecordedTraffic {
    /// The recording at its rate, before smoothing.
    pub fn played(&self) -> Result<Recording, RecordingError> {
        let recording = &self.file.recording;
        match self.rate {
            None => Ok(recording.clone()),
            Some(rate) => recording.at_rate(rate),
        }
    }
}

/// A recording, and its origin.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedFile {
    /// Name of the file, as written in the scenario.
    pub name: String,
    /// Recording that the file contains.
    pub recording: Recording,
}

impl Field for RecordedFile {
    type Value = RecordedFile;
    const FORM: &'static Form = FileName::FORM;

    fn read(item: &Item, reader: &mut Reader<'_>) -> Option<RecordedFile> {
        let name = FileName::read(item, reader)?;
        let recording = files::recording(reader, &name);
        let form = "a CSV or Parquet file with the columns t_s (or t_ms, t_us, t_ns, t_ps) and size_bytes, or a packet capture";
        let recording = reader.content(&name, recording, form)?;
        Some(RecordedFile { name, recording })
    }

    fn write(file: &RecordedFile) -> Option<Written> {
        Some(Written::File(file.name.clone()))
    }
}

/// Sending of a recording as by the off-line optimum.
struct Smoothing;

impl Field for Smoothing {
    type Value = Option<Smooth>;
    const FORM: &'static Form = <FlagOr<Span> as Field>::FORM;

    fn read(item: &Item, reader: &mut Reader<'_>) -> Option<Option<Smooth>> {
        Some(match FlagOr::<Span>::read(item, reader)? {
            FlagOr::Flag(flag) => flag.then_some(Smooth::Deadlines),
            FlagOr::Value(span) => Some(Smooth::Within(span)),
        })
    }

    fn write(smooth: &Option<Smooth>) -> Option<Written> {
        FlagOr::<Span>::write(&match smooth {
            None => FlagOr::Flag(false),
            Some(Smooth::Deadlines) => FlagOr::Flag(true),
            Some(Smooth::Within(span)) => FlagOr::Value(*span),
        })
    }
}
