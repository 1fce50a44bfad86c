//! Experiments that cannot be run yet, with reasons.

const MODERN: &str = "CUBIC, BBR, ECN and CoDel";

/// Id, subject, and missing feature.
#[rustfmt::skip]
pub(crate) const WAITING: &[(&str, &str, &str)] = &[
    ("beyond/modern", "The pacers beside today's senders and queues", MODERN),
    ("beyond/bbr-share", "One BBR flow against 1 to 16 CUBIC flows in a deep buffer", MODERN),
    ("beyond/bbr-loss", "Goodput of CUBIC and BBR against random loss", MODERN),
    ("beyond/bbr-buffer", "Single flows in shallow and deep buffers", MODERN),
    ("beyond/cubic-law", "The mean window of CUBIC against forced loss", MODERN),
    ("beyond/dctcp-k", "The least threshold of marking at which DCTCP fills a link", MODERN),
    ("beyond/buffer-sizing", "The rule of the square root with Reno, CUBIC and BBR, 1 to 1000 flows", MODERN),
];
