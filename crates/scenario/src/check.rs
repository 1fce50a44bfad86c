//! Conditions between the values of a scenario that are legal on their own.

use pacesim_keys::{
    BufferCounts, Drop, FlowGroup, LARGEST_SEED, LONGEST, LinkLoss, LinkSpec, Output, OwnTraffic,
    PacerSpec, Queue, Run, Sampled, Scenario, SeriesOutput, Topology, Traffic, Unit, Value,
};
use pacesim_language::problem::Faults;
use pacesim_model::range::{DELAY, MEAN_PHASE};
use pacesim_model::{Distribution, Loss, Metric, Sizes};
use pacesim_units::{Bytes, Capacity, Rate, Span};

mod discipline;
mod drawn;
mod ends;
mod events;
mod fec;
mod hosts;
mod live;
mod pacer;
mod paths;
mod pauses;
mod recorded;
pub(crate) mod round_trips;
mod self_similar;
mod switches;
mod tcp;
mod threads;
mod transfers;
mod video;
mod warn;
mod warnings;
mod wire;

pub(crate) use drawn::notes;
pub(crate) use warnings::{idle_links, warnings};

use crate::accepted;
use crate::draw::Draws;
use crate::resolve::{Plan, Survey};
use crate::traffic::mean_on_range;

/// The maximum number of samples of a time series.
const MOST_SAMPLES: u64 = 100_000_000;

/// All faults that are not `known` already, and the plan of a scenario without faults.
pub(crate) fn check(scenario: &Scenario, known: &Faults) -> (Faults, Option<Plan>) {
    let mut faults = Faults::default();
    run(&scenario.run, &mut faults);
    let survey = Survey::of(scenario, known, &mut faults);
    links(&survey, scenario, &mut faults);
    for (i, flow) in scenario.flows.iter().enumerate() {
        check_flow(&format!("flow[{i}]"), flow, &scenario.run, &mut faults);
    }
    if scenario.flows.iter().all(|flow| flow.count == Some(0)) {
        let message = "there is no flow: nothing would be sent";
        let help = "add a [[flow]] with from, to and traffic";
        faults.add("flow", message).help(help).absence();
    }
    switches::check(&survey, scenario, known, &mut faults);
    threads::check(&survey, scenario, known, &mut faults);
    events::check(&survey, scenario, known, &mut faults);
    output(&survey, &scenario.output, &scenario.run, &mut faults);
    tcp::output(&survey, scenario, known, &mut faults);
    ends::output(&survey, scenario, known, &mut faults);
    transfers::arrivals(&survey, scenario, &mut faults);
    // The check of drawn values skips faults that were reported above.
    drawn::check(scenario, &mut faults);
    let draws = Draws::new(scenario.run.seed, 0);
    paths::check(&survey, scenario, &draws, &mut faults);
    fec::check(&survey, scenario, &draws, known, &mut faults);
    live::check(&survey, scenario, known, &mut faults);
    accepted::check(&scenario.accepts, &mut faults);
    hosts::values(scenario, &mut faults);
    let plan = Plan::of(survey, scenario);
    if let Some(plan) = &plan
        && faults.list.is_empty()
        && known.list.is_empty()
    {
        hosts::places(scenario, plan, &mut faults);
    }
    (faults, plan)
}

fn run(run: &Run, faults: &mut Faults) {
    if run.duration.is_zero() {
        faults
            .add("run.duration", "a run of zero duration")
            .help("give more than 0s");
    } else if run.warmup >= run.duration {
        let message = format!(
            "a warm-up of {} leaves nothing of {}",
            run.warmup, run.duration
        );
        faults
            .add("run.warmup", message)
            .help("give less than run.duration");
    }
    if run.duration > LONGEST {
        let message = format!("{} is too long for the tables of results", run.duration);
        faults
            .add("run.duration", message)
            .help(format!("give at most 100 days, \"{LONGEST}\""));
    }
    if run.seed > LARGEST_SEED {
        let message = format!("{} is too large a seed", run.seed);
        faults
            .add("run.seed", message)
            .help(format!("give at most {LARGEST_SEED}"));
    }
}

