//! One TCP flow's bursts at the start of a round trip, spread by pacing (Figs. 9 and 10).

use super::super::single_flow::{QLBP, bursts};
use crate::{Context, Fault, Report};

/// An egress of 10 Mbps with 16 packets.
pub(crate) fn run(context: &Context<'_>) -> Result<Report, Fault> {
    let title = "packets of one TCP flow before the bottleneck (qlbp11 Figs. 9 and 10)";
    bursts(context, title, QLBP, &[])
}
