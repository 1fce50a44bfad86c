//! Rules of thumb for buffers and throughput.

use super::param::params;
use super::{Model, Solution, Table, Values};
use crate::throughput::{ACK_EVERY_PACKET, Connection, DELAYED_ACKS, mathis, pftk};
use crate::{Range, SolveError, anomaly, buffer};

pub(super) const BUFFER: Model = Model {
    name: "buffer",
    summary: "buffer rules: bandwidth-delay product, over root n, log of the window; idle probability",
    source: "zerobuf section 1, eq. (1)",
    params: params! {
        "rate": Rate = "40Gbps", Range::POSITIVE, "rate of the link";
        "rtt": Duration = "250ms", Range::POSITIVE, "mean round trip";
        "flows": Number = "10000", Range::at_least(1.0), "long flows";
        "packet": Size = "1000B", Range::POSITIVE, "size of a packet";
        "window": Number = "64", Range::at_least(2.0), "largest window, packets";
        "load": Number = "0.75", Range::PROPER_SHARE, "load, for the log rule";
        "throughput": Number = "0.9", Range::PROPER_SHARE, "share of the lossless throughput asked for, for the log rule";
        "b_star": Size = "7KB", Range::POSITIVE, "B* of the idle probability";
    },
    run: rules,
};

fn rules(values: &Values) -> Result<Solution, SolveError> {
    let (rate, rtt) = (values.number("rate"), values.number("rtt"));
    let packets = buffer::log_window_rule(
        values.number("window"),
        values.number("load"),
        values.number("throughput"),
    )?;
    let b_star = values.number("b_star");
    let buffers: Vec<f64> = (0..=200).map(|i| b_star * f64::from(i) / 25.0).collect();
    let idle: Vec<f64> = buffers
        .iter()
        .map(|&b| anomaly::idle_probability(b, b_star))
        .collect();
    Ok(Solution::default()
        .scalar(
            "bandwidth_delay_bytes",
            buffer::bandwidth_delay_product(rate, rtt)?,
        )
        .scalar(
            "root_n_bytes",
            buffer::small_buffer(rate, rtt, values.number("flows"))?,
        )
        .scalar("log_window_pkts", packets)
        .scalar("log_window_bytes", packets * values.number("packet"))
        .table(
            Table::new("idle", "idle probability against buffer (zerobuf Fig. 7)")
                .log_y()
                .column("buffer_bytes", buffers)
                .column("idle_probability", idle),
        ))
}

pub(super) const TCP: Model = Model {
    name: "tcp",
    summary: "TCP throughput against loss: Mathis' square-root law and PFTK",
    source: "Mathis et al. 1997; Padhye et al. 1998",
    params: params! {
        "rtt": Duration = "100ms", Range::POSITIVE, "round trip";
        "timeout": Duration = "1s", Range::POSITIVE, "first time-out";
        "packets_per_ack": Number = "1", Range::at_least(1.0), "2 with delayed acks";
        "window": Number = "1000", Range::at_least(1.0), "largest window, packets";
        "packet": Size = "1000B", Range::POSITIVE, "payload of a packet";
        "loss": Number = "0.01", Range::POSITIVE_SHARE, "share of packets lost";
    },
    run: tcp,
};

fn tcp(values: &Values) -> Result<Solution, SolveError> {
    let connection = Connection {
        rtt_s: values.number("rtt"),
        timeout_s: values.number("timeout"),
        packets_per_ack: values.number("packets_per_ack"),
        max_window: values.number("window"),
    };
    let delayed = connection.packets_per_ack > 1.0;
    let constant = if delayed {
        DELAYED_ACKS
    } else {
        ACK_EVERY_PACKET
    };
    let bits = values.number("packet") * 8.0;
    let by_mathis = |loss: f64| Ok(mathis(connection.rtt_s, loss, constant)? * bits);
    let by_pftk = |loss: f64| Ok(pftk(&connection, loss)? * bits);
    let losses: Vec<f64> = (-50..0)
        .map(|i| libm::pow(10.0, f64::from(i) / 10.0))
        .collect();
    let curve = |law: &dyn Fn(f64) -> Result<f64, SolveError>| {
        losses
            .iter()
            .map(|&p| law(p))
            .collect::<Result<Vec<f64>, SolveError>>()
    };
    let loss = values.number("loss");
    Ok(Solution::default()
        .scalar("mathis_bps", by_mathis(loss)?)
        .scalar("pftk_bps", by_pftk(loss)?)
        .table(
            Table::new("throughput", "throughput against loss")
                .log_x()
                .log_y()
                .column("loss", losses.iter().copied())
                .column("mathis_bps", curve(&by_mathis)?)
                .column("pftk_bps", curve(&by_pftk)?),
        )
        .note("both hold for losses up to a few per cent; beyond, time-outs rule"))
}
