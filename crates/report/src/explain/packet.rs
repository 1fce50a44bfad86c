//! The path of one packet: transmissions, hops, fate, and the effect of its acknowledgement.

use crate::trace::{Link, Recording, SenderRow, Table, TraceError};
use pacesim_measure::record::{PacketKind, PacketRow};

use super::numbers;
use crate::answer::{Answer, Rows};
use crate::model::transport;
use crate::words::{self, length};

/// Rows about one packet of data.
struct Story {
    /// Passages of the data, in the order of arrival.
    data: Vec<PacketRow>,
    /// Passages of the first acknowledgement that covers it.
    acks: Vec<PacketRow>,
    /// Packets of the same flow dropped or lost shortly before a retransmission.
    duplicate_acks: u64,
    senders: Option<Vec<SenderRow>>,
}

/// Origin of the reasons, since recordings do not link a packet with the event that released it.
const INFERRED: &str = "\nTimes, waits and fates are recorded. Reasons of sendings are inferred: from \
     the sender's last recorded event before them, and from acknowledgements that had come.\n";

/// Explains packet `seq` of a flow.
pub fn packet(recording: &Recording, flow: &str, seq: u64) -> Result<Answer, TraceError> {
    let id = recording.flow(flow)?;
    let story = Story::read(recording, id, seq)?;
    if story.data.is_empty() {
        let greatest = greatest(recording, id)?;
        return Err(TraceError::NoSuch(format!(
            "{}: no packet {seq} of {flow} was recorded; {greatest} (`links`, `flows`, `from` and \
             `to` of [output] packets may leave it out)",
            recording.folder.display()
        )));
    }
    let mut text = Answer::from(format!("packet {seq} of {}\n", recording.flow_name(id)));
    for sending in story.sendings(recording, id) {
        text += story.sent(recording, id, sending);
        text += then(recording, id, sending[0].t_ps)?;
        text += hops(recording, sending);
        text += fate(recording, id, sending);
    }
    if let Some(transport) = transport(recording, id) {
        text += &format!(
            "\nOnly the transport {} knows which packet an answer is about: no acknowledgement is shown.\n",
            transport.name()
        );
        return Ok(text);
    }
    text += story.acknowledged(recording, id);
    if story.senders.is_some() {
        text += INFERRED;
    }
    if story.senders.is_none() && recording.flows[id as usize].is_tcp {
        text += "The sender's window and its reasons were not recorded: add `tcp = {}` to [output] \
                 in scenario.toml.\n";
    }
    Ok(text)
}

impl Story {
    fn read(recording: &Recording, flow: u32, seq: u64) -> Result<Story, TraceError> {
        let (mut data, mut acks) = (Vec::new(), Vec::new());
        recording.packets(|row| {
            if row.flow_id != flow {
                return;
            }
            if row.kind == PacketKind::Data.code() && row.seq == seq {
                data.push(row);
            } else if row.kind == PacketKind::Ack.code() && row.seq != u64::from(u32::MAX) {
                acks.push(row);
            }
        })?;
        data.sort_by_key(|row| row.t_ps);
        acks.sort_by_key(|row| row.t_ps);
        let first_sent = data.first().map_or(0, |row| row.t_ps);
        let again = data.iter().find(|row| row.retransmission);
        let until = again.map_or(0, |row| row.t_ps);
        let home = &recording.flows[flow as usize].src;
        let duplicate_acks = acks.iter().filter(|ack| {
            let link = &recording.links[ack.link_id as usize];
            let reached = ack.departure_ps.map(|at| at.saturating_add(link.delay_ps));
            let in_time = reached.is_some_and(|at| at > first_sent && at <= until);
            link.to == *home && ack.seq + 1 == seq && in_time
        });
        let duplicate_acks = duplicate_acks.count().saturating_sub(1) as u64;
        let covering = acks
            .iter()
            .find(|ack| ack.seq >= seq && ack.t_ps >= first_sent);
        let number = covering.map(|ack| (ack.seq, ack.t_ps));
        acks.retain(|ack| number.is_some_and(|(seq, t)| ack.seq == seq && ack.t_ps >= t));
        let mut links = Vec::new();
        acks.retain(|ack| {
            !links.contains(&ack.link_id) && {
                links.push(ack.link_id);
                true
            }
        });
        let senders = if recording.has(Table::Senders) {
            let mut senders = Vec::new();
            recording.senders(|row| {
                if row.flow_id == flow {
                    senders.push(row);
                }
            })?;
            Some(senders)
        } else {
            None
        };
        Ok(Story {
            data,
            acks,
            duplicate_acks,
            senders,
        })
    }

