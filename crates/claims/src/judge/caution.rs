//! Reasons to leave a claim open, and to read its number with care.

use crate::quantile::values_needed;
use pacesim::measure::two_clusters;
use pacesim_runs::marks;
use pacesim_runs::replicate::CONFIDENCE;
use pacesim_study::Against;

use super::{Judge, PerReplication};
use crate::evidence::{FewValues, without_value};

impl Judge<'_> {
    /// The reason to leave the claim open whatever its numbers say.
    pub(super) fn left_open(&self) -> Option<String> {
        let points = self.samples.points_of(self.study, self.claim);
        let mut ended_early = points
            .iter()
            .filter_map(|point| self.samples.ended_early(*point));
        // Missing numbers could have any value.
        let ended_early = ended_early.next().map(str::to_owned);
        ended_early.or_else(|| self.few_values())
    }

    /// A quantile among the claimed numbers that few values lie beyond.
    fn few_values(&self) -> Option<String> {
        let points = self.samples.points_of(self.study, self.claim);
        let few = |point: &u64| {
            let mut names = self.claim.numbers();
            names.find_map(|name| self.samples.few_values(self.study, name, *point))
        };
        let FewValues {
            of,
            quantile,
            fewest,
        } = points.iter().find_map(few)?;
        let needed = marks::values_needed(quantile);
        Some(format!(
            "fewer than five values lie beyond {of} in a replication of {fewest} values: it takes {needed}; \
             run longer, or claim a quantile nearer to the median"
        ))
    }

    /// The reason why there is no interval.
    pub(super) fn no_interval(&self) -> Option<String> {
        if let Some(missing) = self.missing() {
            return Some(missing);
        }
        let needed = match self.claim.quantile {
            Some(quantile) => values_needed(quantile, CONFIDENCE).to_string(),
            None => "two".to_owned(),
        };
        Some(format!("no interval: give {needed} replications or more"))
    }

    /// Remarks that a reader needs whatever the verdict.
    pub(super) fn remarks(&self) -> Option<String> {
        if self.is_identical {
            let numbers = self.all_numbers().map(|(_, numbers)| numbers);
            let with_values = numbers.filter(|numbers| numbers.iter().any(Option::is_some));
            let made = with_values.map(|numbers| numbers.len()).max()?;
            return Some(format!(
                "{made} identical replications: nothing is drawn, so this number has no interval"
            ));
        }
        self.clusters()
    }

    /// The clusters that the claimed number has in replications.
    fn clusters(&self) -> Option<String> {
        let is_about_a_mean = self.claim.quantile.is_none();
        let of = |(place, numbers): (Option<usize>, PerReplication)| {
            if self.is_rare(place) {
                return None;
            }
            let known: Vec<f64> = numbers.into_iter().flatten().collect();
            let clusters = two_clusters(&known)?;
            Some(format!(
                "{}two clusters of replications, {} ({}) or {} ({}): their mean describes neither",
                self.at_value(place),
                self.shown().text(clusters.low),
                clusters.below,
                self.shown().text(clusters.high),
                clusters.above
            ))
        };
        is_about_a_mean.then(|| self.all_numbers().find_map(of))?
    }

    /// The replications without the claimed number, at the first point that has such ones.
    fn missing(&self) -> Option<String> {
        let lacks = |(_, numbers): &(Option<usize>, PerReplication)| numbers.contains(&None);
        let (place, numbers) = self.all_numbers().find(lacks)?;
        let (made, known) = (numbers.len(), numbers.iter().flatten().count());
        let (repetitions, number) = (self.repetitions(made), self.words());
        let remedy = match (&self.claim.against, &self.claim.per) {
            (Against::Over(_), _) | (_, Some(_)) => {
                "a ratio to 0 has no value; run longer, or claim the numbers themselves"
            }
            _ => "run longer, until each has one",
        };
        let (at, has) = (
            self.at_value(place),
            if known == 1 { "has" } else { "have" },
        );
        Some(match known {
            0 if self.claim.per.is_none() && matches!(self.claim.against, Against::Nothing) => {
                format!("{at}{}", without_value(&self.claim.y))
            }
            0 => format!("{at}{number} has no value in any replication: {remedy}"),
            _ => format!(
                "{at}{known} of {made} {repetitions} {has} {number}, and the others might differ, so there is no interval: {remedy}"
            ),
        })
    }

    fn repetitions(&self, made: usize) -> &'static str {
        match (self.study.batches, made) {
            (Some(_), _) => "windows",
            (None, 1) => "replication",
            (None, _) => "replications",
        }
    }

    /// The name of the claimed number, with its comparison.
    fn words(&self) -> String {
        let claim = self.claim;
        let per = claim.per.as_ref().map(|per| format!(" per {per}"));
        let ratio = match claim.against {
            Against::Over(_) => ", as a ratio",
            _ => "",
        };
        format!("{}{}{ratio}", claim.y, per.unwrap_or_default())
    }

    /// The claimed numbers at the point of the claim, or at each value of the axis along which it
    /// runs.
    fn all_numbers(&self) -> impl Iterator<Item = (Option<usize>, PerReplication)> {
        let places: Vec<Option<usize>> = match (self.claim.along(), self.claim.line) {
            (Some(axis), None) => {
                let values = self.claim.stretch(&self.study.axes[axis]);
                values.map(Some).collect()
            }
            _ => vec![None],
        };
        places
            .into_iter()
            .map(|place| (place, self.numbers_at(place)))
    }

    fn numbers_at(&self, place: Option<usize>) -> PerReplication {
        let numbers = match (place.zip(self.claim.along()), self.claim.line) {
            (Some((place, axis)), _) => self.at(axis, place),
            (None, Some(line)) => self.lines(line),
            (None, None) => self.compared(&self.claim.at),
        };
        self.in_its_unit(numbers)
    }

    /// True if the number is a share of few events, whose interval is that of counts.
    fn is_rare(&self, place: Option<usize>) -> bool {
        let rare = match place.zip(self.claim.along()) {
            Some((place, axis)) => self.rare_at(axis, place),
            None => self.rare(&self.claim.at, &self.compared(&self.claim.at)),
        };
        rare.is_some()
    }

    /// "at 8pkts: ", for a value of the axis.
    fn at_value(&self, place: Option<usize>) -> String {
        let place = place.zip(self.claim.along());
        place.map_or_else(String::new, |(place, axis)| {
            format!("at {}: ", self.value(axis, place).shown())
        })
    }
}
