//! A scenario as TOML again, every default written out.

use std::fmt::{Display, Write as _};

use pacesim_units::Rate;

use super::types::*;
use super::values::{Pairing, Reference, Unit, Value};
use crate::model::{Distribution, Loss, Metric, Phase, Sizes};
use crate::recording::Smooth;

impl Scenario {
    /// The text of this scenario, fully resolved: read again, it gives the same
    /// scenario.
    pub fn to_toml(&self) -> String {
        let mut text = String::new();
        let title = Keys::default().text("title", &self.title);
        text.push_str(&title.lines());
        section(&mut text, "[run]", run(&self.run));
        if let Some(topology) = &self.topology {
            section(&mut text, "[topology]", of_topology(topology));
        }
        for node in &self.nodes {
            let keys = Keys::default()
                .text("name", &node.name)
                .maybe("count", node.count);
            section(&mut text, "[[node]]", keys);
        }
        for link in &self.links {
            section(&mut text, "[[link]]", of_link(link));
        }
        for flow in &self.flows {
            section(&mut text, "[[flow]]", of_flow(flow));
        }
        let output = output(&self.output);
        if !output.0.is_empty() {
            section(&mut text, "[output]", output);
        }
        text
    }
}

fn section(text: &mut String, header: &str, keys: Keys) {
    write!(text, "\n{header}\n{}", keys.lines()).expect("a string takes all");
}

