//! Protected pairs, by entry of the scenario and by distance.

use std::collections::BTreeSet;

use pacesim::World;
use pacesim::measure::Quantiles;
use pacesim::measure::record::FecRow;
use pacesim::net::Probe;
use serde::Serialize;

use crate::summary::ratio;

/// The pairs of edges of an `[[fec]]` entry in the measured time, or the subset of them at one
/// distance.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FecSummary {
    /// The entry's name, followed by ".hops\[n\]" for pairs that are n core links apart.
    pub fec: String,
    /// Number of pairs in the group.
    pub pairs: u64,
    /// Packets per block at the end of the run, averaged over pairs.
    pub block_pkts: f64,
    /// Number of packets protected.
    pub protected_pkts: u64,
    /// Number of repair packets sent.
    pub repair_pkts: u64,
    /// Bytes of repair packets divided by protected bytes.
    pub overhead_ratio: Option<f64>,
    /// Number of missing packets among those of known fate.
    pub lost_pkts: u64,
    /// Number of lost packets that were repaired.
    pub repaired_pkts: u64,
    /// Repaired packets delivered after packets that were sent later.
    pub late_pkts: u64,
    /// Share of missing packets among those of known fate.
    pub loss_ratio: Option<f64>,
    /// Share of packets neither received nor repaired among those of known fate.
    pub residual_loss_ratio: Option<f64>,
    /// Mean time from the detection of a missing packet to its repair.
    pub recovery_delay_mean_s: Option<f64>,
    /// 99th percentile of the recovery delay.
    pub recovery_delay_p99_s: Option<f64>,
}

/// Each group of pairs, followed by its parts if its pairs are at different distances.
pub(super) fn summaries<P: Probe>(world: &World<P>) -> Vec<FecSummary> {
    let rows = world.fec_rows();
    let mut names: Vec<&str> = Vec::new();
    for row in &rows {
        if !names.contains(&row.group.as_str()) {
            names.push(&row.group);
        }
    }
    let mut all = Vec::new();
    for name in names {
        let members: Vec<&FecRow> = rows.iter().filter(|row| row.group == name).collect();
        all.push(summary(name.to_owned(), &members, world));
        let lengths: BTreeSet<u32> = members.iter().map(|row| row.hops).collect();
        for hops in lengths.iter().filter(|_| lengths.len() > 1) {
            let alike = members.iter().copied().filter(|row| row.hops == *hops);
            let alike: Vec<&FecRow> = alike.collect();
            all.push(summary(format!("{name}.hops[{hops}]"), &alike, world));
        }
    }
    all
}

fn summary<P: Probe>(fec: String, rows: &[&FecRow], world: &World<P>) -> FecSummary {
    let count = |of: fn(&FecRow) -> u64| rows.iter().map(|row| of(row)).sum::<u64>();
    let mut delays = Quantiles::new();
    for row in rows {
        delays.merge(world.recovery_delays(row.fec_id as usize));
    }
    let repaired_pkts = count(|row| row.repaired_pkts);
    let weighted = |row: &&FecRow| Some(row.recovery_delay_mean_s? * row.repaired_pkts as f64);
    let delay_s: f64 = rows.iter().filter_map(weighted).sum();
    let (lost_pkts, settled_pkts) = (count(|row| row.lost_pkts), count(|row| row.settled_pkts));
    FecSummary {
        fec,
        pairs: rows.len() as u64,
        block_pkts: count(|row| row.block_pkts.into()) as f64 / rows.len() as f64,
        protected_pkts: count(|row| row.protected_pkts),
        repair_pkts: count(|row| row.repair_pkts),
        overhead_ratio: ratio(
            count(|row| row.repair_bytes),
            count(|row| row.protected_bytes),
        ),
        lost_pkts,
        repaired_pkts,
        late_pkts: count(|row| row.late_pkts),
        loss_ratio: ratio(lost_pkts, settled_pkts),
        residual_loss_ratio: ratio(lost_pkts.saturating_sub(repaired_pkts), settled_pkts),
        recovery_delay_mean_s: (repaired_pkts > 0).then(|| delay_s / repaired_pkts as f64),
        recovery_delay_p99_s: delays.quantile(0.99).map(|ps| ps as f64 / 1e12),
    }
}
