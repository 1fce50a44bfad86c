//! Networks whose numbers have a closed form: constant rates below and above a line's, a window.

use pacesim_lab::input::from_stream;
use pacesim_lab::{Plan, Unwatched, run};
use serde_json::Value as Json;

use crate::attempt::guarded;
use crate::dice::Dice;
use crate::trial::{Failure, Fault};

/// A network, and what its numbers must be.
struct Case {
    text: String,
    /// Paths into the summary with the least and the greatest value.
    bounds: Vec<(String, f64, f64)>,
}

/// Tries the network of this number; a failure comes with its scenario.
pub fn try_bound(number: u64) -> Result<(), (Failure, String)> {
    let dice = &mut Dice::new(number ^ 0xb0d);
    let case = match dice.below(3) {
        0 => chain(dice),
        1 => overload(dice),
        _ => window(dice),
    };
    guarded(|| judge(&case)).map_err(|failure| (failure, case.text))
}

fn judge(case: &Case) -> Result<(), Failure> {
    let input = from_stream(case.text.as_bytes(), &[]).map_err(|rejected| {
        let problems = rejected.problems.iter().map(ToString::to_string);
        Fault::Refused.seen(problems.collect::<Vec<_>>().join("; "))
    })?;
    let summary = run(&input, 0, &Plan::default(), &mut Unwatched);
    let summary = summary.map_err(|error| Fault::Refused.seen(error))?;
    let summary = serde_json::to_value(&summary).map_err(|error| Fault::Unreadable.seen(error))?;
    for (path, least, most) in &case.bounds {
        let found = number(&summary, path);
        if !found.is_some_and(|found| (*least..=*most).contains(&found)) {
            let seen = format!("{path} is {found:?}, not from {least} to {most}");
            return Err(Fault::Law.seen(seen));
        }
    }
    Ok(())
}

/// The number at a path; "link:core/..." is that of the link of this name.
fn number(summary: &Json, path: &str) -> Option<f64> {
    let Some(rest) = path.strip_prefix("link:") else {
        return summary.pointer(path)?.as_f64();
    };
    let (name, metric) = rest.split_once('/')?;
    let links = summary["links"].as_array()?;
    links.iter().find(|link| link["link"] == name)?[metric].as_f64()
}

fn about(path: &str, value: f64, slack: f64) -> (String, f64, f64) {
    (path.to_owned(), value - slack, value + slack)
}

/// A flow of a constant rate over idle links: its delay is the sum of theirs.
fn chain(dice: &mut Dice) -> Case {
    let hops = 1 + dice.place(5);
    let size = dice.magnitude(40, 9_000);
    let rates: Vec<u64> = (0..hops)
        .map(|_| dice.magnitude(1_000_000, 100_000_000))
        .collect();
    let delays: Vec<u64> = (0..hops)
        .map(|_| dice.magnitude(1_000, 20_000_000))
        .collect();
    let slowest = *rates.iter().min().expect("a hop");
    let rate = slowest / (1 + dice.below(20)) * 99 / 100;
    let mut text = "run = { duration = \"3s\", warmup = \"1s\" }\n".to_owned();
    for i in 0..=hops {
        text += &format!("[[node]]\nname = \"n{i}\"\n");
    }
    for (i, (rate, delay)) in rates.iter().zip(&delays).enumerate() {
        text += &format!(
            "[[link]]\nname = \"l{i}\"\nfrom = \"n{i}\"\nto = \"n{}\"\nrate = \"{rate}bps\"\n\
             delay = \"{delay}ns\"\nbuffer = \"1pkt\"\n",
            i + 1
        );
    }
    text += &format!(
        "[[flow]]\nname = \"f\"\nfrom = \"n0\"\nto = \"n{hops}\"\n\
         traffic = {{ kind = \"cbr\", rate = \"{rate}bps\", size = \"{size}B\" }}\n"
    );
    let bits = size as f64 * 8.0;
    let sending: f64 = rates.iter().map(|rate| bits / *rate as f64).sum();
    let delay = sending + delays.iter().map(|ns| *ns as f64 * 1e-9).sum::<f64>();
    // Delays are in whole nanoseconds.
    let slack = 1.5e-9;
    // Two packets may be at the edges of the measured time.
    let edges = 2.0 * bits / 2.0;
    Case {
        bounds: vec![
            about("/flows/0/delay_mean_s", delay, slack),
            about("/flows/0/delay_max_s", delay, slack),
            about("/flows/0/loss_ratio", 0.0, 0.0),
            about("/flows/0/goodput_bps", rate as f64, edges + 1.0),
            about(
                "link:l0/utilisation",
                rate as f64 / rates[0] as f64,
                edges / rates[0] as f64,
            ),
            about("link:l0/queue_max_pkts", 0.0, 0.0),
        ],
        text,
    }
}

