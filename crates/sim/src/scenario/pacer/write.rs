//! A pacer as TOML again.

use pacesim_pacers::{PlugIn, ReleaseRule};

use super::super::write::{Keys, float, quoted};
use super::{PacerKind, PacerSpec};

pub(in super::super) fn pacer(pacer: &PacerSpec) -> String {
    kind(&pacer.kind).raw("share", float(pacer.share)).inline()
}

fn kind(pacer: &PacerKind) -> Keys {
    let kind = |name| Keys::default().text("kind", name);
    match pacer {
        PacerKind::None => kind("none"),
        PacerKind::Qlbp {
            mu_min,
            mu_max,
            q_max,
            q_lim,
        } => kind("qlbp")
            .maybe("mu_min", mu_min.map(quoted))
            .maybe("mu_max", mu_max.map(quoted))
            .text("q_max", q_max)
            .text("q_lim", q_lim),
        PacerKind::Qlbp09 {
            d_max,
            s_max,
            mu_max,
            q_max,
            q_lim,
            plug_in,
            jitter,
        } => kind("qlbp09")
            .text("d_max", d_max)
            .text("s_max", s_max)
            .maybe("mu_max", mu_max.map(quoted))
            .text("q_max", q_max)
            .text("q_lim", q_lim)
            .maybe("plug_in", plug_in.map(variant))
            .text("jitter", jitter),
        PacerKind::RuleOfThumb {
            utilisation,
            d_max,
            q_lim,
        } => kind("rule_of_thumb")
            .raw("utilisation", float(*utilisation))
            .text("d_max", d_max)
            .text("q_lim", q_lim),
        PacerKind::Hull(config) => kind("hull")
            .text("delay", config.delay)
            .text("release", release(config.rule))
            .text("buffer", config.capacity),
        PacerKind::HullMulti(config) => kind("hull_multi")
            .list("delays", config.delays.iter().map(quoted))
            .text("release", release(config.rule))
            .text("buffer", config.capacity),
        PacerKind::TokenBucket(config) => kind("token_bucket")
            .text("rate", config.rate)
            .text("burst", config.burst)
            .text("buffer", config.capacity),
        PacerKind::LeakyBucket(config) => kind("leaky_bucket")
            .text("rate", config.rate)
            .text("buffer", config.capacity),
        PacerKind::DeadlineFraction(config) => kind("deadline_fraction")
            .text("delay", config.delay)
            .raw("percent", config.percent)
            .text("buffer", config.capacity),
    }
}

fn variant(plug_in: PlugIn) -> String {
    Keys::default()
        .raw("alpha", float(f64::from(plug_in.alpha_percent) / 100.0))
        .text("tick", plug_in.tick)
        .inline()
}

fn release(rule: ReleaseRule) -> &'static str {
    match rule {
        ReleaseRule::LastByte => "last_byte",
        ReleaseRule::FirstByte => "first_byte",
    }
}
