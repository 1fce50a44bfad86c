//! An axis: its ends, its ticks, and the places of values.

use crate::text;

/// Logarithmic axes cover at most this many decades.
const MOST_DECADES: i32 = 24;

/// The most ticks on an axis.
const MOST_TICKS: usize = 9;

/// The number of powers of ten among the values from which they are ticks enough.
const ENOUGH_DECADES: usize = 4;

/// The fewest ticks of a logarithmic axis, unless it covers less than a factor of two.
const FEWEST_TICKS: usize = 3;

/// The most values of data that are ticks themselves, and the least distance between them, as a share of the axis.
const FEW_VALUES: usize = 8;
const TICKS_APART: f64 = 0.07;

/// The finest ticks within a decade.
const NINE: [f64; 9] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0];

/// An axis, in the units of its label.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Axis {
    low: f64,
    high: f64,
    logarithmic: bool,
    ticks: Vec<f64>,
    /// Labels of its ticks, if they are not numbers.
    names: Vec<String>,
}

/// Ends of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ends {
    /// The ends are the outermost values, as for the x axis of a line.
    AtValues,
    /// The ends are slightly beyond the values, so that marks lie inside.
    Beyond,
    /// The ends are the next round numbers.
    Round,
}

/// The largest and the least size of values other than zero: the difference of two of them, and
/// its share between two ticks, are numbers too.
const SIZES: (f64, f64) = (1e-300, 1e300);

/// A finite value in the range of sizes that can be drawn.
fn drawable(x: f64) -> f64 {
    let (least, most) = SIZES;
    if x.abs() < least {
        0.0
    } else {
        x.clamp(-most, most)
    }
}

/// The greatest power of ten at an end of an axis, beyond all sizes that are drawn.
const MOST_POWER: f64 = 305.0;

/// Margin beyond the values, as a share of their span.
const BEYOND: f64 = 0.03;

impl Axis {
    /// An axis of places of width one, the middle of the first at 0.
    pub(crate) fn of_places(names: &[String]) -> Axis {
        let places = names.len() as f64;
        let ticks = (0..names.len()).map(|place| place as f64).collect();
        Axis {
            names: names.to_vec(),
            ..Axis::with(-0.5, places - 0.5, false, ticks)
        }
    }

    /// Number of places, if it has places.
    pub(crate) fn places(&self) -> Option<usize> {
        (!self.names.is_empty()).then_some(self.names.len())
    }

    /// An axis around these values. A logarithmic one needs at least one above zero.
    pub(crate) fn around(values: &[f64], logarithmic: bool, ends: Ends) -> Axis {
        let finite = values.iter().copied().filter(|x| x.is_finite());
        let finite = || finite.clone().map(drawable);
        if logarithmic && finite().any(|x| x > 0.0) {
            return Axis::decades(finite().filter(|x| *x > 0.0), ends);
        }
        let (low, high) = least_and_greatest(finite());
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
        let beyond = BEYOND * (high - low);
        match ends {
            Ends::AtValues => Axis::with(low, high, false, ticks),
            Ends::Beyond => Axis::with(low - beyond, high + beyond, false, ticks),
            Ends::Round => {
                let (bottom, top) = (first * step, last * step);
                Axis::with(bottom, top + headroom(bottom, high, top), false, ticks)
            }
        }
    }