/// A flow of a constant rate above the line's: the line is always busy, the rest is lost.
fn overload(dice: &mut Dice) -> Case {
    let size = dice.magnitude(100, 9_000);
    let line = dice.magnitude(2_000_000, 50_000_000);
    let rate = line / 100 * (105 + dice.below(300));
    // Full within half of the warm-up, so that the measured time is all of overload.
    let excess = (rate - line) / (8 * size);
    let buffer = 1 + dice.below(20).min(excess);
    let text = format!(
        "run = {{ duration = \"4s\", warmup = \"2s\" }}\nnode = [{{ name = \"a\" }}, {{ name = \"b\" }}]\n\
         link = [{{ name = \"core\", from = \"a\", to = \"b\", rate = \"{line}bps\", delay = \"1ms\", \
         buffer = \"{buffer}pkts\" }}]\n\
         [[flow]]\nname = \"f\"\nfrom = \"a\"\nto = \"b\"\n\
         traffic = {{ kind = \"cbr\", rate = \"{rate}bps\", size = \"{size}B\" }}\n"
    );
    let bits = size as f64 * 8.0;
    let offered = 2.0 * rate as f64 / bits;
    let slack = (buffer as f64 + 3.0) / offered;
    let sending = bits / line as f64;
    let longest = (buffer as f64 + 1.0) * sending + 1e-3;
    Case {
        text,
        bounds: vec![
            about("/links/0/utilisation", 1.0, 1e-12),
            about(
                "/links/0/loss_ratio",
                1.0 - line as f64 / rate as f64,
                slack,
            ),
            about("/flows/0/throughput_bps", line as f64, bits),
            about("/links/0/queue_max_pkts", buffer as f64, 0.0),
            (
                "/flows/0/delay_max_s".to_owned(),
                longest - 2.0 * sending,
                longest + 1e-9,
            ),
        ],
    }
}

/// A TCP flow whose window is below the path's capacity: a window in each round trip.
fn window(dice: &mut Dice) -> Case {
    let packets = 1 + dice.below(20);
    let delay_ms = 5 + dice.below(40);
    let text = format!(
        "run = {{ duration = \"12s\", warmup = \"2s\" }}\nnode = [{{ name = \"a\" }}, {{ name = \"b\" }}]\n\
         link = [{{ name = \"core\", from = \"a\", to = \"b\", rate = \"1Gbps\", delay = \"{delay_ms}ms\" }}]\n\
         [[flow]]\nname = \"f\"\nfrom = \"a\"\nto = \"b\"\n\
         traffic = {{ kind = \"tcp\", profile = \"ns2\", variant = \"sack\", packet_size = \"1000B\", \
         window = \"{packets}pkts\" }}\n"
    );
    let rtt = 2.0 * delay_ms as f64 * 1e-3 + 8e3 / 1e9 + 320.0 / 1e9;
    let rate = packets as f64 * 8e3 / rtt;
    Case {
        text,
        bounds: vec![
            about(
                "/flows/0/throughput_bps",
                rate,
                0.01 * rate + 2.0 * packets as f64 * 8e3 / 10.0,
            ),
            about(
                "/flows/0/tcp/rtt_mean_s",
                rtt,
                0.02 * rtt + 1e-5 * packets as f64,
            ),
            about("/flows/0/tcp/window_limited", 1.0, 0.01),
        ],
    }
}
