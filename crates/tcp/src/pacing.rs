//! Host pacing: the earliest departure of the next packet that the window admits.

use pacesim_units::{Bytes, Rate, Span, Time};

use crate::config::Pacing;

/// The state of the sender that the pacer needs for one packet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PaceView {
    /// Window in use, in packets.
    pub(crate) window: f64,
    pub(crate) ssthresh: f64,
    pub(crate) in_flight: u32,
    pub(crate) recovering: bool,
    /// The rate that the controller itself sets, if it does.
    pub(crate) rate: Option<Rate>,
    /// Size of the packet on the wire.
    pub(crate) size: Bytes,
}

/// Number of segments that Linux sends unpaced at first.
const LINUX_FREE_SEGMENTS: u32 = 10;
/// Linux's rate over window per round trip, in slow start and after.
const LINUX_RATIOS: (f64, f64) = (2.0, 1.2);

/// The pacing state of one sender.
#[derive(Clone, Debug)]
pub(crate) struct HostPacer {
    rule: Pacing,
    /// Smoothed round-trip time in picoseconds; zero before the first sample.
    srtt: f64,
    min_rtt: f64,
    last_sent: Option<Time>,
    /// Earliest departure of the next packet by Linux's rule.
    earliest: Time,
    sent: u32,
    /// Time for which a wake-up is requested.
    pending: Time,
    /// Time at which the wake-up was requested.
    armed: Time,
}

impl HostPacer {
    /// The pacer for this rule; `None` if the rule is not to pace.
    pub(crate) fn new(rule: Pacing) -> Option<Box<HostPacer>> {
        (rule != Pacing::Off).then(|| {
            Box::new(HostPacer {
                rule,
                srtt: 0.0,
                min_rtt: 0.0,
                last_sent: None,
                earliest: Time::ZERO,
                sent: 0,
                pending: Time::NEVER,
                armed: Time::ZERO,
            })
        })
    }

    /// Time at which to try again; `NEVER` if nothing waits.
    pub(crate) fn deadline(&self) -> Time {
        self.pending
    }

    /// Time at which the wake-up was requested.
    pub(crate) fn armed(&self) -> Time {
        self.armed
    }

    /// Notes that nothing waits any more.
    pub(crate) fn rest(&mut self) {
        self.pending = Time::NEVER;
    }

    /// True if retransmissions are paced, too.
    pub(crate) fn paces_retransmissions(&self) -> bool {
        self.rule
            != Pacing::WindowStrict {
                retransmissions: false,
            }
    }

    /// True while the timer runs and less than `gap` has passed since the last departure.
    pub(crate) fn holds(&self, now: Time, gap: Span) -> bool {
        self.pending != Time::NEVER && now < self.pending && now < self.due(gap)
    }

    /// Moves a running timer forward to `gap` after the last departure.
    pub(crate) fn hasten(&mut self, now: Time, gap: Span) {
        let due = self.due(gap);
        if due < self.pending {
            (self.pending, self.armed) = (due, now);
        }
    }

    /// Starts the timer.
    pub(crate) fn run(&mut self, now: Time, gap: Span) {
        (self.pending, self.armed) = (now.saturating_add(gap), now);
    }

    fn due(&self, gap: Span) -> Time {
        let last = self.last_sent.unwrap_or(Time::ZERO);
        last.saturating_add(gap)
    }

    /// Notes the departure of a packet, which leaves the timer alone.
    pub(crate) fn note_departure(&mut self, now: Time) {
        self.last_sent = Some(now);
    }

    /// Notes a round trip, measured while the window was `window` packets.
    pub(crate) fn on_rtt(&mut self, rtt: Span, window: f64) {
        let sample = rtt.as_ps() as f64;
        if self.srtt == 0.0 {
            (self.srtt, self.min_rtt) = (sample, sample);
            return;
        }
        let weight = self.weight(window);
        self.srtt = ((weight - 1.0) * self.srtt + sample) / weight;
        self.min_rtt = self.min_rtt.min(sample);
    }

