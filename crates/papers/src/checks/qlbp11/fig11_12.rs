//! Constant traffic below and above mu_min passes as it came (Figs. 11 and 12).

use super::super::single_flow::{QLBP, constant};
use crate::{Context, Fault, Report};

/// 200 kbps and 3 Mbps; mu_min is 1.2 Mbps.
pub(crate) fn run(context: &Context<'_>) -> Result<Report, Fault> {
    let title = "constant traffic through QLBP (qlbp11 Figs. 11 and 12)";
    constant(context, title, QLBP, [200, 3000])
}
