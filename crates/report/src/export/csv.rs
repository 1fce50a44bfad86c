//! Events as lines of CSV, all tables in order of time.

use std::io::Write;

use crate::trace::{Recording, Seen, SenderRow, Step, Steps, TraceError};
use pacesim_measure::record::{PacketOutcome, PacketRow};

use super::page::{DecimalTimes, EventBytes, Word};
use super::{Chosen, Out};
use crate::words;

const HEADER: &str = "t_ps,event,flow,link,packet,seq,size_bytes,note,cwnd_pkts,ssthresh_pkts,\
                      srtt_s,rto_s,in_flight_pkts\n";

pub(super) fn write(
    recording: &Recording,
    chosen: &Chosen,
    out: &mut Out,
) -> Result<(), TraceError> {
    out.page.text(HEADER.as_bytes());
    let mut words = Words::of(recording);
    let events = recording.events(|row| Steps::ALL.when(chosen.packet(row)))?;
    let mut times = DecimalTimes::default();
    events.for_each(|t_ps, seen| {
        let mut line = out.page.begin_event();
        times.decimal(&mut line, t_ps);
        match seen {
            Seen::Packet(step, row) => words.packet(&mut line, step, row),
            Seen::Sender(row) if chosen.flow(row.flow_id) => words.sender(&mut line, row),
            Seen::Sender(_) => return Ok(()),
        }
        line.end();
        out.end(1)
    })
}

/// Fields with their commas, by number.
struct Words {
    steps: [Word; Step::ALL.len()],
    flows: Vec<Word>,
    links: Vec<Word>,
    kinds: [Word; words::KINDS.len()],
    /// The end of the last line of each kind without a note, and its size.
    ends: [(Option<u32>, Word); words::KINDS.len()],
}

impl Words {
    fn of(recording: &Recording) -> Words {
        let word = |text: String| Word::new(&text);
        let link = |name: &str| word(format!(",{}", quoted(name)));
        Words {
            steps: Step::ALL.map(|step| word(format!(",{},", words::step(step)))),
            flows: (recording.flows.iter().map(|of| word(quoted(&of.name)))).collect(),
            links: recording.links.iter().map(|of| link(&of.name)).collect(),
            kinds: words::KINDS.map(|kind| word(format!(",{kind},"))),
            ends: words::KINDS.map(|_| (None, Word::new(""))),
        }
    }

    #[inline(always)]
    fn packet(&mut self, to: &mut EventBytes, step: Step, row: &PacketRow) {
        to.word(&self.steps[step as usize]);
        to.word(&self.flows[row.flow_id as usize]);
        to.word(&self.links[row.link_id as usize]);
        let kind = words::kind_place(row);
        to.word(&self.kinds[kind]);
        to.decimal(row.seq);
        if !is_plain(row) {
            return to.text(end(row).as_bytes());
        }
        let (size, last) = &mut self.ends[kind];
        if *size != Some(row.size_bytes) {
            (*size, *last) = (Some(row.size_bytes), Word::new(&end(row)));
        }
        to.word(last);
    }

    fn sender(&self, to: &mut EventBytes, row: &SenderRow) {
        to.array(*b",");
        to.text(row.event.as_bytes());
        to.array(*b",");
        to.word(&self.flows[row.flow_id as usize]);
        to.array(*b",,,,,");
        to.text(row.reason.as_bytes());
        let numbers = [
            Some(row.cwnd_pkts),
            row.ssthresh_pkts,
            row.srtt_s,
            Some(row.rto_s),
        ];
        for number in numbers {
            to.array(*b",");
            if let Some(number) = number {
                real(to, number);
            }
        }
        to.array(*b",");
        to.decimal(row.in_flight_pkts.into());
        to.array(*b"\n");
    }
}

/// Appends a number with the fewest digits that determine it, without an exponent.
fn real(to: &mut EventBytes, number: f64) {
    // The least and the greatest have some 330 digits.
    let mut digits = [0; 400];
    let mut rest = &mut digits[..];
    let _ = write!(rest, "{number}");
    let length = 400 - rest.len();
    to.text(&digits[..length]);
}

/// True for a packet without a note: it passed, for the first time and without a mark.
fn is_plain(row: &PacketRow) -> bool {
    const SENT: u8 = PacketOutcome::Sent as u8;
    let has_left = row.departure_ps.is_some() && row.outcome == SENT;
    has_left && !row.retransmission && !row.repaired && !words::is_marked(row)
}

/// The end of a packet's line: size, fate and marks, and no number of a sender.
fn end(row: &PacketRow) -> String {
    let outcome = words::outcome(row);
    let fate = (row.departure_ps.is_none() || outcome != "sent").then_some(outcome);
    let notes = [
        fate,
        words::is_marked(row).then_some("marked"),
        row.retransmission.then_some("retransmission"),
        row.repaired.then_some("repaired"),
    ];
    let notes: Vec<&str> = notes.into_iter().flatten().collect();
    format!(",{},{},,,,,\n", row.size_bytes, quoted(&notes.join("; ")))
}

/// A field, quoted if necessary (RFC 4180).
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::super::page::Page;
    use super::*;

    #[test]
    fn numbers_of_any_size_are_written_in_full() {
        for number in [0.0, -0.0, 12.5, 1e300, -f64::MAX, f64::MIN_POSITIVE, 5e-324] {
            let mut page = Page::new(std::iter::empty());
            let mut line = page.begin_event();
            real(&mut line, number);
            line.end();
            let mut file = Vec::new();
            page.write(&mut file).expect("memory");
            assert_eq!(String::from_utf8_lossy(&file), number.to_string());
        }
    }
}
