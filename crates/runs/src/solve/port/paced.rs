//! A port with a QLBP pacer as the fluid model of qlbp11.

use pacesim::model::{Flow, Link, Traffic};
use pacesim::units::{Bytes, Capacity, LinkId, Rate};
use pacesim_pacers::QlbpConfig;

use crate::solve::port::Fit;

/// Accepts flows that are all constant, stepping up from zero, or one ON-OFF source.
pub(super) fn fit(
    link: &Link,
    config: &QlbpConfig,
    passing: &[(&Flow, Vec<LinkId>)],
) -> Result<Fit, String> {
    let flows: Vec<&Flow> = passing.iter().map(|(flow, _)| *flow).collect();
    let packet = packet_size(&flows)?;
    let q_max = match config.q_max {
        Capacity::Packets(n) => Bytes(n.saturating_mul(packet.get())),
        Capacity::Bytes(bytes) => bytes,
        Capacity::Unlimited => return Err("its q_max is unlimited".to_owned()),
    };
    let mut settings = vec![
        ("mu_max", text(config.mu_max.as_bps())),
        ("mu_min", text(config.mu_min.map_or(0, Rate::as_bps))),
        ("q_max", format!("{}B", q_max.get())),
        ("capacity", text(link.rate.as_bps())),
        ("packet", format!("{}B", packet.get())),
    ];
    settings.extend(input(&flows)?);
    let fluid = "packets are a fluid, but for the queue and delay of a constant stream";
    let rest = "parameters that the port does not determine are those of the model's example, such as the other kind of input";
    let mut assumptions = vec![fluid.to_owned(), rest.to_owned()];
    if passing.iter().any(|(_, before)| !before.is_empty()) {
        let alone = "the links before this port neither lose, nor delay, nor space packets";
        assumptions.push(alone.to_owned());
    }
    Ok(Fit {
        model: "qlbp",
        settings,
        service_s: packet.bits() as f64 / link.rate.as_bps() as f64,
        assumptions,
    })
}

/// A rate with its unit; a plain zero for none.
fn text(bps: u64) -> String {
    match bps {
        0 => "0".to_owned(),
        bps => format!("{bps}bps"),
    }
}

fn packet_size(flows: &[&Flow]) -> Result<Bytes, String> {
    let size = |flow: &&Flow| match flow.traffic {
        Traffic::Cbr { size, .. } | Traffic::OnOff { size, .. } => Some(size),
        _ => None,
    };
    let sizes: Option<Vec<Bytes>> = flows.iter().map(size).collect();
    match sizes.as_deref() {
        Some([first, rest @ ..]) if rest.iter().all(|size| size == first) => Ok(*first),
        Some(_) => Err("its flows send packets of different sizes".to_owned()),
        None => Err("it has a qlbp pacer, whose model needs cbr or on_off traffic".to_owned()),
    }
}

type Setting = (&'static str, String);

fn input(flows: &[&Flow]) -> Result<Vec<Setting>, String> {
    let constant = |flow: &&Flow| match flow.traffic {
        Traffic::Cbr { rate, .. } => Some(rate.as_bps()),
        _ => None,
    };
    if let Some(rates) = flows.iter().map(constant).collect::<Option<Vec<_>>>() {
        return Ok(vec![("step_rate", text(rates.iter().sum()))]);
    }
    match flows {
        [flow] => match flow.traffic {
            Traffic::OnOff {
                peak,
                mean_on,
                mean_off,
                ..
            } => Ok(vec![
                ("peak", text(peak.as_bps())),
                ("mean_on", mean_on.to_string()),
                ("mean_off", mean_off.to_string()),
            ]),
            _ => Err("it has a qlbp pacer, whose model needs cbr or on_off traffic".to_owned()),
        },
        _ => Err("its pacer's model takes constant flows, or one on_off flow".to_owned()),
    }
}
