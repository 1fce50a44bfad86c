//! Recordings sent according to the off-line optimum.

use pacesim_model::Arrival;
use pacesim_recordings::recording::{Recording, Smooth};
use pacesim_units::{Bytes, Span};
use proptest::prelude::*;

/// Packets of one size, their gaps, and one delay for all.
fn recordings() -> impl Strategy<Value = (Vec<Arrival>, Span)> {
    let gaps = prop::collection::vec(1_u64..200, 2..60);
    (gaps, 200_u64..1_000).prop_map(|(gaps, delay)| {
        let mut at = Span::ZERO;
        let mut arrival = |gap| {
            at += Span::from_us(gap);
            let size = Bytes(1000);
            Arrival { at, size }
        };
        (
            gaps.into_iter().map(&mut arrival).collect(),
            Span::from_us(delay),
        )
    })
}

fn least_gap(arrivals: &[Arrival]) -> u64 {
    let gaps = arrivals
        .windows(2)
        .map(|pair| (pair[1].at - pair[0].at).as_ps());
    gaps.min().expect("two packets")
}

proptest! {
    /// No packet early or late, order and volume kept. Sending each packet evenly over the gap
    /// before it meets these deadlines, so the optimum's peak is at most that of this schedule,
    /// which is one packet per smallest gap.
    #[test]
    fn the_optimum_keeps_every_deadline_and_never_raises_the_peak(
        (came, delay) in recordings()
    ) {
        let recording = Recording::from(came.clone());
        let sent = recording.smoothed(Smooth::Within(delay)).expect("possible");
        prop_assert_eq!(sent.len(), came.len());
        for (came, sent) in came.iter().zip(&sent) {
            prop_assert_eq!(came.size, sent.size);
            prop_assert!(came.at <= sent.at && sent.at <= came.at + delay);
        }
        // Each time is rounded up to a picosecond.
        prop_assert!(least_gap(&sent) + 1 >= least_gap(&came));
    }
}
