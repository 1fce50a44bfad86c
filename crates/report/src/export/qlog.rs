//! Events of TCP senders as qlog (draft-ietf-quic-qlog-main-schema, and the recovery events of
//! draft-ietf-quic-qlog-quic-events), a record per line behind RFC 7464's separator.

use std::collections::BTreeMap;

use pacesim_measure::record::{PacketKind, PacketRow};
use pacesim_trace::{Event, Recording, SenderRow, Step, Table, TraceError, What};
use serde_json::{Map, Value, json};

use super::{Chosen, Out};
use crate::words;

/// Assumed payload of a packet before the first packet of a flow.
const PAYLOAD: u32 = 1000;

pub(super) fn write(
    recording: &Recording,
    chosen: &Chosen,
    out: &mut Out,
) -> Result<(), TraceError> {
    if !recording.has(Table::Senders) {
        recording.senders(|_| ())?;
    }
    record(out, &header(recording), false)?;
    let mut senders: BTreeMap<u32, Sender> = BTreeMap::new();
    let is_data = |row: &PacketRow| row.kind == PacketKind::Data.code();
    let mut events = recording.events(|step, row| {
        is_data(row)
            && chosen.flow(row.flow_id)
            && matches!(step, Step::Arrived | Step::Dropped | Step::Lost)
    })?;
    while let Some(event) = events.next_event()? {
        let flow = match &event.what {
            What::Packet(_, row) => row.flow_id,
            What::Sender(row) => row.flow_id,
        };
        if !chosen.flow(flow) {
            continue;
        }
        let sender = senders.entry(flow).or_default();
        for (name, data) in sender.events(recording, &event) {
            let mut line = json!({
                "time": event.t_ps as f64 / 1e9,
                "name": name,
                "group_id": recording.flow_name(flow),
                "data": data,
            });
            // The schema allows custom fields next to the data, not within.
            if let What::Packet(Step::Dropped | Step::Lost, row) = &event.what {
                line["pacesim_reason"] = json!(words::outcome(row));
                line["pacesim_link"] = json!(recording.link_name(row.link_id));
            }
            record(out, &line, true)?;
        }
    }
    Ok(())
}

fn header(recording: &Recording) -> Value {
    json!({
        "file_schema": "urn:ietf:params:qlog:file:sequential",
        "serialization_format": "application/qlog+json-seq",
        "title": recording.manifest["scenario"].as_str().unwrap_or("run"),
        "description": "TCP senders of a pacesim run; group_id is the flow",
        "trace": {
            "common_fields": {
                "time_format": "relative_to_epoch",
                "reference_time": {
                    "clock_type": "monotonic",
                    "epoch": "unknown",
                },
            },
            "vantage_point": { "name": "pacesim", "type": "client" },
            "event_schemas": ["urn:ietf:params:qlog:events:quic"],
        },
    })
}

fn record(out: &mut Out, value: &Value, is_event: bool) -> Result<(), TraceError> {
    let line = format!("\u{1e}{value}\n");
    match is_event {
        true => out.event(line.as_bytes()),
        false => out.put(line.as_bytes()),
    }
}

/// The last metrics of a sender; qlog's updates have only changed ones.
#[derive(Default)]
struct Sender {
    metrics: Map<String, Value>,
    state: &'static str,
    payload: Option<u32>,
}

impl Sender {
    fn events(&mut self, recording: &Recording, event: &Event) -> Vec<(&'static str, Value)> {
        match &event.what {
            What::Packet(Step::Arrived, row) => self.sent(recording, row),
            What::Packet(_, row) => vec![("quic:packet_lost", json!({ "header": header_of(row) }))],
            What::Sender(row) => self.changed(row),
        }
    }

    /// A packet at the first port on its path.
    fn sent(&mut self, recording: &Recording, row: &PacketRow) -> Vec<(&'static str, Value)> {
        let is_first =
            recording.links[row.link_id as usize].from == recording.flows[row.flow_id as usize].src;
        if !is_first {
            return Vec::new();
        }
        self.payload = Some(row.size_bytes.saturating_sub(40).max(1));
        let data = json!({
            "header": header_of(row),
            "raw": { "length": row.size_bytes },
        });
        vec![("quic:packet_sent", data)]
    }

    fn changed(&mut self, row: &SenderRow) -> Vec<(&'static str, Value)> {
        let bytes = f64::from(self.payload.unwrap_or(PAYLOAD));
        let ms = |seconds: f64| json!(seconds * 1e3);
        let mut now = Map::new();
        let whole = |packets: f64| json!((packets * bytes) as u64);
        now.insert("congestion_window".into(), whole(row.cwnd_pkts));
        now.insert("bytes_in_flight".into(), whole(row.in_flight_pkts.into()));
        now.insert("packets_in_flight".into(), json!(row.in_flight_pkts));
        if let Some(ssthresh) = row.ssthresh_pkts {
            now.insert("ssthresh".into(), whole(ssthresh));
        }
        if let Some(least) = row.min_rtt_s {
            now.insert("min_rtt".into(), ms(least));
        }
        if let Some(rate) = row.pacing_bps {
            now.insert("pacing_rate".into(), json!(rate as u64));
        }
        if let Some(srtt) = row.srtt_s {
            now.insert("smoothed_rtt".into(), ms(srtt));
        }
        let state = match (row.state, row.ssthresh_pkts) {
            ("recovery", _) => "recovery",
            (_, Some(ssthresh)) if row.cwnd_pkts >= ssthresh => "congestion_avoidance",
            _ => "slow_start",
        };
        let mut events = Vec::new();
        if row.event == "timeout" {
            let data = json!({ "timer_type": "pto", "event_type": "expired" });
            events.push(("quic:timer_updated", data));
        }
        if state != self.state {
            let old = match self.state {
                "" => json!({ "new": state }),
                old => json!({ "old": old, "new": state }),
            };
            events.push(("quic:congestion_state_updated", old));
            self.state = state;
        }
        let is_new = |(name, value): &(String, Value)| self.metrics.get(name) != Some(value);
        let changed: Map<String, Value> = now.clone().into_iter().filter(is_new).collect();
        self.metrics = now;
        if !changed.is_empty() {
            events.push(("quic:recovery_metrics_updated", Value::Object(changed)));
        }
        events
    }
}

fn header_of(row: &PacketRow) -> Value {
    json!({ "packet_type": "1RTT", "packet_number": row.seq })
}
