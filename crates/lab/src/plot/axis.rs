//! An axis: its ends, its ticks, and where a value lies.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

/// Logarithmic axes show no more than this below their top.
const MOST_DECADES: i32 = 24;

/// Ticks that a reader can take in.
const MOST_TICKS: usize = 9;

/// One axis, in the units it is labelled in.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    low: f64,
    high: f64,
    logarithmic: bool,
    ticks: Vec<f64>,
}

impl Axis {
    /// Around these values. A logarithmic axis needs at least one above zero. With
    /// `snug` it ends where the values do, as x should.
    pub(super) fn around(values: &[f64], logarithmic: bool, snug: bool) -> Axis {
        let finite = || values.iter().copied().filter(|x| x.is_finite());
        if logarithmic && finite().any(|x| x > 0.0) {
            return Axis::decades(finite().filter(|x| *x > 0.0), snug);
        }
        let (low, high) = ends(finite());
        let low = if low > 0.0 && low < 0.5 * high {
            0.0
        } else {
            low
        };
        let step = nice_step(high - low);
        let (first, last) = ((low / step).floor(), (high / step - 1e-9).ceil());
        let ticks: Vec<f64> = (0..=(last - first) as usize)
            .map(|i| (first + i as f64) * step)
            .collect();
        match snug {
            true => Axis::with(low, high, false, ticks),
            false => Axis::with(first * step, last * step, false, ticks),
        }
    }

    fn decades(values: impl Iterator<Item = f64>, snug: bool) -> Axis {
        let (low, high) = ends(values.map(libm::log10));
        let (from, to) = ((low + 1e-9).floor() as i32, (high - 1e-9).ceil() as i32);
        let from = from.max(to - MOST_DECADES);
        let step = ((to - from) as usize).div_ceil(MOST_TICKS).max(1);
        let mantissas: &[f64] = if to - from <= 2 {
            &[1.0, 2.0, 5.0]
        } else {
            &[1.0]
        };
        let decades = (from..=to).rev().step_by(step);
        let power = |e: i32| libm::pow(10.0, f64::from(e));
        let ticks = decades.flat_map(|e| mantissas.iter().map(move |m| m * power(e)));
        let (low, high) = match snug {
            true => (
                libm::pow(10.0, low.max(f64::from(from))),
                libm::pow(10.0, high),
            ),
            false => (power(from), power(to)),
        };
        Axis::with(low, high, true, ticks.collect())
    }

    /// Keeps the ticks that lie on the axis.
    fn with(low: f64, high: f64, logarithmic: bool, mut ticks: Vec<f64>) -> Axis {
        let slack = (high - low).abs() * 1e-9;
        ticks.retain(|t| (low - slack..=high + slack).contains(t));
        Axis {
            low,
            high,
            logarithmic,
            ticks,
        }
    }

    /// Whether a value can be drawn.
    pub(super) fn holds(&self, x: f64) -> bool {
        let from = if self.logarithmic {
            self.low * (1.0 - 1e-9)
        } else {
            f64::MIN
        };
        x.is_finite() && x >= from
    }

    /// 0 at the lower end, 1 at the upper.
    pub(super) fn fraction(&self, x: f64) -> f64 {
        let place = |x: f64| if self.logarithmic { libm::log10(x) } else { x };
        (place(x) - place(self.low)) / (place(self.high) - place(self.low))
    }
}

/// Least and greatest, never the same.
fn ends(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let widen = |(low, high): (f64, f64), x: f64| (low.min(x), high.max(x));
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), widen);
    match () {
        () if low > high => (0.0, 1.0),
        () if low < high => (low, high),
        () if low == 0.0 => (0.0, 1.0),
        () => (low - 0.5 * low.abs(), low + 0.5 * low.abs()),
    }
}

/// 1, 2 or 5 times a power of ten, so that there are five to nine ticks or so.
fn nice_step(span: f64) -> f64 {
    let rough = span / 8.0;
    let power = libm::pow(10.0, libm::log10(rough).floor());
    let step = [1.0, 2.0, 5.0].into_iter().find(|s| s * power >= rough);
    step.unwrap_or(10.0) * power
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let length = f64::from(limit.1 - limit.0);
        // What is far outside must not overflow a pixel's number.
        let pixels = (length * self.fraction(*value)).clamp(-1e6, 1e6);
        limit.0 + pixels.round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _hint: Hint) -> Vec<f64> {
        self.ticks.clone()
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, value: &f64) -> String {
        tick(
            *value,
            if self.logarithmic {
                0.0
            } else {
                self.high - self.low
            },
        )
    }
}

/// A tick's number; what is nothing beside the axis' span is zero.
fn tick(value: f64, span: f64) -> String {
    let size = value.abs();
    if size <= span * 1e-9 {
        return "0".to_owned();
    }
    if !(1e-3..1e6).contains(&size) {
        let text = format!("{value:.3e}");
        let (digits, exponent) = text
            .split_once('e')
            .expect("an exponent is printed after e");
        return format!("{}e{exponent}", plain(digits));
    }
    plain(&format!("{value:.6}")).to_owned()
}

fn plain(digits: &str) -> &str {
    digits.trim_end_matches('0').trim_end_matches('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linear_axis_has_round_ticks_and_holds_all() {
        let axis = Axis::around(&[0.3, 7.2], false, false);
        assert_eq!(axis.ticks, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
        assert_eq!(axis.fraction(8.0), 1.0);
        let flat = Axis::around(&[3.0, 3.0], false, false);
        assert!(flat.low < 3.0 && flat.high > 3.0);
    }

    #[test]
    fn a_logarithmic_axis_ends_at_decades_and_leaves_out_zero() {
        let axis = Axis::around(&[0.0, 3e-6, 0.2], true, false);
        assert_eq!((axis.low, axis.high), (1e-6, 1.0));
        assert!(!axis.holds(0.0) && axis.holds(3e-6));
        assert!((axis.fraction(1e-3) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn nothing_to_draw_is_still_an_axis() {
        for values in [&[][..], &[f64::NAN], &[0.0]] {
            let axis = Axis::around(values, true, true);
            assert!(axis.low < axis.high && !axis.ticks.is_empty());
        }
    }

    #[test]
    fn ticks_are_short() {
        let texts = [0.1 + 0.2, 1e-7, 2e6, 0.0, 15.0].map(|x| tick(x, 1.0));
        assert_eq!(texts, ["0.3", "1e-7", "2e6", "0", "15"]);
    }
}
