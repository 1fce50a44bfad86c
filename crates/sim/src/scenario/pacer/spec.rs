//! A pacer as a scenario says it, for links whose rates may differ.

use pacesim_pacers::{
    DeadlineFractionConfig, HullConfig, HullMultiConfig, InvalidConfig, LeakyBucketConfig, PlugIn,
    Qlbp09Config, QlbpConfig, TokenBucketConfig, UnpacedConfig, rule_of_thumb,
};
use pacesim_units::{Bytes, Capacity, Rate, Span};

use super::super::types::chosen_evenly;
use crate::pacer::Pacer;

/// The pacers of a group of links.
#[derive(Clone, Debug, PartialEq)]
pub struct PacerSpec {
    /// What they do.
    pub kind: PacerKind,
    /// Which part of the links has one, 0 to 1, taken as the nearest whole number.
    pub share: f64,
}

/// What a pacer does.
#[derive(Clone, Debug, PartialEq)]
pub enum PacerKind {
    /// No pacing.
    None,
    /// The form of 2011.
    Qlbp {
        /// The rate at an empty queue; `None` is zero.
        mu_min: Option<Rate>,
        /// The rate at `q_max`; `None` is the line's.
        mu_max: Option<Rate>,
        /// The queue beyond which the line's rate rules.
        q_max: Capacity,
        /// The buffer.
        q_lim: Capacity,
    },
    /// The form of 2009.
    Qlbp09 {
        /// The longest pause.
        d_max: Span,
        /// The largest packet.
        s_max: Bytes,
        /// The rate from `q_max` on; `None` is the line's.
        mu_max: Option<Rate>,
        /// The queue from which the rate is `mu_max`.
        q_max: Capacity,
        /// The buffer.
        q_lim: Capacity,
        /// The prototype's variant.
        plug_in: Option<PlugIn>,
        /// What may be added to a pause.
        jitter: Span,
    },
    /// The form of 2011 with the papers' parameters.
    RuleOfThumb {
        /// How much of the line is used.
        utilisation: f64,
        /// The delay bound.
        d_max: Span,
        /// The buffer.
        q_lim: Capacity,
    },
    /// The convex-hull pacer of one class.
    Hull(HullConfig),
    /// The convex-hull pacer of many classes.
    HullMulti(HullMultiConfig),
    /// A token bucket.
    TokenBucket(TokenBucketConfig),
    /// A leaky bucket.
    LeakyBucket(LeakyBucketConfig),
    /// A fixed delay.
    DeadlineFraction(DeadlineFractionConfig),
}

impl From<PacerKind> for PacerSpec {
    fn from(kind: PacerKind) -> PacerSpec {
        PacerSpec { kind, share: 1.0 }
    }
}

impl PacerSpec {
    /// Which of so many links have it.
    pub(crate) fn chosen(&self, count: usize) -> Vec<bool> {
        chosen_evenly(self.share, count)
    }
}

impl PacerKind {
    /// Whether it depends on the line's rate.
    pub(crate) fn asks_for_line(&self) -> bool {
        match self {
            PacerKind::Qlbp { .. } | PacerKind::RuleOfThumb { .. } => true,
            PacerKind::Qlbp09 { mu_max, .. } => mu_max.is_none(),
            _ => false,
        }
    }

    /// The largest packet that it can take, if it is limited.
    pub(crate) fn largest_packet(&self) -> Option<Bytes> {
        let (capacity, burst) = match self {
            PacerKind::None => return None,
            PacerKind::Qlbp { q_lim, .. }
            | PacerKind::Qlbp09 { q_lim, .. }
            | PacerKind::RuleOfThumb { q_lim, .. } => (*q_lim, None),
            PacerKind::Hull(config) => (config.capacity, None),
            PacerKind::HullMulti(config) => (config.capacity, None),
            PacerKind::TokenBucket(config) => (config.capacity, Some(config.burst)),
            PacerKind::LeakyBucket(config) => (config.capacity, None),
            PacerKind::DeadlineFraction(config) => (config.capacity, None),
        };
        let room = match capacity {
            Capacity::Bytes(room) => Some(room),
            Capacity::Packets(_) | Capacity::Unlimited => None,
        };
        room.into_iter().chain(burst).min()
    }

    /// The pacer of a line of this rate.
    pub fn for_line(&self, line_rate: Rate) -> Result<Pacer, InvalidConfig> {
        Ok(match self.clone() {
            PacerKind::None => Pacer::Unpaced(UnpacedConfig {
                capacity: Capacity::Unlimited,
            }),
            PacerKind::Qlbp {
                mu_min,
                mu_max,
                q_max,
                q_lim,
            } => Pacer::Qlbp(QlbpConfig {
                mu_min,
                mu_max: mu_max.unwrap_or(line_rate),
                q_max,
                q_lim,
                line_rate,
            }),
            PacerKind::Qlbp09 {
                d_max,
                s_max,
                mu_max,
                q_max,
                q_lim,
                plug_in,
                jitter,
            } => Pacer::Qlbp09(Qlbp09Config {
                d_max,
                s_max,
                mu_max: mu_max.unwrap_or(line_rate),
                q_max,
                q_lim,
                plug_in,
                jitter,
            }),
            PacerKind::RuleOfThumb {
                utilisation,
                d_max,
                q_lim,
            } => Pacer::Qlbp(QlbpConfig {
                q_lim,
                ..rule_of_thumb(utilisation, line_rate, d_max)?
            }),
            PacerKind::Hull(config) => Pacer::Hull(config),
            PacerKind::HullMulti(config) => Pacer::HullMulti(config),
            PacerKind::TokenBucket(config) => Pacer::TokenBucket(config),
            PacerKind::LeakyBucket(config) => Pacer::LeakyBucket(config),
            PacerKind::DeadlineFraction(config) => Pacer::DeadlineFraction(config),
        })
    }
}
