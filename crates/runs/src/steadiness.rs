//! Comparison of the two halves of the measured time: numbers of a run that is not stationary
//! depend on where measuring begins and ends.
//!
//! The measured time is cut into equal batches. Both halves have a mean and an interval over their
//! batches; neighbours are joined first, as long as they resemble each other. A number whose
//! intervals do not overlap, and whose means differ notably, is not steady. The level of the
//! intervals depends on the count of numbers compared, so that a stationary run is rarely reported:
//! 3 of 1000 in the test `a_stationary_run_is_rarely_called_unsteady`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use pacesim::World;
use pacesim::measure::student_quantile;
use pacesim::model::{Flow, Leg, Load, Model, Traffic};
use pacesim::net::{Counters, Probe};
use pacesim::units::{LinkId, Time};

use crate::borders::border;
use crate::episodes::few_episodes;
use crate::phases::{Phased, Phases};
use crate::summary::{Warning, WarningKind, notable};

/// Number of batches in each half.
const IN_HALF: usize = 32;
/// Least number of joined batches in a half.
const FEWEST: usize = 8;
/// The correlation of neighbouring batches above which they are joined.
const ALIKE: f64 = 0.2;
/// The probability with which a number of a stationary run may leave an interval, all numbers
/// together.
const CHANCE: f64 = 0.05;
/// A difference below this share of the larger mean matters little.
const NOTABLE: f64 = 0.05;
/// The notable difference of losses, which come in clusters.
const NOTABLE_LOSS: f64 = 0.2;
/// The notable difference of utilisations, whose whole is one.
const NOTABLE_LOAD: f64 = 0.01;
/// Number of losses below which they show nothing.
const FEW_LOSSES: u64 = 50;
/// The most links and flows that are watched.
const MOST_LINKS: usize = 64;
const MOST_FLOWS: usize = 20_000;

/// A number that must be read with care.
#[derive(Clone, Debug, PartialEq)]
struct Finding {
    /// The number and its values, in words.
    text: String,
    /// Its badness: the difference of two halves as a share of the larger value, or the share of
    /// the losses in few episodes.
    share: f64,
}

/// The worst of several findings, with their number.
fn worst(kind: WarningKind, found: &[Finding]) -> Option<Warning> {
    let worst = found.iter().max_by(|a, b| a.share.total_cmp(&b.share))?;
    let more = match found.len() {
        1 => String::new(),
        n => format!("; and so with {} more", n - 1),
    };
    Some(Warning {
        kind,
        count: found.len() as u64,
        text: format!("{}{more}", worst.text),
    })
}

/// The tallies of a run by batches.
pub struct Steadiness {
    /// The borders of the batches.
    borders: Vec<Time>,
    /// Number of borders passed.
    passed: usize,
    links: Vec<WatchedLink>,
    groups: Vec<WatchedGroup>,
    group_of: Vec<usize>,
    phases: Phases,
    /// True if all traffic is of jobs, which begin and end: nothing about it is steady.
    has_jobs_alone: bool,
}

struct WatchedLink {
    id: LinkId,
    name: String,
    /// True if a job may cross it, whose end changes its load and its losses.
    has_job: bool,
    before: Counters,
    utilisation: Vec<f64>,
    loss: Vec<f64>,
    /// Packets lost in each batch, and those that came.
    lost: Vec<u64>,
    came: Vec<u64>,
}

struct WatchedGroup {
    name: Arc<str>,
    is_job: bool,
    before: u64,
    goodput_bps: Vec<f64>,
}

