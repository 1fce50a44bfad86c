//! Measure of the packets that pauses hold, and of those among them that had no part in the
//! congestion.

use std::collections::{BTreeMap, VecDeque};

use pacesim::model::Model;
use pacesim::net::{DropCause, HeldClasses, Kind, Packet, Passage, Probe};
use pacesim::units::{FlowId, LinkId, Span, Time};
use pacesim_study::measure as study;

use crate::schema::{
    Cell, Column, MeasureSchema, Measurement, Measuring, Watching, columns, named,
};
use crate::tap::{measured_time, members};

impl MeasureSchema for study::Victims {
    fn names(&self) -> Vec<String> {
        named([
            "held_pkts",
            "held_s",
            "victim_pkts",
            "victim_ratio",
            "victim_held_s",
        ])
    }

    fn columns(&self) -> &'static [Column] {
        columns! {
            "flow_id": "The flow's number, as in flows.parquet.";
            "held_pkts": "Data packets that waited at a paused port; one that does so twice counts twice.";
            "held_s": "The time for which pauses held them.";
            "victim_pkts": "Those whose next port had no packet waiting at some time since a pause held them.";
            "victim_held_s": "The time for which pauses held these.";
        }
    }
}

impl Measuring for study::Victims {
    fn probe(&self, model: &Model) -> Option<Box<dyn Watching>> {
        let is_meant = members(model, &self.flows);
        Some(Box::new(Victims {
            flows: is_meant
                .into_iter()
                .map(|is_meant| is_meant.then(Held::default))
                .collect(),
            classes: model.flows.iter().map(|flow| flow.class).collect(),
            ports: model.links.iter().map(|_| Port::default()).collect(),
            on_wires: BTreeMap::new(),
            measured: measured_time(model),
        }))
    }
}

/// The packets of a flow that pauses held, and the victims among them.
#[derive(Clone, Copy, Debug, Default)]
struct Held {
    packets: u64,
    ps: u128,
    victims: u64,
    victims_ps: u128,
}

/// A port: the times at which the packets that wait there joined, the last time at which none did, and
/// its pauses since the first of them joined.
#[derive(Clone, Debug, Default)]
struct Port {
    joined: VecDeque<Time>,
    emptied: Time,
    pauses: VecDeque<(Time, HeldClasses)>,
}

/// The part of a packet's wait in which its port was paused.
#[derive(Clone, Copy, Debug)]
struct Pause {
    began: Time,
    lasted: Span,
}

impl Port {
    /// The part of the time from `joined` to `now` in which the port held packets of a class.
    fn held(&self, class: u16, joined: Time, now: Time) -> Option<Pause> {
        let ends = self.pauses.iter().skip(1).map(|(at, _)| *at);
        let periods = self.pauses.iter().zip(ends.chain([now]));
        let held = periods.filter(|((_, held), end)| held.holds(class) && *end > joined);
        let parts = held.map(|((from, _), end)| Pause {
            began: (*from).max(joined),
            lasted: end - (*from).max(joined),
        });
        parts
            .filter(|part| !part.lasted.is_zero())
            .reduce(|sum, part| Pause {
                lasted: sum.lasted + part.lasted,
                ..sum
            })
    }

    /// True if no packet waits, or none did at some time since then.
    fn was_empty_since(&self, then: Time) -> bool {
        self.joined.is_empty() || self.emptied >= then
    }

    fn is_paused(&mut self, now: Time, held: HeldClasses) {
        self.pauses.push_back((now, held));
        self.forget_pauses();
    }

    fn leaves(&mut self, now: Time, joined: Time) {
        let place = self.joined.partition_point(|other| *other < joined);
        self.joined.remove(place);
        if self.joined.is_empty() {
            self.emptied = now;
        }
        self.forget_pauses();
    }

