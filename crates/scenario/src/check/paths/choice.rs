//! Paths that flows choose among those of equal cost.

use pacesim_keys::FlowGroup;
use pacesim_language::problem::Faults;
use pacesim_model::MOST_PATHS;
use pacesim_units::NodeId;

use super::FlowPaths;
use crate::jobs;
use crate::resolve::Pairs;

/// A number of paths in words.
fn paths(count: usize) -> String {
    match count {
        1 => "one path".to_owned(),
        _ => format!("{count} paths"),
    }
}

impl FlowPaths<'_> {
    /// Reports a path of ACKs that is not there; false if there is one.
    fn has_way_back(
        &mut self,
        path: &str,
        flow: &FlowGroup,
        ends: &[(u32, u32)],
        faults: &mut Faults,
    ) -> bool {
        let (Some(place), Some(_)) = (flow.back_path, flow.path) else {
            if flow.back_path.is_some() {
                let message = "back_path is another place than path, which is not given";
                let help = "give path, or leave back_path out";
                faults.add(format!("{path}.back_path"), message).help(help);
            }
            return flow.back_path.is_none();
        };
        for (from, to) in ends {
            let count = self.routes.count_paths(NodeId(*to), NodeId(*from));
            if count > 0 && place as usize >= count {
                let (from, to) = (self.network.nodes.name(*from), self.network.nodes.name(*to));
                let message = format!("{to} has {} to {from}, not path {place}", paths(count));
                let help = "give a smaller place, or leave back_path out";
                faults.add(format!("{path}.back_path"), message).help(help);
                return false;
            }
        }
        true
    }

    /// Reports a path chosen by the sender that is not there, and paths beyond number.
    pub(super) fn check_choice(
        &mut self,
        path: &str,
        flow: &FlowGroup,
        pairs: &Pairs,
        ends: &[(u32, u32)],
        faults: &mut Faults,
    ) {
        let rows = jobs::paths_of_rows(flow);
        let is_chosen = flow.path.is_some() || rows.iter().any(Option::is_some);
        // A flow that is cut off keeps its path.
        if self.may_be_cut || !(self.has_several || is_chosen) {
            return;
        }
        if !self.has_way_back(path, flow, ends, faults) {
            return;
        }
        for (i, (from, to)) in ends.iter().enumerate() {
            let of_row = rows.get(i).copied().flatten();
            let chosen = of_row.or(flow.path);
            let count = self.routes.count_paths(NodeId(*from), NodeId(*to));
            let (from, to) = (self.network.nodes.name(*from), self.network.nodes.name(*to));
            if let Some(place) = chosen.filter(|place| count > 0 && *place as usize >= count) {
                let message = format!("{from} has {} to {to}, not path {place}", paths(count));
                let help = match (count, pairs.len()) {
                    (1, _) => "leave it out: all packets take the only path".to_owned(),
                    (_, 1) => format!("give a place from 0 to {}", count - 1),
                    _ => format!(
                        "give a place from 0 to {}, or a group to each number",
                        count - 1
                    ),
                };
                let (key, row) = match of_row {
                    Some(_) => ("traffic.job.file", format!("row {i}: ")),
                    None => ("path", String::new()),
                };
                let fault = faults.add(format!("{path}.{key}"), row + &message);
                fault.help(help);
                return;
            }
            if chosen.is_none() && count > MOST_PATHS {
                let message = format!("more than {MOST_PATHS} paths lead from {from} to {to}");
                let help =
                    "give links lengths and write routing = \"length\", or leave multipath out";
                faults.add("run.multipath", message).help(help);
                return;
            }
        }
    }
}
