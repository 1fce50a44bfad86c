//! Transfers that wait for others to arrive: collectives, rounds, lists with dependences.

use pacesim_units::{Bytes, FlowId, Span};

/// A transfer of a flow that begins when others have arrived. Those of one flow share its
/// connection, which sends them in the order in which they begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// Bytes of payload.
    pub size: Bytes,
    /// The wait from the opening of the barrier, or from the flow's start.
    pub wait: Span,
    /// The place of the barrier, in [`Model::barriers`](crate::Model::barriers), before which it
    /// does not begin.
    pub after: Option<u32>,
}

/// Opens at the arrival of the last of some tasks: of all their bytes, in order, at their receivers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Barrier {
    /// Each a flow and the place of one of its tasks.
    pub needs: Vec<(FlowId, u32)>,
}

/// Tasks that can never begin, since they wait for themselves: the flow and place of one of them.
/// `of` gives the barrier of each task.
pub fn circle(
    barriers: &[Barrier],
    of: impl Fn(FlowId, u32) -> Option<u32>,
) -> Option<(FlowId, u32)> {
    // Barriers on the way from the first, each with the number of its needs that were followed.
    let mut is_done = vec![false; barriers.len()];
    let mut is_on_way = vec![false; barriers.len()];
    for first in 0..barriers.len() as u32 {
        let mut way = vec![(first, 0)];
        while let Some((barrier, next)) = way.last_mut() {
            let place = *barrier as usize;
            is_on_way[place] = true;
            match barriers[place].needs.get(*next) {
                Some((flow, task)) if !is_done[place] => {
                    *next += 1;
                    match of(*flow, *task) {
                        Some(other) if is_on_way[other as usize] => return Some((*flow, *task)),
                        Some(other) if !is_done[other as usize] => way.push((other, 0)),
                        _ => {}
                    }
                }
                _ => {
                    (is_done[place], is_on_way[place]) = (true, false);
                    way.pop();
                }
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The circle of a chain in which task i of flow 0 waits for these.
    fn of(waits: &[&[u32]]) -> Option<u32> {
        let needs = |list: &&[u32]| Barrier {
            needs: list.iter().map(|task| (FlowId(0), *task)).collect(),
        };
        let barriers: Vec<Barrier> = waits.iter().map(needs).collect();
        circle(&barriers, |_, task| Some(task)).map(|(_, task)| task)
    }

    #[test]
    fn tasks_that_wait_for_themselves_are_found() {
        assert_eq!(of(&[&[], &[0], &[0, 1], &[2, 0]]), None);
        assert_eq!(of(&[&[0]]), Some(0));
        assert!(of(&[&[], &[0, 3], &[1], &[2]]).is_some());
        let long: Vec<Vec<u32>> = (0..100_000_u32)
            .map(|i| i.checked_sub(1).into_iter().collect())
            .collect();
        let long: Vec<&[u32]> = long.iter().map(Vec::as_slice).collect();
        assert_eq!(of(&long), None, "without recursion");
    }
}
