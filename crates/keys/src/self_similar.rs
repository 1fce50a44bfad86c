//! Long-range dependent traffic.

use pacesim_language::field::{Count, Number};
use pacesim_language::table;
use pacesim_model::self_similar::{Burstiness, FractionalNoise, ParetoOnOff, Sessions};
use pacesim_units::{Bytes, Rate, Span};

use crate::offered::{FixedPeak, FixedRate};

table! {
    /// Fractional Gaussian noise.
    pub struct NoiseTraffic "fractional_noise" derive(Copy) {
        rate: Rate as FixedRate, "The mean rate.";
        size: Bytes, "The size of each packet on the wire.", "1250B";
        hurst: f64 as Number, "The Hurst parameter, from 0.5 to below 1.", "0.85";
        burstiness: f64 as Number, "The standard deviation of the volume per interval divided by its mean. The interval has the length over and begins with a slot; within a slot the rate is steady. For much longer intervals it scales as their length to the power hurst - 1.", "0.3";
        over: Span, "The length of the intervals that have this burstiness.", "1ms";
        slot: Span, "The length of a slot. A flow keeps the volume of each slot of the run, 4194304 at most.", "10us";
    }
}

table! {
    /// M/G/infinity.
    pub struct SessionTraffic "sessions" derive(Copy) {
        rate: Rate as FixedRate, "The mean rate of all sources together, in bits on the wire.";
        size: Bytes, "The size of each packet on the wire.", "1KB";
        hurst: f64 as Number, "The Hurst parameter, above 0.5 and below 1: the shape of the times is 3 - 2 hurst.", "0.8";
        burstiness: f64 as Number, "The standard deviation of the volume per interval of length over, divided by its mean.", "0.3";
        over: Span, "The length of the intervals that have this burstiness.", "1ms";
        mean_session: Span, "The mean length of a session.", "100ms";
    }
}

table! {
    /// ON-OFF sources together.
    pub struct ParetoOnOffTraffic "pareto_on_off" derive(Copy) {
        sources: u32 as Count, "The number of sources.", "100";
        peak: Rate as FixedPeak, "The rate of each while ON.";
        size: Bytes, "The size of each packet on the wire.", "1KB";
        mean_on: Span, "The mean length of an ON phase.", "100ms";
        mean_off: Span, "The mean length of an OFF phase.", "200ms";
        hurst: f64 as Number, "The Hurst parameter, above 0.5 and below 1: the shape of both phases is 3 - 2 hurst.", "0.8";
    }
}

impl NoiseTraffic {
    /// Converts the traffic to the model's, for a run of this length.
    pub fn in_model(self, lasts: Span) -> FractionalNoise {
        FractionalNoise {
            rate: self.rate,
            size: self.size,
            hurst: self.hurst,
            burstiness: burstiness(self.burstiness, self.over),
            slot: self.slot,
            lasts,
        }
    }
}

impl SessionTraffic {
    /// Converts the traffic to the model's.
    pub fn in_model(self) -> Sessions {
        Sessions {
            rate: self.rate,
            size: self.size,
            hurst: self.hurst,
            burstiness: burstiness(self.burstiness, self.over),
            mean: self.mean_session,
        }
    }
}

impl ParetoOnOffTraffic {
    /// Converts the traffic to the model's.
    pub fn in_model(self) -> ParetoOnOff {
        ParetoOnOff {
            sources: self.sources,
            peak: self.peak,
            size: self.size,
            mean_on: self.mean_on,
            mean_off: self.mean_off,
            hurst: self.hurst,
        }
    }
}

fn burstiness(beta: f64, over: Span) -> Burstiness {
    Burstiness { beta, over }
}