fn links(survey: &Survey, scenario: &Scenario, faults: &mut Faults) {
    for (path, spec) in specs(scenario) {
        check_spec(&path, spec, faults);
        drops(survey, &format!("{path}.drops"), &spec.drops, faults);
        drops(
            survey,
            &format!("{path}.back.drops"),
            &spec.back.drops,
            faults,
        );
    }
    discipline::one_statement(&specs(scenario), faults);
    let paced = specs(scenario)
        .into_iter()
        .flat_map(|(path, spec)| pacers(&path, spec));
    pacer::classes(scenario, paced, faults);
    let mesh = scenario.topology.as_ref().and_then(Topology::mesh);
    let mesh = mesh.map(|(_, mesh)| mesh);
    if mesh.is_some_and(|mesh| mesh.hosts > 0 && mesh.access.is_none()) {
        let help = "write access = { rate = \"100Mbps\" }, or leave hosts out";
        faults
            .add(
                "topology.access",
                "this key is missing, for there are hosts",
            )
            .help(help)
            .absence();
    }
    if mesh.is_some_and(|mesh| mesh.edges > 0 && mesh.edge.is_none()) {
        let help = "write edge = { rate = \"100Mbps\" }, or leave edges out";
        faults
            .add("topology.edge", "this key is missing, for there are edges")
            .help(help)
            .absence();
    }
    if let Some(topology) = &scenario.topology {
        listed_delays(topology, faults);
        switches::divides(topology, faults);
    }
    if scenario.run.routing == Metric::Length {
        for wires in &survey.network.wires {
            if wires.spec.length.is_none() && wires.listed.is_none() {
                let path = format!("{}.length", wires.path);
                let message = "routing by length needs the length of every link";
                faults
                    .add(path, message)
                    .help("write length = \"120km\"")
                    .absence();
            }
        }
    }
}

/// The shipped lists have possible delays only.
fn listed_delays(topology: &Topology, faults: &mut Faults) {
    let Topology::EdgeList { file, .. } = topology else {
        return;
    };
    if let Some(edge) = file.edges.iter().find(|edge| !DELAY.contains(edge.delay)) {
        let message = format!(
            "the link from router[{}] to router[{}] in \"{}\" has a delay of {}",
            edge.a, edge.b, file.name, edge.delay
        );
        let help = format!("give delays to \"{}\"", DELAY.most);
        faults.add("topology.file", message).help(help);
    }
}

/// The specifications of all links, with their keys.
fn specs(scenario: &Scenario) -> Vec<(String, &LinkSpec)> {
    let of_topology = match &scenario.topology {
        None => vec![],
        Some(Topology::Dumbbell {
            access,
            bottleneck,
            exit,
            ..
        }) => {
            let mut all = vec![("access", access), ("bottleneck", bottleneck)];
            all.extend(exit.as_ref().map(|exit| ("exit", exit)));
            all
        }
        Some(Topology::Tandem { link, .. } | Topology::Star { link, .. }) => vec![("link", link)],
        Some(Topology::ParkingLot { link, access, .. }) => vec![("link", link), ("access", access)],
        Some(Topology::AccessTree {
            access, edge, core, ..
        }) => {
            vec![("access", access), ("edge", edge), ("core", core)]
        }
        Some(Topology::LeafSpine { access, uplink, .. }) => {
            vec![("access", access), ("uplink", uplink)]
        }
        Some(Topology::FatTree {
            access, link, core, ..
        }) => {
            let mut all = vec![("access", access)];
            all.extend(link.as_ref().map(|link| ("link", link)));
            all.extend(core.as_ref().map(|core| ("core", core)));
            all
        }
        Some(
            Topology::Nsfnet { mesh, .. }
            | Topology::Us24 { mesh, .. }
            | Topology::EdgeList { mesh, .. },
        ) => {
            let mut all = vec![("link", &mesh.link)];
            all.extend(mesh.access.as_ref().map(|access| ("access", access)));
            all.extend(mesh.edge.as_ref().map(|edge| ("edge", edge)));
            all
        }
    };
    let of_topology = of_topology
        .into_iter()
        .map(|(key, spec)| (format!("topology.{key}"), spec));
    let of_links = scenario
        .links
        .iter()
        .enumerate()
        .map(|(i, link)| (format!("link[{i}]"), &link.spec));
    of_topology.chain(of_links).collect()
}

