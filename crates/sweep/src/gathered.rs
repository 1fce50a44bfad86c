//! The numbers of one point over its repetitions, for tables.

use std::collections::BTreeMap;
use std::sync::Arc;

use pacesim::measure::Running;
use pacesim_claims::spread::{Spread, Students};
use pacesim_probes::among::among;
use pacesim_runs::marks::{Marks, has_enough};
use pacesim_runs::metrics::trials_of;
use pacesim_runs::rare::Tally;
use pacesim_runs::replicate::CONFIDENCE;
use pacesim_store::database::StoredRun;
use pacesim_study::{NumberName, Study};

use crate::sameness::Sameness;

/// The numbers of one point over its repetitions.
pub(crate) struct Gathered<'a> {
    study: &'a Study,
    /// The numbers whose values are kept, to look for clusters.
    kept: BTreeMap<NumberName, Vec<f64>>,
    names: Vec<NumberName>,
    samples: Vec<Running>,
    /// Shares of packets among the numbers.
    shares: Vec<Share>,
    /// Quantiles among the numbers.
    quantiles: Vec<Quantile>,
    runs: u64,
    sameness: Sameness,
    /// Fingerprints of the runs, one after the other.
    fingerprints: String,
}

/// A quantile within runs.
struct Quantile {
    place: usize,
    /// Index of the number of values.
    counted: usize,
    quantile: f64,
}

/// A share of packets over the repetitions of a point.
struct Share {
    place: usize,
    /// Index of the number of packets.
    packets: usize,
    tally: Tally,
}

impl<'a> Gathered<'a> {
    /// Gathers nothing yet; these numbers are shown.
    pub(crate) fn of(study: &'a Study, shown: &[Arc<NumberName>]) -> Gathered<'a> {
        let kept = shown.iter().map(|name| ((**name).clone(), Vec::new()));
        Gathered {
            study,
            kept: kept.collect(),
            names: Vec::new(),
            samples: Vec::new(),
            shares: Vec::new(),
            quantiles: Vec::new(),
            runs: 0,
            sameness: Sameness::default(),
            fingerprints: String::new(),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.names.clear();
        self.samples.clear();
        self.shares.clear();
        self.quantiles.clear();
        self.kept.values_mut().for_each(Vec::clear);
        self.runs = 0;
        self.sameness = Sameness::default();
        self.fingerprints.clear();
    }

    /// The fingerprints of the runs, one after the other.
    pub(crate) fn fingerprints(&self) -> &str {
        &self.fingerprints
    }

    /// Adds the numbers of a run.
    pub(crate) fn add(&mut self, run: &StoredRun, names: &[NumberName], numbers: &[Option<f64>]) {
        self.runs += 1;
        self.sameness.add(run);
        self.fingerprints += &run.fingerprint;
        for (place, (name, number)) in names.iter().zip(numbers).enumerate() {
            // The names are nearly always the same in all repetitions.
            let place = match self.names.get(place) {
                Some(known) if known == name => place,
                _ => self.place_of(name),
            };
            if let Some(number) = number {
                self.samples[place].add(*number);
                if let Some(kept) = self.kept.get_mut(name) {
                    kept.push(*number);
                }
            }
        }
        self.add_shares(names, numbers);
    }

    fn add_shares(&mut self, names: &[NumberName], numbers: &[Option<f64>]) {
        if self.samples.iter().all(|samples| samples.count() <= 1) && self.shares.is_empty() {
            self.shares = shares(&self.names);
            self.quantiles = self.quantiles();
        }
        for share in &mut self.shares {
            let number = |place: usize| {
                let here = names.get(place) == self.names.get(place);
                numbers.get(place).copied().flatten().filter(|_| here)
            };
            share.tally.add(number(share.place), number(share.packets));
        }
    }

    fn place_of(&mut self, name: &NumberName) -> usize {
        let known = self.names.iter().position(|known| known == name);
        known.unwrap_or_else(|| {
            self.names.push(name.clone());
            self.samples.push(Running::new());
            self.names.len() - 1
        })
    }

    /// The spread of each number of a point, in the order of first appearance.
    pub(crate) fn spreads(
        &self,
        point: u64,
        students: &mut Students,
    ) -> Vec<(&NumberName, Spread)> {
        let is_rare = |place: usize| self.shares.iter().any(|share| share.is_rare(place));
        let numbers = self.names.iter().zip(&self.samples).enumerate();
        let spreads = numbers.map(|(place, (name, samples))| {
            let spread = students.spread(samples);
            let is_positive = name.is_never_negative() && samples.min() >= Some(0.0);
            let spread = if is_positive {
                spread.of_nonnegative()
            } else {
                spread
            };
            let kept = self.kept.get(name).filter(|_| !is_rare(place));
            let marks = kept.map_or(Marks::default(), |kept| {
                Marks::default().with_clusters(kept)
            });
            let replications = self.runs;
            (
                name,
                Spread {
                    replications,
                    marks,
                    ..spread
                },
            )
        });
        let mut spreads: Vec<(&NumberName, Spread)> = spreads.collect();
        for share in &self.shares {
            let rare = share.tally.rare();
            if let Some((low, high)) = rare.and_then(|rare| rare.interval(CONFIDENCE)) {
                let spread = &mut spreads[share.place].1;
                // The share of all packets together; the mean weighs replications alike.
                let mean = spread.mean.unwrap_or(low);
                (spread.low, spread.high) = (Some(low.min(mean)), Some(high.max(mean)));
            }
        }
        for of in &self.quantiles {
            let fewest = self.samples[of.counted].min();
            let is_few = fewest.is_some_and(|fewest| !has_enough(of.quantile, fewest));
            spreads[of.place].1.marks.few_values = is_few;
        }
        if self.sameness.are_identical(self.study, point) {
            let all = spreads.iter_mut();
            all.for_each(|(_, spread)| *spread = spread.of_identical());
        }
        spreads
    }

    /// The quantiles of counted values among the numbers.
    fn quantiles(&self) -> Vec<Quantile> {
        let of = |(place, name): (usize, &NumberName)| {
            let (quantile, counted) = among(self.study, name)?;
            // It is declared near to it.
            let before = self.names[..place]
                .iter()
                .rposition(|known| *known == counted);
            let counted = before.or_else(|| {
                let after = self.names[place..].iter();
                after
                    .clone()
                    .position(|known| *known == counted)
                    .map(|n| place + n)
            })?;
            Some(Quantile {
                place,
                counted,
                quantile,
            })
        };
        self.names.iter().enumerate().filter_map(of).collect()
    }
}

impl Share {
    /// True if this is the share of the number at a place, and has few events.
    fn is_rare(&self, place: usize) -> bool {
        self.place == place && self.tally.rare().is_some()
    }
}

/// The shares of packets among these numbers.
fn shares(names: &[NumberName]) -> Vec<Share> {
    let place_of = |of: &NumberName, metric: &str| {
        let is_it = |known: &NumberName| {
            known.metric == metric && known.entity == of.entity && known.of == of.of
        };
        names.iter().position(is_it)
    };
    let share = |(place, name): (usize, &NumberName)| {
        let packets = place_of(name, trials_of(&name.of, &name.metric)?)?;
        let tally = Tally::default();
        Some(Share {
            place,
            packets,
            tally,
        })
    };
    names.iter().enumerate().filter_map(share).collect()
}
