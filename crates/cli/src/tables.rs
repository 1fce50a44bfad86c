//! The printed summary: what a person wants to know first, within 80 columns.

use pacesim_lab::summary::{
    Bottleneck, FecSummary, GroupSummary, LimitedBy, LinkSummary, Summary, Warning,
};
use pacesim_lab::{Mean, Replications};

use crate::columns::of_texts;
use crate::numbers::{how_many, or_dash, percent, si, three_digits, time};
use crate::picture;
use crate::transfers;

/// The whole summary. It holds results only, nothing that depends on the machine.
pub(crate) fn summary(summary: &Summary) -> String {
    let mut text = format!("{}\n", title(summary));
    text += &format!("\n{}\n", flows(&summary.flows));
    text += &absences(summary);
    if summary.flows.iter().any(|group| group.tcp.is_some()) {
        text += &format!("\n{}\n", tcp(&summary.flows));
    }
    if summary.flows.iter().any(|group| group.transfers.is_some()) {
        text += &format!("\n{}\n", transfers::table(&summary.flows));
    }
    text += &format!("\n{}\n", links(&summary.links));
    if summary.links.iter().any(|link| link.pacer.is_some()) {
        text += &format!("\n{}\n", pacers(&summary.links));
    }
    if !summary.fec.is_empty() {
        text += &format!("\n{}\n", fec(&summary.fec));
    }
    if summary.more_links > 0 {
        let more = how_many(summary.more_links as usize, "more link");
        text += &format!("{more} like these\n");
    }
    if let Some(timeline) = &summary.timeline {
        text += &format!("\n{}", picture::draw(timeline));
    }
    for warning in &summary.warnings {
        text += &format!("\nwarning: {}\n", warning.text);
    }
    text + &format!("\nfingerprint {}\n", summary.fingerprint)
}

fn title(summary: &Summary) -> String {
    let mut title = format!("{}: {} simulated", summary.scenario, time(summary.sim_s));
    if summary.warmup_s > 0.0 {
        title += &format!(", measured after {}", time(summary.warmup_s));
    }
    title += &format!(", seed {}", summary.seed);
    if summary.replication > 0 {
        title += &format!(", replication {}", summary.replication);
    }
    title
}

fn flows(groups: &[GroupSummary]) -> String {
    let header = [
        "flows",
        "n",
        "offered",
        "goodput",
        "loss",
        "delay mean",
        "p99",
        "Jain",
    ];
    let row = |group: &GroupSummary| {
        let seconds = |x: Option<f64>| or_dash(x, time);
        [
            group.group.clone(),
            group.flows.to_string(),
            format!("{}bps", si(group.offered_bps)),
            format!("{}bps", si(group.goodput_bps)),
            or_dash(group.loss_ratio, percent),
            seconds(group.delay_mean_s),
            seconds(group.delay_p99_s),
            or_dash(group.jain_index, three_digits),
        ]
    };
    table(header, groups.iter().map(row))
}

/// Groups that were not there all the time: their rates are not over all of it.
fn absences(summary: &Summary) -> String {
    let measured_s = summary.sim_s - summary.warmup_s;
    let line = |group: &GroupSummary| match group.active_s {
        0.0 => format!("{}: not there in the time measured\n", group.group),
        active_s => format!(
            "{}: rates are over the {} of {} in which it was there\n",
            group.group,
            time(active_s),
            time(measured_s)
        ),
    };
    let absent = summary
        .flows
        .iter()
        .filter(|group| group.active_s < 0.99 * measured_s);
    absent.map(line).collect()
}

/// What the senders of TCP groups did, and what kept them from sending more.
fn tcp(groups: &[GroupSummary]) -> String {
    let header = [
        "tcp",
        "sent again",
        "time-outs",
        "RTT mean",
        "p99",
        "limited by",
    ];
    let row = |group: &GroupSummary| {
        let tcp = group.tcp.as_ref()?;
        let seconds = |x: Option<f64>| or_dash(x, time);
        Some([
            group.group.clone(),
            or_dash(tcp.retransmitted_ratio, percent),
            tcp.timeouts.to_string(),
            seconds(tcp.rtt_mean_s),
            seconds(tcp.rtt_p99_s),
            tcp.limited_by
                .as_ref()
                .map_or_else(|| "–".to_owned(), limited_by),
        ])
    };
    table(header, groups.iter().filter_map(row))
}

