//! Cards of hosts: they take packets from connections in turn when their port is ready, so that none
//! waits there while a switch pauses the port or others are served.

use std::collections::VecDeque;

use pacesim_core::net::{Probe, RouteId};
use pacesim_units::{Bytes, LinkId, Span, Time};

use super::ends::SourceEnd;
use super::session::Session;
use super::{World, WorldNetwork};
use crate::model::Model;
use crate::model::transport::OwnTransport;

/// The card of a port.
#[derive(Debug)]
pub(super) struct Card {
    link: LinkId,
    /// Connections that wait for the port, in turn.
    waiting: VecDeque<u32>,
}

/// Gives a session what its transport knows of its way, and the card of its host if that asks for
/// its packets.
pub(super) fn equip(
    session: &mut Session,
    model: &Model,
    network: &mut WorldNetwork,
    cards: &mut Vec<Card>,
) {
    let Some(transport) = &session.transport else {
        return;
    };
    let is_pulled = OwnTransport::is_pulled(transport);
    let first = session.routes.map(|route| network.path(route).next());
    session.lines = first.map(|link| {
        let link = link.expect("a route has a link");
        model.links[link.index()].rate
    });
    let config = &session.config;
    let sizes = [config.payload + config.header, config.ack_size];
    let spans = session.routes.into_iter().zip(sizes);
    let spans = spans.map(|(route, size)| crossing(model, network, route, size));
    session.round_trip = Span::from_ps(spans.fold(0, u64::saturating_add));
    session.hops = network.path(session.routes[0]).count() as u32;
    if let (true, Some(link)) = (is_pulled, first[0]) {
        let known = cards.iter().position(|card| card.link == link);
        session.card = Some(known.unwrap_or_else(|| {
            network.tell_ready(link);
            let waiting = VecDeque::new();
            cards.push(Card { link, waiting });
            cards.len() - 1
        }) as u32);
    }
}

/// The time that a packet takes over idle links, in picoseconds.
fn crossing(model: &Model, network: &WorldNetwork, route: RouteId, size: Bytes) -> u64 {
    let links = network.path(route).map(|id| &model.links[id.index()]);
    let spans = links.flat_map(|link| [Some(link.delay), link.rate.transmission_time(size)]);
    let spans = spans.flatten().map(Span::as_ps);
    spans.fold(0, u64::saturating_add)
}

impl<P: Probe> World<P> {
    /// True if a connection may be asked for a packet now. If its card is not ready, it waits there.
    #[inline]
    pub(super) fn may_transmit(&mut self, id: u32) -> bool {
        let connection = &mut self.connections[id as usize];
        let Some(card) = self.sessions[connection.session as usize].card else {
            return true;
        };
        let card = &mut self.cards[card as usize];
        let class = self.model.flows[connection.flow.index()].class;
        if self.network.is_ready(card.link, class) {
            return true;
        }
        if let SourceEnd::Own(end) = &mut connection.sender
            && !end.is_waiting
        {
            end.is_waiting = true;
            card.waiting.push_back(id);
        }
        false
    }

    /// Ports have become ready: their cards ask the connections that wait, in turn.
    pub(super) fn serve_cards(&mut self, now: Time, began: Time) {
        while let Some(link) = self.network.take_ready() {
            let Some(card) = self.cards.iter().position(|card| card.link == link) else {
                continue;
            };
            for _ in 0..self.cards[card].waiting.len() {
                if !self.network.is_idle(link) {
                    break;
                }
                let next = self.cards[card].waiting.pop_front();
                let id = next.expect("as many as were counted");
                // The place may belong to another connection by now.
                if let SourceEnd::Own(end) = &mut self.connections[id as usize].sender
                    && std::mem::take(&mut end.is_waiting)
                {
                    self.pump_own(id, now, began);
                }
            }
        }
    }
}
