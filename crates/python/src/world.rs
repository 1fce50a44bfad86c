//! Worlds that run step by step, are read, and are changed between steps.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use pacesim::FlowReading;
use pacesim::delays::Delays;
use pacesim::model::Model;
use pacesim::model::change::Change;
use pacesim::tcp::OwnControl;
use pacesim::units::{LinkId, Span, Time};
use pacesim_lab::input::Input;
use pacesim_lab::summary::{Summary, flow_rows};
use pacesim_language::problem::suggest;
use pyo3::prelude::*;
use pyo3::types::PyIterator;

use crate::control::{self, Controllers, Raised, Steered, equip, window_of};
use crate::fault::{absent, failed, usage};
use crate::quantity::{loss_of, rate_of, span_of, time_of};

/// Packet hops and timers between two checks for signals: some 50 ms.
const WORK_PER_SLICE: u64 = 1_000_000;

type Running = pacesim::World<(Delays, ())>;

/// A world of a scenario, run step by step.
///
/// >>> import pacesim as ps
/// >>> w = ps.new("dumbbell").world(seed=1)
/// >>> w.run_until(1.5)
/// >>> w.now
/// 1.5
/// >>> w.links["core"].queue_pkts >= 0
/// True
#[pyclass(frozen, module = "pacesim")]
pub(crate) struct World {
    name: String,
    /// The flows of each name, "burst" or "burst[3]".
    flows: BTreeMap<String, Vec<usize>>,
    groups: Vec<String>,
    links: BTreeMap<String, LinkId>,
    changing: Vec<LinkId>,
    /// The flows that Python steers, by name.
    orders: BTreeMap<String, Steered>,
    raised: Raised,
    running: Mutex<Slices>,
    /// The thread that currently runs or reads it.
    runner: Mutex<Option<ThreadId>>,
}

/// A world and the length of its next slice.
struct Slices {
    world: Running,
    span: Span,
}

impl World {
    pub(crate) fn of(
        input: &Input,
        seed: Option<u64>,
        replication: u64,
        changing: &[String],
        controllers: &Controllers,
        steered: &[String],
    ) -> PyResult<World> {
        let seed = seed.unwrap_or(input.scenario.scenario().run.seed);
        let mut model = pacesim_lab::expand(&input.scenario, seed, replication);
        let (flows, groups) = flows_by_name(&model);
        let link = |(place, link): (usize, &pacesim::model::Link)| {
            (link.name.to_string(), LinkId::from_index(place))
        };
        let links: BTreeMap<String, LinkId> = model.links.iter().enumerate().map(link).collect();
        for name in changing {
            model.let_change(find(&links, name, "link")?);
        }
        controllers.check(&mut input.scenario.expand(seed, replication))?;
        controllers.equip(&mut model);
        let mut orders = BTreeMap::new();
        for name in steered {
            equip(&mut model, name, |flow| {
                let steered: &Steered = orders.entry(flow).or_default();
                let steered = steered.clone();
                OwnControl::new("steered", move |_| steered.clone())
            })?;
        }
        let changing = model.changing_links().into_iter().collect();
        let span = Span::from_ps((model.duration.as_ps() / 10_000).max(1));
        let delays = Delays::of_model(&model);
        let world = Running::watched(model, (delays, ())).map_err(usage)?;
        Ok(World {
            name: input.name.clone(),
            flows,
            groups,
            links,
            changing,
            orders,
            raised: controllers.raised().clone(),
            running: Mutex::new(Slices { world, span }),
            runner: Mutex::new(None),
        })
    }

    /// The world, once no other thread runs it. One of its controllers would wait forever, and is
    /// refused.
    fn running<T: Send>(
        &self,
        py: Python<'_>,
        read: impl FnOnce(&mut Slices) -> T + Send,
    ) -> PyResult<T> {
        let this_thread = thread::current().id();
        if *owner(&self.runner) == Some(this_thread) {
            let message = "this world is running; its controllers get all that they may know";
            return Err(usage(message));
        }
        Ok(py.detach(|| {
            let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
            *owner(&self.runner) = Some(this_thread);
            let done = read(&mut running);
            *owner(&self.runner) = None;
            done
        }))
    }
}

fn owner(runner: &Mutex<Option<ThreadId>>) -> MutexGuard<'_, Option<ThreadId>> {
    runner.lock().unwrap_or_else(PoisonError::into_inner)
}

