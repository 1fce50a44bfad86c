//! The deadline curve of packets with arbitrary deadlines, and its steepest tangent.
//!
//! Packets are stored in blocks, the leaves of a balanced binary tree. A node counts work from the
//! beginning of its own part of the curve, so a packet inserted in between lifts everything behind
//! it by one addition per level (the "store the size in the root of T_R" of zerobuf Fig. 17).
//!
//! Only the first slope is needed, and most packets arrive far from it. Every part therefore has a
//! `ceiling`, a line above it, lifted by each insertion, and a `tangent` is sought only where a
//! ceiling does not rule it out. A node can also compute its *bridge*, the hull edge between its
//! halves, as Overmars and van Leeuwen do; that is the fallback when a search takes too long.

mod ceiling;
mod tangent;

use std::cmp::Ordering;

use pacesim_units::Time;

use self::ceiling::Ceiling;
use crate::block::Block;
use crate::curve::{CurvePoint, Work, compare_slopes};
use crate::pacer::Pending;
use crate::steps::{NoStepCount, Steps};

/// A part of the curve, which is a block or a node, by index; blocks have the lowest bit set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PartId(u32);

enum PartKind {
    Node(usize),
    Block(usize),
}

impl PartId {
    fn node(place: usize) -> PartId {
        PartId(u32::try_from(place << 1).expect("fewer than 2^31 nodes"))
    }

    fn block(place: usize) -> PartId {
        PartId(u32::try_from(place << 1 | 1).expect("fewer than 2^31 blocks"))
    }

    #[inline]
    fn kind(self) -> PartKind {
        let place = (self.0 >> 1) as usize;
        if self.0 & 1 == 0 {
            PartKind::Node(place)
        } else {
            PartKind::Block(place)
        }
    }
}

/// A node of the tree: two neighbouring parts of the curve.
#[derive(Clone, Debug)]
struct Node {
    left: PartId,
    right: PartId,
    /// Blocks below.
    blocks: u32,
    /// True if the bridge must be computed again before it is used.
    is_stale: bool,
    /// First deadline of the right half.
    split: Time,
    left_total: Work,
    /// Ends of the bridge, each counted from the beginning of its half. A stale `to` is still where
    /// a search begins.
    from: CurvePoint,
    to: CurvePoint,
    ceiling: Ceiling,
}

impl Node {
    fn new(left: PartId, right: PartId, blocks: u32, split: Time, left_total: Work) -> Node {
        let seam = CurvePoint {
            at: split,
            work: Work::default(),
        };
        Node {
            left,
            right,
            blocks,
            is_stale: true,
            split,
            left_total,
            from: seam,
            to: seam,
            ceiling: Ceiling::NONE,
        }
    }

    /// Inserts a packet into one half, and returns that half.
    #[inline]
    fn let_in(&mut self, deadline: Time, size: u32) -> PartId {
        self.ceiling.rise(deadline, size);
        self.is_stale = true;
        if deadline < self.split {
            self.left_total = self.left_total.plus_bytes(size);
            return self.left;
        }
        if deadline <= self.to.at {
            self.to.work = self.to.work.plus_bytes(size);
        }
        self.right
    }

    /// Moves the beginning from which work is counted forward by `work`.
    fn forget(&mut self, work: Work) {
        self.left_total = self.left_total.minus(work);
        self.from.work = self.from.work.minus(work);
        self.ceiling.forget(work);
    }
}

/// A block, as seen from the tree.
#[derive(Clone, Copy, Debug)]
struct Outline {
    /// A lower bound on the deadlines here, and an upper bound on those of earlier blocks.
    begin: Time,
    /// Work of all packets that are or were in the block.
    total: Work,
    ceiling: Ceiling,
}

impl Outline {
    const EMPTY: Outline = Outline {
        begin: Time::ZERO,
        total: Work::ZERO,
        ceiling: Ceiling::NONE,
    };
}

