//! Events that change nothing, and recordings that get nothing.

use pacesim_keys::WarningName;
use pacesim_language::names::Reference;
use pacesim_language::problem::Faults;
use pacesim_model::{Loss, Model};
use pacesim_units::{LinkId, Rate, Span, Time};

use super::View;
use crate::check::ends::declares;
use crate::check::warn::Warn as _;

/// Warns of both.
pub(super) fn warnings(view: &View<'_>, faults: &mut Faults) {
    events(view, faults);
    packets(view, faults);
    series(view, faults);
    tcp(view, faults);
    ends(view, faults);
}

/// The state in which events leave a link.
#[derive(Clone, Copy, PartialEq)]
struct State {
    rate: Rate,
    delay: Span,
    loss: Option<Loss>,
    up: bool,
}

fn states(model: &Model) -> Vec<State> {
    let state = |link: &pacesim_model::Link| State {
        rate: link.rate,
        delay: link.delay,
        loss: link.extras.loss,
        up: true,
    };
    model.links.iter().map(state).collect()
}

fn events(view: &View<'_>, faults: &mut Faults) {
    let events = &view.scenario.events;
    if events.is_empty() {
        return;
    }
    let mut states = states(view.model);
    let mut in_order: Vec<usize> = (0..events.len()).collect();
    in_order.sort_by_key(|i| events[*i].at);
    for i in in_order {
        let event = &events[i];
        if !event.changes_links() {
            continue;
        }
        let (mut changes, mut is_used) = (false, false);
        for link in links(view, &event.links) {
            let state = &mut states[link.index()];
            let before = *state;
            state.rate = event.rate.unwrap_or(state.rate);
            state.delay = event.delay.unwrap_or(state.delay);
            state.loss = event.loss.map_or(state.loss, Some);
            state.up = event.up.unwrap_or(state.up);
            changes |= !is_same(&before, state);
            is_used |= view.used[link.index()];
        }
        let is_alone = event.start.is_empty() && event.stop.is_empty();
        let message = match (changes, is_used) {
            (false, _) => "these links are already like this: nothing changes",
            (true, false) => "no flow crosses these links: the change has no effect",
            (true, true) => continue,
        };
        let help = if is_alone {
            "give another value or other links, or leave the event out"
        } else {
            "give another value or other links, or leave links out"
        };
        let path = format!("event[{i}].links");
        faults
            .warn(WarningName::IdleEvent, path, message)
            .help(help);
    }
}

/// True if two states have the same effect: a loss of probability zero is none.
fn is_same(one: &State, other: &State) -> bool {
    let loss = |state: &State| match state.loss {
        Some(Loss::Bernoulli { probability: 0.0 }) => None,
        loss => loss,
    };
    let but_loss = |state: &State| State {
        loss: None,
        ..*state
    };
    but_loss(one) == but_loss(other) && loss(one) == loss(other)
}

fn links(view: &View<'_>, names: &[Reference]) -> Vec<LinkId> {
    let links = names.iter().filter_map(|name| {
        let mut known = Faults::default();
        view.plan.network.links.resolve(name, "", &mut known)
    });
    links.flatten().map(LinkId).collect()
}

fn packets(view: &View<'_>, faults: &mut Faults) {
    let Some(filter) = &view.model.output.packets else {
        return;
    };
    let run = view.model.duration;
    let (end, from) = (Time::ZERO + run, Span::from_ps(filter.from.as_ps()));
    if filter.from >= end {
        let message = format!("nothing is recorded: it begins at {from}, the run ends at {run}");
        let help = "give a time before run.duration";
        let path = "output.packets.from";
        faults
            .warn(WarningName::EmptyRecording, path, message)
            .help(help);
    } else if let Some(to) = filter.to.filter(|to| *to > end) {
        let message = format!(
            "the recording ends with the run, at {run}, and not at {}",
            Span::from_ps(to.as_ps())
        );
        let help = "give a longer run, or leave it out";
        let path = "output.packets.to";
        faults
            .warn(WarningName::EmptyRecording, path, message)
            .help(help);
    }
    let is_recorded =
        |link: usize| filter.links.is_empty() || filter.links.contains(&LinkId::from_index(link));
    let mut idle = (0..view.used.len()).filter(|link| is_recorded(*link));
    let is_idle = idle.all(|link| !view.used[link]);
    let of_flows = filter.flows.iter().flat_map(|flow| {
        [
            &view.paths.there[flow.index()],
            &view.paths.back[flow.index()],
        ]
    });
    let mut of_flows = of_flows.flatten().chain(&view.paths.later);
    let misses = !filter.flows.is_empty() && !of_flows.any(|link| is_recorded(link.index()));
    if is_idle || misses {
        let message = if is_idle {
            "nothing is recorded: no flow crosses these links"
        } else {
            "nothing is recorded: these flows do not cross these links"
        };
        let help = "name links that they cross, or leave links out for all";
        let path = "output.packets.links";
        faults
            .warn(WarningName::EmptyRecording, path, message)
            .help(help);
    }
}

fn series(view: &View<'_>, faults: &mut Faults) {
    let Some(series) = &view.model.output.series else {
        return;
    };
    let run = view.model.duration;
    if series.interval > run {
        let message =
            format!("nothing is sampled: the run ends after {run}, before the first sample");
        let help = "give a shorter interval, such as a hundredth of the run";
        let path = "output.series.interval";
        faults
            .warn(WarningName::EmptyRecording, path, message)
            .help(help);
    }
    let is_idle = |link: &LinkId| !view.used[link.index()];
    let named = view.scenario.output.series.as_ref();
    let names_links = named.is_some_and(|series| !series.links.is_empty());
    if names_links && series.links.iter().all(is_idle) {
        let message = "no flow crosses these links: all samples are zero";
        let help = "name links with traffic";
        let path = "output.series.links";
        faults
            .warn(WarningName::EmptyRecording, path, message)
            .help(help);
    }
}

fn ends(view: &View<'_>, faults: &mut Faults) {
    let mut flows = view.scenario.flows.iter();
    if view.model.output.ends.is_some() && !flows.any(|flow| declares(&flow.traffic)) {
        let message = "nothing is recorded: no flow has a sender that declares numbers";
        let help = "leave it out, or give a flow a transport whose senders declare some: kind = \"rdma\", or one of your own";
        let path = "output.ends";
        faults
            .warn(WarningName::EmptyRecording, path, message)
            .help(help);
    }
}

fn tcp(view: &View<'_>, faults: &mut Faults) {
    let mut flows = view.model.flows.iter();
    let has_tcp = flows.any(|flow| flow.traffic.tcp().is_some());
    if view.model.output.tcp.is_some() && !has_tcp {
        let message = "nothing is recorded: there are no TCP flows";
        let help = "leave it out, or give a flow kind = \"tcp\"";
        let path = "output.tcp";
        faults
            .warn(WarningName::EmptyRecording, path, message)
            .help(help);
    }
}
