//! Result rows, from counters since the warm-up.

use pacesim_core::net::{Counters, HoldCounters, Mark, Probe, Volume};
use pacesim_measure::record::{FecRow, FlowRow, LinkRow};
use pacesim_measure::{Quantiles, loss_ratio};
use pacesim_pacers::Use;
use pacesim_tcp::Limit;
use pacesim_units::{FlowId, LinkId};

use super::World;
use super::chosen_paths::ChosenPaths;
use super::classes::ClassTally;
use super::fec::{FecDecoder, FecEncoder};
use super::pairs::{PairCounters, decoder_of, encoder_of};
use super::presence::Presence;
use super::tally::FlowTally;
use super::totals::Totals;
use crate::model::{Carrier, Flow, Link, PortQueue, Protection};

impl<P: Probe> World<P> {
    /// A row for each link, from the warm-up to now.
    pub fn link_rows(&self) -> Vec<LinkRow> {
        let row = |i: usize| {
            let id = LinkId::from_index(i);
            let at_port = self.at_port(id);
            let at_start = at_port.window.at_start();
            let now = self.counters(id);
            let before = at_start.map_or_else(Counters::default, |start| start.links[i]);
            let mut row = link_row(self, &self.model.links[i], &now, &before);
            row.link_id = i as u32;
            if self.model.links[i].extras.mark.is_some() {
                add_marks(&mut row, &HoldCounters::default(), &HoldCounters::default());
            }
            if let Some(queue) = self.queued(id) {
                let before = at_start.and_then(|start| start.queue(id));
                let before = before.unwrap_or_default();
                add_marks(&mut row, &queue, &before);
                add_stage(&mut row, &queue, &before);
                add_queue(
                    &mut row,
                    &queue,
                    &before,
                    at_port.tallies.sojourns(id).as_ref(),
                );
                if let Some(PortQueue::Trim(_)) = self.model.links[i].extras.queue {
                    let trimmed = queue.trimmed - before.trimmed;
                    row.trimmed_pkts = Some(trimmed.packets);
                    row.trimmed_bytes = Some(trimmed.bytes);
                }
                if let Some(classes) = at_port.tallies.classes(id) {
                    add_classes(&mut row, classes);
                }
            }
            if let Some(memory) = self.shared_memory(id) {
                let before = at_start.and_then(|start| start.memory(id));
                let used = memory.used_byte_ps - before.unwrap_or_default().used_byte_ps;
                row.shared_mean_bytes = Some(ratio(used as f64, self.measured().as_ps() as f64));
                row.shared_max_bytes = Some(memory.most_used);
            }
            add_pauses(&mut row, self, id);
            if let Some(pacer) = self.held(id) {
                let before = at_start.and_then(|start| start.pacer(id));
                let before = before.unwrap_or_default();
                add_stage(&mut row, &pacer, &before);
                add_pacer(&mut row, self, &pacer, &before);
                let in_use = self.pacer(id).and_then(|pacer| pacer.in_use(self.now));
                let before = at_start.and_then(|start| start.rate(id));
                let share = |by_now: Use| by_now.share_since(before.unwrap_or_default());
                row.pacer_utilisation = in_use.and_then(share);
            }
            let at_queue = (row.dropped_pkts, row.arrived_pkts);
            row.loss_ratio = loss_ratio(at_queue, (row.lost_pkts, row.reached_pkts));
            row
        };
        (0..self.model.links.len()).map(row).collect()
    }

    /// A row for each flow, from the warm-up to now. Percentiles of delay need a probe that records
    /// them: [`Delays`](crate::delays::Delays).
    pub fn flow_rows(&self) -> Vec<FlowRow> {
        self.must_have_flows();
        let at_start = self.window.at_start();
        let none = FlowTally::default();
        let totals = self.session_totals();
        let mut ways = ChosenPaths::of(self);
        let row = |(i, now): (usize, FlowTally)| {
            let before = at_start.map_or(&none, |start| &start.flows[i]);
            let presence = self.presence(FlowId::from_index(i));
            let mut row = flow_row(self, &self.model.flows[i], &now, before);
            row.flow_id = i as u32;
            (row.path, row.paths) = ways.of_flow(FlowId::from_index(i));
            if let Some(bytes) = self.outside_goodput.get(&FlowId::from_index(i)) {
                row.goodput_bytes = *bytes;
            }
            if let Some(place) = self.session_of(FlowId::from_index(i)) {
                add_tcp(&mut row, self, (place, &totals[place]), presence);
            }
            add_rates(&mut row, presence);
            row
        };
        let ids = (0..self.model.flows.len()).map(FlowId::from_index);
        let tallies = ids.map(|flow| self.tally(flow));
        tallies.enumerate().map(row).collect()
    }
}

