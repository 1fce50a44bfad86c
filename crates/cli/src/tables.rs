//! The printed summary: headline numbers, within 80 columns.

use pacesim_lab::summary::{
    Bottleneck, FecSummary, GroupSummary, LimitedBy, LinkSummary, PacerSummary, Summary,
    TcpSummary, Warning,
};
use pacesim_lab::{Mean, Replications};

use crate::care::{Notes, Shown, footnote, quantile};
use crate::columns::{Column, of_columns, of_texts};
use crate::declared;
use crate::numbers::{how_many, or_dash, percent, si, three_digits, time};
use crate::picture;
use crate::transfers;
use crate::units::{Unit, bps, per_cent, pkts, plain, seconds};

/// The whole summary. It has only results, nothing that depends on the machine.
pub(crate) fn summary(summary: &Summary) -> String {
    let mut text = format!("{}\n", title(summary));
    text += &format!("\n{}\n", flows(&summary.flows));
    text += &absences(summary);
    text += &jobs(summary);
    if summary.flows.iter().any(|group| group.tcp.is_some()) {
        text += &format!("\n{}\n", tcp(&summary.flows));
    }
    if summary.flows.iter().any(|group| group.transfers.is_some()) {
        text += &format!("\n{}\n", transfers::table(&summary.flows));
    }
    text += &declared::of_run(&summary.flows);
    text += &format!("\n{}\n", links(&summary.links));
    if summary.links.iter().any(holds_or_trims) {
        text += &format!("\n{}\n", pauses(&summary.links));
    }
    if summary.links.iter().any(|link| link.pacer.is_some()) {
        text += &format!("\n{}\n", pacers(&summary.links));
    }
    if !summary.fec.is_empty() {
        text += &format!("\n{}\n", fec(&summary.fec));
    }
    let note = footnote(&text);
    text += note;
    if summary.more_links > 0 {
        let more = how_many(summary.more_links as usize, "more link");
        text += &format!("{more} like these\n");
    }
    if let Some(timeline) = &summary.timeline {
        text += &format!("\n{}", picture::draw(timeline));
    }
    for warning in shown(&summary.warnings) {
        text += &format!("\nwarning[{}]: {}\n", warning.kind.name(), warning.text);
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
    let columns: [Column<&GroupSummary>; 8] = [
        ("flows", |group| group.group.clone()),
        ("n", |group| group.flows.to_string()),
        ("offered", |group| or_dash(group.offered_bps, bits)),
        ("goodput", |group| or_dash(group.goodput_bps, bits)),
        ("loss", |group| or_dash(group.loss_ratio, percent)),
        ("delay mean", |group| or_dash(group.delay_mean_s, time)),
        ("p99", |group| {
            quantile(group.delay_p99_s, (0.99, group.delivered_pkts), time)
        }),
        ("Jain", |group| or_dash(group.jain_index, three_digits)),
    ];
    of_columns(&columns, groups.iter())
}

/// The time that each job took, and its rounds.
fn jobs(summary: &Summary) -> String {
    let line = |group: &GroupSummary| {
        let took = group
            .job_s
            .map(|took| format!("its job took {}", time(took)));
        let parts: Vec<String> = took.into_iter().chain(rounds(group)).collect();
        (!parts.is_empty()).then(|| format!("{}: {}\n", group.group, parts.join("; ")))
    };
    summary.flows.iter().filter_map(line).collect()
}

/// The rounds of a job in words.
fn rounds(group: &GroupSummary) -> Option<String> {
    let of = &group.rounds;
    let [p50, p99, longest] = [of.round_p50_s?, of.round_p99_s?, of.round_max_s?].map(time);
    let count = of.rounds?;
    Some(format!(
        "{count} rounds, p50 {p50}, p99 {p99}, the longest {longest}"
    ))
}

/// Groups that were absent for part of the time, which their rates exclude.
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

/// Statistics of TCP senders, and the limits on their sending.
fn tcp(groups: &[GroupSummary]) -> String {
    let columns: [Column<(&GroupSummary, &TcpSummary)>; 6] = [
        ("tcp", |(group, _)| group.group.clone()),
        ("sent again", |(_, tcp)| {
            or_dash(tcp.retransmitted_ratio, percent)
        }),
        ("time-outs", |(_, tcp)| tcp.timeouts.to_string()),
        ("RTT mean", |(_, tcp)| or_dash(tcp.rtt_mean_s, time)),
        ("p99", |(_, tcp)| {
            quantile(tcp.rtt_p99_s, (0.99, tcp.rtt_samples), time)
        }),
        ("limited by", |(_, tcp)| limited_by(tcp.limited_by.as_ref())),
    ];
    let rows = groups
        .iter()
        .filter_map(|group| Some((group, group.tcp.as_ref()?)));
    of_columns(&columns, rows)
}

/// The limit of a group, with its share of the time.
fn limited_by(limit: Option<&LimitedBy>) -> String {
    let Some(limit) = limit else {
        return "–".to_owned();
    };
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
    let columns: [Column<&LinkSummary>; 7] = [
        ("link", |link| link.link.clone()),
        ("rate", |link| format!("{}bps", si(link.rate_bps as f64))),
        ("buffer", |link| link.buffer.clone()),
        ("utilisation", |link| percent(link.utilisation)),
        ("loss", |link| or_dash(link.loss_ratio, percent)),
        ("queue mean", |link| mean_pkts(link.queue_mean_pkts)),
        ("max", |link| format!("{} pkts", link.queue_max_pkts)),
    ];
    of_columns(&columns, links.iter())
}

/// True if switches asked the port to hold packets, or had it ask, or if it cut packets.
fn holds_or_trims(link: &LinkSummary) -> bool {
    let counts = [link.pauses, link.pause_frames, link.trimmed_pkts];
    counts.into_iter().flatten().any(|count| count > 0)
}

/// The requests of switches at these links (PFC), and packets that their queues cut.
fn pauses(links: &[LinkSummary]) -> String {
    let columns: [Column<&LinkSummary>; 6] = [
        ("pauses of", |link| link.link.clone()),
        ("n", |link| count(link.pauses)),
        ("paused for", |link| or_dash(link.paused_s, time)),
        ("ended alone", |link| count(link.expired_pauses)),
        ("frames sent", |link| count(link.pause_frames)),
        ("trimmed", |link| count(link.trimmed_pkts)),
    ];
    of_columns(&columns, links.iter().filter(|link| holds_or_trims(link)))
}

fn count(number: Option<u64>) -> String {
    number.map_or_else(|| "–".to_owned(), |number| number.to_string())
}

fn bits(per_second: f64) -> String {
    format!("{}bps", si(per_second))
}

fn mean_pkts(mean: f64) -> String {
    format!("{} pkts", three_digits(mean))
}

/// Losses and repairs of protected pairs.
fn fec(entries: &[FecSummary]) -> String {
    let columns: [Column<&FecSummary>; 9] = [
        ("fec", |pairs| pairs.fec.clone()),
        ("pairs", |pairs| pairs.pairs.to_string()),
        ("block", |pairs| mean_pkts(pairs.block_pkts)),
        ("overhead", |pairs| or_dash(pairs.overhead_ratio, percent)),
        ("lost", |pairs| or_dash(pairs.loss_ratio, percent)),
        ("left", |pairs| or_dash(pairs.residual_loss_ratio, percent)),
        ("repaired", |pairs| format!("{} pkts", pairs.repaired_pkts)),
        ("delay mean", |pairs| {
            or_dash(pairs.recovery_delay_mean_s, time)
        }),
        ("p99", |pairs| {
            quantile(
                pairs.recovery_delay_p99_s,
                (0.99, pairs.repaired_pkts),
                time,
            )
        }),
    ];
    of_columns(&columns, entries.iter())
}

/// Packets that pacers hold before the queues of these links.
fn pacers(links: &[LinkSummary]) -> String {
    let columns: [Column<(&LinkSummary, &PacerSummary)>; 8] = [
        ("pacer before", |(link, _)| link.link.clone()),
        ("kind", |(_, pacer)| pacer.kind.clone()),
        ("full", |(_, pacer)| {
            or_dash(pacer.pacer_utilisation, percent)
        }),
        ("dropped", |(_, pacer)| {
            format!("{} pkts", pacer.refused_pkts)
        }),
        ("held mean", |(_, pacer)| mean_pkts(pacer.held_mean_pkts)),
        ("max", |(_, pacer)| format!("{} pkts", pacer.held_max_pkts)),
        ("delay mean", |(_, pacer)| {
            or_dash(pacer.pacing_delay_mean_s, time)
        }),
        ("max", |(_, pacer)| or_dash(pacer.pacing_delay_max_s, time)),
    ];
    let rows = links
        .iter()
        .filter_map(|link| Some((link, link.pacer.as_ref()?)));
    of_columns(&columns, rows)
}

/// Means of replications, with the half-widths of their intervals.
pub(crate) fn replications(all: &Replications) -> String {
    let all_identical = all.means.iter().all(|mean| mean.marks.identical);
    let meaning = match all.replications {
        1 => "which has no confidence interval".to_owned(),
        _ if all_identical => {
            "which are identical: nothing is drawn, so there is no interval".to_owned()
        }
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
    let mut notes = Notes::of(all_identical);
    let flows = means(all, "flows", &FLOW_COLUMNS, &mut notes);
    let mut some = |of: &str, columns: &[ColumnOf; 4]| {
        if entities(all, of).is_empty() {
            String::new()
        } else {
            format!("\n{}\n", means(all, of, columns, &mut notes))
        }
    };
    let tcp = some(TCP, &TCP_COLUMNS);
    let transfers = some(TRANSFERS, &TRANSFER_COLUMNS);
    let pacers = some(PACERS, &PACER_COLUMNS);
    let fec = some(FEC, &FEC_COLUMNS);
    let declared = declared::of_replications(all, &mut notes);
    let links = means(all, "link", &LINK_COLUMNS, &mut notes);
    let notes = notes.text();
    let fingerprint = match all.replications {
        1 => all.fingerprint.clone(),
        n => format!("{} of all {n}", all.fingerprint),
    };
    let warnings = warnings(all);
    format!(
        "{title}\n\n{flows}\n{tcp}{transfers}{declared}\n{links}\n{pacers}{fec}{notes}{warnings}\nfingerprint {fingerprint}\n"
    )
}

/// The warnings that the scenario alone does not show, and that no check has reported before.
fn shown(warnings: &[Warning]) -> impl Iterator<Item = &Warning> {
    let warnings = warnings.iter();
    warnings.filter(|warning| !warning.kind.is_of_scenario())
}

/// Each kind of warning once, with the number of replications that have it.
fn warnings(all: &Replications) -> String {
    let mut found: Vec<(&Warning, usize)> = Vec::new();
    for warning in all.runs.iter().flat_map(|run| shown(&run.warnings)) {
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
        let kind = warning.kind.name();
        format!("\nwarning[{kind}], in {runs} of {of} replications: {text}\n")
    };
    found.into_iter().map(line).collect()
}

/// Header, metric, and its unit.
type ColumnOf = (&'static str, &'static str, Unit);

const FLOW_COLUMNS: [ColumnOf; 4] = [
    ("goodput", "goodput_bps", bps),
    ("loss", "loss_ratio", per_cent),
    ("delay mean", "delay_mean_s", seconds),
    ("delay p99", "delay_p99_s", seconds),
];

/// The TCP senders of groups.
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

/// Packets that pacers hold before the queues of links.
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

fn means(all: &Replications, of: &str, columns: &[ColumnOf; 4], notes: &mut Notes) -> String {
    let entities: Vec<&str> = entities(all, of);
    let kind = match of {
        PACERS => "link",
        TCP | TRANSFERS => "flows",
        of => of,
    };
    let row = |entity: &&str| {
        let cells = columns.iter().map(|(header, metric, unit)| {
            let is_it =
                |mean: &&Mean| mean.of == kind && mean.entity == *entity && mean.metric == *metric;
            let found = all.means.iter().find(is_it)?;
            let named = || format!("{header} of {entity}");
            Some(notes.cell(Shown::of(found, all.replications), *unit, named))
        });
        let cells: Vec<String> = cells.map(Option::unwrap_or_default).collect();
        std::iter::once((*entity).to_owned()).chain(cells).collect()
    };
    let headers = columns.iter().map(|(header, ..)| *header);
    let headers = std::iter::once(of).chain(headers).map(str::to_owned);
    of_texts(headers.collect(), entities.iter().map(row))
}

/// The groups, or the links shown for the first replication, in order.
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

/// The groups of the first replication that satisfy the condition.
fn groups_with(all: &Replications, has: fn(&GroupSummary) -> bool) -> Vec<&str> {
    let groups = all.runs.first().into_iter().flat_map(|run| &run.flows);
    let groups = groups.filter(|group| has(group));
    groups.map(|group| group.group.as_str()).collect()
}

/// The links with a pacer shown for the first replication.
fn paced(all: &Replications) -> Vec<&str> {
    let links = all.runs.first().into_iter().flat_map(|run| &run.links);
    let paced = links.filter(|link| link.pacer.is_some());
    paced.map(|link| link.link.as_str()).collect()
}