/// Waiting packets by deadline, as a curve of cumulative work.
#[derive(Clone, Debug)]
pub(crate) struct DeadlineCurve<S = NoStepCount> {
    /// The beginning of the curve: work of all packets that have left, except those that the first
    /// block still counts.
    origin: Work,
    len: usize,
    root: PartId,
    /// The block of the head.
    first: usize,
    /// True if a bridge may have been computed since the last removal.
    has_bridges: bool,
    nodes: Vec<Node>,
    blocks: Vec<Block>,
    /// The tree's knowledge of each block, contiguous in memory.
    outlines: Vec<Outline>,
    free_nodes: Vec<usize>,
    free_blocks: Vec<usize>,
    /// The nodes from the root to the place of the last change.
    path: Vec<usize>,
    scratch: Vec<PartId>,
    steps: S,
}

impl<S: Steps> DeadlineCurve<S> {
    pub(crate) fn new() -> DeadlineCurve<S> {
        DeadlineCurve {
            origin: Work::default(),
            len: 0,
            root: PartId::block(0),
            first: 0,
            has_bridges: false,
            nodes: Vec::new(),
            blocks: vec![Block::new()],
            outlines: vec![Outline::EMPTY],
            free_nodes: Vec::new(),
            free_blocks: Vec::new(),
            path: Vec::new(),
            scratch: Vec::new(),
            steps: S::default(),
        }
    }

    /// Levels descended, parts and packets visited, and parts rebuilt, so far.
    pub(crate) fn steps(&self) -> &S {
        &self.steps
    }

    /// Number of waiting packets.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The packet that is due first, and its deadline.
    #[inline]
    pub(crate) fn head(&self) -> Option<(Time, Pending)> {
        self.blocks[self.first].head()
    }

    /// Lifts the whole curve, because a packet passed without waiting.
    pub(crate) fn lift(&mut self, size: u32) {
        self.origin = self.origin.plus_bytes(size);
    }

    /// Inserts a packet behind all that are due no later.
    pub(crate) fn insert(&mut self, deadline: Time, packet: Pending) {
        self.len += 1;
        self.path.clear();
        let mut part = self.root;
        let block = loop {
            self.steps.add(1);
            match part.kind() {
                PartKind::Node(n) => {
                    self.path.push(n);
                    part = self.nodes[n].let_in(deadline, packet.size);
                }
                PartKind::Block(b) => break b,
            }
        };
        if self.blocks[block].is_full() {
            let half = self.split(block, packet.size, deadline);
            self.insert_into(half, deadline, packet);
            self.rebalance();
        } else {
            self.insert_into(block, deadline, packet);
        }
        self.heed_new_head(packet);
    }

    fn insert_into(&mut self, block: usize, deadline: Time, packet: Pending) {
        let outline = &mut self.outlines[block];
        outline.total = outline.total.plus_bytes(packet.size);
        outline.ceiling.rise(deadline, packet.size);
        self.blocks[block].insert(deadline, packet);
    }

    /// Notes a packet in front of all others. It has no predecessor, though the work of departed
    /// packets, perhaps with later deadlines, counts before it.
    fn heed_new_head(&mut self, packet: Pending) {
        if self.head().is_none_or(|(_, head)| head != packet) {
            return;
        }
        self.follow_first();
        let head = self.blocks[self.first].head_end();
        self.outlines[self.first].ceiling.heed(head);
        for &n in &self.path {
            self.nodes[n].ceiling.heed(head);
        }
    }

    /// Removes the head.
    pub(crate) fn pop(&mut self) {
        self.steps.add(1);
        self.len -= 1;
        if self.has_bridges {
            self.forget_first_bridges();
        }
        self.blocks[self.first].pop();
        if self.blocks[self.first].is_empty() {
            self.remove_first_block();
        }
    }