    /// Samples in the moving average: a third of the window in Wei's patch, eight otherwise (RFC
    /// 6298).
    fn weight(&self, window: f64) -> f64 {
        match self.rule {
            Pacing::Window | Pacing::WindowStrict { .. } => (window / 3.0).max(4.0),
            _ => 8.0,
        }
    }

    /// True if a packet may leave now; if not, the wake-up is set. A wake-up once set only moves
    /// earlier, as the gap shrinks.
    pub(crate) fn admits(&mut self, now: Time, view: &PaceView) -> bool {
        let at = self.release(view).min(self.pending);
        let ready = at <= now;
        if at < self.pending {
            self.armed = now;
        }
        self.pending = if ready { Time::NEVER } else { at };
        ready
    }

    fn release(&self, view: &PaceView) -> Time {
        if self.rule == Pacing::Linux {
            return self.earliest;
        }
        match (self.last_sent, self.gap(view)) {
            (Some(last), Some(gap)) => last.saturating_add(gap),
            _ => Time::ZERO,
        }
    }

    /// The time from one packet to the next; `None` while there is no rate.
    fn gap(&self, view: &PaceView) -> Option<Span> {
        match self.rule {
            Pacing::Off => None,
            Pacing::Window | Pacing::WindowStrict { .. } => {
                self.window_gap(view.window, view.recovering)
            }
            Pacing::Linux => self.linux_gap(view),
            Pacing::Fixed(rate) => rate.transmission_time(view.size),
            Pacing::Controller => view.rate?.transmission_time(view.size),
        }
    }

    /// One round trip divided by the window; in recovery the minimum round trip, as the queue is
    /// then draining.
    pub(crate) fn window_gap(&self, window: f64, recovering: bool) -> Option<Span> {
        let rtt = if recovering { self.min_rtt } else { self.srtt };
        span_of(rtt / window)
    }

    fn linux_gap(&self, view: &PaceView) -> Option<Span> {
        if self.sent < LINUX_FREE_SEGMENTS {
            return None;
        }
        let in_slow_start = view.window < view.ssthresh / 2.0;
        let ratio = if in_slow_start {
            LINUX_RATIOS.0
        } else {
            LINUX_RATIOS.1
        };
        let window = view.window.max(f64::from(view.in_flight));
        span_of(self.srtt / (ratio * window))
    }

    /// Notes the departure of a packet.
    pub(crate) fn on_sent(&mut self, now: Time, view: &PaceView) {
        self.sent = self.sent.saturating_add(1);
        if self.rule == Pacing::Linux {
            self.earliest = self.linux_departure(now, view);
        }
        self.last_sent = Some(now);
        self.pending = Time::NEVER;
    }

    /// The earliest departure, which makes up for lateness by at most half a gap.
    fn linux_departure(&self, now: Time, view: &PaceView) -> Time {
        let Some(gap) = self.linux_gap(view) else {
            return now;
        };
        let credit = now.saturating_since(self.earliest).min(gap / 2);
        now.saturating_add(gap.saturating_sub(credit))
    }
}

