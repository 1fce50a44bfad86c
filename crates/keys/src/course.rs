//! The times of a run's course. A shorter run has the same course if they shrink with it; all other
//! times, such as delays and time-outs, belong to its parts.

use pacesim_model::Distribution;
use pacesim_units::Span;

use crate::scenario::Scenario;
use crate::values::Value;

impl Scenario {
    /// The scenario with the times of its course multiplied by `scale`: the length of the run and
    /// of its warm-up, the starts and stops of flows, events, and the window in which packets are
    /// recorded. Fails with the key whose times are those of a file.
    pub fn at_scale(mut self, scale: f64) -> Result<Scenario, String> {
        let scaled = |time: Span| Span::from_ps((time.as_ps() as f64 * scale) as u64);
        self.run.duration = scaled(self.run.duration).max(Span::from_ps(1));
        self.run.warmup = scaled(self.run.warmup);
        for (i, flow) in self.flows.iter_mut().enumerate() {
            flow.start = match &flow.start {
                Value::Constant(start) => Value::Constant(scaled(*start)),
                Value::Drawn(starts) => {
                    let scaled = scaled_distribution(starts, scale);
                    Value::Drawn(scaled.ok_or_else(|| format!("flow[{i}].start"))?)
                }
            };
            flow.stop = flow.stop.map(scaled);
        }
        for event in &mut self.events {
            event.at = scaled(event.at);
        }
        if let Some(packets) = &mut self.output.packets {
            packets.from = scaled(packets.from);
            packets.to = packets.to.map(scaled);
        }
        Ok(self)
    }
}

