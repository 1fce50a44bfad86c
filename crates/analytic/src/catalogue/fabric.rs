//! Fabrics of switches.

use super::param::params;
use super::{Model, Solution, Table, Values};
use crate::error::require;
use crate::{Range, SolveError, fabric};

pub(super) const SHARED_BUFFER: Model = Model {
    name: "shared_buffer",
    summary: "queues of a shared memory with dynamic thresholds: saturated, and filled in turn",
    source: "Choudhury and Hahne 1998",
    params: params! {
        "memory": Size = "12MB", Range::at_least(1.0), "size of the memory, reserves included";
        "alpha": Number = "1", Range::POSITIVE, "threshold over free memory";
        "queues": Count = "8", Range::closed(1.0, 10_000.0), "queues that always have packets, or are filled in turn";
        "ports": Count = "32", Range::closed(1.0, 10_000.0), "queues with a reserve";
        "reserve": Size = "0", Range::at_least(0.0), "memory of each queue for itself";
        "cell": Size = "1B", Range::at_least(1.0), "piece in which memory is given out";
        "burst": Number = "2", Range::open(1.0, f64::INFINITY), "arrivals of a burst into one more queue, over the rate of its line";
    },
    run: shared_buffer,
};

fn shared_buffer(values: &Values) -> Result<Solution, SolveError> {
    let [memory, reserve, cell] = ["memory", "reserve", "cell"].map(|name| values.size(name));
    let [memory, reserve, cell] = [memory, reserve, cell].map(|bytes| bytes.get() as f64);
    let reserve = (reserve / cell).ceil();
    let (ports, queues) = (values.number("ports"), values.number("queues"));
    let pool = (memory / cell).floor() - ports * reserve;
    require(
        pool > 0.0,
        "reserves leave memory to share",
        || format!("{ports} reserves of {} B in {memory} B", reserve * cell),
        || "smaller reserves, or more memory".to_owned(),
    )?;
    let alpha = values.number("alpha");
    let share = fabric::threshold_share(alpha, queues);
    let burst = fabric::burst_backlog(alpha, queues, values.number("burst"));
    let filled = fabric::filled_in_turn(pool, alpha, reserve, queues as usize);
    let numbers = (1..=filled.len()).map(|queue| queue as f64);
    Ok(Solution::default()
        .scalar("pool_bytes", pool * cell)
        .scalar("queue_bytes", (reserve + share * pool) * cell)
        .scalar("unused_bytes", (1.0 - queues * share) * pool * cell)
        .scalar("longest_alone_bytes", (filled[0]) * cell)
        .scalar("burst_bytes", (reserve + burst * pool) * cell)
        .note(
            "queue_bytes and unused_bytes are those of queues that always have packets; filled in \
             turn, each stops where it is refused, and keeps what it has; burst_bytes is the longest backlog of \
             a burst beside queues that always have packets, before a packet is refused",
        )
        .table(
            Table::new("filled", "queues filled one after the other")
                .column("queue", numbers)
                .column("filled_bytes", filled.iter().map(|cells| cells * cell)),
        ))
}

pub(super) const HEADROOM: Model = Model {
    name: "headroom",
    summary: "memory of a lossless switch: the headroom of its inputs, and what is left to share",
    source: "IEEE 802.1Qbb; Zhu et al. 2015, section 4.1",
    params: params! {
        "rate": Rate = "25Gbps", Range::POSITIVE, "rate of the line";
        "delay": Duration = "1us", Range::NON_NEGATIVE, "delay of the wire in one direction";
        "packet": Size = "1500B", Range::at_least(1.0), "largest packet";
        "frame": Size = "64B", Range::at_least(1.0), "frame that pauses";
        "response": Duration = "0s", Range::NON_NEGATIVE, "time that a node takes to obey";
        "memory": Size = "12MB", Range::at_least(1.0), "memory of the switch";
        "reserve": Size = "4096B", Range::at_least(0.0), "memory of each input and class for itself";
        "ports": Count = "32", Range::closed(1.0, 10_000.0), "inputs";
        "classes": Count = "1", Range::closed(1.0, 8.0), "classes that are paused apart";
        "alpha": Number = "0.125", Range::POSITIVE, "threshold of an input over free memory";
    },
    run: headroom,
};

