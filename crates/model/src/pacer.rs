//! The pacers of a model, and how one is made for a port.
//!
//! A pacer of your own goes in with [`OwnPacer::new`].

use std::fmt;
use std::sync::Arc;

use pacesim_pacers::{
    AnyPacer, ConfigProblem, DeadlineFraction, DeadlineFractionConfig, Hull, HullConfig, HullMulti,
    HullMultiConfig, InvalidConfig, LeakyBucket, LeakyBucketConfig, Qlbp, Qlbp09, Qlbp09Config,
    QlbpConfig, TokenBucket, TokenBucketConfig, Unpaced, UnpacedConfig,
};

pub use crate::port::Port;

/// What paces the packets of a port before they join its queue.
#[derive(Clone, Debug)]
pub enum Pacer {
    /// No pacing: packets go on at once.
    Unpaced(UnpacedConfig),
    /// Queue-length based pacing, 2011.
    Qlbp(QlbpConfig),
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
    /// A fixed delay.
    DeadlineFraction(DeadlineFractionConfig),
    /// A pacer of your own.
    Own(OwnPacer),
}

/// A pacer written elsewhere: its name, and how to make one for a port.
#[derive(Clone)]
pub struct OwnPacer {
    name: String,
    make: Arc<dyn Fn(Port) -> Box<dyn pacesim_pacers::Pacer> + Send + Sync>,
}

impl OwnPacer {
    /// A pacer of this name, made anew for each port and replication.
    pub fn new<P: pacesim_pacers::Pacer + 'static>(
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

impl From<OwnPacer> for Pacer {
    fn from(pacer: OwnPacer) -> Pacer {
        Pacer::Own(pacer)
    }
}

impl Pacer {
    /// Its name in scenarios and results.
    pub fn name(&self) -> &str {
        match self {
            Pacer::Unpaced(_) => "none",
            Pacer::Qlbp(_) => "qlbp",
            Pacer::Qlbp09(_) => "qlbp09",
            Pacer::Hull(_) => "hull",
            Pacer::HullMulti(_) => "hull_multi",
            Pacer::TokenBucket(_) => "token_bucket",
            Pacer::LeakyBucket(_) => "leaky_bucket",
            Pacer::DeadlineFraction(_) => "deadline_fraction",
            Pacer::Own(own) => &own.name,
        }
    }

    /// All that is wrong with its parameters.
    pub fn validate(&self) -> Vec<ConfigProblem> {
        match self {
            Pacer::Unpaced(config) => config.validate(),
            Pacer::Qlbp(config) => config.validate(),
            Pacer::Qlbp09(config) => config.validate(),
            Pacer::Hull(config) => config.validate(),
            Pacer::HullMulti(config) => config.validate(),
            Pacer::TokenBucket(config) => config.validate(),
            Pacer::LeakyBucket(config) => config.validate(),
            Pacer::DeadlineFraction(config) => config.validate(),
            Pacer::Own(_) => Vec::new(),
        }
    }

    /// The pacer for this port.
    pub fn build(&self, port: Port) -> Result<AnyPacer, InvalidConfig> {
        Ok(match self {
            Pacer::Unpaced(config) => Unpaced::new(config)?.into(),
            Pacer::Qlbp(config) => Qlbp::new(config)?.into(),
            Pacer::Qlbp09(config) => Qlbp09::new(config, Box::new(port.stream))?.into(),
            Pacer::Hull(config) => Hull::new(config)?.into(),
            Pacer::HullMulti(config) => HullMulti::new(config)?.into(),
            Pacer::TokenBucket(config) => TokenBucket::new(config)?.into(),
            Pacer::LeakyBucket(config) => LeakyBucket::new(config)?.into(),
            Pacer::DeadlineFraction(config) => DeadlineFraction::new(config)?.into(),
            Pacer::Own(own) => (own.make)(port).into(),
        })
    }
}
