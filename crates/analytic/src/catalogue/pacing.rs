//! Pacing: QLBP as a fluid, waves through it, and the effect of edge pacing on TCP.

use super::param::params;
use super::{Model, Solution, Table, Values};
use crate::error::require;
use crate::qlbp::{self, OnOff, QlbpLaw, Waves};
use crate::{Range, SolveError, edge};

pub(super) const QLBP: Model = Model {
    name: "qlbp",
    summary: "queue-length based pacing: rate law, delays, step response, filter, auto-covariance",
    source: "qlbp11 eq. (1)-(6), Fig. 4-6, Table II, rule of thumb",
    params: params! {
        "mu_max": Rate = "10Mbps", Range::POSITIVE, "largest rate of pacing";
        "mu_min": Rate = "2Mbps", Range::NON_NEGATIVE, "rate at an empty queue";
        "q_max": Size = "10KB", Range::POSITIVE, "queue beyond which nothing is delayed";
        "capacity": Rate = "15Mbps", Range::POSITIVE, "rate of the link";
        "packet": Size = "1000B", Range::POSITIVE, "size of a packet";
        "step_rate": Rate = "8Mbps", Range::POSITIVE, "height of the step from 0";
        "peak": Rate = "2Mbps", Range::POSITIVE, "rate of on-off traffic while on";
        "mean_on": Duration = "100ms", Range::POSITIVE, "mean on-time";
        "mean_off": Duration = "200ms", Range::POSITIVE, "mean off-time";
        "utilisation": Number = "0.5", Range::closed(0.0, 1.0), "for the rule of thumb";
        "delay_limit": Duration = "8ms", Range::POSITIVE, "for the rule of thumb";
    },
    run: qlbp,
};

fn qlbp(values: &Values) -> Result<Solution, SolveError> {
    let capacity = values.number("capacity");
    let pacer = QlbpLaw::new(
        values.number("mu_max"),
        values.number("mu_min"),
        values.number("q_max") * 8.0,
        capacity,
    )?;
    let traffic = OnOff::new(
        values.number("peak"),
        1.0 / values.number("mean_off"),
        1.0 / values.number("mean_on"),
    )?;
    let rule = QlbpLaw::rule_of_thumb(
        capacity,
        values.number("utilisation"),
        values.number("delay_limit"),
    )?;
    let variance_ratio = traffic.paced_covariance(pacer.alpha(), 0.0) / traffic.covariance(0.0);
    Ok(Solution::default()
        .scalar("alpha_per_s", pacer.alpha())
        .scalar("delay_bound_s", pacer.delay_bound())
        .scalar("paced_variance_ratio", variance_ratio)
        .scalar("rule_of_thumb_mu_max_bps", rule.mu_max())
        .scalar("rule_of_thumb_mu_min_bps", rule.mu_min())
        .scalar("rule_of_thumb_q_max_bytes", rule.q_max() / 8.0)
        .table(rate_law(&pacer))
        .table(steady(&pacer, capacity, values.number("packet") * 8.0)?)
        .table(step(&pacer, values.number("step_rate")))
        .table(filter(&pacer))
        .table(covariance(&pacer, &traffic))
        .note(
            "auto-covariance and filter are those of the fluid between mu_min and mu_max \
             (qlbp11 Assumption 1); the filter of a pacer with mu_min above 0 acts above mu_min only",
        ))
}

/// The points from 0 to `end` in 200 steps.
fn grid(end: f64) -> Vec<f64> {
    (0..=200).map(|i| end * f64::from(i) / 200.0).collect()
}

fn rate_law(pacer: &QlbpLaw) -> Table {
    let queues = grid(1.5 * pacer.q_max());
    Table::new("rate_law", "pacing rate against queue (qlbp11 Fig. 4)")
        .column("queue_bytes", queues.iter().map(|q| q / 8.0))
        .column("rate_bps", queues.iter().map(|&q| pacer.rate(q)))
}

