//! Recorded entries as text: a line for each packet that entered.

use pacesim::Fate;
use pacesim::net::{DropCause, Ecn};
use pacesim::units::{FlowId, Time};

use crate::drive::{Departure, Entry};
use crate::plan::Plan;

/// The first line of a record.
const HEAD: &str = "t_ps,flow,size_bytes,ecn,lag_ns";

/// Entries as text, in their order.
pub fn write_entries(entries: &[Entry]) -> String {
    let mut text = format!("{HEAD}\n");
    for Entry {
        at,
        flow,
        size,
        ecn,
        lag_ns,
    } in entries
    {
        let (at, ecn) = (at.as_ps(), *ecn as u8);
        text += &format!("{at},{},{size},{ecn},{lag_ns}\n", flow.0);
    }
    text
}

/// Departures as text, in their order.
pub fn write_departures(departures: &[Departure]) -> String {
    let mut text = "entry,due_ps,fate,late_before_ns,late_after_ns\n".to_owned();
    for departure in departures {
        let fate = match departure.fate {
            Fate::Delivered => "delivered".to_owned(),
            Fate::Dropped(link, DropCause::Wire) => format!("lost at link {}", link.0),
            Fate::Dropped(link, _) => format!("dropped at link {}", link.0),
            Fate::Absorbed(_) => "absorbed".to_owned(),
        };
        let (entry, due) = (departure.entry, departure.due.as_ps());
        let (before, after) = (departure.late_before_ns, departure.late_after_ns);
        text += &format!("{entry},{due},{fate},{before},{after}\n");
    }
    text
}

/// Reads entries that were written for a plan. An error names the line and its mistake.
pub fn read_entries(plan: &Plan, text: &str) -> Result<Vec<Entry>, String> {
    let mut lines = text.lines();
    if lines.next() != Some(HEAD) {
        return Err(format!("line 1: the columns are not {HEAD}"));
    }
    let outer: std::collections::BTreeSet<FlowId> = plan.outer().collect();
    let mut entries: Vec<Entry> = Vec::new();
    for (number, line) in (2..).zip(lines) {
        let entry = entry(line).ok_or_else(|| format!("line {number}: not an entry: {line}"))?;
        if !outer.contains(&entry.flow) {
            return Err(format!("line {number}: flow {} is not real", entry.flow.0));
        }
        if entries.last().is_some_and(|before| before.at > entry.at) {
            return Err(format!("line {number}: it is earlier than the line before"));
        }
        entries.push(entry);
    }
    Ok(entries)
}

fn entry(line: &str) -> Option<Entry> {
    let cells: Vec<&str> = line.split(',').collect();
    let [at, flow, size, ecn, lag] = cells[..] else {
        return None;
    };
    let ecn: u8 = ecn.parse().ok().filter(|ecn| *ecn < 4)?;
    Some(Entry {
        at: Time::from_ps(at.parse().ok()?),
        flow: FlowId(flow.parse().ok()?),
        size: size.parse().ok().filter(|size| *size > 0)?,
        ecn: Ecn::from_bits(ecn),
        lag_ns: lag.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_read_as_it_was_written() {
        let entry_of = |n: u64| Entry {
            at: Time::from_ps(n * 1000),
            flow: FlowId(3),
            size: 40 + n as u32,
            ecn: Ecn::from_bits(n as u8 % 4),
            lag_ns: n as i64 - 2,
        };
        let entries: Vec<Entry> = (0..8).map(entry_of).collect();
        let text = write_entries(&entries);
        let read: Vec<Entry> = text.lines().skip(1).filter_map(entry).collect();
        assert_eq!(read, entries);
        for broken in [
            "",
            "1,2,3",
            "1,2,3,4,5",
            "1,2,0,0,5",
            "x,2,3,0,5",
            "1,2,3,0,5,6",
        ] {
            assert_eq!(entry(broken), None, "{broken}");
        }
    }
}
