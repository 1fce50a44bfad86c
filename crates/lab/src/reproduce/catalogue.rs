//! All experiments by name.

use super::papers::{edge, impact, qlbp09, qlbp11, zerobuf};
use super::{Experiment, Run, State};

/// What is missing, in the words of `--list`.
mod missing {
    pub(super) const FILE: &str =
        "this command to run its study, which `pacesim sweep` does (scenarios/papers)";
    pub(super) const SEARCH: &str =
        "this command to run its study, which `pacesim tune` does (scenarios/papers)";
    pub(super) const GOODPUT: &str = "the goodput of users while they fetch";
    pub(super) const RECORDINGS: &str = "a study of the queue's course over time";
    pub(super) const TMIX: &str = "replay of connection vectors";
    pub(super) const SHORT_FLOWS: &str = "bursts of short flows, and sweeps";
    pub(super) const LRD: &str = "sources of long-range dependent traffic";
    pub(super) const FEC: &str = "repair packets in the simulator";
    pub(super) const MODERN: &str = "CUBIC, BBR, ECN and CoDel";
}

/// An experiment that can be run.
const fn ready(id: &'static str, summary: &'static str, run: Run) -> Experiment {
    Experiment {
        id,
        summary,
        state: State::Ready(run),
    }
}

/// An experiment that waits for something.
const fn not_yet(id: &'static str, summary: &'static str, what: &'static str) -> Experiment {
    Experiment {
        id,
        summary,
        state: State::NotYet(what),
    }
}