fn steady(pacer: &QlbpLaw, capacity: f64, packet_bits: f64) -> Result<Table, SolveError> {
    let rates = &grid(capacity)[1..];
    let streams: Result<Vec<_>, SolveError> = rates
        .iter()
        .map(|&r| pacer.constant_stream(r, packet_bits))
        .collect();
    let streams = streams?;
    let queues = || rates.iter().map(|&r| pacer.steady_queue(r));
    Ok(Table::new(
        "steady",
        "constant input: queue, rate and delay (qlbp11 Fig. 5, Table II)",
    )
    .column("input_bps", rates.iter().copied())
    .column("fluid_queue_bytes", queues().map(|q| q / 8.0))
    .column("controller_rate_bps", queues().map(|q| pacer.rate(q)))
    .column(
        "fluid_delay_s",
        rates.iter().map(|&r| pacer.steady_delay(r)),
    )
    .column("waiting_pkts", streams.iter().map(|s| s.waiting as f64))
    .column("packet_delay_s", streams.iter().map(|s| s.delay_s)))
}

fn step(pacer: &QlbpLaw, rate: f64) -> Table {
    let times = grid(5.0 / pacer.alpha());
    Table::new(
        "step",
        "pacing rate after a step of the input (qlbp11 Fig. 6)",
    )
    .column("time_s", times.iter().copied())
    .column(
        "rate_bps",
        times.iter().map(|&t| pacer.step_response(rate, t)),
    )
}

fn filter(pacer: &QlbpLaw) -> Table {
    let alpha = pacer.alpha();
    let decades = (-200..=200).map(|i| alpha * libm::pow(10.0, f64::from(i) / 100.0));
    let omegas: Vec<f64> = decades.collect();
    Table::new("filter", "damping and lag against angular frequency")
        .log_x()
        .column("omega_per_s", omegas.iter().copied())
        .column("gain", omegas.iter().map(|&w| qlbp::gain(alpha, w)))
        .column("lag_rad", omegas.iter().map(|&w| qlbp::lag(alpha, w)))
}

fn covariance(pacer: &QlbpLaw, traffic: &OnOff) -> Table {
    let slowest = 1.0 / pacer.alpha() + traffic.covariance_time();
    let lags = grid(5.0 * slowest);
    let paced = |&tau: &f64| traffic.paced_covariance(pacer.alpha(), tau);
    Table::new(
        "covariance",
        "auto-covariance of on-off traffic, before and after (Theorem 2)",
    )
    .column("lag_s", lags.iter().copied())
    .column(
        "input_bps2",
        lags.iter().map(|&tau| traffic.covariance(tau)),
    )
    .column("paced_bps2", lags.iter().map(paced))
}

pub(super) const WAVES: Model = Model {
    name: "waves",
    summary: "two waves through a QLBP pacer: the fast one is damped",
    source: "impact eq. (4)-(9), Fig. 2",
    params: params! {
        "mean": Number = "50", Range::POSITIVE, "constant part c0";
        "h1": Number = "30", Range::NON_NEGATIVE, "amplitude of the first wave";
        "omega1": Number = "0.2512", Range::POSITIVE, "its angular frequency, per second";
        "h2": Number = "5", Range::NON_NEGATIVE, "amplitude of the second wave";
        "omega2": Number = "10", Range::POSITIVE, "its angular frequency, per second";
        "alpha": Number = "5", Range::POSITIVE, "pacing coefficient, per second";
        "until": Duration = "50s", Range::POSITIVE, "end of the curves";
    },
    run: waves,
};

