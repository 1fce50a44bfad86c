//! Protected pairs, by the entry of the scenario that they are of and by how far they are apart.

use std::collections::BTreeSet;

use pacesim::World;
use pacesim::measure::Quantiles;
use pacesim::measure::record::FecRow;
use pacesim::net::Probe;
use serde::Serialize;

use crate::summary::ratio;

/// The pairs of edges of an entry `[[fec]]` in the measured time, or those of them that are a
/// number of links apart.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FecSummary {
    /// The entry's name; with ".hops\[n\]" behind it for pairs n links of the core apart.
    pub fec: String,
    /// The number of pairs.
    pub pairs: u64,
    /// The packets of a block at the end of the run, mean over pairs.
    pub block_pkts: f64,
    /// Packets that they protected.
    pub protected_pkts: u64,
    /// Repair packets that they sent.
    pub repair_pkts: u64,
    /// Bytes of repair packets over protected bytes.
    pub overhead_ratio: Option<f64>,
    /// Packets that did not come, of those whose fate is known.
    pub lost_pkts: u64,
    /// Lost packets that were repaired.
    pub repaired_pkts: u64,
    /// Repaired packets that left behind others that were sent after them.
    pub late_pkts: u64,
    /// Packets that did not come, of those whose fate is known.
    pub loss_ratio: Option<f64>,
    /// Packets that were neither there nor repaired, of those whose fate is known.
    pub residual_loss_ratio: Option<f64>,
    /// Mean time from when a packet was known to be missing until it was repaired.
    pub recovery_delay_mean_s: Option<f64>,
    /// 99 % of the repairs did not take longer.
    pub recovery_delay_p99_s: Option<f64>,
}

/// Each group of pairs, and behind it its parts where its pairs are not all equally far apart.
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
