//! The simulation beside a live run: as it is, and with the measured lateness as jitter of the doors.

use std::sync::Arc;

use pacesim::middlebox::Jitter;
use pacesim::model::{Distribution, Model};
use pacesim::units::LinkId;
use pacesim::{BuildError, Fate, World};

use crate::drive::Departure;
use crate::plan::Plan;
use crate::run::Outcome;

/// The goodput of a real flow, live and simulated, in bits per second after the warm-up.
#[derive(Clone, Debug, PartialEq)]
pub struct Beside {
    /// Name of the flow.
    pub flow: String,
    /// Counted by its receiver.
    pub live_bps: f64,
    /// Simulated by the scenario as it is.
    pub simulated_bps: f64,
    /// Simulated with the measured lateness as jitter of the doors: reality lies between both if the
    /// model is right and the machine is late.
    pub jittered_bps: f64,
}

/// Simulates the scenario of a live run twice, and compares the goodput of its real flows.
pub fn beside(scenario: &Model, plan: &Plan, outcome: &Outcome) -> Result<Vec<Beside>, BuildError> {
    let mut jittered = scenario.clone();
    if let Some(jitter) = jitter(&outcome.departures) {
        for link in doors(plan, outcome) {
            let extras = &mut jittered.link_mut(link).extras;
            if extras.jitter.is_none() {
                extras.jitter = Some(jitter.clone());
            }
        }
    }
    let [plain, jittered] = [goodputs(scenario.clone())?, goodputs(jittered)?];
    let seconds = outcome.world.measured().as_secs_f64();
    let rows = plan.real.iter().zip(outcome.goodput(plan));
    let row = |(real, (_, bytes)): (&crate::plan::Real, (_, u64))| Beside {
        flow: plan.name(real),
        live_bps: bytes as f64 * 8.0 / seconds,
        simulated_bps: plain[real.flow.index()],
        jittered_bps: jittered[real.flow.index()],
    };
    Ok(rows.map(row).collect())
}

/// The goodput of each flow of a model, simulated.
fn goodputs(model: Model) -> Result<Vec<f64>, BuildError> {
    let mut world = World::new(model)?;
    world.run();
    let seconds = world.measured().as_secs_f64();
    let rows = world.flow_rows();
    let bps = |bytes: u64| bytes as f64 * 8.0 / seconds;
    Ok(rows.iter().map(|row| bps(row.goodput_bytes)).collect())
}

/// The last links before the doors of real flows.
fn doors(plan: &Plan, outcome: &Outcome) -> Vec<LinkId> {
    let last = |flow| outcome.world.path(flow).last();
    let mut links: Vec<LinkId> = plan.outer().filter_map(last).collect();
    links.sort_unstable();
    links.dedup();
    links
}

/// The distribution of measured lateness; none if packets were always on time.
fn jitter(departures: &[Departure]) -> Option<Jitter> {
    let written = departures.iter().filter(|d| d.fate == Fate::Delivered);
    let mut late: Vec<i64> = written.map(|d| d.late_before_ns.max(0)).collect();
    late.sort_unstable();
    let last = late.len().checked_sub(1)?;
    // Finer towards the end: the few late packets are those that matter.
    let shares = [
        0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 1.0,
    ];
    let mut points: Vec<(f64, f64)> = Vec::new();
    for share in shares {
        let ps = late[(last as f64 * share) as usize] as f64 * 1000.0;
        match points.last_mut() {
            Some(before) if before.0 >= ps => before.1 = share,
            _ => points.push((ps, share)),
        }
    }
    if points.len() < 2 {
        return None;
    }
    points[0].1 = 0.0;
    Some(Jitter {
        delay: Distribution::Empirical {
            file: Arc::from(""),
            points: points.into(),
        },
        reorders: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pacesim::units::Time;

    fn departure(late_before_ns: i64) -> Departure {
        Departure {
            entry: 0,
            due: Time::ZERO,
            fate: Fate::Delivered,
            late_before_ns,
            late_after_ns: late_before_ns,
        }
    }

    #[test]
    fn jitter_has_the_quantiles_of_the_lateness() {
        let departures: Vec<_> = (0..=1000).map(|n| departure(n * 10)).collect();
        let jitter = jitter(&departures).expect("some are late");
        let Distribution::Empirical { points, .. } = jitter.delay else {
            panic!("it is measured");
        };
        assert_eq!(points.first(), Some(&(0.0, 0.0)));
        assert!(points.contains(&(5_000_000.0, 0.5)));
        assert_eq!(points.last(), Some(&(10_000_000.0, 1.0)));
        let on_time = vec![departure(0); 10];
        assert_eq!(super::jitter(&on_time), None);
    }
}
