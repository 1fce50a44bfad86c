//! HPCC as a rate, from telemetry before it is rounded, and as a window.

use pacesim::units::Span;
use pacesim_datacentre::hpcc::{
    Hop, HpccRate, HpccRateConfig, HpccWindow, HpccWindowConfig, IntFormat, Update,
};

use crate::cases::{Case, Row};
use crate::tolerances::{Bound, ESTIMATE, RATE_BPS, REAL, compare};

pub(crate) fn replay(case: &Case) -> Result<(), String> {
    match case.settings.get("wai_bytes") {
        Some(_) => window(case),
        None => rate(case),
    }
}

fn hops(row: &Row<'_>) -> Vec<Hop> {
    let fours = row.fours("int_time_txbytes_qlen_rate_per_hop");
    let hop = |[at_ns, sent, queued, line]: [i64; 4]| Hop {
        at_ns,
        sent: sent as u64,
        queued: queued as u64,
        line_bps: line as u64,
    };
    fours.map(hop).collect()
}

fn is_full(update: Update) -> f64 {
    f64::from(update == Update::Full)
}

fn rate(case: &Case) -> Result<(), String> {
    let format = IntFormat::Artifact {
        multiple: case.whole("int_multi"),
    };
    let mut sender = HpccRate::new(HpccRateConfig {
        line: case.rate("line"),
        minimum: case.rate("minrate"),
        window: case.bytes("window"),
        round_trip: Span::from_ns(case.whole("T_ns")),
        additive_bps: case.whole("rai_bps"),
        target: case.real("eta"),
        most_stages: case.whole("max_stage") as u32,
        reacts_fast: case.whole("fast_react") == 1,
        format,
    });
    for row in case.table() {
        let carried: Vec<Hop> = hops(&row)
            .into_iter()
            .map(|hop| format.carried(hop))
            .collect();
        let update = sender.ack(row.integer("ack_seq"), row.integer("snd_nxt"), &carried);
        let rate = sender.rate().as_bps() as f64;
        let reference = sender.reference_bps() as f64;
        compare(
            &row,
            &[
                ("full_update", is_full(update), Bound::Exact),
                ("u", sender.utilisation(), Bound::Relative(ESTIMATE)),
                ("rate_bps", rate, Bound::Absolute(RATE_BPS)),
                ("reference_bps", reference, Bound::Absolute(RATE_BPS)),
                ("inc_stage", f64::from(sender.stage()), Bound::Exact),
                ("window_bytes", sender.window().get() as f64, Bound::Exact),
                ("last_update_seq", sender.updated_at() as f64, Bound::Exact),
            ],
        )?;
    }
    Ok(())
}

fn window(case: &Case) -> Result<(), String> {
    let mut sender = HpccWindow::new(HpccWindowConfig {
        line: case.rate("line"),
        round_trip: Span::from_ns(case.whole("T_ns")),
        additive: case.real("wai_bytes"),
        target: case.real("eta"),
        most_stages: case.whole("max_stage") as u32,
    });
    for row in case.table() {
        let hops = hops(&row);
        let update = sender.ack(row.integer("ack_seq"), row.integer("snd_nxt"), &hops);
        compare(
            &row,
            &[
                ("full_update", is_full(update), Bound::Exact),
                ("u", sender.utilisation(), Bound::Relative(REAL)),
                ("window_bytes", sender.window(), Bound::Relative(REAL)),
                (
                    "reference_window",
                    sender.reference(),
                    Bound::Relative(REAL),
                ),
                ("inc_stage", f64::from(sender.stage()), Bound::Exact),
            ],
        )?;
    }
    Ok(())
}
