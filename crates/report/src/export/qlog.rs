//! Events of senders as qlog (draft-ietf-quic-qlog-main-schema, and the recovery events of
//! draft-ietf-quic-qlog-quic-events), a record per line behind RFC 7464's separator.

mod numbers;

use crate::model::transports;
use crate::trace::{Recording, Seen, SenderRow, Step, Steps, Table, TraceError};
use pacesim_measure::record::{PacketKind, PacketRow};
use serde_json::{Value, json};

use super::page::long_decimal;
use super::places::Places;
use super::{At, Chosen, Out};
use crate::words;
use numbers::Numbers;

/// Assumed payload of a packet before the first packet of a flow.
const PAYLOAD: u32 = 1000;

pub(super) fn write(
    recording: &Recording,
    chosen: &Chosen,
    out: &mut Out,
) -> Result<(), TraceError> {
    must_be_recorded(recording, chosen)?;
    out.page
        .text(format!("\u{1e}{}\n", header(recording)).as_bytes());
    let mut senders = vec![Sender::default(); recording.flows.len()];
    let mut log = Log::new(recording, out);
    let places = Places::new(recording, At::Senders, vec![false; recording.flows.len()]);
    let is_data = |row: &PacketRow| row.kind == PacketKind::Data.code();
    let events = recording.events(|row| {
        let ends = Steps::of(&[Step::Dropped, Step::Lost]);
        let steps = places.shows(row).and(ends);
        steps.when(is_data(row) && chosen.flow(row.flow_id))
    })?;
    let mut numbers = Numbers::new(recording, chosen)?;
    events.for_each(|t_ps, seen| {
        numbers.write_before(t_ps, &mut log)?;
        match seen {
            Seen::Packet(Step::Arrived, row) => {
                senders[row.flow_id as usize].payload = payload(row);
                log.sent(t_ps, row)
            }
            Seen::Packet(_, row) => log.lost(t_ps, row),
            Seen::Sender(row) if chosen.flow(row.flow_id) => {
                senders[row.flow_id as usize].change(row, &mut log)
            }
            Seen::Sender(_) => Ok(()),
        }
    })?;
    numbers.write_before(u64::MAX, &mut log)
}

/// Refuses a recording without the table that metrics of the chosen senders come from.
fn must_be_recorded(recording: &Recording, chosen: &Chosen) -> Result<(), TraceError> {
    let transports = (0..).zip(transports(recording));
    let chosen = transports.filter(|(flow, _)| chosen.flow(*flow));
    let (others, of_tcp): (Vec<_>, Vec<_>) = chosen.partition(|(_, own)| own.is_some());
    if !of_tcp.is_empty() && !recording.has(Table::Senders) {
        recording.senders(|_| ())?;
    }
    if !others.is_empty() && !recording.has(Table::Ends) {
        recording.numbers(|_| ())?;
    }
    Ok(())
}

fn payload(row: &PacketRow) -> Option<u32> {
    Some(row.size_bytes.saturating_sub(40).max(1))
}

