//! Pairs of hosts by weights between their racks.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use pacesim_keys::FlowGroup;
use pacesim_language::problem::Faults;

use super::Network;

/// The racks between which pairs are drawn: those of `from` and `to` with a weight, one after the
/// other.
#[derive(Clone, Debug)]
pub(crate) struct Racks {
    cells: Vec<Cell>,
}

/// The hosts of two racks.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    /// The sum of all weights up to this one.
    up_to: f64,
    /// Hosts that send.
    pub(crate) from: Vec<u32>,
    /// Hosts that receive.
    pub(crate) to: Vec<u32>,
}

/// The hosts of each rack, by the switch that they are linked to.
type Hosts = BTreeMap<u32, Vec<u32>>;

impl Racks {
    /// The racks of a group of flows with weights; none if a fault was reported.
    pub(super) fn of(
        network: &Network,
        group: &FlowGroup,
        [from, to]: [&Range<u32>; 2],
        path: &str,
        faults: &mut Faults,
    ) -> Option<Racks> {
        let switches = switches_of(network, [from, to]);
        let of_side = |side: &Range<u32>, key: &str, faults: &mut Faults| {
            hosts(network, &switches, side, &format!("{path}.{key}"), faults)
        };
        let (senders, receivers) = (of_side(from, "from", faults)?, of_side(to, "to", faults)?);
        let racks: BTreeSet<u32> = senders.keys().chain(receivers.keys()).copied().collect();
        let racks: Vec<u32> = racks.into_iter().collect();
        let at = format!("{path}.racks");
        is_square(network, &racks, &group.racks, &at, faults).then_some(())?;
        let sides = Sides {
            racks: &racks,
            senders,
            receivers,
        };
        let mut cells: Vec<Cell> = Vec::new();
        for (row, weights) in group.racks.iter().enumerate() {
            for (column, weight) in weights.iter().enumerate() {
                let place = [row, column];
                let Some(weight) = weight_at(*weight, &at, place, faults)? else {
                    continue;
                };
                let up_to = weight + cells.last().map_or(0.0, |cell| cell.up_to);
                cells.push(sides.cell(network, up_to, &at, place, faults)?);
            }
        }
        let sum = cells.last().map_or(0.0, |cell| cell.up_to);
        if sum == 0.0 || !sum.is_finite() {
            let message = format!("the sum of these weights, {sum}, says no shares");
            let help = "give weights above 0, as [[0, 1], [1, 0]]";
            faults.add(at, message).help(help);
            return None;
        }
        Some(Racks { cells })
    }

    /// The racks for a number drawn below 1.
    pub(crate) fn at(&self, drawn: f64) -> &Cell {
        let last = self.cells.len() - 1;
        let sum = self.cells[last].up_to;
        let place = self.cells.partition_point(|cell| cell.up_to <= drawn * sum);
        &self.cells[place.min(last)]
    }
}

/// The weight of a cell, none if it is 0; `None` if a fault was reported.
fn weight_at(
    weight: f64,
    at: &str,
    [row, column]: [usize; 2],
    faults: &mut Faults,
) -> Option<Option<f64>> {
    if weight.is_finite() && weight >= 0.0 {
        return Some((weight > 0.0).then_some(weight));
    }
    let message = format!("{weight} is not a weight");
    let fault = faults.add(format!("{at}[{row}][{column}]"), message);
    fault.help("give a number from 0: pairs are drawn in proportion to it");
    None
}

/// The hosts of both sides.
struct Sides<'a> {
    racks: &'a [u32],
    senders: Hosts,
    receivers: Hosts,
}

impl Sides<'_> {
    /// The hosts of two racks; none if no two of them differ, which is reported.
    fn cell(
        &self,
        network: &Network,
        up_to: f64,
        at: &str,
        [row, column]: [usize; 2],
        faults: &mut Faults,
    ) -> Option<Cell> {
        let of = |hosts: &Hosts, rack: usize| hosts.get(&self.racks[rack]).cloned();
        let from = of(&self.senders, row).unwrap_or_default();
        let to = of(&self.receivers, column).unwrap_or_default();
        if from.iter().any(|from| to.iter().any(|to| to != from)) {
            return Some(Cell { up_to, from, to });
        }
        let [row_name, column_name] =
            [row, column].map(|rack| network.nodes.name(self.racks[rack]));
        let message =
            format!("no host of from at {row_name} has another one of to at {column_name}");
        let fault = faults.add(format!("{at}[{row}][{column}]"), message);
        fault.help("give it the weight 0");
        None
    }
}

/// The nodes that hosts of these groups are linked to.
fn switches_of(network: &Network, sides: [&Range<u32>; 2]) -> BTreeMap<u32, BTreeSet<u32>> {
    let mut switches: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for (a, b) in network.wires.iter().flat_map(|wires| &wires.ends) {
        for (host, other) in [(a, b), (b, a)] {
            if sides.iter().any(|side| side.contains(host)) {
                switches.entry(*host).or_default().insert(*other);
            }
        }
    }
    switches
}

/// The hosts of one side by their racks; none if one has no rack, or several.
fn hosts(
    network: &Network,
    switches: &BTreeMap<u32, BTreeSet<u32>>,
    side: &Range<u32>,
    path: &str,
    faults: &mut Faults,
) -> Option<Hosts> {
    let mut hosts = Hosts::new();
    for host in side.clone() {
        let linked: Vec<u32> = switches.get(&host).into_iter().flatten().copied().collect();
        let [rack] = linked[..] else {
            let message = format!(
                "{} is linked to {} nodes: the rack of a host is its only neighbour",
                network.nodes.name(host),
                linked.len()
            );
            let help = "name hosts with one link, or leave racks out";
            faults.add(path, message).help(help);
            return None;
        };
        hosts.entry(rack).or_default().push(host);
    }
    Some(hosts)
}

/// Reports weights that are not a row and a column for each rack; true if they are.
fn is_square(
    network: &Network,
    racks: &[u32],
    weights: &[Vec<f64>],
    at: &str,
    faults: &mut Faults,
) -> bool {
    let names: Vec<String> = racks.iter().map(|rack| network.nodes.name(*rack)).collect();
    let known = match &names[..] {
        [first, .., last] => format!("{} racks, {first} to {last}", names.len()),
        _ => format!("rack {}", names.concat()),
    };
    let help = "give a row for each rack of from and to, with a weight for each rack";
    if weights.len() != racks.len() {
        let message = format!("{} rows are not one for each of the {known}", weights.len());
        faults.add(at, message).help(help);
        return false;
    }
    let wrong = weights.iter().position(|row| row.len() != racks.len());
    if let Some(row) = wrong {
        let message = format!(
            "{} weights are not one for each of the {known}",
            weights[row].len()
        );
        faults.add(format!("{at}[{row}]"), message).help(help);
    }
    wrong.is_none()
}