impl<P: Probe> World<P> {
    /// A row for each FEC pair, from the warm-up to now.
    pub fn fec_rows(&self) -> Vec<FecRow> {
        let row = |(i, protection): (usize, &Protection)| {
            let (encoder, decoder) = (self.encoder(i), self.decoder(i));
            let now = PairCounters::of(encoder, decoder);
            let mut row = fec_row(protection, &now, &self.pair_at_start(i));
            row.fec_id = i as u32;
            row.block_pkts = encoder.block();
            let (moments, quantiles) = decoder.delays();
            row.recovery_delay_mean_s = moments.mean().map(seconds);
            row.recovery_delay_p99_s = quantiles.quantile(0.99).map(|ps| seconds(ps as f64));
            row
        };
        let protections = self.model.protections.iter().enumerate();
        protections.map(row).collect()
    }

    /// Recovery delays of a pair, by its index in the model, in picoseconds since the warm-up: from
    /// the time a packet is known to be missing to its repair.
    pub fn recovery_delays(&self, pair: usize) -> &Quantiles {
        self.decoder(pair).delays().1
    }

    fn encoder(&self, pair: usize) -> &FecEncoder {
        let at = self.at_node(self.model.protections[pair].encoder);
        encoder_of(&at.network, self.pair(pair))
    }

    fn decoder(&self, pair: usize) -> &FecDecoder {
        let at = self.at_node(self.model.protections[pair].decoder);
        decoder_of(&at.network, self.pair(pair))
    }

    /// The counters of a pair at the end of the warm-up.
    fn pair_at_start(&self, pair: usize) -> PairCounters {
        let of = &self.model.protections[pair];
        let [encoder, decoder] = [of.encoder, of.decoder].map(|node| {
            let start = self.at_node(node).window.at_start();
            start.map_or_else(PairCounters::default, |start| start.pairs[pair])
        });
        PairCounters {
            entry: encoder.entry,
            exit: decoder.exit,
        }
    }
}

/// The requests of switches at a port, if there may be some.
fn add_pauses<P: Probe>(row: &mut LinkRow, world: &World<P>, id: LinkId) {
    let at_port = world.at_port(id);
    let asks = |node| world.model.asks(node);
    let link = &world.model.links[id.index()];
    let (may_be_asked, may_send) = (asks(link.to), asks(link.from));
    let Some(now) = at_port.network.pause_counters(id, world.now) else {
        return;
    };
    let before = at_port.window.at_start();
    let before = before.and_then(|start| start.pauses(id));
    let since = now - before.unwrap_or_default();
    if may_be_asked {
        row.pauses = Some(since.pauses);
        row.paused_s = Some(since.held_ps as f64 / 1e12);
        row.expired_pauses = Some(since.expired);
        if row.class0_dropped_pkts.is_some() {
            let seconds = |class: usize| Some(since.class_held_ps[class] as f64 / 1e12);
            row.class0_paused_s = seconds(0);
            row.class1_paused_s = seconds(1);
            row.class2_paused_s = seconds(2);
            row.class3_paused_s = seconds(3);
        }
    }
    row.pause_frames = may_send.then_some(since.frames.packets);
}

