//! CoDel's control of one queue: it decides which packets at the head are sent, marked or dropped.

use pacesim_units::{Span, Time};

use crate::codel::CodelConfig;
use crate::fate::Fate;
use crate::profile::Profile;
use crate::queue::{Ecn, Mark};

/// The properties of a queue's head that CoDel uses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    /// Arrival time of the packet at the head.
    pub(crate) came: Time,
    /// ECN field of the packet at the head.
    pub(crate) ecn: Ecn,
    /// Number of bytes that wait behind the head.
    pub(crate) behind: u64,
}

/// Parameters of the control law, in ticks of the profile's clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Law {
    profile: Profile,
    /// A sojourn time that is below target and threshold in any case, checked before ticks are
    /// counted.
    surely_below: Span,
    target: u64,
    interval: u64,
    /// The sojourn time beyond which packets are marked, and the one for L4S packets.
    ce_threshold: Option<u64>,
    l4s_threshold: Option<u64>,
    mtu: u64,
    ecn: bool,
}

/// The state of one queue (RFC 8289, section 5).
#[derive(Clone, Copy, Debug)]
pub(crate) struct CodelControl {
    pub(crate) count: u32,
    /// Value of the count at the last entry into the dropping state.
    last_count: u32,
    /// The time of the next drop; 0 before the first one.
    next: u64,
    /// The time before which packets above the target are sent: `next`, or the time at which the
    /// sojourn time will have been above the target for an interval. 0 if the decision needs more.
    quiet: u64,
    /// Linux's 1/sqrt(count) in 16 bits.
    inverse_root: u16,
    phase: Phase,
}

/// The state of the control law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The previous packet waited for less than the target.
    Below,
    /// The previous packet waited longer than the target, but nothing is dropped before `quiet`.
    Above,
    /// Packets are dropped at the times of the control law.
    Dropping,
    /// The previous packet was dropped on entry into that state: this one is sent.
    Entered,
    /// The packet after the drop was sent and had waited for less than the target: the state lasts
    /// until the next packet.
    Leaving,
    /// The previous packet was dropped in that state.
    Dropped,
}

impl Law {
    pub(crate) fn new(config: &CodelConfig) -> Law {
        let ticks = |span: Span| config.profile.ticks(span.as_ps());
        let target = ticks(config.target);
        let ce_threshold = config.ce_threshold.map(ticks);
        let thresholds = [ce_threshold, config.l4s_threshold.map(ticks)];
        let l4s_threshold = thresholds.into_iter().flatten().min();
        Law {
            profile: config.profile,
            surely_below: config
                .profile
                .surely_below(target.min(l4s_threshold.unwrap_or(target))),
            target,
            interval: ticks(config.interval),
            ce_threshold,
            l4s_threshold,
            mtu: config.mtu.get(),
            ecn: config.ecn,
        }
    }

    #[inline]
    pub(crate) fn profile(&self) -> Profile {
        self.profile
    }

    /// The first time at which a packet may be dropped, given the time at which it will have been
    /// above the target for an interval.
    #[inline]
    fn first_drop(&self, first_above: u64) -> u64 {
        match self.profile {
            Profile::Rfc => first_above,
            Profile::Linux => first_above + 1,
        }
    }

    /// The time of the next drop after `from`: an interval divided by the root of the count later.
    fn next(&self, from: u64, control: &CodelControl) -> u64 {
        from + match self.profile {
            Profile::Rfc => exact(self.interval, control.count),
            Profile::Linux => (self.interval * u64::from(control.inverse_root)) >> 16,
        }
    }
}

/// The interval divided by the root of the count, rounded. A float decides unless it is too close
/// to the middle between two integers.
#[inline]
fn exact(interval: u64, count: u32) -> u64 {
    // Below 2^42 its error is less than 2^-10.
    const LARGEST: f64 = (1u64 << 42) as f64;
    let near = interval as f64 / f64::from(count).sqrt();
    let nearest = (near + 0.5) as u64;
    if near < LARGEST && (near - nearest as f64).abs() < 0.499 {
        nearest
    } else {
        by_integers(interval, count)
    }
}

