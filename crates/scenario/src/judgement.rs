//! The mistakes of a scenario, all at once, and none that only follows from another one.
//!
//! A refused entry has no value, so whatever depends on it is unknown. The scenario is therefore
//! checked with several values in its place: a mistake that is not there with all of them, in the same
//! words, follows from the refused entry and is not reported. Formulas are evaluated first; one
//! without a value is a refused entry.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use pacesim_keys::{Files, Scenario, advise};
use pacesim_language::document::Document;
use pacesim_language::names::Named;
use pacesim_language::problem::{Fault, Faults, Problem, Problems};
use pacesim_language::stand_ins::SETS;

use crate::check::check;
use crate::checked::Checked;
use crate::formulas::{FormulaSet, Values};
use crate::resolve::{Directory, Plan, Survey};

/// The most mistakes whose consequences are sought: each takes some more checks.
const MOST_SOUGHT: usize = 12;

/// All mistakes in the order of the text, or the scenario.
pub(crate) fn judged(document: &Document, files: &dyn Files) -> Result<Checked, Problems> {
    let mut noted = Faults::default();
    let formulas = FormulaSet::parse(document, &mut noted);
    let judge = Judge {
        document,
        formulas,
        files,
        names: OnceCell::new(),
    };
    let known = judge.written(noted)?;
    let refused: Vec<&str> = known.list.iter().map(|fault| fault.path.as_str()).collect();
    let mut first = judge.found(&refused, &known, 0);
    if known.list.is_empty()
        && first.faults.is_empty()
        && document.report(Faults::default()).is_ok()
        && let Some(checked) = first.checked.take()
    {
        return Ok(checked);
    }
    let agreed = judge.agreed(&refused, &known, &first);
    // Without a refused entry, every mistake is one.
    let later = if agreed.is_empty() && known.list.is_empty() {
        std::mem::take(&mut first.faults)
    } else {
        agreed
    };
    let later = judge.causes(&refused, &known, later);
    let mut all = known;
    all.list.extend(later);
    let reported = first.document.report(all);
    let reported = reported.map_err(|problems| judge.with_paths_of_shapes(problems));
    let reported = reported.map_err(without_names_of_nothing);
    reported.and_then(|()| first.checked.ok_or_else(|| unexplained(document)))
}

/// A judge of one document.
struct Judge<'d> {
    document: &'d Document,
    formulas: FormulaSet,
    files: &'d dyn Files,
    /// The names of nodes, links and flows, once they are asked for.
    names: OnceCell<[Vec<String>; 3]>,
}

/// Mistakes of a document with one set of stand-ins.
struct Findings {
    document: Document,
    faults: Vec<Fault>,
    checked: Option<Checked>,
}

