//! Random networks for transports of one's own: a scenario for each number, run to its end.
//!
//! An end that stalls, breaks a rule or panics ends its run with a reason, which is a result; a panic
//! anywhere else is a fault of pacesim. A test that tries some hundred networks:
//!
//! ```no_run
//! # use pacesim_app::Parts;
//! use pacesim_app::networks::{install, try_all};
//!
//! # let parts = Parts::new();
//! install(parts);
//! let tried = try_all(0..200, |_| "kind = \"mine\"".to_owned());
//! assert!(tried.faults.is_empty(), "{:?}", tried.faults);
//! assert!(tried.gave_up.is_empty(), "{:?}", tried.gave_up);
//! ```

use std::ops::Range;
use std::panic::catch_unwind;

use pacesim::World;
use pacesim::random::{Stream, Streams, unit_below_one};
use pacesim::scenario::load;
use pacesim_parts::Parts;

/// Results of many networks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tried {
    /// The number of runs that came to their end.
    pub ended: u64,
    /// The number of runs in which data were delivered.
    pub delivered: u64,
    /// The fingerprints of these runs, for [`elsewhere::same`](crate::laws::elsewhere::same).
    pub fingerprints: Vec<u64>,
    /// The runs that gave up, by number, with the reasons.
    pub gave_up: Vec<(u64, String)>,
    /// The runs that pacesim refused, repeated differently or did not survive.
    pub faults: Vec<(u64, String)>,
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Ended {
    Done { fingerprint: u64, bytes: u64 },
    GaveUp(String),
    Fault(String),
}

/// Makes the parts known to this process, before its first scenario.
///
/// # Panics
///
/// Panics if they cannot be installed.
pub fn install(parts: Parts) {
    if let Err(unusable) = parts.install(&[], String::new) {
        panic!("{unusable}");
    }
}

/// Runs the networks of these numbers, each twice. `traffic` gives the kind and the own keys of
/// the transport: `kind = "mine", window = 10`.
pub fn try_all(numbers: Range<u64>, traffic: impl Fn(u64) -> String) -> Tried {
    let mut tried = Tried::default();
    for number in numbers {
        let text = scenario(number, &traffic(number));
        let (once, again) = (run(&text), run(&text));
        match once {
            Ended::Fault(why) => tried.faults.push((number, why)),
            _ if once != again => {
                let why = format!("repeated, it ends otherwise: {once:?}, {again:?}");
                tried.faults.push((number, why));
            }
            Ended::GaveUp(why) => tried.gave_up.push((number, why)),
            Ended::Done { fingerprint, bytes } => {
                tried.fingerprints.push(fingerprint);
                tried.ended += 1;
                tried.delivered += u64::from(bytes > 0);
            }
        }
    }
    tried
}

/// Runs a scenario to its end, whatever that is.
fn run(text: &str) -> Ended {
    let ended = catch_unwind(|| {
        let checked = load("network.toml", text, &[], &());
        let model = match checked {
            Ok(checked) => checked.expand(1, 0),
            Err(problems) => return Ended::Fault(problems.to_string()),
        };
        let mut world = match World::new(model) {
            Ok(world) => world,
            Err(problem) => return Ended::Fault(problem.to_string()),
        };
        world.run();
        match world.gave_up() {
            Some(gave_up) => Ended::GaveUp(gave_up.to_string()),
            None => Ended::Done {
                fingerprint: world.fingerprint(),
                bytes: world.flow_rows().iter().map(|row| row.goodput_bytes).sum(),
            },
        }
    });
    ended.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
        Ended::Fault(format!("pacesim panicked: {}", text.unwrap_or_default()))
    })
}

/// Random choices of a scenario.
struct Dice(Stream);

impl Dice {
    /// A number from `least` to `most`, uniform in its logarithm.
    fn between(&mut self, least: u64, most: u64) -> u64 {
        let octaves = (most / least).ilog2() + 1;
        let octave = self.below(octaves.into());
        let low = least << octave;
        (low + self.below(low)).min(most)
    }

    /// A whole number from 0 to `limit` exclusive.
    fn below(&mut self, limit: u64) -> u64 {
        (unit_below_one(&mut self.0) * limit as f64) as u64
    }

    /// One of these, or with the rest of the probability none: each has one part in `parts`.
    fn some<'t>(&mut self, parts: u64, texts: &[&'t str]) -> &'t str {
        let place = self.below(parts) as usize;
        texts.get(place).copied().unwrap_or("")
    }
}