impl Steadiness {
    /// Tallies of a model, before it runs.
    pub fn of(model: &Model) -> Steadiness {
        let batches = 2 * IN_HALF as u64;
        let mut borders: Vec<Time> = (0..=batches).map(|n| border(model, n, batches)).collect();
        borders.dedup();
        if borders.len() < 2 * IN_HALF {
            borders.clear();
        }
        let mut links = notable(model);
        links.truncate(MOST_LINKS);
        let (groups, group_of) = groups(model);
        let has_jobs_alone = model.flows.iter().all(is_of_job);
        let of_jobs = match has_jobs_alone {
            true => BTreeSet::new(),
            false => links_of_jobs(model),
        };
        Steadiness {
            borders,
            passed: 0,
            links: links
                .into_iter()
                .map(|place| WatchedLink::of(model, place, &of_jobs))
                .collect(),
            groups,
            group_of,
            phases: Phases::of(model),
            has_jobs_alone,
        }
    }

    /// The time of the next border.
    pub(crate) fn due(&self) -> Time {
        self.borders
            .get(self.passed)
            .copied()
            .unwrap_or(Time::NEVER)
    }

    /// Ends a batch at its border.
    pub(crate) fn look<P: Probe>(&mut self, world: &World<P>) {
        let begun = self
            .passed
            .checked_sub(1)
            .map(|before| self.borders[before]);
        self.passed += 1;
        let span = begun.map(|begun| world.now() - begun);
        for link in &mut self.links {
            let now = world.link(link.id);
            if let Some(span) = span {
                link.add(&now, span);
            }
            link.before = now;
        }
        self.phases.look(world, span.is_some());
        if self.groups.is_empty() {
            return;
        }
        let mut bytes = vec![0; self.groups.len()];
        world.read_goodput(|flow, more| bytes[self.group_of[flow.index()]] += more);
        for (group, now) in self.groups.iter_mut().zip(bytes) {
            if let Some(span) = span {
                let bits = (now - group.before) as f64 * 8.0;
                group.goodput_bps.push(bits / span.as_secs_f64());
            }
            group.before = now;
        }
    }

    /// The warnings of a run that is not steady, or whose losses are few events.
    pub fn warnings(&self) -> Vec<Warning> {
        if self.passed < self.borders.len() || self.borders.is_empty() {
            return Vec::new();
        }
        let unsteady = worst(WarningKind::Unsteady, &self.unsteady());
        let few = worst(WarningKind::FewLosses, &self.few_losses());
        let phased = worst(WarningKind::PhasedLosses, &self.phased());
        unsteady.into_iter().chain(few).chain(phased).collect()
    }

    /// The flows whose losses hang on a phase, one for each set of equal flows.
    fn phased(&self) -> Vec<Finding> {
        let finding = |found: Phased| Finding {
            text: found.text,
            share: found.factor,
        };
        self.phases.found().into_iter().map(finding).collect()
    }

    /// The links whose losses come from few episodes.
    fn few_losses(&self) -> Vec<Finding> {
        let links = self.links.iter();
        let links = links.filter(|link| link.all_lost() >= FEW_LOSSES);
        links.filter_map(WatchedLink::few_losses).collect()
    }

    /// The numbers that are not steady.
    fn unsteady(&self) -> Vec<Finding> {
        if self.has_jobs_alone {
            return Vec::new();
        }
        let mut numbers: Vec<Number<'_>> = Vec::new();
        for link in self.links.iter().filter(|link| !link.has_job) {
            numbers.push(Number::load(&link.name, &link.utilisation));
            if link.all_lost() >= FEW_LOSSES {
                numbers.push(Number::loss(&link.name, &link.loss));
            }
        }
        for group in self.groups.iter().filter(|group| !group.is_job) {
            numbers.push(Number::goodput(&group.name, &group.goodput_bps));
        }
        numbers.retain(|number| number.batches.iter().any(|value| *value > 0.0));
        let chance = CHANCE / numbers.len().max(1) as f64;
        let found = numbers.iter().filter_map(|number| number.found(chance));
        found.collect()
    }
}

impl WatchedLink {
    fn of(model: &Model, place: usize, of_jobs: &BTreeSet<LinkId>) -> WatchedLink {
        let id = LinkId::from_index(place);
        WatchedLink {
            id,
            has_job: of_jobs.contains(&id),
            name: model.links[place].name.to_string(),
            before: Counters::default(),
            utilisation: Vec::with_capacity(2 * IN_HALF),
            loss: Vec::with_capacity(2 * IN_HALF),
            lost: Vec::with_capacity(2 * IN_HALF),
            came: Vec::with_capacity(2 * IN_HALF),
        }
    }

