//! Swift of the paper and of htsim.

use pacesim::units::{Bytes, Span, Time};
use pacesim_datacentre::swift::{Swift, SwiftConfig, SwiftHtsim, SwiftHtsimConfig};

use crate::cases::{Case, microseconds};
use crate::tolerances::{Bound, REAL, TARGET_PS, compare};

pub(crate) fn replay(case: &Case) -> Result<(), String> {
    match case.settings.get("base_ps") {
        Some(_) => htsim(case),
        None => paper(case),
    }
}

fn paper(case: &Case) -> Result<(), String> {
    let mut sender = Swift::new(SwiftConfig {
        additive: case.real("ai"),
        decrease: case.real("beta"),
        most_decrease: case.real("max_mdf"),
        base: case.microseconds("base_us"),
        hop: case.microseconds("hop_us"),
        scaling: case.microseconds("fs_range_us"),
        scaled_from: case.real("fs_min"),
        scaled_to: case.real("fs_max"),
        least: case.real("cmin"),
        most: case.real("cmax"),
        first: case.real("cwnd0"),
    });
    let [hops, acked] = ["hops", "acked_per_ack"].map(|key| case.whole(key) as u32);
    assert_eq!(case.word("rtt"), Some("the sample itself"));
    for row in case.table() {
        let now = Time::ZERO + microseconds(row.real("t_us"));
        let delay = microseconds(row.real("delay_us"));
        sender.ack(now, delay, f64::from(acked), hops, delay);
        compare(
            &row,
            &[
                ("target_us", sender.target_ps() / 1e6, Bound::Relative(REAL)),
                ("cwnd_packets", sender.window(), Bound::Relative(REAL)),
                (
                    "pacing_delay_us",
                    sender.pacing_ps() / 1e6,
                    Bound::Relative(REAL),
                ),
            ],
        )?;
    }
    Ok(())
}

fn htsim(case: &Case) -> Result<(), String> {
    let packet = case.bytes("mss");
    let base = Span::from_ps(case.whole("base_ps"));
    let hop = case
        .word("hop_ps")
        .and_then(|hop| hop.strip_prefix("base/"));
    let hop_divisor = hop.and_then(|divisor| divisor.parse().ok());
    let mut sender = SwiftHtsim::new(SwiftHtsimConfig {
        first: case.bytes("cwnd0_bytes"),
        least: case.bytes("min_cwnd_bytes"),
        most: packet * case.whole("max_cwnd_packets"),
        additive: case.real("ai"),
        decrease: case.real("beta"),
        most_decrease: case.real("max_mdf"),
        hop_divisor: hop_divisor.expect("a share of the base"),
        scaling: Span::from_ps(case.whole("fs_range_ps")),
        scaled_from: case.real("fs_min"),
        scaled_to: case.real("fs_max"),
        ..SwiftHtsimConfig::new(packet, base)
    });
    let hops = case.whole("hops") as u32;
    for row in case.table() {
        let now = Time::from_ps(row.integer("t_ps"));
        let delay = Span::from_ps(row.integer("delay_ps"));
        sender.ack(now, delay, Bytes(row.integer("acked_bytes")), hops);
        let ps = |span: Span| span.as_ps() as f64;
        compare(
            &row,
            &[
                ("target_ps", ps(sender.target()), Bound::Absolute(TARGET_PS)),
                ("cwnd_bytes", sender.window().get() as f64, Bound::Exact),
                ("pacing_delay_ps", ps(sender.pacing()), Bound::Exact),
                ("srtt_ps", ps(sender.smoothed()), Bound::Exact),
            ],
        )?;
    }
    Ok(())
}
