//! Traffic of a group's members, and its values that may be drawn.

use pacesim_keys::{Arrivals, OwnTraffic, PACKETS, PacketCount, TcpTraffic, Traffic, Value};
use pacesim_model::range::{self, DELAY, MEAN_PHASE, Range, SIZE};
use pacesim_model::{self as model, Load, Pause, Sizes, Tcp, TransferSizes};
use pacesim_units::{Bytes, Rate, Span};

use crate::arrivals;
use crate::draw::Draws;
use crate::visit::{Each, Visitor};

/// Passes every value that may be drawn to a visitor.
pub(crate) fn visit(traffic: &Traffic, path: &str, visitor: &mut impl Visitor) {
    let path = |key: &str| format!("{path}.{key}");
    let range = traffic.source_rate();
    match traffic {
        Traffic::Cbr { rate, .. } => visitor.visit(path("rate"), rate, range, Each::Flow),
        Traffic::Poisson { rate, size } => {
            visitor.visit(path("rate"), rate, range, Each::Flow);
            visitor.visit(path("size"), &of_sizes(size), SIZE, Each::Packet);
        }
        Traffic::Bulks { rate, size, .. } => {
            visitor.visit(path("rate"), &(*rate).into(), range, Each::Flow);
            visitor.visit(path("size"), &of_sizes(size), SIZE, Each::Packet);
        }
        Traffic::OnOff {
            peak,
            size,
            mean_on,
            mean_off,
            ..
        } => {
            let on_range = mean_on_range(peak, *size);
            visitor.visit(path("peak"), peak, range, Each::Flow);
            visitor.visit(path("mean_on"), mean_on, on_range, Each::FlowsMean);
            visitor.visit(path("mean_off"), mean_off, MEAN_PHASE, Each::FlowsMean);
        }
        Traffic::Own(OwnTraffic::Ends(ends)) => {
            of_transfers(&path("transfers"), &ends.traffic.tcp, visitor);
        }
        Traffic::Rdma(rdma) => of_transfers(&path("transfers"), &rdma.traffic.tcp, visitor),
        Traffic::Ndp(ndp) => of_transfers(&path("transfers"), &ndp.traffic.tcp, visitor),
        Traffic::Tcp(TcpTraffic { tcp, others, .. }) => {
            of_transfers(&path("transfers"), tcp, visitor);
            let others = others.iter().filter(|others| others.tcp.load != tcp.load);
            others.for_each(|o| of_transfers(&path("others.transfers"), &o.tcp, visitor));
        }
        Traffic::FractionalNoise(_)
        | Traffic::Sessions(_)
        | Traffic::ParetoOnOff(_)
        | Traffic::Video(_)
        | Traffic::Recorded(_)
        | Traffic::Own(OwnTraffic::Source(_) | OwnTraffic::Dialogue(_)) => (),
    }
}

/// The traffic of each member of a group whose loads refer to these lines.
pub(crate) fn of_members(
    (traffic, draws, group): (&Traffic, &Draws, &str),
    lines: Lines,
    count: usize,
    lasts: Span,
) -> Vec<model::Traffic> {
    let rates = |rate: &Value<_>| {
        let drawn = (rate, traffic.source_rate());
        draws.values(drawn, group, "rate", count).into_iter()
    };
    let phases = |mean: &Value<_>, range, purpose| {
        let drawn = (mean, range);
        draws.values(drawn, group, purpose, count).into_iter()
    };
    match traffic {
        Traffic::Cbr { rate, size } => rates(rate)
            .map(|rate| model::Traffic::Cbr { rate, size: *size })
            .collect(),
        Traffic::Poisson { rate, size } => {
            let size = || size.clone();
            let source = |rate| model::Traffic::Poisson { rate, size: size() };
            rates(rate).map(source).collect()
        }
        Traffic::OnOff {
            peak,
            size,
            mean_on,
            mean_off,
            phase,
        } => {
            let on = phases(mean_on, mean_on_range(peak, *size), "mean_on");
            let off = phases(mean_off, MEAN_PHASE, "mean_off");
            let source = |(peak, (mean_on, mean_off))| model::Traffic::OnOff {
                peak,
                size: *size,
                // A drawn peak has a range of its own for each flow.
                mean_on: Span::max(mean_on, mean_on_range_at(peak, *size).least),
                mean_off,
                phase: *phase,
            };
            rates(peak).zip(on.zip(off)).map(source).collect()
        }
        Traffic::Tcp(traffic) => tcp_of_members(traffic, lines, count),
        Traffic::Own(OwnTraffic::Ends(ends)) => {
            let mut traffic = ends.traffic.clone();
            traffic.tcp = traffic.tcp.over(ends.own.make.clone());
            tcp_of_members(&traffic, lines, count)
        }
        Traffic::Rdma(rdma) => {
            let mut traffic = rdma.traffic.clone();
            traffic.tcp = traffic.tcp.over(rdma.make.clone());
            tcp_of_members(&traffic, lines, count)
        }
        Traffic::Ndp(ndp) => {
            let mut traffic = ndp.traffic.clone();
            traffic.tcp = traffic.tcp.over(ndp.make.clone());
            tcp_of_members(&traffic, lines, count)
        }
        // The plan has the arrivals of the first, and the flows of the second are made in pairs.
        Traffic::Recorded(_) | Traffic::Own(OwnTraffic::Dialogue(_)) => Vec::new(),
        same => vec![same_for_all(same, lasts); count],
    }
}

