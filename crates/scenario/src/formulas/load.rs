//! The rate at which the flows of a group together fill a link.

use pacesim_expression::Value;
use pacesim_model::{Flow, Model, Traffic};
use pacesim_units::LinkId;

/// The message and the remedy.
pub(super) type Refusal = (String, String);

/// The rate of each flow of a group, or its peak if it sends in phases, at which the flows that
/// cross a link together offer its full capacity: all of them send from start to end, and nothing
/// is lost before the link.
pub(super) fn load(model: &Model, group: &str, links: &[LinkId]) -> Result<Value, Refusal> {
    let flows = model.flows.iter().filter(|flow| *flow.group == *group);
    let (mut routes, mut shares) = (model.routes(), vec![0.0; links.len()]);
    for flow in flows {
        let path = routes.path(flow.from, flow.to).unwrap_or_default();
        let crossed = links.iter().position(|link| path.contains(link));
        let Some(crossed) = crossed else {
            let message = format!("{group}[{}] does not cross that link", flow.index);
            return Err((
                message,
                "name a link that all flows of the group cross".to_owned(),
            ));
        };
        shares[crossed] += active_share(flow)?;
    }
    let first = shares[0];
    if shares
        .iter()
        .any(|share| (share - first).abs() > 1e-9 * first)
    {
        let message =
            "these links are crossed by different numbers of flows of the group".to_owned();
        return Err((message, "name one link, such as load(core[0])".to_owned()));
    }
    let mut line = Value::from(model.links[links[0].index()].rate);
    line.number /= first;
    Ok(line)
}

/// The share of time in which a source sends at the requested rate.
fn active_share(flow: &Flow) -> Result<f64, Refusal> {
    match &flow.traffic {
        Traffic::OnOff {
            mean_on, mean_off, ..
        } => {
            let (on, off) = (mean_on.as_secs_f64(), mean_off.as_secs_f64());
            Ok(on / (on + off))
        }
        Traffic::ParetoOnOff(of) => {
            let (on, off) = (of.mean_on.as_secs_f64(), of.mean_off.as_secs_f64());
            Ok(f64::from(of.sources) * on / (on + off))
        }
        Traffic::Tcp(_) => {
            let message = "TCP has no load of its own".to_owned();
            let help =
                "give transfers with arrivals = { kind = \"poisson\", load = 0.5, of = \"core\" }";
            Err((message, help.to_owned()))
        }
        _ => Ok(1.0),
    }
}
