//! The four algorithms named DCQCN: the settings of a case tell which it is.

use pacesim::units::{Bytes, Span, Time};
use pacesim_datacentre::dcqcn::{Clamp, Config, Cut, Dcqcn, Timer, Variant};

use crate::cases::{Case, Row};
use crate::tolerances::{Bound, ESTIMATE, RATE_BPS, REAL, TIME_US, compare};

pub(crate) fn replay(case: &Case) -> Result<(), String> {
    let has = |key: &str| case.settings.get(key).is_some();
    if has("byte_events_us") {
        authors(case)
    } else if has("t_dec") {
        hpcc(case)
    } else {
        paper(case)
    }
}

/// The settings that all variants have.
fn config(case: &Case, variant: Variant) -> Config {
    Config {
        gain: case.real("g"),
        alpha_period: case.microseconds("t_alpha"),
        increase_period: case.microseconds("t_inc"),
        additive_bps: case.whole("rai"),
        hyper_bps: case.whole("rhai"),
        minimum_bps: case.whole("minrate"),
        ..variant.config(case.rate("line"))
    }
}

/// State on a grid of microseconds, after all events up to half a microsecond later.
fn hpcc(case: &Case) -> Result<(), String> {
    let mut config = config(case, Variant::Hpcc);
    config.fast_steps = case.whole("frt") as u32;
    config.clamp = match case.whole("clamp") {
        0 => Clamp::AfterIncrease,
        _ => Clamp::Always,
    };
    if let Cut::Checked { period, .. } = &mut config.cut {
        *period = case.microseconds("t_dec");
    }
    let mut sender = Dcqcn::new(config);
    let mut cnps = case.times("cnps_us").into_iter().peekable();
    for row in case.table() {
        let until = Time::ZERO + Span::from_us(row.integer("t_us")) + Span::from_us(1) / 2;
        loop {
            let cnp = cnps.peek().map(|cnp| Time::ZERO + *cnp);
            let cnp = cnp.filter(|cnp| *cnp <= until);
            let wake = sender.next_wake().filter(|wake| *wake <= until);
            match (cnp, wake) {
                (Some(cnp), wake) if wake.is_none_or(|wake| cnp <= wake) => {
                    cnps.next();
                    sender.cnp(cnp);
                }
                (_, Some(wake)) => drop(sender.wake(wake)),
                _ => break,
            }
        }
        compare(
            &row,
            &[
                ("alpha", sender.alpha(), Bound::Relative(ESTIMATE)),
                ("target_bps", sender.target_bps(), Bound::Absolute(RATE_BPS)),
                ("rate_bps", sender.current_bps(), Bound::Absolute(RATE_BPS)),
                ("stage", f64::from(sender.stages()[0]), Bound::Exact),
            ],
        )?;
    }
    Ok(())
}

/// An input of a case, in the order in which those of one time take effect.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Input {
    Bytes,
    Cnp,
}

fn name(timer: Timer) -> &'static str {
    match timer {
        Timer::Alpha => "alpha",
        Timer::Increase => "timer",
        Timer::Check => "check",
    }
}

