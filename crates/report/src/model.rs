//! The model of a recording, from its scenario.

use std::path::Path;

use pacesim_model::{Model, Traffic};
use pacesim_runs::input::read_file;
use pacesim_trace::Recording;

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

/// Bytes of headers in each flow's packets of data, for a capture: at least those of IP and TCP,
/// which fit into the recorded size of flows without headers, as in ns-2.
pub(crate) fn headers(recording: &Recording) -> Vec<u32> {
    const USUAL: u32 = 40;
    let mut headers = vec![USUAL; recording.flows.len()];
    let model = model(recording);
    let flows = model.iter().flat_map(|model| &model.flows);
    for (header, flow) in headers.iter_mut().zip(flows) {
        if let Traffic::Tcp(tcp) = &flow.traffic {
            *header = (tcp.config.header.get() as u32).max(USUAL);
        }
    }
    headers
}
