//! The transmission at which a run diverges from a recorded trace: of ns-2, as JSON of the format
//! "pacesim-ns2-trace-1", or of Linux, as CSV with a row for each packet.

use std::fs;
use std::path::Path;

use pacesim_measure::record::PacketKind;
use pacesim_trace::{Recording, Step, Steps, TraceError, What};
use serde_json::Value;

use super::{CONTEXT, Parting};
use crate::answer::{Answer, Rows};
use crate::{model, words};

/// Payload of a full segment of Linux with timestamps, to convert byte numbers to packet numbers.
const SEGMENT: u64 = 1448;

/// A transmission of data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sending {
    t_ps: u64,
    seq: u64,
    again: bool,
    /// True for a SYN.
    opens: bool,
}

/// A trace, and the greatest difference of times that counts as equal.
struct Trace {
    sendings: Vec<Sending>,
    within_ps: u64,
    /// True if a SYN is packet 0, as in ns-2.
    numbers_syn: bool,
}

/// Finds the first transmission of a flow that differs from the trace, in its packet or, by more
/// than `within_ps`, in its time. Times and numbers count from the first transmission of each side.
pub fn diff_trace(
    run: &Path,
    trace: &Path,
    flow: Option<&str>,
    within_ps: Option<u64>,
) -> Result<Parting, TraceError> {
    let recording = Recording::open(run)?;
    let flow = the_flow(&recording, flow)?;
    let read = read(trace)?;
    let within_ps = within_ps.unwrap_or(read.within_ps);
    let (ours, theirs) = (sendings(&recording, flow)?, read.sendings);
    // A SYN that only one side recorded does not count as a difference.
    let opens = |all: &[Sending]| all.first().is_some_and(|of| of.opens);
    let with_syn = read.numbers_syn || opens(&ours) && opens(&theirs);
    let (ours, theirs) = (from_first(ours, with_syn), from_first(theirs, with_syn));
    let differs = |(one, other): (&Sending, &Sending)| {
        (one.seq, one.again) != (other.seq, other.again)
            || one.t_ps.abs_diff(other.t_ps) > within_ps
    };
    let place = ours.iter().zip(&theirs).position(differs);
    let Some(place) = place else {
        return Ok(Parting {
            at_ps: None,
            text: same(ours.len(), theirs.len()).into(),
        });
    };
    Ok(Parting {
        at_ps: Some(ours[place].t_ps),
        text: parting(&ours, &theirs, place),
    })
}

fn same(ours: usize, theirs: usize) -> String {
    let common = ours.min(theirs);
    let more = match (ours - common, theirs - common) {
        (0, 0) => String::new(),
        (more, 0) => format!("; the run has {more} more"),
        (_, more) => format!("; the trace has {more} more"),
    };
    format!("the run and the trace are the same: {common} sendings{more}\n")
}

fn the_flow(recording: &Recording, flow: Option<&str>) -> Result<u32, TraceError> {
    if let Some(name) = flow {
        return recording.flow(name);
    }
    match recording.flows.len() {
        1 => Ok(0),
        count => Err(TraceError::NoSuch(format!(
            "{}: a trace is of one flow, and the run has {count}; name one by --flow",
            recording.folder.display()
        ))),
    }
}

/// The transmissions of a flow at its source, in order of time.
fn sendings(recording: &Recording, flow: u32) -> Result<Vec<Sending>, TraceError> {
    recording.require_packets()?;
    let src = &recording.flows[flow as usize].src;
    let headers = model::headers(recording)[flow as usize];
    let mut events = recording.events(|row| {
        let is_sent = row.flow_id == flow
            && row.kind == PacketKind::Data.code()
            && recording.links[row.link_id as usize].from == *src;
        Steps::of(&[Step::Arrived]).when(is_sent)
    })?;
    let mut found = Vec::new();
    while let Some(event) = events.next_event()? {
        if let What::Packet(_, row) = event.what {
            found.push(Sending {
                t_ps: event.t_ps,
                seq: row.seq,
                again: row.retransmission,
                opens: row.seq == 0 && headers.is_syn(&row),
            });
        }
    }
    Ok(found)
}

