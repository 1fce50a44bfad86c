//! Numbers of results by name, with their intervals.

use pacesim_lab::metrics::Metric;
use pacesim_lab::{Mean, picture};
use pacesim_language::problem::suggest;
use pyo3::prelude::*;
use serde_json::Value;

use crate::fault::absent;

/// A number of a result, over its replications.
#[pyclass(frozen, module = "pacesim", eq)]
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Number {
    /// Its name: "flows.burst.goodput_bps".
    #[pyo3(get)]
    name: String,
    /// The number of replications with a value.
    #[pyo3(get)]
    n: u64,
    /// Their mean; NaN without one.
    #[pyo3(get)]
    mean: f64,
    /// The distance from the mean to the farther end of its 95 % interval; NaN with fewer than two.
    #[pyo3(get)]
    half_width: f64,
    /// The lower end of the 95 % interval; NaN with fewer than two replications.
    #[pyo3(get)]
    pub(crate) low: f64,
    /// The upper end of the 95 % interval; NaN with fewer than two replications.
    #[pyo3(get)]
    pub(crate) high: f64,
}

/// The arguments of its constructor.
type State = (String, u64, f64, f64, f64, f64);

#[pymethods]
impl Number {
    /// Without its ends, the interval is that of the half width around the mean.
    #[new]
    #[pyo3(signature = (name, n, mean, half_width, low = None, high = None))]
    fn new(
        name: String,
        n: u64,
        mean: f64,
        half_width: f64,
        low: Option<f64>,
        high: Option<f64>,
    ) -> Number {
        Number {
            name,
            n,
            mean,
            half_width,
            low: low.unwrap_or(mean - half_width),
            high: high.unwrap_or(mean + half_width),
        }
    }

    fn __float__(&self) -> f64 {
        self.mean
    }

    fn __repr__(&self) -> String {
        if self.half_width.is_nan() {
            format!("{} = {}", self.name, self.mean)
        } else {
            format!("{} = {} ± {}", self.name, self.mean, self.half_width)
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, State) {
        let ends = (self.low, self.high);
        let state = (
            self.name.clone(),
            self.n,
            self.mean,
            self.half_width,
            ends.0,
            ends.1,
        );
        (py.get_type::<Number>().into_any(), state)
    }
}

impl Number {
    /// A number from a mean in `summary.json`.
    pub(crate) fn of_json(mean: &Value) -> Option<Number> {
        let part = |key: &str| mean[key].as_str();
        Some(Number {
            name: format!("{}.{}.{}", part("of")?, part("entity")?, part("metric")?),
            n: mean["n"].as_u64()?,
            mean: mean["mean"].as_f64().unwrap_or(f64::NAN),
            half_width: mean["half_width"].as_f64().unwrap_or(f64::NAN),
            low: mean["low"].as_f64().unwrap_or(f64::NAN),
            high: mean["high"].as_f64().unwrap_or(f64::NAN),
        })
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The number with its name split into parts.
    pub(crate) fn value(&self) -> Option<picture::Value<'_>> {
        let (of, rest) = self.name.split_once('.')?;
        let (entity, metric) = rest.rsplit_once('.')?;
        Some(picture::Value {
            of,
            entity,
            metric,
            n: self.n,
            mean: self.mean,
            interval: (!self.low.is_nan()).then_some((self.low, self.high)),
        })
    }

    pub(crate) fn mean(&self) -> f64 {
        self.mean
    }
}

impl From<&Mean> for Number {
    fn from(mean: &Mean) -> Number {
        Number {
            name: format!("{}.{}.{}", mean.of, mean.entity, mean.metric),
            n: mean.n,
            mean: mean.mean.unwrap_or(f64::NAN),
            half_width: mean.half_width.unwrap_or(f64::NAN),
            low: mean.low.unwrap_or(f64::NAN),
            high: mean.high.unwrap_or(f64::NAN),
        }
    }
}

impl From<&Metric> for Number {
    fn from(metric: &Metric) -> Number {
        Number {
            name: format!("{}.{}.{}", metric.of, metric.entity, metric.metric),
            n: u64::from(metric.value.is_some()),
            mean: metric.value.unwrap_or(f64::NAN),
            half_width: f64::NAN,
            low: f64::NAN,
            high: f64::NAN,
        }
    }
}

/// The number of this name, or an exception with the nearest one.
pub(crate) fn find(numbers: &[Number], name: &str) -> PyResult<Number> {
    let found = numbers.iter().find(|number| number.name == name);
    found.cloned().ok_or_else(|| {
        let names = numbers.iter().map(|number| number.name.as_str());
        absent(format!("no number \"{name}\"; {}", suggest(name, names)))
    })
}

/// The names in their order.
pub(crate) fn names(numbers: &[Number]) -> Vec<String> {
    numbers.iter().map(|number| number.name.clone()).collect()
}