/// A distribution of times, each multiplied by `scale`; that of a file has no such multiple in a
/// file.
fn scaled_distribution(times: &Distribution, scale: f64) -> Option<Distribution> {
    Some(match times {
        Distribution::Uniform { low, high } => Distribution::Uniform {
            low: low * scale,
            high: high * scale,
        },
        Distribution::Exponential { mean } => Distribution::Exponential { mean: mean * scale },
        Distribution::Pareto { mean, shape, max } => Distribution::Pareto {
            mean: mean * scale,
            shape: *shape,
            max: max.map(|max| max * scale),
        },
        Distribution::Normal { mean, std_dev } => Distribution::Normal {
            mean: mean * scale,
            std_dev: std_dev * scale,
        },
        Distribution::LogNormal { mean, sigma } => Distribution::LogNormal {
            mean: mean * scale,
            sigma: *sigma,
        },
        // Its values are picoseconds: far from one, where it could not be scaled.
        Distribution::Geometric { mean } => Distribution::Geometric {
            mean: (mean * scale).max(1.0),
        },
        Distribution::Empirical { .. } | Distribution::Workload(_) => return None,
        Distribution::Mixture { parts } => {
            let scaled = parts.iter().map(|(weight, part)| {
                let part = scaled_distribution(part, scale)?;
                Some((*weight, part))
            });
            Distribution::Mixture {
                parts: scaled.collect::<Option<_>>()?,
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use pacesim_language::document::{Document, Language};
    use pacesim_language::field::Record;
    use pacesim_language::form::{Form, Table};
    use pacesim_language::problem::Faults;
    use pacesim_units::Quantity;

    use super::*;

    /// Times of the course, each with a table that has it; and its value at a scale of a tenth.
    const COURSE: [(&str, &str, &str); 7] = [
        ("run.duration", "run = { duration = \"40s\" }", "\"4s\""),
        ("run.warmup", "run = { warmup = \"40s\" }", "\"4s\""),
        ("flow.start", "flow = [{ start = \"40s\" }]", "\"4s\""),
        ("flow.stop", "flow = [{ stop = \"40s\" }]", "\"4s\""),
        ("event.at", "event = [{ at = \"40s\" }]", "\"4s\""),
        (
            "packets.from",
            "output = { packets = { from = \"40s\" } }",
            "\"4s\"",
        ),
        (
            "packets.to",
            "output = { packets = { to = \"40s\" } }",
            "\"4s\"",
        ),
    ];

    /// Times of the parts.
    const OF_PARTS: &[&str] = &[
        "ack_aggregation.every",
        "ack_thinning.hold",
        "adaptive.report",
        "all_to_all.think",
        "back.delay",
        "back.jitter",
        "codel.ce_threshold",
        "codel.interval",
        "codel.l4s_threshold",
        "codel.target",
        "dcqcn.alpha_period",
        "dcqcn.check_period",
        "dcqcn.increase_period",
        "deadline_fraction.delay",
        "dualpi2.step",
        "dualpi2.target",
        "dualpi2.update",
        "event.delay",
        "fec.order.hold",
        "fec.timeout",
        "fq.ce_threshold",
        "fq_codel.ce_threshold",
        "fq_codel.interval",
        "fq_codel.l4s_threshold",
        "fq_codel.target",
        "fractional_noise.over",
        "fractional_noise.slot",
        "host.answer",
        "host.send",
        "hpcc.round_trip",
        "hull.delay",
        "hull_multi.delays",
        "incast.jitter",
        "incast.think",
        "link.delay",
        "link.jitter",
        "links of a topology.delay",
        "links of a topology.jitter",
        "lumps.every",
        "ndp.timeout",
        "on_off.mean_off",
        "on_off.mean_on",
        "others.clock_phase",
        "others.delayed_ack",
        "others.initial_rto",
        "others.max_rto",
        "others.min_rto",
        "others.tick",
        "pareto_on_off.mean_off",
        "pareto_on_off.mean_on",
        "pfc.response",
        "pie.target",
        "pie.update",
        "plug_in.tick",
        "qlbp09.d_max",
        "qlbp09.jitter",
        "rdma.mark_gap",
        "rdma.nack_gap",
        "rdma.timeout",
        "rdma.timeout_of_few",
        "recorded.smooth",
        "ring.think",
        "rule_of_thumb.d_max",
        "run.flowlet_gap",
        "series.interval",
        "sessions.mean_session",
        "sessions.over",
        "stalls.every",
        "stalls.length",
        "swift.base",
        "swift.hop",
        "swift.scaling",
        "tcp.clock_phase",
        "tcp.delayed_ack",
        "tcp.initial_rto",
        "tcp.max_rto",
        "tcp.min_rto",
        "tcp.tick",
        "timely.high",
        "timely.least_round_trip",
        "timely.low",
        "transfers.pause",
        "tree.think",
        "users.every",
    ];

    /// Collects the keys whose values are times, each with the name of its table.
    fn times(
        table: &'static Table,
        found: &mut BTreeSet<String>,
        seen: &mut BTreeSet<&'static str>,
    ) {
        if !seen.insert(table.name) {
            return;
        }
        for key in table.keys() {
            let path = format!("{}.{}", table.name, key.name);
            of_form(&path, key.form, found, seen);
        }
    }

    fn of_form(
        path: &str,
        form: &'static Form,
        found: &mut BTreeSet<String>,
        seen: &mut BTreeSet<&'static str>,
    ) {
        match form {
            Form::Quantity(Quantity::Span)
            | Form::Drawn(Quantity::Span, _)
            | Form::FlagOr(Quantity::Span) => {
                found.insert(path.to_owned());
            }
            Form::List(of) | Form::Pair(of) | Form::Map(of) => of_form(path, of, found, seen),
            Form::Table(table) | Form::WordOrTable(_, table) => times(table, found, seen),
            Form::OneOf(keys) | Form::ChoiceOr(_, keys) => {
                for key in *keys {
                    of_form(&format!("{path}.{}", key.name), key.form, found, seen);
                }
            }
            Form::Tagged { cases, .. } | Form::WordOrOwn(_, cases) => {
                cases
                    .declared
                    .iter()
                    .for_each(|table| times(table, found, seen));
            }
            _ => (),
        }
    }

    #[test]
    fn every_time_belongs_to_the_course_or_to_a_part() {
        let mut found = BTreeSet::new();
        times(Scenario::TABLE, &mut found, &mut BTreeSet::new());
        let course = COURSE.iter().map(|(key, ..)| *key);
        let known: BTreeSet<String> = course
            .chain(OF_PARTS.iter().copied())
            .map(str::to_owned)
            .collect();
        assert_eq!(
            found, known,
            "decide for a new key if it scales with the run (at_scale), and add it here"
        );
    }

    static SCENARIOS: Language = Language {
        noun: "scenario",
        table: Scenario::TABLE,
        remedy: "",
    };

    fn read(text: &str) -> Scenario {
        let document = Document::parse(&SCENARIOS, "s.toml", text.as_bytes());
        Scenario::read(document.tree(), &(), &mut Faults::default())
    }

    #[test]
    fn the_course_scales_with_the_run_and_parts_do_not() {
        for (key, text, scaled) in COURSE {
            let expected = read(&text.replace("\"40s\"", scaled));
            let all = read(text).at_scale(0.1).expect("no file");
            let name = key.rsplit('.').next().expect("a name");
            let line = |scenario: &Scenario| {
                let text = scenario.to_toml();
                let lines = text
                    .lines()
                    .filter(|line| line.contains(&format!("{name} = ")));
                lines.map(str::to_owned).collect::<Vec<_>>()
            };
            if key != "run.duration" {
                assert!(!line(&expected).is_empty(), "{key}");
            }
            assert_eq!(line(&all), line(&expected), "{key}");
        }
        let delay = "run = { duration = \"9s\" }\nlink = [{ name = \"l\", delay = \"40ms\" }]";
        let scenario = read(delay);
        let links = scenario.links.clone();
        assert_eq!(scenario.at_scale(0.1).expect("no file").links, links);
    }
}