/// What limits a group, and for which share of its time.
fn limited_by(limit: &LimitedBy) -> String {
    let what = match limit.what {
        Bottleneck::Line => "the line",
        Bottleneck::Window => "its window",
        Bottleneck::Loss => "loss",
        Bottleneck::Growth => "slow growth",
        Bottleneck::Data => "its data",
        Bottleneck::Pacing => "its pacing",
        Bottleneck::Pacer => "the pacer of",
    };
    let which = match (&limit.which, limit.what) {
        (None, _) => String::new(),
        (Some(packets), Bottleneck::Window) => format!(" ({packets})"),
        (Some(name), _) => format!(" {name}"),
    };
    format!("{what}{which}, {}", percent(limit.share))
}

fn links(links: &[LinkSummary]) -> String {
    let header = [
        "link",
        "rate",
        "buffer",
        "utilisation",
        "loss",
        "queue mean",
        "max",
    ];
    let row = |link: &LinkSummary| {
        [
            link.link.clone(),
            format!("{}bps", si(link.rate_bps as f64)),
            link.buffer.clone(),
            percent(link.utilisation),
            percent(link.loss_ratio),
            format!("{} pkts", three_digits(link.queue_mean_pkts)),
            format!("{} pkts", link.queue_max_pkts),
        ]
    };
    table(header, links.iter().map(row))
}

/// What protected pairs lost and repaired.
fn fec(entries: &[FecSummary]) -> String {
    let header = [
        "fec",
        "pairs",
        "block",
        "overhead",
        "lost",
        "left",
        "repaired",
        "delay mean",
        "p99",
    ];
    let row = |pairs: &FecSummary| {
        let seconds = |x: Option<f64>| or_dash(x, time);
        [
            pairs.fec.clone(),
            pairs.pairs.to_string(),
            format!("{} pkts", three_digits(pairs.block_pkts)),
            or_dash(pairs.overhead_ratio, percent),
            or_dash(pairs.loss_ratio, percent),
            or_dash(pairs.residual_loss_ratio, percent),
            format!("{} pkts", pairs.repaired_pkts),
            seconds(pairs.recovery_delay_mean_s),
            seconds(pairs.recovery_delay_p99_s),
        ]
    };
    table(header, entries.iter().map(row))
}

/// What pacers hold before the queues of these links.
fn pacers(links: &[LinkSummary]) -> String {
    let header = [
        "pacer before",
        "kind",
        "full",
        "dropped",
        "held mean",
        "max",
        "delay mean",
        "max",
    ];
    let row = |link: &LinkSummary| {
        let pacer = link.pacer.as_ref()?;
        let seconds = |x: Option<f64>| or_dash(x, time);
        Some([
            link.link.clone(),
            pacer.kind.clone(),
            or_dash(pacer.pacer_utilisation, percent),
            format!("{} pkts", pacer.refused_pkts),
            format!("{} pkts", three_digits(pacer.held_mean_pkts)),
            format!("{} pkts", pacer.held_max_pkts),
            seconds(pacer.pacing_delay_mean_s),
            seconds(pacer.pacing_delay_max_s),
        ])
    };
    table(header, links.iter().filter_map(row))
}

