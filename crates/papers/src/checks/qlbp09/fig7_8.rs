//! Constant traffic through the prototype of 2009 (Figs. 7 and 8).

use super::super::single_flow::{constant, prototype};
use crate::{Context, Fault, Report};

/// 200 kbps and 3 Mbps; D_max = 10 ms, alpha = 5.
pub(crate) fn run(context: &Context<'_>) -> Result<Report, Fault> {
    let title = "constant traffic through the first QLBP (qlbp09 Figs. 7 and 8)";
    constant(context, title, &prototype(10, 5.0), [200, 3000])
}
