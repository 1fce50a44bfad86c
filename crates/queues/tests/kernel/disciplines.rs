//! Disciplines as the cases configure them.

use pacesim_queues::{CodelConfig, FqCodelConfig, Profile};
use pacesim_units::{Capacity, Span};

use crate::cases::Case;

pub(crate) fn span(ns: u64) -> Span {
    Span::from_ps(ns * 1000)
}

/// CoDel's parameters, of which the default in packets is given.
pub(crate) fn codel(case: &Case, limit: u64) -> CodelConfig {
    let standard = CodelConfig::default();
    CodelConfig {
        capacity: Capacity::Packets(case.integer("limit").unwrap_or(limit)),
        target: case.span("target").map_or(standard.target, span),
        interval: case.span("interval").map_or(standard.interval, span),
        ecn: case.has("ecn"),
        ce_threshold: case.span("ce_threshold").map(span),
        profile: Profile::Linux,
        ..standard
    }
}

pub(crate) fn fq_codel(case: &Case) -> FqCodelConfig {
    let standard = FqCodelConfig::default();
    FqCodelConfig {
        codel: CodelConfig {
            ecn: !case.has("noecn"),
            ..codel(case, 10_240)
        },
        quantum: case
            .integer("quantum")
            .map_or(standard.quantum, |n| n as u32),
        drop_batch: case
            .integer("drop_batch")
            .map_or(standard.drop_batch, |n| n as u32),
        ..standard
    }
}
