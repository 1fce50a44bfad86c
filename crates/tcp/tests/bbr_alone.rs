//! BBR alone on a path, over six orders of magnitude of its rate: no stall, no packet ahead of its
//! pacing, and estimated bandwidth within the link's.

#[path = "path/mod.rs"]
mod path;

use pacesim_tcp::{Control, Segment, Sender};
use pacesim_units::{Rate, Span, Time};
use path::{Path, Watch};
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
        let model = sender.linux_state().and_then(|state| state.model);
        if let Some(model) = model.filter(|_| now > self.after) {
            self.believed = self.believed.max(model.bandwidth);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn a_lone_flow_finds_the_link_s_rate(
        third in any::<bool>(),
        seed in any::<u64>(),
        // 64 kbit/s to 10 Gbit/s, 0.1 ms to 1 s, uniform in the logarithm; at most 3000 packets per
        // round trip.
        rate_log in 4.806f64..10.0,
        rtt_log in -4.0f64..0.0,
        buffer_bdp in 0.5f64..4.0,
    ) {
        let rate = libm::pow(10.0, rate_log);
        let product = rate * libm::pow(10.0, rtt_log) / 12_000.0;
        let rtt = libm::pow(10.0, rtt_log) * (3000.0 / product).min(1.0);
        let product = rate * rtt / 12_000.0;
        let buffer = (product * buffer_bdp).max(20.0) as usize;
        let link = Rate::from_bps(rate as u64).expect("a rate");
        let mut path = Path::new(link, Span::from_ns((rtt * 1e9) as u64), buffer);
        let control = if third { Control::Bbr3 } else { Control::Bbr };
        let rounds = 60;
        let round_trip = Span::from_secs_f64(rtt + 12_000.0 / rate).expect("a round trip");
        let end = Time::ZERO + round_trip * rounds;
        let mut judge = Judge {
            after: Time::ZERO + round_trip * (rounds / 2),
            believed: 0,
            sent: 0,
            last: Time::ZERO,
            gap: Span::ZERO,
            hasty: 0,
        };
        let delivered = path::run(control, seed, &mut path, end, &mut judge);
        let payload = rate * 1448.0 / 1500.0 / 8.0;
        prop_assert!(judge.believed as f64 <= payload * 1.03 + 100.0, "{} of {payload}", judge.believed);
        prop_assert!(judge.believed as f64 >= payload * 0.8, "{} of {payload}", judge.believed);
        let most = (product + 1.0) * rounds as f64;
        prop_assert!(f64::from(delivered) >= most * 0.5, "{delivered} of {most}");
        prop_assert!(judge.hasty == 0, "{} packets too early", judge.hasty);
    }
}
