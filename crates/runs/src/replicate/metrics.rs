//! The numbers of a summary, one by one.

use std::borrow::Cow;

use pacesim::measure::mean_interval;
use serde::Serialize;

use crate::rare::{Counts, trials_of};
use crate::replicate::CONFIDENCE;
use crate::summary::{
    FecSummary, GroupSummary, LinkSummary, PacerSummary, Parts, Summary, TcpSummary,
    TransferSummary, WarningKind,
};

/// A number of one group of flows or of one link, in one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Metric {
    /// The kind of entity: "flows", "link"...
    pub of: &'static str,
    /// The name of the group, link or protection.
    pub entity: String,
    /// The metric, with its unit.
    pub metric: Cow<'static, str>,
    /// The value, if there is one.
    pub value: Option<f64>,
}

/// A number's mean over replications.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mean {
    /// What the metric is of: "flows", "link" or "fec".
    pub of: &'static str,
    /// The group's, the link's or the entry's name.
    pub entity: String,
    /// The metric, with its unit.
    pub metric: Cow<'static, str>,
    /// The number of replications in which there is a number.
    pub n: u64,
    /// Their mean.
    pub mean: Option<f64>,
    /// The way from it to the farther end of its interval, Student's or of the counts behind a share of few events; null with
    /// fewer than two.
    pub half_width: Option<f64>,
}

