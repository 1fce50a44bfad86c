//! Flows outside the measured time, and keys of flows without effect.

use std::ops::Range;

use pacesim_keys::{
    Arrivals, FlowGroup, OtherFlows, TcpTraffic, Traffic as Declared, Value, WarningName,
};
use pacesim_language::problem::Faults;
use pacesim_model::{Carrier, Flow, Load, Pause, Sizes, Traffic};
use pacesim_tcp::{Clock, Config};
use pacesim_units::{Span, Time};

use super::{View, listed};
use crate::check::warn::Warn as _;

/// Warns of both.
pub(super) fn warnings(view: &View<'_>, faults: &mut Faults) {
    let mut endless: Vec<&str> = Vec::new();
    for (i, flows) in view.flows_of_entries() {
        let group = &view.scenario.flows[i];
        reordered(view, i, flows.clone(), faults);
        let flows = &view.model.flows[flows];
        if flows.iter().any(Flow::is_endless_loop) {
            endless.push(&group.name);
        }
        times(view, i, flows, faults);
        if let Declared::Tcp(tcp) = &group.traffic {
            others(i, tcp, flows.len(), faults);
            time_outs(i, tcp, faults);
            queued(i, tcp, faults);
        }
        slow(view, i, group, flows, faults);
    }
    if view.model.warmup.is_zero() && !endless.is_empty() {
        let message = format!(
            "there is no warm-up: the slow starts of {} are measured too",
            listed(&endless)
        );
        let help = "give a warm-up of many round trips, such as warmup = \"10s\"; in a study find_warmup finds it";
        faults
            .warn(WarningName::NoWarmup, "run.warmup", message)
            .help(help);
    }
}

/// Warns of TCP whose packets overtake each other on several paths.
fn reordered(view: &View<'_>, i: usize, flows: Range<usize>, faults: &mut Faults) {
    let is_tcp = |flow: &Flow| flow.traffic.tcp().is_some();
    let mut divided = view.paths.divided.range(flows);
    if !divided.any(|flow| is_tcp(&view.model.flows[*flow])) {
        return;
    }
    let message = "packets of one connection take several paths, and TCP takes packets that overtake each other for losses";
    let help =
        "hash connections by multipath = \"flow\", or accept the warning if that is the question";
    faults
        .warn(
            WarningName::Reordering,
            format!("flow[{i}].traffic"),
            message,
        )
        .help(help);
}

/// Warns of starts and stops outside the measured time.
fn times(view: &View<'_>, i: usize, flows: &[Flow], faults: &mut Faults) {
    starts(view, i, flows, faults);
    stops(view, i, flows, faults);
}

fn starts(view: &View<'_>, i: usize, flows: &[Flow], faults: &mut Faults) {
    let end = Time::ZERO + view.model.duration;
    let never: Vec<&Flow> = flows.iter().filter(|flow| flow.start >= end).collect();
    let late = flows.iter().filter(|flow| flow.is_late(view.model));
    let late: Vec<&Flow> = late.collect();
    if let Some(first) = never.first() {
        let start = Span::from_ps(first.start.as_ps());
        let message = if never.len() == flows.len() {
            format!(
                "nothing is ever sent: it starts at {start}, the run ends at {}",
                view.model.duration
            )
        } else {
            format!(
                "{} of {} flows never start, the first of them at {start}: the run ends at {}",
                never.len(),
                flows.len(),
                view.model.duration
            )
        };
        let help = "give a start before run.duration";
        let path = format!("flow[{i}].start");
        faults
            .warn(WarningName::NeverStarts, path, message)
            .help(help);
    }
    if let Some(last) = late.iter().map(|flow| flow.start).max() {
        let message = format!(
            "{} of {} flows start in the measured time, which begins at {}, the last at {}: it holds a time without them",
            late.len(),
            flows.len(),
            view.model.warmup,
            Span::from_ps(last.as_ps())
        );
        let help = "give a warm-up that ends after the last start, or accept it where the change is the subject";
        let path = format!("flow[{i}].start");
        faults
            .warn(WarningName::LateFlows, path, message)
            .help(help);
    }
}

