//! TCP's response to loss and marks, and long flows over one queue.

use super::param::params;
use super::{Model, Solution, Table, Values};
use crate::aqm::Red;
use crate::bbr_share::Beside;
use crate::dctcp::Dctcp;
use crate::response::{Control, Sender, Signal, cubic_window};
use crate::tcp_port::{FixedPoint, Flows, SharedQueue};
use crate::{Range, SolveError};

const CONTROLS: &[&str] = &["reno", "cubic", "dctcp"];

pub(super) const RESPONSE: Model = Model {
    name: "response",
    summary: "response functions: mean window of Reno, PFTK, CUBIC and DCTCP against loss or marks",
    source: "Mathis et al. 1997; Padhye et al. 1998; RFC 9438 section 5; Alizadeh et al. 2010",
    params: params! {
        "rtt": Duration = "100ms", Range::POSITIVE, "round trip";
        "timeout": Duration = "1s", Range::POSITIVE, "first time-out, of PFTK";
        "packets_per_ack": Number = "1", Range::at_least(1.0), "2 where an acknowledgement counts once for two packets";
        "window": Number = "1e9", Range::at_least(1.0), "largest window, packets";
        "packet": Size = "1500B", Range::POSITIVE, "size of a packet, for the rates";
        "share": Number = "1e-4", Range::POSITIVE_SHARE, "share of packets lost or marked";
    },
    run: response,
};

/// Windows at one share: Reno, Reno with time-outs, CUBIC and its law alone, DCTCP.
fn windows(values: &Values, share: f64) -> Result<[f64; 5], SolveError> {
    let rtt_s = values.number("rtt");
    let sender = |control| Sender {
        control,
        packets_per_ack: values.number("packets_per_ack"),
        timeout_s: values.number("timeout"),
        max_window: values.number("window"),
    };
    let of = |control, signal| sender(control).window(signal, share, rtt_s);
    Ok([
        of(Control::Reno, Signal::Mark)?,
        of(Control::Reno, Signal::Loss)?,
        of(Control::Cubic, Signal::Mark)?,
        cubic_window(share, rtt_s).min(values.number("window")),
        of(Control::Dctcp, Signal::Mark)?,
    ])
}

const WINDOWS: [&str; 5] = ["reno", "pftk", "cubic", "cubic_alone", "dctcp"];

fn response(values: &Values) -> Result<Solution, SolveError> {
    let share = values.number("share");
    let (rtt_s, bits) = (values.number("rtt"), values.number("packet") * 8.0);
    let here = windows(values, share)?;
    let shares: Vec<f64> = (-80..=-10)
        .map(|i| libm::pow(10.0, f64::from(i) / 10.0))
        .collect();
    let rows = shares.iter().map(|share| windows(values, *share));
    let rows = rows.collect::<Result<Vec<_>, _>>()?;
    let mut solution = Solution::default();
    let mut table = Table::new(
        "windows",
        "mean window against the share of packets lost or marked",
    )
    .log_x()
    .log_y()
    .column("share", shares);
    for (n, name) in WINDOWS.iter().enumerate() {
        solution = solution
            .scalar(format!("{name}_pkts"), here[n])
            .scalar(format!("{name}_bps"), here[n] / rtt_s * bits);
        table = table.column(format!("{name}_pkts"), rows.iter().map(|row| row[n]));
    }
    Ok(solution
        .table(table)
        .note("reno, cubic and dctcp are without time-outs; pftk is Reno with them")
        .note("cubic is the greater of cubic_alone and reno (RFC 9438, section 5.1)")
        .note("dctcp is for marks that are independent of each other, 2/p; behind a step see the model dctcp"))
}

pub(super) const DCTCP: Model = Model {
    name: "dctcp",
    summary: "DCTCP behind marks from a threshold on: sawtooth of synchronised flows, and the fluid law",
    source: "Alizadeh et al. 2010 section 3.3; Alizadeh, Javanmard and Prabhakar 2011",
    params: params! {
        "rate": Rate = "50Mbps", Range::POSITIVE, "rate of the link";
        "rtt": Duration = "40ms", Range::POSITIVE, "round trip without the queue";
        "packet": Size = "1500B", Range::POSITIVE, "size of a packet";
        "flows": Number = "1", Range::closed(1.0, 1e6), "long flows";
        "threshold": Number = "32", Range::NON_NEGATIVE, "packets waiting from which on arrivals are marked";
        "gain": Number = "0.0625", Range::POSITIVE_SHARE, "gain of the estimator of marks";
    },
    run: dctcp,
};

