//! The state of a run at one moment: ports with packets, senders of a flow, events around it.

use std::collections::BTreeMap;

use crate::trace::{Event, Recording, SenderRow, Step, Steps, TraceError, What};

use super::numbers;
use crate::answer::{Answer, Rows};
use crate::model::transport;
use crate::words;

/// Events shown before and after.
const AROUND: usize = 8;

/// Explains the moment `at_ps`, for all flows or for one.
pub fn moment(recording: &Recording, at_ps: u64, flow: Option<&str>) -> Result<Answer, TraceError> {
    let only = flow.map(|name| recording.flow(name)).transpose()?;
    let of_flow = |flow_id: u32| only.is_none_or(|only| only == flow_id);
    let mut seen = Seen::default();
    let mut events = recording.events(|_| Steps::ALL)?;
    let mut last = 0;
    while let Some(event) = events.next_event()? {
        last = event.t_ps;
        seen.take(event, at_ps, of_flow);
        if seen.after.len() == AROUND {
            break;
        }
    }
    if last < at_ps {
        return Err(TraceError::NoSuch(format!(
            "{}: nothing was recorded from {} on; the last event is of {}",
            recording.folder.display(),
            words::moment(at_ps),
            words::moment(last)
        )));
    }
    seen.text(recording, at_ps, only)
}

#[derive(Default)]
struct Seen {
    before: std::collections::VecDeque<Event>,
    after: Vec<Event>,
    /// Packets in the pacer, and in the queue or on the line, of each link.
    held: BTreeMap<u32, i64>,
    queued: BTreeMap<u32, i64>,
    senders: BTreeMap<u32, SenderRow>,
}

impl Seen {
    fn take(&mut self, event: Event, at_ps: u64, of_flow: impl Fn(u32) -> bool) {
        let is_before = event.t_ps <= at_ps;
        let flow = match &event.what {
            What::Packet(step, row) => {
                if is_before {
                    self.count(*step, row.link_id, row.release_ps.is_some());
                }
                row.flow_id
            }
            What::Sender(row) => {
                if is_before && of_flow(row.flow_id) {
                    self.senders.insert(row.flow_id, *row);
                }
                row.flow_id
            }
        };
        if !of_flow(flow) {
            return;
        }
        if is_before {
            if self.before.len() == AROUND {
                self.before.pop_front();
            }
            self.before.push_back(event);
        } else {
            self.after.push(event)
        }
    }

    fn count(&mut self, step: Step, link: u32, paced: bool) {
        let (held, queued) = match (step, paced) {
            (Step::Arrived, true) => (1, 0),
            (Step::Arrived, false) => (0, 1),
            (Step::Released, _) => (-1, 1),
            (Step::Left | Step::Dropped, _) => (0, -1),
            (Step::Reached | Step::Lost, _) => (0, 0),
        };
        *self.held.entry(link).or_default() += held;
        *self.queued.entry(link).or_default() += queued;
    }

    fn text(
        &self,
        recording: &Recording,
        at_ps: u64,
        only: Option<u32>,
    ) -> Result<Answer, TraceError> {
        let mut text = Answer::from(format!("at {}\n\n", words::moment(at_ps)));
        let mut ports = vec![
            ["link", "in its pacer", "queued or on the line"]
                .map(str::to_owned)
                .to_vec(),
        ];
        for (link, queued) in &self.queued {
            let held = self.held.get(link).copied().unwrap_or(0);
            if *queued != 0 || held != 0 {
                let name = recording.link_name(*link).to_owned();
                ports.push(vec![name, held.to_string(), queued.to_string()]);
            }
        }
        match ports.len() {
            1 => text += "No recorded port has a packet.\n",
            _ => text += Rows::headed(ports),
        }
        text += self.sender_table(recording, only);
        text += numbers::at_moment(recording, at_ps, only)?;
        text += "\nEvents before and after:\n";
        let lines = self.before.iter().chain(&self.after);
        text += Rows::plain(lines.map(|event| line(recording, event)).collect());
        Ok(text)
    }

    fn sender_table(&self, recording: &Recording, only: Option<u32>) -> Answer {
        if self.senders.is_empty() {
            // A flow of another transport has no such events.
            let is_other = only.is_some_and(|flow| transport(recording, flow).is_some());
            return if is_other || recording.has(crate::trace::Table::Senders) {
                Answer::default()
            } else {
                let missing = "Senders were not recorded: `tcp = {}` in [output] records them.\n";
                Answer::from(missing.to_owned())
            };
        }
        let header = [
            "sender",
            "cwnd",
            "ssthresh",
            "in flight",
            "srtt",
            "rto",
            "state",
        ];
        let mut rows = vec![header.map(str::to_owned).to_vec()];
        rows.extend(self.senders.iter().take(20).map(|(flow, row)| {
            vec![
                recording.flow_name(*flow).to_owned(),
                format!("{:.2}", row.cwnd_pkts),
                row.ssthresh_pkts.map_or("-".into(), |x| format!("{x:.2}")),
                row.in_flight_pkts.to_string(),
                row.srtt_s
                    .map_or("-".into(), |x| format!("{:.3} ms", x * 1e3)),
                format!("{:.3} s", row.rto_s),
                row.state.to_owned(),
            ]
        }));
        let mut answer = Answer::from("\n".to_owned());
        answer += Rows::headed(rows);
        answer
    }
}

/// An event as cells.
pub(crate) fn line(recording: &Recording, event: &Event) -> Vec<String> {
    let at = words::moment(event.t_ps);
    match &event.what {
        What::Packet(step, row) => {
            let place = recording.link_name(row.link_id);
            let step = match step {
                Step::Dropped => words::outcome(row),
                step => words::step(*step),
            };
            vec![
                at,
                recording.flow_name(row.flow_id).to_owned(),
                words::packet(row),
                format!("{step}, link {place}"),
            ]
        }
        What::Sender(row) => {
            let what = match row.reason {
                "" => row.event.to_owned(),
                reason => format!("{} ({reason})", row.event),
            };
            vec![
                at,
                recording.flow_name(row.flow_id).to_owned(),
                format!("sender: {what}"),
                format!(
                    "cwnd {:.2}, {} in flight",
                    row.cwnd_pkts, row.in_flight_pkts
                ),
            ]
        }
    }
}
