//! Congestion controls in Python, and windows that Python sets between steps of a world.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use pacesim::model::{Model, Traffic};
use pacesim::tcp::{AckSample, CongestionControl, LossSample, OwnControl};
use pacesim::units::{Rate, Span, Time};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyTuple};

use crate::fault::{absent, usage};
use crate::quantity::shown;
use crate::samples::{Ack, Loss, State};

/// Controllers by the name of their group or flow, and the exception that one of them raised.
#[derive(Clone, Default)]
pub(crate) struct Controllers {
    of: Vec<(String, Arc<Py<PyAny>>)>,
    raised: Raised,
}

/// The first exception of the controllers of a run: it ends the run.
#[derive(Clone, Default)]
pub(crate) struct Raised(Arc<RaisedOnce>);

#[derive(Default)]
struct RaisedOnce {
    is_there: AtomicBool,
    error: Mutex<Option<PyErr>>,
}

impl Raised {
    /// True if an exception was raised.
    pub(crate) fn is_there(&self) -> bool {
        self.0.is_there.load(Ordering::Relaxed)
    }

    pub(crate) fn take(&self) -> Option<PyErr> {
        self.0
            .error
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }

    fn keep(&self, error: PyErr) {
        let mut kept = self.0.error.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get_or_insert(error);
        self.0.is_there.store(true, Ordering::Relaxed);
    }
}

impl Controllers {
    /// Controllers from a dict of names and constructors: a class, or any callable.
    pub(crate) fn of(dict: Option<&Bound<'_, PyDict>>) -> PyResult<Controllers> {
        let mut of = Vec::new();
        for (name, make) in dict.into_iter().flatten() {
            let name = name.extract::<String>().map_err(|_| {
                let name = shown(&name);
                usage(format!(
                    "a key of controllers is {name}; give the name of a flow or a group"
                ))
            })?;
            if !make.is_callable() {
                let help = "give a class, or a function that makes one for a flow's name";
                return Err(usage(format!(
                    "the controller of \"{name}\" is not callable; {help}"
                )));
            }
            of.push((name, Arc::new(make.unbind())));
        }
        let raised = Raised::default();
        Ok(Controllers { of, raised })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    pub(crate) fn raised(&self) -> &Raised {
        &self.raised
    }

    /// Gives the flows of a model their controllers. All names have been checked before.
    pub(crate) fn equip(&self, model: &mut Model) {
        for (name, make) in &self.of {
            let (make, raised) = (Arc::clone(make), self.raised.clone());
            let own = |flow: String| {
                let (make, raised) = (Arc::clone(&make), raised.clone());
                OwnControl::new("python", move |setup| {
                    Controller::new(&make, &flow, setup.window, setup.ssthresh, raised.clone())
                })
            };
            let _ = equip(model, name, own);
        }
    }

    /// Fails if a name is not in the model, or not of TCP.
    pub(crate) fn check(&self, model: &mut Model) -> PyResult<()> {
        for (name, _) in &self.of {
            let frozen = |_| OwnControl::new("none", |_| Steered::default());
            equip(model, name, frozen)?;
        }
        Ok(())
    }
}

/// Gives each TCP flow of this name, a group or one of its flows, a separate control.
pub(crate) fn equip(
    model: &mut Model,
    name: &str,
    mut control: impl FnMut(String) -> OwnControl,
) -> PyResult<()> {
    let mut found = false;
    for flow in &mut model.flows {
        let own = format!("{}[{}]", flow.group, flow.index);
        if *flow.group != *name && own != name {
            continue;
        }
        let Traffic::Tcp(tcp) = &mut flow.traffic else {
            return Err(usage(format!(
                "\"{name}\" is not a TCP flow, and has no window to control"
            )));
        };
        found = true;
        let mut config = (*tcp.config).clone();
        config.control = control(own).into();
        tcp.config = Arc::new(config);
    }
    if found {
        Ok(())
    } else {
        let groups = model.flows.iter().map(|flow| &*flow.group);
        let mut groups: Vec<&str> = groups.collect();
        groups.dedup();
        let nearest = pacesim_language::problem::suggest(name, groups);
        Err(absent(format!("no flow \"{name}\"; {nearest}")))
    }
}

/// A control that takes its decisions from a Python object.
#[derive(Debug)]
struct Controller {
    object: Option<Py<PyAny>>,
    asks: Asks,
    window: f64,
    ssthresh: f64,
    rate: Option<Rate>,
    interval: Interval,
    raised: Raised,
}

impl std::fmt::Debug for Raised {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Raised")
    }
}

/// The methods of the object.
#[derive(Clone, Copy, Debug, Default)]
struct Asks {
    interval: bool,
    ack: bool,
    loss: bool,
    restart: bool,
    deflate: bool,
    recovered: bool,
    ssthresh: bool,
}