#[cold]
fn by_integers(interval: u64, count: u32) -> u64 {
    let square = u128::from(interval) * u128::from(interval) * 4 / u128::from(count);
    (square.isqrt() as u64).div_ceil(2)
}

/// A Newton step from `root` towards 1/sqrt(count), both in units of 2^-16, as Linux makes for each
/// count.
fn newton(root: u16, count: u32) -> u16 {
    let root = u64::from(root) << 16;
    let error = (3u64 << 32).wrapping_sub(u64::from(count).wrapping_mul((root * root) >> 32));
    (((error >> 2).wrapping_mul(root) >> 31) >> 16) as u16
}

impl CodelControl {
    pub(crate) const fn new() -> CodelControl {
        CodelControl {
            count: 0,
            last_count: 0,
            next: 0,
            inverse_root: 0,
            phase: Phase::Below,
            quiet: 0,
        }
    }

    /// True while packets are dropped at the times of the control law.
    pub(crate) fn is_dropping(&self) -> bool {
        !matches!(self.phase, Phase::Below | Phase::Above)
    }

    /// True if it decides as a new one would, while its queue is empty.
    pub(crate) fn is_as_new(&self, law: &Law, now: Time) -> bool {
        !self.may_go_on(law, law.profile.ticks(now.as_ps()))
    }

    /// True if the dropping state would go on from its last count, which it does soon after its end.
    #[inline]
    fn may_go_on(&self, law: &Law, now: u64) -> bool {
        self.next > 0 && now < self.next.saturating_add(16 * law.interval)
    }

    /// Notes that the queue is empty when the line is free, or that its head waited for less than
    /// the target.
    #[inline]
    pub(crate) fn note_below(&mut self) {
        if self.phase != Phase::Below {
            self.quiet = 0;
            self.phase = match self.phase {
                Phase::Entered => Phase::Leaving,
                _ => Phase::Below,
            };
        }
    }

    /// Decides on the head of the queue when the line is free. After a drop, the next head is
    /// decided on at the same time.
    #[inline]
    pub(crate) fn judge(&mut self, law: &Law, now: Time, head: Head) -> Fate {
        if now - head.came < law.surely_below {
            self.note_below();
            return Fate::Pass;
        }
        let now = law.profile.ticks(now.as_ps());
        let sojourn = now - law.profile.ticks(head.came.as_ps());
        let fate = if sojourn < law.target || head.behind <= law.mtu {
            self.note_below();
            Fate::Pass
        } else if now < self.quiet {
            Fate::Pass
        } else {
            self.judge_above(law, now, head.ecn)
        };
        match fate {
            Fate::Pass if law.is_over_threshold(sojourn, head.ecn) => Fate::Mark(Mark::Threshold),
            fate => fate,
        }
    }

    /// The decision if the head waited longer than the target, and `quiet` is over.
    fn judge_above(&mut self, law: &Law, now: u64, ecn: Ecn) -> Fate {
        match self.phase {
            Phase::Below | Phase::Leaving => {
                self.phase = Phase::Above;
                self.quiet = law.first_drop(now + law.interval);
                Fate::Pass
            }
            Phase::Above => self.enter(law, now, ecn),
            Phase::Entered => {
                self.drop_at(self.next);
                Fate::Pass
            }
            Phase::Dropping | Phase::Dropped => self.go_on(law, now, ecn),
        }
    }

    /// The time before which nothing is dropped in the dropping state.
    fn drop_at(&mut self, next: u64) {
        self.next = next;
        self.quiet = next;
        self.phase = Phase::Dropping;
    }

    /// The head is dropped in the dropping state, or on entry into it.
    fn drop_now(&mut self, phase: Phase) -> Fate {
        self.quiet = 0;
        self.phase = phase;
        Fate::Drop
    }

    /// Enters the dropping state: the head is marked and sent, or dropped.
    #[cold]
    fn enter(&mut self, law: &Law, now: u64, ecn: Ecn) -> Fate {
        let delta = self.count.saturating_sub(self.last_count);
        if delta > 1 && self.may_go_on(law, now) {
            self.count = delta;
            self.inverse_root = newton(self.inverse_root, delta);
        } else {
            self.count = 1;
            self.inverse_root = u16::MAX;
        }
        self.last_count = self.count;
        self.drop_at(law.next(now, self));
        if law.ecn && ecn.is_capable() {
            Fate::Mark(Mark::Law)
        } else {
            self.drop_now(Phase::Entered)
        }
    }

