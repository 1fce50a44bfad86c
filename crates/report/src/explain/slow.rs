//! The limits of a flow over time, and its costliest losses and time-outs.

use std::collections::BTreeMap;

use crate::trace::{Recording, SenderRow, TraceError};
use pacesim_measure::record::{PacketKind, PacketOutcome, PacketRow};
use pacesim_tables::{Cell, TableReader};

use super::packet::waits;
use super::sharing::Sharing;
use super::{numbers, titled};
use crate::answer::{Answer, Rows};
use crate::model::transport;
use crate::words::{self, length};

/// Losses listed.
const SHOWN: usize = 5;

/// Explains the limits of a flow.
pub fn why_slow(recording: &Recording, flow: &str) -> Result<Answer, TraceError> {
    let id = recording.flow(flow)?;
    let mut text = Answer::from(format!("{}\n\n", recording.flow_name(id)));
    text += limits(recording, id)?;
    let (mut packets, mut sharing) = (Packets::default(), Sharing::default());
    recording.packets(|row| {
        sharing.take(&row);
        if row.flow_id == id {
            packets.take(recording, row);
        }
    })?;
    let mut sender = Vec::new();
    // Transports of a program's own record no events of their senders.
    if recording.flows[id as usize].is_tcp && transport(recording, id).is_none() {
        recording.senders(|row| {
            if row.flow_id == id {
                sender.push(row);
            }
        })?;
    }
    text += over_time(&sender);
    text += numbers::over_time(recording, id)?;
    text += packets.delays(recording);
    if let Some(link) = packets.slowest() {
        text += sharing.at(recording, link, id);
    }
    text += packets.losses(recording);
    text += packets.marks(recording);
    text += stalls(&sender, &packets);
    Ok(text)
}

/// The shares of the flow's limits, from flows.parquet.
fn limits(recording: &Recording, id: u32) -> Result<Answer, TraceError> {
    const LIMITS: [(&str, &str); 4] = [
        ("window_limited", "the receiver's window"),
        (
            "congestion_limited",
            "the congestion window, repair or a time-out",
        ),
        ("data_limited", "the application: all its data were sent"),
        ("pacing_limited", "the sender's own pacing"),
    ];
    let mut shares = Vec::new();
    let mut row = 0;
    TableReader::open(&recording.folder.join("flows.parquet"))?.for_each_row(|cells| {
        if row == id {
            for (column, words) in LIMITS {
                let share = cells.iter().find(|(name, _)| *name == column);
                if let Some((_, Cell::Real(share))) = share {
                    shares.push((*share, words));
                }
            }
        }
        row += 1;
    })?;
    shares.sort_by(|one, other| other.0.total_cmp(&one.0));
    let rows: Vec<Vec<String>> = shares
        .iter()
        .map(|(share, words)| vec![format!("{:.1} %", share * 100.0), (*words).to_owned()])
        .collect();
    Ok(match shares.first() {
        None if recording.flows[id as usize].is_tcp => "Its transport does not tell its limits.\n"
            .to_owned()
            .into(),
        None => "It is not TCP: its source alone sets its rate.\n"
            .to_owned()
            .into(),
        Some((_, most)) => titled(
            format!("Limited most of the measured time by {most}:\n"),
            Rows::plain(rows),
        ),
    })
}

#[derive(Default)]
struct Packets {
    /// Sums of waits at each link: held, queued, on the line, and packets.
    waits: BTreeMap<u32, [u64; 4]>,
    /// Drops and losses of data.
    lost: Vec<PacketRow>,
    /// Passages of retransmissions at their first port, by number.
    again: BTreeMap<u64, Vec<u64>>,
    /// The arrival of each repaired packet.
    repaired: BTreeMap<u64, u64>,
    /// The first passage of each marked packet with its mark: the link that marked it.
    marked: BTreeMap<u64, (u64, u32)>,
}

