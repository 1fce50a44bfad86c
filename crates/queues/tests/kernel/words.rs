//! The words with which tc configures disciplines: those that a replay supports.

use crate::cases::Case;

/// Words without a value, and words followed by one.
struct Words {
    alone: &'static [&'static str],
    with_value: &'static [&'static str],
}

/// Words that state the default, or have no effect here: sizes of hash tables, and packets without
/// a socket.
const CODEL: Words = Words {
    alone: &["ecn", "noecn"],
    with_value: &["limit", "target", "interval", "ce_threshold"],
};
const FQ_CODEL: Words = Words {
    alone: &["ecn", "noecn"],
    with_value: &[
        "limit",
        "flows",
        "target",
        "interval",
        "quantum",
        "ce_threshold",
        "ce_threshold_selector",
        "memory_limit",
        "drop_batch",
    ],
};
const PIE: Words = Words {
    alone: &[
        "ecn",
        "noecn",
        "bytemode",
        "nobytemode",
        "dq_rate_estimator",
        "no_dq_rate_estimator",
    ],
    with_value: &["limit", "target", "tupdate", "alpha", "beta"],
};
const RED: Words = Words {
    alone: &["ecn", "harddrop", "adaptive"],
    with_value: &[
        "limit",
        "min",
        "max",
        "avpkt",
        "burst",
        "bandwidth",
        "probability",
    ],
};
const FQ: Words = Words {
    alone: &["pacing", "nopacing", "horizon_cap", "horizon_drop"],
    with_value: &[
        "limit",
        "flow_limit",
        "buckets",
        "maxrate",
        "quantum",
        "initial_quantum",
        "refill_delay",
        "low_rate_threshold",
        "orphan_mask",
        "timer_slack",
        "ce_threshold",
        "horizon",
    ],
};
const TBF: Words = Words {
    alone: &[],
    with_value: &[
        "limit", "latency", "burst", "buffer", "maxburst", "rate", "peakrate", "mtu", "minburst",
    ],
};

/// FQ-CoDel's default, which no case reaches with a packet of less than 3 KB of the kernel's
/// memory.
const MEMORY: u64 = 32 << 20;

/// A word of a case that its replay does not support.
pub(crate) fn unknown(case: &Case) -> Option<&str> {
    let known = match case.kind() {
        "codel" => CODEL,
        "fq_codel" => FQ_CODEL,
        "pie" => PIE,
        "red" => RED,
        "fq" => FQ,
        "tbf" => TBF,
        _ => return None,
    };
    let mut words = case.words();
    while let Some(word) = words.next() {
        if known.with_value.contains(&word) {
            words.next();
        } else if !known.alone.contains(&word) {
            return Some(word);
        }
    }
    let has_less_memory =
        case.kind() == "fq_codel" && case.size("memory_limit").is_some_and(|size| size < MEMORY);
    has_less_memory.then_some("memory_limit")
}
