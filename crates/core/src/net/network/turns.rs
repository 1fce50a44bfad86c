//! Ways from junctions to destinations, and the turns that packets make there.

use pacesim_units::{LinkId, NodeId};

use super::routes::GONE;

/// The hop at which the way to each of consecutive destinations begins, or [`GONE`].
#[derive(Debug, Default)]
pub(super) struct Ways {
    first: u32,
    starts: Vec<u32>,
}

impl Ways {
    pub(super) fn to(&self, node: NodeId) -> Option<u32> {
        let start = *self.starts.get(node.0.wrapping_sub(self.first) as usize)?;
        (start != GONE).then_some(start)
    }

    pub(super) fn set(&mut self, node: NodeId, start: u32) {
        if self.starts.is_empty() {
            self.first = node.0;
        }
        if let Some(missing) = self.first.checked_sub(node.0) {
            let missing = std::iter::repeat_n(GONE, missing as usize);
            self.starts.splice(0..0, missing);
            self.first = self.first.min(node.0);
        }
        let place = (node.0 - self.first) as usize;
        if place >= self.starts.len() {
            self.starts.resize(place + 1, GONE);
        }
        self.starts[place] = start;
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }
}

/// The links to which packets turn at junctions, by the link that they come from.
#[derive(Debug, Default)]
pub(super) struct Turns {
    from_links: Vec<Vec<LinkId>>,
    /// Packets come from a middlebox.
    others: Vec<LinkId>,
}

impl Turns {
    pub(super) fn note(&mut self, from: Option<LinkId>, to: LinkId) {
        let noted = match from.map(LinkId::index) {
            None => &mut self.others,
            Some(link) => {
                if link >= self.from_links.len() {
                    self.from_links.resize(link + 1, Vec::new());
                }
                &mut self.from_links[link]
            }
        };
        if !noted.contains(&to) {
            noted.push(to);
        }
    }

    pub(super) fn from(&self, link: LinkId) -> impl Iterator<Item = LinkId> + '_ {
        let noted = self.from_links.get(link.index()).into_iter().flatten();
        noted.copied()
    }

    pub(super) fn pairs(&self) -> impl Iterator<Item = (Option<LinkId>, LinkId)> + '_ {
        let links = (0..self.from_links.len()).map(LinkId::from_index);
        let pairs = links.flat_map(|link| self.from(link).map(move |to| (Some(link), to)));
        pairs.chain(self.others.iter().map(|to| (None, *to)))
    }
}
