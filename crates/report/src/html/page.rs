//! Assembly of the page from its parts.

use crate::trace::{Recording, Table, TraceError};
use pacesim_runs::folder::SUMMARY;
use serde_json::{Value, json};

use super::points::{Packed, Points, packed_senders};

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPTS: [&str; 7] = [
    include_str!("data.js"),
    include_str!("chart.js"),
    include_str!("network.js"),
    include_str!("figure.js"),
    include_str!("chapter.js"),
    include_str!("view.js"),
    include_str!("page.js"),
];

/// The page as text.
pub(super) fn page(data: &Value) -> String {
    // "</script>" or "<!--" within a name would end the element.
    let data = data.to_string().replace('<', "\\u003c");
    let page = TEMPLATE.replace("/* style */", STYLE);
    let page = page.replace("/* script */", &SCRIPTS.concat());
    page.replace("\"the data of the run\"", &data)
}

/// The data of a run's page.
pub(super) fn data(recording: &Recording, flows: &[String]) -> Result<Value, TraceError> {
    let chosen: Result<Vec<u32>, _> = flows.iter().map(|flow| recording.flow(flow)).collect();
    let chosen = chosen?;
    let takes = |flow: u32| chosen.is_empty() || chosen.contains(&flow);
    let packets = if recording.has(Table::Packets) {
        let mut points = Points::default();
        recording.packets(|row| {
            if takes(row.flow_id) {
                points.push(&row);
            }
        })?;
        Some(points.pack())
    } else {
        None
    };
    let senders = if recording.has(Table::Senders) {
        Some(packed_senders(recording, takes)?)
    } else {
        None
    };
    let links = recording.links.iter().map(|link| {
        json!({
            "name": link.name,
            "from": link.from,
            "to": link.to,
            "rate_bps": link.rate_bps,
            "delay_ps": link.delay_ps,
        })
    });
    let flows = recording.flows.iter().map(
        |flow| json!({ "name": flow.name, "src": flow.src, "dst": flow.dst, "tcp": flow.is_tcp }),
    );
    let scenario = recording.results.text("scenario.toml")?;
    let summary = recording.results.document(SUMMARY)?;
    Ok(json!({
        "title": summary["scenario"],
        "summary": summary,
        "network": super::network::recorded(recording),
        "scenario": scenario,
        "links": links.collect::<Vec<_>>(),
        "flows": flows.collect::<Vec<_>>(),
        "packets": packets.map(|columns| columns.into_iter().map(Packed::json).collect::<Value>()),
        "senders": senders.map(|columns| columns.into_iter().map(Packed::json).collect::<Value>()),
    }))
}
