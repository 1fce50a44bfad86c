//! The transmission at which a run diverges from a recorded trace: of ns-2, as JSON of the format
//! "pacesim-ns2-trace-1", or of Linux, as CSV with a row for each packet.

use std::fs;
use std::path::Path;

use crate::trace::{Recording, Step, Steps, TraceError, What};
use pacesim_measure::record::PacketKind;
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

/// The transmissions of one side.
struct SentPackets {
    sendings: Vec<Sending>,
    /// The end of its recording, if known: a side that sends nothing until then differs from one
    /// that does.
    end_ps: Option<u64>,
}

/// A trace, and the greatest difference of times that counts as equal.
struct Trace {
    side: SentPackets,
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
    let (ours, theirs) = (sendings(&recording, flow)?, read.side);
    // A SYN that only one side recorded does not count as a difference.
    let opens = |side: &SentPackets| side.sendings.first().is_some_and(|of| of.opens);
    let with_syn = read.numbers_syn || opens(&ours) && opens(&theirs);
    let (ours, theirs) = (ours.since_first(with_syn), theirs.since_first(with_syn));
    let Some(place) = difference(&ours, &theirs, within_ps) else {
        if ours.sendings.is_empty() || theirs.sendings.is_empty() {
            return Err(nothing_common(run, trace, &ours));
        }
        return Ok(Parting {
            at_ps: None,
            differs: false,
            text: same(ours.sendings.len(), theirs.sendings.len()).into(),
        });
    };
    let first = ours.sendings.get(place).or(theirs.sendings.get(place));
    Ok(Parting {
        at_ps: first.map(|of| of.t_ps),
        differs: true,
        text: parting(&ours.sendings, &theirs.sendings, place),
    })
}

/// Neither side says anything about the other: one of them has no sending.
fn nothing_common(run: &Path, trace: &Path, ours: &SentPackets) -> TraceError {
    let (empty, help) = if ours.sendings.is_empty() {
        (
            run,
            "record the flow at its source from the start: packets = {} in [output]",
        )
    } else {
        (trace, "give a trace of this flow")
    };
    let empty = empty.display();
    TraceError::NoSuch(format!("{empty}: it has no sending to compare; {help}"))
}

/// The place of the first transmission that differs, or that the other side does not have although
/// its recording goes on.
fn difference(ours: &SentPackets, theirs: &SentPackets, within_ps: u64) -> Option<usize> {
    let differs = |(one, other): (&Sending, &Sending)| {
        (one.seq, one.again) != (other.seq, other.again)
            || one.t_ps.abs_diff(other.t_ps) > within_ps
    };
    let mut both = ours.sendings.iter().zip(&theirs.sendings);
    let common = ours.sendings.len().min(theirs.sendings.len());
    let misses = |side: &SentPackets, other: &SentPackets| {
        let next = other.sendings.get(common);
        let ends = side.end_ps.filter(|_| side.sendings.len() == common);
        next.zip(ends)
            .is_some_and(|(next, end_ps)| next.t_ps.saturating_add(within_ps) < end_ps)
    };
    both.position(differs)
        .or_else(|| (misses(ours, theirs) || misses(theirs, ours)).then_some(common))
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
fn sendings(recording: &Recording, flow: u32) -> Result<SentPackets, TraceError> {
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
    Ok(SentPackets {
        sendings: found,
        end_ps: model::recorded_until(recording),
    })
}

impl SentPackets {
    /// Times and numbers from the first transmission, a SYN or not.
    fn since_first(mut self, with_syn: bool) -> SentPackets {
        self.sendings.retain(|of| with_syn || !of.opens);
        if let Some(first) = self.sendings.first().copied() {
            for of in &mut self.sendings {
                of.t_ps = of.t_ps.saturating_sub(first.t_ps);
                of.seq = of.seq.saturating_sub(first.seq);
            }
            self.end_ps = self.end_ps.map(|end| end.saturating_sub(first.t_ps));
        }
        self
    }
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
    let ps = |seconds: f64| (seconds * 1e12).round() as u64;
    let trace: Value = serde_json::from_str(text).ok()?;
    if trace["format"] != "pacesim-ns2-trace-1" {
        return None;
    }
    let sending = |row: &Value| {
        Some(Sending {
            t_ps: ps(row[0].as_f64()?),
            seq: row[1].as_u64()?,
            again: row[2].as_u64()? == 1,
            opens: false,
        })
    };
    let rows = trace["events"]["data_tx"].as_array()?;
    Some(Trace {
        side: SentPackets {
            sendings: rows.iter().map(sending).collect::<Option<_>>()?,
            end_ps: trace["end"].as_f64().map(ps),
        },
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
    let (mut sendings, mut end_ps) = (Vec::new(), None);
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        let t_ps = cells.get(t)?.parse::<u64>().ok()?.checked_mul(1_000_000)?;
        end_ps = end_ps.max(Some(t_ps));
        let byte = cells.get(seq)?.parse::<i64>().ok()?;
        let (opens, is_empty) = (byte < 0, cells.get(len)?.parse::<u64>().ok()? == 0);
        // FIN has no data, and is not sent by a run.
        if *cells.get(dir)? != "D" || is_empty && !opens {
            continue;
        }
        sendings.push(Sending {
            t_ps,
            // Packet 0 is the SYN, which counts as the byte before the first.
            seq: u64::try_from(byte).map_or(0, |byte| byte / SEGMENT + 1),
            again: *cells.get(rtx)? == "1",
            opens,
        });
    }
    Some(Trace {
        side: SentPackets { sendings, end_ps },
        within_ps: WITHIN_PS,
        numbers_syn: false,
    })
}

fn parting(ours: &[Sending], theirs: &[Sending], place: usize) -> Answer {
    let (one, other) = (ours.get(place), theirs.get(place));
    let at_ps = one.or(other).map_or(0, |of| of.t_ps);
    let mut text = Answer::from(format!(
        "the run parts from the trace at sending {place}, {} after the first\n\n",
        words::length(at_ps)
    ));
    let header = ["sending", "run", "", "trace", ""];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    let from = place.saturating_sub(CONTEXT);
    let to = ours.len().max(theirs.len()).min(place + CONTEXT);
    for at in from..to {
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
    text += reason(one, other);
    text
}

fn reason(one: Option<&Sending>, other: Option<&Sending>) -> String {
    match (one, other) {
        (Some(one), Some(other)) if (one.seq, one.again) == (other.seq, other.again) => format!(
            "\nThe same packet, {} apart.\n",
            words::length(one.t_ps.abs_diff(other.t_ps))
        ),
        (Some(one), Some(other)) => format!(
            "\nAnother decision of the sender: {} in the run, {} in the trace.\n",
            name(*one),
            name(*other)
        ),
        (_, None) => "\nThe trace has nothing more until its end.\n".to_owned(),
        (None, _) => "\nThe run sends nothing more until its end.\n".to_owned(),
    }
}

fn name(of: Sending) -> String {
    let again = if of.again { " (retransmitted)" } else { "" };
    format!("data {}{again}", of.seq)
}
