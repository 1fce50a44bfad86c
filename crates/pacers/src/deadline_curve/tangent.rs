//! Search for the steepest tangent to the curve.
//!
//! A search keeps the steepest point seen and skips parts whose ceiling is certainly below the line
//! to it. A part that it has to look into gets a new ceiling, as low as the points seen there, so
//! that the next search skips it. Only the number of visits bounds the work of one search; when
//! they run out, the bridges decide, recomputed only where the curve has changed.

use std::cmp::Ordering;

use pacesim_units::Time;

use super::ceiling::{Ceiling, Ray};
use super::{DeadlineCurve, Node, PartId, PartKind, Search, lower, raise, steeper};
use crate::block::Block;
use crate::curve::{CurvePoint, Work, compare_slopes};
use crate::steps::Steps;

/// Maximum number of parts visited per search. With 200, a million waiting packets take three times
/// as long; with 30 000, equally long.
const VISITS: u32 = 4000;

/// State of a search for a tangent.
struct Sight {
    from: CurvePoint,
    best: CurvePoint,
    ray: Ray,
    visits: u32,
}

impl Sight {
    fn new(from: CurvePoint, candidate: CurvePoint) -> Sight {
        Sight {
            from,
            best: candidate,
            ray: Ray::new(from, candidate),
            visits: VISITS,
        }
    }

    /// Looks at every point of a block, and returns an upper bound of their height above the ray.
    /// That also holds when the ray rises meanwhile.
    fn look_at(&mut self, block: &Block, base: Work) -> f64 {
        let mut most = f64::NEG_INFINITY;
        for point in block.points() {
            let point = raise(point, base);
            let excess = self.ray.excess(point);
            most = most.max(excess);
            if excess >= 0.0 {
                self.compare(point);
            }
        }
        most
    }

    fn compare(&mut self, point: CurvePoint) {
        let best = steeper(self.from, self.best, point);
        if best != self.best {
            self.best = best;
            self.ray = Ray::new(self.from, best);
        }
    }
}

/// Extent of a part: the work before it, and its range of time.
#[derive(Clone, Copy)]
struct Extent {
    base: Work,
    begin: Time,
    end: Time,
}

impl Extent {
    fn halves(self, node: &Node) -> (Extent, Extent) {
        let left = Extent {
            end: node.split,
            ..self
        };
        let right = Extent {
            base: self.base.plus(node.left_total),
            begin: node.split,
            ..self
        };
        (left, right)
    }
}

enum Side {
    Left,
    Right,
}

impl<S: Steps> DeadlineCurve<S> {
    /// The point of the curve to which the line from a point before and below it is steepest, the
    /// furthest of several. `candidate` is any point of the curve; a steeper one speeds up the
    /// search. No point outside the search may be as steep.
    pub(crate) fn steepest(
        &mut self,
        from: CurvePoint,
        candidate: CurvePoint,
        search: Search,
    ) -> CurvePoint {
        if candidate.at == from.at {
            return self.steepest_by_bridges(from, candidate);
        }
        let mut sight = Sight::new(from, candidate);
        let extent = Extent {
            base: self.origin,
            begin: from.at,
            end: Time::NEVER,
        };
        match self.look_into(self.root, extent, search, &mut sight) {
            Some(_) => sight.best,
            None => self.steepest_by_bridges(from, sight.best),
        }
    }

    /// Looks for steeper points in a part, and returns an upper bound of the height of its points
    /// above the ray; `None` when the visits have run out.
    fn look_into(
        &mut self,
        part: PartId,
        extent: Extent,
        search: Search,
        sight: &mut Sight,
    ) -> Option<f64> {
        let known = self.excess(part, extent, &sight.ray);
        if known < 0.0 {
            return Some(known);
        }
        sight.visits = sight.visits.checked_sub(1)?;
        self.steps.add(1);
        let seen = match part.kind() {
            PartKind::Block(b) => {
                self.steps.add(self.blocks[b].len());
                sight.look_at(&self.blocks[b], extent.base)
            }
            PartKind::Node(n) => {
                let Node {
                    left, right, split, ..
                } = self.nodes[n];
                let (before, after) = extent.halves(&self.nodes[n]);
                let earlier = if search.reaches_before(split) {
                    self.look_into(left, before, search, sight)?
                } else {
                    self.excess(left, before, &sight.ray)
                };
                let later = if search.reaches_from(split) {
                    self.look_into(right, after, search, sight)?
                } else {
                    self.excess(right, after, &sight.ray)
                };
                earlier.max(later)
            }
        };
        if seen < known {
            *self.ceiling_mut(part) = sight.ray.ceiling(seen, extent.base);
        }
        Some(seen)
    }

    fn excess(&self, part: PartId, extent: Extent, ray: &Ray) -> f64 {
        ray.excess_of_ceiling(self.ceiling(part), extent.base, extent.begin, extent.end)
    }

