//! The fixed point of a port and the long TCP flows of one kind that share it.

use pacesim::model::{Counts, Flow, Link, Load, Model, Paths, PortQueue, Tcp, Traffic};
use pacesim::queues::{RedConfig, RedProfile};
use pacesim::tcp::{Config, Control, Profile};
use pacesim::units::{Capacity, LinkId, Span, Time};

use crate::solve::port::Fit;

/// The settings of the model, and its assumptions.
type Told = (Vec<(&'static str, String)>, Vec<String>);

/// The fixed point of these flows at this port, or DCTCP's own law with marks from a threshold on.
pub(super) fn fit(
    model: &Model,
    port: LinkId,
    passing: &[(&Flow, Vec<LinkId>)],
    paths: &mut Paths,
) -> Result<Fit, String> {
    let link = &model.links[port.index()];
    let config = one_kind(model, passing)?;
    if passing.iter().any(|(flow, _)| is_l4s(link, flow)) {
        return Err(
            "its flows enter DualPI2's queue for L4S; the fixed point is of classic flows"
                .to_owned(),
        );
    }
    let round_trips = passing
        .iter()
        .map(|(flow, _)| round_trip(model, flow, port, config, paths));
    let round_trips = round_trips.collect::<Result<Vec<f64>, _>>()?;
    let (queue, (settings, assumptions)) = match link.extras.mark {
        Some(threshold) => ("dctcp", stepped(threshold, config)?),
        None => ("tcp_port", queue(link, config)?),
    };
    let packet = packet_size(config);
    let mean = harmonic(&round_trips);
    let mut all = vec![
        ("rate", format!("{}bps", link.rate.as_bps())),
        ("rtt", seconds(mean)),
        ("packet", format!("{packet}B")),
        ("flows", passing.len().to_string()),
    ];
    all.extend(settings);
    let mut said = vec![format!(
        "{} flows of one kind send without end, all with the harmonic mean of their round trips, {:.3} ms",
        passing.len(),
        1e3 * mean
    )];
    said.extend(assumptions);
    said.push(
        "no other port loses, marks or delays their packets, nor their acknowledgements".to_owned(),
    );
    said.push("flows and queue are in their steady state: the warm-up is long enough".to_owned());
    Ok(Fit {
        model: queue,
        settings: all,
        service_s: packet as f64 * 8.0 / link.rate.as_bps() as f64,
        assumptions: said,
    })
}

/// The configuration shared by all flows, which must send endless data during the measurement.
fn one_kind<'a>(model: &Model, passing: &[(&'a Flow, Vec<LinkId>)]) -> Result<&'a Config, String> {
    let mut kind: Option<&Config> = None;
    for (flow, _) in passing {
        let name = format!("flow {}[{}]", flow.group, flow.index);
        let Traffic::Tcp(Tcp {
            config,
            load,
            transport,
            ..
        }) = &flow.traffic
        else {
            return Err(format!(
                "{name} {} beside flows of TCP",
                flow.traffic.what_it_does()
            ));
        };
        if let Some(transport) = transport {
            let transport = transport.name();
            return Err(format!(
                "{name} has the transport {transport}, whose control has no law"
            ));
        }
        let whole = flow.start <= Time::ZERO + model.warmup && flow.stop.is_none();
        if *load != Load::Endless || !whole {
            return Err(format!(
                "{name} does not send all the time that is measured; the fixed point is of long flows"
            ));
        }
        if **kind.get_or_insert(config) != **config {
            return Err(format!(
                "{name} is of another kind than the first; the fixed point is of one kind"
            ));
        }
    }
    kind.ok_or_else(|| "no flow passes it".to_owned())
}

/// True if the packets of this flow enter DualPI2's queue for L4S.
fn is_l4s(link: &Link, flow: &Flow) -> bool {
    let queue = link.extras.queue.as_ref();
    queue.is_some_and(|queue| {
        let class = queue.class_of(flow.class, flow.ecn_field());
        matches!(queue, PortQueue::DualPi2(_)) && class == Some(1)
    })
}

fn packet_size(config: &Config) -> u64 {
    config.payload.get() + config.header.get()
}

/// The round trip of a flow whose data pass the port, without queues: delays, and a packet or an acknowledgement on each line.
fn round_trip(
    model: &Model,
    flow: &Flow,
    port: LinkId,
    config: &Config,
    paths: &mut Paths,
) -> Result<f64, String> {
    let name = format!("flow {}[{}]", flow.group, flow.index);
    let there = paths.there(flow).unwrap_or_default();
    let back = paths.back(flow).unwrap_or_default();
    if !there.contains(&port) {
        return Err(format!("only acknowledgements of {name} pass it"));
    }
    let time = |path: &[LinkId], bytes: u64| -> f64 {
        let of = |id: &LinkId| {
            let link = &model.links[id.index()];
            link.delay.as_secs_f64() + bytes as f64 * 8.0 / link.rate.as_bps() as f64
        };
        path.iter().map(of).sum()
    };
    Ok(time(&there, packet_size(config)) + time(&back, config.ack_size.get()))
}

/// Formats a time as a parameter.
fn seconds(time: f64) -> String {
    Span::from_secs_f64(time).map_or_else(|| format!("{time}s"), |span| span.to_string())
}

fn harmonic(values: &[f64]) -> f64 {
    values.len() as f64 / values.iter().map(|x| 1.0 / x).sum::<f64>()
}