fn fec_row(protection: &Protection, now: &PairCounters, before: &PairCounters) -> FecRow {
    let protected = now.entry.protected - before.entry.protected;
    let repairs = now.entry.repairs - before.entry.repairs;
    let settled_pkts = (now.exit.settled - before.exit.settled).packets;
    let lost_pkts = now.exit.lost.saturating_sub(before.exit.lost);
    let (at_exit, at_start) = (now.exit.decoder, before.exit.decoder);
    let repaired_pkts = at_exit.repaired - at_start.repaired;
    let of_settled =
        |packets: u64| (settled_pkts > 0).then(|| packets as f64 / settled_pkts as f64);
    FecRow {
        pair: protection.name.clone(),
        group: protection.group.clone(),
        hops: protection.hops(),
        flows: protection.data.len() as u64,
        ack_flows: protection.acks.len() as u64,
        protected_pkts: protected.packets,
        protected_bytes: protected.bytes,
        repair_pkts: repairs.packets,
        repair_bytes: repairs.bytes,
        report_pkts: now.exit.reports - before.exit.reports,
        settled_pkts,
        lost_pkts,
        repaired_pkts,
        late_pkts: at_exit.late - at_start.late,
        loss_ratio: of_settled(lost_pkts),
        residual_loss_ratio: of_settled(lost_pkts.saturating_sub(repaired_pkts)),
        overhead_ratio: (protected.bytes > 0)
            .then(|| repairs.bytes as f64 / protected.bytes as f64),
        ..FecRow::default()
    }
}

fn link_row<P: Probe>(world: &World<P>, link: &Link, now: &Counters, before: &Counters) -> LinkRow {
    let accepted = now.accepted - before.accepted;
    let dropped = now.dropped - before.dropped;
    let lost = now.lost - before.lost;
    let left = now.left - before.left;
    let arrived = accepted + dropped;
    let ps = world.measured().as_ps() as f64;
    let name = |node: pacesim_units::NodeId| world.model.nodes[node.index()].name.to_string();
    LinkRow {
        link: link.name.to_string(),
        from: name(link.from),
        to: name(link.to),
        rate_bps: link.rate.as_bps(),
        delay_s: link.delay.as_secs_f64(),
        arrived_pkts: arrived.packets,
        arrived_bytes: arrived.bytes,
        dropped_pkts: dropped.packets,
        dropped_bytes: dropped.bytes,
        lost_pkts: lost.packets,
        lost_bytes: lost.bytes,
        left_pkts: left.packets,
        left_bytes: left.bytes,
        reached_pkts: now.reached - before.reached,
        marked_pkts: (now.marked - before.marked).packets,
        utilisation: now.utilisation_since(before, world.measured()),
        queue_mean_pkts: ratio(
            (now.waiting_packet_ps - before.waiting_packet_ps) as f64,
            ps,
        ),
        queue_max_pkts: now.max_waiting_packets,
        queue_mean_bytes: ratio((now.waiting_byte_ps - before.waiting_byte_ps) as f64, ps),
        queue_max_bytes: now.max_waiting_bytes,
        ..LinkRow::default()
    }
}

/// Packets that a stage took or refused arrived at the port; those that it released or dropped
/// later have already been counted elsewhere.
fn add_stage(row: &mut LinkRow, now: &HoldCounters, before: &HoldCounters) {
    let taken = now.taken - before.taken;
    let gone = now.released - before.released + (now.dropped - before.dropped);
    row.arrived_pkts = row.arrived_pkts + taken.packets - gone.packets;
    row.arrived_bytes = row.arrived_bytes + taken.bytes - gone.bytes;
}

/// The drops of the port's queue discipline, and the sojourn times in it.
fn add_queue(
    row: &mut LinkRow,
    now: &HoldCounters,
    before: &HoldCounters,
    sojourns: Option<&Quantiles>,
) {
    let since = |of: fn(&HoldCounters) -> Volume| (of(now) - of(before)).packets;
    let early = since(|all| all.refused_early);
    let pushed_out = since(|all| all.pushed_out);
    let sent = since(|all| all.released);
    row.full_pkts = Some(since(|all| all.refused) - early);
    row.early_pkts = Some(early);
    row.pushed_out_pkts = Some(pushed_out);
    row.departure_pkts = Some(since(|all| all.dropped) - pushed_out);
    let held_ps = (now.held_ps - before.held_ps) as f64;
    row.sojourn_mean_s = (sent > 0).then(|| seconds(held_ps / sent as f64));
    let quantile = |q| Some(seconds(sojourns?.quantile(q)? as f64));
    (row.sojourn_p50_s, row.sojourn_p99_s) = (quantile(0.5), quantile(0.99));
}