/// Keys with their values in TOML.
#[derive(Default)]
pub(super) struct Keys(Vec<(&'static str, String)>);

impl Keys {
    pub(super) fn raw(mut self, key: &'static str, value: impl Display) -> Keys {
        self.0.push((key, value.to_string()));
        self
    }

    pub(super) fn text(self, key: &'static str, value: impl Display) -> Keys {
        self.raw(key, quoted(value))
    }

    pub(super) fn maybe(self, key: &'static str, value: Option<impl Display>) -> Keys {
        match value {
            Some(value) => self.raw(key, value),
            None => self,
        }
    }

    pub(super) fn list(self, key: &'static str, items: impl Iterator<Item = String>) -> Keys {
        self.raw(key, format!("[{}]", items.collect::<Vec<_>>().join(", ")))
    }

    fn lines(&self) -> String {
        self.0
            .iter()
            .map(|(key, value)| format!("{key} = {value}\n"))
            .collect()
    }

    pub(super) fn inline(&self) -> String {
        let pairs: Vec<_> = self
            .0
            .iter()
            .map(|(key, value)| format!("{key} = {value}"))
            .collect();
        format!("{{ {} }}", pairs.join(", "))
    }
}

pub(super) fn quoted(value: impl Display) -> String {
    toml::Value::String(value.to_string()).to_string()
}

/// A float that TOML reads as one.
pub(super) fn float(x: f64) -> String {
    format!("{x:?}")
}

pub(super) fn one(key: &'static str, value: impl Display) -> String {
    Keys::default().raw(key, value).inline()
}

fn drawn<T: Unit>(value: &Value<T>) -> String {
    match value {
        Value::Constant(value) => quoted(value),
        Value::Drawn(distribution) => of_distribution::<T>(distribution),
    }
}

pub(super) fn of_distribution<T: Unit>(distribution: &Distribution) -> String {
    let quantity = |number| quoted(T::text_of(number));
    let mean = |mean| Keys::default().raw("mean", quantity(mean));
    match *distribution {
        Distribution::Uniform { low, high } => one(
            "uniform",
            format!("[{}, {}]", quantity(low), quantity(high)),
        ),
        Distribution::Exponential { mean } => one("exponential", quantity(mean)),
        Distribution::Pareto {
            mean: m,
            shape,
            max,
        } => {
            let keys = mean(m).raw("shape", float(shape));
            one("pareto", keys.maybe("max", max.map(quantity)).inline())
        }
        Distribution::Normal { mean: m, std_dev } => {
            one("normal", mean(m).raw("std_dev", quantity(std_dev)).inline())
        }
        Distribution::LogNormal { mean: m, sigma } => {
            one("lognormal", mean(m).raw("sigma", float(sigma)).inline())
        }
        Distribution::Geometric { mean } => one("geometric", quantity(mean)),
    }
}

fn run(run: &Run) -> Keys {
    let routing = match run.routing {
        Metric::Hops => "hops",
        Metric::Delay => "delay",
        Metric::Length => "length",
    };
    Keys::default()
        .text("duration", run.duration)
        .text("warmup", run.warmup)
        .raw("seed", run.seed)
        .text("routing", routing)
}

fn of_topology(topology: &Topology) -> Keys {
    let shape = |name| Keys::default().text("shape", name);
    match topology {
        Topology::Dumbbell {
            pairs,
            access,
            bottleneck,
            exit,
        } => shape("dumbbell")
            .raw("pairs", pairs)
            .raw("access", spec(access).inline())
            .raw("bottleneck", spec(bottleneck).inline())
            .maybe("exit", exit.as_ref().map(|exit| spec(exit).inline())),
        Topology::Tandem { hops, link } => shape("tandem")
            .raw("hops", hops)
            .raw("link", spec(link).inline()),
        Topology::ParkingLot { hops, link, access } => shape("parking_lot")
            .raw("hops", hops)
            .raw("link", spec(link).inline())
            .raw("access", spec(access).inline()),
        Topology::Star { leaves, link } => shape("star")
            .raw("leaves", leaves)
            .raw("link", spec(link).inline()),
        Topology::AccessTree {
            hosts,
            edges,
            access,
            edge,
            core,
        } => shape("access_tree")
            .raw("hosts", hosts)
            .raw("edges", edges)
            .raw("access", spec(access).inline())
            .raw("edge", spec(edge).inline())
            .raw("core", spec(core).inline()),
        Topology::Mesh {
            list,
            link,
            hosts,
            access,
        } => match &list.source {
            ListSource::Shipped(shape_name, list) => shape(shape_name).text("list", list),
            ListSource::File(file) => shape("edge_list").text("file", file),
        }
        .raw("hosts", hosts)
        .raw("link", spec(link).inline())
        .maybe(
            "access",
            access.as_ref().map(|access| spec(access).inline()),
        ),
    }
}

fn spec(spec: &LinkSpec) -> Keys {
    let keys = Keys::default()
        .raw("rate", drawn(&spec.rate))
        .maybe("delay", spec.delay.as_ref().map(drawn))
        .maybe("length", spec.length.map(quoted))
        .text("buffer", spec.queue.buffer)
        .text("buffer_counts", counts(spec.queue.counts))
        .maybe("pacer", spec.pacer.as_ref().map(super::pacer::write::pacer))
        .maybe("loss", spec.loss.map(of_loss));
    let keys = drops(keys, &spec.drops);
    let back = back(&spec.back);
    if back.0.is_empty() {
        keys
    } else {
        keys.raw("back", back.inline())
    }
}

fn back(back: &Back) -> Keys {
    let keys = Keys::default()
        .maybe("rate", back.rate.as_ref().map(drawn::<Rate>))
        .maybe("delay", back.delay.as_ref().map(drawn))
        .maybe("buffer", back.buffer.map(quoted))
        .maybe("buffer_counts", back.counts.map(|c| quoted(counts(c))))
        .maybe("pacer", back.pacer.as_ref().map(super::pacer::write::pacer))
        .maybe("loss", back.loss.map(of_loss));
    drops(keys, &back.drops)
}

fn counts(counts: BufferCounts) -> &'static str {
    match counts {
        BufferCounts::Waiting => "waiting",
        BufferCounts::System => "system",
        BufferCounts::Ns2Limit => "ns2_limit",
    }
}

fn of_loss(loss: Loss) -> String {
    match loss {
        Loss::Bernoulli { probability } => one("bernoulli", float(probability)),
        Loss::GilbertElliott {
            to_bad,
            to_good,
            loss_good,
            loss_bad,
        } => {
            let chain = Keys::default()
                .raw("to_bad", float(to_bad))
                .raw("to_good", float(to_good))
                .raw("loss_good", float(loss_good))
                .raw("loss_bad", float(loss_bad));
            one("gilbert_elliott", chain.inline())
        }
    }
}

fn drops(keys: Keys, drops: &[Drop]) -> Keys {
    if drops.is_empty() {
        return keys;
    }
    let rule = |drop: &Drop| match drop {
        Drop::Packet(packet) => one("packet", packet),
        Drop::Sequence { flow, seq, k } => Keys::default()
            .text("flow", flow)
            .raw("seq", seq)
            .raw("k", k)
            .inline(),
        Drop::Ack { flow, ack, k } => Keys::default()
            .text("flow", flow)
            .raw("ack", ack)
            .raw("k", k)
            .inline(),
    };
    keys.list("drops", drops.iter().map(rule))
}

fn pairing(pair: Pairing) -> String {
    match pair {
        Pairing::Cyclic => quoted("cyclic"),
        Pairing::Block => quoted("block"),
        Pairing::All => quoted("all"),
        Pairing::Random => quoted("random"),
        Pairing::Stride(stride) => one("stride", stride),
    }
}

fn of_link(link: &LinkGroup) -> Keys {
    let mut keys = Keys::default()
        .text("name", &link.name)
        .text("from", &link.from)
        .text("to", &link.to)
        .raw("pair", pairing(link.pair))
        .raw("duplex", link.duplex);
    keys.0.extend(spec(&link.spec).0);
    keys
}

fn of_flow(flow: &FlowGroup) -> Keys {
    Keys::default()
        .text("name", &flow.name)
        .maybe("count", flow.count)
        .text("from", &flow.from)
        .text("to", &flow.to)
        .raw("pair", pairing(flow.pair))
        .raw("start", drawn(&flow.start))
        .maybe("stop", flow.stop.map(quoted))
        .raw("class", flow.class)
        .raw("traffic", traffic(&flow.traffic).inline())
}

fn traffic(traffic: &Traffic) -> Keys {
    let kind = |name| Keys::default().text("kind", name);
    match traffic {
        Traffic::Cbr { rate, size } => kind("cbr").raw("rate", drawn(rate)).text("size", size),
        Traffic::Poisson { rate, size } => {
            let size = match size {
                Sizes::Constant(size) => quoted(size),
                Sizes::Drawn(distribution) => of_distribution::<pacesim_units::Bytes>(distribution),
            };
            kind("poisson").raw("rate", drawn(rate)).raw("size", size)
        }
        Traffic::OnOff {
            peak,
            size,
            mean_on,
            mean_off,
            phase,
        } => {
            let phase = match phase {
                Phase::Random => "random",
                Phase::On => "on",
                Phase::Off => "off",
            };
            kind("on_off")
                .raw("peak", drawn(peak))
                .text("size", size)
                .raw("mean_on", drawn(mean_on))
                .raw("mean_off", drawn(mean_off))
                .text("phase", phase)
        }
        Traffic::Tcp { tcp, others } => super::tcp::write::traffic(tcp, others.as_ref()),
        Traffic::Recorded { file, smooth, .. } => {
            let smooth = match smooth {
                None => "false".to_owned(),
                Some(Smooth::Deadlines) => "true".to_owned(),
                Some(Smooth::Within(span)) => quoted(span),
            };
            kind("recorded").text("file", file).raw("smooth", smooth)
        }
    }
}

fn output(output: &Output) -> Keys {
    let references = |list: &[Reference]| list.iter().map(quoted).collect::<Vec<_>>().into_iter();
    let mut keys = Keys::default();
    if let Some(packets) = &output.packets {
        let inner = Keys::default()
            .list("links", references(&packets.links))
            .list("flows", references(&packets.flows))
            .text("from", packets.from)
            .maybe("to", packets.to.map(quoted));
        keys = keys.raw("packets", inner.inline());
    }
    if let Some(series) = &output.series {
        let inner = Keys::default()
            .text("interval", series.interval)
            .list("links", references(&series.links));
        keys = keys.raw("series", inner.inline());
    }
    if let Some(tcp) = &output.tcp {
        let inner = Keys::default().list("flows", references(&tcp.flows));
        keys = keys.raw("tcp", inner.inline());
    }
    keys
}
