//! The edge nodes of a core that protects packets.

use std::ops::Range;

use pacesim_keys::{Acks, CoderPlace, FecGroup};

/// The edge nodes of an entry, by their numbers.
#[derive(Clone, Debug)]
pub(crate) struct Edges {
    pub(crate) ingress: Range<u32>,
    pub(crate) egress: Range<u32>,
    pub(crate) acks: Acks,
    pub(crate) place: CoderPlace,
}

impl Edges {
    pub(crate) fn new(group: &FecGroup, ingress: Range<u32>, egress: Range<u32>) -> Edges {
        Edges {
            ingress,
            egress,
            acks: group.acks,
            place: group.place,
        }
    }
}