/// The scenario of a number: a dumbbell with random rates, delays, buffers, disciplines, losses,
/// marks, jitter, an outage or none, and other traffic or none.
pub fn scenario(number: u64, traffic: &str) -> String {
    let streams = Streams {
        seed: number,
        replication: 0,
    };
    let mut dice = Dice(streams.stream("network", "scenario"));
    let run_ms = dice.between(500, 8000);
    let pairs = 1 + dice.below(3);
    let (access, near) = (dice.between(1000, 1_000_000), dice.between(10, 10_000));
    let (core, data, start) = (bottleneck(&mut dice), data(&mut dice), dice.below(200_000));
    let mut text = format!(
        r#"run = {{ duration = "{run_ms}ms", seed = {number} }}
topology = {{ shape = "dumbbell", pairs = {pairs}, access = {{ rate = "{access}kbps", delay = "{near}us" }}, bottleneck = {{ {core} }} }}
[[flow]]
name = "own"
from = "left"
to = "right"
start = "{start}us"
traffic = {{ {traffic}{data} }}
"#
    );
    let other = dice.some(
        4,
        &[
            "{ kind = \"tcp\", profile = \"linux\" }",
            "{ kind = \"poisson\", rate = \"1Mbps\", size = \"1000B\" }",
        ],
    );
    if !other.is_empty() {
        let ends = "from = \"left[0]\"\nto = \"right[0]\"";
        text += &format!("[[flow]]\nname = \"other\"\n{ends}\ntraffic = {other}\n");
    }
    if dice.below(4) == 0 {
        text += &outage(&mut dice, run_ms);
    }
    text
}

/// The keys of the bottleneck.
fn bottleneck(dice: &mut Dice) -> String {
    let (rate, delay) = (dice.between(200, 200_000), dice.between(100, 120_000));
    let buffer = match dice.below(8) {
        0 => "1pkt\", buffer_counts = \"system".to_owned(),
        1 => format!("{}B", dice.between(2000, 300_000)),
        _ => format!("{}pkts", dice.between(1, 300)),
    };
    let queues = [
        ", discipline = { kind = \"codel\" }",
        ", discipline = { kind = \"fq_codel\" }",
        ", mark = \"10pkts\"",
    ];
    let losses = [
        ", loss = { bernoulli = 0.01 }",
        ", loss = { bernoulli = 0.2 }",
        ", loss = { gilbert_elliott = { to_bad = 0.005, to_good = 0.1, loss_bad = 0.7 } }",
    ];
    let jitters = [
        ", jitter = { exponential = \"3ms\" }",
        ", jitter = { exponential = \"10ms\" }, jitter_reorders = true",
    ];
    let (queue, loss) = (dice.some(8, &queues), dice.some(6, &losses));
    let jitter = dice.some(6, &jitters);
    format!(
        "rate = \"{rate}kbps\", delay = \"{delay}us\", buffer = \"{buffer}\"{queue}{loss}{jitter}"
    )
}

/// The keys of a flow's data: without end, a transfer, or transfers; marks or none.
fn data(dice: &mut Dice) -> String {
    let ecn = dice.some(2, &[", ecn = true"]);
    match dice.below(4) {
        0 => ecn.to_owned(),
        1 => format!(", transfer = \"{}B\"{ecn}", dice.between(1, 2_000_000)),
        kind => {
            let connection = if kind == 2 { "same" } else { "new" };
            let (size, pause) = (dice.between(1, 300_000), dice.between(1, 1000));
            format!(
                ", transfers = {{ size = \"{size}B\", pause = \"{pause}ms\", connection = \"{connection}\" }}{ecn}"
            )
        }
    }
}

/// A time in which the bottleneck is down, for a while or until the end.
fn outage(dice: &mut Dice, run_ms: u64) -> String {
    let (from, to) = (dice.below(run_ms), dice.below(2 * run_ms));
    let event = |at: u64, up: bool| {
        let packets = if up { "" } else { "packets = \"lost\"\n" };
        format!(
            "[[event]]\nat = \"{at}ms\"\nlinks = [\"core\", \"core.back\"]\nup = {up}\n{packets}"
        )
    };
    let down = event(from, false);
    let is_restored = to > from && to < run_ms;
    down + &if is_restored {
        event(to, true)
    } else {
        String::new()
    }
}
