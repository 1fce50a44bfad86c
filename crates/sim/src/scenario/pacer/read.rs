//! A pacer from its keys. What is missing is replaced so that it causes no complaint.

use pacesim_pacers::{
    DeadlineFractionConfig, HullConfig, HullMultiConfig, LeakyBucketConfig, PlugIn, ReleaseRule,
    TokenBucketConfig,
};
use pacesim_units::{Bytes, Capacity, Rate, Span};

use super::super::tree::Value as Raw;
use super::super::view::{View, parsed, text};
use super::super::walk::number;
use super::{PacerKind, PacerSpec};

pub(in super::super) fn pacer(view: &View<'_>) -> PacerSpec {
    PacerSpec {
        kind: kind(view),
        share: view
            .get("share", |item| Some(number(&item.value)))
            .unwrap_or(1.0),
    }
}

fn kind(view: &View<'_>) -> PacerKind {
    let capacity = |name| view.parsed(name).unwrap_or(Capacity::Unlimited);
    let span = |name| view.parsed(name).unwrap_or(Span::ZERO);
    let rate = |name| view.parsed(name).unwrap_or(Rate::from_mbps(1));
    match view.table.name {
        "qlbp" => PacerKind::Qlbp {
            mu_min: view.parsed("mu_min"),
            mu_max: view.parsed("mu_max"),
            q_max: q_max(view),
            q_lim: capacity("q_lim"),
        },
        "qlbp09" => PacerKind::Qlbp09 {
            d_max: view.parsed("d_max").unwrap_or(Span::from_secs(1)),
            s_max: view.parsed("s_max").unwrap_or(Bytes(1)),
            mu_max: view.parsed("mu_max"),
            q_max: q_max(view),
            q_lim: capacity("q_lim"),
            plug_in: view.table("plug_in").map(|view| plug_in(&view)),
            jitter: span("jitter"),
        },
        "rule_of_thumb" => PacerKind::RuleOfThumb {
            utilisation: view
                .get("utilisation", |item| Some(number(&item.value)))
                .filter(|share| (0.0..=1.0).contains(share))
                .unwrap_or(1.0),
            d_max: view.parsed("d_max").unwrap_or(Span::from_secs(1)),
            q_lim: capacity("q_lim"),
        },
        "hull" => PacerKind::Hull(HullConfig {
            delay: span("delay"),
            rule: release(view),
            capacity: capacity("buffer"),
        }),
        "hull_multi" => PacerKind::HullMulti(HullMultiConfig {
            delays: delays(view),
            rule: release(view),
            capacity: capacity("buffer"),
        }),
        "token_bucket" => PacerKind::TokenBucket(TokenBucketConfig {
            rate: rate("rate"),
            burst: view.parsed("burst").unwrap_or(Bytes(1)),
            capacity: capacity("buffer"),
        }),
        "leaky_bucket" => PacerKind::LeakyBucket(LeakyBucketConfig {
            rate: rate("rate"),
            capacity: capacity("buffer"),
        }),
        "deadline_fraction" => PacerKind::DeadlineFraction(DeadlineFractionConfig {
            delay: span("delay"),
            percent: view.count("percent").unwrap_or(100).min(100),
            capacity: capacity("buffer"),
        }),
        _ => PacerKind::None,
    }
}

/// Where it is missing, one in the unit of `q_lim`.
fn q_max(view: &View<'_>) -> Capacity {
    view.parsed("q_max")
        .unwrap_or_else(|| match view.parsed("q_lim") {
            Some(Capacity::Bytes(_)) => Capacity::Bytes(Bytes(1)),
            _ => Capacity::Packets(1),
        })
}

fn plug_in(view: &View<'_>) -> PlugIn {
    let alpha = view.get("alpha", |item| Some(number(&item.value)));
    PlugIn {
        alpha_percent: (alpha.unwrap_or(1.0) * 100.0 + 0.5) as u32,
        tick: view.parsed("tick").unwrap_or(Span::ZERO),
    }
}

fn release(view: &View<'_>) -> ReleaseRule {
    let rule = view.get("release", |item| match text(item)? {
        "last_byte" => Some(ReleaseRule::LastByte),
        "first_byte" => Some(ReleaseRule::FirstByte),
        _ => None,
    });
    rule.unwrap_or_default()
}

fn delays(view: &View<'_>) -> Vec<Span> {
    let read = |items: &[_]| {
        items
            .iter()
            .map(|item| parsed(item).unwrap_or(Span::ZERO))
            .collect()
    };
    view.get("delays", |item| match &item.value {
        Raw::List(items) => Some(read(items)),
        _ => None,
    })
    .unwrap_or_default()
}
