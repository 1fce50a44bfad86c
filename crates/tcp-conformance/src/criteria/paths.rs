//! RFC 9743 sections 6 and 7: paths of many kinds.

use pacesim_tcp::{Amount, Config};
use pacesim_units::{Rate, Span, Time};

use crate::link::Bottleneck;
use crate::report::Finding;
use crate::trial::{RATE, RTT, Subject, Trial, at, is_paced, takes_marks, utilisation};

/// A buffer of five packets.
pub(super) fn small_buffer(config: &Config) -> Finding {
    let subject = Subject {
        criterion: "paths with tail-drop queues",
        trial: "a buffer of 5 packets: use of the line",
    };
    let outcome = Trial::new(config, Bottleneck::new(RATE, 5), 10, 40)
        .endless()
        .run();
    let used = utilisation(&outcome, config, RATE);
    let paced = if is_paced(config) { " (paced)" } else { "" };
    subject.stated(&[&outcome], format!("{used:.2}{paced}"))
}

/// Marks from ten packets on.
pub(super) fn marks(config: &Config) -> Finding {
    let subject = Subject {
        criterion: "active queue management",
        trial: "marks from 10 waiting packets, behind 4 bandwidth-delay products: packets lost after start-up",
    };
    if !takes_marks(config) {
        return subject.skipped("ECN is off");
    }
    let trial = Trial::standard(config, 4.0, 10, 40).endless();
    let outcome = trial.with(|line| line.marks_from = Some(10)).run();
    let used = utilisation(&outcome, config, RATE);
    let measured = format!(
        "{:.2} %, and {used:.2} of the line used",
        100.0 * outcome.loss
    );
    let holds = outcome.loss == 0.0 && used >= 0.5;
    subject.judged(&[&outcome], measured, "none, and at least 0.50", holds)
}

/// Delays that vary by half a round trip, in order.
pub(super) fn varying_delay(config: &Config) -> Finding {
    let subject = Subject {
        criterion: "paths with varying delay",
        trial: "each packet delayed by up to 20 ms, in order: use of the line",
    };
    let trial = Trial::standard(config, 2.0, 10, 40).endless();
    let trial = trial.with(|line| {
        line.late = Some((1.0, Span::from_ms(20)));
        line.in_order = true;
    });
    let outcome = trial.run();
    let used = utilisation(&outcome, config, RATE);
    subject.judged(
        &[&outcome],
        format!("{used:.2}"),
        "at least 0.50",
        used >= 0.5,
    )
}

/// 64 kbps.
const SLOW: Rate = Rate::from_bps(64_000).expect("not zero");

/// A receiver with room for three packets, over 64 kbps and a second.
pub(super) fn constrained(config: &Config) -> Finding {
    const PACKETS: u32 = 50;
    let subject = Subject {
        criterion: "Internet of Things and constrained nodes",
        trial: "50 packets to a receiver with room for 3, over 64 kbps and 1 s: packets sent",
    };
    let mut config = config.clone();
    config.initial_window = config.initial_window.min(3.0);
    let mut trial = Trial::new(&config, Bottleneck::new(SLOW, 4), 0, 600);
    config.window_cap = 3.0;
    trial = trial.flow(Time::ZERO, Amount::Packets(PACKETS), Span::from_secs(1));
    trial.setup.flows[0].config = config.into();
    let outcome = trial.run();
    let flow = &outcome.flows[0];
    let holds = flow.took.is_some() && flow.sent <= 60;
    let measured = match flow.took {
        Some(_) => flow.sent.to_string(),
        None => "incomplete".to_owned(),
    };
    subject.judged(&[&outcome], measured, "complete, and at most 60", holds)
}

/// A geostationary satellite.
pub(super) fn high_delay(config: &Config) -> Finding {
    let subject = Subject {
        criterion: "paths with high delay",
        trial: "200 packets over 600 ms: retransmissions",
    };
    let rtt = Span::from_ms(600);
    let line = Bottleneck::new(RATE, 1000);
    let trial = Trial::new(config, line, 0, 300).flow(Time::ZERO, Amount::Packets(200), rtt);
    let outcome = trial.run();
    let flow = &outcome.flows[0];
    let holds = flow.took.is_some() && flow.retransmitted == 0;
    let measured = match flow.took {
        Some(took) => format!("{} in {:.1} s", flow.retransmitted, took.as_secs_f64()),
        None => "incomplete".to_owned(),
    };
    subject.judged(&[&outcome], measured, "complete without any", holds)
}