fn dctcp(values: &Values) -> Result<Solution, SolveError> {
    let flows = Dctcp {
        packets_per_s: values.number("rate") / 8.0 / values.number("packet"),
        rtt_s: values.number("rtt"),
        flows: values.number("flows"),
        threshold: values.number("threshold"),
        gain: values.number("gain"),
    };
    let (sawtooth, fluid) = (flows.sawtooth()?, flows.fluid()?);
    let column = |n: usize| fluid.course.iter().map(move |row| row[n]);
    Ok(Solution::default()
        .scalar("alpha", sawtooth.alpha)
        .scalar("queue_max_pkts", sawtooth.most)
        .scalar("queue_min_pkts", sawtooth.least)
        .scalar("cycle_rounds", sawtooth.rounds)
        .scalar("least_threshold_pkts", flows.least_threshold())
        .scalar("fluid_alpha", fluid.alpha)
        .scalar("fluid_marked", fluid.marked)
        .scalar("fluid_queue_mean_pkts", fluid.queue)
        .scalar("fluid_queue_min_pkts", fluid.range.0)
        .scalar("fluid_queue_max_pkts", fluid.range.1)
        .scalar("fluid_utilisation", fluid.utilisation)
        .table(
            Table::new("course", "queue and window by the fluid law")
                .column("time_s", column(0))
                .column("queue_pkts", column(1))
                .column("window_pkts", column(2)),
        )
        .note("flows are synchronised: their windows move together")
        .note("the link is fully used from least_threshold_pkts on (a seventh of the packets in flight)"))
}

pub(super) const BBR_SHARE: Model = Model {
    name: "bbr_share",
    summary: "share of BBR (version 1) beside flows of Reno or CUBIC in a deep buffer",
    source: "Ware, Mukerjee, Seshan and Sherry, IMC 2019",
    params: params! {
        "rate": Rate = "10Mbps", Range::POSITIVE, "rate of the link";
        "rtt": Duration = "40ms", Range::POSITIVE, "round trip without the queue";
        "packet": Size = "1500B", Range::POSITIVE, "size of a packet";
        "flows": Number = "1", Range::closed(1.0, 1e6), "flows of BBR";
        "buffer": Number = "267", Range::POSITIVE, "packets that may wait";
    },
    run: bbr_share,
};

fn bbr_share(values: &Values) -> Result<Solution, SolveError> {
    let beside = Beside {
        packets_per_s: values.number("rate") / 8.0 / values.number("packet"),
        rtt_s: values.number("rtt"),
        buffer: values.number("buffer"),
        flows: values.number("flows"),
    };
    let product = beside.packets_per_s * beside.rtt_s;
    let products: Vec<f64> = (4..=128).map(|i| f64::from(i) / 4.0).collect();
    let shares = products.iter().map(|x| {
        let buffer = x * product;
        Beside { buffer, ..beside }.share()
    });
    let shares = shares.collect::<Result<Vec<f64>, _>>()?;
    Ok(Solution::default()
        .scalar("bbr_share", beside.share()?)
        .scalar("others_while_capped", beside.others_while_capped()?)
        .scalar("probing", beside.probing()?)
        .table(
            Table::new("buffers", "BBR's share against the buffer in products of bandwidth and delay")
                .column("products", products)
                .column("bbr_share", shares),
        )
        .note("the number of the other flows has no part in it; the queue is full but while BBR probes the round trip")
        .note("BBR has the whole link where the others' share would be negative: buffers of one product and less"))
}

pub(super) const TCP_PORT: Model = Model {
    name: "tcp_port",
    summary: "long TCP flows over one queue (drop-tail, RED, CoDel, PIE): loss, delay, window, use at the fixed point",
    source: "Padhye et al. 1998; RFC 9438; Floyd and Jacobson 1993; RFC 8033; RFC 8289",
    params: params! {
        "rate": Rate = "50Mbps", Range::POSITIVE, "rate of the link";
        "rtt": Duration = "40ms", Range::POSITIVE, "round trip without the queue";
        "packet": Size = "1500B", Range::POSITIVE, "size of a packet";
        "flows": Number = "10", Range::closed(1.0, 1e6), "long flows";
        "control": Choice(CONTROLS) = "reno", Range::ANY, "congestion control";
        "signal": Choice(&["loss", "mark"]) = "loss", Range::ANY, "the congestion signal of flows";
        "packets_per_ack": Number = "1", Range::at_least(1.0), "2 where an acknowledgement counts once for two packets";
        "timeout": Duration = "200ms", Range::POSITIVE, "first time-out";
        "window": Number = "10000", Range::at_least(1.0), "largest window, packets";
        "queue": Choice(&["drop_tail", "red", "codel", "pie"]) = "drop_tail", Range::ANY, "queue; pie also represents PI2";
        "buffer": Count = "20", Range::closed(0.0, 5000.0), "packets that may wait, of drop_tail";
        "target": Duration = "15ms", Range::NON_NEGATIVE, "delay at which codel and pie hold the queue";
        "interval": Duration = "100ms", Range::POSITIVE, "CoDel's interval";
        "min_th": Number = "5", Range::NON_NEGATIVE, "RED's lower threshold, packets";
        "max_th": Number = "15", Range::POSITIVE, "RED's upper threshold, packets";
        "max_p": Number = "0.1", Range::PROPER_SHARE, "RED's probability at the upper threshold";
    },
    run: tcp_port,
};

