//! A tournament over all components.

use pacesim_units::Time;

use pacesim_core::engine::{EventQueue, Ties};

/// A complete binary tree over the components: every inner node holds the earlier of its two
/// children. A change replays one path from a leaf, and stops as soon as the outcome is unchanged.
#[derive(Debug)]
pub struct WinnerTree {
    /// Node 1 is the root, leaves start at `leaves`; idle leaves hold "never".
    nodes: Vec<Match>,
    leaves: usize,
    /// Taken, but still in the tree: usually it is armed again at once, so that its path is
    /// replayed only once.
    taken: Option<u32>,
    began: Vec<Time>,
    words: Vec<u64>,
    ties: Ties,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Match {
    at: Time,
    id: u32,
}

impl WinnerTree {
    #[inline]
    fn earlier(&self, a: Match, b: Match) -> Match {
        let a_first = if a.at == b.at {
            self.ties_before(a.at, a.id, b.id)
        } else {
            a.at < b.at
        };
        if a_first { a } else { b }
    }

    #[cold]
    fn ties_before(&self, at: Time, a: u32, b: u32) -> bool {
        let key = |id: u32| {
            let began = self.began.get(id as usize).copied().unwrap_or(Time::NEVER);
            let word = self.words.get(id as usize).copied().unwrap_or_default();
            (began, self.ties.place(at, id, word), id)
        };
        key(a) < key(b)
    }

    #[inline]
    fn replay(&mut self, id: u32, at: Time) {
        let mut place = self.leaves + id as usize;
        let mut winner = Match { at, id };
        self.nodes[place] = winner;
        while place > 1 {
            winner = self.earlier(winner, self.nodes[place ^ 1]);
            place /= 2;
            if self.nodes[place] == winner && winner.id != id {
                return;
            }
            self.nodes[place] = winner;
        }
    }
}

impl EventQueue for WinnerTree {
    fn with_components(n: usize) -> WinnerTree {
        let leaves = n.max(1).next_power_of_two();
        let mut tree = WinnerTree {
            nodes: vec![
                Match {
                    at: Time::NEVER,
                    id: u32::MAX
                };
                2 * leaves
            ],
            leaves,
            taken: None,
            began: vec![Time::ZERO; n],
            words: vec![0; n],
            ties: Ties::BY_NUMBER,
        };
        for leaf in 0..leaves {
            tree.nodes[leaves + leaf].id = leaf as u32;
        }
        for place in (1..leaves).rev() {
            tree.nodes[place] = tree.earlier(tree.nodes[2 * place], tree.nodes[2 * place + 1]);
        }
        tree
    }

    fn grow(&mut self, n: usize) {
        let mut grown = WinnerTree::with_components(n);
        grown.ties = self.ties;
        grown.began[..self.began.len()].copy_from_slice(&self.began);
        grown.words[..self.words.len()].copy_from_slice(&self.words);
        for id in 0..self.began.len() as u32 {
            let at = self.nodes[self.leaves + id as usize].at;
            if at < Time::NEVER && self.taken != Some(id) {
                grown.replay(id, at);
            }
        }
        *self = grown;
    }

    fn ties_mut(&mut self) -> &mut Ties {
        &mut self.ties
    }

    #[inline]
    fn set(&mut self, id: u32, at: Time, began: Time) {
        if self.taken == Some(id) {
            self.taken = None;
        }
        self.began[id as usize] = began;
        self.replay(id, at);
    }

    #[inline]
    fn clear(&mut self, id: u32) {
        self.replay(id, Time::NEVER);
    }

    fn first(&mut self) -> Option<Time> {
        if let Some(taken) = self.taken.take() {
            self.replay(taken, Time::NEVER);
        }
        let first = self.nodes[1].at;
        (first != Time::NEVER).then_some(first)
    }

    #[inline]
    fn take_first(&mut self, until: Time) -> Option<(Time, u32)> {
        if let Some(taken) = self.taken.take() {
            self.replay(taken, Time::NEVER);
        }
        let root = self.nodes[1];
        if root.at > until {
            return None;
        }
        self.taken = Some(root.id);
        Some((root.at, root.id))
    }

    fn at(&self, id: u32) -> Time {
        self.nodes[self.leaves + id as usize].at
    }

    #[inline]
    fn began(&self, id: u32) -> Time {
        self.began[id as usize]
    }

    fn word(&self, id: u32) -> u64 {
        self.words[id as usize]
    }

    fn word_mut(&mut self, id: u32) -> &mut u64 {
        &mut self.words[id as usize]
    }
}
