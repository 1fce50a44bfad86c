//! An independent account of every packet, kept by a probe.

use std::collections::BTreeMap;

use pacesim::World;
use pacesim::model::Model;
use pacesim::net::{DropCause, Kind, MiddleboxId, Packet, Passage, Probe};
use pacesim::units::{FlowId, LinkId, NodeId, Time};

/// The fates of the packets of one flow and kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Account {
    sent: u64,
    /// Packets created by middleboxes, and packets absorbed by them or ignored by an end.
    created: u64,
    absorbed: u64,
    delivered: u64,
    dropped: u64,
    lost: u64,
}

/// Counts packets as seen by a probe.
#[derive(Clone, Debug)]
pub(crate) struct Ledger {
    /// The end points of each flow, and the start of each link.
    ends: Vec<[NodeId; 2]>,
    begins: Vec<NodeId>,
    accounts: BTreeMap<(u32, bool), Account>,
    /// Packets accepted by lines.
    accepted: u64,
    /// Packets in pacers.
    held: u64,
    /// Packets in queues other than plain ones.
    queued: u64,
    wire_losses: u64,
    /// Packets that have left a pacer or a queue and await the next stage's answer. A line that
    /// becomes free takes another packet before a queue takes one from a pacer, so there may be
    /// two.
    passing: u32,
    events: u64,
}

impl Ledger {
    /// The ledger of a world of this model, before anything has happened.
    pub(crate) fn new(model: &Model) -> Ledger {
        Ledger {
            ends: model
                .flows
                .iter()
                .map(|flow| [flow.from, flow.to])
                .collect(),
            begins: model.links.iter().map(|link| link.from).collect(),
            accounts: BTreeMap::new(),
            accepted: 0,
            held: 0,
            queued: 0,
            wire_losses: 0,
            passing: 0,
            events: 0,
        }
    }

    /// The number of events.
    pub(crate) fn events(&self) -> u64 {
        self.events
    }

    fn account(&mut self, packet: &Packet) -> &mut Account {
        self.events += 1;
        let of = (packet.flow.0, packet.kind() == Kind::Ack);
        self.accounts.entry(of).or_default()
    }

    /// Notes that a stage of a port receives a packet, which has just arrived at the port if it was
    /// in no stage before.
    fn arrives(&mut self, link: LinkId, packet: &Packet) {
        if self.passing > 0 {
            self.passing -= 1;
            return;
        }
        // No route returns to its origin.
        let end = usize::from(packet.kind() == Kind::Ack);
        let is_first = self.begins[link.index()] == self.ends[packet.flow.index()][end];
        let begins = is_first && !is_made(packet);
        self.account(packet).sent += u64::from(begins);
    }

    /// Checks the balance; returns the discrepancy.
    pub(crate) fn audit<P: Probe>(&self, world: &World<P>) -> Result<(), String> {
        // A delay box at the end of a route has packets that no port has seen yet, or will ever
        // see.
        if !world.model().middleboxes.is_empty() {
            return self.audit_links(world);
        }
        let mut alive = 0;
        for ((flow, is_ack), account) in &self.accounts {
            let gone = account.delivered + account.dropped + account.lost + account.absorbed;
            let left = (account.sent + account.created).checked_sub(gone);
            alive +=
                left.ok_or_else(|| format!("flow {flow}: more came than went: {account:?}"))?;
            if !is_ack {
                self.audit_flow(world, *flow, account)?;
            }
        }
        // Packets on lines or waiting for them, in other queues, and in pacers.
        let there = self.accepted - world.packet_hops() + self.queued + self.held;
        // Packets inside middleboxes are in none of these places.
        let links = &world.model().links;
        let has_middleboxes = !world.model().protections.is_empty()
            || links.iter().any(|link| link.extras.behind() > 0);
        let known = [("accounts", alive), ("places", there)];
        for (what, counted) in &known[..2 - usize::from(has_middleboxes)] {
            let counted = *counted;
            if counted != world.in_flight() {
                let known = world.in_flight();
                return Err(format!(
                    "{known} packets in flight, {counted} by their {what}"
                ));
            }
        }
        self.audit_links(world)
    }

    fn audit_flow<P: Probe>(
        &self,
        world: &World<P>,
        flow: u32,
        account: &Account,
    ) -> Result<(), String> {
        let tally = world.flow(FlowId(flow));
        let counted = [
            tally.sent,
            tally.created,
            tally.absorbed,
            tally.delivered,
            tally.dropped,
            tally.lost,
        ]
        .map(|v| v.packets);
        let seen = [
            account.sent,
            account.created,
            account.absorbed,
            account.delivered,
            account.dropped,
            account.lost,
        ];
        if counted == seen {
            Ok(())
        } else {
            Err(format!(
                "flow {flow}: {counted:?} packets, seen were {seen:?}"
            ))
        }
    }

    fn audit_links<P: Probe>(&self, world: &World<P>) -> Result<(), String> {
        let links = (0..world.model().links.len()).map(LinkId::from_index);
        let counters = links.clone().map(|link| world.link(link));
        let accepted: u64 = counters.clone().map(|link| link.accepted.packets).sum();
        let lost: u64 = counters.map(|link| link.lost.packets).sum();
        let held = links.clone().filter_map(|link| world.held(link));
        let held: u64 = held.map(|stage| stage.held().packets).sum();
        let queued = links.filter_map(|link| world.queued(link));
        let queued: u64 = queued.map(|stage| stage.held().packets).sum();
        let counted = [accepted, lost, held, queued];
        let seen = [self.accepted, self.wire_losses, self.held, self.queued];
        if counted == seen {
            Ok(())
        } else {
            Err(format!("links: {counted:?} packets, seen were {seen:?}"))
        }
    }
}

/// True if a middlebox created it.
fn is_made(packet: &Packet) -> bool {
    packet.kind() == Kind::Auxiliary || packet.is_repaired()
}

impl Probe for Ledger {
    fn accepted(&mut self, _: Time, link: LinkId, packet: &Packet, _: Passage) {
        self.accepted += 1;
        self.arrives(link, packet);
    }

    fn held(&mut self, _: Time, link: LinkId, packet: &Packet) {
        self.held += 1;
        self.arrives(link, packet);
    }

    fn released(&mut self, _: Time, _: LinkId, _: &Packet, _: Time) {
        self.held -= 1;
        self.passing += 1;
    }

    fn queued(&mut self, _: Time, link: LinkId, packet: &Packet) {
        self.queued += 1;
        self.arrives(link, packet);
    }

    fn dequeued(&mut self, _: Time, _: LinkId, _: &Packet, _: Time) {
        self.queued -= 1;
        self.passing += 1;
    }

    fn dropped(&mut self, _: Time, link: LinkId, packet: &Packet, cause: DropCause) {
        match cause {
            DropCause::Wire => {
                self.wire_losses += 1;
                self.account(packet).lost += 1;
                return;
            }
            DropCause::PushedOut { .. } | DropCause::Departure { .. } => self.queued -= 1,
            _ => self.arrives(link, packet),
        }
        self.account(packet).dropped += 1;
    }

    fn created(&mut self, _: Time, _: MiddleboxId, packet: &Packet) {
        self.account(packet).created += 1;
    }

    fn absorbed(&mut self, _: Time, _: MiddleboxId, packet: &Packet) {
        self.account(packet).absorbed += 1;
    }

    fn delivered(&mut self, _: Time, packet: &Packet) {
        match packet.kind() {
            Kind::Auxiliary => self.account(packet).absorbed += 1,
            _ => self.account(packet).delivered += 1,
        }
    }
}
