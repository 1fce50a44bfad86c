//! A line whose rate was recorded as opportunities to send (Mahimahi; Netravali et al. 2015).

use std::collections::VecDeque;

use pacesim_tape::Tape;
use pacesim_units::{Capacity, Time};
use rand_core::Rng;

use crate::built_in::BuiltIn;
use crate::config::{ConfigProblem, InvalidConfig, Problems, all_valid};
use crate::fifo::Room;
use crate::opportunities::Opportunities;
use crate::pacer::{Pacer, Pending, Refused, Release, Use, Waiting};

/// Parameters of [`RecordedRate`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedRateConfig {
    /// Opportunities to send in milliseconds, in order; the recording repeats from the last one on.
    pub opportunities_ms: Tape<u64>,
    /// Size of the buffer.
    pub capacity: Capacity,
}

impl RecordedRateConfig {
    /// Lists all problems of this configuration.
    pub fn validate(&self) -> Vec<ConfigProblem> {
        let mut problems = Problems::default();
        problems.require_room(self.capacity, "capacity");
        let lasts = self.opportunities_ms.last().is_some_and(|last| last > 0);
        problems.require(
            lasts && self.opportunities_ms.iter().is_sorted(),
            "opportunities_ms",
            || "opportunities must be in order, and the last after 0 ms".to_owned(),
            "sort them, and give at least one after the start",
        );
        problems.into_list()
    }
}

/// Releases packets at opportunities: each releases 1504 bytes, of one packet or of several; a
/// packet may need several. Unused bytes are lost. A packet cannot use an opportunity at the very
/// instant of its arrival.
#[derive(Debug)]
pub struct RecordedRate {
    opportunities: Opportunities,
    /// Packets with their times of arrival.
    queue: VecDeque<(Time, Pending)>,
    room: Room,
    /// Time of the opportunity in use, and its remaining bytes.
    at: Time,
    left: u32,
    /// Bytes of all opportunities used so far, including those to come for the head.
    used_bytes: u64,
    /// Bytes used at the latest instant, and those to come for the head, each with its time.
    recent: Vec<(Time, u64)>,
    next: Release,
}

impl RecordedRate {
    /// A pacer without packets.
    pub fn new(config: &RecordedRateConfig) -> Result<RecordedRate, InvalidConfig> {
        all_valid(config.validate())?;
        Ok(RecordedRate {
            opportunities: Opportunities::new(&config.opportunities_ms),
            queue: VecDeque::new(),
            room: Room::new(config.capacity),
            at: Time::ZERO,
            left: 0,
            used_bytes: 0,
            recent: Vec::new(),
            next: Release::Idle,
        })
    }

    /// Computes the release of the head's last byte.
    fn serve_head(&mut self) {
        let at = self.at;
        self.recent.retain(|(of, _)| *of == at);
        let Some(&(came, packet)) = self.queue.front() else {
            self.next = Release::Idle;
            return;
        };
        if came >= self.at {
            self.pass_by(came);
        }
        let mut size = packet.size;
        while size > self.left {
            size -= self.left;
            self.use_up(self.left);
            self.take_next();
        }
        self.use_up(size);
        self.next = Release::At(self.at);
    }

    /// Uses so many bytes of the current opportunity for the head.
    fn use_up(&mut self, bytes: u32) {
        self.left -= bytes;
        self.used_bytes += u64::from(bytes);
        match self.recent.last_mut() {
            Some((at, used)) if *at == self.at => *used += u64::from(bytes),
            _ => self.recent.push((self.at, u64::from(bytes))),
        }
    }

    /// Advances to the next opportunity.
    fn take_next(&mut self) {
        self.left = Opportunities::BYTES;
        self.at = self.opportunities.take();
    }

    /// Passes over all opportunities up to this time.
    fn pass_by(&mut self, now: Time) {
        self.left = 0;
        self.opportunities.pass_by(now);
    }
}

impl BuiltIn for RecordedRate {
    type Config = RecordedRateConfig;
    const NAME: &'static str = "recorded_rate";

    fn of(
        config: &RecordedRateConfig,
        _: impl Rng + Send + 'static,
    ) -> Result<RecordedRate, InvalidConfig> {
        RecordedRate::new(config)
    }
}

impl Pacer for RecordedRate {
    fn enqueue(&mut self, now: Time, packet: Pending) -> Result<(), Refused> {
        self.room.take(self.queue.len(), packet.size)?;
        self.queue.push_back((now, packet));
        if self.queue.len() == 1 {
            self.serve_head();
        }
        Ok(())
    }

    fn dequeue(&mut self, now: Time) -> Option<Pending> {
        if !self.next.is_ready(now) {
            return None;
        }
        let (_, packet) = self.queue.pop_front()?;
        self.room.give_back(packet.size);
        self.serve_head();
        Some(packet)
    }