/// Pacers in both directions, with the keys.
fn pacers<'s>(path: &str, spec: &'s LinkSpec) -> Vec<(String, &'s PacerSpec)> {
    let there = spec
        .pacer
        .iter()
        .map(|pacer| (format!("{path}.pacer"), pacer));
    let back = spec
        .back
        .pacer
        .iter()
        .map(|pacer| (format!("{path}.back.pacer"), pacer));
    there.chain(back).collect()
}

fn check_spec(path: &str, spec: &LinkSpec, faults: &mut Faults) {
    queue(path, spec.queue, faults);
    loss(&format!("{path}.loss"), random(spec.loss.as_ref()), faults);
    let (back, back_path) = (&spec.back, format!("{path}.back"));
    if back.buffer.is_some() || back.counts.is_some() {
        queue(&back_path, spec.back_queue(), faults);
    }
    loss(
        &format!("{back_path}.loss"),
        random(back.loss.as_ref()),
        faults,
    );
    discipline::check(path, spec.discipline.as_ref(), spec.queue, faults);
    discipline::check(
        &back_path,
        back.discipline.as_ref(),
        spec.back_queue(),
        faults,
    );
    if let Some(pacer) = &spec.pacer {
        pacer::check(&format!("{path}.pacer"), pacer, &spec.rate, faults);
    }
    if let Some(pacer) = &back.pacer {
        let rate = back.rate.as_ref().unwrap_or(&spec.rate);
        pacer::check(&format!("{back_path}.pacer"), pacer, rate, faults);
    }
    wire::check(path, spec, faults);
}

/// Reports a queue that accepts nothing.
fn queue(path: &str, queue: Queue, faults: &mut Faults) {
    let nothing = [Capacity::Packets(0), Capacity::Bytes(Bytes(0))];
    if !nothing.contains(&queue.in_model().capacity) {
        return;
    }
    let (message, help) = match queue.counts {
        BufferCounts::Waiting => (
            "a buffer without room drops every packet, for each must fit into it before it is sent",
            "give at least one packet; for no waiting room at all give \"1pkt\" with buffer_counts = \"system\"",
        ),
        BufferCounts::System => (
            "a system without room drops every packet",
            "give at least \"1pkt\"",
        ),
        BufferCounts::Ns2Limit => (
            "ns-2 with this limit_ drops every packet, for it holds one less than its limit_",
            "give at least \"2pkts\"",
        ),
    };
    faults.add(format!("{path}.buffer"), message).help(help);
}

/// The random loss of a link.
fn random(loss: Option<&LinkLoss>) -> Option<Loss> {
    match loss? {
        LinkLoss::Random(loss) => Some(*loss),
        LinkLoss::Model(_) => None,
    }
}

fn loss(path: &str, loss: Option<Loss>, faults: &mut Faults) {
    let probabilities = match loss {
        None => vec![],
        Some(Loss::Bernoulli { probability }) => vec![("bernoulli", probability)],
        Some(Loss::GilbertElliott {
            to_bad,
            to_good,
            loss_good,
            loss_bad,
        }) => vec![
            ("gilbert_elliott.to_bad", to_bad),
            ("gilbert_elliott.to_good", to_good),
            ("gilbert_elliott.loss_good", loss_good),
            ("gilbert_elliott.loss_bad", loss_bad),
        ],
    };
    for (key, probability) in probabilities {
        if !(0.0..=1.0).contains(&probability) {
            let message = format!("{probability} is not a probability");
            faults
                .add(format!("{path}.{key}"), message)
                .help("give a number from 0 to 1");
        }
    }
}

