//! Recordings in slow and in fast motion.

use pacesim_units::{Bytes, Rate, Span};

use super::{Recording, RecordingError};

impl Recording {
    /// The recording at this mean rate from the start to its last packet: all times multiplied, and
    /// sizes unchanged.
    pub fn at_rate(&self, rate: Rate) -> Result<Recording, RecordingError> {
        let sizes = self.arrivals.iter().map(|arrival| arrival.size.0);
        let bytes = sizes.fold(0, u64::saturating_add);
        let Some(lasts) = rate.transmission_time(Bytes(bytes)) else {
            let message = format!("at {rate} the recording lasts longer than 213 days");
            return Err(RecordingError::whole(message));
        };
        self.lasting(lasts)
    }

    /// The recording with its last packet at this time, and all others in proportion.
    pub fn lasting(&self, lasts: Span) -> Result<Recording, RecordingError> {
        let last = self.arrivals.last().map_or(Span::ZERO, |last| last.at);
        if last.is_zero() {
            let message = "all packets come at the start, so there is no time to stretch";
            return Err(RecordingError::whole(message));
        }
        let paced = move |at| multiplied(at, (lasts, last));
        Ok(Recording {
            arrivals: self.arrivals.map(move |mut arrival| {
                arrival.at = paced(arrival.at);
                arrival
            }),
            deadlines: self.deadlines.as_ref().map(|all| all.map(paced)),
            conversations: self.conversations.clone(),
        })
    }
}

/// A time multiplied by a ratio, rounded down to a whole picosecond, so that the order stays.
fn multiplied(at: Span, (to, from): (Span, Span)) -> Span {
    let ps = u128::from(at.as_ps()) * u128::from(to.as_ps()) / u128::from(from.as_ps());
    // Only a deadline can lie so far behind the last arrival.
    Span::from_ps(u64::try_from(ps).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(recording: &Recording) -> Vec<String> {
        let arrivals = recording.arrivals.iter();
        arrivals.map(|arrival| arrival.at.to_string()).collect()
    }

    #[test]
    fn times_and_deadlines_are_multiplied_and_sizes_stay() {
        let text = "t_ms,size_bytes,deadline_ms\n1,1000,3\n2,500,4\n10,1000,40\n";
        let recording = Recording::from_csv(text).expect("a recording");
        // 2500 bytes in 20 ms.
        let slow = recording.at_rate(Rate::from_mbps(1)).expect("a pace");
        assert_eq!(times(&slow), ["2ms", "4ms", "20ms"]);
        let deadlines = slow.deadlines.as_ref().expect("deadlines");
        let deadlines: Vec<String> = deadlines.iter().map(|due| due.to_string()).collect();
        assert_eq!(deadlines, ["6ms", "8ms", "80ms"]);
        let sizes = slow.arrivals.iter().map(|arrival| arrival.size.0);
        assert_eq!(sizes.collect::<Vec<_>>(), [1000, 500, 1000]);
        let fast = recording.lasting(Span::from_ms(5)).expect("a pace");
        assert_eq!(times(&fast), ["500us", "1ms", "5ms"]);
    }

    #[test]
    fn a_recording_without_a_length_has_no_pace() {
        let burst = Recording::from_csv("t_ms,size_bytes\n0,1000\n0,1000\n").expect("a recording");
        let wrong = burst.at_rate(Rate::from_mbps(1)).expect_err("no length");
        assert!(wrong.message.contains("all packets come at the start"));
        let long = Recording::from_csv("t_s,size_bytes\n1,4000000000\n").expect("a recording");
        let bps = Rate::from_bps(1).expect("a rate");
        let wrong = long.at_rate(bps).expect_err("too long");
        assert!(wrong.message.contains("longer than 213 days"), "{wrong}");
    }
}