/// Each acknowledgement arrives three times (RFC 5681 section 3.2 counts duplicates).
pub(super) fn copied_acknowledgements(config: &Config) -> Finding {
    let subject = Subject {
        criterion: "misbehaving nodes",
        trial: "each ACK three times, over 1 Gbps: packets delivered in the first 400 ms, divided by those with each once",
    };
    let run = |copies| {
        let line = Bottleneck::new(Rate::from_mbps(1000), 100_000);
        let mut trial = Trial::new(config, line, 0, 1).endless();
        trial.setup.end = Time::ZERO + Span::from_ms(400);
        trial.setup.flows[0].copies = copies;
        trial.run()
    };
    let (once, thrice) = (run(0), run(2));
    let ratio = thrice.flows[0].rate / once.flows[0].rate.max(f64::MIN_POSITIVE);
    let holds = ratio <= 1.05;
    let measured = format!("{ratio:.2}");
    subject.judged(&[&once, &thrice], measured, "at most 1.05", holds)
}

/// A tenth of the packets late by up to 10 ms, overtaken by up to eight.
pub(super) fn reordering(config: &Config) -> Finding {
    const PACKETS: u32 = 1000;
    let subject = Subject {
        criterion: "extreme packet reordering",
        trial: "1000 packets, a tenth of them late by up to 10 ms: spurious retransmissions",
    };
    let trial = Trial::standard(config, 20.0, 0, 300);
    let trial = trial.flow(Time::ZERO, Amount::Packets(PACKETS), RTT);
    let late = Some((0.1, Span::from_ms(10)));
    let outcome = trial.with(|line| line.late = late).run();
    let flow = &outcome.flows[0];
    let holds = flow.took.is_some() && flow.retransmitted <= u64::from(PACKETS) / 10;
    let measured = match flow.took {
        Some(took) => format!("{} in {:.1} s", flow.retransmitted, took.as_secs_f64()),
        None => "incomplete".to_owned(),
    };
    subject.judged(&[&outcome], measured, "complete, and at most 100", holds)
}

/// Half a second without a path.
pub(super) fn outage(config: &Config) -> Finding {
    let subject = Subject {
        criterion: "transient events",
        trial: "no path for half a second: use of the line from 5 to 15 s after it",
    };
    let trial = Trial::standard(config, 2.0, 15, 25).endless();
    let from = at(10);
    let outage = Some((from, from + Span::from_ms(500)));
    let outcome = trial.with(|line| line.outage = outage).run();
    let used = utilisation(&outcome, config, RATE);
    subject.judged(
        &[&outcome],
        format!("{used:.2}"),
        "at least 0.50",
        used >= 0.5,
    )
}

/// A line that falls to a tenth of its rate and returns.
pub(super) fn changes(config: &Config) -> Finding {
    let subject = Subject {
        criterion: "sudden changes in the path",
        trial: "10 Mbps, from 10 s on 1 Mbps, from 30 s on 10 Mbps: use of the line from 20 to 30 s and from 40 to 50 s",
    };
    let slow = Rate::from_mbps(1);
    let run = |from, end| {
        let trial = Trial::standard(config, 1.0, from, end).endless();
        trial
            .with(|line| line.changes = [(at(10), slow), (at(30), RATE)].into())
            .run()
    };
    let (low, high) = (run(20, 30), run(40, 50));
    let used = [
        utilisation(&low, config, slow),
        utilisation(&high, config, RATE),
    ];
    let holds = used[0] >= 0.8 && used[1] >= 0.5;
    let measured = format!("{:.2}, {:.2}", used[0], used[1]);
    subject.judged(&[&low, &high], measured, "at least 0.80 and 0.50", holds)
}

/// A path of 1 Gbps and 200 µs.
pub(super) fn data_centre(config: &Config) -> Finding {
    let subject = Subject {
        criterion: "paths in data centres",
        trial: "1 Gbps and 200 us behind 100 packets: use of the line",
    };
    let rate = Rate::from_mbps(1000);
    let mut trial = Trial::new(config, Bottleneck::new(rate, 100), 1, 2);
    trial.setup.from = Time::ZERO + Span::from_ms(200);
    trial.setup.end = Time::ZERO + Span::from_ms(500);
    let outcome = trial
        .flow(Time::ZERO, Amount::Endless, Span::from_us(200))
        .run();
    let used = utilisation(&outcome, config, rate);
    subject.judged(
        &[&outcome],
        format!("{used:.2}"),
        "at least 0.50",
        used >= 0.5,
    )
}