fn flows_by_name(model: &Model) -> (BTreeMap<String, Vec<usize>>, Vec<String>) {
    let (mut flows, mut groups) = (BTreeMap::<String, Vec<usize>>::new(), Vec::new());
    for (place, flow) in model.flows.iter().enumerate() {
        let group = flow.group.to_string();
        let one = format!("{group}[{}]", flow.index);
        flows.entry(one).or_default().push(place);
        let all = flows.entry(group.clone()).or_default();
        if all.is_empty() {
            groups.push(group);
        }
        all.push(place);
    }
    (flows, groups)
}

/// The entry of this name, or an exception with the nearest one.
fn find<T: Clone>(all: &BTreeMap<String, T>, name: &str, noun: &str) -> PyResult<T> {
    all.get(name).cloned().ok_or_else(|| {
        let nearest = suggest(name, all.keys().map(String::as_str));
        absent(format!("no {noun} \"{name}\" in this world; {nearest}"))
    })
}

impl Slices {
    /// Runs up to this time, and checks for signals at equal amounts of work.
    fn run_until(&mut self, until: Time, mut look: impl FnMut() -> ControlFlow<()>) {
        let mut seen = self.world.work();
        while self.world.now() < until && self.world.gave_up().is_none() {
            let before = self.world.work();
            let end = self.world.now().saturating_add(self.span).min(until);
            let has_come = self.world.run_towards(end, end);
            let done = self.world.work() - before;
            let ps = self.span.as_ps();
            if done > WORK_PER_SLICE {
                self.span = Span::from_ps((ps / 2).max(1));
            } else if end < until {
                self.span = Span::from_ps(ps.saturating_mul(2));
            }
            if !has_come || self.world.work() - seen > WORK_PER_SLICE {
                seen = self.world.work();
                if look().is_break() {
                    return;
                }
            }
        }
    }
}

