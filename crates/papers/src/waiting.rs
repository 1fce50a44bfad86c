//! What cannot be run yet, and why.

const TMIX: &str = "replay of connection vectors";
const SHORT_FLOWS: &str = "transfers that arrive at random, and their completion times";
const LRD: &str = "sources of long-range dependent traffic";
const FEC: &str = "more studies of repair packets";
const MODERN: &str = "CUBIC, BBR, ECN and CoDel";
const GOODPUT: &str = "the goodput of users while they fetch";

/// Id, what it will show, and what it waits for.
#[rustfmt::skip]
pub(crate) const WAITING: &[(&str, &str, &str)] = &[
    ("qlbp11/fig16", "Replayed connections: which time scales a pacer smooths", TMIX),
    ("impact/fig4", "Completion times of short flows, with and without long ones", SHORT_FLOWS),
    ("impact/fig5", "Gain of pacing with 20 long and up to 900 short flows", SHORT_FLOWS),
    ("impact/fig6", "The same with 40 long flows", SHORT_FLOWS),
    ("impact/fig7", "Fairness where half of the access routers pace", SHORT_FLOWS),
    ("impact/active-time", "How much of their active time short flows spend in slow start", SHORT_FLOWS),
    ("edge/fig6", "1000 users that fetch files and think", GOODPUT),
    ("zerobuf/fig11", "Poisson and long-range dependent traffic into small buffers", LRD),
    ("zerobuf/sensitivity", "Fairness for block sizes near the optimum", FEC),
    ("zerobuf/hop-mixes", "Fairness for other shares of one, two and three hops", FEC),
    ("beyond/modern", "The pacers beside today's senders and queues", MODERN),
    ("beyond/bbr-share", "One BBR flow against 1 to 16 CUBIC flows in a deep buffer", MODERN),
    ("beyond/bbr-loss", "Goodput of CUBIC and BBR against random loss", MODERN),
    ("beyond/bbr-buffer", "Single flows in shallow and deep buffers", MODERN),
    ("beyond/cubic-law", "The mean window of CUBIC against forced loss", MODERN),
    ("beyond/dctcp-k", "The least threshold of marking at which DCTCP fills a link", MODERN),
    ("beyond/buffer-sizing", "The rule of the square root with Reno, CUBIC and BBR, 1 to 1000 flows", MODERN),
    ("beyond/adaptive-fec", "Block sizes that follow the measured loss", FEC),
    ("beyond/fec-and-pacing", "Repair packets together with edge pacing", FEC),
];
