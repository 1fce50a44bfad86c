//! All built-in pacers.

use pacesim::model::PortPacer;
use pacesim::pacers::{
    DeadlineFractionConfig, HullConfig, HullMultiConfig, LeakyBucketConfig, PlugIn, PolicerConfig,
    Qlbp09Config, QlbpConfig, RecordedRateConfig, TokenBucketConfig, UnpacedConfig,
};
use pacesim::units::{Bytes, Capacity, Rate, Span};

const POLICER: PolicerConfig = PolicerConfig {
    rate: Rate::from_mbps(10),
    burst: Bytes(9000),
};

/// All built-in pacers for lines of 1 Mbps and more.
pub(crate) fn pacers(delay: Span, capacity: Capacity) -> Vec<PortPacer> {
    let (mu_max, q_max) = (Rate::from_mbps(1), Capacity::Packets(2));
    vec![
        PortPacer::Unpaced(UnpacedConfig { capacity }),
        PortPacer::Qlbp(QlbpConfig {
            mu_min: None,
            mu_max,
            q_max,
            q_lim: capacity,
            line_rate: mu_max,
        }),
        PortPacer::QlbpBlocking(QlbpConfig {
            mu_min: None,
            mu_max,
            q_max,
            q_lim: capacity,
            line_rate: mu_max,
        }),
        PortPacer::Qlbp09(Qlbp09Config {
            d_max: delay,
            s_max: Bytes(1),
            mu_max: Rate::from_mbps(1000),
            q_max,
            q_lim: capacity,
            plug_in: Some(PlugIn {
                alpha_percent: 200,
                tick: Span::from_us(50),
                whole_ticks: true,
            }),
            jitter: Span::from_us(20),
        }),
        PortPacer::Hull(HullConfig {
            capacity,
            ..HullConfig::new(delay)
        }),
        PortPacer::HullMulti(HullMultiConfig {
            capacity,
            ..HullMultiConfig::new(vec![delay, delay / 2])
        }),
        PortPacer::TokenBucket(TokenBucketConfig {
            rate: Rate::from_mbps(10),
            burst: Bytes(3000),
            capacity,
        }),
        PortPacer::LeakyBucket(LeakyBucketConfig {
            rate: Rate::from_mbps(10),
            capacity,
        }),
        PortPacer::DeadlineFraction(DeadlineFractionConfig {
            delay,
            percent: 70,
            capacity,
        }),
        PortPacer::Policer(POLICER),
        PortPacer::RecordedRate(RecordedRateConfig {
            opportunities_ms: [1, 1, 4].into(),
            capacity,
        }),
    ]
}
