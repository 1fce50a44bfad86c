//! Middleboxes behind the wires of links: their numbers, after those of the model and of pairs, and
//! paths that lead through them.

use std::collections::BTreeMap;
use std::ops::Range;

use pacesim_core::net::{Hop, Middlebox, MiddleboxId};
use pacesim_core::random::Streams;
use pacesim_units::{LinkId, Time};

use super::fec;
use crate::middlebox::Site;
use crate::model::{Model, Payload};

/// The numbers of the middleboxes of each link that has some.
pub(super) struct Behind(BTreeMap<LinkId, Range<u32>>);

impl Behind {
    pub(super) fn of(model: &Model) -> Behind {
        let [MiddleboxId(mut next), _] = fec::ids(model.middleboxes.len(), model.protections.len());
        let mut all = BTreeMap::new();
        for (i, link) in model.links.iter().enumerate() {
            let count = link.extras.behind() as u32;
            if count > 0 {
                all.insert(LinkId::from_index(i), next..next + count);
                next += count;
            }
        }
        Behind(all)
    }

    /// The hop over a link, and those through the middleboxes behind its wire.
    pub(super) fn hops(&self, link: LinkId) -> impl Iterator<Item = Hop> {
        let boxes = self.0.get(&link).cloned().unwrap_or_default();
        let boxes = boxes.map(|id| Hop::Middlebox(MiddleboxId(id)));
        std::iter::once(Hop::Link(link)).chain(boxes)
    }
}

/// A middlebox of any kind, built-in or the user's own.
pub(super) type Part = Box<dyn Middlebox<Payload = Payload> + Send>;

/// The middleboxes behind all wires, in the order of their numbers.
pub(super) fn middleboxes(model: &Model, streams: &Streams) -> Vec<Part> {
    let mut made: Vec<Part> = Vec::new();
    let end = Time::ZERO.saturating_add(model.duration);
    for link in model.links.iter().filter(|link| link.extras.behind() > 0) {
        let component = format!("link/{}", link.name);
        if let Some(jitter) = &link.extras.jitter {
            let stream = streams.stream(&component, "jitter");
            made.push(Box::new(jitter.build(stream)));
        }
        let host = model.nodes[link.to.index()].name.to_string();
        for (i, part) in link.extras.middleboxes.iter().enumerate() {
            let node = host.clone();
            let stream = streams.stream(&format!("{component}/middlebox[{i}]"), "middlebox");
            made.push(part.build(Site { node, stream }));
        }
        if let Some(arrivals) = &link.extras.host_arrivals {
            made.push(Box::new(arrivals.build(streams, &host, end)));
        }
    }
    made
}