/// A gap of this many picoseconds; `None` before the first round trip.
fn span_of(ps: f64) -> Option<Span> {
    if ps > 0.0 {
        Span::from_ps_f64(ps)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VIEW: PaceView = PaceView {
        window: 10.0,
        ssthresh: 5.0,
        in_flight: 3,
        recovering: false,
        rate: None,
        size: Bytes(1000),
    };

    fn ms(n: u64) -> Time {
        Time::ZERO + Span::from_ms(n)
    }

    fn pacer(rule: Pacing) -> Box<HostPacer> {
        let mut pacer = HostPacer::new(rule).expect("a rule that paces");
        pacer.on_rtt(Span::from_ms(100), 10.0);
        pacer
    }

    #[test]
    fn window_pacing_leaves_a_round_trip_over_the_window_between_packets() {
        let mut p = pacer(Pacing::WindowStrict {
            retransmissions: false,
        });
        assert!(p.admits(ms(0), &VIEW));
        p.on_sent(ms(0), &VIEW);
        assert!(!p.admits(ms(9), &VIEW));
        assert_eq!(p.deadline(), ms(10));
        assert!(p.admits(ms(10), &VIEW));
    }

    #[test]
    fn a_wake_up_moves_only_forward() {
        let mut p = pacer(Pacing::WindowStrict {
            retransmissions: false,
        });
        p.on_sent(ms(0), &VIEW);
        assert!(!p.admits(ms(1), &VIEW));
        assert!(!p.admits(
            ms(2),
            &PaceView {
                window: 20.0,
                ..VIEW
            }
        ));
        assert_eq!(p.deadline(), ms(5));
        assert!(!p.admits(ms(3), &VIEW));
        assert_eq!(p.deadline(), ms(5));
    }

    #[test]
    fn without_a_round_trip_nothing_is_held() {
        let mut p = HostPacer::new(Pacing::WindowStrict {
            retransmissions: true,
        })
        .expect("paces");
        p.on_sent(ms(0), &VIEW);
        assert!(p.admits(ms(0), &VIEW));
    }

    #[test]
    fn recovery_paces_by_the_least_round_trip() {
        let mut p = pacer(Pacing::WindowStrict {
            retransmissions: true,
        });
        p.on_rtt(Span::from_ms(180), 10.0);
        // Weight 4: (3 * 100 + 180) / 4 = 120.
        assert_eq!(p.gap(&VIEW), Some(Span::from_ms(12)));
        let repairing = PaceView {
            recovering: true,
            ..VIEW
        };
        assert_eq!(p.gap(&repairing), Some(Span::from_ms(10)));
    }

    #[test]
    fn linux_paces_after_ten_segments_and_makes_up_for_lateness() {
        let mut p = pacer(Pacing::Linux);
        let view = PaceView {
            window: 12.5,
            ..VIEW
        };
        for _ in 0..10 {
            assert!(p.admits(ms(0), &view));
            p.on_sent(ms(0), &view);
        }
        // 100 ms / (1.2 * 12.5) = 6.67 ms, later 100 / (2 * 12.5) = 4 ms.
        assert!(!p.admits(ms(6), &view));
        let slow_start = PaceView {
            ssthresh: 100.0,
            ..view
        };
        assert!(p.admits(ms(7), &slow_start));
        p.on_sent(ms(7), &slow_start);
        assert!(p.deadline() > ms(100));
        assert!(!p.admits(ms(10), &slow_start));
        assert!(
            p.deadline() > ms(10) && p.deadline() < ms(11),
            "{}",
            p.deadline()
        );
        p.rest();
        p.on_sent(ms(50), &slow_start);
        assert!(!p.admits(ms(51), &slow_start));
        assert_eq!(p.deadline(), ms(52));
    }

    #[test]
    fn a_fixed_rate_holds_from_the_first_packet() {
        let mut p = HostPacer::new(Pacing::Fixed(Rate::from_mbps(8))).expect("paces");
        p.on_sent(ms(0), &VIEW);
        assert!(!p.admits(ms(0), &VIEW));
        assert_eq!(p.deadline(), ms(1));
    }

    #[test]
    fn the_controllers_rate_is_obeyed_once_it_has_one() {
        let mut p = HostPacer::new(Pacing::Controller).expect("paces");
        p.on_sent(ms(0), &VIEW);
        assert!(p.admits(ms(0), &VIEW));
        let view = PaceView {
            rate: Some(Rate::from_mbps(4)),
            ..VIEW
        };
        assert!(!p.admits(ms(1), &view));
        assert_eq!(p.deadline(), ms(2));
    }
}
