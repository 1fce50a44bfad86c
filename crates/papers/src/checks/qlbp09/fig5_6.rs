//! One TCP flow with and without the prototype of 2009 (Figs. 5 and 6).

use super::super::single_flow::{bursts, prototype};
use crate::{Context, Fault, Report};

/// An egress of 10 Mbps with 25 KB; D_max = 10 ms, alpha = 5.
pub(crate) fn run(context: &Context<'_>) -> Result<Report, Fault> {
    let title = "packets of one TCP flow before the bottleneck (qlbp09 Figs. 5 and 6)";
    let buffer = ["link.egress.buffer=25KB"];
    bursts(context, title, &prototype(10, 5.0), &buffer)
}