fn drops(survey: &Survey, path: &str, drops: &[Drop], faults: &mut Faults) {
    for (i, drop) in drops.iter().enumerate() {
        let path = format!("{path}[{i}]");
        let (flow, k) = match drop {
            Drop::Packet(k) => (None, *k),
            Drop::Sequence { flow, k, .. } | Drop::Ack { flow, k, .. } => {
                (Some(flow), u64::from(*k))
            }
        };
        if k == 0 {
            faults
                .add(&path, "packets are counted from 1")
                .help("give at least 1");
        }
        if let Some(flow) = flow {
            survey.flows.resolve(flow, &format!("{path}.flow"), faults);
        }
    }
}

fn check_flow(path: &str, flow: &FlowGroup, run: &Run, faults: &mut Faults) {
    let first_start = match flow.start {
        Value::Constant(start) => start,
        Value::Drawn(Distribution::Uniform { low, .. }) => Span::from_number(low),
        Value::Drawn(_) => Span::ZERO,
    };
    if flow.stop.is_some_and(|stop| stop <= first_start) {
        let message = format!("it stops before it starts, at {first_start}");
        faults
            .add(format!("{path}.stop"), message)
            .help("give a time after start");
    }
    if let (Some(_), Some(tcp)) = (flow.ecn, flow.traffic.connections()) {
        tcp::field(&format!("{path}.ecn"), tcp, faults);
    }
    traffic(
        &format!("{path}.traffic"),
        &flow.traffic,
        run.duration,
        faults,
    );
}

fn traffic(path: &str, traffic: &Traffic, run: Span, faults: &mut Faults) {
    let size_path = format!("{path}.size");
    match traffic {
        Traffic::Cbr { rate, size } => {
            offered(&format!("{path}.rate"), rate, *size, faults);
            packet_size(&size_path, *size, faults);
        }
        Traffic::Poisson {
            rate,
            size: Sizes::Constant(size),
        } => {
            offered(&format!("{path}.rate"), rate, *size, faults);
            packet_size(&size_path, *size, faults);
        }
        Traffic::Poisson {
            size: Sizes::Drawn(_),
            ..
        }
        | Traffic::Bulks {
            size: Sizes::Drawn(_),
            ..
        } => (),
        Traffic::OnOff {
            peak,
            size,
            mean_on,
            mean_off,
            ..
        } => {
            offered(&format!("{path}.peak"), peak, *size, faults);
            packet_size(&size_path, *size, faults);
            let least = mean_on_range(peak, *size).least;
            phase(&format!("{path}.mean_on"), mean_on, least, faults);
            phase(
                &format!("{path}.mean_off"),
                mean_off,
                MEAN_PHASE.least,
                faults,
            );
        }
        Traffic::Bulks {
            rate,
            size: Sizes::Constant(size),
            ..
        } => {
            offered(&format!("{path}.rate"), &(*rate).into(), *size, faults);
            packet_size(&size_path, *size, faults);
        }
        Traffic::FractionalNoise(noise) => self_similar::noise(path, noise, run, faults),
        Traffic::Sessions(sessions) => self_similar::sessions(path, sessions, faults),
        Traffic::ParetoOnOff(sources) => self_similar::on_off(path, sources, faults),
        Traffic::Video(traffic) => video::check(path, traffic, faults),
        Traffic::Recorded(traffic) => {
            recorded::check(path, traffic, faults);
        }
        // Keys of the program's own were checked when they were read.
        Traffic::Tcp(_) | Traffic::Rdma(_) | Traffic::Ndp(_) | Traffic::Own(_) => {
            connections(path, traffic, faults);
        }
    }
}

