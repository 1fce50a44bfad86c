//! Queues of pending wake-ups, as a trait and as executable laws.

use pacesim_units::Time;

use super::{DrawnTies, Ties};

/// At most one pending wake-up for each of `n` components, in one total order: by time, then by the
/// start of the activity that ends there, then as [`Ties`] has it. The order is a function of the
/// pending wake-ups, never of the calls that led to them.
pub trait EventQueue {
    /// A queue for components `0..n` with nothing pending.
    fn with_components(n: usize) -> Self;

    /// Makes room for components up to `n`; the new ones are idle.
    fn grow(&mut self, n: usize);

    /// The rule for ties. It changes only for components that are not armed, and the word of a
    /// ranked component is set before that is armed.
    fn ties_mut(&mut self) -> &mut Ties;

    /// Arms component `id`, or moves its pending wake-up.
    fn set(&mut self, id: u32, at: Time, began: Time);

    /// Disarms component `id`, if it is armed.
    fn clear(&mut self, id: u32);

    /// Takes the first wake-up in the order if it is due by `until`; its component is idle
    /// afterwards. `until` is before [`Time::NEVER`].
    fn take_first(&mut self, until: Time) -> Option<(Time, u32)>;

    /// Time of the first wake-up, which stays pending: [`take_first`](EventQueue::take_first) would
    /// take one of that time. Others may be armed for earlier times afterwards.
    fn first(&mut self) -> Option<Time>;

    /// Time of the pending wake-up of an armed component.
    fn at(&self, id: u32) -> Time;

    /// Start of the activity of this component, as it was last armed.
    fn began(&self, id: u32) -> Time;

    /// A word that the queue's owner keeps with a component, next to its wake-up so that both are
    /// in the cache together.
    fn word(&self, id: u32) -> u64;

    /// The word of a component, mutable.
    fn word_mut(&mut self, id: u32) -> &mut u64;

    /// Two components that are likely to be taken next, if that is cheap to find.
    fn likely_next(&self) -> [Option<u32>; 2] {
        [None; 2]
    }
}

/// A time later than any in the laws.
const LAST: Time = Time::from_ps(u64::MAX - 1);

/// The laws of [`EventQueue`]: runs any list of operations alongside a naive model and panics where
/// they differ. `(id, Some((at, began)))` sets, `(id, None)` clears, and after each operation the
/// first is taken and put back; at the end both are drained. Half of the components exist from the
/// start, others are added as they are needed; the last quarter is ranked. Ties are first by number,
/// then drawn.
pub fn laws<Q: EventQueue>(components: u32, operations: &[(u32, Option<(u64, u64)>)]) {
    let ranked_from = components - components / 4;
    let drawn = DrawnTies {
        key: 11,
        links: components / 4,
        parts_from: components / 2,
    };
    for drawn in [None, Some(drawn)] {
        laws_of_ties::<Q>(components, operations, Ties { ranked_from, drawn });
    }
}

/// Armed components with their times and when they were armed.
type Armed = std::collections::BTreeMap<u32, (u64, u64)>;

/// The first of a naive model.
fn first_armed(model: &Armed, ties: &Ties) -> Option<(Time, u32)> {
    let key = |(id, (at, began)): (&u32, &(u64, u64))| {
        let place = ties.place(Time::from_ps(*at), *id, at ^ began);
        (*at, *began, place, *id)
    };
    let first = model.iter().map(key).min();
    first.map(|(at, .., id)| (Time::from_ps(at), id))
}

fn laws_of_ties<Q: EventQueue>(
    components: u32,
    operations: &[(u32, Option<(u64, u64)>)],
    ties: Ties,
) {
    let mut queue = Q::with_components(components as usize / 2);
    let (mut room, mut model) = (components / 2, Armed::new());
    *queue.ties_mut() = ties;
    for &(id, operation) in operations {
        if id >= room {
            room = id + 1;
            queue.grow(room as usize);
        }
        match operation {
            Some((at, began)) => {
                // A ranked component is idle when it gets another owner, and so another word.
                queue.clear(id);
                *queue.word_mut(id) = at ^ began;
                queue.set(id, Time::from_ps(at), Time::from_ps(began));
                model.insert(id, (at, began));
            }
            None => {
                queue.clear(id);
                model.remove(&id);
            }
        }
        let name = std::any::type_name::<Q>();
        let next = if id % 2 == 0 { queue.first() } else { None };
        let first = queue.take_first(LAST);
        if let Some(next) = next {
            assert_eq!(Some(next), first.map(|(at, _)| at), "{name} foresees");
        }
        assert_eq!(
            first,
            first_armed(&model, &ties),
            "{name} after {operation:?} of {id}"
        );
        if let Some((at, first)) = first {
            queue.set(first, at, queue.began(first));
        }
    }
    drain(&mut queue, model, &ties);
}

/// Takes all that is armed, in its order.
fn drain<Q: EventQueue>(queue: &mut Q, mut model: Armed, ties: &Ties) {
    let name = std::any::type_name::<Q>();
    while let Some((at, id)) = first_armed(&model, ties) {
        if let Some(before) = at.as_ps().checked_sub(1) {
            let early = queue.take_first(Time::from_ps(before));
            assert_eq!(early, None, "{name} takes what is not due");
        }
        assert_eq!(queue.first(), Some(at), "{name} foresees");
        assert_eq!(queue.take_first(at), Some((at, id)), "{name} drains");
        assert_eq!(queue.began(id).as_ps(), model[&id].1);
        let word = at.as_ps() ^ model[&id].1;
        assert_eq!(queue.word(id), word, "{name} keeps words");
        model.remove(&id);
    }
    assert_eq!(queue.first(), None, "something is foreseen");
    assert_eq!(queue.take_first(LAST), None, "something is left");
}

/// The laws of [`EventQueue`] as the engine uses it: the first wake-up is taken, its component goes
/// idle or is armed again a while later, and another may be armed as well. Each `(while, other,
/// other_while)` is one such step, alongside a naive model.
pub fn laws_in_motion<Q: EventQueue>(components: u32, steps: &[(u64, u32, u64)]) {
    let mut queue = Q::with_components(components as usize);
    let mut model = std::collections::BTreeSet::new();
    let mut pending = vec![None; components as usize];
    let mut arm = |queue: &mut Q, model: &mut std::collections::BTreeSet<_>, id: u32, now, gap| {
        let at = now + gap;
        queue.set(id, Time::from_ps(at), Time::from_ps(now));
        if let Some(old) = pending[id as usize].replace((at, now, id)) {
            model.remove(&old);
        }
        model.insert((at, now, id));
    };
    arm(&mut queue, &mut model, 0, 0, 0);
    for &(gap, other, other_gap) in steps {
        let Some(&(now, began, id)) = model.first() else {
            break;
        };
        let name = std::any::type_name::<Q>();
        let first = Some((Time::from_ps(now), id));
        // Some are not foreseen, so that both ways to the first one are tried.
        if gap % 2 == 0 {
            assert_eq!(queue.first(), Some(Time::from_ps(now)), "{name} foresees");
        }
        assert_eq!(queue.take_first(LAST), first, "{name}");
        assert_eq!(queue.began(id).as_ps(), began, "{name}");
        model.pop_first();
        if gap != 0 || other == id {
            arm(&mut queue, &mut model, id, now, gap);
        }
        arm(&mut queue, &mut model, other % components, now, other_gap);
    }
}