    /// Forgets what no waiting packet has seen.
    fn forget_pauses(&mut self) {
        let oldest = self.joined.front().copied().unwrap_or(Time::NEVER);
        while self.pauses.get(1).is_some_and(|(next, _)| *next <= oldest) {
            self.pauses.pop_front();
        }
    }
}

/// A packet, as far as its copies need no telling apart.
type Identity = (FlowId, u32, u32);

fn identity(packet: &Packet) -> Identity {
    (packet.flow, packet.seq, packet.tag)
}

struct Victims {
    /// The measured flows among all.
    flows: Vec<Option<Held>>,
    /// The class of each flow.
    classes: Vec<u16>,
    ports: Vec<Port>,
    /// Packets that were held at a port and have not come to the next, and when.
    on_wires: BTreeMap<Identity, Pause>,
    measured: (Time, Time),
}

impl Victims {
    fn flow(&mut self, packet: &Packet) -> Option<&mut Held> {
        let is_data = packet.kind() == Kind::Data;
        is_data.then(|| self.flows[packet.flow.index()].as_mut())?
    }
}

impl Probe for Victims {
    fn paused(&mut self, now: Time, link: LinkId, held: HeldClasses) {
        self.ports[link.index()].is_paused(now, held);
    }

    fn queued(&mut self, now: Time, link: LinkId, packet: &Packet) {
        let port = &mut self.ports[link.index()];
        let pause = self.on_wires.remove(&identity(packet));
        let victim = pause.filter(|pause| port.was_empty_since(pause.began));
        port.joined.push_back(now);
        if let Some(pause) = victim
            && let Some(flow) = self.flow(packet)
        {
            flow.victims += 1;
            flow.victims_ps += u128::from(pause.lasted.as_ps());
        }
    }

    fn accepted(&mut self, now: Time, link: LinkId, packet: &Packet, passage: Passage) {
        let port = &mut self.ports[link.index()];
        let class = self.classes[packet.flow.index()];
        let held = port.held(class, passage.joined, now);
        port.leaves(now, passage.joined);
        let (from, to) = self.measured;
        if let Some(pause) = held.filter(|_| from <= now && now <= to)
            && let Some(flow) = self.flow(packet)
        {
            flow.packets += 1;
            flow.ps += u128::from(pause.lasted.as_ps());
            self.on_wires.insert(identity(packet), pause);
        }
    }

    fn dropped(&mut self, now: Time, link: LinkId, packet: &Packet, cause: DropCause) {
        self.on_wires.remove(&identity(packet));
        if let DropCause::PushedOut { arrived } | DropCause::Departure { arrived } = cause {
            self.ports[link.index()].leaves(now, arrived);
        }
    }

    fn delivered(&mut self, _: Time, packet: &Packet) {
        self.on_wires.remove(&identity(packet));
    }
}

impl Watching for Victims {
    fn found(self: Box<Self>, _: Time) -> Measurement {
        let numbered = self.flows.iter().enumerate();
        let flows: Vec<(usize, Held)> = numbered
            .filter_map(|(flow, held)| Some((flow, (*held)?)))
            .collect();
        let sum = |of: fn(&Held) -> f64| flows.iter().map(|(_, held)| of(held)).sum::<f64>();
        let packets = sum(|held| held.packets as f64);
        let victims = sum(|held| held.victims as f64);
        let row = |(flow, held): &(usize, Held)| -> Vec<Cell> {
            let numbers = [
                *flow as f64,
                held.packets as f64,
                held.ps as f64 / 1e12,
                held.victims as f64,
                held.victims_ps as f64 / 1e12,
            ];
            numbers.map(Some).to_vec()
        };
        Measurement {
            numbers: vec![
                Some(packets),
                Some(sum(|held| held.ps as f64 / 1e12)),
                Some(victims),
                (packets > 0.0).then(|| victims / packets),
                Some(sum(|held| held.victims_ps as f64 / 1e12)),
            ],
            rows: flows.iter().map(row).collect(),
        }
    }
}
