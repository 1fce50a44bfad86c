//! The deadline curve of packets with any deadlines, and its steepest tangent.
//!
//! Packets sit in blocks; above the blocks stands a balanced binary tree. A node
//! counts work from the beginning of its own part of the curve, so a packet that
//! comes in between lifts everything behind it by one addition a level (the
//! "store the size in the root of T_R" of zerobuf Fig. 17).
//!
//! A node keeps its *bridge*, the hull edge between its two halves, as Overmars and
//! van Leeuwen do, but computes it only when a tangent has to choose between the
//! halves: most packets arrive far from the first slope and never make anybody look.
//! And often a half is ruled out without a bridge, by a line that lies above it (its
//! bridge of old, lifted by all that came since). The line is the only float here;
//! with its margin it can waste work but not change an answer.

use std::cmp::Ordering;

use pacesim_units::Time;

use crate::block::Block;
use crate::curve::{Point, Work, compare_slopes};
use crate::pacer::Pending;

/// A block or a node, by place; blocks have the lowest bit set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part(u32);

enum Kind {
    Node(usize),
    Block(usize),
}

impl Part {
    fn node(place: usize) -> Part {
        Part(u32::try_from(place << 1).expect("fewer than 2^31 nodes"))
    }

    fn block(place: usize) -> Part {
        Part(u32::try_from(place << 1 | 1).expect("fewer than 2^31 blocks"))
    }

    #[inline]
    fn kind(self) -> Kind {
        let place = (self.0 >> 1) as usize;
        if self.0 & 1 == 0 {
            Kind::Node(place)
        } else {
            Kind::Block(place)
        }
    }
}

/// Two neighbouring parts of the curve.
#[derive(Clone, Debug)]
struct Node {
    left: Part,
    right: Part,
    /// Blocks below.
    blocks: u32,
    /// Whether the bridge has to be computed anew.
    is_stale: bool,
    /// Packets due from here on belong to the right half.
    split: Time,
    left_total: Work,
    /// The bridge's ends, each counted from the beginning of its half. A stale
    /// `to` is still where a search begins.
    from: Point,
    to: Point,
    ceiling: Ceiling,
}