    /// The passages of each transmission: a new one begins where the packet leaves its source, or
    /// where it would pass a link again.
    fn sendings(&self, recording: &Recording, flow: u32) -> Vec<&[PacketRow]> {
        let src = &recording.flows[flow as usize].src;
        let mut sendings = Vec::new();
        let mut from = 0;
        for (at, row) in self.data.iter().enumerate().skip(1) {
            let is_source = recording.links[row.link_id as usize].from == *src;
            let passed = self.data[from..at]
                .iter()
                .any(|of| of.link_id == row.link_id);
            let flip = row.retransmission != self.data[from].retransmission;
            if is_source || passed || flip || row.repaired && !self.data[at - 1].repaired {
                sendings.push(&self.data[from..at]);
                from = at;
            }
        }
        sendings.push(&self.data[from..]);
        sendings
    }

    /// The time and the reason of a transmission.
    fn sent(&self, recording: &Recording, flow: u32, hops: &[PacketRow]) -> String {
        let first = &hops[0];
        let link = &recording.links[first.link_id as usize];
        let at = words::moment(first.t_ps);
        if first.repaired {
            return format!(
                "\nRepaired by FEC at {at}, at node {}: the other packets of its block and a repair \
                 packet had come.\n",
                link.from
            );
        }
        let is_source = link.from == recording.flows[flow as usize].src;
        let verb = match (is_source, first.retransmission) {
            (true, false) => "Sent",
            (true, true) => "Retransmitted",
            (false, false) => "Seen first",
            (false, true) => "Retransmission seen first",
        };
        let node = &link.from;
        format!("\n{verb} at {at}, from {node}{}\n", self.reason(first))
    }

    /// The sender's reason, from its last event before the transmission.
    fn reason(&self, first: &PacketRow) -> String {
        let Some(senders) = &self.senders else {
            return ".".to_owned();
        };
        let before = senders.partition_point(|row| row.t_ps <= first.t_ps);
        let Some(last) = before.checked_sub(1).map(|at| &senders[at]) else {
            return ": nothing of the sender is recorded before.".to_owned();
        };
        let state = format!(
            "cwnd {:.2} packets, {} in flight, {}",
            last.cwnd_pkts, last.in_flight_pkts, last.state
        );
        if !first.retransmission {
            // An acknowledgement leaves an event at its own time, a timer or the application none.
            let cause = match (last.t_ps < first.t_ps, last.limited_by) {
                (true, "pacing") => "its own pacing released it",
                (true, "data") => "the application had handed it over",
                _ => "the window allowed it",
            };
            return format!(": {cause} ({state}).");
        }
        let cause = senders[..before].iter().rev();
        let cause = cause.into_iter().find(|row| {
            matches!(row.event, "timeout" | "fast_retransmit") || row.reason == "partial_ack"
        });
        match cause.map(|row| (row, words::moment(row.t_ps))) {
            Some((row, at)) if row.event == "timeout" => {
                format!(
                    ": after the time-out of {at} ({state}, RTO now {:.3} s).",
                    row.rto_s
                )
            }
            Some((row, at)) if row.reason == "partial_ack" => {
                format!(": after the partial acknowledgement of {at} ({state}).")
            }
            Some((_, at)) => format!(
                ": fast retransmit of {at}, after {} duplicate acknowledgements ({state}).",
                self.duplicate_acks
            ),
            None => format!(" ({state})."),
        }
    }

    /// The acknowledgement and its effect.
    fn acknowledged(&self, recording: &Recording, flow: u32) -> String {
        let Some(ack) = self.acks.first() else {
            return if self.data.iter().any(|row| row.departure_ps.is_some()) {
                "\nNo acknowledgement of it was recorded.\n".to_owned()
            } else {
                String::new()
            };
        };
        let mut text = format!(
            "\nFirst acknowledged by {}, seen at {}, link {}.\n",
            words::packet(ack),
            words::moment(ack.t_ps),
            recording.link_name(ack.link_id)
        );
        if words::echoes_mark(ack) {
            text += "It carried ECE, the receiver's echo of a mark.\n";
        }
        let last = self
            .acks
            .last()
            .expect("the first of these acknowledgements was just taken");
        let link = &recording.links[last.link_id as usize];
        let is_home = link.to == recording.flows[flow as usize].src;
        let Some(home) = last.departure_ps.filter(|_| is_home) else {
            return text;
        };
        let home = home + link.delay_ps;
        text += &format!("It reached the sender at {}", words::moment(home));
        let senders = self.senders.as_deref().unwrap_or_default();
        let upto = |until: u64| senders[..senders.partition_point(|row| row.t_ps < until)].last();
        match upto(home + 1).filter(|row| row.t_ps == home) {
            Some(row) => text += &format!(" and left it with {}.\n", effect(upto(home), row)),
            None => text += ".\n",
        }
        text
    }
}