    fn add(&mut self, now: &Counters, span: pacesim::units::Span) {
        let lost = |counters: &Counters| counters.dropped.packets + counters.lost.packets;
        let sent = |counters: &Counters| counters.accepted.packets + counters.dropped.packets;
        let (lost, sent) = (
            lost(now) - lost(&self.before),
            sent(now) - sent(&self.before),
        );
        self.lost.push(lost);
        self.came.push(sent);
        self.utilisation
            .push(now.utilisation_since(&self.before, span));
        self.loss.push(lost as f64 / sent.max(lost).max(1) as f64);
    }
}

impl WatchedLink {
    fn all_lost(&self) -> u64 {
        self.lost.iter().sum()
    }

    fn few_losses(&self) -> Option<Finding> {
        let few = few_episodes(&self.lost, &self.came)?;
        let loss = percent(self.all_lost() as f64 / self.came.iter().sum::<u64>().max(1) as f64);
        let episodes = match few.episodes {
            1 => "one episode".to_owned(),
            n => format!("{n} episodes"),
        };
        let text = format!(
            "the loss at {}, {loss}, hangs on few events: {:.0} % of it is from {episodes}, and none comes after {:.0} % of the measured time",
            self.name,
            few.share * 100.0,
            (few.last + 1) as f64 / self.lost.len() as f64 * 100.0,
        );
        Some(Finding {
            text,
            share: few.share,
        })
    }
}

/// True if a flow carries transfers of a job, whose time is the question.
fn is_of_job(flow: &Flow) -> bool {
    matches!(&flow.traffic, Traffic::Tcp(tcp) if matches!(tcp.load, Load::Tasks(_)))
}

/// The links that a flow of a job may cross, there or back, before any event.
fn links_of_jobs(model: &Model) -> BTreeSet<LinkId> {
    let mut paths = model.paths();
    let mut links = BTreeSet::new();
    for flow in model.flows.iter().filter(|flow| is_of_job(flow)) {
        for leg in Leg::BOTH {
            links.extend(paths.all(flow, leg).into_iter().flatten());
        }
    }
    links
}

/// The groups of flows, and the group of each flow; none if there are too many flows to read.
fn groups(model: &Model) -> (Vec<WatchedGroup>, Vec<usize>) {
    let (mut groups, mut group_of) = (Vec::new(), Vec::new());
    let mut known: BTreeMap<Arc<str>, usize> = BTreeMap::new();
    if model.flows.len() > MOST_FLOWS {
        return (groups, group_of);
    }
    for flow in &model.flows {
        let group = *known.entry(flow.group.clone()).or_insert_with(|| {
            groups.push(WatchedGroup {
                name: flow.group.clone(),
                is_job: is_of_job(flow),
                before: 0,
                goodput_bps: Vec::with_capacity(2 * IN_HALF),
            });
            groups.len() - 1
        });
        group_of.push(group);
    }
    (groups, group_of)
}

/// A number with its value in each batch.
struct Number<'a> {
    what: String,
    batches: &'a [f64],
    /// The least difference that matters, as a share of the larger mean.
    notable: f64,
    /// Least absolute difference that matters.
    least: f64,
    in_words: fn(f64) -> String,
}