impl Node {
    fn new(left: Part, right: Part, blocks: u32, split: Time, left_total: Work) -> Node {
        let seam = Point {
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

    /// Lets a packet into one half, and says which. The bridge survives a packet
    /// that comes before its left end and below its line: both ends rise.
    #[inline]
    fn let_in(&mut self, deadline: Time, size: u32) -> Part {
        let is_below = self.ceiling.rise(deadline, size);
        if deadline < self.split {
            self.left_total = self.left_total.plus_bytes(size);
            if deadline <= self.from.at {
                self.from.work = self.from.work.plus_bytes(size);
            }
            self.is_stale |= deadline > self.from.at || !is_below;
            return self.left;
        }
        if deadline <= self.to.at {
            self.to.work = self.to.work.plus_bytes(size);
        }
        self.is_stale = true;
        self.right
    }

    /// A new first point, which may lie above what was known of the others.
    fn heed_head(&mut self, head: Point) {
        if !self.ceiling.is_surely_above(head) {
            self.ceiling = Ceiling::NONE;
            self.is_stale = true;
        }
    }

    /// Counts from a beginning that lies so much later.
    fn forget(&mut self, work: Work) {
        self.left_total = self.left_total.minus(work);
        self.from.work = self.from.work.minus(work);
        self.ceiling.height -= float(work);
    }
}

/// A line that all points of a part lie on or below, counted from its beginning.
#[derive(Clone, Copy, Debug)]
struct Ceiling {
    at: Time,
    height: f64,
    slope: f64,
}

impl Ceiling {
    const NONE: Ceiling = Ceiling {
        at: Time::ZERO,
        height: f64::INFINITY,
        slope: 0.0,
    };

    fn through(from: Point, to: Point) -> Ceiling {
        let run = (to.at - from.at).as_ps();
        if run == 0 {
            return Ceiling::NONE;
        }
        Ceiling {
            at: from.at,
            height: float(from.work),
            slope: to.work.since(from.work) as f64 / run as f64,
        }
    }

    #[inline]
    fn height_at(&self, t: Time) -> f64 {
        self.height + self.slope * float_since(t, self.at)
    }

    /// Lifts the line over a packet that comes in: it lifts the points behind it by
    /// its size, and its own point is that much above its predecessor's, or above the
    /// beginning if it has none. Says whether the line was good for it.
    #[inline]
    fn rise(&mut self, deadline: Time, size: u32) -> bool {
        let is_good = self.is_surely_above(Point {
            at: deadline,
            work: Work::default(),
        });
        if is_good {
            self.height += float(Work::of_bytes(u64::from(size)));
        } else {
            *self = Ceiling::NONE;
        }
        is_good
    }

    #[inline]
    fn is_surely_above(&self, point: Point) -> bool {
        let here = self.height_at(point.at);
        let slack = MARGIN * (here.abs() + self.height.abs()) + 2.0;
        here - slack >= float(point.work)
    }
}

/// The line of sight of a tangent query, for ruling out what is surely below it.
struct Ray {
    from: Point,
    slope: f64,
}

/// Relative error allowed to floats: a thousand times what they make.
const MARGIN: f64 = 1e-12;

impl Ray {
    fn new(from: Point, through: Point) -> Ray {
        let run = (through.at - from.at).as_ps() as f64;
        Ray {
            from,
            slope: through.work.since(from.work) as f64 / run * (1.0 - MARGIN),
        }
    }

    /// Whether it is surely above this work from a time on.
    #[inline]
    fn clears(&self, work: Work, t: Time) -> bool {
        let own = self.slope * float_since(t, self.from.at);
        let other = work.minus(self.from.work).signed() as f64;
        other + MARGIN * (own + other.abs()) + 2.0 < own
    }

    /// Whether a ceiling whose part begins `base` above the ray's zero is surely
    /// below the ray at a time.
    #[inline]
    fn is_above(&self, ceiling: &Ceiling, base: Work, t: Time) -> bool {
        let own = self.slope * float_since(t, self.from.at);
        let base = base.minus(self.from.work).signed() as f64;
        let other = ceiling.height_at(t);
        let slack = MARGIN * (own + base.abs() + other.abs() + ceiling.height.abs()) + 2.0;
        base + other + slack < own
    }
}

#[inline]
fn float(work: Work) -> f64 {
    work.since(Work::default()) as f64
}

#[inline]
fn float_since(t: Time, earlier: Time) -> f64 {
    t.as_ps().wrapping_sub(earlier.as_ps()).cast_signed() as f64
}

/// Waiting packets by deadline, as a curve of cumulative work.
#[derive(Clone, Debug)]
pub(crate) struct DeadlineCurve {
    /// Where the curve begins: work of all packets that have left, except those
    /// that the first block still counts.
    origin: Work,
    len: usize,
    root: Part,
    nodes: Vec<Node>,
    blocks: Vec<Block>,
    free_nodes: Vec<usize>,
    free_blocks: Vec<usize>,
    /// The nodes from the root to the place of the last change.
    path: Vec<usize>,
    scratch: Vec<Part>,
}

impl DeadlineCurve {
    pub(crate) fn new() -> DeadlineCurve {
        DeadlineCurve {
            origin: Work::default(),
            len: 0,
            root: Part::block(0),
            nodes: Vec::new(),
            blocks: vec![Block::new()],
            free_nodes: Vec::new(),
            free_blocks: Vec::new(),
            path: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// How many packets wait.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The packet that is due first, with its deadline.
    #[inline]
    pub(crate) fn head(&self) -> Option<(Time, Pending)> {
        self.blocks[self.first_block()].head()
    }

    /// Lifts the whole curve: a packet passed by without waiting.
    pub(crate) fn lift(&mut self, size: u32) {
        self.origin = self.origin.plus_bytes(size);
    }

    /// Adds a packet behind all that are due no later.
    pub(crate) fn insert(&mut self, deadline: Time, packet: Pending) {
        self.len += 1;
        self.path.clear();
        let mut part = self.root;
        let block = loop {
            match part.kind() {
                Kind::Node(n) => {
                    self.path.push(n);
                    part = self.nodes[n].let_in(deadline, packet.size);
                }
                Kind::Block(b) => break b,
            }
        };
        if self.blocks[block].is_full() {
            let second = self.split(block, packet.size, deadline);
            self.blocks[second].insert(deadline, packet);
            self.rebalance();
        } else {
            self.blocks[block].insert(deadline, packet);
        }
        self.heed_new_head(packet);
    }

    /// A packet in front of all others has no predecessor, though work that has left
    /// counts before it, and may have been due later.
    fn heed_new_head(&mut self, packet: Pending) {
        if self.head().is_none_or(|(_, head)| head != packet) {
            return;
        }
        self.path.clear();
        let block = self.first_block_with_path();
        let head = self.blocks[block].head_end();
        for &n in &self.path {
            self.nodes[n].heed_head(head);
        }
    }

    /// Removes the head.
    pub(crate) fn pop(&mut self) {
        self.len -= 1;
        self.path.clear();
        let block = self.first_block_with_path();
        let head = self.blocks[block].head_end();
        for &n in &self.path {
            // Only a node whose bridge begins at the head loses it.
            self.nodes[n].is_stale |= self.nodes[n].from == head;
        }
        self.blocks[block].pop();
        if self.blocks[block].is_empty() {
            self.remove_first_block(block);
        }
    }

    /// The point of the curve to which the line from a point before and below it is
    /// steepest, the furthest if several; `candidate` is a point of the curve, and the
    /// steeper, the quicker the answer. Outside the search nothing may be as steep.
    pub(crate) fn steepest(&mut self, from: Point, candidate: Point, search: Search) -> Point {
        let ray = Ray::new(from, candidate);
        let mut base = self.origin;
        let mut part = self.root;
        loop {
            match part.kind() {
                Kind::Node(n) => {
                    let side = match search.side(self.nodes[n].split) {
                        Some(side) => side,
                        None => self.side_of_tangent(n, base, &ray),
                    };
                    let node = &self.nodes[n];
                    part = match side {
                        Side::Left => node.left,
                        Side::Right => {
                            base = base.plus(node.left_total);
                            node.right
                        }
                    };
                }
                Kind::Block(b) => {
                    let best = self.blocks[b].tangent_from(lower(from, base));
                    return steeper(from, candidate, raise(best, base));
                }
            }
        }
    }

    /// Whether no point due at a time or later can lie on or above a line: a quick look,
    /// which may fail to see it.
    pub(crate) fn is_surely_below(&self, from: Point, through: Point, since: Time) -> bool {
        let ray = Ray::new(from, through);
        let mut base = self.origin;
        let mut part = self.root;
        loop {
            match part.kind() {
                Kind::Node(n) => {
                    let node = &self.nodes[n];
                    let middle = base.plus(node.left_total);
                    if since >= node.split {
                        base = middle;
                        part = node.right;
                    } else if self.is_part_below(node.right, middle, node.split, &ray) {
                        part = node.left;
                    } else {
                        return false;
                    }
                }
                Kind::Block(b) => return ray.clears(base.plus(self.blocks[b].total), since),
            }
        }
    }

    /// Whether a part that begins at this time with this work is surely below the ray.
    #[inline]
    fn is_part_below(&self, part: Part, base: Work, begin: Time, ray: &Ray) -> bool {
        match part.kind() {
            Kind::Node(n) => {
                let ceiling = &self.nodes[n].ceiling;
                ceiling.slope < ray.slope && ray.is_above(ceiling, base, begin)
            }
            Kind::Block(b) => ray.clears(base.plus(self.blocks[b].total), begin),
        }
    }

    fn side_of_tangent(&mut self, n: usize, base: Work, ray: &Ray) -> Side {
        let node = &self.nodes[n];
        if let Kind::Node(r) = node.right.kind() {
            let ceiling = &self.nodes[r].ceiling;
            let base = base.plus(node.left_total);
            if ceiling.slope < ray.slope && ray.is_above(ceiling, base, node.split) {
                return Side::Left;
            }
        }
        if let Kind::Node(l) = node.left.kind() {
            let ceiling = &self.nodes[l].ceiling;
            if ray.is_above(ceiling, base, ray.from.at) && ray.is_above(ceiling, base, node.split) {
                return Side::Right;
            }
        }
        self.side_by_bridge(n, lower(ray.from, base))
    }

    /// The half with the tangent point from a point before it: exactly.
    fn side_by_bridge(&mut self, n: usize, from: Point) -> Side {
        self.mend(n);
        let node = &self.nodes[n];
        match compare_slopes(from, node.from, raise(node.to, node.left_total)) {
            Ordering::Greater => Side::Left,
            _ => Side::Right,
        }
    }

    fn tangent_from(&mut self, part: Part, from: Point) -> Point {
        match part.kind() {
            Kind::Block(b) => self.blocks[b].tangent_from(from),
            Kind::Node(n) => match self.side_by_bridge(n, from) {
                Side::Left => self.tangent_from(self.nodes[n].left, from),
                Side::Right => {
                    let before = self.nodes[n].left_total;
                    let point = self.tangent_from(self.nodes[n].right, lower(from, before));
                    raise(point, before)
                }
            },
        }
    }

    fn tangent_to(&mut self, part: Part, to: Point) -> Point {
        let n = match part.kind() {
            Kind::Block(b) => return self.blocks[b].tangent_to(to),
            Kind::Node(n) => n,
        };
        self.mend(n);
        let node = &self.nodes[n];
        let before = node.left_total;
        match compare_slopes(node.from, raise(node.to, before), to) {
            Ordering::Greater => {
                let point = self.tangent_to(node.right, lower(to, before));
                raise(point, before)
            }
            _ => self.tangent_to(node.left, to),
        }
    }

    /// Computes a stale bridge: tangents to and fro between the halves until both
    /// ends stay. Each turn raises the line over the seam, so it ends at the bridge;
    /// near it the error is squared each time, so two or three turns are the rule.
    fn mend(&mut self, n: usize) {
        if !self.nodes[n].is_stale {
            return;
        }
        let Node {
            left,
            right,
            left_total,
            mut to,
            ..
        } = self.nodes[n];
        let from = loop {
            let from = self.tangent_to(left, raise(to, left_total));
            let next = self.tangent_from(right, lower(from, left_total));
            if next == to {
                break from;
            }
            to = next;
        };
        let node = &mut self.nodes[n];
        node.from = from;
        node.to = to;
        node.is_stale = false;
        node.ceiling = Ceiling::through(from, raise(to, left_total));
    }

    fn first_block(&self) -> usize {
        let mut part = self.root;
        loop {
            match part.kind() {
                Kind::Node(n) => part = self.nodes[n].left,
                Kind::Block(b) => return b,
            }
        }
    }

    fn first_block_with_path(&mut self) -> usize {
        let mut part = self.root;
        loop {
            match part.kind() {
                Kind::Node(n) => {
                    self.path.push(n);
                    part = self.nodes[n].left;
                }
                Kind::Block(b) => return b,
            }
        }
    }

    /// Splits the full block at the end of the path, and returns the half that a
    /// packet with this deadline belongs to.
    fn split(&mut self, block: usize, size: u32, deadline: Time) -> usize {
        let second = self.free_blocks.pop().unwrap_or_else(|| {
            self.blocks.push(Block::new());
            self.blocks.len() - 1
        });
        let [earlier, later] = self
            .blocks
            .get_disjoint_mut([block, second])
            .expect("a free block is not the full one");
        earlier.split_into(later);
        let mut node = Node::new(
            Part::block(block),
            Part::block(second),
            2,
            later.first_deadline(),
            earlier.total,
        );
        let home = node.let_in(deadline, size);
        let node = self.add_node(node);
        for &n in &self.path {
            self.nodes[n].blocks += 1;
        }
        self.relink(self.path.len(), Part::block(block), node);
        if home == Part::block(block) {
            block
        } else {
            second
        }
    }

    fn add_node(&mut self, node: Node) -> Part {
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
        Part::node(place)
    }

    /// Puts `new` in the place of `old`, which hangs at this depth of the path.
    fn relink(&mut self, depth: usize, old: Part, new: Part) {
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

    /// Takes away the first block, which is empty and at the end of the path.
    fn remove_first_block(&mut self, block: usize) {
        let total = self.blocks[block].total;
        self.origin = self.origin.plus(total);
        self.blocks[block].clear();
        let Some(parent) = self.path.pop() else {
            return;
        };
        for &n in &self.path {
            self.nodes[n].forget(total);
            self.nodes[n].blocks -= 1;
        }
        let sibling = self.nodes[parent].right;
        self.relink(self.path.len(), Part::node(parent), sibling);
        self.free_nodes.push(parent);
        self.free_blocks.push(block);
        self.rebalance();
    }

    /// Rebuilds the highest part on the path of which one half has grown to more
    /// than two thirds: O(log n) a change of blocks, amortised.
    fn rebalance(&mut self) {
        let tilted = self.path.iter().position(|&n| {
            let node = &self.nodes[n];
            let heavier = self.count(node.left).max(self.count(node.right));
            3 * heavier > 2 * node.blocks + 2
        });
        let Some(depth) = tilted else { return };
        let old = Part::node(self.path[depth]);
        let mut blocks = std::mem::take(&mut self.scratch);
        self.dissolve(old, &mut blocks);
        let (new, _) = self.build(&blocks);
        self.relink(depth, old, new);
        blocks.clear();
        self.scratch = blocks;
    }

    fn count(&self, part: Part) -> u32 {
        match part.kind() {
            Kind::Node(n) => self.nodes[n].blocks,
            Kind::Block(_) => 1,
        }
    }

    /// Lists the blocks of a part in order and frees its nodes.
    fn dissolve(&mut self, part: Part, blocks: &mut Vec<Part>) {
        if let Kind::Node(n) = part.kind() {
            let Node { left, right, .. } = self.nodes[n];
            self.dissolve(left, blocks);
            self.dissolve(right, blocks);
            self.free_nodes.push(n);
        } else {
            blocks.push(part);
        }
    }

    /// A balanced tree over blocks, with their work.
    fn build(&mut self, blocks: &[Part]) -> (Part, Work) {
        if let [part] = *blocks {
            return (part, self.blocks[place_of_block(part)].total);
        }
        let (earlier, later) = blocks.split_at(blocks.len() / 2);
        let split = self.blocks[place_of_block(later[0])].first_deadline();
        let (left, left_total) = self.build(earlier);
        let (right, right_total) = self.build(later);
        let count = u32::try_from(blocks.len()).expect("fewer than 2^31 blocks");
        let node = Node::new(left, right, count, split, left_total);
        (self.add_node(node), left_total.plus(right_total))
    }
}

fn place_of_block(part: Part) -> usize {
    match part.kind() {
        Kind::Block(b) => b,
        Kind::Node(_) => unreachable!("a list of blocks holds only blocks"),
    }
}

enum Side {
    Left,
    Right,
}

/// The deadlines among which a tangent point is to be found.
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

    /// The only half of a node that it reaches, if there is one.
    #[inline]
    fn side(&self, split: Time) -> Option<Side> {
        if self.until < split {
            Some(Side::Left)
        } else if self.since >= split {
            Some(Side::Right)
        } else {
            None
        }
    }
}

#[inline]
fn raise(point: Point, by: Work) -> Point {
    Point {
        work: point.work.plus(by),
        ..point
    }
}

#[inline]
fn lower(point: Point, by: Work) -> Point {
    Point {
        work: point.work.minus(by),
        ..point
    }
}

/// Of two points after `from`, the one to which the line is steeper, the later one
/// if neither.
pub(crate) fn steeper(from: Point, a: Point, b: Point) -> Point {
    let (first, second) = if a.at <= b.at { (a, b) } else { (b, a) };
    // The later point is on or above the line through the earlier one; a later
    // point that is lower than the earlier one cannot be.
    if second.work.has_reached(first.work)
        && compare_slopes(from, first, second) != Ordering::Greater
    {
        second
    } else {
        first
    }
}