/// The sender's state after an acknowledgement, and its reductions compared with the state before.
fn effect(before: Option<&SenderRow>, after: &SenderRow) -> String {
    let mut text = format!("cwnd {:.2} packets", after.cwnd_pkts);
    let Some(before) = before else {
        return format!(
            "{text}, {} in flight, {}",
            after.in_flight_pkts, after.state
        );
    };
    if after.cwnd_pkts < before.cwnd_pkts {
        text += &format!(" ({:.2} before)", before.cwnd_pkts);
    }
    if after.ssthresh_pkts != before.ssthresh_pkts {
        let threshold = |row: &SenderRow| {
            row.ssthresh_pkts
                .map_or("none".into(), |x| format!("{x:.2}"))
        };
        let (now, once) = (threshold(after), threshold(before));
        text += &format!(", slow-start threshold {now} ({once} before)");
    }
    format!(
        "{text}, {} in flight, {}",
        after.in_flight_pkts, after.state
    )
}

/// The numbers of a sender other than TCP at this time.
fn then(recording: &Recording, flow: u32, at_ps: u64) -> Result<String, TraceError> {
    let numbers = numbers::of_flow(recording, flow, at_ps)?;
    let number = |(name, value): (_, &Option<f64>)| format!("{name} {}", words::number(*value));
    let numbers: Vec<String> = numbers.iter().map(number).collect();
    Ok(match numbers.is_empty() {
        true => String::new(),
        false => format!("Its end then had {}.\n", numbers.join(", ")),
    })
}

/// A table of the hops.
fn hops(recording: &Recording, rows: &[PacketRow]) -> Rows {
    let header = [
        "link",
        "came",
        "pacer held it",
        "queued",
        "on the line",
        "fate",
    ];
    let mut table = vec![header.map(str::to_owned).to_vec()];
    let mut was_marked = false;
    for row in rows {
        let link = &recording.links[row.link_id as usize];
        let mark = if words::is_marked(row) && !was_marked {
            ", marked (CE)"
        } else {
            ""
        };
        was_marked |= words::is_marked(row);
        let [held, queued, sending] = waits(link, row);
        let dash = |span: Option<u64>| span.map_or("-".to_owned(), length);
        table.push(vec![
            link.name.clone(),
            words::moment(row.t_ps),
            dash(held),
            dash(queued),
            dash(sending),
            format!("{}{mark}", words::outcome(row)),
        ]);
    }
    Rows::headed(table)
}

/// The time in the pacer, in the queue and on the line.
pub(super) fn waits(link: &Link, row: &PacketRow) -> [Option<u64>; 3] {
    let held = row.release_ps.map(|release| release - row.t_ps);
    let joined = row.release_ps.unwrap_or(row.t_ps);
    let Some(departure) = row.departure_ps else {
        return [held, None, None];
    };
    let bits = u128::from(row.size_bytes) * 8_000_000_000_000;
    let sending = (bits / u128::from(link.rate_bps.max(1))) as u64;
    let sending = sending.min(departure.saturating_sub(joined));
    let queued = departure.saturating_sub(joined + sending);
    [held, Some(queued), Some(sending)]
}

/// The end of a transmission.
fn fate(recording: &Recording, flow: u32, rows: &[PacketRow]) -> String {
    let last = rows
        .last()
        .expect("a sending begins with the row that opened it");
    let link = &recording.links[last.link_id as usize];
    match (last.departure_ps, words::outcome(last)) {
        (Some(departure), "sent") => {
            let at = words::moment(departure + link.delay_ps);
            if link.to == recording.flows[flow as usize].dst {
                format!("It reached {} at {at}.\n", link.to)
            } else {
                format!(
                    "It reached {} at {at}; the ports behind were not recorded, or something \
                     on the way took it.\n",
                    link.to
                )
            }
        }
        (_, outcome) => format!("It ended at link {}: {outcome}.\n", link.name),
    }
}

fn greatest(recording: &Recording, flow: u32) -> Result<String, TraceError> {
    let (mut least, mut most) = (u64::MAX, None);
    recording.packets(|row| {
        if row.flow_id == flow && row.kind == PacketKind::Data.code() {
            least = least.min(row.seq);
            most = most.max(Some(row.seq));
        }
    })?;
    Ok(match most {
        Some(most) => format!("its recorded packets are {least} to {most}"),
        None => "none of its data was".to_owned(),
    })
}
