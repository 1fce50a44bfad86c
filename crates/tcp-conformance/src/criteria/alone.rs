//! RFC 9743 section 5.1: flows of one control alone.

use pacesim_tcp::{Amount, Config};
use pacesim_units::{Rate, Span, Time};

use crate::link::Bottleneck;
use crate::network::Outcome;
use crate::report::Finding;
use crate::trial::{RATE, RTT, Subject, Trial, at, product, utilisation};

/// Twenty flows over 1 Mbps: the line must carry new data, not duplicates (RFC 2914 section 3.1).
pub(super) fn useful_under_overload(config: &Config) -> Finding {
    let subject = Subject {
        criterion: "protection against congestion collapse",
        trial: "20 flows over 1 Mbps and 100 ms: share of the line that carries new data",
    };
    let rate = Rate::from_mbps(1);
    let mut trial = Trial::new(config, Bottleneck::new(rate, 20), 20, 60);
    for flow in 0..20 {
        let start = Time::ZERO + Span::from_ms(100 * flow);
        trial = trial.flow(start, Amount::Endless, Span::from_ms(100));
    }
    let outcome = trial.run();
    let share = utilisation(&outcome, config, rate);
    subject.judged(
        &[&outcome],
        format!("{share:.2}"),
        "at least 0.80",
        share >= 0.8,
    )
}

/// A path that is dead from 5 to 65 s: retransmissions must back off (RFC 6298 section 5).
pub(super) fn quiet_on_a_dead_path(config: &Config) -> Finding {
    let subject = Subject {
        criterion: "protection against congestion collapse",
        trial: "a path that is dead for 60 s: packets sent in the last 45 s of it",
    };
    let sent_by = |end| {
        let trial = Trial::standard(config, 1.0, 1, end).endless();
        trial.with(|line| line.outage = Some((at(5), at(65)))).run()
    };
    let (early, late) = (sent_by(20), sent_by(65));
    // For a control that repeats itself, the runs are equal until the first one ends.
    let sent = late.flows[0].sent.saturating_sub(early.flows[0].sent);
    // Time-outs of at least 1 s that double allow no more.
    subject.judged(&[&late], sent.to_string(), "at most 6", sent <= 6)
}

/// A buffer of ten times the bandwidth-delay product.
pub(super) fn queue_in_a_large_buffer(config: &Config) -> Finding {
    let subject = Subject {
        criterion: "protection against bufferbloat",
        trial: "a buffer of 10 bandwidth-delay products: mean wait in units of the round trip",
    };
    let outcome = Trial::standard(config, 10.0, 10, 40).endless().run();
    let wait = outcome.wait.as_secs_f64() / RTT.as_secs_f64();
    subject.stated(&[&outcome], format!("{wait:.1}"))
}

/// One packet of ten lost at random.
pub(super) fn transfer_through_losses(config: &Config) -> Finding {
    const PACKETS: u32 = 300;
    let subject = Subject {
        criterion: "protection against high packet loss",
        trial: "a transfer of 300 packets through losses of 10 %: packets sent for each delivered",
    };
    let trial = Trial::standard(config, 2.0, 0, 600);
    let trial = trial.flow(Time::ZERO, Amount::Packets(PACKETS), RTT);
    let outcome = trial.with(|line| line.loss = 0.1).run();
    let flow = &outcome.flows[0];
    let ratio = flow.sent as f64 / f64::from(PACKETS);
    let holds = flow.took.is_some() && ratio <= 1.5;
    subject.judged(
        &[&outcome],
        in_time(ratio, &outcome),
        "complete and at most 1.5",
        holds,
    )
}

fn in_time(ratio: f64, outcome: &Outcome) -> String {
    match outcome.flows[0].took {
        Some(took) => format!("{ratio:.2} in {:.1} s", took.as_secs_f64()),
        None => "incomplete".to_owned(),
    }
}

/// Four flows, each a second after the other.
pub(super) fn fairness(config: &Config) -> Finding {
    let subject = Subject {
        criterion: "fairness within the algorithm",
        trial: "4 flows, a second apart, behind 2 bandwidth-delay products: Jain's index",
    };
    let mut trial = Trial::standard(config, 2.0, 20, 60);
    for flow in 0..4 {
        trial = trial.flow(at(flow), Amount::Endless, RTT);
    }
    let outcome = trial.run();
    let rates = || outcome.flows.iter().map(|flow| flow.rate);
    let (sum, squares) = (
        rates().sum::<f64>(),
        rates().map(|rate| rate * rate).sum::<f64>(),
    );
    let jain = sum * sum / (4.0 * squares);
    subject.judged(
        &[&outcome],
        format!("{jain:.3}"),
        "at least 0.8",
        jain >= 0.8,
    )
}

/// Transfers of 1, 10 and 100 packets over an empty path.
pub(super) fn short_transfers(config: &Config) -> Finding {
    let subject = Subject {
        criterion: "short flows",
        trial: "transfers of 1, 10 and 100 packets over an empty path: round trips taken",
    };
    let outcomes = [1, 10, 100].map(|packets| {
        let trial = Trial::standard(config, 2.0, 0, 60);
        trial.flow(Time::ZERO, Amount::Packets(packets), RTT).run()
    });
    let took = outcomes.iter().map(|outcome| outcome.flows[0].took);
    let rounds: Option<Vec<f64>> = took
        .map(|took| Some(took?.as_secs_f64() / RTT.as_secs_f64()))
        .collect();
    let timeouts: u32 = outcomes
        .iter()
        .map(|outcome| outcome.flows[0].timeouts)
        .sum();
    // Slow start from one packet with an ACK for two grows by half a round: 12 rounds for 100
    // packets, 3 more for the line, 1 for the connection and some for delayed acknowledgements.
    const MOST: [f64; 3] = [8.0, 12.0, 20.0];
    let holds = |rounds: &Vec<f64>| {
        rounds
            .iter()
            .zip(MOST)
            .all(|(rounds, most)| *rounds <= most)
    };
    let is_fast = timeouts == 0 && rounds.as_ref().is_some_and(holds);
    let measured = match rounds {
        Some(rounds) => {
            let each: Vec<String> = rounds.iter().map(|rounds| format!("{rounds:.1}")).collect();
            format!("{}; {timeouts} time-outs", each.join(", "))
        }
        None => "incomplete".to_owned(),
    };
    let all: Vec<&Outcome> = outcomes.iter().collect();
    subject.judged(
        &all,
        measured,
        "at most 8, 12 and 20, without time-outs",
        is_fast,
    )
}

/// The same trial twice: a control has no clock and no randomness of its own.
pub(super) fn sameness(config: &Config) -> Finding {
    let subject = Subject {
        criterion: "repeatability (not in the RFC)",
        trial: "one trial with losses twice: departures that are the same",
    };
    let run = || {
        let product = product(config, RATE, RTT);
        let loss = 3.0 / (product * product);
        let trial = Trial::standard(config, 0.5, 1, 20).endless().endless();
        trial.with(|line| line.loss = loss.min(0.1)).run()
    };
    let (one, other) = (run(), run());
    let same = one.digest == other.digest;
    let measured = if same { "all" } else { "not all" };
    subject.judged(&[&one, &other], measured.to_owned(), "all", same)
}