/// Means of replications, with half the width of their intervals.
pub(crate) fn replications(all: &Replications) -> String {
    let meaning = match all.replications {
        1 => "which has no confidence interval".to_owned(),
        _ => format!(
            "mean ± half width at {} confidence",
            percent(all.confidence)
        ),
    };
    let replications = how_many(all.runs.len(), "replication");
    let title = format!(
        "{}: {replications}, seed {}, {meaning}",
        all.scenario, all.seed
    );
    let flows = means(all, "flows", &FLOW_COLUMNS);
    let tcp = match entities(all, TCP).is_empty() {
        true => String::new(),
        false => format!("\n{}\n", means(all, TCP, &TCP_COLUMNS)),
    };
    let transfers = match entities(all, TRANSFERS).is_empty() {
        true => String::new(),
        false => format!("\n{}\n", means(all, TRANSFERS, &TRANSFER_COLUMNS)),
    };
    let links = means(all, "link", &LINK_COLUMNS);
    let pacers = match paced(all).is_empty() {
        true => String::new(),
        false => format!("\n{}\n", means(all, PACERS, &PACER_COLUMNS)),
    };
    let fec = match entities(all, FEC).is_empty() {
        true => String::new(),
        false => format!("\n{}\n", means(all, FEC, &FEC_COLUMNS)),
    };
    let fingerprint = match all.replications {
        1 => all.fingerprint.clone(),
        n => format!("{} of all {n}", all.fingerprint),
    };
    let warnings = warnings(all);
    format!(
        "{title}\n\n{flows}\n{tcp}{transfers}\n{links}\n{pacers}{fec}{warnings}\nfingerprint {fingerprint}\n"
    )
}

/// Each kind of warning once, with how many replications have it.
fn warnings(all: &Replications) -> String {
    let mut found: Vec<(&Warning, usize)> = Vec::new();
    for warning in all.runs.iter().flat_map(|run| &run.warnings) {
        match found
            .iter_mut()
            .find(|(known, _)| known.kind == warning.kind)
        {
            Some((_, runs)) => *runs += 1,
            None => found.push((warning, 1)),
        }
    }
    let line = |(warning, runs): (&Warning, usize)| {
        let (of, text) = (all.runs.len(), &warning.text);
        format!("\nwarning, in {runs} of {of} replications: {text}\n")
    };
    found.into_iter().map(line).collect()
}

