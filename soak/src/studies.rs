//! Random studies: any study accepted by `check` can be planned, run, swept or searched.

use std::fmt::Write;
use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::path::Path;

use pacesim_lab::Unwatched;
use pacesim_lab::input::{self, StudyInput, study_from_stream};
use pacesim_lab::study::{Sweep, SweepError, forecast, sweep, tune};

use crate::attempt::guarded;
use crate::dice::Dice;
use crate::laws;
use crate::trial::{Failure, Fault};

/// The outcome of a study.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Studied {
    /// `check` refuses it, with this number of mistakes.
    Refused(usize),
    /// It was planned and swept, or searched.
    Swept,
}

/// Writes the study of this number.
pub fn study(number: u64) -> String {
    let mut dice = Dice::new(number);
    // Every other study has deliberate slips.
    let slips = if dice.percent(50) { 0 } else { 4 };
    Author {
        dice,
        slips,
        text: String::new(),
        axes: Vec::new(),
        measures: Vec::new(),
    }
    .write()
}

/// Checks it, and runs everything that applies to a valid study.
pub fn try_study(text: &str, out: &Path) -> io::Result<Result<Studied, Failure>> {
    let studied = guarded(|| judged(text, out));
    match fs::remove_dir_all(out) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(studied),
    }
}

fn judged(text: &str, out: &Path) -> Result<Studied, Failure> {
    let input = match study_from_stream(text.as_bytes(), &[]) {
        Ok(input) => input,
        Err(rejected) => return Ok(Studied::Refused(rejected.problems.len())),
    };
    if let Err(problems) = input::check(&input.study, NonZeroUsize::MIN) {
        return Ok(Studied::Refused(problems.len()));
    }
    let told = |problems: Vec<_>| Fault::Refused.seen(format!("{problems:?}"));
    input::judge_tables(&input.study, NonZeroUsize::MIN).map_err(told)?;
    let order = Sweep {
        folder: &input.folder,
        ..Sweep::new(&input.study, out)
    };
    let ended = match input.study.tune {
        Some(_) => tune(&order, &Unwatched).map(|tuned| tuned.claims),
        None => forecast(&order, &Unwatched)
            .and_then(|_| sweep(&order, &Unwatched).map(|outline| outline.claims)),
    };
    match ended {
        Ok(claims) => {
            laws::study::judge(out, &claims)?;
            one_point(&input).map(|()| Studied::Swept)
        }
        Err(error) => Err(refused(&error)),
    }
}

/// A study accepted by `check` must run to its end, so any refusal is a failure.
fn refused(error: &SweepError) -> Failure {
    Fault::Refused.seen(format!("sweep or tune: {error}"))
}

/// Runs the last point alone.
fn one_point(input: &StudyInput) -> Result<(), Failure> {
    let last = input.study.points().last().unwrap_or(0);
    let point = input.point(last);
    let refused = |rejected: &pacesim_lab::input::Rejected| {
        Fault::Refused.seen(format!("run: {:?}", rejected.problems))
    };
    point.as_ref().map(|_| ()).map_err(refused)
}

