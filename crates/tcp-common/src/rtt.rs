//! Round trips and the time-out derived from them, in Linux's integers.

use crate::clock::Micros;
use crate::filter::Least;

/// Length of the window of the minimum round trip, in seconds.
const LEAST_KEPT_S: u64 = 300;

/// An estimator of the round-trip time and of the time-out.
#[derive(Debug)]
pub struct Rtt {
    /// 8 times the smoothed round trip; 0 before the first sample.
    srtt8: u32,
    /// 4 times the mean deviation.
    deviation4: u32,
    /// Maximum of the deviation in this round trip, and the value derived from the last one.
    greatest4: u32,
    variance4: u32,
    /// The packet with whose acknowledgement the round trip of `greatest4` ends.
    round_end: u32,
    least: Least,
    least_rto: Micros,
}

impl Rtt {
    /// An estimator without samples.
    pub fn new(least_rto: Micros) -> Rtt {
        Rtt {
            srtt8: 0,
            deviation4: 0,
            greatest4: 0,
            variance4: 0,
            round_end: 0,
            least: Least::new(u64::MAX),
            least_rto,
        }
    }

    /// 8 times the smoothed round trip, in microseconds.
    #[inline]
    pub fn srtt8(&self) -> u64 {
        u64::from(self.srtt8)
    }

    /// The smoothed round trip plus the greater of four deviations and the minimum time-out.
    #[inline]
    pub fn time_out(&self) -> Micros {
        u64::from(self.srtt8 >> 3) + u64::from(self.variance4)
    }

    /// Four times the deviation in use, in microseconds.
    pub fn variance4(&self) -> u64 {
        u64::from(self.variance4)
    }

    /// Four times the mean deviation, in microseconds.
    pub fn deviation4(&self) -> u64 {
        u64::from(self.deviation4)
    }

    /// The minimum round trip of the last five minutes.
    #[inline]
    pub fn least(&self) -> Micros {
        self.least.get()
    }

    /// Updates the minimum with a round trip.
    #[inline]
    pub fn note_least(&mut self, rtt: Micros, tick: u64, ticks_per_second: u64) {
        let rtt = if rtt == 0 {
            1_000_000 / ticks_per_second
        } else {
            rtt
        };
        self.least
            .update(LEAST_KEPT_S * ticks_per_second, tick, rtt);
    }

    /// Adds a sample: gains 1/8 and 1/4, a smaller one where round trips fall, and a deviation that
    /// falls only once per round trip.
    #[inline]
    pub fn sample(&mut self, rtt: Micros, una: u32, next: u32) {
        let rtt = rtt.min(u64::from(u32::MAX >> 3)) as u32;
        let floor = self.least_rto as u32;
        if self.srtt8 == 0 {
            self.srtt8 = (rtt << 3).max(1);
            self.deviation4 = rtt << 1;
            self.variance4 = self.deviation4.max(floor);
            self.greatest4 = self.variance4;
            self.round_end = next;
            return;
        }
        let error = i64::from(rtt) - i64::from(self.srtt8 >> 3);
        self.srtt8 = (i64::from(self.srtt8) + error).max(1) as u32;
        let mut step = error.abs() - i64::from(self.deviation4 >> 2);
        if error < 0 && step > 0 {
            step >>= 3;
        }
        self.deviation4 = (i64::from(self.deviation4) + step) as u32;
        if self.deviation4 > self.greatest4 {
            self.greatest4 = self.deviation4;
            self.variance4 = self.variance4.max(self.greatest4);
        }
        if una > self.round_end {
            if self.greatest4 < self.variance4 {
                self.variance4 -= (self.variance4 - self.greatest4) >> 2;
            }
            self.round_end = next;
            self.greatest4 = floor;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variance_never_lets_the_time_out_fall_below_the_least_beyond_the_round_trip() {
        let mut rtt = Rtt::new(200_000);
        rtt.sample(100_004, 0, 10);
        assert_eq!((rtt.srtt8() >> 3, rtt.time_out()), (100_004, 300_012));
        for una in 1..200 {
            rtt.sample(100_000, una * 10, una * 10 + 10);
        }
        let time_out = rtt.time_out();
        assert!((300_000..300_008).contains(&time_out), "{time_out}");
    }
}