impl Packets {
    fn take(&mut self, recording: &Recording, row: PacketRow) {
        let link = &recording.links[row.link_id as usize];
        if row.kind != PacketKind::Data.code() {
            return;
        }
        let [held, queued, sending] = waits(link, &row);
        let sums = self.waits.entry(row.link_id).or_default();
        for (sum, wait) in sums.iter_mut().zip([held, queued, sending]) {
            *sum += wait.unwrap_or(0);
        }
        sums[3] += 1;
        if row.retransmission && link.from == recording.flows[row.flow_id as usize].src {
            self.again.entry(row.seq).or_default().push(row.t_ps);
        }
        if row.repaired {
            self.repaired.entry(row.seq).or_insert(row.t_ps);
        }
        if words::is_marked(&row) {
            let first = self
                .marked
                .entry(row.seq)
                .or_insert((row.t_ps, row.link_id));
            *first = (*first).min((row.t_ps, row.link_id));
        }
        if row.outcome != PacketOutcome::Sent.code() {
            self.lost.push(row);
        }
    }

    /// Marked packets by the link that marked them.
    fn marks(&self, recording: &Recording) -> String {
        let mut links: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
        for (t_ps, link) in self.marked.values() {
            let (count, first) = links.entry(*link).or_insert((0, *t_ps));
            *count += 1;
            *first = (*first).min(*t_ps);
        }
        let line = |(link, (count, first)): (&u32, &(u64, u64))| {
            let (name, at) = (recording.link_name(*link), words::moment(*first));
            format!(
                "\nMarked (CE) at link {name}: {count} of its packets, the first to come at {at}.\n"
            )
        };
        links.iter().map(line).collect()
    }

    /// The port at which its data waited longest on average, in pacer and queue.
    fn slowest(&self) -> Option<u32> {
        let mean = |[held, queued, _, count]: &[u64; 4]| (held + queued) / (*count).max(1);
        let waits = self.waits.iter().filter(|(_, sums)| mean(sums) > 0);
        let longest = waits.max_by_key(|(_, sums)| mean(sums));
        longest.map(|(link, _)| *link)
    }

    /// Mean waits at each port.
    fn delays(&self, recording: &Recording) -> Answer {
        let header = [
            "link",
            "data",
            "mean in pacer",
            "mean in queue",
            "mean on line",
            "wire",
        ];
        let mut rows = vec![header.map(str::to_owned).to_vec()];
        for (link, [held, queued, sending, count]) in &self.waits {
            let mean = |sum: &u64| length(sum / (*count).max(1));
            let wire = recording.links[*link as usize].delay_ps;
            rows.push(vec![
                recording.link_name(*link).to_owned(),
                count.to_string(),
                mean(held),
                mean(queued),
                mean(sending),
                length(wire),
            ]);
        }
        let title = "\nDelays of its data at recorded ports:\n".to_owned();
        titled(title, Rows::headed(rows))
    }

    /// The time from a loss to the repair: the retransmission or the repaired packet.
    fn cost(&self, row: &PacketRow) -> Option<(u64, &'static str)> {
        let after = |t: &&u64| **t > row.t_ps;
        let again = self.again.get(&row.seq);
        let again = again.and_then(|times| times.iter().filter(after).min());
        let repaired = self.repaired.get(&row.seq).filter(after);
        match (again, repaired) {
            (_, Some(at)) if again.is_none_or(|again| at < again) => {
                Some((at - row.t_ps, "repaired by FEC"))
            }
            (Some(at), _) => Some((at - row.t_ps, "retransmitted")),
            _ => None,
        }
    }