/// Matching names and values, with deliberate errors among them.
struct Author {
    dice: Dice,
    /// Percentage of wrong words.
    slips: u64,
    text: String,
    /// The axes with their values.
    axes: Vec<(&'static str, Vec<String>)>,
    measures: Vec<(&'static str, &'static str)>,
}

const NUMBERS: &str = "link.core.utilisation link.core.loss_ratio link.core.queue_mean_pkts
    link.core.held_mean_pkts link.core.back.utilisation flows.f.goodput_bps flows.f.loss_ratio
    flows.f.delay_mean_s flows.g.goodput_bps flows.g.rtt_mean_s run.run.growing_ports run.run.standing_ports";

const WRONG_NUMBERS: &str =
    "link.cor.utilisation link.core.utilization flows.h.goodput_bps measure.none.mean
    model.none.loss goodput";

/// Axes: name, key, and values.
const AXES: &str = r#"
    buffer  link.core.buffer        "2pkts" "5pkts"  "40pkts"
    rate    link.core.rate          "8Mbps" "10Mbps" "20Mbps"
    delay   link.core.delay         "0s"    "1ms"    "3ms"
    load    flow.f.traffic.rate     "2Mbps" "6Mbps"  "9Mbps"
    size    flow.f.traffic.size     "200B"  "1KB"    "1500B"
    cap     flow.g.traffic.window   "4pkts" "20pkts" "12.5pkts"
    count   flow.g.count            1       2        3
    variant flow.g.traffic.variant  "reno"  "sack"   "tahoe"
"#;

/// Figures over time and of distributions.
const VIEWS: [&str; 4] = [
    "over = \"time\"\ny = \"link.core.queue_pkts\"\nevery = \"1ms\"",
    "over = \"time\"\ny = \"flows.f.goodput_bps\"",
    "distribution = \"ecdf\"\ny = \"flows.f.delay_s\"",
    "distribution = \"histogram\"\ny = \"link.core.gap_s\"",
];

/// Measures: name, one of its metrics, and its keys.
const MEASURES: &str = r#"
burst slope kind = "burstiness"; link = "core"; finest = "500us"; scales = 3
h hurst kind = "hurst"; link = "core"; interval = "100us"
tail mean_s kind = "delays"; flows = "f"
spread p90_s kind = "distribution"; of = "delays"; flows = "f"
gaps loss_mean_ratio kind = "losses"; flows = "f"
fair between kind = "fairness"; groups = ["f", "g"]
queue mean_pkts kind = "queue"; link = "core"
"#;

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

impl Author {
    fn write(mut self) -> String {
        self.scenario();
        self.sweep();
        self.measures();
        let is_search = self.search();
        for i in 0..self.dice.place(3) {
            self.plot(i, is_search);
        }
        for i in 0..self.dice.place(4) {
            self.claim(i, is_search);
        }
        self.text
    }

    fn line(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        writeln!(self.text, "{line}").expect("a text takes all");
    }

    /// The right word, or through a slip a wrong one.
    fn word(&mut self, right: &'static str, wrong: &'static str) -> &'static str {
        if self.dice.percent(self.slips) {
            wrong
        } else {
            right
        }
    }

    fn scenario(&mut self) {
        let name = *self.dice.pick(&["s", "a_study", "b-2"]);
        let name = self.word(name, "a/b");
        self.line(format!("name = \"{name}\""));
        let duration = *self.dice.pick(&["30ms", "60ms", "100ms"]);
        let warmup = self.word("10ms", "100ms");
        self.line(format!(
            "run = {{ duration = \"{duration}\", warmup = \"{warmup}\" }}"
        ));
        self.line("node = [{ name = \"a\" }, { name = \"b\" }]");
        let pacer = match self.dice.below(4) {
            0 => ", pacer = { kind = \"hull\", delay = \"2ms\" }",
            1 => ", pacer = { kind = \"token_bucket\", rate = \"9Mbps\", burst = \"3KB\" }",
            _ => "",
        };
        let rate = self.word("10Mbps", "10Mps");
        let to = self.word("b", "c");
        self.line(format!(
            "link = [{{ name = \"core\", from = \"a\", to = \"{to}\", rate = \"{rate}\", delay = \"1ms\", duplex = true, \
             buffer = \"20pkts\"{pacer} }}]"
        ));
        let kind = *self.dice.pick(&["poisson", "cbr"]);
        let kind = self.word(kind, "posson");
        self.line(format!(
            "[[flow]]\nname = \"f\"\nfrom = \"a\"\nto = \"b\"\ncount = 2\n\
             traffic = {{ kind = \"{kind}\", rate = \"3Mbps\", size = \"1KB\" }}"
        ));
        let key = self.word("window", "windw");
        self.line(format!(
            "[[flow]]\nname = \"g\"\nfrom = \"a\"\nto = \"b\"\n\
             traffic = {{ kind = \"tcp\", variant = \"sack\", {key} = \"10pkts\" }}"
        ));
        if self.dice.percent(15) {
            self.line("[output]\nseries = { interval = \"5ms\", links = [\"core\"] }");
        }
    }

