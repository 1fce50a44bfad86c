//! A network as the page draws it: nodes, links with their ports, and coders.

use std::path::Path;

use pacesim_model::{Link, Model};
use pacesim_runs::input::read_file;
use pacesim_trace::Recording;
use serde_json::{Value, json};

/// The network of a model.
pub fn network(model: &Model) -> Value {
    let name = |id: usize| model.nodes[id].name.to_string();
    let links = model.links.iter().map(|link| {
        json!({
            "name": link.name.to_string(),
            "from": name(link.from.index()),
            "to": name(link.to.index()),
            "line": format!("{}, {}", link.rate, link.delay),
            "queue": queue(link),
            "pacer": link.extras.pacer.as_ref().map(|pacer| pacer.name().to_owned()),
            "loss": link.extras.loss.is_some(),
        })
    });
    let coders = model.protections.iter().map(|pair| {
        json!({
            "encoder": name(pair.encoder.index()),
            "decoder": name(pair.decoder.index()),
            "block": pair.config.block,
        })
    });
    json!({ "links": links.collect::<Value>(), "coders": coders.collect::<Value>() })
}

/// The queue of a port: its discipline and its size.
fn queue(link: &Link) -> String {
    let discipline = link.extras.queue.as_ref();
    match discipline.map(|queue| queue.name().to_owned()) {
        Some(name) => name,
        None => format!("{} buffer", link.buffer.capacity),
    }
}

/// The network of a recording, from its scenario. Where that cannot be read again, as with parts
/// of a program's own, from its table of links alone.
pub(super) fn recorded(recording: &Recording) -> Value {
    match scenario(&recording.folder) {
        Some(model) => network(&model),
        None => {
            let links = recording.links.iter();
            let links = links.map(|of| json!({ "name": of.name, "from": of.from, "to": of.to }));
            json!({ "links": links.collect::<Value>(), "coders": [] })
        }
    }
}

fn scenario(folder: &Path) -> Option<Model> {
    let read = read_file(&folder.join("scenario.toml"), &[], |_, first| first.0);
    let input = read.ok()?.alone().ok()?;
    Some(pacesim_runs::block_sizes::expand(&input.scenario, 1, 0))
}