fn flows_of(values: &Values, count: f64) -> Flows {
    Flows {
        packets_per_s: values.number("rate") / 8.0 / values.number("packet"),
        rtt_s: values.number("rtt"),
        count,
        sender: Sender {
            control: match values.word("control") {
                "cubic" => Control::Cubic,
                "dctcp" => Control::Dctcp,
                _ => Control::Reno,
            },
            packets_per_ack: values.number("packets_per_ack"),
            timeout_s: values.number("timeout"),
            max_window: values.number("window"),
        },
        signal: match values.word("signal") {
            "mark" => Signal::Mark,
            _ => Signal::Loss,
        },
    }
}

fn queue_of(values: &Values) -> SharedQueue {
    match values.word("queue") {
        "drop_tail" => SharedQueue::DropTail {
            places: values.count("buffer") + 1,
        },
        "red" => SharedQueue::Red(Red {
            min_th: values.number("min_th"),
            max_th: values.number("max_th"),
            max_p: values.number("max_p"),
        }),
        _ => SharedQueue::Delay {
            target_s: values.number("target"),
        },
    }
}

/// Numbers of flows in the table.
const COUNTS: [f64; 10] = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0];

fn tcp_port(values: &Values) -> Result<Solution, SolveError> {
    if values.word("queue") == "drop_tail" && values.word("signal") == "mark" {
        return Err(SolveError::Broken {
            condition: "a queue that marks",
            found: "queue = drop_tail with signal = mark".to_owned(),
            admissible: "queue = red, codel or pie; of marks from a threshold on, the model dctcp"
                .to_owned(),
        });
    }
    let queue = queue_of(values);
    let at = |count: f64| flows_of(values, count).fixed_point(&queue);
    let here = at(values.number("flows"))?;
    let all = COUNTS.map(at).into_iter().collect::<Result<Vec<_>, _>>()?;
    let column = |of: fn(&FixedPoint) -> f64| all.iter().map(of).collect::<Vec<f64>>();
    let bits = values.number("packet") * 8.0;
    let rate = values.number("rate") / bits;
    let mut solution = Solution::default()
        .scalar("share", here.share)
        .scalar("wait_s", here.wait_s)
        .scalar("queue_mean_pkts", here.wait_s * rate * here.utilisation)
        .scalar("window_pkts", here.window)
        .scalar("utilisation", here.utilisation)
        .scalar("flow_bps", here.packets_per_s * bits);
    if values.word("queue") == "codel" {
        let drops = here.share * rate * values.number("interval");
        solution = solution.scalar("count", drops * drops);
    }
    solution = solution.table(
        Table::new(
            "flows",
            "loss or marks, wait and use against the number of flows",
        )
        .log_x()
        .column("flows", COUNTS)
        .column("share", column(|point| point.share))
        .column("utilisation", column(|point| point.utilisation))
        .column("wait_s", column(|point| point.wait_s)),
    );
    Ok(notes(solution, values.word("queue")))
}

fn notes(solution: Solution, queue: &str) -> Solution {
    let solution = solution
        .note("flows are long, of one kind and one round trip, and not synchronised")
        .note("share is of packets lost, or marked with signal = mark; wait is without the packet's own transmission");
    match queue {
        "drop_tail" => solution.note(
            "arrivals are Poisson, which holds for many flows and small buffers: few flows over a large buffer move together, and leave it emptier",
        ),
        "codel" => solution.note(
            "the delay stands at the target, and drops at CoDel's rate for their count: few flows leave it, so that the link runs empty, many overshoot it",
        ),
        _ => solution.note("the controller is in its steady state, with the link full"),
    }
}

#[cfg(test)]
mod tests {
    use crate::catalogue::solve;

    #[test]
    fn response_has_the_rfc_s_windows() {
        let solved = solve("response", &[("share", "1e-4")]).unwrap();
        assert!((solved.value("cubic_pkts").unwrap() - 187.4).abs() < 0.1);
        assert!((solved.value("reno_pkts").unwrap() - 122.474).abs() < 1e-2);
        assert_eq!(solved.value("dctcp_pkts"), Some(20_000.0));
    }

    #[test]
    fn marks_without_a_queue_that_marks_are_refused() {
        let error = solve("tcp_port", &[("signal", "mark")])
            .unwrap_err()
            .to_string();
        assert!(error.contains("queue = red, codel or pie"), "{error}");
    }

    #[test]
    fn codel_counts_as_its_drops_come() {
        let solved = solve("tcp_port", &[("queue", "codel"), ("target", "5ms")]).unwrap();
        let rate = 50e6 / 12_000.0;
        let drops = solved.value("share").unwrap() * rate;
        let count = solved.value("count").unwrap();
        assert!((count.sqrt() / 0.1 / drops - 1.0).abs() < 1e-9, "{count}");
    }
}
