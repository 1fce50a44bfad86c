//! Events as lines of CSV, all tables in order of time.

use std::io::Write;

use pacesim_measure::record::PacketRow;
use pacesim_trace::{Recording, SenderRow, Step, Steps, TraceError, What};

use super::text::decimal;
use super::{Chosen, Out};
use crate::words;

const HEADER: &str = "t_ps,event,flow,link,packet,seq,size_bytes,note,cwnd_pkts,ssthresh_pkts,\
                      srtt_s,rto_s,in_flight_pkts\n";

pub(super) fn write(
    recording: &Recording,
    chosen: &Chosen,
    out: &mut Out,
) -> Result<(), TraceError> {
    out.put(HEADER.as_bytes())?;
    let names = Names {
        flows: recording.flows.iter().map(|of| quoted(&of.name)).collect(),
        links: recording.links.iter().map(|of| quoted(&of.name)).collect(),
    };
    let mut events = recording.events(|row| Steps::ALL.when(chosen.packet(row)))?;
    let mut line = Vec::new();
    while let Some(event) = events.next_event()? {
        line.clear();
        decimal(&mut line, event.t_ps);
        match &event.what {
            What::Packet(step, row) => names.packet(&mut line, *step, row),
            What::Sender(row) if chosen.flow(row.flow_id) => names.sender(&mut line, row),
            What::Sender(_) => continue,
        }
        out.event(&line)?;
    }
    Ok(())
}

/// Names by id, quoted.
struct Names {
    flows: Vec<String>,
    links: Vec<String>,
}

impl Names {
    fn packet(&self, line: &mut Vec<u8>, step: Step, row: &PacketRow) {
        let names = [
            words::step(step),
            &self.flows[row.flow_id as usize],
            &self.links[row.link_id as usize],
            words::kind(row),
        ];
        for name in names {
            line.push(b',');
            line.extend_from_slice(name.as_bytes());
        }
        for number in [row.seq, row.size_bytes.into()] {
            line.push(b',');
            decimal(line, number);
        }
        line.push(b',');
        note(line, row);
        line.extend_from_slice(b",,,,,\n");
    }

    fn sender(&self, line: &mut Vec<u8>, row: &SenderRow) {
        let known = |x: Option<f64>| x.map_or(String::new(), |x| x.to_string());
        // Writing to memory cannot fail.
        let _ = writeln!(
            line,
            ",{},{},,,,,{},{},{},{},{},{}",
            row.event,
            self.flows[row.flow_id as usize],
            row.reason,
            row.cwnd_pkts,
            known(row.ssthresh_pkts),
            known(row.srtt_s),
            row.rto_s,
            row.in_flight_pkts,
        );
    }
}

/// The fate and the marks of a packet.
fn note(line: &mut Vec<u8>, row: &PacketRow) {
    let outcome = words::outcome(row);
    let fate = (row.departure_ps.is_none() || outcome != "sent").then_some(outcome);
    let notes = [
        fate,
        words::is_marked(row).then_some("marked"),
        row.retransmission.then_some("retransmission"),
        row.repaired.then_some("repaired"),
    ];
    if notes.iter().any(Option::is_some) {
        let notes: Vec<&str> = notes.into_iter().flatten().collect();
        line.extend_from_slice(quoted(&notes.join("; ")).as_bytes());
    }
}

/// A field, quoted if necessary (RFC 4180).
fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}
