//! BBR alone on a path, over six orders of magnitude of its rate: no stall, no packet ahead of its
//! pacing, and estimated bandwidth within the link's.

use crate::path::{self, Path, Watch};
use pacesim_tcp::{Control, Segment, Sender};
use pacesim_units::{Rate, Span, Time};
use proptest::prelude::*;

/// Checks pacing, and the sender's bandwidth estimate after a while.
struct Judge {
    after: Time,
    /// The greatest bandwidth estimate, in payload bytes per second.
    believed: u64,
    sent: u32,
    last: Time,
    /// Pacing gap from each packet to the next; lateness of the one before may halve it.
    gap: Span,
    /// Packets that left earlier than pacing allows.
    hasty: u32,
    /// Packets delivered until then, and until the end.
    delivered: [u32; 2],
}

impl Watch for Judge {
    fn sent(&mut self, now: Time, sender: &Sender, segment: &Segment) {
        let rate = sender.linux_state().expect("Linux's profile").pacing_rate;
        self.sent += 1;
        let short = now.saturating_since(self.last) + Span::from_us(2) < self.gap / 2;
        self.hasty += u32::from(self.sent > 11 && short);
        self.gap = Span::from_ns(u64::from(segment.payload) * 1_000_000_000 / rate.max(1));
        self.last = now;
    }

    fn event(&mut self, now: Time, sender: &Sender, _path: &Path) {
        let state = sender.linux_state().expect("Linux's profile");
        if now <= self.after {
            self.delivered[0] = state.delivered;
        } else if let Some(model) = state.model {
            self.believed = self.believed.max(model.bandwidth);
            self.delivered[1] = state.delivered;
        }
    }
}

/// A flow on a path: its rate in bit/s, its round trip in seconds, and its buffer in their products.
#[derive(Clone, Copy, Debug)]
struct Lone {
    rate: f64,
    rtt: f64,
    buffer: f64,
}

impl Lone {
    /// Packets that fill the path.
    fn product(&self) -> f64 {
        self.rate * self.rtt / 12_000.0
    }

    /// Rounds until the estimate is judged: some for searches, which halt the start every five
    /// seconds, and those in which the window doubles.
    fn first_rounds(&self) -> u64 {
        30 + 2 * libm::log2(self.product() / 1000.0).max(0.0) as u64
    }
}

fn judge(control: Control, lone: Lone, seed: u64) -> Result<(), TestCaseError> {
    let product = lone.product();
    let buffer = (product * lone.buffer).max(20.0) as usize;
    let link = Rate::from_bps(lone.rate as u64).expect("a rate");
    let mut path = Path::new(link, Span::from_ns((lone.rtt * 1e9) as u64), buffer);
    let round_trip = Span::from_secs_f64(lone.rtt + 12_000.0 / lone.rate).expect("a round trip");
    let last_rounds = if product > 3000.0 { 10 } else { 30 };
    let after = Time::ZERO + round_trip * lone.first_rounds();
    let end = after + round_trip * last_rounds;
    let mut judge = Judge {
        after,
        believed: 0,
        sent: 0,
        last: Time::ZERO,
        gap: Span::ZERO,
        hasty: 0,
        delivered: [0; 2],
    };
    let what = format!("{control:?}, {lone:?}");
    path::run(control, seed, &mut path, end, &mut judge);
    let [first, last] = judge.delivered;
    let delivered = last - first;
    let payload = lone.rate * 1448.0 / 1500.0 / 8.0;
    let believed = judge.believed as f64;
    prop_assert!(
        believed <= payload * 1.03 + 100.0,
        "{believed} of {payload}: {what}"
    );
    prop_assert!(believed >= payload * 0.8, "{believed} of {payload}: {what}");
    let most = (product + 1.0) * last_rounds as f64;
    prop_assert!(
        f64::from(delivered) >= most * 0.5,
        "{delivered} of {most}: {what}"
    );
    prop_assert!(
        judge.hasty == 0,
        "{} packets too early: {what}",
        judge.hasty
    );
    Ok(())
}

const CONTROLS: [Control; 3] = [Control::Bbr, Control::Bbr3, Control::Bbr3Draft];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// 64 kbit/s to 10 Gbit/s, 0.1 ms to 1 s, uniform in the logarithm; at most 10 000 packets per round trip.
    #[test]
    fn a_lone_flow_finds_the_link_s_rate(
        control in 0..3usize,
        seed in any::<u64>(),
        rate_log in 4.806f64..10.0,
        rtt_log in -4.0f64..0.0,
        buffer in 0.5f64..4.0,
    ) {
        let (rate, rtt) = (libm::pow(10.0, rate_log), libm::pow(10.0, rtt_log));
        let product = rate * rtt / 12_000.0;
        let rtt = rtt * (10_000.0 / product).min(1.0);
        judge(CONTROLS[control].clone(), Lone { rate, rtt, buffer }, seed)?;
    }
}

/// The corners of the range, and 83 000 packets per round trip.
#[test]
fn a_lone_flow_finds_the_rate_at_the_ends_of_the_range() {
    for control in CONTROLS {
        for (rate, rtt) in [(64e3, 1e-4), (64e3, 1.0), (1e10, 1e-4), (1e9, 1.0)] {
            let lone = Lone {
                rate,
                rtt,
                buffer: 1.0,
            };
            judge(control.clone(), lone, 1).expect("a lone flow");
        }
    }
}

/// The last corner: 833 000 packets per round trip, half a minute for the three controls.
#[test]
fn a_lone_flow_finds_ten_gigabits_across_a_second() {
    let lone = Lone {
        rate: 1e10,
        rtt: 1.0,
        buffer: 1.0,
    };
    for control in CONTROLS {
        judge(control, lone, 1).expect("a lone flow");
    }
}