fn waves(values: &Values) -> Result<Solution, SolveError> {
    let number = |name: &str| values.number(name);
    let (w1, w2, alpha) = (number("omega1"), number("omega2"), number("alpha"));
    let surge = Waves {
        mean: number("mean"),
        waves: vec![(number("h1"), w1), (number("h2"), w2)],
    };
    require(
        surge.mean > number("h1") + number("h2"),
        "mean > h1 + h2 (impact eq. 5: the input stays above zero)",
        || format!("mean {}", surge.mean),
        || format!("a mean above {}", number("h1") + number("h2")),
    )?;
    let end = number("until");
    // Twenty points per period of the faster wave, within limits.
    let points = (end * w1.max(w2) / std::f64::consts::TAU * 20.0).clamp(200.0, 1e5);
    let times: Vec<f64> = (0..=points as usize)
        .map(|i| end * i as f64 / points)
        .collect();
    Ok(Solution::default()
        .scalar("gain1", qlbp::gain(alpha, w1))
        .scalar("gain2", qlbp::gain(alpha, w2))
        .scalar("lag1_rad", qlbp::lag(alpha, w1))
        .scalar("lag2_rad", qlbp::lag(alpha, w2))
        .table(
            Table::new(
                "waves",
                "input, and output of a pacer that starts empty (impact Fig. 2)",
            )
            .column("time_s", times.iter().copied())
            .column("input", times.iter().map(|&t| surge.input(t)))
            .column("output", times.iter().map(|&t| surge.output(alpha, t))),
        ))
}

pub(super) const EDGE: Model = Model {
    name: "edge",
    summary: "TCP throughput and loss bound against the delay of an edge pacer",
    source: "edge eq. (1)-(4), Fig. 9",
    params: params! {
        "load": Number = "0.9", Range::PROPER_SHARE, "load of the link";
        "delay": Duration = "10ms", Range::NON_NEGATIVE, "pacing delay at that load";
        "loads": Numbers = "0.9,0.999", Range::PROPER_SHARE, "loads of the curves";
        "base_rtt": Duration = "200ms", Range::POSITIVE, "round trip without pacing";
        "max_delay": Duration = "100ms", Range::POSITIVE, "largest pacing delay";
        "unit": Duration = "1ms", Range::POSITIVE, "the time that counts as 1 in the exponents of eq. (3) and (4)";
    },
    run: edge_pacing,
};

fn edge_pacing(values: &Values) -> Result<Solution, SolveError> {
    let unit = values.number("unit");
    let base_rtt = values.number("base_rtt") / unit;
    let delays = grid(values.number("max_delay") / unit);
    let seconds = || delays.iter().map(|d| d * unit);
    let (load, delay) = (values.number("load"), values.number("delay") / unit);
    let mut solution = Solution::default()
        .scalar("throughput_ratio", edge::throughput(load, delay, base_rtt)?)
        .scalar("loss_bound", edge::loss_bound(load, delay)?)
        .scalar("turning_load", edge::turning_load(base_rtt)?);
    let mut throughput = Table::new(
        "throughput",
        "relative throughput against delay (edge Fig. 9)",
    )
    .column("delay_s", seconds());
    let mut bound = Table::new(
        "loss_bound",
        "Chernoff bound on loss against delay (edge eq. 3)",
    )
    .log_y()
    .column("delay_s", seconds());
    for &load in values.numbers("loads") {
        let relative: Result<Vec<f64>, SolveError> = delays
            .iter()
            .map(|&d| edge::throughput(load, d, base_rtt))
            .collect();
        let bounds: Result<Vec<f64>, SolveError> =
            delays.iter().map(|&d| edge::loss_bound(load, d)).collect();
        throughput = throughput.column(format!("throughput_at_load_{load}"), relative?);
        bound = bound.column(format!("loss_bound_at_load_{load}"), bounds?);
        let rises = edge::rises(load, 0.0, base_rtt)?;
        solution = solution
            .scalar(format!("decay_at_load_{load}"), edge::decay(load)?)
            .scalar(
                format!("rises_from_start_at_load_{load}"),
                f64::from(u8::from(rises)),
            )
            .scalar(
                format!("rises_from_delay_s_at_load_{load}"),
                edge::turning_delay(load, base_rtt)? * unit,
            );
    }
    Ok(solution.table(throughput).table(bound).note(
        "Fig. 9's two regimes come out with delays and round trip taken as plain numbers of \
         milliseconds (unit = 1ms); the paper does not say so",
    ))
}