/// All experiments, paper by paper. To make one ready, write its file in `papers/` and
/// change its line here.
#[rustfmt::skip]
pub const EXPERIMENTS: &[Experiment] = &[
    ready("qlbp11/law", "Pacing rate against queue, and where a constant input settles", qlbp11::law::run),
    ready("qlbp11/response", "The pacer's rate after a step of its input follows an exponential", qlbp11::response::run),
    ready("qlbp11/delay-bound", "No steady stream is paced longer than Q_max/mu_max", qlbp11::delay_bound::run),
    ready("qlbp11/autocov", "Auto-covariance of on-off traffic behind a pacer, in both branches", qlbp11::autocov::run),
    ready("qlbp11/fig9-10", "One TCP flow's bursts at the start of a round trip, spread by pacing", qlbp11::fig9_10::run),
    ready("qlbp11/fig11-12", "Constant traffic below and above mu_min passes as it came", qlbp11::fig11_12::run),
    ready("qlbp11/table2", "Queue and delay of the pacer under eight constant rates", qlbp11::table2::run),
    not_yet("qlbp11/fig15", "On-off traffic through one to three pacers: less variation at one mean", missing::FILE),
    not_yet("qlbp11/fig16", "Replayed connections: which time scales a pacer smooths", missing::TMIX),
    not_yet("qlbp11/fig18", "40 TCP flows into 1 to 100 packets of buffer: pacers, paced hosts, none", missing::FILE),
    not_yet("qlbp11/table3", "Utilisation and delays of those flows", missing::FILE),
    ready("qlbp11/params", "The rule of thumb for a pacer's parameters", qlbp11::params::run),
    ready("qlbp09/algorithm1", "The event rules of the first QLBP, one by one", qlbp09::algorithm1::run),
    ready("qlbp09/bibo", "Bounded input keeps the pacer's queue bounded, and it decays", qlbp09::bibo::run),
    ready("qlbp09/fig5-6", "One TCP flow with a small buffer, with and without the first pacer", qlbp09::fig5_6::run),
    ready("qlbp09/fig7-8", "Constant traffic through the first pacer", qlbp09::fig7_8::run),
    not_yet("qlbp09/fig10", "21 TCP flows over 30 Mbps with 2 KB and more", missing::FILE),
    ready("qlbp09/fig12", "One TCP flow through a chain of up to three pacers", qlbp09::fig12::run),
    ready("impact/fig2", "Two waves through a pacer: closed form and fluid simulation", impact::fig2::run),
    ready("impact/work-conserving", "A surge that a pacer drops and a plain queue does not", impact::work_conserving::run),
    not_yet("impact/fig4", "Completion times of short flows, with and without long ones", missing::SHORT_FLOWS),
    not_yet("impact/fig5", "Gain of pacing with 20 long and up to 900 short flows", missing::SHORT_FLOWS),
    not_yet("impact/fig6", "The same with 40 long flows", missing::SHORT_FLOWS),
    not_yet("impact/fig7", "Fairness where half of the access routers pace", missing::SHORT_FLOWS),
    ready("edge/fig3", "1000 TCP flows into 2 to 50 KB: edge pacing, host pacing, none", edge::fig3::run),
    not_yet("edge/fig4", "The same with 100 and 500 flows", missing::FILE),
    not_yet("edge/fig5", "The same with fast access links", missing::FILE),
    not_yet("edge/fig6", "1000 users that fetch files and think", missing::GOODPUT),
    not_yet("edge/fig7", "NewReno, SACK and FACK instead of Reno", missing::FILE),
    not_yet("edge/fig8", "Where the core is no bottleneck", missing::FILE),
    ready("edge/fig9", "Analytic throughput against the delay of the edge pacer", edge::fig9::run),
    not_yet("edge/fig10", "Throughput against delay at a buffer of 5 KB", missing::FILE),
    not_yet("edge/fig11", "The choice of the delay over all buffers", missing::FILE),
    not_yet("edge/fig12-13", "Only some hosts, or some edges, pace", missing::FILE),
    ready("zerobuf/fig2", "Burstiness of 2000 TCP flows at six buffers, and its Hurst parameter", zerobuf::fig2::run),
    not_yet("zerobuf/fig3", "The same for 1600 on-off and 400 long flows", missing::FILE),
    not_yet("zerobuf/fig4", "How the queue moves in large and in small buffers", missing::RECORDINGS),
    ready("zerobuf/fig6", "UDP loss beside 1000 TCP flows against the buffer", zerobuf::fig6::run),
    ready("zerobuf/fig7", "How often the buffer is idle, against its size", zerobuf::fig7::run),
    ready("zerobuf/fig8", "What of a buffer is left to UDP beside TCP", zerobuf::fig8::run),
    ready("zerobuf/fig9-10", "The bulk-arrival chain and its loss anomaly, against a simulated queue", zerobuf::fig9_10::run),
    not_yet("zerobuf/fig11", "Poisson and long-range dependent traffic into small buffers", missing::LRD),
    ready("zerobuf/fig13", "The off-line optimum against random feasible exit curves", zerobuf::fig13::run),
    ready("zerobuf/fig14-15", "The one-class hull against one built from scratch, and its cost", zerobuf::fig14_15::run),
    ready("zerobuf/fig16-17", "The hull for any deadlines against one built from scratch", zerobuf::fig16_17::run),
    ready("zerobuf/fig18", "Burstiness behind the hull pacer, over time scales", zerobuf::fig18::run),
    ready("zerobuf/fig19", "Loss of paced traffic in small buffers", zerobuf::fig19::run),
    not_yet("zerobuf/fig20-21", "Loss of paced traffic in a core of 24 nodes", missing::FILE),
    not_yet("zerobuf/fig24", "150 TCP flows over a lossy core with repair packets", missing::FEC),
    ready("zerobuf/fig25", "Edge-to-edge loss against the FEC block size", zerobuf::fig25::run),
    not_yet("zerobuf/fig27-28", "Goodput and loss in NSFNET with blocks of three", missing::FEC),
    not_yet("zerobuf/fig29", "The same with fair block sizes", missing::FEC),
    ready("zerobuf/k-optimum", "Fair block sizes by hop length: the search, and the exact optimum", zerobuf::k_optimum::run),
    not_yet("zerobuf/sensitivity", "Fairness for block sizes near the optimum", missing::FEC),
    ready("zerobuf/fig30", "Loss and overhead against load, with and without the heuristic", zerobuf::fig30::run),
    not_yet("beyond/modern", "The pacers beside today's senders and queues", missing::MODERN),
    not_yet("beyond/adaptive-fec", "Block sizes that follow the measured loss", missing::FEC),
    not_yet("beyond/tune", "Pacer parameters by optimisation under a delay bound", missing::SEARCH),
    not_yet("beyond/pacer-zoo", "All pacers on one plot, same traffic, same delay", missing::FILE),
];

/// A name that is neither an id, nor a paper's, nor "all".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no experiment or paper \"{name}\"; did you mean \"{nearest}\"?")]
pub struct UnknownName {
    /// The name as given.
    pub name: String,
    /// The most similar valid one.
    pub nearest: String,
}

/// The experiments that these names mean: ids, papers, or "all"; each once, in the
/// catalogue's order.
pub fn select(names: &[String]) -> Result<Vec<&'static Experiment>, UnknownName> {
    if let Some(name) = names.iter().find(|name| !is_known(name)) {
        return Err(UnknownName {
            name: name.clone(),
            nearest: nearest(name),
        });
    }
    let wanted = |experiment: &&Experiment| names.iter().any(|name| means(name, experiment));
    Ok(EXPERIMENTS.iter().filter(wanted).collect())
}

