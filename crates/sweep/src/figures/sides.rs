//! The sides of a panel: their units and labels.

use pacesim_claims::evidence::Evidence;
use pacesim_claims::over_replications::{Range, estimate};
use pacesim_plot::names::{scaled_unit, with_unit};
use pacesim_runs::replicate::CONFIDENCE;
use pacesim_study::{Across, NumberName, Shape};

use super::Drawing;
use super::labels::words;

/// The factor that the numbers along a side are divided by, and its label.
pub(super) struct Unit {
    pub(super) factor: f64,
    words: String,
    symbol: String,
}

impl Unit {
    pub(super) fn label(&self) -> String {
        with_unit(&self.words, &self.symbol)
    }

    /// The greatest of several units; the side of numbers of several names has that of their unit, or
    /// all of them.
    pub(super) fn of_all(units: Vec<Unit>) -> Option<Unit> {
        let mut all: Vec<String> = units.iter().map(|unit| unit.words.clone()).collect();
        all.dedup();
        let greater = |a: Unit, b: Unit| if b.factor > a.factor { b } else { a };
        let greatest = units.into_iter().reduce(greater)?;
        Some(match (all.len(), greatest.symbol.as_str()) {
            (1, _) => greatest,
            (_, "") => Unit {
                words: all.join(", "),
                ..greatest
            },
            (_, symbol) => Unit {
                words: symbol.to_owned(),
                symbol: String::new(),
                ..greatest
            },
        })
    }
}

impl Drawing<'_> {
    pub(super) fn x_unit(&self) -> Unit {
        let (name, metric, most) = match &self.plot.x {
            Across::Axis(axis) if self.categories().is_some() => (
                Some(self.study.axes[*axis].shown_name()),
                String::new(),
                0.0,
            ),
            Across::Axis(axis) => {
                let axis = &self.study.axes[*axis];
                let numbers = axis.values.iter().filter_map(|value| value.number);
                let most = numbers.fold(0.0, |most: f64, x| most.max(x.abs()));
                let metric = format!("x_{}", axis.unit.unwrap_or(""));
                (Some(axis.shown_name()), metric, most)
            }
            Across::Column(_) if self.plot.keys.distribution.is_some() => {
                let most = self.greatest(|place| place.x);
                (None, self.plot.named.metric.clone(), most)
            }
            Across::Column(column) => {
                let most = self.greatest(|place| place.x);
                (None, column.metric.clone(), most)
            }
            Across::Each(_) => (None, String::new(), 0.0),
        };
        let (words, factor, symbol) = scaled_unit(&metric, most);
        let words = name.unwrap_or(words);
        let words = self.plot.keys.x_label.clone().unwrap_or(words);
        Unit {
            factor,
            words,
            symbol,
        }
    }

    /// The greatest value drawn, without its sign.
    fn most(&self) -> f64 {
        let points = || self.study.points();
        let of = |y: NumberName| points().filter_map(move |point| self.samples.mean(&y, point));
        match &self.plot.x {
            _ if self.is_of_values() => self.greatest(|place| place.numbers[3].unwrap_or(0.0)),
            Across::Column(_) => {
                self.greatest(|place| estimate(&place.numbers, Range::Any, CONFIDENCE).value)
            }
            Across::Axis(_) | Across::Each(_) => {
                let means = self.plot.ys().into_iter().flat_map(of);
                means.fold(0.0, |most: f64, x| most.max(x.abs()))
            }
        }
    }

    /// A ratio has no unit, and a scaled value has that of its label.
    pub(super) fn y_unit(&self) -> Unit {
        let keys = &self.plot.keys;
        let number = if keys.over.is_some() || self.is_of_values() {
            &self.plot.named
        } else {
            &self.plot.y
        };
        let metric = if self.is_of_values() {
            &self.plot.named.metric
        } else {
            &self.plot.y.metric
        };
        let (_, factor, symbol) = scaled_unit(metric, self.most());
        let plain = |words| Unit {
            factor: 1.0,
            words,
            symbol: String::new(),
        };
        let words = words(number);
        if let Some(shape) = keys.distribution {
            let label = match shape {
                Shape::Ecdf => "share up to x",
                Shape::Ccdf => "share above x",
                Shape::Histogram => "share in each bin",
            };
            return plain(keys.y_label.clone().unwrap_or_else(|| label.to_owned()));
        }
        let given = keys.y_label.clone().or_else(|| self.y_label.clone());
        let words = given.clone().unwrap_or_else(|| match &self.plot.x {
            Across::Axis(_) | Across::Column(_) if !number.is_formula() && self.label.is_none() => {
                format!("{words} of {}", number.entity)
            }
            Across::Each(_) | Across::Axis(_) | Across::Column(_) => words,
        });
        let words = match keys.quantile {
            Some(quantile) if keys.y_label.is_none() => {
                format!("{words}, {} % quantile", 100.0 * quantile)
            }
            _ => words,
        };
        let is_plain =
            !self.plot.relative_to.is_empty() || self.plot.per.is_some() || keys.times != 1.0;
        match is_plain {
            false => Unit {
                factor,
                words,
                symbol,
            },
            true if given.is_some() => plain(words),
            true => plain(format!("{words}, relative")),
        }
    }
}