/// The traffic of kinds without keys drawn for each flow.
fn same_for_all(traffic: &Traffic, lasts: Span) -> model::Traffic {
    match traffic {
        Traffic::Bulks { rate, size, count } => model::Traffic::Bulks {
            rate: *rate,
            size: size.clone(),
            count: *count,
        },
        Traffic::FractionalNoise(noise) => model::Traffic::FractionalNoise(noise.in_model(lasts)),
        Traffic::Sessions(sessions) => model::Traffic::Sessions(sessions.in_model()),
        Traffic::ParetoOnOff(sources) => model::Traffic::ParetoOnOff(sources.in_model()),
        Traffic::Video(video) => model::Traffic::Video(video.in_model()),
        Traffic::Own(OwnTraffic::Source(own)) => model::Traffic::Own(own.make.clone()),
        other => unreachable!("{other:?} differs from flow to flow"),
    }
}

/// The rates of the links to which the loads of a group, and of the others in it, refer.
pub(crate) type Lines = [Option<Rate>; 2];

fn tcp_of_members(
    traffic: &TcpTraffic,
    [line, line_of_others]: Lines,
    count: usize,
) -> Vec<model::Traffic> {
    let others = traffic.others.as_ref();
    let chosen = others.map_or_else(|| vec![false; count], |others| others.chosen(count));
    let among_others = chosen.iter().filter(|chosen| **chosen).count();
    let arrivals = traffic.arrivals.as_ref();
    let is_shared = traffic.shares_arrivals();
    // Arrivals that all share belong to the side of their place.
    let of_side = |tcp: &Tcp, arrivals: Option<&Arrivals>, line, is_other: bool| -> Vec<Tcp> {
        if !is_shared {
            let size = if is_other {
                among_others
            } else {
                count - among_others
            };
            return members(tcp, arrivals, line, size);
        }
        let all = members(tcp, arrivals, line, count).into_iter();
        let own = all.zip(&chosen).filter(|(_, chosen)| **chosen == is_other);
        own.map(|(tcp, _)| tcp).collect()
    };
    let mut of_group = of_side(&traffic.tcp, arrivals, line, false).into_iter();
    let of_others = others.map(|others| {
        let arrivals = others.arrivals.as_ref();
        of_side(&others.tcp, arrivals, line_of_others, true)
    });
    let mut of_others = of_others.into_iter().flatten();
    let flows = chosen.iter().map(|chosen| {
        if *chosen {
            of_others.next()
        } else {
            of_group.next()
        }
    });
    flows.flatten().map(model::Traffic::Tcp).collect()
}

/// Flows that share arrivals of the whole group.
fn members(tcp: &Tcp, arrivals: Option<&Arrivals>, line: Option<Rate>, count: usize) -> Vec<Tcp> {
    let Some(arrivals) = arrivals else {
        return vec![tcp.clone(); count];
    };
    let loads = arrivals::of_members(arrivals, tcp, line, count).into_iter();
    let member = |load| Tcp {
        load,
        ..tcp.clone()
    };
    loads.map(member).collect()
}

fn of_transfers(path: &str, tcp: &Tcp, visitor: &mut impl Visitor) {
    let Load::Transfers(transfers) = &tcp.load else {
        return;
    };
    match &transfers.size {
        TransferSizes::Bytes(size) => {
            let size = of_sizes(size);
            visitor.visit(format!("{path}.size"), &size, SIZE, Each::Transfer);
        }
        TransferSizes::Packets(n) => {
            let packets = Value::Constant(PacketCount(*n));
            visitor.visit(format!("{path}.packets"), &packets, PACKETS, Each::Transfer);
        }
        TransferSizes::DrawnPackets(distribution) => {
            let packets = Value::<PacketCount>::Drawn(distribution.clone());
            visitor.visit(format!("{path}.packets"), &packets, PACKETS, Each::Transfer);
        }
    }
    let pause = match &transfers.pause {
        Pause::Constant(pause) => Value::Constant(*pause),
        Pause::Drawn(distribution) => Value::Drawn(distribution.clone()),
    };
    visitor.visit::<Span>(format!("{path}.pause"), &pause, DELAY, Each::Transfer);
}

fn of_sizes(sizes: &Sizes) -> Value<Bytes> {
    match sizes {
        Sizes::Constant(size) => Value::Constant(*size),
        Sizes::Drawn(distribution) => Value::Drawn(distribution.clone()),
    }
}

/// The range of the mean ON phases of sources with this peak, if the peak is not drawn as well.
pub(crate) fn mean_on_range(peak: &Value<Rate>, size: Bytes) -> Range<Span> {
    match peak {
        Value::Constant(peak) => mean_on_range_at(*peak, size),
        Value::Drawn(_) => MEAN_PHASE,
    }
}

/// The range of the mean ON phase of a source with this peak.
fn mean_on_range_at(peak: Rate, size: Bytes) -> Range<Span> {
    range::mean_on(peak.transmission_time(size).unwrap_or(Span::MAX))
}