    fn losses(&self, recording: &Recording) -> Answer {
        if self.lost.is_empty() {
            let none = "\nNone of its data was dropped or lost at a recorded port.\n";
            return none.to_owned().into();
        }
        let mut costs: Vec<_> = self.lost.iter().map(|row| (self.cost(row), row)).collect();
        costs.sort_by_key(|(cost, _)| std::cmp::Reverse(cost.map_or(u64::MAX, |(cost, _)| cost)));
        let row = |(cost, row): &(Option<(u64, &str)>, &PacketRow)| {
            let repair = match cost {
                Some((cost, how)) => format!("{how} {} later", length(*cost)),
                None => "not sent again in the recording".to_owned(),
            };
            let place = format!("link {}", recording.link_name(row.link_id));
            let fate = words::outcome(row).to_owned();
            vec![
                words::moment(row.t_ps),
                words::packet(row),
                place,
                fate,
                repair,
            ]
        };
        let rows = costs.iter().take(SHOWN).map(row).collect();
        let title = format!("\nLosses: {}, the costliest first:\n", self.lost.len());
        titled(title, Rows::plain(rows))
    }
}

/// Time-outs, each with the loss before it.
fn stalls(sender: &[SenderRow], packets: &Packets) -> Answer {
    let timeouts: Vec<&SenderRow> = sender.iter().filter(|row| row.event == "timeout").collect();
    if timeouts.is_empty() {
        return Answer::default();
    }
    let cause = |at: u64| {
        let before = packets.lost.iter().filter(|row| row.t_ps < at);
        match before.max_by_key(|row| row.t_ps) {
            Some(row) if row.retransmission => {
                format!(
                    "the retransmission of {} was lost ({})",
                    row.seq,
                    words::outcome(row)
                )
            }
            Some(row) => format!("{} was lost ({})", words::packet(row), words::outcome(row)),
            None => "no loss of data at a recorded port before it".to_owned(),
        }
    };
    let row = |row: &&SenderRow| {
        let (at, rto) = (
            words::moment(row.t_ps),
            format!("RTO then {:.3} s", row.rto_s),
        );
        vec![at, rto, cause(row.t_ps)]
    };
    let title = format!(
        "\nTime-outs: {}, each with the last loss before it; that it is the cause is inferred\n",
        timeouts.len()
    );
    let rows = timeouts.iter().take(SHOWN).map(row).collect();
    titled(title, Rows::plain(rows))
}

/// Parts of the recorded time for which limits are given.
const PARTS: u64 = 5;

/// The shares of the sender's limits over time: each of its recorded events has the limit that
/// applies until the next.
fn over_time(sender: &[SenderRow]) -> Answer {
    const LIMITS: [&str; 3] = ["window", "congestion", "data"];
    let (Some(first), Some(last)) = (sender.first(), sender.last()) else {
        return Answer::default();
    };
    // A packet released by pacing leaves no event, from which the next limit would count.
    if sender.iter().any(|row| row.limited_by == "pacing") {
        let unknown = "\nIts limits over time are unknown: packets that its own pacing releases leave no event.\n";
        return unknown.to_owned().into();
    }
    let (from, whole) = (first.t_ps, (last.t_ps - first.t_ps).max(1));
    let edge = |part: u64| from + (u128::from(whole) * u128::from(part) / u128::from(PARTS)) as u64;
    let mut header = vec!["from".to_owned(), "to".to_owned()];
    header.extend(LIMITS.map(|limit| limit.to_owned()));
    let mut rows = vec![header];
    for part in 0..PARTS {
        let (begin, end) = (edge(part), edge(part + 1));
        let time = |limit: &str| -> u64 {
            let spans = sender.windows(2).filter(|pair| pair[0].limited_by == limit);
            let within = spans.map(|pair| {
                let (from, to) = (pair[0].t_ps.max(begin), pair[1].t_ps.min(end));
                to.saturating_sub(from)
            });
            within.sum()
        };
        let share = |limit: &str| time(limit) as f64 * 100.0 / (end - begin).max(1) as f64;
        let mut row = vec![words::moment(begin), words::moment(end)];
        row.extend(LIMITS.map(|limit| format!("{:.1} %", share(limit))));
        rows.push(row);
    }
    let title = "\nIts limits over time, by the sender's recorded events:\n".to_owned();
    titled(title, Rows::headed(rows))
}