    fn next_release(&self) -> Release {
        self.next
    }

    fn waiting(&self) -> Waiting {
        Waiting {
            packets: self.queue.len() as u64,
            bytes: self.room.held(),
        }
    }

    /// The bytes of opportunities before now: those of this instant may still be taken, or are taken
    /// already.
    fn in_use(&self, now: Time) -> Option<Use> {
        let now = Time::from_ps(now.as_ps().saturating_sub(1));
        let later = self.recent.iter().filter(|(at, _)| *at > now);
        let later: u64 = later.map(|(_, bytes)| bytes).sum();
        let so_far = u128::from(self.opportunities.until(now));
        Some(Use {
            used: u128::from(self.used_bytes - later),
            possible: so_far * u128::from(Opportunities::BYTES),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pacesim_units::{FlowId, Span};

    const PS_PER_MS: u64 = Span::from_ms(1).as_ps();

    fn ms(n: u64) -> Time {
        Time::ZERO + Span::from_ms(n)
    }

    fn a_line(opportunities_ms: &[u64]) -> RecordedRate {
        let config = RecordedRateConfig {
            opportunities_ms: opportunities_ms.iter().copied().collect(),
            capacity: Capacity::Unlimited,
        };
        RecordedRate::new(&config).expect("sound")
    }

    /// The milliseconds at which packets of these arrivals and sizes leave.
    fn departures(opportunities_ms: &[u64], packets: &[(u64, u32)]) -> Vec<u64> {
        let mut line = a_line(opportunities_ms);
        let mut left = Vec::new();
        let mut coming = packets.iter().peekable();
        loop {
            let release = match line.next_release() {
                Release::At(at) => at,
                Release::Idle => Time::NEVER,
            };
            match coming.next_if(|(at, _)| ms(*at) < release) {
                Some((at, size)) => {
                    let packet = Pending::new(0, FlowId(0), *size);
                    line.enqueue(ms(*at), packet).expect("unlimited");
                }
                None if release == Time::NEVER => return left,
                None => {
                    line.dequeue(release).expect("ready");
                    left.push(release.as_ps() / PS_PER_MS);
                }
            }
        }
    }

    #[test]
    fn each_opportunity_lets_1504_bytes_go_of_one_packet_or_of_several() {
        let all = departures(&[5, 9, 20], &[(0, 1504), (0, 504), (0, 1000), (0, 1)]);
        assert_eq!(all, [5, 9, 9, 20]);
        assert_eq!(departures(&[5, 9, 20], &[(0, 3008), (0, 1)]), [9, 20]);
        assert_eq!(departures(&[5, 5, 9], &[(0, 3008), (0, 1)]), [5, 9]);
    }

    #[test]
    fn an_opportunity_that_finds_nothing_is_lost() {
        assert_eq!(
            departures(&[5, 9, 20], &[(6, 10), (9, 10), (15, 10)]),
            [9, 20, 20]
        );
    }

    #[test]
    fn behind_its_last_opportunity_the_recording_begins_again() {
        assert_eq!(
            departures(&[5, 20], &[(0, 1504), (0, 1504), (0, 1504)]),
            [5, 20, 25]
        );
        // 1013 is in the 51st round, which begins at 1000.
        assert_eq!(
            departures(&[5, 20], &[(1013, 10), (1020, 10)]),
            [1020, 1025]
        );
        assert_eq!(
            departures(&[0, 20], &[(19, 1504), (19, 1504), (19, 1504)]),
            [20, 20, 40]
        );
    }

    #[test]
    fn what_never_ends_or_is_out_of_order_is_refused() {
        for opportunities in [&[][..], &[0, 0], &[5, 3]] {
            let config = RecordedRateConfig {
                opportunities_ms: opportunities.iter().copied().collect(),
                capacity: Capacity::Unlimited,
            };
            assert_eq!(config.validate().len(), 1, "{opportunities:?}");
        }
    }

    #[test]
    fn no_more_is_used_than_was_possible_at_any_instant() {
        let trace = [5, 5, 5, 5, 5, 10];
        let mut line = a_line(&trace);
        let pending = Pending::new(0, FlowId(0), 376);
        for t in 0..60 {
            let check = |line: &RecordedRate| {
                let of = line.in_use(ms(t)).expect("it counts");
                assert!(of.used <= of.possible, "{t}: {of:?}");
            };
            for _ in 0..40 {
                let _ = line.enqueue(ms(t), pending);
                check(&line);
            }
            while line.dequeue(ms(t)).is_some() {
                check(&line);
            }
        }
    }
}
