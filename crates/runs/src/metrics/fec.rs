//! Metrics of protected pairs.

use super::declared::{Declared, metrics};
use crate::summary::FecSummary;

pub(super) const NUMBERS: &[Declared<FecSummary>] = metrics! { |pairs|
    "block_pkts" = Some(pairs.block_pkts), "Packets of a block at the end of the run, mean over pairs.";
    "protected_pkts" = Some(pairs.protected_pkts as f64), "Packets that the pairs protected.";
    "repair_pkts" = Some(pairs.repair_pkts as f64), "Repair packets that the pairs sent.";
    "overhead_ratio" = pairs.overhead_ratio, "Bytes of repair packets divided by protected bytes.";
    "lost_pkts" = Some(pairs.lost_pkts as f64), "Protected packets that were lost, of those whose fate is known.";
    "repaired_pkts" = Some(pairs.repaired_pkts as f64), "Protected packets that were lost and repaired.";
    "late_pkts" = Some(pairs.late_pkts as f64), "Repaired packets that left after others sent later.";
    "loss_ratio" of "protected_pkts" = pairs.loss_ratio, "Protected packets that were lost, divided by those whose fate is known.";
    "residual_loss_ratio" of "protected_pkts" = pairs.residual_loss_ratio, "Protected packets that were lost and not repaired, divided by those whose fate is known.";
    "recovery_delay_mean_s" = pairs.recovery_delay_mean_s, "Mean time from the detection of a missing packet to its repair.";
    "recovery_delay_p99_s" among "repaired_pkts" = pairs.recovery_delay_p99_s, "99th percentile of the times to repair.";
};
