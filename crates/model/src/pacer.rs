//! Pacers of a model, and their construction for a port.
//!
//! A custom pacer is added with [`OwnPacer::new`].

use std::fmt;
use std::sync::Arc;

use pacesim_pacers::{
    AnyPacer, ConfigProblem, DeadlineFraction, DeadlineFractionConfig, Hull, HullConfig, HullMulti,
    HullMultiConfig, InvalidConfig, LeakyBucket, LeakyBucketConfig, Pacer, Policer, PolicerConfig,
    Qlbp, Qlbp09, Qlbp09Config, QlbpBlocking, QlbpConfig, RecordedRate, RecordedRateConfig,
    TokenBucket, TokenBucketConfig, Unpaced, UnpacedConfig,
};

pub use crate::port::Port;

/// The pacer of a port's packets before they join its queue.
#[derive(Clone, Debug)]
pub enum PortPacer {
    /// No pacing: packets go on at once.
    Unpaced(UnpacedConfig),
    /// Queue-length based pacing, 2011.
    Qlbp(QlbpConfig),
    /// Queue-length based pacing that blocks the queue.
    QlbpBlocking(QlbpConfig),
    /// Queue-length based pacing, 2009.
    Qlbp09(Qlbp09Config),
    /// The convex-hull pacer of one delay class.
    Hull(HullConfig),
    /// The convex-hull pacer of many classes; a flow's class is [`Flow::class`](crate::Flow::class).
    HullMulti(HullMultiConfig),
    /// A token bucket.
    TokenBucket(TokenBucketConfig),
    /// A leaky bucket.
    LeakyBucket(LeakyBucketConfig),
    /// A fixed share of the delay bound.
    DeadlineFraction(DeadlineFractionConfig),
    /// A recorded rate.
    RecordedRate(RecordedRateConfig),
    /// A token bucket that drops.
    Policer(PolicerConfig),
    /// A user's pacer.
    Own(OwnPacer),
}

/// A user's pacer: its name, and its constructor for a port.
#[derive(Clone)]
pub struct OwnPacer {
    name: String,
    make: Arc<dyn Fn(Port) -> Box<dyn Pacer> + Send + Sync>,
}

impl OwnPacer {
    /// A pacer of this name, constructed for each port and replication.
    pub fn new<P: Pacer + 'static>(
        name: impl Into<String>,
        make: impl Fn(Port) -> P + Send + Sync + 'static,
    ) -> OwnPacer {
        OwnPacer {
            name: name.into(),
            make: Arc::new(move |port| Box::new(make(port))),
        }
    }
}

impl fmt::Debug for OwnPacer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl From<OwnPacer> for PortPacer {
    fn from(pacer: OwnPacer) -> PortPacer {
        PortPacer::Own(pacer)
    }
}

impl PortPacer {
    /// Name in scenarios and results.
    pub fn name(&self) -> &str {
        match self {
            PortPacer::Unpaced(_) => "none",
            PortPacer::Qlbp(_) => "qlbp",
            PortPacer::QlbpBlocking(_) => "qlbp_blocking",
            PortPacer::Qlbp09(_) => "qlbp09",
            PortPacer::Hull(_) => "hull",
            PortPacer::HullMulti(_) => "hull_multi",
            PortPacer::TokenBucket(_) => "token_bucket",
            PortPacer::LeakyBucket(_) => "leaky_bucket",
            PortPacer::DeadlineFraction(_) => "deadline_fraction",
            PortPacer::RecordedRate(_) => "recorded_rate",
            PortPacer::Policer(_) => "policer",
            PortPacer::Own(own) => &own.name,
        }
    }

    /// Greatest sustained rate in bit/s, if limited by the pacer and not by the line.
    pub fn top_bps(&self) -> Option<f64> {
        match self {
            PortPacer::TokenBucket(config) => Some(config.rate.as_bps() as f64),
            PortPacer::LeakyBucket(config) => Some(config.rate.as_bps() as f64),
            PortPacer::Policer(config) => Some(config.rate.as_bps() as f64),
            PortPacer::Qlbp09(config) if config.plug_in.is_none() => {
                Some(config.mu_max.as_bps() as f64)
            }
            PortPacer::RecordedRate(config) => Some(config.mean_bps()),
            _ => None,
        }
    }

    /// All problems of its parameters.
    pub fn validate(&self) -> Vec<ConfigProblem> {
        match self {
            PortPacer::Unpaced(config) => config.validate(),
            PortPacer::Qlbp(config) => config.validate(),
            PortPacer::QlbpBlocking(config) => config.validate(),
            PortPacer::Qlbp09(config) => config.validate(),
            PortPacer::Hull(config) => config.validate(),
            PortPacer::HullMulti(config) => config.validate(),
            PortPacer::TokenBucket(config) => config.validate(),
            PortPacer::LeakyBucket(config) => config.validate(),
            PortPacer::DeadlineFraction(config) => config.validate(),
            PortPacer::RecordedRate(config) => config.validate(),
            PortPacer::Policer(config) => config.validate(),
            PortPacer::Own(_) => Vec::new(),
        }
    }

    /// The pacer for this port.
    pub fn build(&self, port: Port) -> Result<AnyPacer, InvalidConfig> {
        Ok(match self {
            PortPacer::Unpaced(config) => Unpaced::new(config)?.into(),
            PortPacer::Qlbp(config) => Qlbp::new(config)?.into(),
            PortPacer::QlbpBlocking(config) => QlbpBlocking::new(config)?.into(),
            PortPacer::Qlbp09(config) => Qlbp09::new(config, Box::new(port.stream))?.into(),
            PortPacer::Hull(config) => Hull::new(config)?.into(),
            PortPacer::HullMulti(config) => HullMulti::new(config)?.into(),
            PortPacer::TokenBucket(config) => TokenBucket::new(config)?.into(),
            PortPacer::LeakyBucket(config) => LeakyBucket::new(config)?.into(),
            PortPacer::DeadlineFraction(config) => DeadlineFraction::new(config)?.into(),
            PortPacer::RecordedRate(config) => RecordedRate::new(config)?.into(),
            PortPacer::Policer(config) => Policer::new(config)?.into(),
            PortPacer::Own(own) => (own.make)(port).into(),
        })
    }
}