impl Judge<'_> {
    /// Mistakes in the notation of single entries and formulas.
    fn written(&self, noted: Faults) -> Result<Faults, Problems> {
        let plain = self.formulas.with_stand_ins(&[], 1, &|_| Vec::new());
        let mut faults = plain.differences()?;
        advise(self.document, &mut faults);
        faults.merge(noted);
        Ok(faults)
    }

    /// Tells where the links of a shape have their keys, if an option or an axis names one as an entry
    /// of `link`.
    fn with_paths_of_shapes(&self, mut problems: Problems) -> Problems {
        let missed = |problem: &&mut Problem| {
            problem.path.starts_with("link.") && problem.message.starts_with("there is no link")
        };
        let mut missed = problems.0.iter_mut().filter(missed).peekable();
        if missed.peek().is_none() {
            return problems;
        }
        let survey = self.survey();
        let of_shape = survey.network.wires.iter();
        let of_shape = of_shape.filter(|wires| wires.path.starts_with("topology"));
        let of_shape: Vec<(&str, &str)> = of_shape
            .map(|wires| (wires.name.as_str(), wires.path.as_str()))
            .collect();
        for problem in missed.filter(|_| !of_shape.is_empty()) {
            let mut steps = problem.path.splitn(3, '.').skip(1);
            let (name, key) = (steps.next().unwrap_or_default(), steps.next());
            let key = key.map(|key| format!(".{key}")).unwrap_or_default();
            let meant = of_shape.iter().find(|(known, _)| *known == name);
            problem.help = Some(match meant {
                Some((_, path)) => format!("this link is part of the shape: write {path}{key}"),
                None => {
                    let all = of_shape.iter();
                    let all: Vec<String> = all
                        .map(|(name, path)| format!("{path}{key} for {name}"))
                        .collect();
                    format!("the links of the shape have other keys: {}", all.join(", "))
                }
            });
        }
        problems
    }

    /// The names of the scenario, as far as they are known.
    fn survey(&self) -> Survey {
        let plain = self.formulas.with_stand_ins(&[], 1, &|_| Vec::new());
        let mut faults = plain.differences().unwrap_or_default();
        let scenario = Scenario::read(plain.tree(), self.files, &mut faults);
        Survey::of(&scenario, &faults, &mut Faults::default())
    }

    /// The names to which references may refer.
    fn names(&self, named: Named) -> Vec<String> {
        let find = || {
            let survey = self.survey();
            let network = &survey.network;
            [&network.nodes, &network.links, &survey.flows].map(references)
        };
        let [nodes, links, flows] = self.names.get_or_init(find);
        match named {
            Named::Nodes => nodes.clone(),
            Named::Links => links.clone(),
            Named::Flows => flows.clone(),
        }
    }

    /// Mistakes beyond the known ones, with these stand-ins for refused entries.
    fn found(&self, refused: &[&str], known: &Faults, set: usize) -> Findings {
        let names = |named| self.names(named);
        let plain = self.formulas.with_stand_ins(refused, set, &names);
        let values = self.formulas.values(&plain, self.files, (refused, set));
        let document = self.formulas.replaced(&plain, &values);
        let mut all = Faults::from(known.list.clone());
        all.merge(values.faults.clone().into());
        let of_values = if self.formulas.is_empty() {
            Faults::default()
        } else {
            document.differences().unwrap_or_default()
        };
        let of_values = of_values.list.into_iter();
        let is_known = |fault: &Fault| known.list.iter().any(|other| is_same(fault, other));
        let fresh = of_values.filter(|fault| !is_known(fault) && !fault.absence);
        all.merge(fresh.collect::<Vec<Fault>>().into());
        let mut of_reading = Faults::default();
        let scenario = Scenario::read(document.tree(), self.files, &mut of_reading);
        // A table cannot be read without a refused entry that has no stand-in.
        let names = |named| self.names(named);
        let lost = known.list.iter();
        let lost = lost.filter(|fault| !self.document.has_stand_ins(&fault.path, &names));
        let mut lost = Faults::from(lost.cloned().collect::<Vec<Fault>>());
        let is_lost = |lost: &Faults, fault: &Fault| {
            let mut lost = lost.list.iter();
            lost.any(|lost| contains_entry(&fault.path, &lost.path))
        };
        of_reading.list.retain(|fault| !is_lost(&lost, fault));
        all.merge(of_reading.list.clone().into());
        let lacks_topology =
            scenario.topology.is_none() && document.tree().get("topology").is_some();
        let guess = document.is_broken() || lacks_topology;
        // Entries with stand-ins are as good as others.
        lost.merge(of_reading);
        let (mut later, plan) = check(&scenario, &lost);
        let is_guessed = |fault: &Fault| guess && fault.absence || follows_shape(fault, refused);
        later
            .list
            .retain(|fault| !(is_guessed(fault) || is_lost(&lost, fault)));
        all.merge(later);
        let faults = all.list.split_off(known.list.len().min(all.list.len()));
        let is_sound = plan.is_some() && faults.is_empty() && known.list.is_empty();
        let checked = is_sound.then(|| self.checked(scenario, plan, values));
        Findings {
            document,
            faults,
            checked,
        }
    }

    fn checked(&self, scenario: Scenario, plan: Option<Plan>, values: Values) -> Checked {
        let mut checked = Checked::new(scenario, plan);
        checked.loads = self.formulas.loads(&values);
        checked.formulas = self.formulas.written(values);
        checked
    }

    /// The mistakes that are there with all stand-ins of the refused entries; those of the first set
    /// are found already.
    fn agreed(&self, refused: &[&str], known: &Faults, first: &Findings) -> Vec<Fault> {
        let mut agreed = first.faults.clone();
        for set in 1..SETS {
            if agreed.is_empty() {
                break;
            }
            let others = self.found(refused, known, set).faults;
            agreed.retain(|fault| others.iter().any(|other| is_same(fault, other)));
        }
        agreed
    }

    /// The mistakes without those that vanish with another's value: they are its consequences. If two
    /// depend on each other, the first stays, or both if they are one mistake, such as a circle.
    fn causes(&self, refused: &[&str], known: &Faults, found: Vec<Fault>) -> Vec<Fault> {
        let loud = found.iter().filter(|fault| !fault.silent).count();
        if !(2..=MOST_SOUGHT).contains(&loud) {
            return found;
        }
        let vanish: Vec<Vec<bool>> = found
            .iter()
            .map(|cause| self.vanishing(refused, known, (cause, &found)))
            .collect();
        let mut is_kept = vec![true; found.len()];
        for cause in 0..found.len() {
            for other in 0..found.len() {
                let is_mutual = vanish[other][cause];
                let is_first = other < cause || found[cause].message == found[other].message;
                let follows = vanish[cause][other] && !(is_mutual && is_first);
                is_kept[other] &= !(is_kept[cause] && follows);
            }
        }
        let kept = found.into_iter().zip(is_kept);
        kept.filter_map(|(fault, is_kept)| is_kept.then_some(fault))
            .collect()
    }

    /// For each of the mistakes, true if it depends on the value of the entry that causes one.
    fn vanishing(
        &self,
        refused: &[&str],
        known: &Faults,
        (cause, found): (&Fault, &[Fault]),
    ) -> Vec<bool> {
        let names = |named| self.names(named);
        let is_of_value = !cause.silent && self.document.has_stand_ins(&cause.path, &names);
        if !is_of_value {
            return vec![false; found.len()];
        }
        let refused: Vec<&str> = refused
            .iter()
            .copied()
            .chain([cause.path.as_str()])
            .collect();
        let first = self.found(&refused, known, 0);
        let left = self.agreed(&refused, known, &first);
        let is_left = |fault: &Fault| left.iter().any(|other| is_same(fault, other));
        let depends = |fault: &Fault| fault.path != cause.path && !is_left(fault);
        found.iter().map(depends).collect()
    }
}