fn stops(view: &View<'_>, i: usize, flows: &[Flow], faults: &mut Faults) {
    let end = Time::ZERO + view.model.duration;
    let warmup = Time::ZERO + view.model.warmup;
    let stops = flows.iter().map(|flow| flow.stop);
    let last = stops.clone().max().flatten();
    let all_stop = !flows.is_empty() && stops.clone().all(|stop| stop.is_some());
    if let Some(last) = last.filter(|last| all_stop && *last <= warmup) {
        let message = format!(
            "all of it is over at {}, before the warm-up ends at {}: nothing of it is measured",
            Span::from_ps(last.as_ps()),
            view.model.warmup
        );
        let help = "give a later stop or a shorter warm-up";
        let path = format!("flow[{i}].stop");
        faults
            .warn(WarningName::Unmeasured, path, message)
            .help(help);
    } else if let Some(last) = last.filter(|last| *last > end) {
        let message = format!(
            "it would stop at {}, and the run ends at {}",
            Span::from_ps(last.as_ps()),
            view.model.duration
        );
        let help = "give an earlier stop, or leave it out";
        let path = format!("flow[{i}].stop");
        faults
            .warn(WarningName::NeverStops, path, message)
            .help(help);
    }
}

/// Others that are nobody, everybody, or like the rest.
fn others(i: usize, tcp: &TcpTraffic, count: usize, faults: &mut Faults) {
    let Some(others) = &tcp.others else { return };
    let path = format!("flow[{i}].traffic.others");
    let chosen = others
        .chosen(count)
        .iter()
        .filter(|chosen| **chosen)
        .count();
    empty_share(
        &format!("{path}.share"),
        others.share,
        (chosen, count),
        "flow",
        faults,
    );
    let OtherFlows {
        tcp: connections,
        arrivals,
        ..
    } = others;
    if *connections == tcp.tcp && *arrivals == tcp.arrivals {
        let message = "they differ from the rest of the group in nothing";
        let help =
            "give a key with another value, such as pacing = \"window\", or leave others out";
        faults
            .warn(WarningName::EqualOthers, path, message)
            .help(help);
    }
}

/// A share that is neither none nor all, but is rounded to one of these.
pub(super) fn empty_share(
    path: &str,
    share: f64,
    (chosen, of): (usize, usize),
    noun: &str,
    faults: &mut Faults,
) {
    let is_meant = share == 0.0 || share == 1.0;
    if is_meant || (chosen > 0 && chosen < of) {
        return;
    }
    let whole = match chosen {
        0 => format!("none of them: a share of {share} is rounded to whole {noun}s"),
        _ => format!("all of them: a share of {share} is rounded to whole {noun}s"),
    };
    let message = match of {
        1 => format!("of the one {noun} there is {whole}"),
        _ => format!("of {of} {noun}s these are {whole}"),
    };
    let help = format!(
        "give more {noun}s, or a share that is one of them or more: 0 is none and 1 is all"
    );
    faults
        .warn(WarningName::EmptyShare, path, message)
        .help(help);
}

/// Minimum time-outs that the clock cannot tell from a tick.
fn time_outs(i: usize, tcp: &TcpTraffic, faults: &mut Faults) {
    let others = tcp
        .others
        .as_ref()
        .map(|others| ("others.", &others.tcp.config));
    for (of, config) in [("", &tcp.tcp.config)].into_iter().chain(others) {
        let Some((tick, key)) = tick(config) else {
            continue;
        };
        if config.min_rto < tick {
            let message = format!(
                "a minimum time-out of {} is below a tick of {key}, {tick}: time-outs are whole ticks",
                config.min_rto
            );
            let help = format!("give at least \"{tick}\", or a finer {key}");
            let path = format!("flow[{i}].traffic.{of}min_rto");
            faults
                .warn(WarningName::ShortMinRto, path, message)
                .help(help);
        }
    }
}