#[pymethods]
impl World {
    /// Processes all events up to this time, in seconds or as a string ("1.5s"), without Python's
    /// lock. Ctrl-C stops earlier, and the world may continue.
    fn run_until(&self, py: Python<'_>, time: &Bound<'_, PyAny>) -> PyResult<()> {
        let until = time_of(time)?;
        let mut raised = None;
        let gave_up = self.running(py, |running| {
            let until = until.min(running.world.end());
            running.run_until(until, || match Python::attach(|py| py.check_signals()) {
                Ok(()) if self.raised.is_there() => ControlFlow::Break(()),
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    raised = Some(error);
                    ControlFlow::Break(())
                }
            });
            running.world.gave_up().map(ToString::to_string)
        })?;
        match (self.raised.take().or(raised), gave_up) {
            (Some(error), _) => Err(error),
            (None, Some(why)) => Err(failed(why)),
            (None, None) => Ok(()),
        }
    }

    /// Runs to the end.
    fn run(&self, py: Python<'_>) -> PyResult<()> {
        let end = self.end(py)?;
        self.run_until(py, end.into_pyobject(py)?.as_any())
    }

    /// The time up to which all events have happened, in seconds.
    #[getter]
    fn now(&self, py: Python<'_>) -> PyResult<f64> {
        self.running(py, |running| running.world.now().as_secs_f64())
    }

    /// The end of the run, in seconds.
    #[getter]
    fn end(&self, py: Python<'_>) -> PyResult<f64> {
        self.running(py, |running| running.world.end().as_secs_f64())
    }

    /// The fingerprint of all packets so far, as 16 hexadecimal digits.
    #[getter]
    fn fingerprint(&self, py: Python<'_>) -> PyResult<String> {
        self.running(py, |running| {
            format!("{:016x}", running.world.fingerprint())
        })
    }

    /// The flows by name: a group, "burst", or one of its flows, "burst[3]".
    #[getter]
    fn flows(this: Py<World>) -> Flows {
        Flows(this)
    }

    /// The links by name: "core".
    #[getter]
    fn links(this: Py<World>) -> Links {
        Links(this)
    }

    /// Changes a link from now on: its rate ("10Mbps" or bit/s), its delay ("5ms" or seconds), the
    /// probability of loss on its wire, or its state (`up=False` loses all packets on it).
    /// `changing` of `Scenario.world` has to name the link, except for `pacer_rate`, the rate of its
    /// pacer.
    #[pyo3(signature = (link, *, rate=None, delay=None, loss=None, up=None, pacer_rate=None))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn change(
        &self,
        py: Python<'_>,
        link: &str,
        rate: Option<&Bound<'_, PyAny>>,
        delay: Option<&Bound<'_, PyAny>>,
        loss: Option<f64>,
        up: Option<bool>,
        pacer_rate: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let id = find(&self.links, link, "link")?;
        let rate = rate.map(rate_of).transpose()?.map(Change::Rate);
        let delay = delay.map(span_of).transpose()?.map(Change::Delay);
        let loss = loss.map(loss_of).transpose()?.map(Change::Loss);
        let up = up.map(|up| if up { Change::Up } else { Change::Down });
        let pacer_rate = pacer_rate.map(rate_of).transpose()?;
        let changes: Vec<Change> = [rate, delay, loss, up].into_iter().flatten().collect();
        if changes.is_empty() && pacer_rate.is_none() {
            return Err(usage(
                "nothing to change; give rate, delay, loss, up or pacer_rate",
            ));
        }
        if !changes.is_empty() && !self.changing.contains(&id) {
            let help = format!("name it from the start: scenario.world(changing=[\"{link}\"])");
            return Err(usage(format!(
                "link \"{link}\" does not change in this world; {help}"
            )));
        }
        let paced = self.running(py, |running| {
            let paced = pacer_rate.map(|rate| running.world.set_pacer_rate(id, rate));
            if matches!(paced, None | Some(Some(true))) {
                changes
                    .into_iter()
                    .for_each(|change| running.world.change(id, change));
            }
            paced
        })?;
        match paced {
            None | Some(Some(true)) => Ok(()),
            Some(None) => Err(usage(format!(
                "link \"{link}\" has no pacer; give it one in the scenario: \
                 pacer = {{ kind = \"token_bucket\", ... }}"
            ))),
            Some(Some(false)) => Err(usage(format!(
                "the pacer of link \"{link}\" has no rate to set; token_bucket, leaky_bucket and \
                 policer have one"
            ))),
        }
    }

    /// Sets the window, in packets, and the rate, in bit/s, of steered flows: a group or one flow.
    /// They apply from the flow's next packet or acknowledgement on, the rate only to flows paced by
    /// their controller. `steered` of `Scenario.world` has to name the flow.
    #[pyo3(signature = (flow, *, window=None, rate=None))]
    fn steer(&self, flow: &str, window: Option<f64>, rate: Option<f64>) -> PyResult<()> {
        let places = find(&self.flows, flow, "flow")?;
        if window.is_none() && rate.is_none() {
            return Err(usage("nothing to steer; give window or rate"));
        }
        let window = window
            .map(|window| window_of(window, "steer"))
            .transpose()?;
        let rate = rate
            .map(|rate| control::rate_of(rate, "steer"))
            .transpose()?;
        let of_group = |name: &&String| {
            let of = self.flows.get(*name);
            of.is_some_and(|one| one.iter().all(|place| places.contains(place)))
        };
        let names: Vec<&String> = self.orders.keys().filter(of_group).collect();
        if names.len() < places.len() {
            let help = format!("name it from the start: scenario.world(steered=[\"{flow}\"])");
            return Err(usage(format!(
                "flow \"{flow}\" is not steered in this world; {help}"
            )));
        }
        names
            .iter()
            .for_each(|name| self.orders[*name].order(window, rate));
        Ok(())
    }

    /// The summary of the run so far, as a dict.
    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let text = self.running(py, |running| {
            let world = &running.world;
            let (flows, links) = (flow_rows(world), world.link_rows());
            Summary::of(&self.name, world, &flows, &links, None).to_json()
        })?;
        py.import("json")?.call_method1("loads", (text,))
    }

    fn __repr__(&self) -> String {
        format!("<pacesim world of {:?}>", self.name)
    }
}

/// The flows of a world by name.
#[pyclass(frozen, mapping, module = "pacesim")]
pub(crate) struct Flows(Py<World>);

#[pymethods]
impl Flows {
    fn __getitem__(&self, py: Python<'_>, name: &str) -> PyResult<FlowState> {
        let world = self.0.get();
        let places = find(&world.flows, name, "flow")?;
        let read = world.running(py, |running| running.world.read_flows())?;
        let mut sum = FlowReading::default();
        places.into_iter().for_each(|place| sum += read[place]);
        Ok(FlowState(sum))
    }

    fn __len__(&self) -> usize {
        self.0.get().groups.len()
    }

    fn __contains__(&self, name: &str) -> bool {
        self.0.get().flows.contains_key(name)
    }

    /// The names of the groups.
    fn keys(&self) -> Vec<String> {
        self.0.get().groups.clone()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.keys().into_pyobject(py)?.try_iter()
    }
}

