//! What passes at one link of a simulation.

use pacesim::model::Model;
use pacesim::net::{Kind, Packet, Passage, Probe};
use pacesim::units::{LinkId, Time};

/// The link of this name.
pub(super) fn link(model: &Model, name: &str) -> LinkId {
    let place = model.links.iter().position(|link| link.name == name);
    LinkId::from_index(place.expect("experiments name links that are there"))
}

/// Data packets at one link: when each came to its port and was released by its pacer,
/// and when its last bit left.
pub(super) struct Passages {
    link: LinkId,
    from: Time,
    /// Arrival and release.
    pub(super) released: Vec<(Time, Time)>,
    pub(super) left: Vec<Time>,
}

impl Passages {
    /// An observer of this link, from a time on.
    pub(super) fn new(model: &Model, name: &str, from: Time) -> Passages {
        Passages {
            link: link(model, name),
            from,
            released: Vec::new(),
            left: Vec::new(),
        }
    }

    fn counts(&self, now: Time, link: LinkId, packet: &Packet) -> bool {
        link == self.link && now >= self.from && packet.kind == Kind::Data
    }
}

impl Probe for Passages {
    fn released(&mut self, now: Time, link: LinkId, packet: &Packet, arrived: Time) {
        if self.counts(now, link, packet) {
            self.released.push((arrived, now));
        }
    }

    fn accepted(&mut self, now: Time, link: LinkId, packet: &Packet, passage: Passage) {
        if self.counts(now, link, packet) {
            self.left.push(passage.departure);
        }
    }
}