/// Without the options and axes that name a flow, if the mistake is that there is none.
fn without_names_of_nothing(mut problems: Problems) -> Problems {
    if problems.0.iter().any(|problem| problem.path == "flow") {
        let names_one = |problem: &Problem| {
            problem.path.starts_with("flow.") && problem.message.starts_with("there is no flow")
        };
        problems.0.retain(|problem| !names_one(problem));
    }
    problems
}

/// True if a mistake is one in a network whose shape no stand-in can guess: how many of its parts
/// there are, what they join, or which way flows go.
fn follows_shape(fault: &Fault, refused: &[&str]) -> bool {
    let path = fault.path.as_str();
    let of_part = |part: &str| path == part || contains_entry(part, path);
    let (table, key) = path.split_once('.').unwrap_or((path, ""));
    let is_way_refused = || {
        let mut ways = refused.iter().filter(|path| is_way(path));
        let of_other_flow = |path: &str| path.starts_with("flow[") && !contains_entry(table, path);
        ways.any(|path| !(table.starts_with("flow[") && of_other_flow(path)))
    };
    let is_of = |name: &str| table.split('[').next() == Some(name);
    let is_host = path == "host" || key == "host" && is_of("node");
    match key {
        // A host with a refused key, where there are no hosts.
        _ if is_host => refused.iter().any(|entry| contains_entry(path, entry)),
        _ if of_part("topology.access") => refused.contains(&"topology.hosts"),
        _ if of_part("topology.edge") => refused.contains(&"topology.edges"),
        "egress" | "by_hops" | "adaptive" if is_of("fec") => is_way_refused(),
        // A switch whose node sends into no link.
        "nodes" if is_of("switch") => is_way_refused(),
        "pair" | "pair.hops" | "traffic.of" if is_of("flow") => is_way_refused(),
        _ if is_of("flow") && fault.message.contains("never fits") => is_way_refused(),
        "from" | "to" if is_of("flow") && fault.absence => {
            let mut refused = refused.iter().filter(|path| is_way(path));
            refused.any(|path| !path.starts_with("flow"))
        }
        // A link from a node to itself, by its pairs.
        "to" if is_of("link") => refused
            .iter()
            .any(|path| contains_entry(table, path) && is_way(path)),
        _ => false,
    }
}

/// True if an entry decides which way flows go.
fn is_way(path: &str) -> bool {
    let (table, key) = path.split_once('.').unwrap_or((path, ""));
    match table.split_once('[').map_or(table, |(table, _)| table) {
        "topology" => !key.contains('.'),
        "link" | "flow" => {
            let key = key.split(['.', '[']).next().unwrap_or(key);
            ["from", "to", "pair", "duplex", "count", "length"].contains(&key)
        }
        "run" => key.starts_with("routing"),
        "node" => true,
        _ => false,
    }
}

/// True if a table contains an entry.
fn contains_entry(table: &str, entry: &str) -> bool {
    let rest = entry.strip_prefix(table);
    rest.is_some_and(|rest| rest.starts_with(['.', '[']))
}

/// References to groups, and to some of their members.
fn references(all: &Directory) -> Vec<String> {
    let group = |(name, count): (String, Option<u32>)| {
        let count = count.filter(|count| *count > 1).unwrap_or(0);
        let members = BTreeSet::from([0, count / 2, count.saturating_sub(1)]);
        let members = members.into_iter().filter(|_| count > 0);
        let members: Vec<String> = members.map(|member| format!("{name}[{member}]")).collect();
        std::iter::once(name).chain(members)
    };
    all.groups().flat_map(group).collect()
}

fn is_same(one: &Fault, other: &Fault) -> bool {
    (&one.path, &one.message) == (&other.path, &other.message)
}

/// A scenario without a plan has a mistake; this one says so if no other does.
fn unexplained(document: &Document) -> Problems {
    let fault = Fault {
        message: "a name in this scenario cannot be resolved".to_owned(),
        help: Some("see the entries that name nodes, links or flows".to_owned()),
        ..Fault::default()
    };
    Problems(vec![document.locate(fault)])
}