fn header(recording: &Recording) -> Value {
    json!({
        "file_schema": "urn:ietf:params:qlog:file:sequential",
        "serialization_format": "application/qlog+json-seq",
        "title": recording.manifest()["scenario"].as_str().unwrap_or("run"),
        "description": "senders of a pacesim run; group_id is the flow",
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

/// The records of events; their members are in alphabetical order.
struct Log<'a, 'b> {
    out: &'a mut Out<'b>,
    /// Names by id, as JSON.
    flows: Vec<String>,
    links: Vec<String>,
    /// The current record, kept for its memory.
    record: Vec<u8>,
}

impl<'a, 'b> Log<'a, 'b> {
    fn new(recording: &Recording, out: &'a mut Out<'b>) -> Log<'a, 'b> {
        let text = |name: &str| json!(name).to_string();
        Log {
            out,
            flows: recording.flows.iter().map(|of| text(&of.name)).collect(),
            links: recording.links.iter().map(|of| text(&of.name)).collect(),
            record: Vec::new(),
        }
    }

    /// Begins a record; its data follow.
    fn begin(&mut self) -> &mut Vec<u8> {
        self.record.clear();
        self.record.extend_from_slice(b"\x1e{\"data\":");
        &mut self.record
    }

    /// Ends a record behind its data, with custom fields beside them, and writes it.
    fn end(&mut self, t_ps: u64, flow: u32, name: &str, beside: &str) -> Result<(), TraceError> {
        let record = &mut self.record;
        let flow = &self.flows[flow as usize];
        for part in [",\"group_id\":", flow, ",\"name\":\"quic:", name, "\""] {
            record.extend_from_slice(part.as_bytes());
        }
        // The schema allows custom fields next to the data, not within.
        record.extend_from_slice(beside.as_bytes());
        record.extend_from_slice(b",\"time\":");
        real(record, t_ps as f64 / 1e9);
        record.extend_from_slice(b"}\n");
        self.out.page.text(record);
        self.out.end(1)
    }

    /// A packet at the first port on its path.
    fn sent(&mut self, t_ps: u64, row: &PacketRow) -> Result<(), TraceError> {
        let record = self.begin();
        header_of(record, row);
        record.extend_from_slice(b",\"raw\":{\"length\":");
        decimal(record, row.size_bytes.into());
        record.extend_from_slice(b"}}");
        self.end(t_ps, row.flow_id, "packet_sent", "")
    }

    fn lost(&mut self, t_ps: u64, row: &PacketRow) -> Result<(), TraceError> {
        let record = self.begin();
        header_of(record, row);
        record.push(b'}');
        let (link, reason) = (&self.links[row.link_id as usize], words::outcome(row));
        let fields = format!(",\"pacesim_link\":{link},\"pacesim_reason\":\"{reason}\"");
        self.end(t_ps, row.flow_id, "packet_lost", &fields)
    }
}

fn header_of(record: &mut Vec<u8>, row: &PacketRow) {
    record.extend_from_slice(b"{\"header\":{\"packet_number\":");
    decimal(record, row.seq);
    record.extend_from_slice(b",\"packet_type\":\"1RTT\"}");
}

/// Appends a number in decimal.
fn decimal(to: &mut Vec<u8>, number: u64) {
    let (digits, length) = long_decimal(number);
    to.extend_from_slice(&digits[..length]);
}

/// Appends a number as JSON has it.
fn real(to: &mut Vec<u8>, number: f64) {
    serde_json::to_writer(to, &number).expect("memory takes any number");
}

/// A metric: a whole number, or a time in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Metric {
    Whole(u64),
    Time(f64),
}

const METRICS: [&str; 7] = [
    "bytes_in_flight",
    "congestion_window",
    "min_rtt",
    "pacing_rate",
    "packets_in_flight",
    "smoothed_rtt",
    "ssthresh",
];

/// The last metrics of a sender; qlog's updates have only changed ones.
#[derive(Clone, Default)]
struct Sender {
    metrics: [Option<Metric>; METRICS.len()],
    state: &'static str,
    payload: Option<u32>,
}

impl Sender {
    fn change(&mut self, row: &SenderRow, log: &mut Log) -> Result<(), TraceError> {
        let (t_ps, flow) = (row.t_ps, row.flow_id);
        if row.event == "timeout" {
            let data = b"{\"event_type\":\"expired\",\"timer_type\":\"pto\"}";
            log.begin().extend_from_slice(data);
            log.end(t_ps, flow, "timer_updated", "")?;
        }
        let state = match (row.state, row.ssthresh_pkts) {
            ("recovery", _) => "recovery",
            (_, Some(ssthresh)) if row.cwnd_pkts >= ssthresh => "congestion_avoidance",
            _ => "slow_start",
        };
        if state != self.state {
            let data = match self.state {
                "" => json!({ "new": state }),
                old => json!({ "old": old, "new": state }),
            };
            log.begin().extend_from_slice(data.to_string().as_bytes());
            log.end(t_ps, flow, "congestion_state_updated", "")?;
            self.state = state;
        }
        let now = self.metrics_of(row);
        if self.update(now, log.begin()) {
            log.end(t_ps, flow, "recovery_metrics_updated", "")?;
        }
        Ok(())
    }

    fn metrics_of(&self, row: &SenderRow) -> [Option<Metric>; METRICS.len()] {
        let bytes = f64::from(self.payload.unwrap_or(PAYLOAD));
        let whole = |packets: f64| Metric::Whole((packets * bytes) as u64);
        let time = |seconds: f64| Metric::Time(seconds * 1e3);
        [
            Some(whole(row.in_flight_pkts.into())),
            Some(whole(row.cwnd_pkts)),
            row.min_rtt_s.map(time),
            row.pacing_bps.map(|rate| Metric::Whole(rate as u64)),
            Some(Metric::Whole(row.in_flight_pkts.into())),
            row.srtt_s.map(time),
            row.ssthresh_pkts.map(whole),
        ]
    }

    /// Replaces the metrics, and writes those that changed; false if none did.
    fn update(&mut self, now: [Option<Metric>; METRICS.len()], record: &mut Vec<u8>) -> bool {
        let mut sign = b'{';
        for ((name, new), old) in METRICS.iter().zip(&now).zip(&self.metrics) {
            let Some(metric) = new.filter(|_| new != old) else {
                continue;
            };
            record.extend_from_slice(&[sign, b'"']);
            record.extend_from_slice(name.as_bytes());
            record.extend_from_slice(b"\":");
            match metric {
                Metric::Whole(number) => decimal(record, number),
                Metric::Time(ms) => real(record, ms),
            }
            sign = b',';
        }
        record.push(b'}');
        self.metrics = now;
        sign == b','
    }
}
