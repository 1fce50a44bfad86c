//! Recorded connections as flows: two for each, one per direction.

use std::collections::BTreeMap;
use std::sync::Arc;

use pacesim_keys::{Closes, Exchanges, FlowGroup, Handshake, Traffic as TrafficKeys};
use pacesim_model::delay_box::{DelayBox, Detour};
use pacesim_model::middlebox::OwnMiddlebox;
use pacesim_model::{Direction, Exchange, Flow, Load, PlacedMiddlebox, Step, Tcp, Traffic};
use pacesim_tcp::Config;
use pacesim_units::{Bytes, FlowId, NodeId, Span, Time};

use pacesim_recordings::vectors::{End, Vector};

/// The recorded connections of a group, with the rest of its TCP configuration; `None` if it has
/// none.
pub(crate) fn of_group(group: &FlowGroup) -> Option<(&Exchanges, &Tcp)> {
    match &group.traffic {
        TrafficKeys::Tcp(traffic) => Some((traffic.exchanges.as_ref()?, &traffic.tcp)),
        _ => None,
    }
}

/// The members of a group, connection by connection, each starting at its recorded time after one
/// of these: their traffic and their starts.
pub(crate) fn members(
    exchanges: &Exchanges,
    tcp: &Tcp,
    first: FlowId,
    starts: impl Iterator<Item = Time>,
) -> Vec<(Traffic, Time)> {
    let mut configs = BTreeMap::new();
    let mut all = Vec::new();
    for (k, (vector, start)) in exchanges.file.vectors.iter().zip(starts).enumerate() {
        let ids = [0, 1].map(|end| FlowId(first.0 + 2 * k as u32 + end));
        let start = start.saturating_add(vector.start);
        for (end, other) in [(End::Initiator, ids[1]), (End::Acceptor, ids[0])] {
            let spec = Spec::of(vector, end, exchanges.handshake);
            let config = configs.entry(spec).or_insert_with(|| spec.put(&tcp.config));
            let member = Tcp {
                config: config.clone(),
                load: Load::Exchange(Exchange {
                    other,
                    steps: steps(exchanges, &vector.steps[end as usize]),
                    stands_when_closed: exchanges.are_closed() && exchanges.closes == Closes::Ns2,
                }),
                clock_phase: tcp.clock_phase,
                transport: None,
            };
            all.push((Traffic::Tcp(member), start));
        }
    }
    all
}

/// The steps of an end, including its close if that is simulated.
fn steps(exchanges: &Exchanges, steps: &Arc<[Step]>) -> Arc<[Step]> {
    if exchanges.are_closed() {
        steps.clone()
    } else {
        steps[..steps.len() - 1].into()
    }
}

/// The parts in which connections of a group differ, for each direction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Spec {
    window: Option<u64>,
    segment: Option<u64>,
    opens: bool,
}

impl Spec {
    fn of(vector: &Vector, end: End, handshake: Handshake) -> Spec {
        let shared = handshake == Handshake::Shared;
        let segment = vector.segments.map(|sizes| match shared {
            // As in ns-2's two-way agents.
            true => sizes[0].max(sizes[1]),
            false => sizes[end as usize],
        });
        Spec {
            window: vector.windows.map(|windows| windows[end as usize]),
            segment,
            opens: !shared || vector.first.is_none_or(|first| first == end),
        }
    }

    fn put(self, config: &Config) -> Arc<Config> {
        let mut config = config.clone();
        if let Some(segment) = self.segment {
            config.payload = Bytes(segment);
        }
        if let Some(window) = self.window {
            config.window_cap = (window / config.payload.0).max(1) as f64;
        }
        config.opened_by_other = !self.opens;
        config.syn &= self.opens;
        Arc::new(config)
    }
}

/// The delay box, at a node, of the group with these flows.
pub(crate) fn delay_box(
    group: &str,
    (exchanges, tcp): (&Exchanges, &Tcp),
    node: NodeId,
    first: FlowId,
    flows: &[Flow],
) -> PlacedMiddlebox {
    let vectors = exchanges.file.vectors.iter().take(flows.len() / 2);
    let forgets = exchanges.are_closed() && exchanges.closes == Closes::Ns2;
    let forgotten_with = forgets.then_some(tcp.config.header.0 as u32);
    let detours = vectors.flat_map(|vector| {
        let [of_initiator, of_acceptor] = if exchanges.lossless {
            [0.0; 2]
        } else {
            vector.loss
        };
        let detour = |data_loss, ack_loss| Detour {
            delay: Span::from_ps(vector.round_trip.as_ps() / 2),
            data_loss,
            ack_loss,
            forgotten_with,
        };
        [
            detour(of_initiator, of_acceptor),
            detour(of_acceptor, of_initiator),
        ]
    });
    let detours: Arc<[Detour]> = detours.collect();
    PlacedMiddlebox {
        node,
        flows: (0..detours.len() as u32)
            .map(|i| FlowId(first.0 + i))
            .collect(),
        direction: Direction::Both,
        part: OwnMiddlebox::new(format!("the delay box of {group}"), move |site| {
            DelayBox::new(first, detours.clone(), site.stream)
        }),
    }
}