/// The marks of the port by reason. Marks not made by its queue discipline are those of a step.
fn add_marks(row: &mut LinkRow, now: &HoldCounters, before: &HoldCounters) {
    let of = |mark: Mark| now.marks[mark as usize] - before.marks[mark as usize];
    let others = [Mark::Law, Mark::Probability, Mark::Coupled, Mark::Forced].map(of);
    row.threshold_marked_pkts = Some(row.marked_pkts - others.iter().sum::<u64>());
    let [law, probability, coupled, forced] = others.map(Some);
    row.law_marked_pkts = law;
    row.probability_marked_pkts = probability;
    row.coupled_marked_pkts = coupled;
    row.forced_marked_pkts = forced;
}

/// The counters of each class that the port's queue discipline keeps apart.
fn add_classes(row: &mut LinkRow, classes: &[ClassTally; 4]) {
    let [zero, one, two, three] = classes;
    macro_rules! add {
        ($class:ident: $dropped:ident $full:ident $early:ident $pushed_out:ident $departure:ident $marked:ident $mean:ident $p50:ident $p99:ident) => {
            let quantile = |q| Some(seconds($class.sojourns.quantile(q)? as f64));
            let sent = $class.sojourns.count();
            row.$dropped = Some($class.dropped());
            row.$full = Some($class.full);
            row.$early = Some($class.early);
            row.$pushed_out = Some($class.pushed_out);
            row.$departure = Some($class.departure);
            row.$marked = Some($class.marked);
            row.$mean = (sent > 0).then(|| seconds($class.held_ps as f64 / sent as f64));
            (row.$p50, row.$p99) = (quantile(0.5), quantile(0.99));
        };
    }
    add!(zero: class0_dropped_pkts class0_full_pkts class0_early_pkts class0_pushed_out_pkts class0_departure_pkts class0_marked_pkts class0_sojourn_mean_s class0_sojourn_p50_s class0_sojourn_p99_s);
    add!(one: class1_dropped_pkts class1_full_pkts class1_early_pkts class1_pushed_out_pkts class1_departure_pkts class1_marked_pkts class1_sojourn_mean_s class1_sojourn_p50_s class1_sojourn_p99_s);
    add!(two: class2_dropped_pkts class2_full_pkts class2_early_pkts class2_pushed_out_pkts class2_departure_pkts class2_marked_pkts class2_sojourn_mean_s class2_sojourn_p50_s class2_sojourn_p99_s);
    add!(three: class3_dropped_pkts class3_full_pkts class3_early_pkts class3_pushed_out_pkts class3_departure_pkts class3_marked_pkts class3_sojourn_mean_s class3_sojourn_p50_s class3_sojourn_p99_s);
}

/// Adds the counters of the port's pacer.
fn add_pacer<P: Probe>(
    row: &mut LinkRow,
    world: &World<P>,
    now: &HoldCounters,
    before: &HoldCounters,
) {
    let released = now.released - before.released;
    let ps = world.measured().as_ps() as f64;
    let mean = |now: u128, before: u128| Some(ratio((now - before) as f64, ps));
    row.refused_pkts = Some((now.refused - before.refused).packets);
    row.held_mean_pkts = mean(now.held_packet_ps, before.held_packet_ps);
    row.held_mean_bytes = mean(now.held_byte_ps, before.held_byte_ps);
    row.held_max_pkts = Some(now.max_held_packets);
    row.held_max_bytes = Some(now.max_held_bytes);
    if released.packets > 0 {
        let held_ps = (now.held_ps - before.held_ps) as f64;
        row.pacing_delay_mean_s = Some(seconds(held_ps / released.packets as f64));
        row.pacing_delay_max_s = Some(seconds(now.longest_ps as f64));
    }
}