    fn sweep(&mut self) {
        self.line("[sweep]");
        match self.dice.below(5) {
            0 => self.line("batches = 4"),
            1 => {
                let precision = self.word("40%", "0");
                self.line(format!(
                    "replications = 2\nprecision = \"{precision}\"\nmost = 4"
                ));
            }
            n => {
                let replications = if n == 2 { 1 } else { 3 };
                self.line(format!("replications = {replications}"));
            }
        }
        if self.dice.percent(10) {
            let number = self.number();
            self.line(format!("find_warmup = [\"{number}\"]"));
        }
        let count = self.dice.place(4);
        let mut left: Vec<_> = AXES.trim().lines().map(words).collect();
        for _ in 0..count {
            let axis = left.remove(self.dice.place(left.len()));
            self.axis(axis[0], axis[1], &axis[2..]);
        }
        if self.axes.len() > 1 && self.dice.percent(25) {
            let except = self.at(1);
            self.line(format!("[[sweep.except]]\n{}", except.join("\n")));
        }
        if !self.axes.is_empty() && self.dice.percent(10) {
            let keep = self.at(1);
            self.line(format!("[[sweep.keep]]\n{}", keep.join("\n")));
        }
    }

    fn axis(&mut self, name: &'static str, key: &'static str, values: &[&str]) {
        let count = 1 + self.dice.place(3);
        let mut values: Vec<String> = values[..count].iter().map(|v| (*v).to_owned()).collect();
        let key = self.word(key, "link.core.bufer");
        if self.dice.percent(self.slips) {
            values.push(
                self.dice
                    .pick(&["\"-1\"", "true", "\"5xyz\"", "[]"])
                    .to_string(),
            );
        }
        self.line(format!("[[sweep.axis]]\nname = \"{name}\""));
        match self.dice.below(5) {
            0 if name == "load" => {
                self.line(format!(
                    "key = \"{key}\"\nlinear = {{ from = \"2Mbps\", to = \"8Mbps\", count = 3 }}"
                ));
                values = ["2Mbps", "5Mbps", "8Mbps"]
                    .map(|v| format!("\"{v}\""))
                    .to_vec();
            }
            1 => {
                let cases: Vec<String> = (values.iter().enumerate())
                    .map(|(i, value)| format!("c{i} = {{ \"{key}\" = {value} }}"))
                    .collect();
                self.line(format!("cases = {{ {} }}", cases.join(", ")));
                values = (0..cases.len()).map(|i| format!("\"c{i}\"")).collect();
            }
            _ => self.line(format!("key = \"{key}\"\nvalues = [{}]", values.join(", "))),
        }
        let same = (self.axes.iter()).find(|(_, others)| others.len() == values.len());
        if let Some((other, _)) = same
            && self.dice.percent(20)
        {
            let line = format!("with = \"{other}\"");
            self.line(line);
        }
        self.axes.push((name, values));
    }

    fn measures(&mut self) {
        for measure in MEASURES.trim().lines() {
            if self.dice.percent(12) {
                let (name, rest) = measure.split_once(' ').expect("a name");
                let (number, keys) = rest.split_once(' ').expect("a number");
                let keys = if self.dice.percent(self.slips) {
                    keys.replace("core", "cor").replace("\"f\"", "\"h\"")
                } else {
                    keys.to_owned()
                };
                let keys = keys.replace("; ", "\n");
                self.line(format!("[[measure]]\nname = \"{name}\"\n{keys}"));
                self.measures.push((name, number));
            }
        }
    }

