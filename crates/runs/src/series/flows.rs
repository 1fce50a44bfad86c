//! Time series of flows and groups of flows.

use std::ops::Range;
use std::sync::Arc;

use pacesim::model::{Model, SeriesFilter};
use pacesim::net::Probe;
use pacesim::units::FlowId;
use pacesim::{FlowReading, World};
use pacesim_tables::TableError;

use crate::series::ends::EndSheet;
use crate::series::rows::Rows;
use crate::series::sheet::{Moment, Sheet, SheetKind};

pub(super) const METRICS: [&str; 10] = [
    "throughput_bps",
    "goodput_bps",
    "dropped_pkts",
    "lost_pkts",
    "retransmitted_pkts",
    "timeouts",
    "cwnd_pkts",
    "in_flight_pkts",
    "srtt_s",
    "busy_connections",
];

const OF_INTERVALS: usize = 6;

const FLOW: SheetKind<10> = SheetKind {
    of: "flow",
    metrics: METRICS,
    of_intervals: OF_INTERVALS,
};

const GROUP: SheetKind<10> = SheetKind {
    of: "group",
    ..FLOW
};

pub(super) struct FlowSeries {
    flows: Watched,
    groups: Watched,
}

impl FlowSeries {
    /// The series that the filter requests, if any.
    pub(super) fn new(model: &Model, filter: &SeriesFilter) -> Option<FlowSeries> {
        let is_asked = !filter.flows.is_empty() || !filter.groups.is_empty();
        is_asked.then(|| FlowSeries {
            flows: Watched::flows(model, &filter.flows),
            groups: Watched::groups(model, &filter.groups),
        })
    }

    pub(super) fn sample<P: Probe>(
        &mut self,
        world: &World<P>,
        moment: Moment,
        rows: &mut Rows,
    ) -> Result<(), TableError> {
        let all = world.read_flows();
        for watched in [&mut self.flows, &mut self.groups] {
            watched.take(&all, moment.interval_s());
            watched.sheet.write(moment, rows)?;
            watched.ends.write(world, moment, rows)?;
        }
        Ok(())
    }
}

/// Entities made of one or several flows each.
struct Watched {
    members: Vec<Range<usize>>,
    before: Vec<FlowReading>,
    sheet: Sheet<10>,
    ends: EndSheet,
}

impl Watched {
    fn flows(model: &Model, flows: &[FlowId]) -> Watched {
        let members = flows.iter().map(|flow| flow.index()..flow.index() + 1);
        let names = flows.iter().map(|flow| model.flow_name(*flow).into());
        Watched::new(&FLOW, members.collect(), names.collect())
    }

    /// The groups of these flows. The flows of a group are adjacent.
    fn groups(model: &Model, flows: &[FlowId]) -> Watched {
        let (mut members, mut names): (Vec<Range<usize>>, Vec<Arc<str>>) = (Vec::new(), Vec::new());
        for flow in flows.iter().map(|flow| flow.index()) {
            if members.last().is_some_and(|last| last.contains(&flow)) {
                continue;
            }
            let group = &model.flows[flow].group;
            let first = flow - model.flows[flow].index as usize;
            let own = model.flows[first..].iter();
            let count = own.take_while(|other| other.group == *group).count();
            members.push(first..first + count);
            names.push(group.clone());
        }
        Watched::new(&GROUP, members, names)
    }

    fn new(
        kind: &'static SheetKind<10>,
        members: Vec<Range<usize>>,
        names: Vec<Arc<str>>,
    ) -> Watched {
        let of_ends = names.iter().cloned().zip(members.iter().map(ids));
        Watched {
            ends: EndSheet::new(kind.of, of_ends.collect()),
            before: vec![FlowReading::default(); members.len()],
            members,
            sheet: Sheet::new(kind, names),
        }
    }

    fn take(&mut self, all: &[FlowReading], interval_s: f64) {
        for (members, before) in self.members.iter().zip(&mut self.before) {
            let mut now = FlowReading::default();
            all[members.clone()].iter().for_each(|flow| now += *flow);
            self.sheet.push(values(&(now - *before), interval_s));
            *before = now;
        }
    }
}

fn ids(members: &Range<usize>) -> Range<u32> {
    members.start as u32..members.end as u32
}

/// Windows and other sender state exist only for TCP.
fn values(reading: &FlowReading, interval_s: f64) -> [f64; 10] {
    let bps = |bytes: u64| bytes as f64 * 8.0 / interval_s;
    let senders = reading.senders.as_ref();
    let count = |count: Option<u64>| count.map_or(f64::NAN, |count| count as f64);
    [
        bps(reading.delivered_bytes),
        bps(reading.goodput_bytes),
        reading.dropped_pkts as f64,
        reading.lost_pkts as f64,
        count(senders.map(|senders| senders.retransmitted_pkts)),
        count(senders.map(|senders| senders.timeouts)),
        senders.map_or(f64::NAN, |senders| senders.cwnd_pkts),
        count(senders.map(|senders| senders.in_flight_pkts)),
        senders.map_or(f64::NAN, |senders| senders.srtt_s().unwrap_or(0.0)),
        count(senders.map(|senders| senders.busy_connections)),
    ]
}
