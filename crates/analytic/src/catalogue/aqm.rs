//! Active queue management.

use super::{Model, Param, ParamKind, Solution, Table, Values};
use crate::aqm::{Flows, Pi2, Red, codel_drops, codel_time_to, pi2};
use crate::{Range, SolveError};

const fn param(
    name: &'static str,
    kind: ParamKind,
    default: &'static str,
    range: Range,
    doc: &'static str,
) -> Param {
    Param {
        name,
        kind,
        default,
        range,
        doc,
    }
}

const RATE: Param = param(
    "rate",
    ParamKind::Rate,
    "50Mbps",
    Range::POSITIVE,
    "rate of the link",
);
const RTT: Param = param(
    "rtt",
    ParamKind::Duration,
    "40ms",
    Range::POSITIVE,
    "round trip without the queue",
);
const PACKET: Param = param(
    "packet",
    ParamKind::Size,
    "1500B",
    Range::POSITIVE,
    "size of a packet",
);
const FLOWS: Param = param(
    "flows",
    ParamKind::Number,
    "10",
    Range::POSITIVE,
    "long flows",
);

pub(super) const CODEL: Model = Model {
    name: "codel",
    summary: "CoDel's control law: times of drops, and the time until an overload is dropped",
    source: "RFC 8289 section 5.3",
    params: &[
        param(
            "interval",
            ParamKind::Duration,
            "100ms",
            Range::POSITIVE,
            "CoDel's interval",
        ),
        param(
            "drops",
            ParamKind::Count,
            "64",
            Range::closed(1.0, 1e6),
            "drops listed",
        ),
        param(
            "excess",
            ParamKind::Number,
            "167",
            Range::POSITIVE,
            "packets a second too many, of a load that does not react",
        ),
    ],
    run: run_codel,
};

fn run_codel(values: &Values) -> Result<Solution, SolveError> {
    let (interval, drops) = (values.number("interval"), values.number("drops") as u32);
    let excess = values.number("excess");
    let times = codel_drops(interval, drops)?;
    let counts: Vec<f64> = (1..=drops).map(f64::from).collect();
    Ok(Solution::default()
        .scalar("count_at_excess", interval * interval * excess * excess)
        .scalar("time_to_excess_s", codel_time_to(interval, excess)?)
        .table(
            Table::new("drops", "times of drops after the first one")
                .column("count", counts)
                .column("time_s", times),
        )
        .note(
            "a load that does not react is only held once count has grown to (interval * excess)^2",
        ))
}

pub(super) const PI2: Model = Model {
    name: "pi2",
    summary: "PI2's equilibrium: probabilities of classic drops and of L4S marks for long flows",
    source: "RFC 9332 sections 2.1 and 2.4",
    params: &[
        RATE,
        RTT,
        PACKET,
        FLOWS,
        param(
            "target",
            ParamKind::Duration,
            "15ms",
            Range::NON_NEGATIVE,
            "delay that it aims at",
        ),
        param(
            "coupling",
            ParamKind::Number,
            "2",
            Range::POSITIVE,
            "coupling of L4S marks",
        ),
    ],
    run: run_pi2,
};

fn flows(values: &Values, count: f64) -> Flows {
    Flows {
        packets_per_s: values.number("rate") / 8.0 / values.number("packet"),
        rtt_s: values.number("rtt"),
        count,
    }
}

fn run_pi2(values: &Values) -> Result<Solution, SolveError> {
    let (target, coupling) = (values.number("target"), values.number("coupling"));
    let at = |count: f64| pi2(&flows(values, count), target, coupling);
    let counts: Vec<f64> = (1..=100).map(f64::from).collect();
    let all: Result<Vec<_>, SolveError> = counts.iter().map(|count| at(*count)).collect();
    let all = all?;
    let column = |of: fn(&Pi2) -> f64| all.iter().map(of).collect::<Vec<f64>>();
    let here = at(values.number("flows"))?;
    Ok(Solution::default()
        .scalar("window_pkts", here.window)
        .scalar("classic_probability", here.classic)
        .scalar("base_probability", here.base)
        .scalar("l4s_probability", here.coupled)
        .table(
            Table::new("flows", "probabilities against the number of flows")
                .log_y()
                .column("flows", counts)
                .column("classic_probability", column(|pi2| pi2.classic))
                .column("l4s_probability", column(|pi2| pi2.coupled)),
        )
        .note("classic flows are Reno's with an acknowledgement for every packet, and without time-outs"))
}

pub(super) const RED: Model = Model {
    name: "red",
    summary: "RED's equilibrium: its mean queue with long TCP flows, and with an overload that does not react",
    source: "Floyd and Jacobson 1993; ns-2.35 (gentle, wait)",
    params: &[
        RATE,
        RTT,
        PACKET,
        FLOWS,
        param(
            "min_th",
            ParamKind::Number,
            "5",
            Range::NON_NEGATIVE,
            "lower threshold, packets",
        ),
        param(
            "max_th",
            ParamKind::Number,
            "15",
            Range::POSITIVE,
            "upper threshold, packets",
        ),
        param(
            "max_p",
            ParamKind::Number,
            "0.1",
            Range::PROPER_SHARE,
            "probability at the upper threshold",
        ),
        param(
            "load",
            ParamKind::Number,
            "1.2",
            Range::open(1.0, 3.0),
            "load that does not react, of the rate",
        ),
    ],
    run: run_red,
};

fn run_red(values: &Values) -> Result<Solution, SolveError> {
    let red = Red {
        min_th: values.number("min_th"),
        max_th: values.number("max_th"),
        max_p: values.number("max_p"),
    };
    let flows = flows(values, values.number("flows"));
    let share = 1.0 - 1.0 / values.number("load");
    let (overload, mean) = (red.mean_for(share)?, red.mean_with(&flows)?);
    let means: Vec<f64> = (0..=200)
        .map(|i| red.max_th * f64::from(i) / 100.0)
        .collect();
    let shares: Vec<f64> = means.iter().map(|mean| red.share(*mean)).collect();
    Ok(Solution::default()
        .scalar("mean_with_flows_pkts", mean)
        .scalar("loss_with_flows", red.share(mean))
        .scalar("delay_with_flows_s", mean / flows.packets_per_s)
        .scalar("mean_at_load_pkts", overload)
        .scalar("loss_at_load", share)
        .table(
            Table::new("curve", "share of packets dropped against the mean queue")
                .column("mean_pkts", means.clone())
                .column("share", shares),
        )
        .note("drops are spread over 1/p to 2/p packets, so the share that is dropped is 2p/3"))
}