/// The connections of a closed loop, and the transport in TCP's place.
fn connections(path: &str, traffic: &Traffic, faults: &mut Faults) {
    let path = match traffic {
        Traffic::Own(OwnTraffic::Dialogue(_)) => &format!("{path}.over"),
        _ => path,
    };
    if let Some(connections) = traffic.connections() {
        tcp::check(path, connections, faults);
    }
    tcp::ends_open(path, traffic, faults);
}

pub(crate) fn packet_size(path: &str, size: Bytes, faults: &mut Faults) {
    if size.0 == 0 || size.0 > u64::from(u32::MAX) {
        let message = format!("{size} is not the size of a packet");
        faults
            .add(path, message)
            .help(format!("give \"1B\" to \"{}\"", Bytes(u64::from(u32::MAX))));
    }
}

fn phase(path: &str, mean: &Value<Span>, least: Span, faults: &mut Faults) {
    let Value::Constant(mean) = *mean else {
        return;
    };
    if mean.is_zero() {
        faults
            .add(path, "phases of no length")
            .help("give a mean above 0s; for a steady rate use kind = \"cbr\"");
    } else if mean < least {
        let message = format!("phases of {mean} are so short that a packet takes over 10000");
        let help = format!("give at least \"{least}\"; for a steady rate use kind = \"cbr\"");
        faults.add(path, message).help(help);
    }
}

/// The gap between two packets must be a number of picoseconds within the clock's range.
fn offered(path: &str, rate: &Value<Rate>, size: Bytes, faults: &mut Faults) {
    let Value::Constant(rate) = *rate else {
        return;
    };
    if size.0 > 0 && size.0 <= u64::from(u32::MAX) {
        let fastest = size.bits() * u128::from(pacesim_units::PS_PER_SECOND);
        if u128::from(rate.as_bps()) > fastest {
            let message = format!("{rate} in packets of {size} is more than one in a picosecond");
            faults
                .add(path, message)
                .help("give a lower rate or larger packets");
        } else if rate.transmission_time(size).is_none() {
            let message = format!("{rate} in packets of {size} is less than one in 213 days");
            faults
                .add(path, message)
                .help("give a higher rate or smaller packets");
        }
    }
}

fn output(survey: &Survey, output: &Output, run: &Run, faults: &mut Faults) {
    if let Some(packets) = &output.packets {
        survey.links(&packets.links, "output.packets.links", faults);
        survey.flows(&packets.flows, "output.packets.flows", faults);
        if packets.to.is_some_and(|to| to <= packets.from) {
            let message = format!("the window is empty, for it opens at {}", packets.from);
            faults
                .add("output.packets.to", message)
                .help("give a time after from");
        }
    }
    if let Some(series) = &output.series {
        survey.links(&series.links, "output.series.links", faults);
        survey.flows(&series.flows, "output.series.flows", faults);
        sampled(series, faults);
        let samples = run.duration.as_ps().checked_div(series.interval.as_ps());
        if samples.is_none_or(|samples| samples > MOST_SAMPLES) {
            let message = format!("an interval of {} makes too many samples", series.interval);
            let help = format!("give one of which at most {MOST_SAMPLES} fit the duration");
            faults.add("output.series.interval", message).help(help);
        }
    }
}

/// Reports a series of nothing, and names without use in it.
fn sampled(series: &SeriesOutput, faults: &mut Faults) {
    let of_links = series.of.contains(&Sampled::Links);
    let of_flows = series.of.iter().any(|of| *of != Sampled::Links);
    if series.of.is_empty() {
        let help = "write of = [\"links\", \"flows\", \"groups\"], or fewer of these";
        let message = "nothing is sampled";
        faults.add("output.series.of", message).help(help);
    } else if !of_links && !series.links.is_empty() {
        let help = "write of = [\"links\", ...], or leave links out";
        let message = "links are named, but none is sampled";
        faults.add("output.series.links", message).help(help);
    } else if !of_flows && !series.flows.is_empty() {
        let help = "write of = [\"flows\"] or of = [\"groups\"], or leave flows out";
        let message = "flows are named, but only links are sampled";
        faults.add("output.series.flows", message).help(help);
    }
}