/// Times and numbers from the first transmission, a SYN or not.
fn from_first(mut sendings: Vec<Sending>, with_syn: bool) -> Vec<Sending> {
    sendings.retain(|of| with_syn || !of.opens);
    if let Some(first) = sendings.first().copied() {
        for of in &mut sendings {
            of.t_ps = of.t_ps.saturating_sub(first.t_ps);
            of.seq = of.seq.saturating_sub(first.seq);
        }
    }
    sendings
}

fn read(path: &Path) -> Result<Trace, TraceError> {
    let text = fs::read_to_string(path).map_err(TraceError::at(path))?;
    let found = match text.starts_with('{') {
        true => of_ns2(&text),
        false => of_linux(&text),
    };
    found.ok_or_else(|| {
        TraceError::NoSuch(format!(
            "{}: no trace that is known here: JSON of the format \"pacesim-ns2-trace-1\", or CSV with \
             the columns t_us, dir, seq, len and rtx (unpack .xz first)",
            path.display()
        ))
    })
}

fn of_ns2(text: &str) -> Option<Trace> {
    const WITHIN_PS: u64 = 1_000_000;
    let trace: Value = serde_json::from_str(text).ok()?;
    if trace["format"] != "pacesim-ns2-trace-1" {
        return None;
    }
    let sending = |row: &Value| {
        Some(Sending {
            t_ps: (row[0].as_f64()? * 1e12).round() as u64,
            seq: row[1].as_u64()?,
            again: row[2].as_u64()? == 1,
            opens: false,
        })
    };
    let rows = trace["events"]["data_tx"].as_array()?;
    Some(Trace {
        sendings: rows.iter().map(sending).collect::<Option<_>>()?,
        within_ps: WITHIN_PS,
        numbers_syn: true,
    })
}

fn of_linux(text: &str) -> Option<Trace> {
    const WITHIN_PS: u64 = 100_000_000;
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next()?.split(',').collect();
    let place = |name: &str| columns.iter().position(|column| *column == name);
    let [t, dir, seq, len, rtx] = ["t_us", "dir", "seq", "len", "rtx"].map(place);
    let (t, dir, seq, len, rtx) = (t?, dir?, seq?, len?, rtx?);
    let mut sendings = Vec::new();
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        let byte = cells.get(seq)?.parse::<i64>().ok()?;
        let (opens, is_empty) = (byte < 0, cells.get(len)?.parse::<u64>().ok()? == 0);
        // FIN has no data, and is not sent by a run.
        if *cells.get(dir)? != "D" || is_empty && !opens {
            continue;
        }
        sendings.push(Sending {
            t_ps: cells.get(t)?.parse::<u64>().ok()? * 1_000_000,
            // Packet 0 is the SYN, which counts as the byte before the first.
            seq: u64::try_from(byte).map_or(0, |byte| byte / SEGMENT + 1),
            again: *cells.get(rtx)? == "1",
            opens,
        });
    }
    Some(Trace {
        sendings,
        within_ps: WITHIN_PS,
        numbers_syn: false,
    })
}

fn parting(ours: &[Sending], theirs: &[Sending], place: usize) -> Answer {
    let (one, other) = (ours[place], theirs[place]);
    let mut text = Answer::from(format!(
        "the run parts from the trace at sending {place}, {} after the first\n\n",
        words::length(one.t_ps)
    ));
    let header = ["sending", "run", "", "trace", ""];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    let from = place.saturating_sub(CONTEXT);
    for at in from..place + CONTEXT {
        let cells = |of: Option<&Sending>| match of {
            Some(of) => [words::moment(of.t_ps), name(*of)],
            None => ["-".to_owned(), "-".to_owned()],
        };
        let mut row = vec![at.to_string()];
        row.extend(cells(ours.get(at)));
        row.extend(cells(theirs.get(at)));
        rows.push(row);
    }
    text += Rows::headed(rows);
    text += match (one.seq, one.again) == (other.seq, other.again) {
        true => format!(
            "\nThe same packet, {} apart.\n",
            words::length(one.t_ps.abs_diff(other.t_ps))
        ),
        false => format!(
            "\nAnother decision of the sender: {} in the run, {} in the trace.\n",
            name(one),
            name(other)
        ),
    };
    text
}

fn name(of: Sending) -> String {
    let again = if of.again { " (retransmitted)" } else { "" };
    format!("data {}{again}", of.seq)
}
