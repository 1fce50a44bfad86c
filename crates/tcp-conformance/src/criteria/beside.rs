//! RFC 9743 section 5.2: flows of this control beside others.

use pacesim_tcp::{Amount, Config};
use pacesim_units::{Bytes, Span, Time};

use crate::report::Finding;
use crate::trial::{RATE, RTT, Subject, Trial, at, utilisation};

/// One flow of each kind.
pub(super) fn standard_flow(config: &Config) -> Finding {
    let subject = Subject {
        criterion: "existing general-purpose congestion control",
        trial: "one flow beside Reno with SACK, behind 2 bandwidth-delay products: Reno's share",
    };
    let trial = Trial::standard(config, 2.0, 20, 120).endless();
    let outcome = trial.standard_flow(at(1)).run();
    let (own, reno) = (outcome.flows[0].rate, outcome.flows[1].rate);
    let share = reno / (own + reno).max(f64::MIN_POSITIVE);
    let holds = share >= 0.1;
    subject.judged(&[&outcome], format!("{share:.2}"), "at least 0.10", holds)
}

/// A stream of 100 kbps beside a long flow.
pub(super) fn real_time(config: &Config) -> Finding {
    let subject = Subject {
        criterion: "real-time congestion control",
        trial: "a stream of 100 kbps beside one flow, behind 1 bandwidth-delay product: its loss and mean wait",
    };
    let mut trial = Trial::standard(config, 1.0, 10, 40).endless();
    trial.setup.stream = Some((Bytes(200), Span::from_ms(16)));
    let outcome = trial.run();
    let stream = outcome.stream;
    let loss = stream.lost as f64 / stream.sent.max(1) as f64;
    let wait = stream.waited / (stream.sent - stream.lost).max(1);
    let measured = format!(
        "{:.2} %, {:.1} ms",
        100.0 * loss,
        1000.0 * wait.as_secs_f64()
    );
    subject.stated(&[&outcome], measured)
}

/// Transfers of 20 packets beside a long flow.
pub(super) fn short_and_long(config: &Config) -> Finding {
    const TRANSFERS: u64 = 10;
    let subject = Subject {
        criterion: "short and long flows",
        trial: "10 transfers of 20 packets beside a long flow: mean time in round trips, and use of the line",
    };
    let mut trial = Trial::standard(config, 1.0, 10, 40).endless();
    for transfer in 0..TRANSFERS {
        let start = Time::ZERO + Span::from_ms(10_000 + 2_500 * transfer);
        trial = trial.flow(start, Amount::Packets(20), RTT);
    }
    let outcome = trial.run();
    let took: Option<Vec<f64>> = outcome.flows[1..]
        .iter()
        .map(|flow| Some(flow.took?.as_secs_f64() / RTT.as_secs_f64()))
        .collect();
    let used = utilisation(&outcome, config, RATE);
    let holds = took.is_some() && used >= 0.5;
    let measured = match took {
        Some(took) => format!(
            "{:.1}, {used:.2}",
            took.iter().sum::<f64>() / took.len() as f64
        ),
        None => "incomplete".to_owned(),
    };
    subject.judged(&[&outcome], measured, "complete, and at least 0.50", holds)
}