impl Number<'_> {
    fn load<'a>(link: &str, batches: &'a [f64]) -> Number<'a> {
        Number {
            what: format!("the utilisation of {link}"),
            batches,
            notable: NOTABLE,
            least: NOTABLE_LOAD,
            in_words: percent,
        }
    }

    fn loss<'a>(link: &str, batches: &'a [f64]) -> Number<'a> {
        Number {
            what: format!("the loss at {link}"),
            batches,
            notable: NOTABLE_LOSS,
            least: 0.0,
            in_words: percent,
        }
    }

    fn goodput<'a>(group: &str, batches: &'a [f64]) -> Number<'a> {
        Number {
            what: format!("the goodput of {group}"),
            batches,
            notable: NOTABLE,
            least: 0.0,
            in_words: |bps| format!("{:.3} Mbps", bps / 1e6),
        }
    }

    fn found(&self, chance: f64) -> Option<Finding> {
        let [first, second] = halves(self.batches, chance)?;
        let difference = (first.mean - second.mean).abs();
        let share = difference / first.mean.max(second.mean);
        let is_notable = share >= self.notable && difference >= self.least;
        if !is_notable || difference <= first.half_width + second.half_width {
            return None;
        }
        let words = self.in_words;
        let text = format!(
            "{} is {} in the first half of the measured time and {} in the second, beyond their intervals",
            self.what,
            words(first.mean),
            words(second.mean)
        );
        Some(Finding { text, share })
    }
}

fn percent(share: f64) -> String {
    format!("{:.2} %", share * 100.0)
}

/// The mean of a half, and the half width of its interval over batches.
struct Half {
    mean: f64,
    half_width: f64,
}

/// The halves of these batches, joined until neighbours in one of the halves no longer resemble
/// each other: a change within a half makes its batches alike, but not those of the other.
fn halves(batches: &[f64], chance: f64) -> Option<[Half; 2]> {
    let (first, second) = batches.split_at(batches.len() / 2);
    let mut both = [first.to_vec(), second.to_vec()];
    while both[0].len() >= 2 * FEWEST && both.iter().all(|half| likeness(half) > ALIKE) {
        for half in &mut both {
            *half = half.chunks(2).map(mean).collect();
        }
    }
    let [first, second] = both.map(|half| {
        let count = half.len() as f64;
        let t = student_quantile(1.0 - chance / 2.0, count - 1.0)?;
        let mean = mean(&half);
        let squares: f64 = half.iter().map(|x| (x - mean) * (x - mean)).sum();
        let half_width = t * (squares / (count - 1.0) / count).sqrt();
        Some(Half { mean, half_width })
    });
    Some([first?, second?])
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Correlation of neighbouring values; none if nothing varies.
fn likeness(values: &[f64]) -> f64 {
    let mean = mean(values);
    let about = |x: &f64| x - mean;
    let squares: f64 = values.iter().map(|x| about(x) * about(x)).sum();
    let products: f64 = values
        .windows(2)
        .map(|pair| about(&pair[0]) * about(&pair[1]))
        .sum();
    if squares > 0.0 {
        products / squares
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unsteady(batches: &[f64]) -> bool {
        Number::goodput("f", batches).found(CHANCE / 4.0).is_some()
    }

    #[test]
    fn a_change_is_found_wherever_it_is() {
        let step = |at: usize, noise: f64| -> Vec<f64> {
            let value = |i: usize| {
                let base = if i < at { 2.0 } else { 1.0 };
                base + noise * ((i * 7919) % 13) as f64 / 13.0
            };
            (0..2 * IN_HALF).map(value).collect()
        };
        for at in [14, 20, 32, 44, 50] {
            assert!(unsteady(&step(at, 0.1)), "{at}");
        }
        assert!(!unsteady(&step(0, 0.1)));
        let ends: Vec<f64> = (0..64).map(|i| if i < 14 { 0.3 } else { 0.0 }).collect();
        assert!(unsteady(&ends), "what ends within the first half");
        let grows: Vec<f64> = (0..64).map(f64::from).collect();
        assert!(unsteady(&grows));
    }

    #[test]
    fn small_differences_and_rare_events_are_no_change() {
        let slightly: Vec<f64> = (0..64).map(|i| if i < 32 { 1.0 } else { 1.02 }).collect();
        assert!(!unsteady(&slightly));
        let rare: Vec<f64> = (0..64)
            .map(|i| if i % 11 == 5 && i < 32 { 1.0 } else { 0.0 })
            .collect();
        assert!(!unsteady(&rare));
    }
}
