//! Disciplines as configured by the cases.

use pacesim_queues::{
    CodelConfig, DualPi2Config, FqCodelConfig, FqConfig, PieConfig, Profile, RedConfig, RedProfile,
    Step, TbfConfig,
};
use pacesim_units::{Bytes, Capacity, Rate, Span, Time};

use crate::cases::{Arrival, Case};
use crate::table::ns;

pub(crate) fn span(ns: u64) -> Span {
    Span::from_ps(ns * 1000)
}

/// CoDel's parameters, with this default in packets.
pub(crate) fn codel(case: &Case, limit: u64) -> CodelConfig {
    let standard = CodelConfig::default();
    CodelConfig {
        capacity: Capacity::Packets(case.integer("limit").unwrap_or(limit)),
        target: case.span("target").map_or(standard.target, span),
        interval: case.span("interval").map_or(standard.interval, span),
        ecn: case.has("ecn"),
        ce_threshold: case.span("ce_threshold").map(span),
        profile: Profile::Linux,
        ..standard
    }
}

/// The threshold applies only to L4S packets if ECT(1) is selected.
pub(crate) fn fq_codel(case: &Case) -> FqCodelConfig {
    let standard = FqCodelConfig::default();
    let threshold = case.span("ce_threshold").map(span);
    let is_of_l4s = match case.word("ce_threshold_selector") {
        None | Some("0/0" | "0x0/0x0" | "0x00/0x00") => false,
        Some("1/3" | "0x1/0x3" | "0x01/0x03" | "0x1/3") => true,
        Some(other) => panic!("{}: packets selected by {other}", case.name),
    };
    FqCodelConfig {
        codel: CodelConfig {
            ecn: !case.has("noecn"),
            ce_threshold: threshold.filter(|_| !is_of_l4s),
            l4s_threshold: threshold.filter(|_| is_of_l4s),
            ..codel(case, 10_240)
        },
        quantum: case
            .integer("quantum")
            .map_or(standard.quantum, |n| n as u32),
        drop_batch: case
            .integer("drop_batch")
            .map_or(standard.drop_batch, |n| n as u32),
        ..standard
    }
}

/// PIE as in a recorded run: the phase of its updates differs between runs.
pub(crate) fn pie(case: &Case, run: usize) -> PieConfig {
    let standard = PieConfig::default();
    let of_run = |column| ns(case.of_run(run, column)).expect("a time of the updates") as u64;
    PieConfig {
        capacity: Capacity::Packets(case.integer("limit").unwrap_or(1000)),
        target: case.span("target").map_or(standard.target, span),
        update: span(of_run("pie_step_us")),
        first_update: Time::ZERO + span(of_run("pie_first_update_us")),
        alpha: case.integer("alpha").map_or(standard.alpha, |n| n as u32),
        beta: case.integer("beta").map_or(standard.beta, |n| n as u32),
        ecn: case.has("ecn"),
        bytemode: case.has("bytemode"),
        rate_estimator: case.has("dq_rate_estimator"),
        profile: Profile::Linux,
        ..standard
    }
}

/// RED with the weight that tc computed for the burst.
pub(crate) fn red(case: &Case) -> RedConfig {
    // The values that tc uses for omitted words.
    let limit = case.size("limit").expect("a limit");
    let max_th = case.size("max").unwrap_or(limit / 4);
    let min_th = case.size("min").unwrap_or(max_th / 3);
    let weight_log = case
        .value("wlog")
        .as_f64()
        .expect("the logarithm of the weight");
    let rate = case.rate("bandwidth").unwrap_or(10_000_000);
    let max_p = case
        .word("probability")
        .map_or(0.02, |text| text.parse().expect("a number"));
    RedConfig {
        capacity: Capacity::Bytes(Bytes(limit)),
        in_bytes: true,
        max_p,
        weight: 1.0 / (1u64 << weight_log as u32) as f64,
        mean_packet: case.size("avpkt").unwrap_or(1000) as u32,
        ecn: case.has("ecn"),
        hard_drop: case.has("harddrop"),
        adaptive: case.has("adaptive"),
        profile: RedProfile::Linux,
        ..RedConfig::of(
            min_th as f64,
            max_th as f64,
            Rate::from_bps(rate).expect("a rate"),
        )
    }
}