    /// Sometimes adds a search of the first axis.
    fn search(&mut self) -> bool {
        if self.axes.is_empty() || !self.dice.percent(20) {
            return false;
        }
        let axis = self.axes[0].0;
        let axis = self.word(axis, "none");
        let sense = *self.dice.pick(&["least", "greatest"]);
        let goal = if self.dice.percent(60) {
            axis.to_owned()
        } else {
            self.number()
        };
        self.line(format!(
            "[tune]\nsearch = [\"{axis}\"]\n{sense} = \"{goal}\"\ntries = 12\nmost = 4"
        ));
        let number = self.number();
        let bound = amount(&number, 0.5);
        self.line(format!(
            "bound = [{{ y = \"{number}\", at_least = {bound} }}]"
        ));
        true
    }

    fn number(&mut self) -> String {
        if self.dice.percent(self.slips) {
            return self.dice.pick(&words(WRONG_NUMBERS)).to_string();
        }
        if !self.measures.is_empty() && self.dice.percent(30) {
            let (name, number) = *self.dice.pick(&self.measures);
            return format!("measure.{name}.{number}");
        }
        self.dice.pick(&words(NUMBERS)).to_string()
    }

    /// A value for each axis from this one on.
    fn at(&mut self, from: usize) -> Vec<String> {
        let axes: Vec<_> = self.axes.iter().skip(from).cloned().collect();
        let axes = axes.into_iter().map(|(name, values)| {
            let value = if self.dice.percent(self.slips) {
                "\"nowhere\"".to_owned()
            } else {
                self.dice.pick(&values).clone()
            };
            format!("{name} = {value}")
        });
        axes.collect()
    }

    fn plot(&mut self, i: usize, is_search: bool) {
        let Some(&(first, _)) = self.axes.first() else {
            return;
        };
        let y = self.number();
        let across = usize::from(is_search);
        let Some(&(x, _)) = self.axes.get(across) else {
            return;
        };
        if self.dice.percent(15) {
            let rest = self.at(usize::from(is_search)).join(", ");
            let view = *self.dice.pick(&VIEWS);
            self.line(format!(
                "[[plot]]\nname = \"p{i}\"\n{view}\nonly = {{ {rest} }}"
            ));
            return;
        }
        let x = self.word(x, "none");
        let only = self.at(across + 1).join(", ");
        self.line(format!(
            "[[plot]]\nname = \"p{i}\"\nx = \"{x}\"\ny = \"{y}\"\nonly = {{ {only} }}"
        ));
        if self.dice.percent(20) {
            let per = self.number();
            self.line(format!("per = \"{per}\""));
        }
        if self.dice.percent(20) {
            let also = self.number();
            self.line(format!("also = [\"{also}\"]\npanels = \"y\""));
        }
        if self.dice.percent(20) {
            self.line("quantile = 0.5");
        }
        if self.dice.percent(self.slips) {
            self.line(format!("lines = \"{first}\""));
        }
    }

    fn claim(&mut self, i: usize, is_search: bool) {
        let y = self.number();
        let at = self.at(usize::from(is_search)).join(", ");
        self.line(format!("[[expect]]\nclaim = \"claim {i}\"\ny = \"{y}\""));
        match self.dice.below(3) {
            0 => self.line(format!("at = {{ {at} }}\nat_least = {}", amount(&y, 0.1))),
            1 => self.line(format!(
                "at = {{ {at} }}\nabout = {}\nwithin = 0.2",
                amount(&y, 2.0)
            )),
            _ if !self.axes.is_empty() && !is_search => {
                let rest = self.at(1).join(", ");
                let along = self.axes[0].0;
                let course = self.word("rises", "climbs");
                self.line(format!(
                    "at = {{ {rest} }}\nalong = \"{along}\"\ncourse = \"{course}\""
                ));
            }
            _ => self.line(format!("at = {{ {at} }}\nat_most = {}", amount(&y, 1e9))),
        }
    }
}

/// A number as a bound of this number of results: with its unit, if it has one.
fn amount(y: &str, number: f64) -> String {
    let units = [
        ("_bps", "bps"),
        ("_s", "s"),
        ("_bytes", "B"),
        ("_pkts", "pkts"),
    ];
    match units.iter().find(|(end, _)| y.ends_with(end)) {
        Some((_, unit)) => format!("\"{number:?}{unit}\""),
        None => format!("{number:?}"),
    }
}