fn control(config: &Config) -> Result<&'static str, String> {
    match config.control {
        Control::Reno => Ok("reno"),
        Control::Cubic => Ok("cubic"),
        Control::Dctcp => Ok("dctcp"),
        _ => Err("its flows have a congestion control without a known response to loss; reno, cubic and dctcp have one".to_owned()),
    }
}

/// Marks from a threshold on, for which only DCTCP has a law.
fn stepped(threshold: Capacity, config: &Config) -> Result<Told, String> {
    if control(config)? != "dctcp" {
        return Err("it marks from a threshold on, at which flows other than DCTCP move together; dctcp has a law".to_owned());
    }
    let packets = match threshold {
        Capacity::Packets(n) => n as f64,
        Capacity::Bytes(bytes) => bytes.get() as f64 / packet_size(config) as f64,
        Capacity::Unlimited => return Err("its threshold is unlimited".to_owned()),
    };
    Ok((
        vec![("threshold", packets.to_string())],
        vec!["the buffer is never full, and flows are synchronised".to_owned()],
    ))
}

/// The settings of the queue and of the senders.
fn queue(link: &Link, config: &Config) -> Result<Told, String> {
    let (mut settings, ecn, mut assumptions) = discipline(link, config)?;
    let marks = ecn && (config.linux.ecn || config.control == Control::Dctcp);
    let delayed = config.profile == Profile::Ns2 && config.delayed_ack.is_some();
    let window = config
        .max_cwnd
        .map_or(config.window_cap, |most| most.min(config.window_cap));
    settings.extend([
        ("control", control(config)?.to_owned()),
        ("signal", if marks { "mark" } else { "loss" }.to_owned()),
        (
            "packets_per_ack",
            if delayed { "2" } else { "1" }.to_owned(),
        ),
        ("timeout", config.min_rto.to_string()),
        ("window", window.to_string()),
    ]);
    if marks && config.control == Control::Dctcp {
        let told = "two packets of each window are marked: Linux's DCTCP, which does not grow while it reduces, has about one";
        assumptions.push(told.to_owned());
    }
    if !marks {
        let told = "a first time-out takes min_rto, and losses end in time-outs as often as Reno's";
        assumptions.push(told.to_owned());
    }
    Ok((settings, assumptions))
}

/// Settings of a discipline, true if it marks, and assumptions.
type Discipline = (Vec<(&'static str, String)>, bool, Vec<String>);

fn discipline(link: &Link, config: &Config) -> Result<Discipline, String> {
    let held = |name: &str, target: Span, ecn, told: &str| {
        let settings = vec![("queue", name.to_owned()), ("target", target.to_string())];
        (
            settings,
            ecn,
            vec![told.to_owned(), "the buffer is never full".to_owned()],
        )
    };
    match link.extras.queue.as_ref() {
        None | Some(PortQueue::DropTail) => drop_tail(link, config),
        Some(PortQueue::Red(red)) => red_of(red, config),
        Some(PortQueue::Codel(codel)) => {
            let told = "the delay stands at CoDel's target: of few flows it is less and the link runs empty at times, of many it is more";
            let mut found = held("codel", codel.target, codel.ecn, told);
            found.0.push(("interval", codel.interval.to_string()));
            Ok(found)
        }
        Some(PortQueue::Pie(pie)) => {
            let told = "the delay stands at PIE's target, and its probability is below a tenth";
            Ok(held("pie", pie.target, pie.ecn, told))
        }
        Some(PortQueue::DualPi2(dual))
            if !matches!(config.control, Control::Dctcp | Control::Prague) =>
        {
            let told = "the delay stands at DualPI2's target, and all flows are classic";
            Ok(held("pie", dual.target, true, told))
        }
        Some(other) => Err(format!(
            "its queue is {}; the fixed point is of drop_tail, red, codel, pie, and dualpi2 with classic flows",
            other.name()
        )),
    }
}

fn drop_tail(link: &Link, config: &Config) -> Result<Discipline, String> {
    let packets = match link.buffer.capacity {
        Capacity::Packets(n) => n,
        Capacity::Bytes(bytes) => bytes.get() / packet_size(config),
        Capacity::Unlimited => {
            return Err("its buffer is unlimited, and windows fill it".to_owned());
        }
    };
    // The model's buffer counts waiting packets, without the one in transmission.
    let waiting = match link.buffer.counts {
        Counts::Waiting => Some(packets),
        _ => packets.checked_sub(1),
    };
    let waiting = waiting.ok_or_else(|| "its buffer takes nothing".to_owned())?;
    let settings = vec![
        ("queue", "drop_tail".to_owned()),
        ("buffer", waiting.to_string()),
    ];
    let told = "arrivals are Poisson: many flows over a small buffer; few flows over a large one move together";
    Ok((settings, false, vec![told.to_owned()]))
}

fn red_of(red: &RedConfig, config: &Config) -> Result<Discipline, String> {
    if red.profile != RedProfile::Ns2 || !red.gentle || !red.wait {
        return Err(
            "its RED is not ns-2's with gentle and wait, whose share of drops is known".to_owned(),
        );
    }
    let unit = if red.in_bytes {
        packet_size(config) as f64
    } else {
        1.0
    };
    let settings = vec![
        ("queue", "red".to_owned()),
        ("min_th", (red.min_th / unit).to_string()),
        ("max_th", (red.max_th / unit).to_string()),
        ("max_p", red.max_p.to_string()),
    ];
    let told = "RED's mean queue is the queue, and the buffer is never full";
    Ok((settings, red.ecn, vec![told.to_owned()]))
}