    fn decades(values: impl Iterator<Item = f64>, ends: Ends) -> Axis {
        let (low, high) = least_and_greatest(values.map(libm::log10));
        let (low, high) = (low.max(-MOST_POWER), high.min(MOST_POWER));
        // Powers of exponents so close would be equal.
        let (low, high) = if high - low < 1e-9 {
            (low - 0.5, high + 0.5)
        } else {
            (low, high)
        };
        let (from, to) = ((low + 1e-9).floor() as i32, (high - 1e-9).ceil() as i32);
        let from = from.max(to - MOST_DECADES);
        let low = low.max(f64::from(from));
        let step = ((to - from) as usize).div_ceil(MOST_TICKS).max(1);
        let powers = || (from..=to).rev().step_by(step);
        let power = |e: i32| libm::pow(10.0, f64::from(e));
        let axis = |mantissas: &[f64]| {
            let ticks = powers().flat_map(|e| mantissas.iter().map(move |m| m * power(e)));
            let mut ticks: Vec<f64> = ticks.collect();
            ticks.sort_by(f64::total_cmp);
            let beyond = BEYOND * (high - low);
            let (low, high) = match ends {
                Ends::AtValues => (low, high),
                Ends::Beyond => (low - beyond, high + beyond),
                Ends::Round => {
                    let (bottom, top) = around_in(&ticks, low, high);
                    (bottom, top + headroom(bottom, high, top))
                }
            };
            Axis::with(libm::pow(10.0, low), libm::pow(10.0, high), true, ticks)
        };
        let decades = axis(&[1.0]);
        let among = decades.ticks.iter().map(|tick| libm::log10(*tick));
        let among = among.filter(|log| (low..=high).contains(log)).count();
        let halves = axis(&[1.0, 2.0, 5.0]);
        match () {
            () if step > 1 || among >= ENOUGH_DECADES => decades,
            () if halves.ticks.len() >= FEWEST_TICKS => halves,
            () => axis(&NINE),
        }
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
            names: Vec::new(),
        }
    }

    /// The same axis with its ticks at these values, if they are few and lie far enough apart.
    pub(crate) fn at_values(self, mut values: Vec<f64>) -> Axis {
        values.sort_by(f64::total_cmp);
        values.dedup();
        let places: Vec<f64> = values.iter().map(|x| self.fraction(*x)).collect();
        let apart = places
            .windows(2)
            .all(|pair| pair[1] - pair[0] >= TICKS_APART);
        let is_inside = places.iter().all(|place| (0.0..=1.0).contains(place));
        if (2..=FEW_VALUES).contains(&values.len()) && apart && is_inside {
            Axis {
                ticks: values,
                ..self
            }
        } else {
            self
        }
    }

    /// The values at its ends.
    pub(crate) fn ends(&self) -> (f64, f64) {
        (self.low, self.high)
    }

    pub(crate) fn is_logarithmic(&self) -> bool {
        self.logarithmic
    }

    /// True if a value can be drawn. One below the lower end of a logarithmic axis, such as 0, is
    /// drawn there.
    pub(crate) fn holds(&self, x: f64) -> bool {
        x.is_finite()
    }

    /// True if a value lies below the lower end of a logarithmic axis, as 0 and less always do.
    pub(crate) fn is_beyond(&self, x: f64) -> bool {
        self.logarithmic && drawable(x) < self.low * (1.0 - 1e-9)
    }

    /// Values and labels of the ticks, all powers of ten if one must be.
    pub(crate) fn ticks(&self) -> impl Iterator<Item = (f64, String)> {
        let powers = self.logarithmic && self.ticks.iter().any(|tick| text::needs_power(*tick));
        let span = if self.logarithmic {
            0.0
        } else {
            self.high - self.low
        };
        let text = move |(place, tick): (usize, &f64)| {
            let text = match (self.names.get(place), powers && *tick != 1.0) {
                (Some(name), _) => name.clone(),
                (None, true) => text::power(*tick),
                (None, false) => text::tick(*tick, span),
            };
            (*tick, text)
        };
        self.ticks.iter().enumerate().map(text)
    }

    /// 0 at the lower end, 1 at the upper.
    pub(crate) fn fraction(&self, x: f64) -> f64 {
        // Values below zero map to the lower end.
        let place = |x: f64| {
            if self.logarithmic {
                libm::log10(if x < 0.0 { 0.0 } else { x })
            } else {
                x
            }
        };
        let x = drawable(x);
        (place(x) - place(self.low)) / (place(self.high) - place(self.low))
    }
}

/// Minimum and maximum, never equal.
fn least_and_greatest(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let widen = |(low, high): (f64, f64), x: f64| (low.min(x), high.max(x));
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), widen);
    match () {
        () if low > high => (0.0, 1.0),
        () if low < high => (low, high),
        () if low == 0.0 => (0.0, 1.0),
        () => (low - 0.5 * low.abs(), low + 0.5 * low.abs()),
    }
}

/// 1, 2 or 5 times a power of ten, for about five to nine ticks.
fn nice_step(span: f64) -> f64 {
    let rough = span / 8.0;
    let power = libm::pow(10.0, libm::log10(rough).floor());
    let step = [1.0, 2.0, 5.0].into_iter().find(|s| s * power >= rough);
    step.unwrap_or(10.0) * power
}

