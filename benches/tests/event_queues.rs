//! The event queues of the benchmarks keep the laws of event queues.

use pacesim_benches::event_queues::{FourAryHeap, StdHeap, WinnerTree};
use pacesim_core::engine::{laws, laws_in_motion};
use proptest::prelude::*;

type Operations = Vec<(u32, Option<(u64, u64)>)>;

fn operations(times: impl Strategy<Value = u64>) -> impl Strategy<Value = Operations> {
    let key = prop::option::weighted(0.7, (times, 0u64..4));
    prop::collection::vec((0u32..20, key), 0..300)
}

fn all_keep_the_laws(operations: &Operations) {
    laws::<FourAryHeap>(20, operations);
    laws::<WinnerTree>(20, operations);
    laws::<StdHeap>(20, operations);
}

proptest! {
    #[test]
    fn the_laws_hold_when_ties_abound(operations in operations(0u64..12)) {
        all_keep_the_laws(&operations);
    }

    #[test]
    fn the_laws_hold_at_all_scales(
        operations in operations((0u32..60, 0u64..16).prop_map(|(e, m)| m << e)),
    ) {
        all_keep_the_laws(&operations);
    }

    #[test]
    fn the_laws_hold_in_motion(
        scale in 0u32..40,
        steps in prop::collection::vec((0u64..300, 0u32..50, 0u64..100_000), 0..2000),
    ) {
        let scaled: Vec<_> = steps.iter().map(|(a, id, b)| (a << scale, *id, b << (scale / 2))).collect();
        laws_in_motion::<FourAryHeap>(50, &scaled);
        laws_in_motion::<WinnerTree>(50, &scaled);
        laws_in_motion::<StdHeap>(50, &scaled);
    }
}