fn headroom(values: &Values) -> Result<Solution, SolveError> {
    let [packet, frame, memory, reserve] =
        ["packet", "frame", "memory", "reserve"].map(|name| values.size(name).get() as f64);
    let [rate, delay, response] = ["rate", "delay", "response"].map(|name| values.number(name));
    let each = fabric::headroom(rate, delay, packet, frame, response).ceil();
    let inputs = values.number("ports") * values.number("classes");
    let shared = memory - inputs * (each + reserve);
    require(
        shared > 0.0,
        "headroom and reserves leave memory to share",
        || format!("{inputs} inputs of {each} + {reserve} B in {memory} B"),
        || "more memory, shorter wires, or fewer classes".to_owned(),
    )?;
    let alpha = values.number("alpha");
    Ok(Solution::default()
        .scalar("headroom_bytes", each)
        .scalar("headroom_ratio", inputs * each / memory)
        .scalar("shared_bytes", shared)
        .scalar("first_threshold_bytes", reserve + alpha * shared)
        .scalar(
            "saturated_threshold_bytes",
            reserve + fabric::threshold_share(alpha, inputs) * shared,
        )
        .note(
            "first_threshold_bytes is that of the only busy input, saturated_threshold_bytes that of \
             each if all are",
        ))
}

pub(super) const HPCC: Model = Model {
    name: "hpcc",
    summary: "utilisation of a link by HPCC's flows, and how many it carries without a queue",
    source: "Li et al. 2019",
    params: params! {
        "rate": Rate = "100Gbps", Range::POSITIVE, "rate of the link";
        "target": Number = "0.95", Range::closed(0.01, 1.0), "target utilisation eta";
        "additive": Rate = "40Mbps", Range::POSITIVE, "additive increase of a flow";
        "flows": Count = "16", Range::closed(1.0, 1e6), "flows";
    },
    run: hpcc,
};

fn hpcc(values: &Values) -> Result<Solution, SolveError> {
    let [rate, target, additive, flows] =
        ["rate", "target", "additive", "flows"].map(|name| values.number(name));
    let utilisation = fabric::hpcc_utilisation(target, flows, additive, rate);
    Ok(Solution::default()
        .scalar("utilisation", utilisation.min(1.0))
        .scalar("most_flows", ((1.0 - target) * rate / additive).floor())
        .scalar("excess_ratio", (utilisation - 1.0).max(0.0))
        .note("beyond most_flows the increases exceed what the target leaves, and a queue stands"))
}

pub(super) const ECMP: Model = Model {
    name: "ecmp",
    summary: "flows that a hash spreads over links of equal cost: the busiest link, idle links",
    source: "balls in bins",
    params: params! {
        "flows": Count = "32", Range::closed(1.0, 400.0), "flows of equal rate";
        "links": Count = "8", Range::closed(1.0, 400.0), "links of equal cost";
    },
    run: ecmp,
};

fn ecmp(values: &Values) -> Result<Solution, SolveError> {
    let (flows, links) = (values.number("flows"), values.number("links"));
    let at_most = fabric::busiest_link(flows as u32, links as u32);
    let mean: f64 = at_most.iter().map(|below| 1.0 - below).sum();
    let numbers = (0..at_most.len()).map(|load| load as f64);
    Ok(Solution::default()
        .scalar("busiest_mean_flows", mean)
        .scalar("busiest_over_mean_ratio", mean * links / flows)
        .scalar(
            "idle_mean_links",
            links * libm::pow(1.0 - 1.0 / links, flows),
        )
        .scalar("even_probability", at_most[(flows / links).ceil() as usize])
        .note("even_probability is that of no link with more flows than an even spread has")
        .table(
            Table::new("busiest", "flows of the busiest link")
                .column("busiest_flows", numbers)
                .column("cumulative", at_most),
        ))
}

/// The max-min fair shares of flows on paths, lists of links with these capacities in bits per second.
pub fn fair_shares(paths: &[Vec<usize>], capacities: &[f64]) -> Solution {
    let rates = fabric::max_min(paths, capacities);
    let mut users = vec![0_u32; capacities.len()];
    paths.iter().flatten().for_each(|link| users[*link] += 1);
    let busiest = |path: &Vec<usize>| {
        let users = path.iter().map(|link| users[*link]).max();
        f64::from(users.unwrap_or_default())
    };
    let least = rates.iter().copied().fold(f64::INFINITY, f64::min);
    Solution::default()
        .scalar("flows", rates.len() as f64)
        .scalar(
            "mean_share_bps",
            rates.iter().sum::<f64>() / rates.len() as f64,
        )
        .scalar("least_share_bps", least)
        .scalar(
            "busiest_link_flows",
            f64::from(users.iter().copied().max().unwrap_or_default()),
        )
        .note(
            "max-min fair shares: the rates of all flows grow together until a link is full, and those \
             through it stay; headers count, ACKs do not",
        )
        .table(
            Table::new("shares", "share of each flow")
                .column("flow", (0..rates.len()).map(|flow| flow as f64))
                .column("share_bps", rates)
                .column("links", paths.iter().map(|path| path.len() as f64))
                .column("busiest_link_flows", paths.iter().map(busiest)),
        )
}