/// The links of a world by name.
#[pyclass(frozen, mapping, module = "pacesim")]
pub(crate) struct Links(Py<World>);

#[pymethods]
impl Links {
    fn __getitem__(&self, py: Python<'_>, name: &str) -> PyResult<LinkState> {
        let world = self.0.get();
        let id = find(&world.links, name, "link")?;
        world.running(py, |running| LinkState::of(&running.world, id))
    }

    fn __len__(&self) -> usize {
        self.0.get().links.len()
    }

    fn __contains__(&self, name: &str) -> bool {
        self.0.get().links.contains_key(name)
    }

    /// The names of the links.
    fn keys(&self) -> Vec<String> {
        self.0.get().links.keys().cloned().collect()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.keys().into_pyobject(py)?.try_iter()
    }
}

/// The counts of a flow, or of a group together, since the start, and the state of its senders.
#[pyclass(frozen, module = "pacesim")]
pub(crate) struct FlowState(FlowReading);

#[pymethods]
impl FlowState {
    /// Bytes of data packets that reached the receiver, headers and retransmissions included.
    #[getter]
    fn delivered_bytes(&self) -> u64 {
        self.0.delivered_bytes
    }

    /// Payload bytes that reached the receiver, each counted once.
    #[getter]
    fn goodput_bytes(&self) -> u64 {
        self.0.goodput_bytes
    }

    /// Data packets that ports dropped.
    #[getter]
    fn dropped_pkts(&self) -> u64 {
        self.0.dropped_pkts
    }

    /// Data packets that wires lost.
    #[getter]
    fn lost_pkts(&self) -> u64 {
        self.0.lost_pkts
    }

    /// Retransmitted packets; `None` without TCP, as for all fields below.
    #[getter]
    fn retransmitted_pkts(&self) -> Option<u64> {
        Some(self.0.senders?.retransmitted_pkts)
    }

    /// Time-outs.
    #[getter]
    fn timeouts(&self) -> Option<u64> {
        Some(self.0.senders?.timeouts)
    }

    /// The sum of the congestion windows of all open connections.
    #[getter]
    fn cwnd_pkts(&self) -> Option<f64> {
        Some(self.0.senders?.cwnd_pkts)
    }

    /// Packets sent and not cumulatively acknowledged, summed over all open connections.
    #[getter]
    fn in_flight_pkts(&self) -> Option<u64> {
        Some(self.0.senders?.in_flight_pkts)
    }

    /// The mean smoothed round-trip time of the open connections that have one.
    #[getter]
    fn srtt_s(&self) -> Option<f64> {
        self.0.senders?.srtt_s()
    }

    fn __repr__(&self) -> String {
        format!("<pacesim flow: {} bytes of goodput>", self.0.goodput_bytes)
    }
}

/// The counts of a link since the start, and its queue now.
#[pyclass(frozen, get_all, module = "pacesim")]
pub(crate) struct LinkState {
    /// Packets waiting at its port, without the one in transmission.
    queue_pkts: u64,
    /// Their bytes.
    queue_bytes: u64,
    /// Packets that its pacer holds; 0 without one.
    held_pkts: u64,
    /// Packets that the port took.
    accepted_pkts: u64,
    /// Packets that the port dropped.
    dropped_pkts: u64,
    /// Packets that the wire lost.
    lost_pkts: u64,
    /// Packets marked at the port.
    marked_pkts: u64,
    /// Packets whose last bit has left the port.
    left_pkts: u64,
    /// Their bytes.
    left_bytes: u64,
    /// The time for which the line was busy, in seconds.
    busy_s: f64,
}

impl LinkState {
    fn of(world: &Running, id: LinkId) -> LinkState {
        let counters = world.link(id);
        let (queue_pkts, queue_bytes) = world.waiting(id);
        LinkState {
            queue_pkts,
            queue_bytes,
            held_pkts: world.held(id).map_or(0, |hold| hold.held().packets),
            accepted_pkts: counters.accepted.packets,
            dropped_pkts: counters.dropped.packets,
            lost_pkts: counters.lost.packets,
            marked_pkts: counters.marked.packets,
            left_pkts: counters.left.packets,
            left_bytes: counters.left.bytes,
            busy_s: counters.busy_ps as f64 / 1e12,
        }
    }
}

#[pymethods]
impl LinkState {
    fn __repr__(&self) -> String {
        format!("<pacesim link: {} packets wait>", self.queue_pkts)
    }
}