pub(crate) fn fq(case: &Case) -> FqConfig {
    let standard = FqConfig::default();
    let rate = |word| case.rate(word).and_then(Rate::from_bps);
    FqConfig {
        limit: case.integer("limit").unwrap_or(standard.limit),
        flow_limit: case
            .integer("flow_limit")
            .map_or(standard.flow_limit, |n| n as usize),
        quantum: case.size("quantum").map_or(standard.quantum, |n| n as u32),
        initial_quantum: case
            .size("initial_quantum")
            .map_or(standard.initial_quantum, |n| n as u32),
        paces: !case.has("nopacing"),
        max_rate: rate("maxrate"),
        refill_delay: case
            .span("refill_delay")
            .map_or(standard.refill_delay, span),
        horizon: case.span("horizon").map_or(standard.horizon, span),
        horizon_drop: !case.has("horizon_cap"),
        low_rate: rate("low_rate_threshold").unwrap_or(standard.low_rate),
        ce_threshold: case.span("ce_threshold").map(span),
    }
}

pub(crate) fn tbf(case: &Case) -> TbfConfig {
    let rate = |word| case.rate(word).and_then(Rate::from_bps);
    let bytes = |word| case.size(word).map(Bytes);
    let burst = ["burst", "buffer", "maxburst"].into_iter().find_map(bytes);
    let rate_of_bucket = rate("rate").expect("a rate");
    let burst = burst.expect("a burst");
    let peak = rate("peakrate").zip(bytes("mtu").or(bytes("minburst")));
    // A limit may be given as a time: the bytes sent in it at the rate, plus the burst; or at the
    // peak rate, if that is less.
    let within = |ns: u64, (rate, burst): (Rate, Bytes)| {
        let bytes = u128::from(rate.as_bps()) * u128::from(ns) / 8_000_000_000;
        bytes as u64 + burst.get()
    };
    let latency = case.span("latency").map(|ns| {
        let least = within(ns, (rate_of_bucket, burst));
        Bytes(peak.map_or(least, |peak| least.min(within(ns, peak))))
    });
    TbfConfig {
        capacity: Capacity::Bytes(bytes("limit").or(latency).expect("a limit")),
        rate: rate_of_bucket,
        burst,
        peak,
    }
}

/// DualPI2 as in a recorded run: its timer is late by a nanosecond each time.
pub(crate) fn dualpi2(case: &Case, run: usize) -> DualPi2Config {
    let parameter = |name: &str| case.value("params")[name].as_u64();
    let number = |name: &str| parameter(name).expect("a parameter");
    let us = |name: &str| span(number(name) * 1000);
    let first = ns(case.of_run(run, "update_first_us")).expect("the time of an update");
    DualPi2Config {
        capacity: Capacity::Packets(number("limit")),
        counts_sending: false,
        target: us("target_us"),
        update: span(number("tupdate_us") * 1000 + 1),
        first_update: Time::ZERO + span(first as u64),
        alpha: number("alpha") as u32,
        beta: number("beta") as u32,
        step: match parameter("step_pkts") {
            Some(packets) => Step::Packets(packets as u32),
            None => Step::Sojourn(us("step_us")),
        },
        min_qlen_step: number("min_qlen_step") as u32,
        coupling: number("coupling") as u32,
        drop_overload: number("drop_overload") == 1,
        drop_early: number("drop_early") == 1,
        c_protection: number("c_protection") as u8,
        ecn_mask: number("ecn_mask") as u8,
        mtu: Bytes(1500),
        wraps: true,
        profile: Profile::Linux,
    }
}

/// Flows of FQ-CoDel share a queue if the case assigns them the same bucket.
pub(crate) fn share_buckets(case: &Case, arrivals: &mut [Arrival]) {
    for arrival in arrivals {
        let bucket = case.of_flow("bucket", arrival.flow);
        arrival.flow = bucket.map_or(arrival.flow, |bucket| bucket as u32);
    }
}
