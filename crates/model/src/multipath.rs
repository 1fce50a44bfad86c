//! The choice among paths of equal cost by a hash, as in switches.

use pacesim_core::random::{Rng, Streams};
use pacesim_units::{LinkId, NodeId, Span};

use crate::Model;

/// The most paths of equal cost among which one flow may choose.
pub const MOST_PATHS: usize = 4096;

/// The choice of a flow's packets among its paths of equal cost, both ways.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PathRule {
    /// All take the path whose links come first.
    #[default]
    First,
    /// The sender has chosen the path at this place, in the order of their links.
    Nth(u32),
    /// The same with another place for the way back.
    Apart([u32; 2]),
    /// Switches hash each packet to one of their next links.
    Hashed(Hashed),
    /// Each packet takes a path of its own.
    Sprayed(Spray),
    /// A packet takes a path drawn anew if the previous one was sent this long before; otherwise
    /// that of the previous one.
    Flowlets(Span),
    /// Each switch sends a packet over the link with the fewest bytes waiting there, of this many
    /// drawn at random and of that of the packet before (DRILL).
    LeastLoaded(u32),
    /// The model's own choice, packet by packet: [`Model::path_choice`].
    Own,
}

impl PathRule {
    /// True if packets of one connection take several paths.
    pub const fn divides_connections(self) -> bool {
        match self {
            PathRule::First | PathRule::Nth(_) | PathRule::Apart(_) | PathRule::Hashed(_) => false,
            PathRule::Sprayed(_)
            | PathRule::Flowlets(_)
            | PathRule::LeastLoaded(_)
            | PathRule::Own => true,
        }
    }
}

/// The words of a packet that switches hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hashed {
    /// Hosts and ports: those of a connection, by this number of its flow.
    Connection(u32),
    /// Hosts alone: all connections between two of them share a path.
    Hosts,
}

impl Hashed {
    /// The words of a packet from one node to another: of a call of the flow, by its number. The last are the ports, which are
    /// turned on the way back.
    pub(crate) fn words(self, [from, to]: [NodeId; 2], call: u32) -> [u32; 3] {
        let ports = match self {
            // Neighbouring flows have neighbouring numbers, so calls are far apart.
            Hashed::Connection(flow) => flow.wrapping_add(call.wrapping_mul(0x9e37_79b1)),
            Hashed::Hosts => 0,
        };
        [from.0, to.0, ports]
    }
}

/// The order in which packets take the paths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spray {
    /// Each path once a round, in an order drawn for each round.
    #[default]
    Permuted,
    /// Each packet draws its path.
    Random,
    /// Each path once a round, always in the same order, from a path that is drawn.
    Round,
}

/// The salts with which switches hash connections.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Salts {
    /// Each switch has a random one of its own.
    #[default]
    Own,
    /// All have the same, so that switches in a row choose alike: paths polarise.
    Same,
    /// Each has the number of its node.
    Numbers,
}

/// MurmurHash3 of 32 bits over three little-endian words: source, destination and ports.
pub fn path_hash(words: [u32; 3], salt: u32) -> u32 {
    let mixed = words.into_iter().fold(salt, |hash, word| {
        let word = word.wrapping_mul(0xcc9e_2d51).rotate_left(15);
        let hash = hash ^ word.wrapping_mul(0x1b87_3593);
        hash.rotate_left(13)
            .wrapping_mul(5)
            .wrapping_add(0xe654_6b64)
    });
    let hash = mixed ^ 12;
    let hash = (hash ^ hash >> 16).wrapping_mul(0x85eb_ca6b);
    let hash = (hash ^ hash >> 13).wrapping_mul(0xc2b2_ae35);
    hash ^ hash >> 16
}

/// The salt of each node, at the links that leave it.
#[derive(Clone, Debug, Default)]
pub struct SaltOfLinks(Vec<u32>);

impl SaltOfLinks {
    /// The salts of a model in which connections choose paths; none in others.
    pub fn of(model: &Model) -> SaltOfLinks {
        if !model
            .flows
            .iter()
            .any(|flow| matches!(flow.path, PathRule::Hashed(_)))
        {
            return SaltOfLinks::default();
        }
        let streams = Streams {
            seed: model.seed,
            replication: model.replication,
        };
        let salt = |(i, node): (u32, &crate::Node)| match model.salts {
            Salts::Own => {
                let mut stream = streams.stream(&format!("switch/{}", node.name), "salt");
                (stream.next_u64() >> 32) as u32
            }
            Salts::Same => 0,
            Salts::Numbers => i,
        };
        let of_nodes: Vec<u32> = (0..).zip(&model.nodes).map(salt).collect();
        let links = model.links.iter();
        SaltOfLinks(links.map(|link| of_nodes[link.from.index()]).collect())
    }

    /// The salt of the node that this link leaves.
    pub(crate) fn at(&self, link: LinkId) -> u32 {
        self.0[link.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Vectors of the hash in the simulator of HPCC's authors.
    #[test]
    fn the_hash_is_that_of_murmur_3() {
        for (words, salt, hash) in [
            (
                [184_608_513, 184_610_305, 10_028 | 132 << 16],
                150,
                4_225_693_563,
            ),
            (
                [184_574_209, 184_573_441, 10_032 | 130 << 16],
                161,
                222_360_259,
            ),
        ] {
            assert_eq!(path_hash(words, salt), hash);
        }
    }
}
