//! The numbers of protected pairs.

use super::declared::Declared;
use crate::summary::FecSummary;

pub(super) const NUMBERS: &[Declared<FecSummary>] = &[
    Declared::new(
        "block_pkts",
        "Packets of a block at the end of the run, mean over pairs.",
        |pairs| Some(pairs.block_pkts),
    ),
    Declared::new(
        "protected_pkts",
        "Packets that the pairs protected.",
        |pairs| Some(pairs.protected_pkts as f64),
    ),
    Declared::new(
        "repair_pkts",
        "Repair packets that the pairs sent.",
        |pairs| Some(pairs.repair_pkts as f64),
    ),
    Declared::new(
        "overhead_ratio",
        "Bytes of repair packets over protected bytes.",
        |pairs| pairs.overhead_ratio,
    ),
    Declared::new(
        "lost_pkts",
        "Protected packets that did not come, of those whose fate is known.",
        |pairs| Some(pairs.lost_pkts as f64),
    ),
    Declared::new(
        "repaired_pkts",
        "Protected packets that did not come and were repaired.",
        |pairs| Some(pairs.repaired_pkts as f64),
    ),
    Declared::new(
        "late_pkts",
        "Repaired packets that left behind others that were sent after them.",
        |pairs| Some(pairs.late_pkts as f64),
    ),
    Declared::share(
        "loss_ratio",
        "Protected packets that did not come, over those whose fate is known.",
        "protected_pkts",
        |pairs| pairs.loss_ratio,
    ),
    Declared::share(
        "residual_loss_ratio",
        "Protected packets that neither came nor were repaired, over those whose fate is known.",
        "protected_pkts",
        |pairs| pairs.residual_loss_ratio,
    ),
    Declared::new(
        "recovery_delay_mean_s",
        "Mean time from when a packet was known to be missing to its repair.",
        |pairs| pairs.recovery_delay_mean_s,
    ),
    Declared::new(
        "recovery_delay_p99_s",
        "99th percentile of the times to repair.",
        |pairs| pairs.recovery_delay_p99_s,
    ),
];
