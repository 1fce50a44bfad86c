//! Units of numbers in tables.

/// A factor and its unit, both chosen by the mean.
pub(crate) type Unit = fn(f64) -> (f64, &'static str);

pub(crate) fn bps(mean: f64) -> (f64, &'static str) {
    match mean {
        x if x >= 1e9 => (1e-9, " Gbps"),
        x if x >= 1e6 => (1e-6, " Mbps"),
        x if x >= 1e3 => (1e-3, " kbps"),
        _ => (1.0, " bps"),
    }
}

pub(crate) fn seconds(mean: f64) -> (f64, &'static str) {
    match mean {
        x if x >= 1.0 => (1.0, " s"),
        x if x >= 1e-3 => (1e3, " ms"),
        _ => (1e6, " µs"),
    }
}

pub(crate) fn per_cent(_mean: f64) -> (f64, &'static str) {
    (100.0, " %")
}

pub(crate) fn plain(_mean: f64) -> (f64, &'static str) {
    (1.0, "")
}

pub(crate) fn pkts(_mean: f64) -> (f64, &'static str) {
    (1.0, " pkts")
}

/// The unit that a metric's name ends in.
pub(crate) fn unit_of(metric: &str) -> Unit {
    match metric.rsplit('_').next().unwrap_or(metric) {
        "bps" => bps,
        "s" => seconds,
        "ratio" | "utilisation" | "limited" => per_cent,
        "pkts" => pkts,
        _ => plain,
    }
}
