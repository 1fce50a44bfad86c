//! TIMELY, and DCTCP as a rate.

use pacesim::units::Span;
use pacesim_datacentre::dctcp_rate::{DctcpRate, DctcpRateConfig};
use pacesim_datacentre::timely::{Timely, TimelyConfig, Variant};

use crate::cases::Case;
use crate::tolerances::{Bound, ESTIMATE, RATE_BPS, compare};

pub(crate) fn timely(case: &Case) -> Result<(), String> {
    let artifact = Variant::Artifact.config(case.rate("line"));
    let mut sender = Timely::new(TimelyConfig {
        minimum: case.rate("minrate"),
        weight: case.real("alpha"),
        decrease: case.real("beta"),
        low: Span::from_ns(case.whole("tlow")),
        high: Span::from_ns(case.whole("thigh")),
        least_round_trip: Span::from_ns(case.whole("minrtt")),
        additive_bps: case.whole("rai"),
        hyper_bps: case.whole("rhai"),
        steps: case
            .number("hai_after")
            .map_or(artifact.steps, |n| n as u32),
        ..artifact
    });
    for row in case.table() {
        sender.sample(Span::from_ns(row.integer("rtt_ns")));
        let rate = sender.rate().as_bps() as f64;
        compare(
            &row,
            &[
                (
                    "rtt_diff_ns",
                    sender.difference_ns(),
                    Bound::Relative(ESTIMATE),
                ),
                ("rate_bps", rate, Bound::Absolute(RATE_BPS)),
                ("inc_stage", f64::from(sender.increases()), Bound::Exact),
            ],
        )?;
    }
    Ok(())
}

pub(crate) fn dctcp(case: &Case) -> Result<(), String> {
    let mut sender = DctcpRate::new(DctcpRateConfig {
        line: case.rate("line"),
        minimum: case.rate("minrate"),
        gain: case.real("g"),
        additive_bps: case.whole("ai"),
        packet: case.bytes("mtu"),
    });
    for row in case.table() {
        let is_marked = row.integer("mark") > 0;
        sender.ack(row.integer("ack_seq"), row.integer("snd_nxt"), is_marked);
        let rate = sender.rate().as_bps() as f64;
        let [marked, packets] = sender.batch().map(|count| count as f64);
        compare(
            &row,
            &[
                ("alpha", sender.alpha(), Bound::Relative(ESTIMATE)),
                ("rate_bps", rate, Bound::Absolute(RATE_BPS)),
                ("cwr", f64::from(sender.is_reduced()), Bound::Exact),
                ("ecn_count", marked, Bound::Exact),
                ("batch", packets, Bound::Exact),
            ],
        )?;
    }
    Ok(())
}