/// A row for each event, which must be the next one.
fn authors(case: &Case) -> Result<(), String> {
    let mut config = config(case, Variant::Authors);
    config.fast_steps = case.whole("F") as u32;
    config.byte_counter = None;
    config.clamp = match case.word("clamp").expect("a rule") {
        "always" => Clamp::Always,
        "never" => Clamp::AfterBytes,
        "after_increase" => Clamp::AfterIncrease,
        other => panic!("no rule {other}"),
    };
    let cnps = case.times("cnps_us").into_iter();
    let bytes = case.times("byte_events_us").into_iter();
    let mut inputs: Vec<(Span, Input)> = cnps.map(|at| (at, Input::Cnp)).collect();
    inputs.extend(bytes.map(|at| (at, Input::Bytes)));
    inputs.sort();
    let mut inputs = inputs.into_iter().peekable();
    let mut sender = Dcqcn::new(config);
    let mut has_started = false;
    for row in case.table() {
        while !has_started
            && inputs
                .next_if(|(_, input)| *input == Input::Bytes)
                .is_some()
        {}
        let input = inputs.peek().map(|(at, _)| Time::ZERO + *at);
        let wake = sender.next_wake();
        let (at, event) = match (input, wake) {
            (Some(input), wake) if wake.is_none_or(|wake| input <= wake) => {
                let (_, kind) = inputs.next().expect("peeked");
                match kind {
                    Input::Cnp => sender.cnp(input),
                    Input::Bytes => sender.byte_counter_is_full(),
                }
                has_started = true;
                (input, if kind == Input::Cnp { "cnp" } else { "bytes" })
            }
            (_, Some(wake)) => (wake, name(sender.wake(wake).expect("due"))),
            _ => return Err(format!("row {}: no event", row.number)),
        };
        is_event(&row, at.as_ps() as f64 / 1e6, event)?;
        let [time, bytes] = sender.stages().map(f64::from);
        compare(
            &row,
            &[
                ("alpha", sender.alpha(), Bound::Relative(ESTIMATE)),
                ("target_bps", sender.target_bps(), Bound::Absolute(RATE_BPS)),
                ("rate_bps", sender.current_bps(), Bound::Absolute(RATE_BPS)),
                ("time_stage", time, Bound::Exact),
                ("byte_stage", bytes, Bound::Exact),
                ("state", sender.phase() as u32 as f64 + 1.0, Bound::Exact),
            ],
        )?;
    }
    Ok(())
}

fn is_event(row: &Row<'_>, us: f64, event: &str) -> Result<(), String> {
    let expected = row.text("event");
    if event != expected {
        return Err(format!(
            "row {}: {event} at {us}, not {expected}",
            row.number
        ));
    }
    compare(row, &[("t_us", us, Bound::Absolute(TIME_US))])
}

/// The byte counter of the paper's cases, which counts a fluid at the current rate.
struct Fluid {
    size: f64,
    counted: f64,
    /// The time up to which it has counted.
    us: f64,
}

impl Fluid {
    /// The time at which it is full.
    fn full_at(&self, bps: f64) -> f64 {
        self.us + (self.size - self.counted) * 8.0 / bps * 1e6
    }

    fn count(&mut self, us: f64, bps: f64) {
        self.counted += (us - self.us) * 1e-6 * bps / 8.0;
        self.us = us;
    }
}

/// A row for each event, which must be the next one.
fn paper(case: &Case) -> Result<(), String> {
    let mut config = config(case, Variant::Paper);
    config.fast_steps = case.whole("F") as u32;
    config.byte_counter = Some(Bytes(u64::MAX));
    let mut sender = Dcqcn::new(config);
    let mut cnps = case.times("cnps_us").into_iter().peekable();
    let mut fluid: Option<Fluid> = None;
    let us_of = |time: Time| time.as_ps() as f64 / 1e6;
    for row in case.table() {
        let bps = sender.current_bps();
        let cnp = cnps.peek().map(|cnp| Time::ZERO + *cnp);
        let wake = sender.next_wake();
        let full_at = fluid.as_ref().map(|fluid| fluid.full_at(bps));
        let timed = cnp.into_iter().chain(wake).min();
        let (us, event) = match (timed, full_at) {
            (Some(at), full_at) if full_at.is_none_or(|full_at| us_of(at) <= full_at) => {
                if cnp == Some(at) {
                    cnps.next();
                    sender.cnp(at);
                    (us_of(at), "cnp")
                } else {
                    (us_of(at), name(sender.wake(at).expect("due")))
                }
            }
            (_, Some(full_at)) => {
                sender.byte_counter_is_full();
                (full_at, "bytes")
            }
            _ => return Err(format!("row {}: no event", row.number)),
        };
        let size = case.real("B");
        let counter = fluid.get_or_insert(Fluid {
            size,
            counted: 0.0,
            us,
        });
        counter.count(us, bps);
        if event == "cnp" || event == "bytes" {
            counter.counted = 0.0;
        }
        is_event(&row, us, event)?;
        let [time, bytes] = sender.stages().map(f64::from);
        compare(
            &row,
            &[
                ("alpha", sender.alpha(), Bound::Relative(REAL)),
                ("target_bps", sender.target_bps(), Bound::Relative(REAL)),
                ("rate_bps", sender.current_bps(), Bound::Relative(REAL)),
                ("time_stage", time, Bound::Exact),
                ("byte_stage", bytes, Bound::Exact),
            ],
        )?;
    }
    Ok(())
}
