//! Events as lines of CSV, all tables in order of time.

use std::fmt::Write;

use pacesim_trace::{Event, Recording, TraceError, What};

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
    let mut events =
        recording.events(|_, row| chosen.flow(row.flow_id) && chosen.link(row.link_id))?;
    let mut line = String::new();
    while let Some(event) = events.next_event()? {
        line.clear();
        add(&mut line, recording, chosen, &event);
        if !line.is_empty() {
            out.event(line.as_bytes())?;
        }
    }
    Ok(())
}

fn add(line: &mut String, recording: &Recording, chosen: &Chosen, event: &Event) {
    // Writing to a String cannot fail.
    let _ = match &event.what {
        What::Packet(step, row) => writeln!(
            line,
            "{},{},{},{},{},{},{},{},,,,,",
            event.t_ps,
            words::step(*step),
            quoted(recording.flow_name(row.flow_id)),
            quoted(recording.link_name(row.link_id)),
            words::kind(row),
            row.seq,
            row.size_bytes,
            note(row),
        ),
        What::Sender(row) if chosen.flow(row.flow_id) => writeln!(
            line,
            "{},{},{},,,,,{},{},{},{},{},{}",
            event.t_ps,
            row.event,
            quoted(recording.flow_name(row.flow_id)),
            row.reason,
            row.cwnd_pkts,
            row.ssthresh_pkts.map_or(String::new(), |x| x.to_string()),
            row.srtt_s.map_or(String::new(), |x| x.to_string()),
            row.rto_s,
            row.in_flight_pkts,
        ),
        What::Sender(_) => Ok(()),
    };
}

fn note(row: &pacesim_measure::record::PacketRow) -> String {
    let mut notes = Vec::new();
    if row.departure_ps.is_none() || words::outcome(row) != "sent" {
        notes.push(words::outcome(row));
    }
    if words::is_marked(row) {
        notes.push("marked");
    }
    if row.retransmission {
        notes.push("retransmission");
    }
    if row.repaired {
        notes.push("repaired");
    }
    quoted(&notes.join("; "))
}

/// A field, quoted if necessary (RFC 4180).
fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}