/// Counts since the last decision.
#[derive(Clone, Copy, Debug, Default)]
struct Interval {
    /// Its length; a round trip by default.
    length: Option<Span>,
    began: Time,
    acked: u64,
    losses: u64,
    rtts: u64,
    rtt_sum_s: f64,
}

impl Controller {
    fn new(make: &Py<PyAny>, flow: &str, window: f64, ssthresh: f64, raised: Raised) -> Controller {
        let mut controller = Controller {
            object: None,
            asks: Asks::default(),
            window,
            ssthresh,
            rate: None,
            interval: Interval::default(),
            raised,
        };
        let made = Python::attach(|py| controller.make(py, make, flow));
        if let Err(error) = made {
            controller.raised.keep(error);
        }
        controller
    }

    fn make(&mut self, py: Python<'_>, make: &Py<PyAny>, flow: &str) -> PyResult<()> {
        let object = make.bind(py).call1((flow,))?;
        let has = |name| object.hasattr(name);
        self.asks = Asks {
            interval: has("on_interval")?,
            ack: has("on_ack")?,
            loss: has("on_loss")?,
            restart: has("restart")?,
            deflate: has("deflate")?,
            recovered: has("on_recovered")?,
            ssthresh: has("ssthresh")?,
        };
        if !(self.asks.interval || self.asks.ack || self.asks.loss) {
            let kind = object.get_type().name()?;
            let message = format!("{kind} has none of on_interval, on_ack and on_loss");
            return Err(usage(message));
        }
        if self.asks.interval && has("interval")? {
            self.interval.length = interval_of(&object.getattr("interval")?)?;
        }
        if self.asks.ssthresh {
            object.setattr("ssthresh", self.ssthresh)?;
        }
        self.object = Some(object.unbind());
        Ok(())
    }

    /// Calls a method, unless an earlier call of the run failed, and follows its answer.
    fn ask<'a>(
        &mut self,
        method: &'static str,
        argument: impl FnOnce(Python<'_>, &Controller) -> PyResult<Py<PyAny>> + 'a,
    ) {
        if self.raised.is_there() || self.object.is_none() {
            return;
        }
        let asked = Python::attach(|py| {
            let argument = argument(py, self)?;
            let Some(object) = &self.object else {
                return Ok(());
            };
            let object = object.clone_ref(py).into_bound(py);
            let answer = object.call_method1(method, (argument,))?;
            self.obey(&answer, method)?;
            if self.asks.ssthresh {
                self.ssthresh = threshold_of(&object.getattr("ssthresh")?, method)?;
            }
            Ok(())
        });
        if let Err(error) = asked {
            self.raised.keep(error);
        }
    }

    /// Takes a window, a window and a rate, or `None` for no change.
    fn obey(&mut self, answer: &Bound<'_, PyAny>, method: &str) -> PyResult<()> {
        if answer.is_none() {
            return Ok(());
        }
        let no_answer = |_| {
            let answer = shown(answer);
            let wanted = "a window in packets, (window, rate in bit/s), or None";
            usage(format!("{method} returned {answer}; return {wanted}"))
        };
        if !answer.is_instance_of::<PyTuple>() {
            self.window = window_of(answer.extract().map_err(no_answer)?, method)?;
            return Ok(());
        }
        let (window, rate): (Option<f64>, Option<f64>) = answer.extract().map_err(no_answer)?;
        if let Some(window) = window {
            self.window = window_of(window, method)?;
        }
        self.rate = rate.map(|rate| rate_of(rate, method)).transpose()?;
        Ok(())
    }

    fn decide_if_due(&mut self, now: Time, srtt: Span, in_flight: u32) {
        let length = self.interval.length.unwrap_or(srtt);
        if now < self.interval.began.saturating_add(length) {
            return;
        }
        let interval = self.interval;
        self.interval = Interval {
            length: interval.length,
            began: now,
            ..Interval::default()
        };
        self.ask("on_interval", |py, controller| {
            let rtt_s = interval.rtt_sum_s / interval.rtts as f64;
            let state = State {
                now_s: now.as_secs_f64(),
                interval_s: now.saturating_since(interval.began).as_secs_f64(),
                window: controller.window,
                in_flight,
                acked: interval.acked,
                losses: interval.losses,
                rtt_s: (interval.rtts > 0).then_some(rtt_s),
                srtt_s: srtt.as_secs_f64(),
            };
            Ok(Py::new(py, state)?.into_any())
        });
    }
}

/// A fixed interval, or `None` for a round trip.
fn interval_of(value: &Bound<'_, PyAny>) -> PyResult<Option<Span>> {
    if value.extract::<String>().is_ok_and(|text| text == "rtt") {
        return Ok(None);
    }
    match crate::quantity::span_of(value) {
        Ok(length) if length > Span::ZERO => Ok(Some(length)),
        _ => {
            let value = shown(value);
            let wanted = "seconds above 0, text like \"10ms\", or \"rtt\"";
            Err(usage(format!("interval is {value}; give {wanted}")))
        }
    }
}