type Of<T> = (&'static str, fn(&T) -> Option<f64>);

const OF_FLOWS: &[Of<GroupSummary>] = &[
    ("offered_bps", |group| Some(group.offered_bps)),
    ("throughput_bps", |group| Some(group.throughput_bps)),
    ("goodput_bps", |group| Some(group.goodput_bps)),
    ("flow_goodput_bps", |group| {
        Some(group.goodput_bps / group.flows as f64)
    }),
    ("settled_pkts", |group| Some(group.settled_pkts as f64)),
    ("loss_ratio", |group| group.loss_ratio),
    ("delay_mean_s", |group| group.delay_mean_s),
    ("delay_p50_s", |group| group.delay_p50_s),
    ("delay_p99_s", |group| group.delay_p99_s),
    ("jain_index", |group| group.jain_index),
    ("retransmitted_pkts", |group| {
        of_tcp(group, |tcp| Some(tcp.retransmitted_pkts as f64))
    }),
    ("retransmitted_ratio", |group| {
        of_tcp(group, |tcp| tcp.retransmitted_ratio)
    }),
    ("timeouts", |group| {
        of_tcp(group, |tcp| Some(tcp.timeouts as f64))
    }),
    ("fast_recoveries", |group| {
        of_tcp(group, |tcp| Some(tcp.fast_recoveries as f64))
    }),
    ("rtt_mean_s", |group| of_tcp(group, |tcp| tcp.rtt_mean_s)),
    ("rtt_p99_s", |group| of_tcp(group, |tcp| tcp.rtt_p99_s)),
    ("window_limited", |group| {
        of_tcp(group, |tcp| tcp.window_limited)
    }),
    ("congestion_limited", |group| {
        of_tcp(group, |tcp| tcp.congestion_limited)
    }),
    ("data_limited", |group| {
        of_tcp(group, |tcp| tcp.data_limited)
    }),
    ("pacing_limited", |group| {
        of_tcp(group, |tcp| tcp.pacing_limited)
    }),
    ("transfer_goodput_bps", |group| {
        of_tcp(group, |tcp| tcp.transfer_goodput_bps)
    }),
    ("slow_start", |group| of_tcp(group, |tcp| tcp.slow_start)),
    ("finished", |group| {
        of_transfers(group, |all| Some(all.finished as f64))
    }),
    ("unfinished", |group| {
        of_transfers(group, |all| Some(all.unfinished as f64))
    }),
    ("completion_mean_s", |group| {
        of_transfers(group, |all| all.completion_mean_s)
    }),
    ("completion_p50_s", |group| {
        of_transfers(group, |all| all.completion_p50_s)
    }),
    ("completion_p99_s", |group| {
        of_transfers(group, |all| all.completion_p99_s)
    }),
    ("slowdown_mean", |group| {
        of_transfers(group, |all| all.slowdown_mean)
    }),
    ("slowdown_p50", |group| {
        of_transfers(group, |all| all.slowdown_p50)
    }),
    ("slowdown_p99", |group| {
        of_transfers(group, |all| all.slowdown_p99)
    }),
];

const OF_LINK: &[Of<LinkSummary>] = &[
    ("utilisation", |link| Some(link.utilisation)),
    // Of a full link rounding may leave less than nothing.
    ("idle_ratio", |link| Some((1.0 - link.utilisation).max(0.0))),
    ("arrived_pkts", |link| Some(link.arrived_pkts as f64)),
    ("loss_ratio", |link| Some(link.loss_ratio)),
    ("queue_mean_pkts", |link| Some(link.queue_mean_pkts)),
    ("queue_max_pkts", |link| Some(link.queue_max_pkts as f64)),
    ("queue_mean_bytes", |link| Some(link.queue_mean_bytes)),
    ("queue_max_bytes", |link| Some(link.queue_max_bytes as f64)),
    ("pacer_utilisation", |link| {
        of_pacer(link, |pacer| pacer.pacer_utilisation)
    }),
    ("held_mean_pkts", |link| {
        of_pacer(link, |pacer| Some(pacer.held_mean_pkts))
    }),
    ("held_max_pkts", |link| {
        of_pacer(link, |pacer| Some(pacer.held_max_pkts as f64))
    }),
    ("pacing_delay_mean_s", |link| {
        of_pacer(link, |pacer| pacer.pacing_delay_mean_s)
    }),
    ("pacing_delay_max_s", |link| {
        of_pacer(link, |pacer| pacer.pacing_delay_max_s)
    }),
];

const OF_FEC: &[Of<FecSummary>] = &[
    ("block_pkts", |pairs| Some(pairs.block_pkts)),
    ("protected_pkts", |pairs| Some(pairs.protected_pkts as f64)),
    ("repair_pkts", |pairs| Some(pairs.repair_pkts as f64)),
    ("overhead_ratio", |pairs| pairs.overhead_ratio),
    ("lost_pkts", |pairs| Some(pairs.lost_pkts as f64)),
    ("repaired_pkts", |pairs| Some(pairs.repaired_pkts as f64)),
    ("late_pkts", |pairs| Some(pairs.late_pkts as f64)),
    ("loss_ratio", |pairs| pairs.loss_ratio),
    ("residual_loss_ratio", |pairs| pairs.residual_loss_ratio),
    ("recovery_delay_mean_s", |pairs| pairs.recovery_delay_mean_s),
    ("recovery_delay_p99_s", |pairs| pairs.recovery_delay_p99_s),
];

/// The whole run: its warnings, and when it gave up.
pub const OF_RUN: &str = "run";

/// The simulated time at which a run gave up; no other run has the number.
pub const GAVE_UP_AT: &str = "gave_up_at_s";

/// The names of all numbers of a group of flows ("flows"), of a link ("link"), of
/// protected pairs ("fec") or of the whole run ("run").
pub fn metric_names(of: &str) -> Vec<&'static str> {
    match of {
        "flows" => OF_FLOWS.iter().map(|(name, _)| *name).collect(),
        "link" => OF_LINK.iter().map(|(name, _)| *name).collect(),
        "fec" => OF_FEC.iter().map(|(name, _)| *name).collect(),
        OF_RUN => {
            let warnings = WarningKind::ALL.map(WarningKind::name);
            warnings.into_iter().chain([GAVE_UP_AT]).collect()
        }
        _ => Vec::new(),
    }
}

fn of_tcp(group: &GroupSummary, number: fn(&TcpSummary) -> Option<f64>) -> Option<f64> {
    number(group.tcp.as_ref()?)
}

fn of_transfers(group: &GroupSummary, number: fn(&TransferSummary) -> Option<f64>) -> Option<f64> {
    number(group.transfers.as_ref()?)
}

fn of_pacer(link: &LinkSummary, number: fn(&PacerSummary) -> Option<f64>) -> Option<f64> {
    number(link.pacer.as_ref()?)
}

/// All numbers of a run.
pub fn metrics(summary: &Summary) -> Vec<Metric> {
    metrics_of(&Parts {
        flows: summary.flows.clone(),
        links: summary.notable.clone(),
        fec: summary.fec.clone(),
        warnings: summary.warnings.clone(),
    })
}