    /// Marks the bridges that may begin at the head as stale.
    fn forget_first_bridges(&mut self) {
        self.follow_first();
        for &n in &self.path {
            self.nodes[n].is_stale = true;
        }
        self.has_bridges = false;
    }

    /// Sets the path to that of the first block.
    fn follow_first(&mut self) {
        self.path.clear();
        let mut part = self.root;
        while let PartKind::Node(n) = part.kind() {
            self.path.push(n);
            part = self.nodes[n].left;
        }
        self.steps.add(self.path.len());
        self.first = place_of_block(part);
    }

    /// Splits the full block at the end of the path, and returns the half that a
    /// packet with this deadline belongs to.
    fn split(&mut self, block: usize, size: u32, deadline: Time) -> usize {
        let second = self.free_blocks.pop().unwrap_or_else(|| {
            self.blocks.push(Block::new());
            self.outlines.push(Outline::EMPTY);
            self.blocks.len() - 1
        });
        let [earlier, later] = self
            .blocks
            .get_disjoint_mut([block, second])
            .expect("a free block is not the full one");
        let moved = earlier.split_into(later);
        let whole = self.outlines[block];
        let rest = whole.total.minus(moved);
        let split = later.first_deadline();
        let mut ceiling = whole.ceiling;
        ceiling.forget(rest);
        self.outlines[block].total = rest;
        self.outlines[second] = Outline {
            begin: split,
            total: moved,
            ceiling,
        };
        let (left, right) = (PartId::block(block), PartId::block(second));
        let mut node = Node::new(left, right, 2, split, rest);
        node.ceiling = whole.ceiling;
        let home = node.let_in(deadline, size);
        let node = self.add_node(node);
        for &n in &self.path {
            self.nodes[n].blocks += 1;
        }
        self.relink(self.path.len(), PartId::block(block), node);
        if home == PartId::block(block) {
            block
        } else {
            second
        }
    }

    fn add_node(&mut self, node: Node) -> PartId {
        let place = match self.free_nodes.pop() {
            Some(place) => {
                self.nodes[place] = node;
                place
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() - 1
            }
        };
        PartId::node(place)
    }

    /// Puts `new` in place of `old`, which hangs at this depth of the path.
    fn relink(&mut self, depth: usize, old: PartId, new: PartId) {
        match depth.checked_sub(1) {
            None => self.root = new,
            Some(above) => {
                let node = &mut self.nodes[self.path[above]];
                if node.left == old {
                    node.left = new;
                } else {
                    node.right = new;
                }
            }
        }
    }

    /// Removes the first block, which is empty.
    fn remove_first_block(&mut self) {
        self.follow_first();
        let block = self.first;
        let total = self.outlines[block].total;
        self.origin = self.origin.plus(total);
        self.blocks[block].clear();
        self.outlines[block] = Outline::EMPTY;
        let Some(parent) = self.path.pop() else {
            return;
        };
        for &n in &self.path {
            self.nodes[n].forget(total);
            self.nodes[n].blocks -= 1;
        }
        let sibling = self.nodes[parent].right;
        self.relink(self.path.len(), PartId::node(parent), sibling);
        self.free_nodes.push(parent);
        self.free_blocks.push(block);
        self.follow_first();
        self.rebalance();
    }

    /// Rebuilds the highest part on the path of which one half has grown to more than three
    /// quarters: amortised O(log n) per change of blocks.
    fn rebalance(&mut self) {
        let tilted = self.path.iter().position(|&n| {
            let node = &self.nodes[n];
            let heavier = self.count(node.left).max(self.count(node.right));
            4 * heavier > 3 * node.blocks + 3
        });
        let Some(depth) = tilted else { return };
        // No block is in front of the first one, so packets of any deadline are inserted and
        // removed there.
        self.outlines[self.first].begin = self.blocks[self.first].first_deadline();
        let old = PartId::node(self.path[depth]);
        let mut blocks = std::mem::take(&mut self.scratch);
        self.dissolve(old, &mut blocks);
        let (new, _) = self.build(&blocks);
        self.relink(depth, old, new);
        blocks.clear();
        self.scratch = blocks;
    }