pub(crate) fn window_of(window: f64, who: &str) -> PyResult<f64> {
    if window.is_finite() && window > 0.0 {
        Ok(window)
    } else {
        Err(usage(format!(
            "{who}: a window of {window}; give packets, more than 0"
        )))
    }
}

/// A threshold in packets; infinite at first.
fn threshold_of(value: &Bound<'_, PyAny>, method: &str) -> PyResult<f64> {
    let packets = value
        .extract::<f64>()
        .ok()
        .filter(|packets| *packets >= 1.0);
    packets.ok_or_else(|| {
        let value = shown(value);
        usage(format!(
            "{method}: ssthresh is {value}; give packets, at least 1"
        ))
    })
}

pub(crate) fn rate_of(bps: f64, who: &str) -> PyResult<Rate> {
    let is_rate = (1.0..1e18).contains(&bps);
    let rate = is_rate.then(|| Rate::from_bps(bps as u64)).flatten();
    rate.ok_or_else(|| usage(format!("{who}: a rate of {bps}; give bit/s, at least 1")))
}

impl CongestionControl for Controller {
    fn window(&self) -> f64 {
        self.window
    }

    fn ssthresh(&self) -> f64 {
        self.ssthresh
    }

    fn on_ack(&mut self, sample: &AckSample) {
        if self.asks.interval {
            self.interval.acked += u64::from(sample.acked);
            if let Some(rtt) = sample.rtt {
                self.interval.rtts += 1;
                self.interval.rtt_sum_s += rtt.as_secs_f64();
            }
        }
        if self.asks.ack {
            let sample = *sample;
            self.ask("on_ack", move |py, controller| {
                let ack = Ack {
                    window: controller.window,
                    sample,
                };
                Ok(Py::new(py, ack)?.into_any())
            });
        }
        if self.asks.interval {
            self.decide_if_due(sample.now, sample.srtt, sample.in_flight);
        }
    }

    /// Without `on_loss` the window is unchanged until the next decision.
    fn on_loss(&mut self, sample: &LossSample) {
        self.interval.losses += 1;
        if self.asks.loss {
            let sample = *sample;
            self.ask("on_loss", move |py, controller| {
                let loss = Loss {
                    window: controller.window,
                    sample,
                };
                Ok(Py::new(py, loss)?.into_any())
            });
        }
    }

    fn restart(&mut self, window: f64) {
        self.window = window;
        if self.asks.restart {
            self.ask("restart", move |py, _| {
                Ok(PyFloat::new(py, window).into_any().unbind())
            });
        }
    }

    fn deflate(&mut self, packets: f64) {
        match self.asks.deflate {
            true => self.ask("deflate", move |py, _| {
                Ok(PyFloat::new(py, packets).into_any().unbind())
            }),
            false if self.asks.loss => self.window = (self.window - packets).max(1.0),
            false => (),
        }
    }

    fn on_recovered(&mut self, in_flight: u32) {
        if self.asks.recovered {
            self.ask("on_recovered", move |py, _| {
                Ok(in_flight.into_pyobject(py)?.into_any().unbind())
            });
        }
    }

    fn pacing_rate(&self) -> Option<Rate> {
        self.rate
    }
}

/// Window and rate that Python sets between the steps of a world.
#[derive(Clone, Debug, Default)]
pub(crate) struct Steered(Arc<Orders>);

/// The bits of a window in packets, and a rate in bit/s; zero before the first order.
#[derive(Debug, Default)]
struct Orders {
    window: AtomicU64,
    rate: AtomicU64,
}

impl Steered {
    pub(crate) fn order(&self, window: Option<f64>, rate: Option<Rate>) {
        if let Some(window) = window {
            self.0.window.store(window.to_bits(), Ordering::Relaxed);
        }
        if let Some(rate) = rate {
            self.0.rate.store(rate.as_bps(), Ordering::Relaxed);
        }
    }
}

impl CongestionControl for Steered {
    fn window(&self) -> f64 {
        f64::from_bits(self.0.window.load(Ordering::Relaxed))
    }

    fn ssthresh(&self) -> f64 {
        f64::INFINITY
    }

    fn on_ack(&mut self, _: &AckSample) {}

    fn on_loss(&mut self, _: &LossSample) {}

    /// The first window; later ones are Python's.
    fn restart(&mut self, window: f64) {
        if self.0.window.load(Ordering::Relaxed) == 0 {
            self.order(Some(window), None);
        }
    }

    fn pacing_rate(&self) -> Option<Rate> {
        Rate::from_bps(self.0.rate.load(Ordering::Relaxed))
    }
}
