//! The kernel's clock to the microsecond, derived from the rates of delivery that it reported.
//!
//! A rate is packets delivered divided by an interval in whole microseconds: from the ACK before
//! the departure of the newest acknowledged packet to the current ACK, unless sending took longer.
//! Either time then follows from the other.

use std::collections::BTreeMap;

use pacesim_tcp::Ack;
use pacesim_units::Time;

use crate::case::{Case, Info, micros, time};

/// The greatest difference between the record and the clock, in microseconds.
const MOST: i64 = 1;

/// Time at which the kernel processed each ACK, by the place of its state among the records.
pub(crate) fn times(case: &Case, acks: &[(Time, Ack)]) -> BTreeMap<usize, Time> {
    let states = || case.infos.iter().filter(|info| info.why == 'A');
    let mut clock: Vec<i64> = states().map(|info| micros(info.at)).collect();
    let states: Vec<&Info> = states().take(acks.len()).collect();
    let sent = sent_once(case);
    for (index, pair) in acks.windows(2).enumerate().take(states.len().max(1) - 1) {
        let (before, ack, index) = (&pair[0].1, &pair[1].1, index + 1);
        let clean = ack.sacks.is_empty() && ack.next > before.next && !states[index].app_limited;
        let Some(left) = sent.get(&ack.next).filter(|_| clean) else {
            continue;
        };
        if let Some(told) = told(&states, &clock, index, *left) {
            clock[index] = told.max(clock[index - 1]);
        }
    }
    let orders = states.iter().map(|info| info.order);
    orders.zip(clock.into_iter().map(time)).collect()
}

/// Departure of each packet that was sent once, by the number behind it.
fn sent_once(case: &Case) -> BTreeMap<u32, i64> {
    let payload = case.payload() as i64;
    let data = case.packets.iter().filter(|p| !p.is_ack && p.len > 0);
    let mut sent = BTreeMap::new();
    let mut twice = Vec::new();
    for packet in data {
        let next = 2 + (packet.seq / payload) as u32;
        if sent.insert(next, micros(packet.at)).is_some() {
            twice.push(next);
        }
    }
    sent.retain(|next, _| !twice.contains(next));
    sent
}

/// The time of this ACK by its rate, nearest to the record; none if no time near it fits.
fn told(states: &[&Info], clock: &[i64], index: usize, left: i64) -> Option<i64> {
    let info = states[index];
    let recorded = micros(info.at);
    let last = states[..index].partition_point(|before| micros(before.at) <= left);
    // The packet left just before or after the ACK recorded next to it.
    let starts = last.saturating_sub(2)..(last + 1).min(index);
    let ends = starts.filter_map(|start| {
        let delivered = info.delivered - states[start].delivered;
        Some(clock[start] + interval(delivered, info.rate)?)
    });
    ends.filter(|end| (end - recorded).abs() <= MOST)
        .min_by_key(|end| (end - recorded).abs())
}

/// The microseconds in which `delivered` packets of 1448 B make this rate, in bytes per second.
fn interval(delivered: i64, rate: i64) -> Option<i64> {
    let bytes = delivered.checked_mul(1448 * 1_000_000)?;
    let interval = bytes.checked_div(rate).filter(|interval| *interval > 0)?;
    [interval, interval + 1, interval - 1]
        .into_iter()
        .find(|us| *us > 0 && bytes / us == rate)
}