    fn ceiling_mut(&mut self, part: PartId) -> &mut Ceiling {
        match part.kind() {
            PartKind::Node(n) => &mut self.nodes[n].ceiling,
            PartKind::Block(b) => &mut self.outlines[b].ceiling,
        }
    }

    /// A block may have to build its hull from all its packets.
    fn count_look(&mut self, part: PartId) {
        self.steps.add(match part.kind() {
            PartKind::Node(_) => 1,
            PartKind::Block(b) => self.blocks[b].len(),
        });
    }

    fn steepest_by_bridges(&mut self, from: CurvePoint, candidate: CurvePoint) -> CurvePoint {
        let best = self.tangent_from(self.root, lower(from, self.origin));
        steeper(from, candidate, raise(best, self.origin))
    }

    /// The half that holds the exact tangent point from a point before it.
    fn side_by_bridge(&mut self, n: usize, from: CurvePoint) -> Side {
        self.mend(n);
        let node = &self.nodes[n];
        match compare_slopes(from, node.from, raise(node.to, node.left_total)) {
            Ordering::Greater => Side::Left,
            _ => Side::Right,
        }
    }

    fn tangent_from(&mut self, part: PartId, from: CurvePoint) -> CurvePoint {
        self.count_look(part);
        match part.kind() {
            PartKind::Block(b) => self.blocks[b].tangent_from(from),
            PartKind::Node(n) => match self.side_by_bridge(n, from) {
                Side::Left => self.tangent_from(self.nodes[n].left, from),
                Side::Right => {
                    let before = self.nodes[n].left_total;
                    let point = self.tangent_from(self.nodes[n].right, lower(from, before));
                    raise(point, before)
                }
            },
        }
    }

    fn tangent_to(&mut self, part: PartId, to: CurvePoint) -> CurvePoint {
        self.count_look(part);
        let n = match part.kind() {
            PartKind::Block(b) => return self.blocks[b].tangent_to(to),
            PartKind::Node(n) => n,
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

    /// Computes a stale bridge: tangents to and fro between the halves until both ends stay. Each
    /// turn raises the line over the seam, so it ends at the bridge; convergence is quadratic near
    /// it, so two or three turns are the rule.
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
        self.has_bridges = true;
        node.ceiling = Ceiling::through(from, raise(to, left_total));
    }
}

#[cfg(test)]
mod tests {
    use pacesim_units::{FlowId, Span};
    use proptest::prelude::*;

    use super::*;
    use crate::pacer::Pending;

    /// All points of a curve that started empty.
    fn points(waiting: &[(Time, u32)], released: Work) -> Vec<CurvePoint> {
        let to_point = |end: &mut Work, &(at, size): &(Time, u32)| {
            *end = end.plus_bytes(size);
            Some(CurvePoint { at, work: *end })
        };
        waiting.iter().scan(released, to_point).collect()
    }

    /// A curve, and its packets in order of deadline.
    #[derive(Default)]
    struct Model {
        waiting: Vec<(Time, u32)>,
        released: Work,
    }

    impl Model {
        fn insert(&mut self, curve: &mut DeadlineCurve, at: Time, size: u32) {
            curve.insert(at, Pending::new(0, FlowId(0), size));
            let place = self.waiting.partition_point(|&(other, _)| other <= at);
            self.waiting.insert(place, (at, size));
        }

        fn pop(&mut self, curve: &mut DeadlineCurve) {
            curve.pop();
            let (_, size) = self.waiting.remove(0);
            self.released = self.released.plus_bytes(size);
        }

        fn check(&self, curve: &mut DeadlineCurve, now: Time, by_bridges: bool) {
            let from = CurvePoint {
                at: now,
                work: self.released,
            };
            let points = points(&self.waiting, self.released);
            let Some(&first) = points.first() else { return };
            let exact = points.iter().fold(first, |a, &b| steeper(from, a, b));
            let found = if by_bridges {
                curve.steepest_by_bridges(from, first)
            } else {
                curve.steepest(from, first, Search::EVERYWHERE)
            };
            assert_eq!(found, exact);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        /// Searches and bridges in any mixture, because each leaves traces that the other sees.
        #[test]
        fn searches_and_bridges_find_the_steepest_of_all_points(
            steps in prop::collection::vec((0u8..16, 1u64..1_000_000, 1u32..9000), 1..1500)
        ) {
            let mut curve = DeadlineCurve::new();
            let mut model = Model::default();
            let mut now = Time::ZERO;
            for (step, bound, size) in steps {
                match step {
                    0 => model.check(&mut curve, now, true),
                    1 => model.check(&mut curve, now, false),
                    2..5 if !model.waiting.is_empty() => {
                        model.pop(&mut curve);
                        let first = model.waiting.first();
                        now += Span::from_ps(bound / 500);
                        now = first.map_or(now, |&(at, _)| now.min(Time::from_ps(at.as_ps() - 1)));
                    }
                    _ => model.insert(&mut curve, now + Span::from_ps(1 + bound), size),
                }
            }
        }
    }
}
