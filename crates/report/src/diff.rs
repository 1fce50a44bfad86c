//! The event at which two runs diverge.
//!
//! Both recordings are walked through in the order of time. Events of one instant may stand in
//! different orders (two links, one picosecond), so they are compared as sets.

mod traced;

use std::collections::VecDeque;
use std::path::Path;

use crate::trace::{Event, Events, Recording, Step, Steps, Table, TraceError, What};
use pacesim_measure::record::PacketRow;

use crate::answer::{Answer, Rows};
use crate::explain::line;
use crate::{model, words};

pub use traced::diff_trace;

/// Events shown before the divergence, and after it on each side.
const CONTEXT: usize = 5;

/// The divergence of two runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Parting {
    /// The time of the first difference; `None` if the recordings are equal.
    pub at_ps: Option<u64>,
    /// True if the runs differ, although perhaps not where they were recorded.
    pub differs: bool,
    /// The common events before it, and the events of both sides from it on, in words.
    pub text: Answer,
}

/// Finds the first event at which two recordings differ.
pub fn diff(a: &Path, b: &Path) -> Result<Parting, TraceError> {
    let (ours, theirs) = (Recording::open(a)?, Recording::open(b)?);
    comparable(&ours, &theirs)?;
    let mut walk = (EventReader::new(&ours)?, EventReader::new(&theirs)?);
    let mut common = VecDeque::new();
    let mut count = 0_u64;
    loop {
        let (one, other) = (walk.0.instant()?, walk.1.instant()?);
        if one.is_empty() && other.is_empty() {
            return Ok(unparted([&ours, &theirs], count, common.back()));
        }
        if !same(&one, &other) {
            let sides = [
                Onwards::read(&ours, one, &mut walk.0)?,
                Onwards::read(&theirs, other, &mut walk.1)?,
            ];
            return Ok(parting(common, count, sides));
        }
        count += one.len() as u64;
        for event in one {
            if common.len() == CONTEXT {
                common.pop_front();
            }
            common.push_back(event);
        }
    }
}

/// Refuses runs whose flows or links differ, or that recorded different tables.
fn comparable(ours: &Recording, theirs: &Recording) -> Result<(), TraceError> {
    let (a, b) = (ours.folder.display(), theirs.folder.display());
    let names = |of: &Recording| -> (Vec<String>, Vec<String>) {
        let flows = of.flows.iter().map(|flow| flow.name.clone()).collect();
        (
            flows,
            of.links.iter().map(|link| link.name.clone()).collect(),
        )
    };
    let (one, other) = (names(ours), names(theirs));
    let what = if one.0 != other.0 { "flows" } else { "links" };
    if one != other {
        return Err(TraceError::NoSuch(format!(
            "{a} and {b} are runs of networks with other {what}: events cannot be matched; \
             `pacesim compare` compares their numbers"
        )));
    }
    for table in [Table::Packets, Table::Senders] {
        if ours.has(table) != theirs.has(table) {
            let (with, without) = if ours.has(table) { (a, b) } else { (b, a) };
            let key = match table {
                Table::Packets => "packets = {}",
                Table::Senders => "tcp = {}",
                Table::Ends => "ends = {}",
            };
            return Err(TraceError::NoSuch(format!(
                "{with} has a recording that {without} lacks; add `{key}` to [output] in \
                 {without}/scenario.toml and run it again"
            )));
        }
    }
    Ok(())
}

type Wanted = fn(&PacketRow) -> Steps;

/// A recording being read.
struct EventReader {
    events: Events<Wanted>,
    next: Option<Event>,
}

impl EventReader {
    fn new(recording: &Recording) -> Result<EventReader, TraceError> {
        let wanted: Wanted = |_| Steps::ALL;
        let mut events = recording.events(wanted)?;
        let next = events.next_event()?;
        Ok(EventReader { events, next })
    }

    /// All events of the next instant, in a fixed order.
    fn instant(&mut self) -> Result<Vec<Event>, TraceError> {
        let Some(first) = self.next.take() else {
            return Ok(Vec::new());
        };
        let mut instant = vec![first];
        while let Some(event) = self.events.next_event()? {
            if event.t_ps != instant[0].t_ps {
                self.next = Some(event);
                break;
            }
            instant.push(event);
        }
        instant.sort_by_key(order);
        Ok(instant)
    }
}

/// The order within an instant, which depends on no other event.
fn order(event: &Event) -> (u8, u32, u32, u8, u64, u8) {
    match &event.what {
        What::Packet(step, row) => (0, row.link_id, row.flow_id, *step as u8, row.seq, row.kind),
        // Rows of one sender keep their order, since the sort is stable.
        What::Sender(row) => (1, 0, row.flow_id, 0, 0, 0),
    }
}

