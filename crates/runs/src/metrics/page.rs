//! The page that documents all metrics.

use std::fmt::Write;

use super::{ENTITIES, OF_RUN, declared};

/// The page `docs/metrics.md`, generated from the declarations.
pub fn page() -> String {
    let mut page = String::from(HEAD);
    for of in ENTITIES {
        write!(page, "\n## {}\n\n{ROWS}", title(of)).expect("a string takes it");
        for metric in declared(of) {
            let over = match (metric.share_of, metric.among) {
                (Some(packets), _) => {
                    format!("mean; for few events, Wilson's interval over `{packets}`")
                }
                (None, Some(values)) => format!("mean; a quantile of `{values}` values"),
                (None, None) => "mean".to_owned(),
            };
            let (name, unit, meaning) = (metric.name, metric.unit(), metric.meaning);
            writeln!(page, "| `{name}` | {unit} | {meaning} | {over} |")
                .expect("a string takes it");
        }
    }
    page
}

const HEAD: &str = "\
# Metrics

Every number of a run that summaries over replications, stores of studies, figures and claims can name. In a study it is
OF.ENTITY.METRIC: `flows.web.goodput_bps`, `link.core.utilisation`, `run.run.growing_ports`. All cover the measured
time. Over replications a number is the mean with Student's interval at 95 %, on a logarithmic scale where that would
reach below 0; a share of packets with fewer than 30 independent events has Wilson's interval of the underlying counts. A
quantile with fewer than five values beyond it in a replication is marked, and decides no claim. [The page on
results](results.md) describes each table.

A program with [transports and applications of its own](own-parts.md#transports) has their numbers beside these:
`flows.NAME.end_NUMBER`, as sending ends declare them, and `flows.NAME.app_NUMBER`, as sides of applications do, under
the names given to `transport` and `application`. Each is the mean over the group's flows of its value at the end of the
run. `pacesim metrics end_` of that program lists them.

This page is generated from the declarations of the metrics.
";

const ROWS: &str = "| metric | unit | meaning | over replications |\n| --- | --- | --- | --- |\n";

fn title(of: &str) -> &str {
    match of {
        "flows" => "`flows`: a group of flows",
        "link" => "`link`: a link with its port and pacer",
        "fec" => "`fec`: protected pairs",
        OF_RUN => "`run`: the whole run",
        of => of,
    }
}