    /// In the dropping state, after a drop or at the time of the next one: drops or marks if that
    /// time has come.
    #[cold]
    fn go_on(&mut self, law: &Law, now: u64, ecn: Ecn) -> Fate {
        if self.phase == Phase::Dropped {
            self.drop_at(law.next(self.next, self));
        }
        if now < self.next {
            return Fate::Pass;
        }
        self.count = self.count.saturating_add(1);
        self.inverse_root = newton(self.inverse_root, self.count);
        if law.ecn && ecn.is_capable() {
            self.drop_at(law.next(self.next, self));
            return Fate::Mark(Mark::Law);
        }
        self.drop_now(Phase::Dropped)
    }
}

impl Law {
    #[inline]
    fn is_over_threshold(&self, sojourn: u64, ecn: Ecn) -> bool {
        let threshold = match ecn {
            Ecn::Ect1 => self.l4s_threshold,
            _ => self.ce_threshold,
        };
        threshold.is_some_and(|most| sojourn > most) && ecn.is_capable()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn l4s_packets_have_the_lower_of_two_thresholds_and_others_their_own() {
        let ms = |n: u64| Span::from_ps(n * 1_000_000_000);
        let law = |ce_threshold, l4s_threshold| {
            Law::new(&CodelConfig {
                ce_threshold,
                l4s_threshold,
                ..CodelConfig::default()
            })
        };
        let marked = |law: &Law, waited: u64| {
            let sojourn = law.profile.ticks(ms(waited).as_ps());
            let is_marked = |ecn: &Ecn| law.is_over_threshold(sojourn, *ecn);
            let fields = [Ecn::NotEct, Ecn::Ect0, Ecn::Ect1];
            fields.into_iter().filter(is_marked).collect::<Vec<_>>()
        };
        let (none, both) = (Vec::<Ecn>::new(), vec![Ecn::Ect0, Ecn::Ect1]);
        let l4s_alone = law(None, Some(ms(1)));
        assert_eq!(marked(&l4s_alone, 1), none, "as long as that is not beyond");
        assert_eq!(marked(&l4s_alone, 9), [Ecn::Ect1], "no threshold of others");
        let two = law(Some(ms(3)), Some(ms(1)));
        assert_eq!([marked(&two, 2), marked(&two, 4)], [vec![Ecn::Ect1], both]);
        let lower = law(Some(ms(1)), Some(ms(3)));
        assert_eq!(marked(&lower, 2), [Ecn::Ect0, Ecn::Ect1], "the lower one");
    }

    #[test]
    fn the_exact_law_is_an_interval_over_the_root() {
        let us = |count| exact(100_000_000_000, count) / 1_000_000;
        assert_eq!([1, 2, 3, 4].map(us), [100_000, 70_710, 57_735, 50_000]);
        assert_eq!(exact(100_000_000_000, 2), 70_710_678_119);
    }

    #[test]
    fn a_float_says_what_integers_say() {
        let intervals = [1, 3, 1_000_001, 100_000_000_000, (1 << 42) + 1, 1 << 50];
        for interval in intervals {
            for count in (1..3000).chain([1 << 20, u32::MAX]) {
                let (float, integer) = (exact(interval, count), by_integers(interval, count));
                assert_eq!(float, integer, "{interval} over the root of {count}");
            }
        }
    }

    #[test]
    fn one_newton_step_a_count_is_off_by_a_third_at_two_and_right_at_sixteen() {
        let mut root = u16::MAX;
        let mut seen = Vec::new();
        for count in 2..=16 {
            root = newton(root, count);
            seen.push(f64::from(root) / 65536.0);
        }
        let near = |is: f64, wanted: f64| assert!((is - wanted).abs() < 1e-4, "{is}, not {wanted}");
        near(seen[0], 0.50002);
        near(seen[1], 0.5625);
        near(seen[2], 0.4878);
        near(seen[14], 0.2496);
    }
}
