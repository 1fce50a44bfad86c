//! Metrics of protected pairs.

use super::declared::{Declared, metrics};
use crate::summary::FecSummary;

pub(super) const NUMBERS: &[Declared<FecSummary>] = metrics! { |pairs|
    "block_pkts" = Some(pairs.block_pkts), "Packets of a block at the end of the run, mean over pairs.";
    "protected_pkts" = Some(pairs.protected_pkts as f64), "Packets that the pairs protected.";
    "repair_pkts" = Some(pairs.repair_pkts as f64), "Repair packets that the pairs sent.";
    "overhead_ratio" = pairs.overhead_ratio, "Bytes of repair packets over protected bytes.";
    "lost_pkts" = Some(pairs.lost_pkts as f64), "Protected packets that did not come, of those whose fate is known.";
    "repaired_pkts" = Some(pairs.repaired_pkts as f64), "Protected packets that did not come and were repaired.";
    "late_pkts" = Some(pairs.late_pkts as f64), "Repaired packets that left behind others that were sent after them.";
    "loss_ratio" of "protected_pkts" = pairs.loss_ratio, "Protected packets that did not come, over those whose fate is known.";
    "residual_loss_ratio" of "protected_pkts" = pairs.residual_loss_ratio, "Protected packets that neither came nor were repaired, over those whose fate is known.";
    "recovery_delay_mean_s" = pairs.recovery_delay_mean_s, "Mean time from when a packet was known to be missing to its repair.";
    "recovery_delay_p99_s" = pairs.recovery_delay_p99_s, "99th percentile of the times to repair.";
};