/// Whether a name is an experiment's own, not a group's.
pub fn is_id(name: &str) -> bool {
    EXPERIMENTS.iter().any(|experiment| experiment.id == name)
}

const ALL: &str = "all";

fn means(name: &str, experiment: &Experiment) -> bool {
    name == ALL || name == experiment.id || name == experiment.paper()
}

fn is_known(name: &str) -> bool {
    EXPERIMENTS.iter().any(|experiment| means(name, experiment))
}

fn nearest(name: &str) -> String {
    let papers = EXPERIMENTS.iter().map(Experiment::paper);
    let names = EXPERIMENTS.iter().map(|e| e.id).chain(papers).chain([ALL]);
    let likeness = |known: &&str| likeness(name, known);
    let best = names.max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    best.unwrap_or(ALL).to_owned()
}

/// A beginning ("zerobuf/fig9" of fig9-10) or an end ("fig8") first, then by few wrong
/// letters, then by a common beginning.
fn likeness(name: &str, known: &str) -> f64 {
    let is_part = known.starts_with(&format!("{name}-")) || known.ends_with(&format!("/{name}"));
    f64::from(u8::from(is_part))
        + strsim::normalized_damerau_levenshtein(name, known)
        + 0.01 * strsim::jaro_winkler(name, known)
}

/// The catalogue as a page of documentation.
pub fn markdown() -> String {
    let mut text = HEAD.to_owned();
    let mut paper = "";
    for experiment in EXPERIMENTS {
        if experiment.paper() != paper {
            paper = experiment.paper();
            text += &format!("\n## {paper}\n\n| id | what | state |\n| --- | --- | --- |\n");
        }
        let state = match experiment.waits_for() {
            None => "ready".to_owned(),
            Some(what) => format!("waits for {what}"),
        };
        let Experiment { id, summary, .. } = experiment;
        text += &format!("| `{id}` | {summary} | {state} |\n");
    }
    text
}

/// The page's first part.
const HEAD: &str = include_str!("head.md");

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(names: &[&str]) -> Vec<&'static str> {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let selected = select(&names).expect("known names");
        selected.iter().map(|experiment| experiment.id).collect()
    }

    #[test]
    fn ids_are_unique_and_well_formed() {
        let mut ids: Vec<&str> = EXPERIMENTS.iter().map(|e| e.id).collect();
        for id in &ids {
            let parts: Vec<&str> = id.split('/').collect();
            let good = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert_eq!(parts.len(), 2, "{id}");
            assert!(
                parts.iter().all(|p| !p.is_empty() && p.chars().all(good)),
                "{id}"
            );
            assert!(!parts.contains(&ALL), "{id}");
        }
        ids.sort_unstable();
        assert!(ids.windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn summaries_are_one_line() {
        for Experiment { id, summary, .. } in EXPERIMENTS {
            assert!((10..90).contains(&summary.len()), "{id}: {}", summary.len());
            assert!(
                !summary.contains(['\n', '|']) && !summary.ends_with('.'),
                "{id}"
            );
        }
    }

    #[test]
    fn names_select_ids_papers_or_all_and_each_once() {
        assert_eq!(ids(&["zerobuf/fig8"]), ["zerobuf/fig8"]);
        assert_eq!(ids(&["all"]).len(), EXPERIMENTS.len());
        let both = ids(&["edge/fig9", "edge"]);
        assert_eq!(both, ids(&["edge"]));
        assert!(both.iter().all(|id| id.starts_with("edge/")));
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_nearest() {
        for (wrong, right) in [
            ("zerobuf/fig80", "zerobuf/fig8"),
            ("zerobuff/fig25", "zerobuf/fig25"),
            ("zerobuf/fig9", "zerobuf/fig9-10"),
            ("table2", "qlbp11/table2"),
            ("qlbp11/laws", "qlbp11/law"),
            ("zerbuf", "zerobuf"),
            ("al", "all"),
        ] {
            let error = select(&[wrong.to_owned()]).expect_err(wrong);
            assert_eq!(error.nearest, right, "{wrong}");
        }
    }

    #[test]
    fn every_experiment_is_in_the_documentation() {
        let text = markdown();
        for experiment in EXPERIMENTS {
            assert!(text.contains(&format!("| `{}` |", experiment.id)));
        }
    }
}
