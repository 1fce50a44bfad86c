//! The model of a recording, from its scenario.

use std::path::Path;

use crate::trace::Recording;
use pacesim_measure::record::PacketRow;
use pacesim_model::transport::OwnTransport;
use pacesim_model::{Model, Traffic};
use pacesim_runs::input::read_file;

/// The model, unless the scenario cannot be read again, as with a program's own parts.
pub(crate) fn model(recording: &Recording) -> Option<Model> {
    let file = recording.folder.join("scenario.toml");
    read(&file)
}

fn read(file: &Path) -> Option<Model> {
    let read = read_file(file, &[], |_, first| first.0);
    let input = read.ok()?.alone().ok()?;
    Some(pacesim_runs::block_sizes::expand(&input.scenario, 1, 0))
}

/// The transport of each flow, if that is not TCP, as far as the scenario can be read.
pub(crate) fn transports(recording: &Recording) -> Vec<Option<OwnTransport>> {
    let mut transports = vec![None; recording.flows.len()];
    let model = model(recording);
    let flows = model.iter().flat_map(|model| &model.flows);
    for (transport, flow) in transports.iter_mut().zip(flows) {
        *transport = flow.traffic.transport().cloned();
    }
    transports
}

/// A flow's transport, if that is not TCP.
pub(crate) fn transport(recording: &Recording, flow: u32) -> Option<OwnTransport> {
    transports(recording).swap_remove(flow as usize)
}

/// The end of the run, or of its recording of packets if that is earlier.
pub(crate) fn recorded_until(recording: &Recording) -> Option<u64> {
    let model = model(recording)?;
    let end_ps = model.duration.as_ps();
    let to = model.output.packets.and_then(|filter| filter.to);
    Some(to.map_or(end_ps, |to| to.as_ps().min(end_ps)))
}

/// Bytes of headers of a flow, for a capture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Headers {
    /// Headers in packets of data: at least those of IP and TCP, which fit into the recorded size
    /// of flows without headers, as in ns-2.
    pub(crate) data: u32,
    /// The size of a SYN.
    syn: u32,
}

impl Headers {
    /// True for a packet without data, which is a SYN and has the number 0.
    pub(crate) fn is_syn(&self, row: &PacketRow) -> bool {
        row.size_bytes <= self.data || row.seq == 0 && row.size_bytes <= self.syn
    }
}

/// The headers of each flow.
pub(crate) fn headers(recording: &Recording) -> Vec<Headers> {
    const USUAL: Headers = Headers { data: 40, syn: 40 };
    let mut headers = vec![USUAL; recording.flows.len()];
    let model = model(recording);
    let flows = model.iter().flat_map(|model| &model.flows);
    for (header, flow) in headers.iter_mut().zip(flows) {
        if let Traffic::Tcp(tcp) = &flow.traffic {
            let data = (tcp.config.header.get() as u32).max(USUAL.data);
            let syn = if tcp.config.syn {
                tcp.config.syn_size.get() as u32
            } else {
                data
            };
            *header = Headers { data, syn };
        }
    }
    headers
}