/// All numbers of these groups, links and pairs, in their order.
pub fn metrics_of(parts: &Parts) -> Vec<Metric> {
    let flows = parts.flows.iter().flat_map(|group| {
        OF_FLOWS.iter().map(|(metric, value)| Metric {
            of: "flows",
            entity: group.group.clone(),
            metric: Cow::Borrowed(metric),
            value: value(group),
        })
    });
    let links = parts.links.iter().flat_map(|link| {
        OF_LINK.iter().map(|(metric, value)| Metric {
            of: "link",
            entity: link.link.clone(),
            metric: Cow::Borrowed(metric),
            value: value(link),
        })
    });
    let fec = parts.fec.iter().flat_map(|pairs| {
        OF_FEC.iter().map(|(metric, value)| Metric {
            of: "fec",
            entity: pairs.fec.clone(),
            metric: Cow::Borrowed(metric),
            value: value(pairs),
        })
    });
    let warnings = WarningKind::ALL.into_iter().map(|kind| {
        let found = parts.warnings.iter().find(|warning| warning.kind == kind);
        Metric {
            of: OF_RUN,
            entity: OF_RUN.to_owned(),
            metric: Cow::Borrowed(kind.name()),
            value: Some(found.map_or(0, |warning| warning.count) as f64),
        }
    });
    flows.chain(links).chain(fec).chain(warnings).collect()
}

/// The means of numbers that are mostly in the same order in every run: where pairs of edges are
/// drawn, a run may lack some.
pub(super) fn means(runs: &[Vec<Metric>]) -> Vec<Mean> {
    let Some(first) = runs.first() else {
        return Vec::new();
    };
    // A number in each run; those of one entity stand together.
    let numbers = |place: usize, metric: &Metric, name: &str| -> Vec<Option<f64>> {
        let is_it =
            |m: &&Metric| (m.of, &m.entity, &*m.metric) == (metric.of, &metric.entity, name);
        let of_run = |run: &Vec<Metric>| {
            let here = run.get(place).filter(is_it);
            here.or_else(|| run.iter().find(is_it))?.value
        };
        runs.iter().map(of_run).collect()
    };
    let rare = |place: usize, metric: &Metric, shares: &[Option<f64>]| {
        let trials = trials_of(metric.of, &metric.metric)?;
        let before = first[..place].iter().rev().position(|m| m.metric == trials);
        let packets = numbers(
            place - before.map_or(0, |before| before + 1),
            metric,
            trials,
        );
        Counts::rare(shares, &packets)?.interval(CONFIDENCE)
    };
    let mean = |(place, metric): (usize, &Metric)| {
        let all = numbers(place, metric, &metric.metric);
        let values: Vec<f64> = all.iter().copied().flatten().collect();
        let sum: f64 = values.iter().sum();
        let mean = (!values.is_empty()).then(|| sum / values.len() as f64);
        let student = || Some(mean_interval(&values, CONFIDENCE)?.half_width());
        let farther = |(low, high): (f64, f64)| Some((high - mean?).max(mean? - low));
        Mean {
            of: metric.of,
            entity: metric.entity.clone(),
            metric: metric.metric.clone(),
            n: values.len() as u64,
            mean,
            half_width: rare(place, metric, &all).map_or_else(student, farther),
        }
    };
    first.iter().enumerate().map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(value: Option<f64>) -> Vec<Metric> {
        let (of, entity, metric) = ("link", "core".to_owned(), "utilisation".into());
        vec![Metric {
            of,
            entity,
            metric,
            value,
        }]
    }

    #[test]
    fn means_count_the_numbers_that_are_there() {
        let means = means(&[run(Some(1.0)), run(None), run(Some(3.0))]);
        assert_eq!((means[0].n, means[0].mean), (2, Some(2.0)));
        // Student's 97.5 % quantile with one degree of freedom, 12.706, times sd / sqrt 2.
        let half_width = means[0].half_width.expect("two numbers");
        assert!((half_width - 12.7062).abs() < 1e-4, "{half_width}");
    }

    #[test]
    fn one_number_has_no_interval_and_none_no_mean() {
        let one = means(&[run(Some(1.0))]);
        assert_eq!((one[0].mean, one[0].half_width), (Some(1.0), None));
        assert_eq!(means(&[run(None)])[0].mean, None);
    }
}
