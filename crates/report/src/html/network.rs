//! A network as drawn on the page: nodes, links with their ports, and coders.

use crate::trace::Recording;
use pacesim_model::{Link, Model};
use serde_json::{Value, json};

use crate::model::model;

/// The network of a model.
pub fn network(model: &Model) -> Value {
    let name = |id: usize| model.nodes[id].name.to_string();
    let links = model.links.iter().map(|link| {
        json!({
            "name": link.name.to_string(),
            "from": name(link.from.index()),
            "to": name(link.to.index()),
            "rate": link.rate.to_string(),
            "delay": link.delay.to_string(),
            "queue": queue(link),
            "pacer": link.extras.pacer.as_ref().map(|pacer| pacer.name().to_owned()),
            "loss": link.extras.may_lose(),
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

/// The network of a recording, from its scenario, or from its table of links alone if the scenario
/// cannot be read again, as with a program's own parts.
pub(super) fn recorded(recording: &Recording) -> Value {
    match model(recording) {
        Some(model) => network(&model),
        None => {
            let links = recording.links.iter();
            let links = links.map(|of| json!({ "name": of.name, "from": of.from, "to": of.to }));
            json!({ "links": links.collect::<Value>(), "coders": [] })
        }
    }
}