    fn ceiling(&self, part: PartId) -> &Ceiling {
        match part.kind() {
            PartKind::Node(n) => &self.nodes[n].ceiling,
            PartKind::Block(b) => &self.outlines[b].ceiling,
        }
    }

    fn count(&self, part: PartId) -> u32 {
        match part.kind() {
            PartKind::Node(n) => self.nodes[n].blocks,
            PartKind::Block(_) => 1,
        }
    }

    /// Lists the blocks of a part in order and frees its nodes.
    fn dissolve(&mut self, part: PartId, blocks: &mut Vec<PartId>) {
        self.steps.add(1);
        if let PartKind::Node(n) = part.kind() {
            let Node { left, right, .. } = self.nodes[n];
            self.dissolve(left, blocks);
            self.dissolve(right, blocks);
            self.free_nodes.push(n);
        } else {
            blocks.push(part);
        }
    }

    /// A balanced tree over blocks, with their work.
    fn build(&mut self, blocks: &[PartId]) -> (PartId, Work) {
        self.steps.add(1);
        if let [part] = *blocks {
            return (part, self.outlines[place_of_block(part)].total);
        }
        let (earlier, later) = blocks.split_at(blocks.len() / 2);
        let split = self.outlines[place_of_block(later[0])].begin;
        let (left, left_total) = self.build(earlier);
        let (right, right_total) = self.build(later);
        let count = u32::try_from(blocks.len()).expect("fewer than 2^31 blocks");
        let mut node = Node::new(left, right, count, split, left_total);
        let begin = self.outlines[place_of_block(earlier[0])].begin;
        let later = self.ceiling(right).raised(left_total);
        node.ceiling = self.ceiling(left).or_over(&later, begin, split);
        (self.add_node(node), left_total.plus(right_total))
    }
}

fn place_of_block(part: PartId) -> usize {
    match part.kind() {
        PartKind::Block(b) => b,
        PartKind::Node(_) => unreachable!("a list of blocks holds only blocks"),
    }
}

/// The range of deadlines in which a tangent point is sought.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Search {
    since: Time,
    until: Time,
}

impl Search {
    pub(crate) const EVERYWHERE: Search = Search {
        since: Time::ZERO,
        until: Time::NEVER,
    };

    pub(crate) fn since(since: Time) -> Search {
        Search {
            since,
            ..Search::EVERYWHERE
        }
    }

    pub(crate) fn until(until: Time) -> Search {
        Search {
            until,
            ..Search::EVERYWHERE
        }
    }

    /// True if it reaches points due before this time.
    #[inline]
    fn reaches_before(self, split: Time) -> bool {
        self.since < split
    }

    /// True if it reaches points due at this time or later.
    #[inline]
    fn reaches_from(self, split: Time) -> bool {
        self.until >= split
    }
}

#[inline]
fn raise(point: CurvePoint, by: Work) -> CurvePoint {
    CurvePoint {
        work: point.work.plus(by),
        ..point
    }
}

#[inline]
fn lower(point: CurvePoint, by: Work) -> CurvePoint {
    CurvePoint {
        work: point.work.minus(by),
        ..point
    }
}

/// The point, of two after `from`, with the steeper line from there; the later one on a tie.
pub(crate) fn steeper(from: CurvePoint, a: CurvePoint, b: CurvePoint) -> CurvePoint {
    let (first, second) = if a.at <= b.at { (a, b) } else { (b, a) };
    // The later point is on or above the line through the earlier one; a later point that is lower
    // than the earlier one cannot be.
    if second.work.has_reached(first.work)
        && compare_slopes(from, first, second) != Ordering::Greater
    {
        second
    } else {
        first
    }
}