/// Transfers that arrive whatever is under way, and yet share a connection.
fn queued(i: usize, tcp: &TcpTraffic, faults: &mut Faults) {
    let others = tcp.others.as_ref();
    let others = others.map(|of| ("others.", &of.tcp.load, &of.arrivals));
    let own = [("", &tcp.tcp.load, &tcp.arrivals)];
    for (of, load, arrivals) in own.into_iter().chain(others) {
        let is_open = arrivals
            .as_ref()
            .is_some_and(|of| !matches!(of, Arrivals::Users(_)));
        if !is_open || load.carrier() != Carrier::Same {
            continue;
        }
        let message = "a transfer that arrives while another of its flow is under way waits behind it on the same connection: \
             its time includes that wait, and a fair queue sees one connection";
        let help = "give connection = \"new\", as web pages do, or accept the warning where one connection is the subject";
        let path = format!("flow[{i}].traffic.{of}transfers.connection");
        faults
            .warn(WarningName::QueuedTransfers, path, message)
            .help(help);
    }
}

/// The step of the clock that times out, and its key.
fn tick(config: &Config) -> Option<(Span, &'static str)> {
    if config.profile == pacesim_tcp::Profile::Linux {
        let hz = config.linux.hz?;
        return Some((
            Span::from_ps(1_000_000_000_000 / u64::from(hz.max(1))),
            "hz",
        ));
    }
    match config.clock {
        Clock::Ticks(tick) => Some((tick, "tick")),
        Clock::Stamps { .. } => None,
    }
}

/// Sources of which one cycle takes longer than the run.
fn slow(view: &View<'_>, i: usize, group: &FlowGroup, flows: &[Flow], faults: &mut Faults) {
    let Some(first) = flows.first() else { return };
    let run = view.model.duration;
    let count = flows.len() as f64;
    let gap = |rate: pacesim_units::Rate, bytes: f64| {
        Span::from_ps((bytes * 8.0 / rate.as_bps() as f64 * 1e12 / count) as u64)
    };
    let (key, what, time) = match &first.traffic {
        Traffic::Cbr { rate, size } => ("rate", "gaps between packets", gap(*rate, size.0 as f64)),
        Traffic::Poisson { rate, size } => {
            ("rate", "mean gaps between packets", gap(*rate, mean(size)))
        }
        Traffic::OnOff {
            mean_on, mean_off, ..
        } => {
            if mean_on > mean_off {
                ("mean_on", "phases", *mean_on)
            } else {
                ("mean_off", "phases", *mean_off)
            }
        }
        Traffic::Tcp(tcp) => match &tcp.load {
            Load::Transfers(transfers) => {
                let pause = match &transfers.pause {
                    Pause::Constant(pause) => *pause,
                    Pause::Drawn(drawn) => Span::from_ps(drawn.checked_sampler().mean() as u64),
                };
                let connections = group.traffic.connections();
                let is_of_group = connections.is_some_and(|tcp| tcp.arrivals.is_some());
                let share = if is_of_group { count } else { 1.0 };
                let pause = Span::from_ps((pause.as_ps() as f64 / share) as u64);
                ("transfers", "pauses between transfers", pause)
            }
            _ => return,
        },
        _ => return,
    };
    // A single transfer or packet may be the subject.
    if time > run && !matches!(group.start, Value::Drawn(_)) {
        let message = format!("its {what} of {time} are longer than the run of {run}");
        let help = "give a longer run, a higher rate, or shorter phases";
        let path = format!("flow[{i}].traffic.{key}");
        faults
            .warn(WarningName::SlowSource, path, message)
            .help(help);
    }
}

fn mean(sizes: &Sizes) -> f64 {
    match sizes {
        Sizes::Constant(size) => size.0 as f64,
        Sizes::Drawn(drawn) => drawn.checked_sampler().mean(),
    }
}