/// True if two instants have the same events. A packet's row has its future departure too, which is
/// compared only at that time.
fn same(one: &[Event], other: &[Event]) -> bool {
    one.len() == other.len()
        && one
            .iter()
            .zip(other)
            .all(|(one, other)| is_same(one, other))
}

fn is_same(one: &Event, other: &Event) -> bool {
    if one.t_ps != other.t_ps {
        return false;
    }
    match (&one.what, &other.what) {
        (What::Packet(step, row), What::Packet(step_of, of)) => {
            let name = |row: &PacketRow| {
                let PacketRow {
                    link_id,
                    flow_id,
                    seq,
                    size_bytes,
                    kind,
                    ..
                } = *row;
                (
                    link_id,
                    flow_id,
                    seq,
                    size_bytes,
                    kind,
                    row.retransmission,
                    row.repaired,
                )
            };
            let is_drop = *step == Step::Dropped;
            step == step_of && name(row) == name(of) && (!is_drop || row.outcome == of.outcome)
        }
        (What::Sender(row), What::Sender(of)) => row == of,
        _ => false,
    }
}

/// The events of one side from the divergence on.
struct Onwards<'a> {
    recording: &'a Recording,
    events: Vec<Event>,
    /// The time up to which these are all events.
    until_ps: u64,
}

impl<'a> Onwards<'a> {
    /// The events of this instant and some that follow.
    fn read(
        recording: &'a Recording,
        mut events: Vec<Event>,
        side: &mut EventReader,
    ) -> Result<Onwards<'a>, TraceError> {
        let mut ends = false;
        while events.len() < 2 * CONTEXT && !ends {
            let next = side.instant()?;
            ends = next.is_empty();
            events.extend(next);
        }
        let last = events.last().filter(|_| !ends);
        Ok(Onwards {
            recording,
            until_ps: last.map_or(u64::MAX, |event| event.t_ps),
            events,
        })
    }

    /// Events that the other side does not have, as far as both are known.
    fn without(&self, other: &Onwards) -> Vec<Event> {
        let until_ps = self.until_ps.min(other.until_ps);
        let is_own = |event: &&Event| {
            event.t_ps <= until_ps && !other.events.iter().any(|of| is_same(event, of))
        };
        self.events.iter().filter(is_own).cloned().collect()
    }
}

fn parting(common: VecDeque<Event>, count: u64, sides: [Onwards; 2]) -> Parting {
    let [ours, theirs] = &sides;
    let (one, other) = (ours.without(theirs), theirs.without(ours));
    let first = |events: &[Event]| events.first().map(|event| event.t_ps);
    let at_ps = first(&one).into_iter().chain(first(&other)).min();
    let at = at_ps.map_or("their end".to_owned(), words::moment);
    let title = format!("the runs diverge at {at}, after {count} common events\n");
    let mut text = Answer::from(title);
    if !common.is_empty() {
        text += "\nbefore, on both sides:\n";
        let lines = common.iter().map(|event| line(ours.recording, event));
        text += Rows::plain(lines.collect());
    }
    for (name, side, events) in [("A", ours, &one), ("B", theirs, &other)] {
        let lines = events.iter().take(CONTEXT);
        let lines: Vec<_> = lines.map(|event| line(side.recording, event)).collect();
        let folder = side.recording.folder.display();
        text += format!("\nonly in {name} ({folder}):\n");
        match (lines.is_empty(), ours.until_ps.min(theirs.until_ps)) {
            (true, u64::MAX) => text += "  nothing; its recording ends\n",
            (true, until_ps) => text += format!("  nothing until {}\n", words::moment(until_ps)),
            (false, _) => text += Rows::plain(lines),
        }
    }
    text += format!("\n{}\n", reason(&one, &other, [ours, theirs]));
    Parting {
        at_ps,
        differs: true,
        text,
    }
}

/// The reason of a divergence, as far as the events show it.
fn reason(one: &[Event], other: &[Event], of: [&Onwards; 2]) -> String {
    let cause = cause(of.map(|side| side.recording));
    let kind = match (one.first(), other.first()) {
        (Some(one), Some(other)) => kind_of(one, other),
        (Some(one), None) => kind_of_lone(one, "A", of),
        (None, Some(other)) => kind_of_lone(other, "B", [of[1], of[0]]),
        (None, None) => "One recording ends earlier".to_owned(),
    };
    format!("{kind}; {cause}.")
}

