//! The rate at which the flows of a group together fill a link.

use pacesim_keys::{FlowGroup, Traffic};
use pacesim_language::expression::Value;
use pacesim_model::Model;
use pacesim_units::LinkId;

/// A refusal: the message and the remedy.
pub(super) type Refusal = (String, String);

/// A group of flows.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) name: String,
    /// True if its members share one recording, whose rate is that of all together.
    pub(super) is_dealt: bool,
}

impl Group {
    pub(super) fn of(flows: &FlowGroup) -> Group {
        Group {
            name: flows.name.clone(),
            is_dealt: matches!(&flows.traffic, Traffic::Recorded(recorded) if recorded.deal),
        }
    }
}

/// The rate of each flow of a group, or its peak if it sends in phases, at which the flows that
/// cross a link together offer its full capacity: all of them send from start to end, and nothing
/// is lost before the link.
pub(super) fn load(model: &Model, group: &Group, links: &[LinkId]) -> Result<Value, Refusal> {
    let Group { name, is_dealt } = group;
    let flows = || model.flows.iter().filter(|flow| *flow.group == **name);
    let dealt = is_dealt.then(|| {
        flows()
            .map(|flow| flow.traffic.recorded_bytes())
            .sum::<f64>()
    });
    let (mut paths, mut shares) = (model.paths(), vec![0.0; links.len()]);
    for flow in flows() {
        let path = paths.there(flow).unwrap_or_default();
        let passed: Vec<LinkId> = flow.surely_passed(&path).collect();
        let crossed = links.iter().position(|link| passed.contains(link));
        let Some(crossed) = crossed else {
            let message = if links.iter().any(|link| path.contains(link)) {
                format!(
                    "only some packets of {name}[{}] cross that link",
                    flow.index
                )
            } else {
                format!("{name}[{}] does not cross that link", flow.index)
            };
            return Err((
                message,
                "name a link that all flows of the group cross".to_owned(),
            ));
        };
        shares[crossed] += match dealt {
            Some(all) => flow.traffic.recorded_bytes() / all,
            None => flow.traffic.active_share().ok_or_else(of_tcp)?,
        };
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
    let line = Value::from(model.links[links[0].index()].rate);
    Ok(line.shared_by(first))
}

fn of_tcp() -> Refusal {
    let message = "TCP has no load of its own".to_owned();
    let help = "give transfers with arrivals = { kind = \"poisson\", load = 0.5, of = \"core\" }";
    (message, help.to_owned())
}