/// Space added at the top, so that a curve that reaches it does not lie on the frame.
fn headroom(bottom: f64, high: f64, top: f64) -> f64 {
    let span = top - bottom;
    if top - high < BEYOND * span {
        BEYOND * span
    } else {
        0.0
    }
}

/// The nearest ticks outside both ends; all are logarithms.
fn around_in(ticks: &[f64], low: f64, high: f64) -> (f64, f64) {
    let logs = || ticks.iter().map(|tick| libm::log10(*tick));
    let below = logs().rfind(|log| *log <= low + 1e-9);
    let above = logs().find(|log| *log >= high - 1e-9);
    (below.unwrap_or(low), above.unwrap_or(high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linear_axis_has_round_ticks_and_holds_all() {
        let axis = Axis::around(&[0.3, 7.2], false, Ends::Round);
        assert_eq!(axis.ticks, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
        assert_eq!(axis.fraction(8.0), 1.0);
        let flat = Axis::around(&[3.0, 3.0], false, Ends::Round);
        assert!(flat.low < 3.0 && flat.high > 3.0);
    }

    #[test]
    fn a_logarithmic_axis_ends_at_decades_and_has_zero_beyond_its_end() {
        let axis = Axis::around(&[0.0, 3e-6, 0.2], true, Ends::Round);
        assert_eq!((axis.low, axis.high), (1e-6, 1.0));
        assert!(axis.holds(0.0) && axis.is_beyond(0.0) && axis.is_beyond(-1.0));
        assert!(axis.holds(3e-6) && !axis.is_beyond(3e-6) && !axis.holds(f64::NAN));
        assert!(
            (axis.fraction(1e-3) - 0.5).abs() < 1e-12,
            "{:?}",
            axis.fraction(1e-3)
        );
    }

    #[test]
    fn a_narrow_logarithmic_axis_ends_near_its_values() {
        let axis = Axis::around(&[0.3, 1.2], true, Ends::Round);
        assert!((axis.low - 0.2).abs() < 1e-12 && (axis.high - 2.0).abs() < 1e-12);
        assert_eq!(axis.ticks, [0.2, 0.5, 1.0, 2.0]);
    }

    #[test]
    fn a_curve_that_reaches_the_top_tick_is_below_the_frame() {
        for logarithmic in [false, true] {
            let axis = Axis::around(&[1.0, 10.0], logarithmic, Ends::Round);
            assert!(axis.fraction(10.0) < 0.98 && axis.ticks.contains(&10.0));
        }
    }

    #[test]
    fn ticks_of_one_logarithmic_axis_are_written_alike() {
        let texts = |values: &[f64]| -> Vec<String> {
            let axis = Axis::around(values, true, Ends::Round);
            axis.ticks().map(|(_, text)| text).collect()
        };
        assert_eq!(texts(&[1e-4, 1.0]), ["10⁻⁴", "10⁻³", "10⁻²", "10⁻¹", "1"]);
        assert_eq!(texts(&[0.01, 10.0]), ["0.01", "0.1", "1", "10"]);
    }

    #[test]
    fn a_logarithmic_axis_has_three_ticks_or_more() {
        for (low, high) in [
            (8.0, 120.0),
            (12.0, 90.0),
            (1.0, 3.3),
            (0.5, 700.0),
            (3.0, 4.0),
        ] {
            for ends in [Ends::AtValues, Ends::Beyond, Ends::Round] {
                let axis = Axis::around(&[low, high], true, ends);
                let ticks = axis.ticks.len();
                let least = if high < 2.0 * low { 2 } else { 3 };
                assert!(
                    (least..=12).contains(&ticks),
                    "{low} to {high}: {:?}",
                    axis.ticks
                );
            }
        }
    }

    #[test]
    fn marks_at_the_ends_have_room() {
        for logarithmic in [false, true] {
            let axis = Axis::around(&[1.0, 100.0], logarithmic, Ends::Beyond);
            assert!(axis.fraction(1.0) > 0.02 || !logarithmic);
            assert!(axis.fraction(100.0) < 0.98, "{:?}", axis.fraction(100.0));
        }
    }

    #[test]
    fn nothing_to_draw_is_still_an_axis() {
        for values in [&[][..], &[f64::NAN], &[0.0]] {
            let axis = Axis::around(values, true, Ends::AtValues);
            assert!(axis.low < axis.high && !axis.ticks.is_empty());
        }
    }
}