/// A factor, and the unit that it leads to; both follow the mean.
pub(crate) type Unit = fn(f64) -> (f64, &'static str);

/// Header, metric, and its unit.
type ColumnOf = (&'static str, &'static str, Unit);

const FLOW_COLUMNS: [ColumnOf; 4] = [
    ("goodput", "goodput_bps", bps),
    ("loss", "loss_ratio", per_cent),
    ("delay mean", "delay_mean_s", seconds),
    ("delay p99", "delay_p99_s", seconds),
];

/// The senders of groups.
const TCP: &str = "tcp";

const TCP_COLUMNS: [ColumnOf; 4] = [
    ("sent again", "retransmitted_ratio", per_cent),
    ("time-outs", "timeouts", plain),
    ("RTT mean", "rtt_mean_s", seconds),
    ("window-limited", "window_limited", per_cent),
];

/// The transfers of groups.
const TRANSFERS: &str = "transfers";

const TRANSFER_COLUMNS: [ColumnOf; 4] = [
    ("mean", "completion_mean_s", seconds),
    ("p50", "completion_p50_s", seconds),
    ("p99", "completion_p99_s", seconds),
    ("slowdown", "slowdown_mean", plain),
];

const LINK_COLUMNS: [ColumnOf; 4] = [
    ("utilisation", "utilisation", per_cent),
    ("loss", "loss_ratio", per_cent),
    ("queue mean", "queue_mean_pkts", pkts),
    ("queue max", "queue_max_pkts", pkts),
];

/// What pacers hold before the queues of links.
const PACERS: &str = "pacer before";

const PACER_COLUMNS: [ColumnOf; 4] = [
    ("held mean", "held_mean_pkts", pkts),
    ("max", "held_max_pkts", pkts),
    ("delay mean", "pacing_delay_mean_s", seconds),
    ("max", "pacing_delay_max_s", seconds),
];

/// Protected pairs.
const FEC: &str = "fec";

const FEC_COLUMNS: [ColumnOf; 4] = [
    ("lost", "loss_ratio", per_cent),
    ("left", "residual_loss_ratio", per_cent),
    ("overhead", "overhead_ratio", per_cent),
    ("delay mean", "recovery_delay_mean_s", seconds),
];

pub(crate) fn bps(mean: f64) -> (f64, &'static str) {
    match mean {
        x if x >= 1e9 => (1e-9, " Gbps"),
        x if x >= 1e6 => (1e-6, " Mbps"),
        x if x >= 1e3 => (1e-3, " kbps"),
        _ => (1.0, " bps"),
    }
}

pub(crate) fn seconds(mean: f64) -> (f64, &'static str) {
    match mean {
        x if x >= 1.0 => (1.0, " s"),
        x if x >= 1e-3 => (1e3, " ms"),
        _ => (1e6, " µs"),
    }
}

pub(crate) fn per_cent(_mean: f64) -> (f64, &'static str) {
    (100.0, " %")
}

pub(crate) fn plain(_mean: f64) -> (f64, &'static str) {
    (1.0, "")
}

pub(crate) fn pkts(_mean: f64) -> (f64, &'static str) {
    (1.0, " pkts")
}

fn means(all: &Replications, of: &str, columns: &[ColumnOf; 4]) -> String {
    let entities: Vec<&str> = entities(all, of);
    let kind = match of {
        PACERS => "link",
        TCP | TRANSFERS => "flows",
        of => of,
    };
    let row = |entity: &&str| {
        let cell = |(_, metric, unit): &ColumnOf| {
            let is_it =
                |mean: &&Mean| mean.of == kind && mean.entity == *entity && mean.metric == *metric;
            all.means
                .iter()
                .find(is_it)
                .map_or_else(String::new, |found| {
                    plus_minus(found.mean, found.half_width, *unit)
                })
        };
        let [a, b, c, d] = columns.each_ref().map(cell);
        [(*entity).to_owned(), a, b, c, d]
    };
    let [a, b, c, d] = columns.map(|(header, ..)| header);
    table([of, a, b, c, d], entities.iter().map(row))
}

/// The groups, or the links that the first replication shows, in their order.
fn entities<'a>(all: &'a Replications, of: &str) -> Vec<&'a str> {
    let Some(first) = all.runs.first() else {
        return Vec::new();
    };
    match of {
        "flows" => first
            .flows
            .iter()
            .map(|group| group.group.as_str())
            .collect(),
        PACERS => paced(all),
        FEC => first.fec.iter().map(|pairs| pairs.fec.as_str()).collect(),
        TCP => groups_with(all, |group| group.tcp.is_some()),
        TRANSFERS => groups_with(all, |group| group.transfers.is_some()),
        _ => first.links.iter().map(|link| link.link.as_str()).collect(),
    }
}

/// The groups of the first replication that have something.
fn groups_with(all: &Replications, has: fn(&GroupSummary) -> bool) -> Vec<&str> {
    let groups = all.runs.first().into_iter().flat_map(|run| &run.flows);
    let groups = groups.filter(|group| has(group));
    groups.map(|group| group.group.as_str()).collect()
}

/// The links with a pacer that the first replication shows.
fn paced(all: &Replications) -> Vec<&str> {
    let links = all.runs.first().into_iter().flat_map(|run| &run.links);
    let paced = links.filter(|link| link.pacer.is_some());
    paced.map(|link| link.link.as_str()).collect()
}

/// A mean with half the width of its interval, in the unit that fits the mean.
pub(crate) fn plus_minus(mean: Option<f64>, half_width: Option<f64>, unit: Unit) -> String {
    let Some(x) = mean else {
        return "–".to_owned();
    };
    let (factor, unit) = unit(x);
    let half_width = half_width.map(|half| format!(" ± {}", three_digits(half * factor)));
    format!(
        "{}{}{unit}",
        three_digits(x * factor),
        half_width.unwrap_or_default()
    )
}

/// A table of a number of columns that is known.
fn table<const N: usize>(header: [&str; N], rows: impl Iterator<Item = [String; N]>) -> String {
    of_texts(header.map(str::to_owned).into(), rows.map(Vec::from))
}