/// The reason for different runs, as their manifests show it.
fn cause(of: [&Recording; 2]) -> &'static str {
    let manifests = of.map(Recording::manifest);
    let ids = manifests.map(|of| (&of["seed"], &of["replication"]));
    let scenarios = manifests.map(|of| &of["scenario_digest"]);
    let fingerprints = manifests.map(|of| &of["fingerprint"]);
    match (ids[0] == ids[1], scenarios[0] == scenarios[1]) {
        _ if fingerprints[0] == fingerprints[1] => {
            "the runs are the same, by their fingerprint, and only their recordings differ"
        }
        (false, _) => "the seeds or replications differ, so random draws do",
        (true, false) => "the scenarios differ (compare scenario.toml of both)",
        (true, true) => {
            "the scenarios and seeds are the same, so the programs differ, or a part of your own \
             depends on more than its calls, such as a clock"
        }
    }
}

/// The result for equal recordings, which may cover only a part of runs that differ.
fn unparted(of: [&Recording; 2], count: u64, last: Option<&Event>) -> Parting {
    let [one, other] = of.map(|of| of.manifest()["fingerprint"].as_str().unwrap_or("none"));
    let events = match count {
        0 => "no event".to_owned(),
        1 => "1 event".to_owned(),
        count => format!("{count} events"),
    };
    if one == other {
        let text = format!("the recordings are the same: {events}; so are the fingerprints\n");
        return Parting {
            at_ps: None,
            differs: false,
            text: text.into(),
        };
    }
    let until = last.map(|last| format!(", the last at {}", words::moment(last.t_ps)));
    let length = model::model(of[0]).map(|model| format!(", of a run of {}", model.duration));
    let (until, length) = (until.unwrap_or_default(), length.unwrap_or_default());
    let mut text = Answer::from(format!(
        "the runs differ, by their fingerprints {one} and {other}, but not where they were recorded\n\n\
         the recordings cover {events}{until}{length}, and are the same\n"
    ));
    let cause = cause(of);
    text += format!(
        "\nTo find the event at which they diverge, record more: packets = {{}} in [output], without \
         from, to, links and flows. If all packets are recorded, only bytes that some of them carry \
         differ; {cause}.\n"
    );
    Parting {
        at_ps: None,
        differs: true,
        text,
    }
}

/// The kind of a difference that only one side shows.
fn kind_of_lone(event: &Event, name: &str, [side, without]: [&Onwards; 2]) -> String {
    match &event.what {
        What::Packet(Step::Dropped | Step::Lost, row) => format!(
            "Another decision about {} at link {}: {} in {name} only",
            words::packet(row),
            side.recording.link_name(row.link_id),
            words::outcome(row)
        ),
        _ if without.until_ps == u64::MAX => "One recording ends earlier".to_owned(),
        _ => format!("An event in {name} that the other has later or never"),
    }
}

/// The kind of the first difference.
fn kind_of(one: &Event, other: &Event) -> String {
    use What::{Packet, Sender};
    let early = if one.t_ps < other.t_ps { "A" } else { "B" };
    match (&one.what, &other.what) {
        (Packet(step, row), Packet(step_of, of)) => {
            let is_one = (row.link_id, row.flow_id, row.seq, row.kind)
                == (of.link_id, of.flow_id, of.seq, of.kind);
            match is_one {
                true if step == step_of && one.t_ps != other.t_ps => format!(
                    "An earlier time in {early}: the same packet {} there {} before",
                    words::step(*step),
                    words::length(one.t_ps.abs_diff(other.t_ps))
                ),
                true if step == step_of && row.size_bytes != of.size_bytes => format!(
                    "Another size of the same packet: {} bytes in A, {} in B",
                    row.size_bytes, of.size_bytes
                ),
                true if step == step_of && row.retransmission != of.retransmission => {
                    let again = if row.retransmission { "A" } else { "B" };
                    format!("The same packet, which is a retransmission in {again} only")
                }
                true => format!(
                    "Another decision about the same packet: {} in A, {} in B",
                    words::outcome(row),
                    words::outcome(of)
                ),
                false if one.t_ps == other.t_ps => {
                    "Another packet at the same time: its source or queue chose differently"
                        .to_owned()
                }
                false => format!("An event in {early} that the other has later or never"),
            }
        }
        (Sender(row), Sender(of)) if row.flow_id == of.flow_id && one.t_ps == other.t_ps => {
            format!(
                "Another decision of the sender: {} with cwnd {:.2} in A, {} with cwnd {:.2} in B",
                row.event, row.cwnd_pkts, of.event, of.cwnd_pkts
            )
        }
        _ => format!("An event in {early} that the other has later or never"),
    }
}