fn flow_row<P: Probe>(
    world: &World<P>,
    flow: &Flow,
    now: &FlowTally,
    before: &FlowTally,
) -> FlowRow {
    let sent = now.sent - before.sent;
    let delivered = now.delivered - before.delivered;
    let name = |node: pacesim_units::NodeId| world.model.nodes[node.index()].name.to_string();
    let dropped = |tally: &FlowTally| tally.dropped - tally.auxiliary_dropped;
    let lost = |tally: &FlowTally| tally.lost - tally.auxiliary_lost;
    let delay = &now.delay_ps;
    FlowRow {
        group: flow.group.to_string(),
        index: flow.index,
        src: name(flow.from),
        dst: name(flow.to),
        sent_pkts: sent.packets,
        sent_bytes: sent.bytes,
        delivered_pkts: delivered.packets,
        delivered_bytes: delivered.bytes,
        dropped_pkts: (dropped(now) - dropped(before)).packets,
        lost_pkts: (lost(now) - lost(before)).packets,
        repaired_pkts: (now.repaired - before.repaired).packets,
        marked_pkts: (now.marked - before.marked).packets,
        // Open-loop sources never retransmit.
        goodput_bytes: delivered.bytes,
        delay_mean_s: delay.mean().map(seconds),
        delay_std_s: delay.std_dev().map(seconds),
        delay_min_s: delay.min().map(|ps| seconds(ps as f64)),
        delay_max_s: delay.max().map(|ps| seconds(ps as f64)),
        ..FlowRow::default()
    }
}

/// Adds the rates of a flow, which are averages over its presence.
fn add_rates(row: &mut FlowRow, presence: Presence) {
    let seconds = presence.span().as_secs_f64();
    row.from_ps = presence.from.as_ps();
    row.until_ps = presence.until.as_ps();
    row.throughput_bps = ratio(row.delivered_bytes as f64 * 8.0, seconds);
    row.goodput_bps = ratio(row.goodput_bytes as f64 * 8.0, seconds);
}

/// Adds the columns that only the connections know.
fn add_tcp<P: Probe>(
    row: &mut FlowRow,
    world: &World<P>,
    (place, now): (usize, &Totals),
    presence: Presence,
) {
    let before = world
        .window
        .at_start()
        .map(|start| start.sessions[place])
        .unwrap_or_default();
    let session = &world.sessions[place];
    row.goodput_bytes = now.goodput_bytes - before.goodput_bytes;
    row.retransmitted_pkts = now.retransmitted - before.retransmitted;
    row.timeouts = now.timeouts - before.timeouts;
    row.fast_recoveries = now.fast_recoveries - before.fast_recoveries;
    if session.transport.is_some() {
        row.cnps = Some(now.notified - before.notified);
        row.nacks = Some(now.refused - before.refused);
    }
    let spent = |limit: Limit| now.limited[limit as usize] - before.limited[limit as usize];
    let ps = match session.carrier {
        Carrier::Same => presence.span().as_ps(),
        Carrier::New => Limit::ALL.into_iter().map(spent).sum(),
    };
    // Transports of users' own need not tell their limits.
    let is_told = session.transport.is_none() || Limit::ALL.into_iter().any(|of| spent(of) > 0);
    let share = |limit: Limit| (ps > 0 && is_told).then(|| spent(limit) as f64 / ps as f64);
    row.window_limited = share(Limit::Window);
    row.congestion_limited = share(Limit::Congestion);
    row.data_limited = share(Limit::Data);
    row.pacing_limited = share(Limit::Pacing);
    let busy_ps = now.busy_ps - before.busy_ps;
    let slow_start_ps = now.slow_start_ps - before.slow_start_ps;
    row.transfer_s = Some(seconds(busy_ps as f64));
    row.slow_start = (busy_ps > 0).then(|| slow_start_ps as f64 / busy_ps as f64);
    let whole_s = |ps: u64| seconds(ps as f64);
    row.rtt_samples = session.rtt_ps.count();
    row.rtt_mean_s = session.rtt_ps.mean().map(seconds);
    row.rtt_p50_s = session.rtt_quantiles.quantile(0.5).map(whole_s);
    row.rtt_p95_s = session.rtt_quantiles.quantile(0.95).map(whole_s);
    row.rtt_p99_s = session.rtt_quantiles.quantile(0.99).map(whole_s);
}

fn seconds(ps: f64) -> f64 {
    ps / 1e12
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}
